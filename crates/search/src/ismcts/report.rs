//! What an information-set search tells about its root.

use meeple_game::{Action, Game};

use super::nodes::NOWHERE;
use super::tree::{InfoTreeSearch, RootSum};
use crate::SearchReport;
use crate::report::ActionReport;

impl<G: Game> InfoTreeSearch<G> {
    /// What has been found out so far.
    #[must_use]
    pub fn report(&self) -> SearchReport {
        let mut report = SearchReport {
            iterations: self.walks,
            nodes: self.nodes.len(),
            bytes: self.nodes.bytes(),
            depth: self.deepest as u32,
            mean_depth: self.steps as f32 / self.walks.max(1) as f32,
            evaluations: self.evaluations,
            ..SearchReport::default()
        };
        if self.root == NOWHERE {
            return report;
        }
        let mut ranks: Vec<usize> = (0..self.nodes.count(self.root)).collect();
        // The order of the game, as far as it was kept: by action id.
        ranks.sort_by_key(|&rank| self.nodes.action(self.root, rank));
        report.actions = ranks.iter().map(|&rank| self.entry_report(rank)).collect();
        report.conclude();
        if let Some(halving) = &self.halving {
            report.halved = true;
            let root = self.nodes.arms(self.root);
            report.best = self.nodes.action(self.root, halving.best(&root));
            let policy = halving.policy(&root);
            for (entry, &rank) in report.actions.iter_mut().zip(&ranks) {
                entry.policy = policy[rank];
            }
        }
        report.variations = self.variations(&report);
        report
    }

    fn entry_report(&self, rank: usize) -> ActionReport {
        let entry = self.nodes.entry(self.root, rank);
        let even = 1.0 / self.nodes.count(self.root) as f32;
        let RootSum { visits, sums } = self.root_sums[rank];
        let mut values = sums.map(|sum| (sum / f64::from(visits.max(1))) as f32);
        // Of searches before this one, only what the mover got is kept.
        values[self.seat.index()] = entry.value / entry.visits.max(1) as f32;
        ActionReport {
            action: self.nodes.action(self.root, rank),
            visits: u64::from(entry.visits),
            available: u64::from(entry.available),
            values,
            prior: self.nodes.prior(self.root, rank).unwrap_or(even),
            policy: 0.0,
            solved: false,
        }
    }

    fn variations(&self, report: &SearchReport) -> Vec<Vec<Action>> {
        let mut ranked: Vec<&ActionReport> =
            report.actions.iter().filter(|entry| entry.visits > 0).collect();
        ranked.sort_by_key(|entry| (entry.action != report.best, std::cmp::Reverse(entry.visits)));
        ranked.iter().take(3).map(|entry| self.line(entry.action)).collect()
    }

    /// What is visited most after `first`, over all worlds.
    fn line(&self, first: Action) -> Vec<Action> {
        let mut line = vec![first];
        let mut child = self.nodes.entry(self.root, self.nodes.rank(self.root, first).0).child;
        while child != NOWHERE {
            let entries = (0..self.nodes.count(child)).map(|rank| self.nodes.entry(child, rank));
            let most =
                entries.enumerate().max_by_key(|(rank, entry)| (entry.visits, usize::MAX - rank));
            let Some((rank, entry)) = most.filter(|(_, entry)| entry.visits > 0) else { break };
            line.push(self.nodes.action(child, rank));
            child = entry.child;
        }
        line
    }
}
