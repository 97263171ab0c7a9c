//! One simulation on the graph, and the garbage collection between moves.

use meeple_game::{Action, Game, MAX_ACTIONS, MAX_OUTCOMES, Payoffs, Turn};
use rustc_hash::FxHashMap;

use super::{Edge, GraphMcts, NO_NODE, Node, REUSE_DIVISOR, bytes_of};
use crate::SearchError;
use crate::evaluate::{Evaluator, check_values};
use crate::ordering::normalize;
use crate::select::LANES;
use crate::simd::Scalar;

/// The maximum number of edges of a node.
const MAX_EDGES: usize = if MAX_ACTIONS > MAX_OUTCOMES { MAX_ACTIONS } else { MAX_OUTCOMES };

impl<G: Game, E: Evaluator<G>> GraphMcts<G, E> {
    fn is_full(&self) -> bool {
        // One more node of maximum size must fit.
        let bytes = bytes_of(self.nodes.len() + 1, self.edges.len() + MAX_EDGES);
        let bytes = bytes + self.selector.max_bytes();
        self.nodes.len() >= self.options.capacity || bytes > self.options.search.memory
    }

    /// The node of `state` in the transposition table.
    fn find(&mut self, state: &G) -> Option<u32> {
        if !self.options.share {
            return None;
        }
        self.table.lookups += 1;
        let found = self.index.get(&state.key()).copied();
        self.table.hits += u64::from(found.is_some());
        found
    }

    /// Adds a node for `state` and evaluates it.
    pub(super) fn add(&mut self, state: &G) -> Result<u32, SearchError> {
        let own_value = self.evaluate(state)?;
        let first_edge = self.edges.len() as u32;
        match state.turn() {
            Turn::Player(_) => {
                state.legal_actions(&mut self.actions);
                self.priors.clear();
                self.priors.resize(self.actions.len(), 1.0);
                if let Some(ordering) = &self.ordering {
                    ordering.weights(state, self.path.len(), &self.actions, &mut self.priors);
                }
                normalize(&mut self.priors);
                for (action, prior) in self.actions.iter().zip(&self.priors) {
                    let word = u32::from(action.0) | ((prior * 65_535.0).round() as u32) << 16;
                    self.edges.push(Edge { child: NO_NODE, visits: 0, word });
                }
            }
            Turn::Chance => {
                state.chance_outcomes(&mut self.outcomes);
                for outcome in self.outcomes.iter() {
                    let word = u32::from(outcome.action.0);
                    self.edges.push(Edge { child: NO_NODE, visits: 0, word });
                }
            }
            Turn::Over => {}
        }
        let edges = (self.edges.len() as u32 - first_edge) as u16;
        let at = self.nodes.len() as u32;
        let (key, turn) = (state.key(), state.turn());
        self.nodes.push(Node {
            key,
            own_value,
            evaluations: 1,
            value: own_value,
            first_edge,
            edges,
            turn,
            last_simulation: 0,
        });
        if self.options.share {
            self.index.insert(key, at);
        }
        Ok(at)
    }

    /// Evaluates `state`, or the next decision if it is a chance node.
    fn evaluate(&mut self, state: &G) -> Result<Payoffs, SearchError> {
        let mut state = *state;
        while state.turn() == Turn::Chance {
            state.apply(state.sample_chance(&mut self.rng));
        }
        if state.turn() == Turn::Over {
            return Ok(state.payoffs());
        }
        let mut value = [Payoffs::default()];
        self.evaluator.evaluate(&[state], &mut self.rng, &mut value, &mut []);
        check_values(&value[0], self.players)?;
        self.evaluations += 1;
        Ok(value[0])
    }

    pub(super) fn simulate(&mut self) -> Result<(), SearchError> {
        let Some(mut state) = self.root else { return Err(SearchError::NotBegun) };
        self.simulations += 1;
        self.path.clear();
        let mut at = 0u32;
        // The value of a leaf that could not be added, because the graph is full.
        let mut unexpanded_value = None;
        loop {
            self.nodes[at as usize].last_simulation = self.simulations as u32;
            let edge = match self.nodes[at as usize].turn {
                Turn::Over => break,
                Turn::Chance => self.sample_edge(at, &state),
                Turn::Player(_) => self.select_edge(at),
            };
            self.path.push((at, edge));
            state.apply(Action(self.edges[edge as usize].word as u16));
            self.edges[edge as usize].visits += 1;
            let child = self.edges[edge as usize].child;
            if child == NO_NODE {
                let found = self.find(&state);
                if found.is_none() && self.is_full() {
                    unexpanded_value = Some(self.evaluate(&state)?);
                    break;
                }
                // A transposition is only linked: its value already counts through the new
                // edge.
                let child = match found {
                    Some(child) => child,
                    None => self.add(&state)?,
                };
                self.edges[edge as usize].child = child;
                break;
            }
            // The state repeats within this simulation: continuing would cycle.
            if self.nodes[child as usize].last_simulation == self.simulations as u32 {
                break;
            }
            at = child;
        }
        self.backup(unexpanded_value);
        Ok(())
    }

    fn sample_edge(&mut self, at: u32, state: &G) -> u32 {
        let drawn = state.sample_chance(&mut self.rng);
        let node = self.nodes[at as usize];
        let edges = node.first_edge..node.first_edge + u32::from(node.edges);
        let found = edges.clone().find(|&edge| self.edges[edge as usize].word as u16 == drawn.0);
        found.unwrap_or(node.first_edge)
    }

    fn select_edge(&mut self, at: u32) -> u32 {
        let node = self.nodes[at as usize];
        let Turn::Player(mover) = node.turn else { return node.first_edge };
        let (first, count) = (node.first_edge as usize, usize::from(node.edges));
        self.visits.clear();
        self.values.clear();
        self.words.clear();
        for edge in &self.edges[first..first + count] {
            let known = edge.child != NO_NODE;
            let value =
                if known { self.nodes[edge.child as usize].value } else { Payoffs::default() };
            self.visits.push(edge.visits);
            self.values.push((edge.visits as f32 * value[mover.index()]).to_bits());
            self.words.push(edge.word);
        }
        let padded = count.next_multiple_of(LANES);
        self.visits.resize(padded, 0);
        self.values.resize(padded, 0);
        self.words.resize(padded, 0);
        let total = 1 + self.visits.iter().sum::<u32>();
        let value = || node.value[mover.index()];
        let best = self.selector.select::<Scalar>(
            &self.visits,
            &self.values,
            &self.words,
            count,
            total,
            value,
        );
        (first + best) as u32
    }

    /// Recomputes the values along the path, from leaf to root. `unexpanded_value` is the
    /// value behind the last edge if the graph was full: it counts as another evaluation of
    /// the last node.
    fn backup(&mut self, unexpanded_value: Option<Payoffs>) {
        self.depth_sum += self.path.len() as u64;
        self.max_depth = self.max_depth.max(self.path.len());
        if let (Some(value), Some(&(last, _))) = (unexpanded_value, self.path.last()) {
            let node = &mut self.nodes[last as usize];
            node.evaluations += 1;
            let part = 1.0 / node.evaluations as f32;
            node.own_value
                .iter_mut()
                .zip(value)
                .for_each(|(mean, value)| *mean += (value - *mean) * part);
        }
        for step in (0..self.path.len()).rev() {
            let (at, _) = self.path[step];
            self.nodes[at as usize].value = self.mean_value(at);
        }
    }

    fn mean_value(&self, at: u32) -> Payoffs {
        let node = self.nodes[at as usize];
        let (first, count) = (node.first_edge as usize, usize::from(node.edges));
        let mut weight = node.evaluations as f32;
        let mut sums = node.own_value.map(|value| value * weight);
        for edge in &self.edges[first..first + count] {
            if edge.child != NO_NODE {
                let visits = edge.visits as f32;
                weight += visits;
                let value = self.nodes[edge.child as usize].value;
                sums.iter_mut().zip(value).for_each(|(sum, value)| *sum += visits * value);
            }
        }
        sums.map(|sum| sum / weight)
    }

    /// Keeps the nodes reachable from `root` in breadth-first order, up to the reuse limit,
    /// and removes the others.
    pub(super) fn collect_garbage(&mut self, root: u32) {
        let most = (self.options.capacity / REUSE_DIVISOR).max(1);
        let max_bytes = self.options.search.memory / REUSE_DIVISOR;
        let bytes_at = |at: u32| bytes_of(1, self.nodes[at as usize].edges.into());
        let mut bytes = bytes_at(root);
        let mut moved: FxHashMap<u32, u32> = FxHashMap::default();
        let mut order = vec![root];
        moved.insert(root, 0);
        let mut next = 0;
        while next < order.len() {
            let node = self.nodes[order[next] as usize];
            let edges = node.first_edge..node.first_edge + u32::from(node.edges);
            for edge in edges {
                let child = self.edges[edge as usize].child;
                let has_room = order.len() < most && bytes < max_bytes;
                if child != NO_NODE && has_room && !moved.contains_key(&child) {
                    bytes += bytes_at(child);
                    moved.insert(child, order.len() as u32);
                    order.push(child);
                }
            }
            next += 1;
        }
        self.table.evicted += (self.nodes.len() - order.len()) as u64;
        let (old_nodes, old_edges) =
            (std::mem::take(&mut self.nodes), std::mem::take(&mut self.edges));
        self.index.clear();
        for &old in &order {
            let mut node = old_nodes[old as usize];
            let first = node.first_edge as usize;
            node.first_edge = self.edges.len() as u32;
            for edge in &old_edges[first..first + usize::from(node.edges)] {
                let child = moved.get(&edge.child).copied();
                // An edge to a removed node loses its visits, since no value backs them.
                let kept = Edge { child: child.unwrap_or(NO_NODE), ..*edge };
                let visits = if child.is_some() { edge.visits } else { 0 };
                self.edges.push(Edge { visits, ..kept });
            }
            if self.options.share {
                self.index.insert(node.key, self.nodes.len() as u32);
            }
            self.nodes.push(node);
        }
    }
}
