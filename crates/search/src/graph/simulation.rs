//! One simulation on the graph.

use meeple_game::{Game, MAX_ACTIONS, MAX_OUTCOMES, Payoffs, Turn};

use super::storage::{Edge, NO_NODE};
use super::{GraphMcts, REUSE_DIVISOR};
use crate::SearchError;
use crate::evaluate::{Evaluator, check_values};
use crate::ordering::normalize;
use crate::select::LANES;
use crate::simd::{Kernels, SimdTask};

/// The maximum number of edges of a node.
const MAX_EDGES: usize = if MAX_ACTIONS > MAX_OUTCOMES { MAX_ACTIONS } else { MAX_OUTCOMES };

/// Simulations in sequence.
pub(super) struct Simulations<'a, G: Game, E> {
    pub(super) search: &'a mut GraphMcts<G, E>,
    pub(super) count: u64,
}

impl<G: Game, E: Evaluator<G>> SimdTask for Simulations<'_, G, E> {
    type Out = Result<(), SearchError>;

    #[inline(always)]
    fn run<K: Kernels>(self) -> Self::Out {
        (0..self.count).try_for_each(|_| self.search.simulate::<K>())
    }
}

impl<G: Game, E: Evaluator<G>> GraphMcts<G, E> {
    /// Whether one more node, or the edges of one, might exceed the memory.
    fn is_out_of_memory(&self) -> bool {
        let (nodes, edges) = (self.graph.nodes.len() + 1, self.graph.edges.len() + MAX_EDGES);
        let bytes = self.graph.bytes_of(nodes, edges) + self.selector.max_bytes();
        bytes > self.options.search.memory
    }

    fn is_full(&self) -> bool {
        self.graph.nodes.len() >= self.options.capacity || self.is_out_of_memory()
    }

    /// The node of `state` in the transposition table.
    fn find(&mut self, state: &G) -> Option<u32> {
        if !self.options.share {
            return None;
        }
        self.table.lookups += 1;
        let found = self.graph.find(state.key());
        self.table.hits += u64::from(found.is_some());
        found
    }

    /// Adds a node for `state` and evaluates it.
    #[inline(always)]
    pub(super) fn add(&mut self, state: &G) -> Result<u32, SearchError> {
        let own_value = self.evaluate(state)?;
        Ok(self.graph.add(state.key(), state.turn(), self.path.len(), &own_value))
    }

    /// Lists the edges of a node, which was first reached at `depth`.
    #[inline(always)]
    pub(super) fn list_edges(&mut self, at: u32, state: &G, depth: usize) {
        match state.turn() {
            Turn::Player(_) => {
                state.legal_actions(&mut self.actions);
                self.priors.clear();
                self.priors.resize(self.actions.len(), 1.0);
                if let Some(ordering) = &self.ordering {
                    ordering.weights(state, depth, &self.actions, &mut self.priors);
                }
                normalize(&mut self.priors);
                let edges = self.actions.iter().zip(&self.priors);
                self.graph.set_edges(at, edges.map(|(&action, &prior)| Edge::new(action, prior)));
            }
            Turn::Chance => {
                state.chance_outcomes(&mut self.outcomes);
                let outcomes = self.outcomes.iter();
                self.graph.set_edges(at, outcomes.map(|outcome| Edge::new(outcome.action, 0.0)));
            }
            Turn::Over => {}
        }
    }

    /// Evaluates `state`, or the next decision if it is a chance node.
    #[inline(always)]
    fn evaluate(&mut self, state: &G) -> Result<Payoffs, SearchError> {
        let mut state = *state;
        while state.turn() == Turn::Chance {
            state.apply(state.sample_chance(&mut self.rng));
        }
        if state.turn() == Turn::Over {
            return Ok(state.payoffs());
        }
        let values = self.evaluator.evaluate_in_place(&mut state, &mut self.rng);
        check_values(&values, self.players)?;
        self.evaluations += 1;
        Ok(values)
    }

    #[inline(always)]
    fn simulate<K: Kernels>(&mut self) -> Result<(), SearchError> {
        let Some(mut state) = self.root else { return Err(SearchError::NotBegun) };
        self.simulations += 1;
        self.path.clear();
        let mut at = 0u32;
        loop {
            let simulation = self.simulations as u32;
            self.graph.nodes[at as usize].last_simulation = simulation;
            let node = self.graph.nodes[at as usize];
            if let Some(depth) = node.unlisted_depth() {
                if self.is_out_of_memory() {
                    let values = self.evaluate(&state)?;
                    self.graph.add_evaluation(at, &values);
                    self.graph.update_value(at);
                    break;
                }
                self.list_edges(at, &state, depth);
            }
            let edge = match node.turn {
                Turn::Over => break,
                Turn::Chance => self.sample_edge(at, &state),
                Turn::Player(mover) => self.select_edge::<K>(at, mover.index()),
            };
            self.path.push((at, edge));
            let taken = &mut self.graph.edges[edge as usize];
            state.apply(taken.action());
            taken.visits += 1;
            let child = taken.child;
            if child == NO_NODE {
                let found = self.find(&state);
                if found.is_none() && self.is_full() {
                    let values = self.evaluate(&state)?;
                    self.graph.add_evaluation(at, &values);
                    break;
                }
                // A transposition is only linked: its value already counts through the new
                // edge.
                let child = match found {
                    Some(child) => child,
                    None => self.add(&state)?,
                };
                self.graph.edges[edge as usize].child = child;
                break;
            }
            // The state repeats within this simulation: continuing would cycle.
            if self.graph.nodes[child as usize].last_simulation == simulation {
                break;
            }
            at = child;
        }
        self.depth_sum += self.path.len() as u64;
        self.max_depth = self.max_depth.max(self.path.len());
        for &(at, _) in self.path.iter().rev() {
            self.graph.update_value(at);
        }
        Ok(())
    }

    fn sample_edge(&mut self, at: u32, state: &G) -> u32 {
        let drawn = state.sample_chance(&mut self.rng);
        let mut edges = self.graph.nodes[at as usize].edges();
        let first = edges.start;
        let found = edges.find(|&edge| self.graph.edges[edge].action() == drawn);
        found.unwrap_or(first) as u32
    }

    #[inline(always)]
    fn select_edge<K: Kernels>(&mut self, at: u32, mover: usize) -> u32 {
        let listed = self.graph.nodes[at as usize].edges();
        let (first, count) = (listed.start, listed.len());
        self.visits.clear();
        self.values.clear();
        self.words.clear();
        for edge in &self.graph.edges[listed] {
            let known = edge.child != NO_NODE;
            let value = if known { self.graph.value(edge.child, mover) } else { 0.0 };
            self.visits.push(edge.visits);
            self.values.push((edge.visits as f32 * value).to_bits());
            self.words.push(edge.word);
        }
        let padded = count.next_multiple_of(LANES);
        self.visits.resize(padded, 0);
        self.values.resize(padded, 0);
        self.words.resize(padded, 0);
        let total = 1 + self.visits.iter().sum::<u32>();
        let value = || self.graph.value(at, mover);
        let (visits, values, words) = (&self.visits, &self.values, &self.words);
        let best = self.selector.select::<K>(visits, values, words, count, total, value);
        (first + best) as u32
    }

    /// Keeps what is reachable from `root`, up to the reuse limit, and removes the rest.
    pub(super) fn collect_garbage(&mut self, root: u32) {
        let most = (self.options.capacity / REUSE_DIVISOR).max(1);
        let max_bytes = self.options.search.memory / REUSE_DIVISOR;
        self.table.evicted += self.graph.collect_garbage(root, most, max_bytes) as u64;
    }
}
