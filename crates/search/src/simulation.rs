//! One MCTS simulation on the tree: selection, expansion and backup. Evaluation is left to
//! the caller, so that leaves can be batched.
//!
//! The selection rules are UCT (Kocsis and Szepesvári, 2006) and PUCT (Silver and others,
//! 2018). Proven values propagate as in MCTS-Solver (Winands, Björnsson and Saito, 2008).
//! Virtual losses separate the leaves of a batch (Chaslot, Winands and van den Herik,
//! 2008).

use std::sync::Arc;

use meeple_game::{Action, ActionList, Game, OutcomeList, Payoffs, Rng, Turn};

use crate::SearchError;
use crate::evaluate::play_to_decision;
use crate::gumbel::select_interior;
use crate::options::{GumbelOptions, MctsOptions};
use crate::ordering::{MoveOrdering, normalize, softmax};
use crate::select::Selector;
use crate::simd::{Kernels, Scalar};
use crate::tree::{CHANCE, EdgeRef, NO_CHILD, NewNode, Node, ROOT, SOLVED, TERMINAL, Tree};

/// The leaf at the end of a selection.
pub(crate) enum Leaf {
    /// Exact payoffs; `true` if they were found just now, so that a proof may propagate.
    Exact(Payoffs, bool),
    /// A state to evaluate.
    Evaluate,
    /// A state whose evaluation is in flight: the simulation is discarded.
    Pending,
}

/// A tree with the state and buffers needed to simulate on it.
pub(crate) struct Simulator<G: Game> {
    pub(crate) tree: Tree,
    pub(crate) rng: Rng,
    pub(crate) root: Option<G>,
    pub(crate) path: Vec<EdgeRef>,
    pub(crate) options: MctsOptions,
    pub(crate) ordering: Option<Arc<dyn MoveOrdering<G>>>,
    pub(crate) updates_ordering: bool,
    selector: Selector,
    /// The improved policy of interior nodes, below a Gumbel root.
    interior: Option<GumbelOptions>,
    /// Whether selection involves more than the selection rule.
    has_special_selection: bool,
    /// Whether leaves are evaluated with priors. A state is then expanded when it is
    /// evaluated, at its first visit; otherwise at its second.
    pub(crate) has_policy: bool,
    /// Whether forced moves are played before a leaf is evaluated; rollouts play them
    /// anyway.
    pub(crate) skips_forced: bool,
    pub(crate) players: usize,
    pub(crate) is_solved: bool,
    pub(crate) simulations: u64,
    pub(crate) depth_sum: u64,
    pub(crate) max_depth: usize,
    actions: ActionList,
    outcomes: OutcomeList,
    chance_actions: Vec<Action>,
    priors: Vec<f32>,
    ranked: Vec<(Action, f32)>,
}

impl<G: Game> Simulator<G> {
    pub(crate) fn new(options: &MctsOptions, ordering: Option<Arc<dyn MoveOrdering<G>>>) -> Self {
        let selector = Selector::new(options);
        Self {
            tree: Tree::new(options.memory - selector.max_bytes()),
            rng: Rng::new(0),
            root: None,
            path: Vec::new(),
            options: *options,
            updates_ordering: ordering.as_ref().is_some_and(|ordering| ordering.needs_updates()),
            ordering,
            selector,
            interior: options.root.below(),
            has_special_selection: options.root.below().is_some() || options.widening.is_some(),
            has_policy: false,
            skips_forced: true,
            players: 2,
            is_solved: false,
            simulations: 0,
            depth_sum: 0,
            max_depth: 0,
            actions: ActionList::new(),
            outcomes: OutcomeList::new(),
            chance_actions: Vec::new(),
            priors: Vec::new(),
            ranked: Vec::new(),
        }
    }

    /// Replaces the options except for the memory limit.
    pub(crate) fn set_options(&mut self, options: &MctsOptions) {
        self.options = *options;
        self.interior = options.root.below();
        self.has_special_selection = self.interior.is_some() || options.widening.is_some();
    }

    /// Starts a search of `root`; keeps the tree if `root` is its root.
    pub(crate) fn start(&mut self, root: &G) {
        if self.root != Some(*root) || self.tree.is_empty() {
            self.root = Some(*root);
            self.players = root.players();
            self.tree.clear(self.players);
        }
        // A reused tree may be proven already.
        let is_kept = self.options.solve && self.players == 2 && !self.tree.is_empty();
        self.is_solved = is_kept && self.tree.proven_value(ROOT).is_some();
        self.simulations = 0;
        self.depth_sum = 0;
        self.max_depth = 0;
    }

    /// Bytes of the tree and of the precomputed exploration weights.
    pub(crate) fn bytes(&self) -> u64 {
        self.tree.bytes() + self.selector.bytes() as u64
    }

    /// Precomputes the exploration weights for `count` more simulations.
    pub(crate) fn expect_simulations(&mut self, count: u64) {
        if !self.tree.is_empty() {
            self.selector.precompute(u64::from(self.tree.node(ROOT).total_visits) + count);
        }
    }

    /// Selects from the root to a leaf, starting with the edge `first` if there is one.
    /// `state` is the root on entry and the leaf on return.
    ///
    /// States are not stored in the tree: replaying the actions from the root is cheaper
    /// than loading large states from memory.
    #[inline(always)]
    pub(crate) fn select_leaf<K: Kernels>(&mut self, state: &mut G, first: Option<u32>) -> Leaf {
        self.path.clear();
        let mut at = ROOT;
        let mut first = first;
        loop {
            // Nodes count their visits on the way down and edges on the way up, so that a
            // discarded simulation has only the former to undo.
            self.tree.add_visit(at);
            let node = self.tree.node(at);
            let edge = if node.mover == CHANCE {
                // A scan: outcomes are few and side by side in memory.
                let outcome = state.sample_chance(&mut self.rng).0;
                let edges = node.edges[..node.edge_count].iter();
                edges.take_while(|&&edge| edge as u16 != outcome).count()
            } else if let Some(edge) = first.take() {
                edge as usize
            } else if node.edge_count == 1 {
                0
            } else {
                self.select_edge::<K>(at)
            };
            let (child, visits) = (node.children[edge], node.visits[edge]);
            // The child is on its way from memory while the state is updated.
            self.tree.prefetch(child);
            let action = node.action(edge);
            let edge_ref = EdgeRef { node: at, edge: edge as u32 };
            self.path.push(edge_ref);
            // A proven value is exact: nothing below can change it, and the state is not needed.
            if child & SOLVED != 0 {
                return Leaf::Exact(self.tree.edge_values(edge_ref, self.players), false);
            }
            state.apply(action);
            if child != NO_CHILD {
                at = child;
                continue;
            }
            if let Some(leaf) = self.leaf_at(state, edge_ref, visits) {
                return leaf;
            }
            match self.expand(state, edge_ref, visits) {
                Some(node) => at = node,
                // The tree is full: the state is evaluated at every visit.
                None => return self.play_to_decision(state),
            }
        }
    }

    #[inline(always)]
    fn select_edge<K: Kernels>(&self, at: u32) -> usize {
        if self.has_special_selection {
            return self.select_special(at);
        }
        let node = self.tree.node(at);
        self.select_by_rule::<K>(&node, node.edge_count)
    }

    /// The best of the first `limit` edges by the selection rule.
    #[inline(always)]
    fn select_by_rule<K: Kernels>(&self, node: &Node<'_>, limit: usize) -> usize {
        let (visits, values, edges) = (node.visits, node.values, node.edges);
        self.selector.select::<K>(visits, values, edges, limit, node.total_visits, || node.mean())
    }

    /// Selects by the improved policy or under progressive widening. Not inlined: the hot
    /// loop is faster without this code.
    #[inline(never)]
    fn select_special(&self, at: u32) -> usize {
        let node = self.tree.node(at);
        let select = |limit| match &self.interior {
            Some(gumbel) => select_interior(gumbel, &node, limit),
            None => self.select_by_rule::<Scalar>(&node, limit),
        };
        let Some(widening) = self.options.widening else { return select(node.edge_count) };
        let wide = widening.factor * (node.total_visits as f32).powf(widening.exponent);
        let limit = (wide.ceil() as usize).max(2).min(node.edge_count);
        let edge = select(limit);
        if node.is_pruned(edge) && limit < node.edge_count { select(node.edge_count) } else { edge }
    }

    /// Handles a state without a node: returns a leaf, or `None` if the state is to be
    /// expanded.
    #[inline(always)]
    fn leaf_at(&mut self, state: &mut G, edge_ref: EdgeRef, visits: u32) -> Option<Leaf> {
        if visits > 0 {
            // With priors, a visited state without a node is in evaluation.
            let waits = self.has_policy && matches!(state.turn(), Turn::Player(_));
            return waits.then_some(Leaf::Pending);
        }
        match state.turn() {
            Turn::Over => {
                // Later visits see the mark and take the value from the edge.
                self.tree.set_child(edge_ref, TERMINAL);
                let proves = self.options.solve && self.tree.is_two_player();
                Some(Leaf::Exact(state.payoffs(), proves))
            }
            // Networks evaluate decisions only: chance nodes get a node at once.
            Turn::Chance if self.has_policy => None,
            Turn::Player(_) if self.has_policy => {
                state.legal_actions(&mut self.actions);
                (self.actions.len() > 1).then_some(Leaf::Evaluate)
            }
            _ => Some(self.play_to_decision(state)),
        }
    }

    /// Plays chance events and forced moves up to a state that can be evaluated.
    #[inline(always)]
    fn play_to_decision(&mut self, state: &mut G) -> Leaf {
        match play_to_decision(state, self.skips_forced, &mut self.rng, &mut self.actions) {
            Some(payoffs) => Leaf::Exact(payoffs, false),
            None => Leaf::Evaluate,
        }
    }

    /// Adds a node for `state` below `edge_ref`; `None` if the tree is full.
    #[inline(always)]
    fn expand(&mut self, state: &G, edge_ref: EdgeRef, visits: u32) -> Option<u32> {
        let node = match state.turn() {
            Turn::Player(player) => {
                state.legal_actions(&mut self.actions);
                self.compute_priors(state);
                // The visits before this one evaluated the state without a node, which starts
                // with their number and mean.
                let mean = self.tree.edge_values(edge_ref, self.players)[player.index()];
                let value = if visits > 0 { mean } else { 0.0 };
                let (actions, priors) = (&self.actions, &self.priors);
                self.tree.add(&NewNode { mover: player.0, actions, priors, visits, value })?
            }
            Turn::Chance | Turn::Over => self.expand_chance(state, visits)?,
        };
        self.tree.set_child(edge_ref, node);
        Some(node)
    }

    fn expand_chance(&mut self, state: &G, visits: u32) -> Option<u32> {
        state.chance_outcomes(&mut self.outcomes);
        self.chance_actions.clear();
        self.chance_actions.extend(self.outcomes.iter().map(|outcome| outcome.action));
        let actions = &self.chance_actions;
        self.tree.add(&NewNode { mover: CHANCE, actions, priors: &[], visits, value: 0.0 })
    }

    /// Computes priors of the legal actions with the move ordering, if there is one.
    #[inline(always)]
    fn compute_priors(&mut self, state: &G) {
        self.priors.clear();
        if let Some(ordering) = &self.ordering {
            self.priors.resize(self.actions.len(), 0.0);
            ordering.weights(state, self.path.len(), &self.actions, &mut self.priors);
            normalize(&mut self.priors);
            self.order_by_prior();
        }
    }

    /// Orders actions by descending prior, since progressive widening considers a prefix.
    fn order_by_prior(&mut self) {
        if self.options.widening.is_none() {
            return;
        }
        self.ranked.clear();
        self.ranked.extend(self.actions.iter().copied().zip(self.priors.iter().copied()));
        sort_by_prior(&mut self.ranked);
        self.actions.clear();
        self.actions.extend(self.ranked.iter().map(|pair| pair.0));
        self.priors.clear();
        self.priors.extend(self.ranked.iter().map(|pair| pair.1));
    }

    /// Adds a node for an evaluated state, with priors from `logits`, one per action id.
    pub(crate) fn expand_evaluated(
        &mut self,
        state: &G,
        edge_ref: Option<EdgeRef>,
        values: &Payoffs,
        logits: &[f32],
    ) -> Result<(), SearchError> {
        let Turn::Player(player) = state.turn() else { return Ok(()) };
        state.legal_actions(&mut self.actions);
        self.priors.clear();
        for action in self.actions.iter() {
            let value = logits[action.index()];
            if !value.is_finite() {
                return Err(SearchError::BadLogit { action: action.0, value });
            }
            self.priors.push(value);
        }
        softmax(&mut self.priors);
        self.order_by_prior();
        let (actions, priors) = (&self.actions, &self.priors);
        let value = values[player.index()];
        let new_node = NewNode { mover: player.0, actions, priors, visits: 1, value };
        let added = self.tree.add(&new_node);
        if let (Some(node), Some(edge_ref)) = (added, edge_ref) {
            self.tree.set_child(edge_ref, node);
        }
        Ok(())
    }

    /// Adds the root node, with priors from the move ordering.
    pub(crate) fn expand_root(&mut self) {
        let Some(root) = self.root else { return };
        let Turn::Player(player) = root.turn() else { return };
        root.legal_actions(&mut self.actions);
        self.path.clear();
        self.compute_priors(&root);
        let (actions, priors) = (&self.actions, &self.priors);
        let new_node = NewNode { mover: player.0, actions, priors, visits: 0, value: 0.0 };
        self.tree.add(&new_node).expect("the minimum memory limit fits the widest root");
    }
}

/// Sorts by descending prior. Ties are broken by id: a stable sort would allocate.
fn sort_by_prior(ranked: &mut [(Action, f32)]) {
    ranked.sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
}

impl<G: Game> std::fmt::Debug for Simulator<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulator").field("options", &self.options).finish_non_exhaustive()
    }
}
