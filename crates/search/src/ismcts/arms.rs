//! Information sets as the improved policy sees them.

use meeple_game::Action;

use super::nodes::{Entry, Nodes};
use crate::gumbel::Arms;

impl Nodes {
    /// All entries of a block.
    pub(super) fn arms(&self, at: u32) -> Entries<'_> {
        Entries { nodes: self, at }
    }

    /// The entries of the actions that one world allows.
    pub(super) fn listed<'a>(&'a self, at: u32, actions: &'a [Action]) -> Listed<'a> {
        Listed { all: self.arms(at), actions }
    }
}

fn mean_of(entry: Entry) -> f32 {
    entry.value / entry.visits.max(1) as f32
}

/// All entries of one block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entries<'a> {
    nodes: &'a Nodes,
    at: u32,
}

impl Arms for Entries<'_> {
    fn count(&self) -> usize {
        self.nodes.count(self.at)
    }

    fn prior(&self, edge: usize) -> f32 {
        self.nodes.prior(self.at, edge).unwrap_or(1.0 / self.count() as f32)
    }

    fn visits(&self, edge: usize) -> u32 {
        self.nodes.entry(self.at, edge).visits
    }

    fn edge_mean(&self, edge: usize) -> f32 {
        mean_of(self.nodes.entry(self.at, edge))
    }

    fn raw_value(&self) -> Option<f32> {
        None
    }
}

/// The entries of some actions of one block; each has one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listed<'a> {
    all: Entries<'a>,
    actions: &'a [Action],
}

impl Listed<'_> {
    fn rank(&self, edge: usize) -> usize {
        self.all.nodes.rank(self.all.at, self.actions[edge]).0
    }
}

impl Arms for Listed<'_> {
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
