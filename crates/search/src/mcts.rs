//! Monte Carlo tree search for games with perfect information (see Browne and others, 2012,
//! for a survey).

use std::sync::Arc;

use meeple_game::{Action, ActionList, Game, Payoffs, Rng, Turn, View};

use crate::batched::BatchedMcts;
use crate::budget::{Budget, Control, Meter, StopReason};
use crate::evaluate::{Evaluator, check_values};
use crate::options::MctsOptions;
use crate::ordering::MoveOrdering;
use crate::search::Search;
use crate::simd::{Kernels, SimdTask, dispatch};
use crate::simulation::Leaf;
use crate::{SearchError, SearchReport};

/// UCT or PUCT for games with perfect information: chance nodes, two to six players, proven
/// values (MCTS-Solver) and tree reuse.
///
/// ```
/// use meeple_game::{Game, Player, View};
/// use meeple_games::small::ConnectFour;
/// use meeple_search::{Budget, Mcts, MctsOptions, Rollout, Search};
///
/// let game = ConnectFour::new(&Default::default());
/// let mut search = Mcts::new(&MctsOptions::default(), Rollout::default())?;
/// let report = search.search(&View::new(&game, Player(0)), &Budget::simulations(5000), 1)?;
/// assert_eq!(game.action_name(report.best), "d", "the middle is best");
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
#[derive(Debug)]
pub struct Mcts<G: Game, E> {
    tree: BatchedMcts<G>,
    evaluator: E,
    values: Vec<Payoffs>,
    logits: Vec<f32>,
}

impl<G: Game, E: Evaluator<G>> Mcts<G, E> {
    /// Creates a search.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::BadOption`] if an option is out of range.
    pub fn new(options: &MctsOptions, evaluator: E) -> Result<Self, SearchError> {
        Self::with_ordering(options, evaluator, None)
    }

    /// Creates a search with a move ordering, which provides priors if the evaluator has no
    /// policy.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::BadOption`] if an option is out of range.
    pub fn with_ordering(
        options: &MctsOptions,
        evaluator: E,
        ordering: Option<Arc<dyn MoveOrdering<G>>>,
    ) -> Result<Self, SearchError> {
        let mut tree = BatchedMcts::new(options, evaluator.has_policy(), ordering)?;
        tree.simulator.skips_forced = !evaluator.is_rollout();
        Ok(Self { tree, evaluator, values: Vec::new(), logits: Vec::new() })
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Searches a state of a game with perfect information, or a determinization.
    pub(crate) fn search_state(
        &mut self,
        root: &G,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
    ) -> Result<SearchReport, SearchError> {
        budget.check()?;
        self.evaluator.check(root)?;
        let mut meter = Meter::start(budget);
        if let Some(report) = forced_report(root) {
            return Ok(report);
        }
        self.tree.begin_state(root, budget, seed)?;
        let stop_reason = loop {
            if self.tree.is_solved() {
                break StopReason::Solved;
            }
            match meter.allowance(self.tree.nodes(), &control.stop) {
                Err(stop_reason) => break stop_reason,
                Ok(count) => meter.done += self.run(count)?,
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

    fn report(&self, meter: &Meter, stop_reason: StopReason) -> SearchReport {
        let mut report = self.tree.report();
        report.stop_reason = stop_reason;
        report.cache = self.evaluator.cache_report();
        report.set_time(meter.elapsed());
        report
    }

    /// Runs up to `count` simulations and returns their number.
    fn run(&mut self, count: u64) -> Result<u64, SearchError> {
        if self.tree.simulator.options.batch > 1 || self.tree.simulator.has_policy {
            self.run_batch(count)
        } else {
            dispatch(Simulations { search: self, count })
        }
    }

    fn run_batch(&mut self, count: u64) -> Result<u64, SearchError> {
        let before = self.tree.simulator.simulations;
        let batch = (self.tree.simulator.options.batch as u64).min(count) as usize;
        self.tree.gather(batch)?;
        let leaves = &self.tree.leaves;
        self.values.resize(leaves.len(), Payoffs::default());
        if self.evaluator.has_policy() {
            let width = leaves.first().map_or(0, Game::actions);
            self.logits.resize(leaves.len() * width, 0.0);
        }
        if !leaves.is_empty() {
            let rng = &mut self.tree.evaluation_rng;
            self.evaluator.evaluate(leaves, rng, &mut self.values, &mut self.logits);
        }
        self.tree.apply(&self.values, &self.logits)?;
        Ok(self.tree.simulator.simulations - before)
    }
}

impl<G: Game, E: Evaluator<G>> Search<G> for Mcts<G, E> {
    fn search_with(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
    ) -> Result<SearchReport, SearchError> {
        let root = root_state(view)?;
        self.search_state(&root, budget, seed, control)
    }

    fn advance(&mut self, actions: &[Action]) {
        self.tree.advance(actions);
    }

    fn follow(&mut self, view: &View<'_, G>) {
        self.tree.follow(view);
    }
}

/// Simulations in sequence, each leaf evaluated at once.
struct Simulations<'a, G: Game, E> {
    search: &'a mut Mcts<G, E>,
    count: u64,
}

impl<G: Game, E: Evaluator<G>> SimdTask for Simulations<'_, G, E> {
    type Out = Result<u64, SearchError>;

    #[inline(always)]
    fn run<K: Kernels>(self) -> Self::Out {
        let Mcts { tree, evaluator, .. } = self.search;
        let root = tree.simulator.root.ok_or(SearchError::NotBegun)?;
        tree.simulator.expect_simulations(self.count);
        for done in 0..self.count {
            let mut state = root;
            let first = tree.root_edge();
            match tree.simulator.select_leaf::<K>(&mut state, first) {
                Leaf::Exact(values, proves) => tree.simulator.backup(values, proves),
                Leaf::Evaluate => {
                    let value = evaluator.evaluate_in_place(&mut state, &mut tree.simulator.rng);
                    check_values(&value, tree.simulator.players)?;
                    tree.evaluations += 1;
                    tree.simulator.backup(value, false);
                }
                // No evaluation is ever in flight here.
                Leaf::Pending => tree.simulator.undo_visits(),
            }
            if tree.simulator.is_solved {
                return Ok(done + 1);
            }
        }
        Ok(self.count)
    }
}

/// The state of a view, in a game with perfect information.
pub(crate) fn root_state<G: Game>(view: &View<'_, G>) -> Result<G, SearchError> {
    let info = view.info();
    if info.imperfect_information {
        return Err(SearchError::Hidden { game: info.name });
    }
    let root = view.sample(&mut Rng::new(0));
    if root.turn() == Turn::Player(view.seat()) {
        Ok(root)
    } else {
        Err(SearchError::NotToDecide(view.seat()))
    }
}

/// The report on a state with one legal action, which needs no search.
pub(crate) fn forced_report<G: Game>(root: &G) -> Option<SearchReport> {
    let mut actions = ActionList::new();
    root.legal_actions(&mut actions);
    (actions.len() == 1).then(|| SearchReport::forced(actions[0]))
}
