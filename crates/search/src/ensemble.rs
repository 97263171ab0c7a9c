//! Determinized UCT, also known as perfect information Monte Carlo (PIMC): samples
//! determinizations, searches each as a game of perfect information, and combines the
//! results.
//!
//! Its weaknesses, strategy fusion and non-locality, are described by Frank and Basin
//! (1998); when it works nevertheless, by Long and others (2010).

use std::sync::Arc;

use meeple_game::{Action, Game, Rng, Turn, View};
use serde::{Deserialize, Serialize};

use crate::budget::{Budget, Control, Meter, StopReason};
use crate::evaluate::Evaluator;
use crate::mcts::{Mcts, forced_report};
use crate::merge::{merge_determinizations, variations_of};
use crate::options::{MctsOptions, expect};
use crate::ordering::MoveOrdering;
use crate::search::Search;
use crate::{SearchError, SearchReport};

/// How the results of the determinizations are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Combine {
    /// The action with the most visits over all determinizations. With a Gumbel root, whose
    /// survivors have equal visits, the action with the highest mean policy.
    #[default]
    Sum,
    /// The action with the highest mean value, determinizations weighted equally.
    Average,
    /// The action that is best in most determinizations; ties are broken by visits.
    Majority,
}

/// Options of an [`Ensemble`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EnsembleOptions {
    /// The number of determinizations that share the budget; 10 by default.
    pub determinizations: usize,
    /// How their results are combined.
    pub combine: Combine,
    /// The options of the search in each determinization.
    pub search: MctsOptions,
}

impl Default for EnsembleOptions {
    fn default() -> Self {
        Self { determinizations: 10, combine: Combine::Sum, search: MctsOptions::default() }
    }
}

/// A baseline for hidden information. It suffers from strategy fusion: it acts as if all
/// hidden information were revealed after the next move, so it never bluffs and never pays
/// for information. [`IsMcts`](crate::IsMcts) is the better choice.
///
/// ```
/// use meeple_game::{Action, Game, Player, View};
/// use meeple_games::small::Kuhn;
/// use meeple_search::{Budget, Ensemble, EnsembleOptions, Rollout, Search};
///
/// let mut game = Kuhn::new(&Default::default());
/// [0, 2, 1].into_iter().for_each(|action| game.apply(Action(action)));
/// let mut search = Ensemble::new(&EnsembleOptions::default(), Rollout::default())?;
/// let report = search.search(&View::new(&game, Player(1)), &Budget::simulations(500), 1)?;
/// assert_eq!(game.action_name(report.best), "bet", "folding the king is dominated");
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
#[derive(Debug)]
pub struct Ensemble<G: Game, E> {
    options: EnsembleOptions,
    search: Mcts<G, E>,
}

impl<G: Game, E: Evaluator<G>> Ensemble<G, E> {
    /// Creates a search.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::BadOption`] if an option is out of range.
    pub fn new(options: &EnsembleOptions, evaluator: E) -> Result<Self, SearchError> {
        Self::with_ordering(options, evaluator, None)
    }

    /// Creates a search with a move ordering, which provides priors if the evaluator has no
    /// policy.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::BadOption`] if an option is out of range.
    pub fn with_ordering(
        options: &EnsembleOptions,
        evaluator: E,
        ordering: Option<Arc<dyn MoveOrdering<G>>>,
    ) -> Result<Self, SearchError> {
        expect(options.determinizations > 0, "determinizations", 0.0, "at least 1")?;
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
        let determinizations =
            budget.simulations.map_or(self.options.determinizations, |simulations| {
                self.options.determinizations.min(simulations as usize)
            });
        let mut reports: Vec<SearchReport> = Vec::with_capacity(determinizations);
        for number in 0..determinizations {
            let mut stream = rng.split(number as u64);
            let state = view.sample(&mut stream);
            if state.turn() != Turn::Player(view.seat()) {
                return Err(SearchError::NotToDecide(view.seat()));
            }
            if let Some(report) = forced_report(&state) {
                return Ok(report);
            }
            let share =
                budget.share(number, determinizations, meter.time_share(determinizations - number));
            let mut quiet = Control { stop: control.stop.clone(), progress: None };
            let mut report = self.search.search_state(&state, &share, stream.bits(), &mut quiet)?;
            credit_unused(&mut report, &share);
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

/// Credits the unused simulations of a determinization that was proven early to its best
/// action; otherwise it would have less weight than the others.
fn credit_unused(report: &mut SearchReport, share: &Budget) {
    let left = share.simulations.unwrap_or(0).saturating_sub(report.simulations);
    let best = report.actions.iter_mut().find(|entry| entry.action == report.best);
    if let (StopReason::Solved, Some(best)) = (report.stop_reason, best) {
        best.visits += left;
        best.values = report.values;
    }
}

impl<G: Game, E> Ensemble<G, E> {
    fn combine(&self, view: &View<'_, G>, reports: &[SearchReport], meter: &Meter) -> SearchReport {
        let mut merged = merge_determinizations(reports);
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
        merged.set_time(meter.elapsed());
        merged
    }
}
