//! Sequential halving at the root: who is visited next, and who is best.

use meeple_game::Rng;

use crate::options::GumbelOptions;
use crate::tree::{Block, ROOT, Tree};

/// The state of sequential halving in one search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Halving {
    options: GumbelOptions,
    iterations: usize,
    /// Where the noise comes from, until it has been drawn.
    rng: Option<Rng>,
    /// Noise and logit of each edge.
    noise: Vec<f32>,
    logits: Vec<f32>,
    /// Visits given by this search.
    visits: Vec<u32>,
    /// For each simulation, the visits of the edges that may get it.
    schedule: Vec<u32>,
    next: usize,
}

impl Halving {
    /// What to do with `iterations`, once the root is there.
    pub(crate) fn plan(options: &GumbelOptions, iterations: u64, rng: Rng) -> Self {
        Self {
            options: *options,
            iterations: iterations as usize,
            rng: Some(rng),
            ..Self::default()
        }
    }

    /// Starts at the root of `tree`.
    pub(crate) fn start(&mut self, tree: &Tree) {
        let block = tree.block(ROOT);
        let Some(mut rng) = self.rng.take() else { return };
        let strength = self.options.noise;
        let gumbel = |rng: &mut Rng| -(-(rng.unit().max(1e-12)).ln()).ln() as f32;
        self.noise = (0..block.count).map(|_| strength * gumbel(&mut rng)).collect();
        // Priors are kept in steps of 1 / 65535, so one that vanished is small.
        self.logits = (0..block.count).map(|edge| block.prior(edge).max(1e-6).ln()).collect();
        self.visits = vec![0; block.count];
        let considered = self.options.considered.min(block.count).min(self.iterations);
        self.schedule = schedule(considered.max(1), self.iterations);
        self.next = 0;
    }

    /// The edge that gets the next simulation.
    pub(crate) fn next_edge(&mut self, tree: &Tree) -> u32 {
        let wanted = self.schedule.get(self.next).copied();
        self.next += 1;
        let edge = self.best_among(tree, |visits| Some(visits) == wanted);
        // Nobody has as many when a batch was cut short: take whoever has most.
        let edge = edge.unwrap_or_else(|| self.best(tree));
        self.visits[edge] += 1;
        edge as u32
    }

    /// Gives back a simulation that came to nothing.
    pub(crate) fn give_back(&mut self, edge: u32) {
        self.visits[edge as usize] -= 1;
        self.next -= 1;
    }

    /// The survivor so far.
    pub(crate) fn best(&self, tree: &Tree) -> usize {
        let most = self.visits.iter().copied().max().unwrap_or(0);
        self.best_among(tree, |visits| visits == most).unwrap_or(0)
    }

    fn best_among(&self, tree: &Tree, allowed: impl Fn(u32) -> bool) -> Option<usize> {
        let values = self.completed(tree);
        let score = |edge: usize| self.noise[edge] + self.logits[edge] + values.of(edge);
        let edges = (0..self.visits.len()).filter(|&edge| allowed(self.visits[edge]));
        edges.reduce(|best, edge| if score(edge) > score(best) { edge } else { best })
    }

    /// What each edge is worth in units of logits.
    fn completed<'a>(&self, tree: &'a Tree) -> Completed<'a> {
        let block = tree.block(ROOT);
        let tried = (0..block.count).filter(|&edge| block.visits[edge] > 0);
        let (mut weight, mut sum, mut visits) = (0.0, 0.0, 0.0);
        for edge in tried {
            weight += block.prior(edge).max(1e-6);
            sum += block.prior(edge).max(1e-6) * block.edge_mean(edge);
            visits += block.visits[edge] as f32;
        }
        let mean = if weight > 0.0 { sum / weight } else { 0.0 };
        let most = self.visits.iter().copied().max().unwrap_or(0) as f32;
        Completed {
            block,
            untried: (block.mean() + visits * mean) / (1.0 + visits),
            scale: (self.options.visit_offset + most) * self.options.value_scale,
        }
    }

    /// The improved policy: the target of learning.
    pub(crate) fn policy(&self, tree: &Tree) -> Vec<f32> {
        let values = self.completed(tree);
        let mut policy: Vec<f32> =
            (0..).zip(&self.logits).map(|(edge, logit)| logit + values.of(edge)).collect();
        crate::ordering::softmax(&mut policy);
        policy
    }
}

/// Values of all edges: those never tried count as the root does, estimated
/// from the others.
struct Completed<'a> {
    block: Block<'a>,
    untried: f32,
    scale: f32,
}

impl Completed<'_> {
    fn of(&self, edge: usize) -> f32 {
        let tried = self.block.visits[edge] > 0;
        let value = if tried { self.block.edge_mean(edge) } else { self.untried };
        // From -1..1 to 0..1, for which the usual constants are made.
        self.scale * (value + 1.0) / 2.0
    }
}

/// For each simulation the visits that its edge must have by then: rounds in
/// which each edge still considered gets as many, and half of them drop out
/// after each.
fn schedule(considered: usize, iterations: usize) -> Vec<u32> {
    let rounds = (considered as f32).log2().ceil().max(1.0) as usize;
    let mut schedule = Vec::with_capacity(iterations);
    let (mut left, mut visits) = (considered, 0);
    while schedule.len() < iterations {
        let extra = (iterations / (rounds * left)).max(1);
        for _ in 0..extra {
            schedule.extend(std::iter::repeat_n(visits, left));
            visits += 1;
        }
        left = if considered == 1 { 1 } else { (left / 2).max(2) };
    }
    schedule.truncate(iterations);
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
}
