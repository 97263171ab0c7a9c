//! One walk through the graph, and what is kept between moves.

use meeple_game::{Action, Game, MAX_ACTIONS, MAX_OUTCOMES, Payoffs, Turn};
use rustc_hash::FxHashMap;

use super::{Edge, GraphMcts, NOBODY, Node, SPARE, bytes_of};
use crate::SearchError;
use crate::evaluate::{Evaluator, check_values};
use crate::machine::Plain;
use crate::ordering::normalize;
use crate::select::LANES;

/// The most edges of a node.
const WIDEST: usize = if MAX_ACTIONS > MAX_OUTCOMES { MAX_ACTIONS } else { MAX_OUTCOMES };

impl<G: Game, E: Evaluator<G>> GraphMcts<G, E> {
    fn is_full(&self) -> bool {
        // One more must fit, however much can be done there.
        let bytes = bytes_of(self.nodes.len() + 1, self.edges.len() + WIDEST);
        let bytes = bytes + self.rule.most_bytes();
        self.nodes.len() >= self.options.capacity || bytes > self.options.search.memory
    }

    /// The node of `state`, if it is known.
    fn find(&mut self, state: &G) -> Option<u32> {
        if !self.options.share {
            return None;
        }
        self.table.lookups += 1;
        let found = self.places.get(&state.key()).copied();
        self.table.hits += u64::from(found.is_some());
        found
    }

    /// A new node for `state`, judged.
    pub(super) fn add(&mut self, state: &G) -> Result<u32, SearchError> {
        let own = self.judge(state)?;
        let first_edge = self.edges.len() as u32;
        match state.turn() {
            Turn::Player(_) => {
                state.legal_actions(&mut self.actions);
                self.priors.clear();
                self.priors.resize(self.actions.len(), 1.0);
                if let Some(ordering) = &self.ordering {
                    ordering.weigh(state, self.path.len(), &self.actions, &mut self.priors);
                }
                normalize(&mut self.priors);
                for (action, prior) in self.actions.iter().zip(&self.priors) {
                    let word = u32::from(action.0) | ((prior * 65_535.0).round() as u32) << 16;
                    self.edges.push(Edge { child: NOBODY, visits: 0, word });
                }
            }
            Turn::Chance => {
                state.chance_outcomes(&mut self.outcomes);
                for outcome in self.outcomes.iter() {
                    let word = u32::from(outcome.action.0);
                    self.edges.push(Edge { child: NOBODY, visits: 0, word });
                }
            }
            Turn::Over => {}
        }
        let edges = (self.edges.len() as u32 - first_edge) as u16;
        let at = self.nodes.len() as u32;
        let (key, turn) = (state.key(), state.turn());
        self.nodes.push(Node { key, own, judged: 1, mean: own, first_edge, edges, turn, walk: 0 });
        if self.options.share {
            self.places.insert(key, at);
        }
        Ok(at)
    }

    /// What `state` is worth by itself, at the next decision if luck is first.
    fn judge(&mut self, state: &G) -> Result<Payoffs, SearchError> {
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
        self.walks += 1;
        self.path.clear();
        let mut at = 0u32;
        // Without room the last value is passed on by hand.
        let mut beyond = None;
        loop {
            self.nodes[at as usize].walk = self.walks as u32;
            let edge = match self.nodes[at as usize].turn {
                Turn::Over => break,
                Turn::Chance => self.draw(at, &state),
                Turn::Player(_) => self.pick(at),
            };
            self.path.push((at, edge));
            state.apply(Action(self.edges[edge as usize].word as u16));
            self.edges[edge as usize].visits += 1;
            let child = self.edges[edge as usize].child;
            if child == NOBODY {
                let found = self.find(&state);
                if found.is_none() && self.is_full() {
                    beyond = Some(self.judge(&state)?);
                    break;
                }
                // What is known already needs no more than a link for now.
                let child = match found {
                    Some(child) => child,
                    None => self.add(&state)?,
                };
                self.edges[edge as usize].child = child;
                break;
            }
            // A state seen before on this very walk: going on would go round.
            if self.nodes[child as usize].walk == self.walks as u32 {
                break;
            }
            at = child;
        }
        self.update(beyond);
        Ok(())
    }

    fn draw(&mut self, at: u32, state: &G) -> u32 {
        let drawn = state.sample_chance(&mut self.rng);
        let node = self.nodes[at as usize];
        let edges = node.first_edge..node.first_edge + u32::from(node.edges);
        let found = edges.clone().find(|&edge| self.edges[edge as usize].word as u16 == drawn.0);
        found.unwrap_or(node.first_edge)
    }

    fn pick(&mut self, at: u32) -> u32 {
        let node = self.nodes[at as usize];
        let Turn::Player(mover) = node.turn else { return node.first_edge };
        let (first, count) = (node.first_edge as usize, usize::from(node.edges));
        self.visits.clear();
        self.values.clear();
        self.words.clear();
        for edge in &self.edges[first..first + count] {
            let known = edge.child != NOBODY;
            let mean =
                if known { self.nodes[edge.child as usize].mean } else { Payoffs::default() };
            self.visits.push(edge.visits);
            self.values.push((edge.visits as f32 * mean[mover.index()]).to_bits());
            self.words.push(edge.word);
        }
        let padded = count.next_multiple_of(LANES);
        self.visits.resize(padded, 0);
        self.values.resize(padded, 0);
        self.words.resize(padded, 0);
        let total = 1 + self.visits.iter().sum::<u32>();
        let mean = || node.mean[mover.index()];
        let best =
            self.rule.pick::<Plain>(&self.visits, &self.values, &self.words, count, total, mean);
        (first + best) as u32
    }

    /// Recomputes the nodes on the path from the last to the first. `beyond`
    /// is what lies behind the last edge where there was no room for a node: it
    /// counts as one more judgement of the node before.
    fn update(&mut self, beyond: Option<Payoffs>) {
        self.steps += self.path.len() as u64;
        self.deepest = self.deepest.max(self.path.len());
        if let (Some(value), Some(&(last, _))) = (beyond, self.path.last()) {
            let node = &mut self.nodes[last as usize];
            node.judged += 1;
            let part = 1.0 / node.judged as f32;
            node.own.iter_mut().zip(value).for_each(|(own, value)| *own += (value - *own) * part);
        }
        for step in (0..self.path.len()).rev() {
            let (at, _) = self.path[step];
            self.nodes[at as usize].mean = self.mean_of(at);
        }
    }

    fn mean_of(&self, at: u32) -> Payoffs {
        let node = self.nodes[at as usize];
        let (first, count) = (node.first_edge as usize, usize::from(node.edges));
        let mut weight = node.judged as f32;
        let mut sums = node.own.map(|own| own * weight);
        for edge in &self.edges[first..first + count] {
            if edge.child != NOBODY {
                let visits = edge.visits as f32;
                weight += visits;
                let mean = self.nodes[edge.child as usize].mean;
                sums.iter_mut().zip(mean).for_each(|(sum, mean)| *sum += visits * mean);
            }
        }
        sums.map(|sum| sum / weight)
    }

    /// Keeps what can be reached from `root`, nearest first, up to a share of
    /// the room; the rest is forgotten.
    pub(super) fn collect(&mut self, root: u32) {
        let most = (self.options.capacity / SPARE).max(1);
        let most_bytes = self.options.search.memory / SPARE;
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
                let has_room = order.len() < most && bytes < most_bytes;
                if child != NOBODY && has_room && !moved.contains_key(&child) {
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
        self.places.clear();
        for &old in &order {
            let mut node = old_nodes[old as usize];
            let first = node.first_edge as usize;
            node.first_edge = self.edges.len() as u32;
            for edge in &old_edges[first..first + usize::from(node.edges)] {
                let child = moved.get(&edge.child).copied();
                // An edge to a forgotten node starts anew, or its visits would
                // stand for nothing.
                let kept = Edge { child: child.unwrap_or(NOBODY), ..*edge };
                let visits = if child.is_some() { edge.visits } else { 0 };
                self.edges.push(Edge { visits, ..kept });
            }
            if self.options.share {
                self.places.insert(node.key, self.nodes.len() as u32);
            }
            self.nodes.push(node);
        }
    }
}
