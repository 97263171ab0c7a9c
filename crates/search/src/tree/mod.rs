//! Tree storage: all nodes in one arena of 32-bit words.
//!
//! A node is a header followed by arrays with one entry per edge, padded to [`LANES`] for
//! SIMD: visits, children, actions with priors, and value sums. Selection reads one
//! contiguous node. A state without priors gets a node at its second visit; until then its
//! statistics are those of the edge that leads to it. States are not stored.

mod reroot;
mod solver;

use meeple_game::{Action, MAX_PLAYERS, Payoffs};

pub(crate) use solver::Proof;

use crate::select::LANES;
use crate::simd::prefetch;

/// The mover of a chance node.
pub(crate) const CHANCE: u8 = u8::MAX;
/// Words before the arrays: edge count, mover and draw bounds; node visits; the mover's
/// value sum; the raw value of the evaluator.
const HEADER: usize = 4;
/// The offset of the root node.
pub(crate) const ROOT: u32 = 1;
/// The child of an unexpanded edge.
pub(crate) const NO_CHILD: u32 = 0;
/// Flag in a child offset: the edge has a proven value.
pub(crate) const SOLVED: u32 = 1 << 31;
/// The child of an edge to a terminal state.
pub(crate) const TERMINAL: u32 = SOLVED | NO_CHILD;
/// The value sum of a proven loss: so low that the edge is never selected while there is
/// another, and that additions have no effect.
const LOSS_SUM: f32 = -1e30;
/// The value sum of a proven draw and of an edge that cannot beat a proven draw: pruned,
/// but preferred to a loss.
const DRAW_SUM: f32 = -1e29;

/// An edge, by its node and index.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EdgeRef {
    pub(crate) node: u32,
    pub(crate) edge: u32,
}

/// The contents of a new node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewNode<'a> {
    /// The player to move, or [`CHANCE`].
    pub(crate) mover: u8,
    pub(crate) actions: &'a [Action],
    /// One per action, or empty for uniform priors.
    pub(crate) priors: &'a [f32],
    /// The visits so far and their mean value for the mover, which is the raw value of the
    /// state if there are any.
    pub(crate) visits: u32,
    pub(crate) value: f32,
}

/// The arena of nodes.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    words: Vec<u32>,
    /// The maximum number of words.
    limit: usize,
    /// Value sums per edge: one per player, or only the mover's with two players, whose
    /// values are each other's negation.
    planes: usize,
    nodes: u64,
}

/// A view of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'a> {
    pub(crate) mover: u8,
    pub(crate) total_visits: u32,
    /// The mover's value sum without the simulation in progress.
    value_sum: f32,
    /// The evaluator's value of the state; NaN if it was not evaluated.
    raw_value: f32,
    pub(crate) edge_count: usize,
    pub(crate) visits: &'a [u32],
    pub(crate) children: &'a [u32],
    pub(crate) edges: &'a [u32],
    /// The value sums (as bits) of the mover; of the first player at a chance node.
    pub(crate) values: &'a [u32],
}

impl Node<'_> {
    /// The mean value for the mover, while a simulation is in progress.
    #[inline(always)]
    pub(crate) fn mean(&self) -> f32 {
        self.value_sum / self.total_visits.saturating_sub(1).max(1) as i32 as f32
    }

    /// The evaluator's value of the state for its mover, if it was evaluated.
    pub(crate) fn raw_value(&self) -> Option<f32> {
        Some(self.raw_value).filter(|value| !value.is_nan())
    }

    pub(crate) fn action(&self, edge: usize) -> Action {
        Action(self.edges[edge] as u16)
    }

    pub(crate) fn prior(&self, edge: usize) -> f32 {
        (self.edges[edge] >> 16) as f32 / 65_535.0
    }

    /// The mean value of an edge for the mover; 0 without visits.
    pub(crate) fn edge_mean(&self, edge: usize) -> f32 {
        match (f32::from_bits(self.values[edge]), self.visits[edge]) {
            (_, 0) => 0.0,
            (value, _) if value <= LOSS_SUM => -1.0,
            (value, _) if value <= DRAW_SUM => 0.0,
            (value, visits) => value / visits as f32,
        }
    }

    pub(crate) fn is_solved(&self, edge: usize) -> bool {
        self.children[edge] & SOLVED != 0
    }

    /// Whether the search can learn nothing more from an edge: a proven loss, a proven
    /// draw, or no better than a proven draw.
    pub(crate) fn is_pruned(&self, edge: usize) -> bool {
        f32::from_bits(self.values[edge]) <= DRAW_SUM
    }
}

fn stride(count: usize) -> usize {
    count.next_multiple_of(LANES)
}

impl Tree {
    pub(crate) fn new(memory: usize) -> Self {
        // Offsets share their word with the `SOLVED` flag.
        let limit = (memory / size_of::<u32>()).min(SOLVED as usize - 1);
        Self { words: Vec::new(), limit, planes: 1, nodes: 0 }
    }

    /// Removes all nodes and prepares for `players` players.
    pub(crate) fn clear(&mut self, players: usize) {
        self.words.clear();
        self.words.push(0);
        self.planes = if players == 2 { 1 } else { players };
        self.nodes = 0;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.len() <= 1
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.words.len() * size_of::<u32>()) as u64
    }

    /// Whether one value sum per edge represents both players.
    #[inline(always)]
    pub(crate) fn is_two_player(&self) -> bool {
        self.planes == 1
    }

    /// Adds a node; `None` if the arena is full.
    pub(crate) fn add(&mut self, new_node: &NewNode<'_>) -> Option<u32> {
        let count = new_node.actions.len();
        let stride = stride(count);
        let size = HEADER + (3 + self.planes) * stride;
        let at = self.words.len();
        if at + size > self.limit {
            return None;
        }
        if at + size > self.words.capacity() {
            self.reserve(size);
        }
        self.words.resize(at + size, 0);
        let node = &mut self.words[at..];
        node[0] = count as u32 | u32::from(new_node.mover) << 16;
        node[1] = new_node.visits;
        node[2] = (new_node.value * new_node.visits as f32).to_bits();
        node[3] = if new_node.visits == 0 { f32::NAN } else { new_node.value }.to_bits();
        let edges = &mut node[HEADER + 2 * stride..HEADER + 2 * stride + count];
        if new_node.priors.is_empty() {
            let even = prior_bits(1.0 / count as f32);
            for (edge, action) in edges.iter_mut().zip(new_node.actions) {
                *edge = u32::from(action.0) | even;
            }
        } else {
            for ((edge, action), &prior) in
                edges.iter_mut().zip(new_node.actions).zip(new_node.priors)
            {
                *edge = u32::from(action.0) | prior_bits(prior);
            }
        }
        self.nodes += 1;
        Some(at as u32)
    }

    /// Grows by a quarter: doubling would waste memory that counts against the limit.
    #[cold]
    fn reserve(&mut self, size: usize) {
        let more = (self.words.len() / 4).max(size).max(1 << 12);
        self.words.reserve_exact(more.min(self.limit - self.words.len()));
    }

    /// Prefetches the first cache lines of a node.
    #[inline(always)]
    pub(crate) fn prefetch(&self, at: u32) {
        for line in 0..3 {
            prefetch(&self.words, at as usize + 16 * line);
        }
    }

    #[inline(always)]
    pub(crate) fn node(&self, at: u32) -> Node<'_> {
        let words = &self.words[at as usize..];
        let count = (words[0] & 0xffff) as usize;
        let mover = (words[0] >> 16) as u8;
        let stride = stride(count);
        let plane = if self.planes == 1 || mover == CHANCE { 0 } else { usize::from(mover) };
        let arrays = &words[HEADER..HEADER + (3 + self.planes) * stride];
        let (visits, rest) = arrays.split_at(stride);
        let (children, rest) = rest.split_at(stride);
        let (edges, planes) = rest.split_at(stride);
        Node {
            mover,
            total_visits: words[1],
            value_sum: f32::from_bits(words[2]),
            raw_value: f32::from_bits(words[3]),
            edge_count: count,
            visits,
            children,
            edges,
            values: &planes[plane * stride..(plane + 1) * stride],
        }
    }

    #[inline(always)]
    fn header(&self, at: u32) -> (usize, u8, usize) {
        let head = self.words[at as usize];
        let count = (head & 0xffff) as usize;
        (count, (head >> 16) as u8, stride(count))
    }

    /// Counts a visit of the node itself.
    #[inline(always)]
    pub(crate) fn add_visit(&mut self, at: u32) {
        self.words[at as usize + 1] += 1;
    }

    /// Undoes a visit of the node itself.
    pub(crate) fn remove_visit(&mut self, at: u32) {
        self.words[at as usize + 1] -= 1;
    }

    pub(crate) fn child(&self, edge_ref: EdgeRef) -> u32 {
        let (_, _, stride) = self.header(edge_ref.node);
        self.words[edge_ref.node as usize + HEADER + stride + edge_ref.edge as usize]
    }

    #[inline(always)]
    pub(crate) fn set_child(&mut self, edge_ref: EdgeRef, child: u32) {
        let (_, _, stride) = self.header(edge_ref.node);
        self.words[edge_ref.node as usize + HEADER + stride + edge_ref.edge as usize] = child;
    }

    pub(crate) fn set_prior(&mut self, edge_ref: EdgeRef, prior: f32) {
        let (_, _, stride) = self.header(edge_ref.node);
        let edge =
            &mut self.words[edge_ref.node as usize + HEADER + 2 * stride + edge_ref.edge as usize];
        *edge = *edge & 0xffff | prior_bits(prior);
    }

    /// Adds `visits` and `values` to an edge.
    #[inline(always)]
    pub(crate) fn add_values(&mut self, edge_ref: EdgeRef, visits: u32, values: &Payoffs) {
        let (_, mover, stride) = self.header(edge_ref.node);
        let size = HEADER + (3 + self.planes) * stride;
        let node = &mut self.words[edge_ref.node as usize..][..size];
        let edge = edge_ref.edge as usize;
        node[HEADER + edge] += visits;
        let seat = if mover == CHANCE { 0 } else { usize::from(mover) };
        node[2] = (f32::from_bits(node[2]) + values[seat]).to_bits();
        let planes = &mut node[HEADER + 3 * stride..];
        if self.planes == 1 {
            planes[edge] = (f32::from_bits(planes[edge]) + values[seat]).to_bits();
        } else {
            for (plane, value) in planes.chunks_exact_mut(stride).zip(values) {
                plane[edge] = (f32::from_bits(plane[edge]) + value).to_bits();
            }
        }
    }

    /// The mean value of an edge for each of `players`; 0 without visits.
    pub(crate) fn edge_values(&self, edge_ref: EdgeRef, players: usize) -> Payoffs {
        let (_, mover, stride) = self.header(edge_ref.node);
        let mut values = [0.0; MAX_PLAYERS];
        if self.planes == 1 {
            let seat = if mover == CHANCE { 0 } else { usize::from(mover) };
            values[seat] = self.node(edge_ref.node).edge_mean(edge_ref.edge as usize);
            values[1 - seat] = -values[seat];
            return values;
        }
        let first = edge_ref.node as usize + HEADER;
        let visits = self.words[first + edge_ref.edge as usize];
        for (plane, value) in values[..players].iter_mut().enumerate() {
            let at = first + (3 + plane) * stride + edge_ref.edge as usize;
            *value = f32::from_bits(self.words[at]) / visits.max(1) as f32;
        }
        values
    }

    /// The index of the edge of `action`.
    #[inline(always)]
    pub(crate) fn edge_of(&self, at: u32, action: Action) -> Option<u32> {
        let node = self.node(at);
        let found = node.edges[..node.edge_count].iter().position(|&edge| edge as u16 == action.0);
        found.map(|edge| edge as u32)
    }
}

/// A prior as 16-bit fixed point in the upper half of a word.
fn prior_bits(prior: f32) -> u32 {
    ((prior.clamp(0.0, 1.0) * 65_535.0).round() as u32) << 16
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn new_node<'a>(actions: &'a [Action], priors: &'a [f32]) -> NewNode<'a> {
        NewNode { mover: 0, actions, priors, visits: 0, value: 0.0 }
    }

    #[test]
    fn nodes_store_their_statistics() {
        let mut tree = Tree::new(1 << 20);
        tree.clear(3);
        let actions: Vec<Action> = (10..19).map(Action).collect();
        let root = tree.add(&new_node(&actions, &[])).unwrap();
        assert_eq!(root, ROOT);
        let edge_ref = EdgeRef { node: root, edge: 8 };
        tree.add_values(edge_ref, 1, &[0.5, -0.25, -0.25, 0.0, 0.0, 0.0]);
        tree.add_values(edge_ref, 1, &[1.0, -0.5, -0.5, 0.0, 0.0, 0.0]);
        assert_eq!(tree.edge_values(edge_ref, 3)[..3], [0.75, -0.375, -0.375]);
        let node = tree.node(root);
        assert_eq!((node.edge_count, node.action(8), node.edge_mean(8)), (9, Action(18), 0.75));
        assert!((node.prior(3) - 1.0 / 9.0).abs() < 1e-4);
        assert_eq!(tree.edge_of(root, Action(12)), Some(2));
        assert_eq!(tree.edge_of(root, Action(1)), None);
    }

    #[test]
    fn the_memory_limit_holds() {
        let mut tree = Tree::new(400);
        tree.clear(2);
        let actions = [Action(0), Action(1)];
        assert!(tree.add(&new_node(&actions, &[])).is_some());
        assert!(tree.add(&new_node(&actions, &[])).is_some());
        assert!(tree.add(&new_node(&actions, &[])).is_none());
        assert!(tree.bytes() <= 400);
    }
}
