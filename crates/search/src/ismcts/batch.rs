//! Batched evaluation: gather leaves, evaluate them elsewhere, apply the results.

use meeple_game::{Action, Game, Payoffs, View};

use super::batched::BatchedIsMcts;
use super::simulation::{Leaf, PathEdge};
use crate::SearchError;
use crate::batched::check_length;
use crate::evaluate::check_values;
use crate::simd::Scalar;

/// A leaf whose evaluation is in flight.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingLeaf {
    /// The end of its path within all paths.
    end: usize,
    /// The node to expand, unless the tree is full.
    node: Option<u32>,
}

/// The leaves whose evaluation is in flight.
#[derive(Debug)]
pub(super) struct LeafBatch<G> {
    pub(super) leaves: Vec<G>,
    pending: Vec<PendingLeaf>,
    /// The paths of the leaves, concatenated. Actions identify the edges, since ranks change
    /// when edges are inserted meanwhile.
    paths: Vec<(PathEdge, Action)>,
}

impl<G> Default for LeafBatch<G> {
    fn default() -> Self {
        Self { leaves: Vec::new(), pending: Vec::new(), paths: Vec::new() }
    }
}

impl<G> LeafBatch<G> {
    pub(super) fn clear(&mut self) {
        self.leaves.clear();
        self.pending.clear();
        self.paths.clear();
    }
}

impl<G: Game> BatchedIsMcts<G> {
    /// Selects until `most` leaves are to be evaluated; terminal states are backed up at
    /// once. `view` must be the one passed to [`begin`](Self::begin).
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::NotBegun`] if the search has not begun.
    pub fn gather(&mut self, view: &View<'_, G>, most: usize) -> Result<(), SearchError> {
        if !self.has_begun {
            return Err(SearchError::NotBegun);
        }
        self.batch.clear();
        if let Some(state) = self.root.pending {
            self.batch.leaves.push(state);
            return Ok(());
        }
        for _ in 0..most {
            let mut state = view.sample(&mut self.rng);
            let leaf = if self.has_policy {
                self.select_leaf_with_priors(&mut state)
            } else {
                self.select_leaf::<Scalar>(&mut state);
                self.play_to_decision(&mut state)
            };
            match leaf {
                Leaf::Terminal(values) => self.backup(&values),
                Leaf::Evaluate(node) => self.add_virtual_loss(&state, node),
            }
        }
        Ok(())
    }

    /// The leaves of the last [`gather`](Self::gather).
    #[must_use]
    pub fn leaves(&self) -> &[G] {
        &self.batch.leaves
    }

    /// Expands and backs up the gathered leaves with `[leaves]` values and, if the search
    /// has a policy, `[leaves, actions]` logits in row-major order.
    ///
    /// # Errors
    ///
    /// Fails if a buffer does not match the number of leaves or contains an invalid number.
    pub fn apply(&mut self, values: &[Payoffs], logits: &[f32]) -> Result<(), SearchError> {
        check_length("values", self.batch.leaves.len(), values.len())?;
        let width = self.batch.leaves.first().map_or(0, Game::actions);
        if self.has_policy {
            check_length("logits", self.batch.leaves.len() * width, logits.len())?;
        }
        for value in values {
            check_values(value, self.players)?;
        }
        self.counts.evaluations += self.batch.leaves.len() as u64;
        if let Some(state) = self.root.pending.take_if(|_| self.batch.leaves.len() == 1) {
            state.legal_actions(&mut self.legal.actions);
            self.set_priors(logits)?;
            self.expand_root();
            self.batch.clear();
            return Ok(());
        }
        let mut first = 0;
        for at in 0..self.batch.pending.len() {
            let PendingLeaf { end, node } = self.batch.pending[at];
            if let Some(node) = node.filter(|_| self.has_policy) {
                self.batch.leaves[at].legal_actions(&mut self.legal.actions);
                self.set_priors(&logits[at * width..(at + 1) * width])?;
                let node = self.nodes.resolve(node);
                self.expand_all(node);
            }
            self.backup_pending(first..end, &values[at]);
            first = end;
        }
        self.batch.clear();
        Ok(())
    }

    /// Adds a virtual loss to every edge of the path until its leaf is evaluated.
    fn add_virtual_loss(&mut self, state: &G, node: Option<u32>) {
        for path_edge in &self.path {
            let action = self.nodes.action(path_edge.node, path_edge.rank as usize);
            self.nodes.add_visit(
                path_edge.node,
                path_edge.rank as usize,
                -self.options.virtual_loss,
            );
            self.batch.paths.push((*path_edge, action));
        }
        self.batch.leaves.push(*state);
        self.batch.pending.push(PendingLeaf { end: self.batch.paths.len(), node });
    }

    /// Replaces the virtual losses on `path` by the values of its leaf.
    fn backup_pending(&mut self, path: std::ops::Range<usize>, values: &Payoffs) {
        self.counts.add_simulation(path.len());
        for at in path.clone() {
            let (path_edge, action) = self.batch.paths[at];
            let value = values[path_edge.mover.index()];
            let node = self.nodes.resolve(path_edge.node);
            let (rank, _) = self.nodes.rank(node, action);
            self.nodes.add_value(node, rank, value + self.options.virtual_loss);
            if let Some(ordering) = self.ordering.as_ref().filter(|_| self.updates_ordering) {
                ordering.update(path_edge.mover, at - path.start, action, value);
            }
            if at == path.start {
                self.root.stats[rank].add(values);
            }
        }
    }
}
