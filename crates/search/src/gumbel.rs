//! The improved policy of Gumbel AlphaZero (Danihelka, Guez, Schrittwieser and
//! Silver, 2022): sequential halving at the root, who is visited next and who is
//! best, and what follows from it below.

use meeple_game::Rng;

use crate::SearchError;
use crate::budget::Budget;
use crate::options::{GumbelOptions, RootRule};
use crate::tree::Block;

/// What the improved policy is made from: the edges of a state, of whatever
/// tree.
pub(crate) trait Arms {
    fn count(&self) -> usize;
    fn prior(&self, edge: usize) -> f32;
    fn visits(&self, edge: usize) -> u32;
    /// What an edge has been worth to the one who decides, 0 if never tried.
    fn edge_mean(&self, edge: usize) -> f32;
    /// The evaluator's value of the state itself to the one who decides; nothing
    /// where it was not evaluated, or differs from world to world.
    fn raw_value(&self) -> Option<f32>;
    /// Whether an edge is worth no more looks.
    fn is_closed(&self, _edge: usize) -> bool {
        false
    }
}

impl Arms for Block<'_> {
    fn count(&self) -> usize {
        self.count
    }

    fn prior(&self, edge: usize) -> f32 {
        Block::prior(self, edge)
    }

    fn visits(&self, edge: usize) -> u32 {
        self.visits[edge]
    }

    fn edge_mean(&self, edge: usize) -> f32 {
        Block::edge_mean(self, edge)
    }

    fn raw_value(&self) -> Option<f32> {
        Block::raw_value(self)
    }

    fn is_closed(&self, edge: usize) -> bool {
        Block::is_closed(self, edge)
    }
}

/// The edge among the first `limit` that is furthest behind its share of the
/// visits by the improved policy: how states below the root are searched. Kept
/// out of the loop that calls it, which is quicker without.
#[cold]
#[inline(never)]
pub(crate) fn furthest_behind(options: &GumbelOptions, state: &impl Arms, limit: usize) -> usize {
    let most = (0..limit).map(|edge| state.visits(edge)).max().unwrap_or(0);
    let values = Completed::new(options, state, most);
    let logit = |edge: usize| log_prior(state, edge) + values.of(edge);
    let top = (0..limit).map(logit).fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = (0..limit).map(|edge| (logit(edge) - top).exp()).sum();
    let all: u32 = (0..limit).map(|edge| state.visits(edge)).sum();
    let mut best = (f32::NEG_INFINITY, 0);
    for edge in (0..limit).filter(|&edge| !state.is_closed(edge)) {
        let share = (logit(edge) - top).exp() / sum;
        let behind = share - state.visits(edge) as f32 / (1.0 + all as f32);
        if behind > best.0 {
            best = (behind, edge);
        }
    }
    best.1
}

/// Priors are kept in steps of 1 / 65535, so one that vanished is small.
fn log_prior(state: &impl Arms, edge: usize) -> f32 {
    state.prior(edge).max(1e-6).ln()
}

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
    /// What a root rule does with a budget, once the root is there: nothing if
    /// the root is as any other state.
    ///
    /// # Errors
    ///
    /// When there is no number of iterations to divide.
    pub(crate) fn plan(
        rule: RootRule,
        budget: &Budget,
        rng: Rng,
    ) -> Result<Option<Self>, SearchError> {
        let RootRule::Gumbel(options) = rule else { return Ok(None) };
        let iterations = budget.iterations.ok_or(SearchError::GumbelNeedsIterations)? as usize;
        Ok(Some(Self { options, iterations, rng: Some(rng), ..Self::default() }))
    }

    /// Starts at `root`.
    pub(crate) fn start(&mut self, root: &impl Arms) {
        let Some(mut rng) = self.rng.take() else { return };
        let strength = self.options.noise;
        let gumbel = |rng: &mut Rng| -(-(rng.unit().max(1e-12)).ln()).ln() as f32;
        self.noise = (0..root.count()).map(|_| strength * gumbel(&mut rng)).collect();
        self.logits = (0..root.count()).map(|edge| log_prior(root, edge)).collect();
        self.visits = vec![0; root.count()];
        let considered = self.options.considered.min(root.count()).min(self.iterations);
        self.schedule = schedule(considered.max(1), self.iterations);
        self.next = 0;
    }

    /// The edge that gets the next simulation.
    pub(crate) fn next_edge(&mut self, root: &impl Arms) -> u32 {
        let wanted = self.schedule.get(self.next).copied();
        self.next += 1;
        let edge = self.best_among(root, |visits| Some(visits) == wanted);
        // Nobody has as many when a batch was cut short: take whoever has most.
        let edge = edge.unwrap_or_else(|| self.best(root));
        self.visits[edge] += 1;
        edge as u32
    }

    /// Gives back a simulation that came to nothing.
    pub(crate) fn give_back(&mut self, edge: u32) {
        self.visits[edge as usize] -= 1;
        self.next -= 1;
    }

    /// The survivor so far.
    pub(crate) fn best(&self, root: &impl Arms) -> usize {
        let most = self.visits.iter().copied().max().unwrap_or(0);
        self.best_among(root, |visits| visits == most).unwrap_or(0)
    }

    fn best_among(&self, root: &impl Arms, allowed: impl Fn(u32) -> bool) -> Option<usize> {
        let values = self.completed(root);
        let score = |edge: usize| self.noise[edge] + self.logits[edge] + values.of(edge);
        let edges = (0..self.visits.len()).filter(|&edge| allowed(self.visits[edge]));
        edges.reduce(|best, edge| if score(edge) > score(best) { edge } else { best })
    }

    /// What each edge is worth in units of logits.
    fn completed<'a, A: Arms>(&self, root: &'a A) -> Completed<'a, A> {
        let most = self.visits.iter().copied().max().unwrap_or(0);
        Completed::new(&self.options, root, most)
    }

    /// The improved policy: the target of learning.
    pub(crate) fn policy(&self, root: &impl Arms) -> Vec<f32> {
        let values = self.completed(root);
        let mut policy: Vec<f32> =
            (0..).zip(&self.logits).map(|(edge, logit)| logit + values.of(edge)).collect();
        crate::ordering::softmax(&mut policy);
        policy
    }
}

/// Values of all edges: those never tried count as the mixed value of the paper,
/// which is the raw value of the state and the mean value of the tried edges by
/// their priors, weighted by 1 and the number of visits.
struct Completed<'a, A> {
    state: &'a A,
    untried: f32,
    scale: f32,
}

impl<'a, A: Arms> Completed<'a, A> {
    /// `most` is the largest number of visits of an edge.
    fn new(options: &GumbelOptions, state: &'a A, most: u32) -> Self {
        let tried = (0..state.count()).filter(|&edge| state.visits(edge) > 0);
        let (mut weight, mut sum, mut visits) = (0.0, 0.0, 0.0);
        for edge in tried {
            let prior = state.prior(edge).max(1e-6);
            weight += prior;
            sum += prior * state.edge_mean(edge);
            visits += state.visits(edge) as f32;
        }
        let mean = if weight > 0.0 { sum / weight } else { 0.0 };
        let mixed = |raw: f32| (raw + visits * mean) / (1.0 + visits);
        Self {
            state,
            untried: state.raw_value().map_or(mean, mixed),
            scale: (options.visit_offset + most as f32) * options.value_scale,
        }
    }

    fn of(&self, edge: usize) -> f32 {
        let tried = self.state.visits(edge) > 0;
        let value = if tried { self.state.edge_mean(edge) } else { self.untried };
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

    /// Arms with visits, means and priors by hand, and a raw value.
    struct Hand(Vec<(u32, f32, f32)>, Option<f32>);

    impl Arms for Hand {
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

    /// By hand, after the paper: values from 0 to 1 times 50 + 3, an untried
    /// action at the mixed value.
    #[test]
    fn untried_actions_get_the_mixed_value() {
        let weighted: f32 = (0.5 * 0.1 + 0.25 * 0.3) / 0.75;
        let arms = vec![(3, 0.1, 0.5), (1, 0.3, 0.25), (0, 0.0, 0.25)];
        for (raw, mixed) in [(Some(0.2), (0.2 + 4.0 * weighted) / 5.0), (None, weighted)] {
            let state = Hand(arms.clone(), raw);
            let values = Completed::new(&GumbelOptions::default(), &state, 3);
            for (edge, value) in [(0, 0.1), (1, 0.3), (2, mixed)] {
                let expected = 53.0 * (value + 1.0) / 2.0;
                assert!((values.of(edge) - expected).abs() < 1e-3, "{edge}");
            }
        }
        let state = Hand(arms, Some(0.2));
        // The second is better by 5.3 in logits and worse by 0.7: nearly all
        // visits should be its own.
        assert_eq!(furthest_behind(&GumbelOptions::default(), &state, 3), 1);
        assert_eq!(furthest_behind(&GumbelOptions::default(), &state, 1), 0, "the others wait");
    }
}
