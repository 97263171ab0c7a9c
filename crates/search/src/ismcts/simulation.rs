//! One ISMCTS simulation in one determinization: selection, expansion and backup.

use meeple_game::{Game, Payoffs, Player, Turn};

use super::batched::BatchedIsMcts;
use super::key_of;
use crate::evaluate::play_to_decision;
use crate::simd::{Kernels, Scalar};

/// An edge on the path of a simulation.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathEdge {
    pub(super) node: u32,
    pub(super) rank: u32,
    pub(super) mover: Player,
}

/// A selected action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The current address of the node.
    pub(super) node: u32,
    /// The index of the action among the legal actions.
    pub(super) at: usize,
    /// The rank of its edge.
    pub(super) rank: usize,
}

/// The leaf of a selection with priors.
pub(super) enum Leaf {
    /// A terminal state.
    Terminal(Payoffs),
    /// A decision with actions that no earlier determinization has shown: the state is to
    /// be evaluated, and its legal actions are to be expanded in this node, unless the tree
    /// is full.
    Evaluate(Option<u32>),
}

impl<G: Game> BatchedIsMcts<G> {
    /// Selects from the root until an action is visited for the first time; `state` is a
    /// determinization of the root on entry and the leaf on return.
    #[inline(always)]
    pub(super) fn select_leaf<K: Kernels>(&mut self, state: &mut G) {
        self.path.clear();
        loop {
            let mover = match state.turn() {
                Turn::Player(mover) => mover,
                // Chance events have no nodes: the key of the next information set tells what
                // its observer saw of them.
                Turn::Chance => {
                    state.apply(state.sample_chance(&mut self.rng));
                    continue;
                }
                Turn::Over => return,
            };
            let Some(node) = self.node_of(state, mover) else { return };
            // Legal actions differ between determinizations unless the observer knows them;
            // listing them again is among the most expensive steps of a simulation.
            if self.has_all_legal(node, mover) {
                self.nodes.actions(node, &mut self.legal.actions);
            } else {
                state.legal_actions(&mut self.legal.actions);
            }
            let Some(choice) = self.select_action::<K>(state, node) else { return };
            // A simulation adds at most one action to the tree; the rest is evaluated.
            if !self.apply_choice(state, mover, choice) {
                return;
            }
        }
    }

    /// Applies a selected action; returns whether it was visited before.
    #[inline(always)]
    fn apply_choice(&mut self, state: &mut G, mover: Player, choice: Choice) -> bool {
        let is_tried = self.push_choice(mover, choice);
        state.apply(self.legal.actions[choice.at]);
        is_tried
    }

    /// Appends a selected action to the path; returns whether it was visited before.
    #[inline(always)]
    pub(super) fn push_choice(&mut self, mover: Player, choice: Choice) -> bool {
        let Choice { node, rank, .. } = choice;
        let edge = self.nodes.edge(node, rank);
        self.nodes.prefetch(edge.child);
        self.path.push(PathEdge { node, rank: rank as u32, mover });
        edge.visits > 0
    }

    /// Selects from the root until a decision has legal actions without edges: their priors
    /// and the value of the state are to be evaluated.
    #[inline(never)]
    pub(super) fn select_leaf_with_priors(&mut self, state: &mut G) -> Leaf {
        self.path.clear();
        loop {
            let mover = match state.turn() {
                Turn::Player(mover) => mover,
                Turn::Chance => {
                    state.apply(state.sample_chance(&mut self.rng));
                    continue;
                }
                Turn::Over => return Leaf::Terminal(state.payoffs()),
            };
            let node = self.node_of(state, mover);
            state.legal_actions(&mut self.legal.actions);
            let Some(node) = node else { return self.play_to_decision(state) };
            let is_known =
                self.legal.actions.iter().all(|&action| self.nodes.has_edge(node, action));
            if !is_known && self.legal.actions.len() > 1 {
                return Leaf::Evaluate(Some(node));
            }
            // A forced move needs no evaluation to have a prior.
            if !is_known {
                self.legal.priors.clear();
                self.legal.priors.push(1.0);
            }
            let Some(node) = self.expand_all(node) else { return self.play_to_decision(state) };
            let Some(choice) = self.select_action::<Scalar>(state, node) else {
                return Leaf::Terminal(Payoffs::default());
            };
            self.apply_choice(state, mover, choice);
        }
    }

    /// The tree is full: the state is evaluated at every visit.
    pub(super) fn play_to_decision(&mut self, state: &mut G) -> Leaf {
        play_to_decision(state, true, &mut self.rng, &mut self.legal.actions)
            .map_or(Leaf::Evaluate(None), Leaf::Terminal)
    }

    /// The node of the information set in which `mover` decides.
    #[inline(always)]
    fn node_of(&mut self, state: &G, mover: Player) -> Option<u32> {
        if self.path.is_empty() {
            return Some(self.root.node);
        }
        self.node_with_key(key_of(self.options.observer, self.seat, state, mover))
    }

    /// The node with this key after the last action of the path.
    #[inline(always)]
    pub(super) fn node_with_key(&mut self, key: u64) -> Option<u32> {
        let Some(&last) = self.path.last() else { return Some(self.root.node) };
        let hint = self.nodes.edge(last.node, last.rank as usize).child;
        let node = self.nodes.find_or_insert(key, hint)?;
        // The edge remembers the information set of its last visit as the next hint.
        if node != hint {
            self.nodes.set_child(last.node, last.rank as usize, node);
        }
        Some(node)
    }

    /// Selects one of the legal actions; `None` if the tree is full.
    #[inline(always)]
    pub(super) fn select_action<K: Kernels>(&mut self, state: &G, node: u32) -> Option<Choice> {
        if node == self.root.node && self.root.halving.is_some() {
            return self.select_by_halving();
        }
        let Some(exploration) = self.plain_uct else { return self.select_general(state, node) };
        if let Some(at) = self.sample_untried(node) {
            return self.expand_action(state, node, at);
        }
        if self.legal.actions.len() == 1 {
            return Some(self.only_choice(node));
        }
        Some(self.best_by_uct::<K>(node, exploration))
    }

    /// Like [`select_action`](Self::select_action), by other rules than plain UCT. Not
    /// inlined: the hot loop is faster without this code.
    #[inline(never)]
    fn select_general(&mut self, state: &G, node: u32) -> Option<Choice> {
        if !self.expands_all()
            && let Some(at) = self.sample_untried(node)
        {
            return self.expand_action(state, node, at);
        }
        let node = self.find_or_expand(node, |tree| tree.compute_priors(state))?;
        Some(self.best(node))
    }

    /// Looks up the ranks of the legal actions; computes priors and adds edges if some are
    /// missing. Returns the current address of the node, or `None` if the tree is full.
    #[inline(always)]
    pub(super) fn find_or_expand(
        &mut self,
        node: u32,
        compute_priors: impl FnOnce(&mut Self),
    ) -> Option<u32> {
        if self.find_ranks(node) {
            return Some(node);
        }
        compute_priors(self);
        let node = self.expand_all(node)?;
        self.find_ranks(node);
        Some(node)
    }

    /// Looks up the ranks of the legal actions; returns whether all have edges.
    fn find_ranks(&mut self, node: u32) -> bool {
        self.legal.ranks.clear();
        for &action in self.legal.actions.iter() {
            let (rank, has_entry) = self.nodes.rank(node, action);
            if !has_entry {
                return false;
            }
            self.legal.ranks.push(rank as u16);
        }
        true
    }

    /// The root action that sequential halving selects.
    #[cold]
    #[inline(never)]
    fn select_by_halving(&mut self) -> Option<Choice> {
        let node = self.root.node;
        let rank = self.root.halving.as_mut()?.next_edge(&self.nodes.stats(node)) as usize;
        let action = self.nodes.action(node, rank);
        // The searcher knows the legal actions of the root, so all are available every time.
        (0..self.nodes.edge_count(node)).for_each(|rank| self.nodes.add_availability(node, rank));
        let at = self.legal.actions.iter().position(|&legal| legal == action)?;
        Some(Choice { node, at, rank })
    }

    /// Adds the missing edges of the legal actions, with the current priors. Returns the
    /// current address of the node, or `None` if the tree is full.
    pub(super) fn expand_all(&mut self, node: u32) -> Option<u32> {
        let mut node = node;
        for at in 0..self.legal.actions.len() {
            if !self.nodes.has_edge(node, self.legal.actions[at]) {
                let prior = self.legal.priors.get(at).copied().unwrap_or(0.0);
                node = self.nodes.insert_edge(node, self.legal.actions[at], prior)?;
            }
        }
        Some(node)
    }

    /// Adds an edge for the legal action at `at` if it has none.
    fn expand_action(&mut self, state: &G, node: u32, at: usize) -> Option<Choice> {
        let action = self.legal.actions[at];
        let mut node = node;
        if !self.nodes.has_edge(node, action) {
            self.compute_priors(state);
            let prior = self.legal.priors.get(at).copied().unwrap_or(0.0);
            node = self.nodes.insert_edge(node, action, prior)?;
        }
        Some(Choice { node, at, rank: self.nodes.rank(node, action).0 })
    }

    #[inline(always)]
    pub(super) fn backup(&mut self, values: &Payoffs) {
        self.counts.add_simulation(self.path.len());
        if self.updates_ordering {
            self.update_ordering(values);
        }
        for path_edge in &self.path {
            self.nodes.add_visit(
                path_edge.node,
                path_edge.rank as usize,
                values[path_edge.mover.index()],
            );
        }
        // Edges keep the value for their mover alone; reports show that of every seat.
        if let Some(first) = self.path.first() {
            self.root.stats[first.rank as usize].add(values);
        }
    }

    /// Reports the values of the actions on the path to the move ordering.
    #[cold]
    fn update_ordering(&self, values: &Payoffs) {
        let Some(ordering) = &self.ordering else { return };
        for (depth, path_edge) in self.path.iter().enumerate() {
            let action = self.nodes.action(path_edge.node, path_edge.rank as usize);
            ordering.update(path_edge.mover, depth, action, values[path_edge.mover.index()]);
        }
    }
}
