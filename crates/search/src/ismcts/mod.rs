//! Information Set Monte Carlo Tree Search (ISMCTS; Cowling, Powley and Whitehouse, 2012).
//!
//! Each simulation samples a determinization: a state that is consistent with what the seat
//! knows. All determinizations share one tree whose nodes are information sets, keyed by
//! information set and not by path. Actions that are legal in some determinizations only
//! are compared by their availability counts. Unlike an ensemble of determinized searches,
//! this avoids strategy fusion.

mod batch;
mod batched;
mod determinization;
mod edge_stats;
mod evaluate;
mod expansion;
mod nodes;
mod report;
mod reuse;
mod select;
mod simulation;

use std::sync::Arc;

use meeple_game::{Action, Game, Payoffs, Player, View};
use serde::{Deserialize, Serialize};

use crate::budget::{Budget, Control, Meter, StopReason};
use crate::evaluate::Evaluator;
use crate::options::{FirstPlay, RootNoise, RootPolicy, Selection, at_least_0, expect};
use crate::ordering::MoveOrdering;
use crate::search::Search;
use crate::simd::dispatch;
use crate::{SearchError, SearchReport};
pub use batched::BatchedIsMcts;
use evaluate::RunSimulations;

/// The observer whose information sets are the nodes of the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Observer {
    /// Single-observer ISMCTS (SO-ISMCTS): information sets of the searching player.
    /// Decisions of opponents are averaged over their hidden information. Best if so much
    /// is hidden that an opponent's information set hardly ever repeats, as in Magic.
    #[default]
    #[serde(rename = "searcher")]
    Single,
    /// Multiple-observer ISMCTS (MO-ISMCTS): information sets of the player to move.
    /// Opponents act on their own hidden information, which takes more simulations to
    /// learn. Best in poker, where SO-ISMCTS stops improving with more simulations.
    #[serde(rename = "mover")]
    Multiple,
}

/// Options of [`IsMcts`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IsMctsOptions {
    /// The selection rule; UCT by default. The availability count of an action, in how many
    /// determinizations it was legal, replaces the visit count of the node.
    pub selection: Selection,
    /// First-play urgency; infinite by default, with unvisited actions sampled uniformly.
    pub first_play: FirstPlay,
    /// How simulations are allocated at the root.
    pub root: RootPolicy,
    /// Dirichlet noise on the root priors; none by default.
    pub noise: Option<RootNoise>,
    /// SO-ISMCTS or MO-ISMCTS; SO-ISMCTS by default.
    pub observer: Observer,
    /// Simulations per determinization; 1 by default. Later simulations reuse the states
    /// reached by earlier ones, so higher values are faster if actions are slow to apply.
    /// However, reusing a determinization biases the search towards strategy fusion: keep 1
    /// if much depends on hidden information, as in poker. With a policy or batches, every
    /// simulation has its own determinization.
    pub simulations_per_determinization: u32,
    /// Leaves per call of the evaluator; 1 by default.
    pub batch: usize,
    /// Virtual loss per in-flight visit, so that the leaves of a batch differ; 1 by
    /// default.
    pub virtual_loss: f32,
    /// The memory limit of the tree in bytes; 1 GiB by default. A full tree is still
    /// searched, but not expanded.
    pub memory: usize,
}

impl Default for IsMctsOptions {
    fn default() -> Self {
        Self {
            selection: Selection::UCT,
            first_play: FirstPlay::Infinite,
            root: RootPolicy::Same,
            noise: None,
            observer: Observer::Single,
            simulations_per_determinization: 1,
            batch: 1,
            virtual_loss: 1.0,
            memory: 1 << 30,
        }
    }
}

impl IsMctsOptions {
    /// Options for evaluators and orderings with priors: PUCT, and a first-play urgency of
    /// the parent's value minus 0.2.
    #[must_use]
    pub fn puct() -> Self {
        Self {
            selection: Selection::PUCT,
            first_play: FirstPlay::ParentMinus(0.2),
            ..Self::default()
        }
    }

    /// Checks every option.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::BadOption`] for the first option that is out of range.
    pub fn check(&self) -> Result<(), SearchError> {
        self.selection.check()?;
        self.first_play.check()?;
        self.root.check()?;
        if let Some(noise) = self.noise {
            noise.check()?;
        }
        expect(
            self.simulations_per_determinization > 0,
            "simulations_per_determinization",
            0.0,
            "at least 1",
        )?;
        expect(self.batch > 0, "batch", 0.0, "at least 1")?;
        at_least_0("virtual_loss", self.virtual_loss)?;
        expect(self.memory >= 1 << 16, "memory", self.memory as f32, "at least 65536 bytes")
    }
}

/// ISMCTS for games with hidden information.
///
/// It samples determinizations from a [`View`], so it knows no more than the seat. An
/// evaluator with a policy, or a move ordering, computes priors in these determinizations;
/// an action keeps the prior of the first determinization in which it was legal.
///
/// ```
/// use meeple_game::{Action, Game, Player, View};
/// use meeple_games::small::Kuhn;
/// use meeple_search::{Budget, IsMcts, IsMctsOptions, Rollout, Search};
///
/// // The second seat holds the king and faces a bet: folding is dominated.
/// let mut game = Kuhn::new(&Default::default());
/// [0, 2, 1].into_iter().for_each(|action| game.apply(Action(action)));
/// let mut search = IsMcts::new(&IsMctsOptions::default(), Rollout::default())?;
/// let report = search.search(&View::new(&game, Player(1)), &Budget::simulations(500), 1)?;
/// assert_eq!(game.action_name(report.best), "bet", "which calls");
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
pub struct IsMcts<G: Game, E> {
    tree: BatchedIsMcts<G>,
    evaluator: E,
    values: Vec<Payoffs>,
    logits: Vec<f32>,
}

impl<G: Game, E> std::fmt::Debug for IsMcts<G, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IsMcts").field("options", &self.tree.options).finish_non_exhaustive()
    }
}

impl<G: Game, E: Evaluator<G>> IsMcts<G, E> {
    /// Creates a search.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::BadOption`] if an option is out of range.
    pub fn new(options: &IsMctsOptions, evaluator: E) -> Result<Self, SearchError> {
        Self::with_ordering(options, evaluator, None)
    }

    /// Creates a search with a move ordering.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::BadOption`] if an option is out of range.
    pub fn with_ordering(
        options: &IsMctsOptions,
        evaluator: E,
        ordering: Option<Arc<dyn MoveOrdering<G>>>,
    ) -> Result<Self, SearchError> {
        let tree = BatchedIsMcts::new(options, evaluator.has_policy(), ordering)?;
        Ok(Self { tree, evaluator, values: Vec::new(), logits: Vec::new() })
    }

    /// Initializes the root; returns the report if there is only one legal action.
    fn begin(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
    ) -> Result<Option<SearchReport>, SearchError> {
        let state = self.tree.sample_root(view, seed)?;
        self.evaluator.check(&state)?;
        if let [only_choice] = self.tree.legal.actions[..] {
            return Ok(Some(SearchReport::forced(only_choice)));
        }
        self.tree.init_root(&state, view.seat(), budget, seed)?;
        self.tree.has_begun = true;
        if self.tree.is_root_expanded() {
            self.tree.prepare_root();
            return Ok(None);
        }
        if self.tree.has_policy {
            self.tree.evaluate_with_policy(&state, &mut self.evaluator)?;
        } else {
            self.tree.compute_priors(&state);
        }
        self.tree.expand_root();
        Ok(None)
    }

    /// Runs up to `count` simulations and returns their number.
    fn run(&mut self, view: &View<'_, G>, count: u64) -> Result<u64, SearchError> {
        if self.tree.options.batch > 1 {
            return self.run_batch(view, count);
        }
        let Self { tree, evaluator, .. } = self;
        dispatch(RunSimulations { tree, evaluator, view, count })?;
        Ok(count)
    }

    fn run_batch(&mut self, view: &View<'_, G>, count: u64) -> Result<u64, SearchError> {
        let before = self.tree.simulations();
        let most = (self.tree.options.batch as u64).min(count) as usize;
        self.tree.gather(view, most)?;
        let BatchedIsMcts { batch, rng, .. } = &mut self.tree;
        let leaves = &batch.leaves;
        self.values.resize(leaves.len(), Payoffs::default());
        if self.evaluator.has_policy() {
            let width = leaves.first().map_or(0, Game::actions);
            self.logits.resize(leaves.len() * width, 0.0);
        }
        if !leaves.is_empty() {
            self.evaluator.evaluate(leaves, rng, &mut self.values, &mut self.logits);
        }
        self.tree.apply(&self.values, &self.logits)?;
        Ok(self.tree.simulations() - before)
    }

    fn report(&self, meter: &Meter, stop_reason: StopReason) -> SearchReport {
        let mut report = self.tree.report();
        report.cache = self.evaluator.cache_report();
        report.stop_reason = stop_reason;
        report.set_time(meter.elapsed());
        report
    }
}

/// The key of the information set in which `mover` decides, for the observer of a search by
/// `seat`.
#[inline(always)]
fn key_of<G: Game>(observer: Observer, seat: Player, state: &G, mover: Player) -> u64 {
    match observer {
        Observer::Single => state.info_key(seat),
        Observer::Multiple => state.info_key(mover).wrapping_add(u64::from(mover.0)),
    }
}

impl<G: Game, E: Evaluator<G>> Search<G> for IsMcts<G, E> {
    fn search_with(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
    ) -> Result<SearchReport, SearchError> {
        budget.check()?;
        let mut meter = Meter::start(budget);
        if let Some(report) = self.begin(view, budget, seed)? {
            return Ok(report);
        }
        meter.count_reused(self.tree.nodes.total_visits(self.tree.root.node));
        let stop_reason = loop {
            match meter.allowance(self.tree.nodes(), &control.stop) {
                Err(stop_reason) => break stop_reason,
                Ok(count) => {
                    meter.done += self.run(view, count)?;
                    if self
                        .tree
                        .visit_lead()
                        .is_some_and(|visit_lead| meter.stops_early(visit_lead))
                    {
                        break StopReason::EarlyStop;
                    }
                }
            }
            if meter.is_report_due(control) {
                let report = self.report(&meter, StopReason::Running);
                if let Some(progress) = &mut control.progress {
                    (progress.report)(&report);
                }
            }
        };
        Ok(self.report(&meter, stop_reason))
    }

    /// Requests tree reuse. The actions are not needed, since nodes are keyed by
    /// information set and not by path.
    fn advance(&mut self, _: &[Action]) {
        self.tree.reuse_next = true;
    }

    fn follow(&mut self, _: &View<'_, G>) {
        self.tree.reuse_next = true;
    }
}
