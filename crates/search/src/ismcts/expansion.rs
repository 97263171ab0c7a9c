//! Expansion with an infinite first-play urgency: an unvisited action is sampled before any
//! are compared.

use meeple_game::{Action, Game};

use super::batched::BatchedIsMcts;
use super::nodes::NodeStore;

impl<G: Game> BatchedIsMcts<G> {
    /// Samples one of the legal actions that have never been visited.
    #[inline(always)]
    pub(super) fn sample_untried(&mut self, node: u32) -> Option<usize> {
        // Edges are added when their action is first visited, except at the root and with
        // priors, where all are added at once.
        if node == self.root.node || self.has_policy {
            return self.sample_unvisited(node);
        }
        if self.nodes.has_all_edges(node, &self.legal.actions) {
            return None;
        }
        self.sample_where(|nodes, action| nodes.has_edge(node, action))
    }

    /// Samples one of the legal actions whose edges have no visits.
    #[inline(always)]
    fn sample_unvisited(&mut self, node: u32) -> Option<usize> {
        let is_root = node == self.root.node;
        if is_root && self.root.is_fully_visited {
            return None;
        }
        let drawn = self.sample_where(|nodes, action| {
            let (rank, _) = nodes.rank(node, action);
            nodes.edge(node, rank).visits > 0
        });
        self.root.is_fully_visited |= is_root && drawn.is_none();
        drawn
    }

    fn sample_where(&mut self, is_visited: impl Fn(&NodeStore, Action) -> bool) -> Option<usize> {
        let mut unvisited = 0;
        for &action in self.legal.actions.iter() {
            unvisited += usize::from(!is_visited(&self.nodes, action));
        }
        if unvisited == 0 {
            return None;
        }
        let mut left = self.rng.below(unvisited);
        for (at, &action) in self.legal.actions.iter().enumerate() {
            if !is_visited(&self.nodes, action) {
                if left == 0 {
                    return Some(at);
                }
                left -= 1;
            }
        }
        None
    }
}
