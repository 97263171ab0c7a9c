//! The report of an information-set search.

use meeple_game::{Action, Game};

use super::batched::{BatchedIsMcts, RootStats};
use super::nodes::NO_NODE;
use crate::SearchReport;
use crate::report::{ActionReport, VARIATIONS};

impl<G: Game> BatchedIsMcts<G> {
    /// The report on the search so far.
    #[must_use]
    pub fn report(&self) -> SearchReport {
        let mut report = SearchReport {
            simulations: self.counts.simulations,
            nodes: self.nodes.len(),
            bytes: self.nodes.bytes(),
            depth: self.counts.max_depth as u32,
            mean_depth: self.counts.depth_sum as f32 / self.counts.simulations.max(1) as f32,
            evaluations: self.counts.evaluations,
            ..SearchReport::default()
        };
        if self.root.node == NO_NODE {
            return report;
        }
        // Sorted by action id, as in the order of the game.
        let ranks = self.nodes.ranks_by_action(self.root.node);
        report.actions = ranks.iter().map(|&rank| self.action_report(rank)).collect();
        report.finish();
        if let Some(halving) = &self.root.halving {
            report.halved = true;
            let root = self.nodes.stats(self.root.node);
            report.best = self.nodes.action(self.root.node, halving.best(&root));
            let policy = halving.policy(&root);
            for (entry, &rank) in report.actions.iter_mut().zip(&ranks) {
                entry.policy = policy[rank];
            }
        }
        report.variations = self.variations(&report);
        report
    }

    fn action_report(&self, rank: usize) -> ActionReport {
        let edge = self.nodes.edge(self.root.node, rank);
        let even = 1.0 / self.nodes.edge_count(self.root.node) as f32;
        let RootStats { visits, sums } = self.root.stats[rank];
        let mut values = sums.map(|sum| (sum / f64::from(visits.max(1))) as f32);
        // A reused edge only has the values of the mover.
        values[self.seat.index()] = edge.value / edge.visits.max(1) as f32;
        ActionReport {
            action: self.nodes.action(self.root.node, rank),
            visits: u64::from(edge.visits),
            available: u64::from(edge.available),
            values,
            prior: self.nodes.prior(self.root.node, rank).unwrap_or(even),
            policy: 0.0,
            solved: false,
        }
    }

    fn variations(&self, report: &SearchReport) -> Vec<Vec<Action>> {
        let first = report.most_visited_actions();
        first.iter().take(VARIATIONS).map(|&action| self.principal_variation(action)).collect()
    }

    /// The most visited actions after `first`, over all determinizations.
    fn principal_variation(&self, first: Action) -> Vec<Action> {
        let mut line = vec![first];
        let mut child =
            self.nodes.edge(self.root.node, self.nodes.rank(self.root.node, first).0).child;
        while child != NO_NODE {
            let edges = (0..self.nodes.edge_count(child)).map(|rank| self.nodes.edge(child, rank));
            let most =
                edges.enumerate().max_by_key(|(rank, edge)| (edge.visits, usize::MAX - rank));
            let Some((rank, edge)) = most.filter(|(_, edge)| edge.visits > 0) else { break };
            line.push(self.nodes.action(child, rank));
            child = edge.child;
        }
        line
    }
}
