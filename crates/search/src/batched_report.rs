//! The report of a search: visits, values and principal variations.

use meeple_game::{Action, ActionList, Game};

use crate::SearchReport;
use crate::batched::BatchedMcts;
use crate::report::{ActionReport, VARIATIONS};
use crate::tree::{EdgeRef, NO_CHILD, ROOT, SOLVED};

impl<G: Game> BatchedMcts<G> {
    /// The report on the search so far.
    #[must_use]
    pub fn report(&self) -> SearchReport {
        let Some(root) = self.simulator.root else { return SearchReport::default() };
        let tree = &self.simulator.tree;
        let mut report = SearchReport {
            simulations: self.simulator.simulations,
            nodes: tree.nodes(),
            bytes: self.simulator.bytes(),
            depth: self.simulator.max_depth as u32,
            mean_depth: self.simulator.depth_sum as f32 / self.simulator.simulations.max(1) as f32,
            evaluations: self.evaluations,
            ..SearchReport::default()
        };
        if tree.is_empty() {
            return report;
        }
        let mut actions = ActionList::new();
        root.legal_actions(&mut actions);
        let policy = self.halving.as_ref().map(|halving| halving.policy(&tree.node(ROOT)));
        let node = tree.node(ROOT);
        let sum: u64 = node.visits.iter().map(|&visits| u64::from(visits)).sum();
        let edges: Vec<u32> =
            actions.iter().filter_map(|&action| tree.edge_of(ROOT, action)).collect();
        let entry = |&edge: &u32| {
            let at = edge as usize;
            ActionReport {
                action: node.action(at),
                visits: u64::from(node.visits[at]),
                available: sum,
                values: tree.edge_values(EdgeRef { node: ROOT, edge }, self.simulator.players),
                prior: node.prior(at),
                policy: 0.0,
                solved: node.is_solved(at),
            }
        };
        report.actions = edges.iter().map(entry).collect();
        report.finish();
        if let (Some(halving), Some(policy)) = (&self.halving, policy) {
            report.halved = true;
            report.best = node.action(halving.best(&node));
            for (entry, &edge) in report.actions.iter_mut().zip(&edges) {
                entry.policy = policy[edge as usize];
            }
        }
        self.prefer_proven(&mut report);
        report.variations = self.variations(&report);
        report
    }

    /// Corrects the best action by what is proven, regardless of visits: a proven win is
    /// played, a proven loss is not, and a proven draw is played if nothing else looks
    /// better.
    fn prefer_proven(&self, report: &mut SearchReport) {
        let tree = &self.simulator.tree;
        if !self.simulator.options.solve || !tree.is_two_player() {
            return;
        }
        let root = tree.node(ROOT);
        let mover = usize::from(root.mover);
        let edge_of = |entry: &ActionReport| tree.edge_of(ROOT, entry.action);
        let is_at_least_draw = |entry: &ActionReport| {
            let bounds = edge_of(entry).map(|edge| tree.edge_bounds(EdgeRef { node: ROOT, edge }));
            bounds.is_some_and(|bounds| bounds.at_least_draw)
        };
        let is_unproven = |entry: &ActionReport| {
            entry.visits > 0 && edge_of(entry).is_some_and(|edge| !root.is_pruned(edge as usize))
        };
        let Some(value) = tree.proven_value(ROOT) else {
            return report.respect_proofs(mover, is_unproven, is_at_least_draw);
        };
        let best = if value == 0.0 {
            report.most_visited(is_at_least_draw)
        } else {
            report.most_visited(|entry| entry.solved && entry.values[mover] >= value)
        };
        report.best = best.map_or(report.best, |entry| entry.action);
        report.values[mover] = value;
        report.values[1 - mover] = 0.0 - value;
    }

    /// Principal variations: the best action and the most visited others, each continued by
    /// the most visited actions.
    fn variations(&self, report: &SearchReport) -> Vec<Vec<Action>> {
        let first = report.most_visited_actions();
        first.iter().take(VARIATIONS).map(|&action| self.principal_variation(action)).collect()
    }

    fn principal_variation(&self, first: Action) -> Vec<Action> {
        let tree = &self.simulator.tree;
        let mut line = vec![first];
        let mut at = ROOT;
        let mut edge = tree.edge_of(ROOT, first);
        while let Some(taken) = edge {
            at = tree.child(EdgeRef { node: at, edge: taken }) & !SOLVED;
            if at == NO_CHILD {
                break;
            }
            let node = tree.node(at);
            let most = (0..node.edge_count).reduce(|best, edge| {
                if node.visits[edge] > node.visits[best] { edge } else { best }
            });
            edge = most.filter(|&edge| node.visits[edge] > 0).map(|edge| edge as u32);
            line.extend(edge.map(|edge| node.action(edge as usize)));
        }
        line
    }
}
