//! Gumbel search (Danihelka, Guez, Schrittwieser and Silver, 2022, "Policy improvement by
//! planning with Gumbel"): sequential halving (Karnin, Koren and Somekh, 2013) at the root,
//! and the improved policy at interior nodes. Compared with mctx case by case in
//! `tests/gumbel.rs`.

use meeple_game::Rng;

use crate::SearchError;
use crate::budget::Budget;
use crate::options::{GumbelOptions, RootPolicy};
use crate::tree::Node;

/// The edge statistics of a node, from which the improved policy is computed.
pub(crate) trait EdgeStats {
    fn count(&self) -> usize;
    fn prior(&self, edge: usize) -> f32;
    fn visits(&self, edge: usize) -> u32;
    /// The mean value of an edge for the mover; 0 without visits.
    fn edge_mean(&self, edge: usize) -> f32;
    /// The evaluator's value of the node for the mover; `None` if it was not evaluated or
    /// differs between determinizations.
    fn raw_value(&self) -> Option<f32>;
    /// Whether the search can learn nothing more from an edge.
    fn is_pruned(&self, _edge: usize) -> bool {
        false
    }
}

impl EdgeStats for Node<'_> {
    fn count(&self) -> usize {
        self.edge_count
    }

    fn prior(&self, edge: usize) -> f32 {
        Node::prior(self, edge)
    }

    fn visits(&self, edge: usize) -> u32 {
        self.visits[edge]
    }

    fn edge_mean(&self, edge: usize) -> f32 {
        Node::edge_mean(self, edge)
    }

    fn raw_value(&self) -> Option<f32> {
        Node::raw_value(self)
    }

    fn is_pruned(&self, edge: usize) -> bool {
        Node::is_pruned(self, edge)
    }
}

/// Selects at an interior node: the edge among the first `limit` with the largest deficit
/// of visits relative to the improved policy. Not inlined: the hot loop is faster without
/// this code.
#[cold]
#[inline(never)]
pub(crate) fn select_interior(
    options: &GumbelOptions,
    node: &impl EdgeStats,
    limit: usize,
) -> usize {
    let most = (0..limit).map(|edge| node.visits(edge)).max().unwrap_or(0);
    let values = CompletedQ::new(options, node, most);
    let logit = |edge: usize| log_prior(node, edge) + values.of(edge);
    let top = (0..limit).map(logit).fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = (0..limit).map(|edge| (logit(edge) - top).exp()).sum();
    let all: u32 = (0..limit).map(|edge| node.visits(edge)).sum();
    let mut best = (f32::NEG_INFINITY, 0);
    for edge in (0..limit).filter(|&edge| !node.is_pruned(edge)) {
        let share = (logit(edge) - top).exp() / sum;
        let deficit = share - node.visits(edge) as f32 / (1.0 + all as f32);
        if deficit > best.0 {
            best = (deficit, edge);
        }
    }
    best.1
}

/// The floor is needed because priors are quantized to 1 / 65535, so small ones become 0.
fn log_prior(node: &impl EdgeStats, edge: usize) -> f32 {
    node.prior(edge).max(1e-6).ln()
}

/// Sequential halving at the root of one search.
#[derive(Clone, Debug, Default)]
pub(crate) struct SequentialHalving {
    options: GumbelOptions,
    simulations: usize,
    /// The source of the Gumbel noise, until it is sampled.
    rng: Option<Rng>,
    /// Gumbel noise and prior logit of each edge.
    noise: Vec<f32>,
    logits: Vec<f32>,
    /// The visits of this search, without those of a reused tree.
    visits: Vec<u32>,
    /// For each simulation, the visit count that its edge must have.
    schedule: Vec<u32>,
    next: usize,
}

impl SequentialHalving {
    /// Sequential halving for a root policy and a budget; `None` if the root follows the
    /// in-tree selection rule.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::GumbelNeedsSimulations`] if the budget has no number of
    /// simulations.
    pub(crate) fn new(
        rule: RootPolicy,
        budget: &Budget,
        rng: Rng,
    ) -> Result<Option<Self>, SearchError> {
        let RootPolicy::Gumbel(options) = rule else { return Ok(None) };
        let simulations = budget.simulations.ok_or(SearchError::GumbelNeedsSimulations)? as usize;
        Ok(Some(Self { options, simulations, rng: Some(rng), ..Self::default() }))
    }

    /// Starts at an expanded root.
    pub(crate) fn start(&mut self, root: &impl EdgeStats) {
        let Some(mut rng) = self.rng.take() else { return };
        let strength = self.options.noise;
        let gumbel = |rng: &mut Rng| -(-(rng.unit().max(1e-12)).ln()).ln() as f32;
        self.noise = (0..root.count()).map(|_| strength * gumbel(&mut rng)).collect();
        self.logits = (0..root.count()).map(|edge| log_prior(root, edge)).collect();
        self.visits = vec![0; root.count()];
        let considered = self.options.considered.min(root.count()).min(self.simulations);
        self.schedule = schedule(considered.max(1), self.simulations);
        self.next = 0;
    }

    /// The edge of the next simulation.
    pub(crate) fn next_edge(&mut self, root: &impl EdgeStats) -> u32 {
        let wanted = self.schedule.get(self.next).copied();
        self.next += 1;
        let edge = self.best_among(root, |visits| Some(visits) == wanted);
        // A discarded simulation can leave no edge with the scheduled count: take the best.
        let edge = edge.unwrap_or_else(|| self.best(root));
        self.visits[edge] += 1;
        edge as u32
    }

    /// Undoes a discarded simulation.
    pub(crate) fn undo(&mut self, edge: u32) {
        self.visits[edge as usize] -= 1;
        self.next -= 1;
    }

    /// The survivor so far.
    pub(crate) fn best(&self, root: &impl EdgeStats) -> usize {
        let most = self.visits.iter().copied().max().unwrap_or(0);
        self.best_among(root, |visits| visits == most).unwrap_or(0)
    }

    fn best_among(&self, root: &impl EdgeStats, allowed: impl Fn(u32) -> bool) -> Option<usize> {
        let values = self.completed(root);
        let score = |edge: usize| self.noise[edge] + self.logits[edge] + values.of(edge);
        let edges = (0..self.visits.len()).filter(|&edge| allowed(self.visits[edge]));
        edges.reduce(|best, edge| if score(edge) > score(best) { edge } else { best })
    }

    /// The completed Q-values, scaled to logits.
    fn completed<'a, A: EdgeStats>(&self, root: &'a A) -> CompletedQ<'a, A> {
        let most = self.visits.iter().copied().max().unwrap_or(0);
        CompletedQ::new(&self.options, root, most)
    }

    /// The improved policy: the policy target for learning.
    pub(crate) fn policy(&self, root: &impl EdgeStats) -> Vec<f32> {
        let values = self.completed(root);
        let mut policy: Vec<f32> =
            (0..).zip(&self.logits).map(|(edge, logit)| logit + values.of(edge)).collect();
        crate::ordering::softmax(&mut policy);
        policy
    }
}

/// Completed Q-values. Edges without visits get the mixed value of the paper: the raw value
/// of the node and the prior-weighted mean of the visited edges, weighted by 1 and the
/// number of visits.
struct CompletedQ<'a, A> {
    node: &'a A,
    unvisited: f32,
    scale: f32,
}

impl<'a, A: EdgeStats> CompletedQ<'a, A> {
    /// `most` is the maximum visit count of an edge.
    fn new(options: &GumbelOptions, node: &'a A, most: u32) -> Self {
        let visited = (0..node.count()).filter(|&edge| node.visits(edge) > 0);
        let (mut weight, mut sum, mut visits) = (0.0, 0.0, 0.0);
        for edge in visited {
            let prior = node.prior(edge).max(1e-6);
            weight += prior;
            sum += prior * node.edge_mean(edge);
            visits += node.visits(edge) as f32;
        }
        let mean = if weight > 0.0 { sum / weight } else { 0.0 };
        let mixed = |raw: f32| (raw + visits * mean) / (1.0 + visits);
        Self {
            node,
            unvisited: node.raw_value().map_or(mean, mixed),
            scale: (options.visit_offset + most as f32) * options.value_scale,
        }
    }

    fn of(&self, edge: usize) -> f32 {
        let visited = self.node.visits(edge) > 0;
        let value = if visited { self.node.edge_mean(edge) } else { self.unvisited };
        // The default constants are made for values from 0 to 1.
        self.scale * (value + 1.0) / 2.0
    }
}

/// The visit count that the edge of each simulation must have: in each round every
/// remaining edge gets the same number of visits, and half of them drop out after it.
fn schedule(considered: usize, simulations: usize) -> Vec<u32> {
    let rounds = (considered as f32).log2().ceil().max(1.0) as usize;
    let mut schedule = Vec::with_capacity(simulations);
    let (mut left, mut visits) = (considered, 0);
    while schedule.len() < simulations {
        let extra = (simulations / (rounds * left)).max(1);
        for _ in 0..extra {
            schedule.extend(std::iter::repeat_n(visits, left));
            visits += 1;
        }
        left = if considered == 1 { 1 } else { (left / 2).max(2) };
    }
    schedule.truncate(simulations);
    schedule
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_halve() {
        assert_eq!(schedule(4, 8), [0, 0, 0, 0, 1, 1, 2, 2]);
        assert_eq!(schedule(1, 3), [0, 1, 2]);
        assert_eq!(schedule(8, 4), [0, 0, 0, 0]);
        assert_eq!(schedule(16, 200).len(), 200);
    }

    /// Statistics written by hand: visits, mean and prior of each edge, and a raw value.
    struct Hand(Vec<(u32, f32, f32)>, Option<f32>);

    impl EdgeStats for Hand {
        fn count(&self) -> usize {
            self.0.len()
        }

        fn prior(&self, edge: usize) -> f32 {
            self.0[edge].2
        }

        fn visits(&self, edge: usize) -> u32 {
            self.0[edge].0
        }

        fn edge_mean(&self, edge: usize) -> f32 {
            self.0[edge].1
        }

        fn raw_value(&self) -> Option<f32> {
            self.1
        }
    }

    /// Values of the formulas in the paper: values from 0 to 1 times 50 + 3, and the mixed
    /// value for an edge without visits.
    #[test]
    fn unvisited_actions_get_the_mixed_value() {
        let weighted: f32 = (0.5 * 0.1 + 0.25 * 0.3) / 0.75;
        let arms = vec![(3, 0.1, 0.5), (1, 0.3, 0.25), (0, 0.0, 0.25)];
        for (raw, mixed) in [(Some(0.2), (0.2 + 4.0 * weighted) / 5.0), (None, weighted)] {
            let node = Hand(arms.clone(), raw);
            let values = CompletedQ::new(&GumbelOptions::default(), &node, 3);
            for (edge, value) in [(0, 0.1), (1, 0.3), (2, mixed)] {
                let expected = 53.0 * (value + 1.0) / 2.0;
                assert!((values.of(edge) - expected).abs() < 1e-3, "{edge}");
            }
        }
        let node = Hand(arms, Some(0.2));
        // The second edge is better by 5.3 in logits and worse by 0.7, so it deserves
        // nearly all visits.
        assert_eq!(select_interior(&GumbelOptions::default(), &node, 3), 1);
        assert_eq!(select_interior(&GumbelOptions::default(), &node, 1), 0, "the others wait");
    }
}
