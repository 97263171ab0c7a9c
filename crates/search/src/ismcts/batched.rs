//! The information-set tree, and the start of a search.

use std::sync::Arc;

use meeple_game::{ActionList, Game, MAX_PLAYERS, Payoffs, Player, Rng, Turn, View};

use super::batch::LeafBatch;
use super::determinization::DeterminizationCache;
use super::nodes::{NO_NODE, NodeStore};
use super::simulation::PathEdge;
use super::{FirstPlay, IsMctsOptions, Observer, key_of};
use crate::SearchError;
use crate::budget::Budget;
use crate::gumbel::SequentialHalving;
use crate::noise::dirichlet;
use crate::options::{RootNoise, RootPolicy, Selection};
use crate::ordering::{MoveOrdering, normalize, softmax};

/// The root of a search.
#[derive(Debug)]
pub(super) struct Root<G> {
    pub(super) node: u32,
    key: Option<u64>,
    pub(super) halving: Option<SequentialHalving>,
    /// Values of the root actions for all seats in this search, by rank.
    pub(super) stats: Vec<RootStats>,
    /// Whether every root action has been visited.
    pub(super) is_fully_visited: bool,
    /// A determinization of the root that is to be evaluated for its priors.
    pub(super) pending: Option<G>,
}

impl<G> Default for Root<G> {
    fn default() -> Self {
        Self {
            node: NO_NODE,
            key: None,
            halving: None,
            stats: Vec::new(),
            is_fully_visited: false,
            pending: None,
        }
    }
}

/// The legal actions of the current decision, with the buffers for selection.
#[derive(Debug, Default)]
pub(super) struct LegalActions {
    pub(super) actions: ActionList,
    /// The ranks of their edges, once looked up.
    pub(super) ranks: Vec<u16>,
    pub(super) priors: Vec<f32>,
}

/// The statistics of the simulations of one search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SimulationCounts {
    pub(super) simulations: u64,
    /// The sum of the path lengths.
    pub(super) depth_sum: u64,
    pub(super) max_depth: usize,
    pub(super) evaluations: u64,
}

impl SimulationCounts {
    /// Counts a simulation with a path of this length.
    #[inline(always)]
    pub(super) fn add_simulation(&mut self, depth: usize) {
        self.simulations += 1;
        self.depth_sum += depth as u64;
        self.max_depth = self.max_depth.max(depth);
    }
}

/// The values of a root action for all seats in one search; edges only store the mover's.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RootStats {
    pub(super) visits: u32,
    pub(super) sums: [f64; MAX_PLAYERS],
}

impl RootStats {
    pub(super) fn add(&mut self, values: &Payoffs) {
        self.visits += 1;
        self.sums.iter_mut().zip(values).for_each(|(sum, &value)| *sum += f64::from(value));
    }
}

/// An ISMCTS tree whose leaves are evaluated by the caller, so that one network call serves
/// many trees: the counterpart of [`BatchedMcts`] for hidden information.
///
/// Every leaf has its own determinization, sampled from the [`View`] passed to
/// [`gather`](Self::gather), so the search knows no more than the seat. Two leaves may be
/// determinizations of the same information set: they are two samples of its value.
///
/// ```
/// use meeple_game::{Action, Game, Player, View};
/// use meeple_games::small::Kuhn;
/// use meeple_search::{Budget, BatchedIsMcts, IsMctsOptions};
///
/// let mut game = Kuhn::new(&Default::default());
/// [0, 2].into_iter().for_each(|action| game.apply(Action(action)));
/// let view = View::new(&game, Player(0));
/// let mut search = BatchedIsMcts::new(&IsMctsOptions::puct(), true, None)?;
/// search.begin(&view, &Budget::simulations(64), 1)?;
/// while search.simulations() < 64 {
///     search.gather(&view, 8)?;
///     let leaves = search.leaves().len();
///     // A network would look at `search.leaves()` here.
///     let values = vec![[0.0; 6]; leaves];
///     search.apply(&values, &vec![0.0; leaves * game.actions()])?;
/// }
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
///
/// [`BatchedMcts`]: crate::BatchedMcts
pub struct BatchedIsMcts<G: Game> {
    pub(super) options: IsMctsOptions,
    pub(super) ordering: Option<Arc<dyn MoveOrdering<G>>>,
    /// Whether the move ordering needs updates.
    pub(super) updates_ordering: bool,
    /// Whether leaves are evaluated with logits.
    pub(super) has_policy: bool,
    /// The exploration constant, if plain UCT is the only selection rule.
    pub(super) plain_uct: Option<f32>,
    /// The searching player.
    pub(super) seat: Player,
    pub(super) players: usize,
    pub(super) rng: Rng,
    pub(super) nodes: NodeStore,
    pub(super) root: Root<G>,
    /// The path of the current simulation.
    pub(super) path: Vec<PathEdge>,
    pub(super) legal: LegalActions,
    pub(super) cache: DeterminizationCache<G>,
    /// The logits of one state, one per action id.
    pub(super) logits: Vec<f32>,
    pub(super) batch: LeafBatch<G>,
    pub(super) counts: SimulationCounts,
    /// Whether the next search reuses the tree.
    pub(super) reuse_next: bool,
    pub(super) has_begun: bool,
}

impl<G: Game> std::fmt::Debug for BatchedIsMcts<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BatchedIsMcts").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<G: Game> BatchedIsMcts<G> {
    /// Creates a search. `has_policy` states whether leaves are evaluated with logits; if
    /// not, `ordering` provides the priors.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::BadOption`] if an option is out of range.
    pub fn new(
        options: &IsMctsOptions,
        has_policy: bool,
        ordering: Option<Arc<dyn MoveOrdering<G>>>,
    ) -> Result<Self, SearchError> {
        options.check()?;
        Ok(Self {
            options: *options,
            updates_ordering: ordering.as_ref().is_some_and(|ordering| ordering.needs_updates()),
            has_policy,
            plain_uct: plain_uct(options),
            seat: Player(0),
            players: 2,
            rng: Rng::new(0),
            nodes: NodeStore::new(options.memory, has_policy || ordering.is_some()),
            root: Root::default(),
            path: Vec::new(),
            legal: LegalActions::default(),
            cache: DeterminizationCache::default(),
            logits: Vec::new(),
            batch: LeafBatch::default(),
            counts: SimulationCounts::default(),
            reuse_next: false,
            has_begun: false,
            ordering,
        })
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
        let options = IsMctsOptions { root, noise, ..self.options };
        options.check()?;
        self.options = options;
        self.plain_uct = plain_uct(&options);
        Ok(())
    }

    /// Starts a search of the information set of `view`.
    ///
    /// # Errors
    ///
    /// Fails if the budget is empty or the seat is not to move.
    pub fn begin(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
    ) -> Result<(), SearchError> {
        budget.check()?;
        let state = self.sample_root(view, seed)?;
        self.init_root(&state, view.seat(), budget, seed)?;
        if self.is_root_expanded() {
            self.prepare_root();
        } else if self.has_policy {
            self.root.pending = Some(state);
        } else {
            self.compute_priors(&state);
            self.expand_root();
        }
        self.has_begun = true;
        Ok(())
    }

    /// The simulations of this search so far.
    #[must_use]
    pub fn simulations(&self) -> u64 {
        self.counts.simulations
    }

    /// The information sets in the tree.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.len()
    }

    /// Samples a determinization of the root and lists its legal actions.
    pub(super) fn sample_root(&mut self, view: &View<'_, G>, seed: u64) -> Result<G, SearchError> {
        self.rng = Rng::new(seed);
        let state = view.sample(&mut self.rng);
        if state.turn() != Turn::Player(view.seat()) {
            return Err(SearchError::NotToDecide(view.seat()));
        }
        state.legal_actions(&mut self.legal.actions);
        Ok(state)
    }

    /// Makes the information set of `state` the root; keeps the tree if reuse was
    /// requested.
    pub(super) fn init_root(
        &mut self,
        state: &G,
        seat: Player,
        budget: &Budget,
        seed: u64,
    ) -> Result<(), SearchError> {
        self.root.halving =
            SequentialHalving::new(self.options.root, budget, Rng::new(seed).split(2))?;
        self.path.clear();
        self.cache.end();
        self.batch.clear();
        self.root.pending = None;
        self.root.is_fully_visited = false;
        self.counts = SimulationCounts::default();
        let key = key_of(self.options.observer, seat, state, seat);
        // A repeated search of the same root starts with an empty tree.
        let has_moved = seat == self.seat && self.root.key != Some(key);
        let is_kept =
            std::mem::take(&mut self.reuse_next) && has_moved && self.nodes.get(key).is_some();
        self.root.key = Some(key);
        if is_kept {
            self.nodes.retain_recent();
        } else {
            self.nodes.clear(state.actions());
        }
        self.seat = seat;
        self.players = state.players();
        self.logits.resize(if self.has_policy { state.actions() } else { 0 }, 0.0);
        self.root.node = self.nodes.find_or_insert(key, NO_NODE).expect(ROOT_FITS);
        self.root.stats.clear();
        Ok(())
    }

    /// Whether all legal actions have edges at the root.
    pub(super) fn is_root_expanded(&self) -> bool {
        self.legal.actions.iter().all(|&action| self.nodes.has_edge(self.root.node, action))
    }

    /// Adds the edges of the legal actions to the root, with the current priors.
    pub(super) fn expand_root(&mut self) {
        self.root.node = self.expand_all(self.root.node).expect(ROOT_FITS);
        self.prepare_root();
    }

    /// Prepares the expanded root: Dirichlet noise and the first round of sequential
    /// halving.
    pub(super) fn prepare_root(&mut self) {
        let count = self.nodes.edge_count(self.root.node);
        if let Some(noise) = self.options.noise {
            let noises = dirichlet(noise.alpha, count, &mut self.rng);
            for (rank, sample) in noises.into_iter().enumerate() {
                let even = 1.0 / count as f32;
                let prior = self.nodes.prior(self.root.node, rank).unwrap_or(even);
                let mixed = (1.0 - noise.share) * prior + noise.share * sample;
                self.nodes.set_prior(self.root.node, rank, mixed);
            }
        }
        self.root.stats.resize(count, RootStats::default());
        if let Some(halving) = &mut self.root.halving {
            halving.start(&self.nodes.stats(self.root.node));
        }
    }

    /// The lead in visits of the most visited root action; `None` if visits do not decide.
    pub(super) fn visit_lead(&self) -> Option<u64> {
        self.root.halving.is_none().then(|| self.nodes.visit_lead(self.root.node))
    }

    /// Whether the edges of a node are exactly the legal actions. This holds if the
    /// observer of the node knows the legal actions of the mover, and all of them are
    /// expanded at once.
    #[inline(always)]
    pub(super) fn has_all_legal(&self, node: u32, mover: Player) -> bool {
        let knows = mover == self.seat || self.options.observer == Observer::Multiple;
        knows && self.expands_all() && self.nodes.edge_count(node) > 0
    }

    /// Whether all legal actions are expanded before any is selected, as a finite
    /// first-play urgency requires.
    #[inline(always)]
    pub(super) fn expands_all(&self) -> bool {
        !matches!(self.options.first_play, FirstPlay::Infinite)
    }

    /// Computes priors of the legal actions with the move ordering, if there is one.
    pub(super) fn compute_priors(&mut self, state: &G) {
        self.legal.priors.clear();
        if let Some(ordering) = &self.ordering {
            self.legal.priors.resize(self.legal.actions.len(), 0.0);
            ordering.weights(state, self.path.len(), &self.legal.actions, &mut self.legal.priors);
            normalize(&mut self.legal.priors);
        }
    }

    /// Sets the priors of the legal actions from logits, one per action id.
    pub(super) fn set_priors(&mut self, logits: &[f32]) -> Result<(), SearchError> {
        self.legal.priors.clear();
        for action in self.legal.actions.iter() {
            let value = logits[action.index()];
            if !value.is_finite() {
                return Err(SearchError::BadLogit { action: action.0, value });
            }
            self.legal.priors.push(value);
        }
        softmax(&mut self.legal.priors);
        Ok(())
    }
}

/// The exploration constant, if plain UCT is the only selection rule.
fn plain_uct(options: &IsMctsOptions) -> Option<f32> {
    match (options.selection, options.first_play) {
        (Selection::Uct { exploration, bias: 0.0 }, FirstPlay::Infinite)
            if options.root.below().is_none() =>
        {
            Some(exploration)
        }
        _ => None,
    }
}

/// Why the root can always be added.
const ROOT_FITS: &str = "the minimum memory limit fits the widest root";
