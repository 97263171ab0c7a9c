//! MCTS with external evaluation: gather leaves, evaluate them elsewhere, apply the
//! results.

use std::sync::Arc;

use meeple_game::{Action, Game, Payoffs, Rng, View};

use crate::SearchError;
use crate::budget::Budget;
use crate::evaluate::check_values;
use crate::gumbel::SequentialHalving;
use crate::mcts::root_state;
use crate::noise::dirichlet;
use crate::options::{MctsOptions, RootNoise, RootPolicy};
use crate::ordering::MoveOrdering;
use crate::simd::{Kernels, SimdTask, dispatch};
use crate::simulation::{Leaf, Simulator};
use crate::tree::{EdgeRef, ROOT};

/// An MCTS tree whose leaves are evaluated by the caller, so that one network call serves
/// many trees.
///
/// ```
/// use meeple_game::{Game, Player, View};
/// use meeple_games::small::ConnectFour;
/// use meeple_search::{Budget, MctsOptions, BatchedMcts};
///
/// let game = ConnectFour::new(&Default::default());
/// let budget = Budget::simulations(64);
/// let mut search = BatchedMcts::new(&MctsOptions::puct(), true, None)?;
/// search.begin(&View::new(&game, Player(0)), &budget, 1)?;
/// while search.simulations() < 64 {
///     search.gather(8)?;
///     let leaves = search.leaves().len();
///     // A network would look at `search.leaves()` here.
///     let values = vec![[0.0; 6]; leaves];
///     let logits = vec![0.0; leaves * game.actions()];
///     search.apply(&values, &logits)?;
/// }
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
#[derive(Debug)]
pub struct BatchedMcts<G: Game> {
    pub(crate) simulator: Simulator<G>,
    /// For stochastic evaluators. Separate from the simulations, so that a simulation does
    /// not depend on the evaluation of its neighbours in a batch.
    pub(crate) evaluation_rng: Rng,
    pub(crate) evaluations: u64,
    pub(crate) halving: Option<SequentialHalving>,
    /// The paths of all gathered leaves, concatenated, and where each of them ends.
    path_ends: Vec<usize>,
    paths: Vec<EdgeRef>,
    pub(crate) leaves: Vec<G>,
    has_begun: bool,
}

impl<G: Game> BatchedMcts<G> {
    /// Creates a search. `has_policy` states whether leaves are evaluated with logits; if
    /// not, `ordering` provides the priors.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::BadOption`] if an option is out of range.
    pub fn new(
        options: &MctsOptions,
        has_policy: bool,
        ordering: Option<Arc<dyn MoveOrdering<G>>>,
    ) -> Result<Self, SearchError> {
        options.check()?;
        let mut simulator = Simulator::new(options, ordering);
        simulator.has_policy = has_policy;
        Ok(Self {
            simulator,
            evaluation_rng: Rng::new(0),
            evaluations: 0,
            halving: None,
            path_ends: Vec::new(),
            paths: Vec::new(),
            leaves: Vec::new(),
            has_begun: false,
        })
    }

    /// Starts a search of the state of `view`.
    ///
    /// # Errors
    ///
    /// Fails if the budget is empty, the seat is not to move, or the game has hidden
    /// information.
    pub fn begin(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
    ) -> Result<(), SearchError> {
        self.begin_state(&root_state(view)?, budget, seed)
    }

    pub(crate) fn begin_state(
        &mut self,
        root: &G,
        budget: &Budget,
        seed: u64,
    ) -> Result<(), SearchError> {
        budget.check()?;
        let rng = Rng::new(seed);
        // With a policy, the root is the first leaf, so halving starts after its
        // evaluation.
        self.halving = SequentialHalving::new(self.simulator.options.root, budget, rng.split(2))?;
        self.simulator.start(root);
        self.simulator.rng = rng.split(0);
        self.evaluation_rng = rng.split(1);
        self.evaluations = 0;
        self.path_ends.clear();
        self.paths.clear();
        self.leaves.clear();
        self.has_begun = true;
        if self.simulator.tree.is_empty() && !self.simulator.has_policy {
            self.simulator.expand_root();
        }
        if !self.simulator.tree.is_empty() {
            self.prepare_root();
        }
        Ok(())
    }

    /// Prepares the expanded root: Dirichlet noise and the first round of sequential
    /// halving.
    fn prepare_root(&mut self) {
        if let Some(noise) = self.simulator.options.noise {
            let count = self.simulator.tree.node(ROOT).edge_count;
            let noises = dirichlet(noise.alpha, count, &mut self.simulator.rng);
            for (edge, sample) in (0u32..).zip(noises) {
                let prior = self.simulator.tree.node(ROOT).prior(edge as usize);
                let mixed = (1.0 - noise.share) * prior + noise.share * sample;
                self.simulator.tree.set_prior(EdgeRef { node: ROOT, edge }, mixed);
            }
        }
        if let Some(halving) = &mut self.halving {
            halving.start(&self.simulator.tree.node(ROOT));
        }
    }

    /// The next root edge, if sequential halving determines it.
    #[inline(always)]
    pub(crate) fn root_edge(&mut self) -> Option<u32> {
        let tree = &self.simulator.tree;
        self.halving.as_mut().map(|halving| halving.next_edge(&tree.node(ROOT)))
    }

    /// Selects until `most` leaves are to be evaluated or a selection reaches a pending
    /// leaf. Terminal states are backed up at once.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::NotBegun`] if the search has not begun.
    pub fn gather(&mut self, most: usize) -> Result<(), SearchError> {
        let root = self.simulator.root.filter(|_| self.has_begun).ok_or(SearchError::NotBegun)?;
        self.path_ends.clear();
        self.paths.clear();
        self.leaves.clear();
        if self.simulator.tree.is_empty() {
            self.leaves.push(root);
            self.path_ends.push(0);
            return Ok(());
        }
        self.simulator.expect_simulations(most as u64);
        dispatch(Gather { search: self, root, most });
        Ok(())
    }

    /// The leaves of the last [`gather`](Self::gather).
    #[must_use]
    pub fn leaves(&self) -> &[G] {
        &self.leaves
    }

    /// Expands and backs up the gathered leaves with `[leaves]` values and, if the search
    /// has a policy, `[leaves, actions]` logits in row-major order.
    ///
    /// # Errors
    ///
    /// Fails if a buffer does not match the number of leaves or contains an invalid number.
    pub fn apply(&mut self, values: &[Payoffs], logits: &[f32]) -> Result<(), SearchError> {
        check_length("values", self.leaves.len(), values.len())?;
        let width = self.leaves.first().map_or(0, Game::actions);
        if self.simulator.has_policy {
            check_length("logits", self.leaves.len() * width, logits.len())?;
        }
        for value in values {
            check_values(value, self.simulator.players)?;
        }
        let mut first = 0;
        for at in 0..self.leaves.len() {
            let end = self.path_ends[at];
            if self.simulator.has_policy {
                let row = &logits[at * width..(at + 1) * width];
                let edge_ref = (end > first).then(|| self.paths[end - 1]);
                self.simulator.expand_evaluated(&self.leaves[at], edge_ref, &values[at], row)?;
                if edge_ref.is_none() {
                    self.prepare_root();
                    continue;
                }
            }
            self.simulator.backup_pending(&self.paths[first..end], &values[at]);
            first = end;
        }
        self.evaluations += self.leaves.len() as u64;
        self.leaves.clear();
        self.path_ends.clear();
        self.paths.clear();
        Ok(())
    }

    /// Advances the root by `actions`, including chance outcomes, and keeps the subtree
    /// there.
    pub fn advance(&mut self, actions: &[Action]) {
        self.simulator.advance(actions);
        self.has_begun = false;
    }

    /// Advances the root to the state of `view` and keeps its subtree, without knowing the
    /// actions played.
    pub fn follow(&mut self, view: &View<'_, G>) {
        if !view.info().imperfect_information {
            self.simulator.follow(&view.sample(&mut Rng::new(0)));
            self.has_begun = false;
        }
    }

    /// Changes the root options from the next [`begin`](Self::begin) on.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::BadOption`] if an option is out of range.
    pub fn set_root(
        &mut self,
        root: RootPolicy,
        noise: Option<RootNoise>,
    ) -> Result<(), SearchError> {
        let options = MctsOptions { root, noise, ..self.simulator.options };
        options.check()?;
        self.simulator.set_options(&options);
        Ok(())
    }

    /// The simulations of this search so far.
    #[must_use]
    pub fn simulations(&self) -> u64 {
        self.simulator.simulations
    }

    /// Whether the value of the root is proven.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.simulator.is_solved
    }

    /// The nodes in the tree.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.simulator.tree.nodes()
    }
}

pub(crate) fn check_length(
    what: &'static str,
    expected: usize,
    got: usize,
) -> Result<(), SearchError> {
    if got == expected { Ok(()) } else { Err(SearchError::WrongLength { what, expected, got }) }
}

/// Simulations up to their leaves, which are evaluated elsewhere.
struct Gather<'a, G: Game> {
    search: &'a mut BatchedMcts<G>,
    root: G,
    most: usize,
}

impl<G: Game> SimdTask for Gather<'_, G> {
    type Out = ();

    #[inline(always)]
    fn run<K: Kernels>(self) {
        let Self { search, root, most } = self;
        for _ in 0..most {
            if search.is_solved() {
                break;
            }
            let mut state = root;
            let first = search.root_edge();
            match search.simulator.select_leaf::<K>(&mut state, first) {
                Leaf::Exact(values, proves) => search.simulator.backup(values, proves),
                Leaf::Evaluate => {
                    search.simulator.add_virtual_loss();
                    search.paths.extend_from_slice(&search.simulator.path);
                    search.path_ends.push(search.paths.len());
                    search.leaves.push(state);
                }
                Leaf::Pending => {
                    search.simulator.undo_visits();
                    if let (Some(halving), Some(edge)) = (&mut search.halving, first) {
                        halving.undo(edge);
                    }
                    break;
                }
            }
        }
    }
}
