//! Edge statistics of information sets, for the improved policy of Gumbel search.

use meeple_game::Action;

use super::nodes::{Edge, NodeStore};
use crate::gumbel::EdgeStats;

impl NodeStore {
    /// All edges of a node.
    pub(super) fn stats(&self, at: u32) -> NodeStats<'_> {
        NodeStats { nodes: self, at }
    }

    /// The edges of the actions that are legal in one determinization.
    pub(super) fn legal_stats<'a>(&'a self, at: u32, actions: &'a [Action]) -> LegalStats<'a> {
        LegalStats { all: self.stats(at), actions }
    }
}

fn mean_of(edge: Edge) -> f32 {
    edge.value / edge.visits.max(1) as f32
}

/// All edges of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeStats<'a> {
    nodes: &'a NodeStore,
    at: u32,
}

impl EdgeStats for NodeStats<'_> {
    fn count(&self) -> usize {
        self.nodes.edge_count(self.at)
    }

    fn prior(&self, edge: usize) -> f32 {
        self.nodes.prior(self.at, edge).unwrap_or(1.0 / self.count() as f32)
    }

    fn visits(&self, edge: usize) -> u32 {
        self.nodes.edge(self.at, edge).visits
    }

    fn edge_mean(&self, edge: usize) -> f32 {
        mean_of(self.nodes.edge(self.at, edge))
    }

    fn raw_value(&self) -> Option<f32> {
        None
    }
}

/// The edges of some actions of a node, all of which exist.
#[derive(Clone, Copy, Debug)]
pub(super) struct LegalStats<'a> {
    all: NodeStats<'a>,
    actions: &'a [Action],
}

impl LegalStats<'_> {
    fn rank(&self, edge: usize) -> usize {
        self.all.nodes.rank(self.all.at, self.actions[edge]).0
    }
}

impl EdgeStats for LegalStats<'_> {
    fn count(&self) -> usize {
        self.actions.len()
    }

    fn prior(&self, edge: usize) -> f32 {
        self.all.prior(self.rank(edge))
    }

    fn visits(&self, edge: usize) -> u32 {
        self.all.visits(self.rank(edge))
    }

    fn edge_mean(&self, edge: usize) -> f32 {
        self.all.edge_mean(self.rank(edge))
    }

    fn raw_value(&self) -> Option<f32> {
        self.all.raw_value()
    }
}
