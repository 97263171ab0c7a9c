//! Copies of the most visited nodes of a shared tree, one set per thread.
//!
//! Every simulation passes through the nodes near the root, so threads that update them in place
//! wait for each other's cache lines at every level. A thread therefore selects in a copy, adds
//! its visits there, and exchanges them with the shared node now and then (compare Bourki and
//! others, 2010, "Scalability and parallelization of Monte-Carlo tree search", who average the
//! frequent nodes of several machines at intervals). Visits in flight would change the scores
//! there by little, since a hot node has many visits; below, where they spread the threads, every
//! visit is counted at once.

use meeple_game::{Action, Payoffs};

use super::atomic_tree::{AtomicTree, Edge, fixed_mean, fixed_point};
use crate::select::LANES;

/// A node with this many visits is copied.
pub(super) const HOT: u32 = 64;
/// No hot node.
pub(super) const COLD: u32 = u32::MAX;
/// A copy is exchanged when its own visits reach this share of all, within bounds.
const EXCHANGE_SHARE: u32 = 32;
const MIN_EXCHANGE: u32 = 16;
const MAX_EXCHANGE: u32 = 1024;

/// What selection reads of eight edges.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EdgeStats {
    /// Visits started and completed by all threads, as far as known.
    pub(super) started: [u32; LANES],
    pub(super) done: [u32; LANES],
    /// The mover's mean value; 0 without completed visits.
    pub(super) mean: [f32; LANES],
    /// Actions, with priors in the upper halves.
    pub(super) words: [u32; LANES],
}

impl EdgeStats {
    /// Reads a lane from the shared tree.
    #[inline(always)]
    pub(super) fn load(&mut self, lane: usize, edge: &Edge<'_>) {
        let ((started, done), sum) = (edge.counts(), edge.sum());
        (self.started[lane], self.done[lane]) = (started, done);
        self.mean[lane] = if done > 0 { fixed_mean(sum, done) } else { 0.0 };
        self.words[lane] = u32::from(edge.action().0) | u32::from(edge.prior()) << 16;
    }
}

/// Eight edges of a copy.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edges {
    pub(super) stats: EdgeStats,
    /// The child in the shared tree, and its copy.
    child: [u32; LANES],
    hot_child: [u32; LANES],
    /// The fixed-point sum behind `mean`.
    sum: [i64; LANES],
    /// Visits not yet added to the shared node.
    own: [u32; LANES],
}

/// The copy of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct HotNode {
    /// The node in the shared tree.
    pub(super) at: u32,
    pub(super) mover: u8,
    seat: u8,
    pub(super) edge_count: u16,
    /// The index of its first edges.
    first: u32,
    /// All visits as far as known, and those not yet added to the shared node.
    pub(super) visits: u32,
    own: u32,
}

/// The copies of one thread. Copy 0 is the root's, once the root is hot.
#[derive(Debug, Default)]
pub(super) struct HotNodes {
    nodes: Vec<HotNode>,
    edges: Vec<Edges>,
    /// The sums not yet added to the shared node, by edge and plane.
    own_sums: Vec<i64>,
    planes: usize,
    /// The maximum number of bytes.
    limit: usize,
}

impl HotNodes {
    pub(super) fn new(limit: usize, planes: usize) -> Self {
        Self { limit, planes, ..Self::default() }
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<HotNode>()
            + self.edges.len() * size_of::<Edges>()
            + self.own_sums.len() * size_of::<i64>()
    }

    pub(super) fn root(&self) -> u32 {
        if self.nodes.is_empty() { COLD } else { 0 }
    }

    #[inline(always)]
    pub(super) fn node(&self, hot: u32) -> &HotNode {
        &self.nodes[hot as usize]
    }

    /// The edges of a copy, eight at a time; the last ones may be unused.
    #[inline(always)]
    pub(super) fn edges(&self, node: &HotNode) -> &[Edges] {
        let blocks = usize::from(node.edge_count).div_ceil(LANES);
        &self.edges[node.first as usize..node.first as usize + blocks]
    }

    #[inline(always)]
    fn edges_at(&mut self, hot: u32, edge: u32) -> (&mut Edges, usize) {
        let first = self.nodes[hot as usize].first as usize;
        (&mut self.edges[first + edge as usize / LANES], edge as usize % LANES)
    }

    /// The action of an edge, and the visits started before.
    #[inline(always)]
    pub(super) fn action(&self, hot: u32, edge: u32) -> (Action, u32) {
        let first = self.nodes[hot as usize].first as usize;
        let (edges, lane) = (&self.edges[first + edge as usize / LANES], edge as usize % LANES);
        (Action(edges.stats.words[lane] as u16), edges.stats.started[lane])
    }

    /// The child of an edge in the shared tree, 0 if it is unexpanded, and its copy.
    #[inline(always)]
    pub(super) fn child(&mut self, tree: &AtomicTree, hot: u32, edge: u32) -> (u32, u32) {
        let at = self.nodes[hot as usize].at;
        let (edges, lane) = self.edges_at(hot, edge);
        if edges.child[lane] == 0 {
            // Another thread may have expanded it.
            edges.child[lane] = tree.node(at).edge(edge as usize).child();
        }
        (edges.child[lane], edges.hot_child[lane])
    }

    /// Copies a node, below the edge of a copy unless it is the root; [`COLD`] if there is no
    /// room.
    pub(super) fn add(&mut self, tree: &AtomicTree, at: u32, parent: Option<(u32, u32)>) -> u32 {
        let node = tree.node(at);
        let blocks = node.edge_count.div_ceil(LANES);
        let more = size_of::<HotNode>() + blocks * (size_of::<Edges>() + LANES * self.planes * 8);
        if self.bytes() + more > self.limit {
            return COLD;
        }
        let hot = self.nodes.len() as u32;
        self.nodes.push(HotNode {
            at,
            mover: node.mover,
            seat: node.seat as u8,
            edge_count: node.edge_count as u16,
            first: self.edges.len() as u32,
            visits: 0,
            own: 0,
        });
        let empty = Edges { hot_child: [COLD; LANES], ..Edges::default() };
        self.edges.resize(self.edges.len() + blocks, empty);
        self.own_sums.resize(self.edges.len() * LANES * self.planes, 0);
        self.exchange(tree, hot);
        if let Some((parent, edge)) = parent {
            let (edges, lane) = self.edges_at(parent, edge);
            edges.hot_child[lane] = hot;
        }
        hot
    }

    /// Adds a visit of an edge, with its values.
    #[inline(always)]
    pub(super) fn add_visit(&mut self, tree: &AtomicTree, hot: u32, edge: u32, values: &Payoffs) {
        let node = &mut self.nodes[hot as usize];
        node.visits += 1;
        node.own += 1;
        let (node, planes) = (*node, self.planes);
        let (edges, lane) = self.edges_at(hot, edge);
        let value = fixed_point(values[usize::from(node.seat)]);
        edges.own[lane] += 1;
        edges.sum[lane] += value;
        edges.stats.started[lane] += 1;
        edges.stats.done[lane] += 1;
        edges.stats.mean[lane] = fixed_mean(edges.sum[lane], edges.stats.done[lane]);
        let first = (node.first as usize * LANES + edge as usize) * planes;
        if planes == 1 {
            self.own_sums[first] += value;
        } else {
            let sums = &mut self.own_sums[first..first + planes];
            sums.iter_mut().zip(values).for_each(|(sum, &value)| *sum += fixed_point(value));
        }
        let share = (node.visits / EXCHANGE_SHARE).clamp(MIN_EXCHANGE, MAX_EXCHANGE);
        if node.own >= share {
            self.exchange(tree, hot);
        }
    }

    /// Adds the visits of a copy to the shared node, and learns those of other threads.
    #[inline(never)]
    fn exchange(&mut self, tree: &AtomicTree, hot: u32) {
        let HotNode { at, edge_count, first, .. } = self.nodes[hot as usize];
        let shared = tree.node(at);
        let mut visits = 0;
        for edge in 0..usize::from(edge_count) {
            let (edges, lane) = (&mut self.edges[first as usize + edge / LANES], edge % LANES);
            let shared = shared.edge(edge);
            if edges.own[lane] > 0 {
                let sums = (first as usize * LANES + edge) * self.planes;
                let sums = &mut self.own_sums[sums..sums + self.planes];
                shared.add(edges.own[lane], sums);
                sums.fill(0);
                edges.own[lane] = 0;
            }
            edges.sum[lane] = shared.sum();
            edges.stats.load(lane, &shared);
            visits += edges.stats.started[lane];
        }
        let node = &mut self.nodes[hot as usize];
        (node.visits, node.own) = (visits, 0);
    }

    /// Adds all visits to the shared tree.
    pub(super) fn flush(&mut self, tree: &AtomicTree) {
        for hot in 0..self.nodes.len() as u32 {
            if self.nodes[hot as usize].own > 0 {
                self.exchange(tree, hot);
            }
        }
    }
}
