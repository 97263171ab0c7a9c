//! Determinized ensembles: some worlds are dealt, each is searched as if it
//! were the truth, and the answers are put together.

use std::sync::Arc;

use meeple_game::{Action, Game, Rng, Turn, View};
use serde::{Deserialize, Serialize};

use crate::budget::{Budget, Control, Ended, Meter};
use crate::evaluate::Evaluator;
use crate::mcts::{Mcts, forced};
use crate::merge::{merge_worlds, variations_of};
use crate::options::{MctsOptions, expect};
use crate::ordering::Ordering;
use crate::search::Search;
use crate::{SearchError, SearchReport};

/// How the answers for the worlds become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Combine {
    /// The action with most visits over all worlds; under a Gumbel root, whose
    /// survivors are visited alike, with the highest policy on average.
    #[default]
    Sum,
    /// The action with the best value, each world counting as much.
    Average,
    /// The action that is best in most worlds; of equal ones, that with more
    /// visits.
    Majority,
}

/// The settings of an [`Ensemble`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EnsembleOptions {
    /// How many worlds share the budget, 10 unless given.
    pub worlds: usize,
    /// How their answers become one.
    pub combine: Combine,
    /// How each world is searched.
    pub search: MctsOptions,
}

impl Default for EnsembleOptions {
    fn default() -> Self {
        Self { worlds: 10, combine: Combine::Sum, search: MctsOptions::default() }
    }
}

/// A baseline for hidden information: it acts as if secrets came out after the
/// next move, so it never bluffs and never pays to learn something.
/// [`IsMcts`](crate::IsMcts) is the better choice.
///
/// ```
/// use meeple_game::{Action, Game, Player, View};
/// use meeple_games::small::Kuhn;
/// use meeple_search::{Budget, Ensemble, EnsembleOptions, Rollout, Search};
///
/// let mut game = Kuhn::new(&Default::default());
/// [0, 2, 1].into_iter().for_each(|action| game.apply(Action(action)));
/// let mut search = Ensemble::new(&EnsembleOptions::default(), Rollout::default())?;
/// let report = search.search(&View::new(&game, Player(1)), &Budget::iterations(500), 1)?;
/// assert_eq!(game.action_name(report.best), "bet", "nobody folds the king");
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
#[derive(Debug)]
pub struct Ensemble<G: Game, E> {
    options: EnsembleOptions,
    search: Mcts<G, E>,
}

impl<G: Game, E: Evaluator<G>> Ensemble<G, E> {
    /// A search with an evaluator.
    ///
    /// # Errors
    ///
    /// When an option makes no sense.
    pub fn new(options: &EnsembleOptions, evaluator: E) -> Result<Self, SearchError> {
        Self::with_ordering(options, evaluator, None)
    }

    /// A search with an evaluator, and an ordering for evaluators that have no
    /// policy of their own.
    ///
    /// # Errors
    ///
    /// When an option makes no sense.
    pub fn with_ordering(
        options: &EnsembleOptions,
        evaluator: E,
        ordering: Option<Arc<dyn Ordering<G>>>,
    ) -> Result<Self, SearchError> {
        expect(options.worlds > 0, "worlds", 0.0, "at least 1")?;
        let search = Mcts::with_ordering(&options.search, evaluator, ordering)?;
        Ok(Self { options: *options, search })
    }
}

impl<G: Game, E: Evaluator<G>> Search<G> for Ensemble<G, E> {
    fn search_with(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
    ) -> Result<SearchReport, SearchError> {
        budget.check()?;
        let meter = Meter::start(budget);
        let rng = Rng::new(seed);
        let worlds = budget
            .iterations
            .map_or(self.options.worlds, |iterations| self.options.worlds.min(iterations as usize));
        let mut reports: Vec<SearchReport> = Vec::with_capacity(worlds);
        for number in 0..worlds {
            let mut stream = rng.split(number as u64);
            let world = view.sample(&mut stream);
            if world.turn() != Turn::Player(view.seat()) {
                return Err(SearchError::NotToDecide(view.seat()));
            }
            if let Some(report) = forced(&world) {
                return Ok(report);
            }
            let share = budget.share(number, worlds, meter.time_share(worlds - number));
            let mut quiet = Control { stop: control.stop.clone(), progress: None };
            let mut report = self.search.search_state(&world, &share, stream.bits(), &mut quiet)?;
            spend_rest(&mut report, &share);
            reports.push(report);
            if let Some(progress) = &mut control.progress {
                (progress.report)(&self.combine(view, &reports, &meter));
            }
            if control.stop.is_stopped() || meter.is_time_up() {
                break;
            }
        }
        Ok(self.combine(view, &reports, &meter))
    }
}

/// What a world that is proven early leaves of its share counts for its best
/// action, as more visits would: otherwise it would have less of a say.
fn spend_rest(report: &mut SearchReport, share: &Budget) {
    let left = share.iterations.unwrap_or(0).saturating_sub(report.iterations);
    let best = report.actions.iter_mut().find(|entry| entry.action == report.best);
    if let (Ended::Solved, Some(best)) = (report.ended, best) {
        best.visits += left;
        best.values = report.values;
    }
}

impl<G: Game, E> Ensemble<G, E> {
    fn combine(&self, view: &View<'_, G>, reports: &[SearchReport], meter: &Meter) -> SearchReport {
        let mut merged = merge_worlds(reports);
        let seat = view.seat().index();
        let value_of = |action: Action| -> f32 {
            let entries = reports.iter().flat_map(|report| &report.actions);
            let values = entries.filter(|entry| entry.action == action && entry.visits > 0);
            let (count, sum) =
                values.fold((0, 0.0), |(count, sum), entry| (count + 1, sum + entry.values[seat]));
            if count == 0 { f32::NEG_INFINITY } else { sum / count as f32 }
        };
        let votes_for =
            |action: Action| reports.iter().filter(|report| report.best == action).count();
        let best = match self.options.combine {
            Combine::Sum => None,
            Combine::Average => merged.actions.iter().reduce(|best, entry| {
                if value_of(entry.action) > value_of(best.action) { entry } else { best }
            }),
            Combine::Majority => merged.actions.iter().reduce(|best, entry| {
                let rank = |action: Action, visits| (votes_for(action), visits);
                if rank(entry.action, entry.visits) > rank(best.action, best.visits) {
                    entry
                } else {
                    best
                }
            }),
        };
        merged.best = best.map_or(merged.best, |entry| entry.action);
        merged.variations = variations_of(merged.best, reports);
        merged.clock(meter.elapsed());
        merged
    }
}
