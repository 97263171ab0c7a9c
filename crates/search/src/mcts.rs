//! Monte Carlo tree search for games in which everybody sees everything.

use std::sync::Arc;

use meeple_game::{Action, ActionList, Game, Payoffs, Rng, Turn, View};

use crate::budget::{Budget, Control, Ended, Meter};
use crate::evaluate::{Evaluator, check_values};
use crate::machine::{Machine, Work, fast};
use crate::options::MctsOptions;
use crate::ordering::Ordering;
use crate::search::Search;
use crate::tree_search::TreeSearch;
use crate::walk::Leaf;
use crate::{SearchError, SearchReport};

/// UCT or PUCT over any game without hidden information: luck, two to six
/// seats, forced moves, proven wins, reuse of the tree from move to move.
///
/// ```
/// use meeple_game::{Game, Player, View};
/// use meeple_games::small::ConnectFour;
/// use meeple_search::{Budget, Mcts, MctsOptions, Rollout, Search};
///
/// let game = ConnectFour::new(&Default::default());
/// let mut search = Mcts::new(&MctsOptions::default(), Rollout::default())?;
/// let report = search.search(&View::new(&game, Player(0)), &Budget::iterations(5000), 1)?;
/// assert_eq!(game.action_name(report.best), "d", "the middle is best");
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
#[derive(Debug)]
pub struct Mcts<G: Game, E> {
    tree: TreeSearch<G>,
    evaluator: E,
    values: Vec<Payoffs>,
    logits: Vec<f32>,
}

impl<G: Game, E: Evaluator<G>> Mcts<G, E> {
    /// A search with an evaluator.
    ///
    /// # Errors
    ///
    /// When an option makes no sense.
    pub fn new(options: &MctsOptions, evaluator: E) -> Result<Self, SearchError> {
        Self::with_ordering(options, evaluator, None)
    }

    /// A search with an evaluator, and an ordering for evaluators that have no
    /// policy of their own.
    ///
    /// # Errors
    ///
    /// When an option makes no sense.
    pub fn with_ordering(
        options: &MctsOptions,
        evaluator: E,
        ordering: Option<Arc<dyn Ordering<G>>>,
    ) -> Result<Self, SearchError> {
        let mut tree = TreeSearch::new(options, evaluator.has_policy(), ordering)?;
        tree.walker.passes_forced = !E::PLAYS_ON;
        Ok(Self { tree, evaluator, values: Vec::new(), logits: Vec::new() })
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Searches a state in which nothing is hidden, or a world that was dealt.
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
        if let Some(report) = forced(root) {
            return Ok(report);
        }
        self.tree.begin_state(root, budget, seed)?;
        let ended = loop {
            if self.tree.is_solved() {
                break Ended::Solved;
            }
            match meter.allowance(self.tree.nodes(), &control.stop) {
                Err(ended) => break ended,
                Ok(count) => meter.done += self.run(count)?,
            }
            if meter.is_report_due(control) {
                let report = self.report(&meter, Ended::Running);
                if let Some(progress) = &mut control.progress {
                    (progress.report)(&report);
                }
            }
        };
        Ok(self.report(&meter, ended))
    }

    fn report(&self, meter: &Meter, ended: Ended) -> SearchReport {
        let mut report = self.tree.report();
        report.ended = ended;
        report.cache = self.evaluator.cache_report();
        report.clock(meter.elapsed());
        report
    }

    /// Runs up to `count` simulations; how many is returned.
    fn run(&mut self, count: u64) -> Result<u64, SearchError> {
        if self.tree.walker.options.batch > 1 || self.tree.walker.eager {
            self.run_batch(count)
        } else {
            fast(Simulations { search: self, count })
        }
    }

    fn run_batch(&mut self, count: u64) -> Result<u64, SearchError> {
        let before = self.tree.walker.walks;
        let batch = (self.tree.walker.options.batch as u64).min(count) as usize;
        self.tree.gather(batch)?;
        let leaves = &self.tree.leaves;
        self.values.resize(leaves.len(), Payoffs::default());
        if self.evaluator.has_policy() {
            self.logits.resize(leaves.len() * G::ACTIONS, 0.0);
        }
        if !leaves.is_empty() {
            let rng = &mut self.tree.evaluation_rng;
            self.evaluator.evaluate(leaves, rng, &mut self.values, &mut self.logits);
        }
        self.tree.apply(&self.values, &self.logits)?;
        Ok(self.tree.walker.walks - before)
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
        if G::HIDDEN {
            return Err(SearchError::Hidden { game: G::NAME });
        }
        let root = root_of(view)?;
        self.search_state(&root, budget, seed, control)
    }

    fn advance(&mut self, actions: &[Action]) {
        self.tree.advance(actions);
    }

    fn follow(&mut self, view: &View<'_, G>) {
        self.tree.follow(view);
    }
}

/// Simulations one after the other, each judged at once.
struct Simulations<'a, G: Game, E> {
    search: &'a mut Mcts<G, E>,
    count: u64,
}

impl<G: Game, E: Evaluator<G>> Work for Simulations<'_, G, E> {
    type Out = Result<u64, SearchError>;

    #[inline(always)]
    fn run<M: Machine>(self) -> Self::Out {
        let Mcts { tree, evaluator, .. } = self.search;
        let root = tree.walker.root.ok_or(SearchError::NotBegun)?;
        tree.walker.expect_walks(self.count);
        for done in 0..self.count {
            let mut state = root;
            let first = tree.first_edge();
            match tree.walker.descend::<M>(&mut state, first) {
                Leaf::Exact(values, proves) => tree.walker.ascend(values, proves),
                Leaf::Judge => {
                    let value = evaluator.evaluate_last(&mut state, &mut tree.walker.rng);
                    check_values(&value, tree.walker.players)?;
                    tree.evaluations += 1;
                    tree.walker.ascend(value, false);
                }
                // Nothing is left to be judged here, so nothing is taken.
                Leaf::Taken => tree.walker.undo(),
            }
            if tree.walker.is_solved {
                return Ok(done + 1);
            }
        }
        Ok(self.count)
    }
}

/// The state a view stands for, in a game that hides nothing.
pub(crate) fn root_of<G: Game>(view: &View<'_, G>) -> Result<G, SearchError> {
    let root = view.sample(&mut Rng::new(0));
    if root.turn() == Turn::Player(view.seat()) {
        Ok(root)
    } else {
        Err(SearchError::NotToDecide(view.seat()))
    }
}

/// The report on a state with one action, which needs no search.
pub(crate) fn forced<G: Game>(root: &G) -> Option<SearchReport> {
    let mut actions = ActionList::new();
    root.legal_actions(&mut actions);
    (actions.len() == 1).then(|| SearchReport::forced(actions[0]))
}
