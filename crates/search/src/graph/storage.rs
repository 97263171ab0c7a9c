//! Nodes and edges of the graph, found by the keys of their states.
//!
//! Most nodes are visited once, so a node has no edges before its second visit.

use meeple_game::{Action, MAX_PLAYERS, Payoffs, Turn};
use rustc_hash::FxHashMap;

/// The child of an unexpanded edge.
pub(super) const NO_NODE: u32 = u32::MAX;
/// Flag in the place of the first edge: the node has no edges yet, but a depth.
const UNLISTED: u32 = 1 << 31;
/// A free slot of the table: no node, since there are fewer nodes than slots.
const FREE: u32 = u32::MAX;
/// The first size of the table.
const MIN_SLOTS: usize = 64;

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    key: u64,
    /// The number of own evaluations.
    pub(super) evaluations: u32,
    /// The index of the first edge; before the edges are listed, [`UNLISTED`] and the depth
    /// at which the state was first reached.
    first_edge: u32,
    /// The last simulation that visited the node.
    pub(super) last_simulation: u32,
    edge_count: u16,
    pub(super) turn: Turn,
}

impl Node {
    /// The depth at which the state was first reached, until its edges are listed.
    pub(super) fn unlisted_depth(&self) -> Option<usize> {
        (self.first_edge & UNLISTED != 0).then_some((self.first_edge & !UNLISTED) as usize)
    }

    /// The indices of its edges.
    #[inline(always)]
    pub(super) fn edges(&self) -> std::ops::Range<usize> {
        let first = if self.first_edge & UNLISTED == 0 { self.first_edge as usize } else { 0 };
        first..first + usize::from(self.edge_count)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) child: u32,
    pub(super) visits: u32,
    /// The action, and the prior in the upper half.
    pub(super) word: u32,
}

impl Edge {
    pub(super) fn new(action: Action, prior: f32) -> Self {
        let word = u32::from(action.0) | ((prior * 65_535.0).round() as u32) << 16;
        Self { child: NO_NODE, visits: 0, word }
    }

    pub(super) fn action(&self) -> Action {
        Action(self.word as u16)
    }
}

/// The graph. Node 0 is the root.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    /// For each node and player, the value including all descendants; then for each player the
    /// mean of the state's own evaluations.
    values: Vec<f32>,
    players: usize,
    /// The transposition table, with linear probing: node indices, and in the bits above them
    /// as many bits of the hash as fit, so that few other nodes are looked at; or [`FREE`]. Its
    /// size is a power of two; empty if transpositions do not share nodes.
    slots: Vec<u32>,
    shares: bool,
}

/// The size of the table for this many nodes: at most three quarters are used.
fn slots_for(nodes: usize) -> usize {
    (nodes + nodes / 3 + 1).next_power_of_two().max(MIN_SLOTS)
}

impl Graph {
    pub(super) fn new(shares: bool) -> Self {
        Self { shares, ..Self::default() }
    }

    /// Removes all nodes and prepares for `players` players.
    pub(super) fn clear(&mut self, players: usize) {
        self.nodes.clear();
        self.edges.clear();
        self.values.clear();
        self.players = players;
        self.slots.fill(FREE);
    }

    /// The bytes of a graph with this many nodes and edges.
    pub(super) fn bytes_of(&self, nodes: usize, edges: usize) -> usize {
        let slots = if self.shares { slots_for(nodes).max(self.slots.len()) } else { 0 };
        let node = size_of::<Node>() + 2 * self.players * size_of::<f32>();
        nodes * node + slots * size_of::<u32>() + edges * size_of::<Edge>()
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes_of(self.nodes.len(), self.edges.len())
    }

    /// The number of entries in the transposition table.
    pub(super) fn used(&self) -> usize {
        if self.shares { self.nodes.len() } else { 0 }
    }

    /// The slot where `key` is or belongs, and what is or belongs there for the node `at`.
    #[inline(always)]
    fn slot(&self, key: u64, at: u32) -> (usize, u32) {
        // Keys are hashes already, but those of other crates' games may be poor ones.
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mask = self.slots.len() - 1;
        let tag = hash as u32 & !(mask as u32);
        let mut slot = (hash >> 32) as usize & mask;
        loop {
            let found = self.slots[slot];
            let is_same = |at: u32| self.nodes[at as usize].key == key;
            if found == FREE || found & !(mask as u32) == tag && is_same(found & mask as u32) {
                return (slot, tag | at);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The node with this key.
    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let found = self.slots[self.slot(key, 0).0];
        (found != FREE).then_some(found & (self.slots.len() - 1) as u32)
    }

    /// Adds a node that was evaluated once, without edges, reached at `depth`.
    pub(super) fn add(&mut self, key: u64, turn: Turn, depth: usize, own_value: &Payoffs) -> u32 {
        let at = self.nodes.len() as u32;
        let first_edge = if turn == Turn::Over { 0 } else { UNLISTED | depth as u32 };
        let (evaluations, last_simulation, edge_count) = (1, 0, 0);
        self.push(Node { key, evaluations, first_edge, last_simulation, edge_count, turn });
        for _ in 0..2 {
            self.values.extend_from_slice(&own_value[..self.players]);
        }
        at
    }

    fn push(&mut self, node: Node) {
        let key = node.key;
        self.nodes.push(node);
        if !self.shares {
            return;
        }
        let size = slots_for(self.nodes.len());
        if size > self.slots.len() {
            self.slots.clear();
            self.slots.resize(size, FREE);
            for at in 0..self.nodes.len() - 1 {
                self.insert(self.nodes[at].key, at as u32);
            }
        }
        self.insert(key, self.nodes.len() as u32 - 1);
    }

    fn insert(&mut self, key: u64, at: u32) {
        let (slot, entry) = self.slot(key, at);
        self.slots[slot] = entry;
    }

    /// Lists the edges of a node.
    pub(super) fn set_edges(&mut self, at: u32, edges: impl Iterator<Item = Edge>) {
        let first = self.edges.len();
        self.edges.extend(edges);
        let node = &mut self.nodes[at as usize];
        node.first_edge = first as u32;
        node.edge_count = (self.edges.len() - first) as u16;
    }

    pub(super) fn edges_of(&self, at: u32) -> &[Edge] {
        &self.edges[self.nodes[at as usize].edges()]
    }

    /// The value of a node for one player.
    #[inline(always)]
    pub(super) fn value(&self, at: u32, player: usize) -> f32 {
        self.values[at as usize * 2 * self.players + player]
    }

    /// The value of a node for each player.
    pub(super) fn values(&self, at: u32) -> Payoffs {
        let mut values = [0.0; MAX_PLAYERS];
        let first = at as usize * 2 * self.players;
        values[..self.players].copy_from_slice(&self.values[first..first + self.players]);
        values
    }

    /// Counts another evaluation of the state itself.
    pub(super) fn add_evaluation(&mut self, at: u32, values: &Payoffs) {
        let node = &mut self.nodes[at as usize];
        node.evaluations += 1;
        let part = 1.0 / node.evaluations as f32;
        let first = (at as usize * 2 + 1) * self.players;
        let own = &mut self.values[first..first + self.players];
        own.iter_mut().zip(values).for_each(|(mean, value)| *mean += (value - *mean) * part);
    }

    /// Recomputes the value of a node from its own evaluations and its children.
    #[inline(always)]
    pub(super) fn update_value(&mut self, at: u32) {
        let players = self.players;
        let first = at as usize * 2 * players;
        let node = &self.nodes[at as usize];
        let mut weight = node.evaluations as f32;
        let mut sums = [0.0; MAX_PLAYERS];
        let own = &self.values[first + players..first + 2 * players];
        sums.iter_mut().zip(own).for_each(|(sum, value)| *sum = value * weight);
        for edge in &self.edges[node.edges()] {
            if edge.child != NO_NODE {
                let visits = edge.visits as f32;
                weight += visits;
                let child = edge.child as usize * 2 * players;
                let values = &self.values[child..child + players];
                sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += visits * value);
            }
        }
        let values = &mut self.values[first..first + players];
        values.iter_mut().zip(sums).for_each(|(value, sum)| *value = sum / weight);
    }

    /// Keeps the nodes reachable from `root` in breadth-first order, up to a number of nodes
    /// and bytes, and returns how many were removed.
    pub(super) fn collect_garbage(&mut self, root: u32, most: usize, max_bytes: usize) -> usize {
        let mut edges = 0;
        let mut moved: FxHashMap<u32, u32> = FxHashMap::default();
        let mut order = vec![root];
        moved.insert(root, 0);
        let mut next = 0;
        while next < order.len() {
            let listed = self.edges_of(order[next]);
            edges += listed.len();
            for edge in listed {
                let has_room = order.len() < most && self.bytes_of(order.len(), edges) < max_bytes;
                if edge.child != NO_NODE && has_room && !moved.contains_key(&edge.child) {
                    moved.insert(edge.child, order.len() as u32);
                    order.push(edge.child);
                }
            }
            next += 1;
        }
        let removed = self.nodes.len() - order.len();
        let old = std::mem::replace(self, Self::new(self.shares));
        self.players = old.players;
        for &at in &order {
            let mut node = old.nodes[at as usize];
            let first = at as usize * 2 * old.players;
            self.values.extend_from_slice(&old.values[first..first + 2 * old.players]);
            let kept = old.edges_of(at).iter().map(|edge| match moved.get(&edge.child) {
                Some(&child) => Edge { child, ..*edge },
                // An edge to a removed node loses its visits, since no value backs them.
                None => Edge { child: NO_NODE, visits: 0, ..*edge },
            });
            if node.unlisted_depth().is_none() {
                node.first_edge = self.edges.len() as u32;
                self.edges.extend(kept);
            }
            self.push(node);
        }
        removed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_found_by_their_keys() {
        let mut graph = Graph::new(true);
        graph.clear(2);
        // Keys that agree in their low bits, as those of a poor hash may.
        let key = |number: u64| number << 40;
        for number in 0..10_000 {
            assert_eq!(graph.find(key(number)), None);
            graph.add(key(number), Turn::Chance, 0, &[0.0; MAX_PLAYERS]);
            assert!(graph.slots.len() * 3 >= graph.nodes.len() * 4);
        }
        for number in 0..10_000 {
            assert_eq!(graph.find(key(number)), Some(number as u32));
        }
        graph.clear(2);
        assert_eq!(graph.find(key(1)), None);
    }

    #[test]
    fn garbage_is_what_the_root_does_not_reach() {
        let mut graph = Graph::new(true);
        graph.clear(2);
        let values = [0.5, -0.5, 0.0, 0.0, 0.0, 0.0];
        for key in 0..4 {
            graph.add(key, Turn::Chance, key as usize, &values);
        }
        let edge = |child| Edge { child, visits: 1, ..Edge::new(Action(7), 0.5) };
        graph.set_edges(0, [edge(1), edge(2)].into_iter());
        graph.set_edges(2, [edge(3)].into_iter());
        assert_eq!(graph.collect_garbage(2, 10, 1 << 20), 2);
        assert_eq!((graph.find(0), graph.find(2), graph.find(3)), (None, Some(0), Some(1)));
        assert_eq!(graph.edges_of(0)[0].child, 1);
        assert_eq!(graph.nodes[1].unlisted_depth(), Some(3));
        assert_eq!(graph.values(1), values);
        // No room for the child: its edge is as good as new.
        assert_eq!(graph.collect_garbage(0, 1, 1 << 20), 1);
        assert_eq!((graph.edges_of(0)[0].child, graph.edges_of(0)[0].visits), (NO_NODE, 0));
    }
}
