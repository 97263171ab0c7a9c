//! Lock-free tree storage: nodes of atomic words in chunks that never move (compare
//! Enzenberger and Müller, 2010, "A lock-free multithreaded Monte-Carlo tree search
//! algorithm").
//!
//! A node is a header and, for each edge, its counts, its action, prior and child, and its
//! value sums. A node is complete before it is linked; afterwards only counts, sums and
//! children change, each by one atomic operation. Sums are fixed-point integers, so the
//! order of additions does not matter. Every thread fills a [`Block`] of its own.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use meeple_game::{Action, MAX_PLAYERS, Payoffs};

use super::OwnLine;
use crate::simd::prefetch;
use crate::tree::{CHANCE, NewNode};

/// Words per chunk, as a power of two; a node never spans chunks.
const CHUNK_BITS: u32 = 14;
const CHUNK: u64 = 1 << CHUNK_BITS;
/// Words that a thread claims at a time, about 50 nodes with seven edges.
const BLOCK: u64 = 1 << 10;
/// Words before the edges: edge count and mover.
const HEADER: usize = 1;
/// Words of an edge before its value sums: counts; action, prior and child.
const EDGE: usize = 2;
/// The fixed-point representation of a value of 1.
const ONE: f64 = (1u64 << 32) as f64;

/// The arena of nodes.
#[derive(Debug)]
pub(super) struct AtomicTree {
    chunks: Box<[OnceLock<Box<[AtomicU64]>>]>,
    /// The maximum number of words.
    limit: u64,
    /// Value sums per edge: one per player, or only the mover's with two players.
    planes: usize,
    /// The first unclaimed word.
    next: OwnLine<AtomicU64>,
}

/// Words that one thread has claimed and not filled yet.
#[derive(Debug, Default)]
pub(super) struct Block {
    free: u64,
    end: u64,
}

/// The fixed-point representation of a value.
#[inline(always)]
pub(super) fn fixed_point(value: f32) -> i64 {
    (f64::from(value) * ONE) as i64
}

/// The mean of `visits` values with this fixed-point sum.
#[inline(always)]
pub(super) fn fixed_mean(sum: i64, visits: u32) -> f32 {
    (sum as f64 / ONE / f64::from(visits)) as f32
}

impl AtomicTree {
    pub(super) fn new(memory: usize) -> Self {
        let limit = (memory / size_of::<u64>()).min(u32::MAX as usize) as u64;
        let chunks = (0..limit.div_ceil(CHUNK)).map(|_| OnceLock::new()).collect();
        Self { chunks, limit, planes: 1, next: OwnLine(AtomicU64::new(1)) }
    }

    /// Removes all nodes and prepares for `players` players.
    pub(super) fn clear(&mut self, players: usize) {
        *self.next.0.get_mut() = 1;
        self.planes = if players == 2 { 1 } else { players };
    }

    /// Value sums per edge.
    pub(super) fn planes(&self) -> usize {
        self.planes
    }

    /// The bytes of all claimed blocks.
    pub(super) fn bytes(&self) -> u64 {
        self.next.0.load(Ordering::Relaxed) * size_of::<u64>() as u64
    }

    #[inline(always)]
    fn words(&self, at: u32) -> &[AtomicU64] {
        let number = at >> CHUNK_BITS;
        // The last chunk may be shorter.
        let size = CHUNK.min(self.limit - (u64::from(number) << CHUNK_BITS));
        let new = || (0..size).map(|_| AtomicU64::new(0)).collect();
        let chunk = self.chunks[number as usize].get_or_init(new);
        &chunk[(at as usize) & (CHUNK as usize - 1)..]
    }

    /// Prefetches the first cache lines of a node.
    #[inline(always)]
    pub(super) fn prefetch(&self, at: u32) {
        if let Some(chunk) = self.chunks[(at >> CHUNK_BITS) as usize].get() {
            let first = (at as usize) & (CHUNK as usize - 1);
            (0..3).for_each(|line| prefetch(chunk, first + 8 * line));
        }
    }

    /// Claims `size` words within one chunk; `None` if the arena is full.
    fn claim(&self, size: u64) -> Option<Block> {
        let mut free = self.next.0.load(Ordering::Relaxed);
        loop {
            let room = CHUNK - free % CHUNK;
            let at = if size <= room { free } else { free + room };
            if size > CHUNK || at + size > self.limit {
                return None;
            }
            let end = at + size;
            match self.next.0.compare_exchange_weak(free, end, Ordering::Relaxed, Ordering::Relaxed)
            {
                Ok(_) => return Some(Block { free: at, end }),
                Err(now) => free = now,
            }
        }
    }

    /// Allocates `size` words in `block`, or in a new one; `None` if the arena is full.
    fn allocate(&self, block: &mut Block, size: u64) -> Option<u32> {
        if block.free + size > block.end {
            *block = self.claim(size.max(BLOCK)).or_else(|| self.claim(size))?;
        }
        let at = block.free;
        block.free += size;
        Some(at as u32)
    }

    /// Adds a node, not linked yet; `None` if the arena is full.
    pub(super) fn add(&self, block: &mut Block, new_node: &NewNode<'_>) -> Option<u32> {
        let count = new_node.actions.len();
        let width = EDGE + self.planes;
        let at = self.allocate(block, (HEADER + count * width) as u64)?;
        let words = self.words(at);
        let put = |place: usize, word: u64| words[place].store(word, Ordering::Relaxed);
        put(0, count as u64 | u64::from(new_node.mover) << 32);
        for (edge, action) in new_node.actions.iter().enumerate() {
            let even = 1.0 / count as f32;
            let prior = new_node.priors.get(edge).copied().unwrap_or(even).clamp(0.0, 1.0);
            let first = HEADER + edge * width;
            (0..width).for_each(|word| put(first + word, 0));
            put(first + 1, u64::from(action.0) | ((prior * 65_535.0).round() as u64) << 16);
        }
        Some(at)
    }

    #[inline(always)]
    pub(super) fn node(&self, at: u32) -> Node<'_> {
        let words = self.words(at);
        let head = words[0].load(Ordering::Relaxed);
        let (count, mover) = (head as u32 as usize, (head >> 32) as u8);
        let width = EDGE + self.planes;
        let seat = if mover == CHANCE { 0 } else { usize::from(mover) };
        let plane = if self.planes == 1 { 0 } else { seat };
        Node {
            mover,
            edge_count: count,
            seat,
            plane,
            width,
            edges: &words[HEADER..HEADER + count * width],
        }
    }
}

/// A view of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'a> {
    pub(super) mover: u8,
    pub(super) edge_count: usize,
    /// The seat that the value sums refer to: the mover, or the first player at a chance
    /// node.
    pub(super) seat: usize,
    pub(super) plane: usize,
    width: usize,
    edges: &'a [AtomicU64],
}

impl<'a> Node<'a> {
    /// The visits started: each continued through one edge.
    #[inline(always)]
    pub(super) fn started(&self) -> u32 {
        (0..self.edge_count).map(|edge| self.edge(edge).counts().0).sum()
    }

    #[inline(always)]
    pub(super) fn edge(&self, edge: usize) -> Edge<'a> {
        let words = &self.edges[edge * self.width..(edge + 1) * self.width];
        Edge { words, seat: self.seat, plane: self.plane }
    }
}

/// A view of an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<'a> {
    words: &'a [AtomicU64],
    seat: usize,
    plane: usize,
}

impl Edge<'_> {
    /// Visits started and visits completed; the difference is in flight.
    #[inline(always)]
    pub(super) fn counts(&self) -> (u32, u32) {
        let word = self.words[0].load(Ordering::Relaxed);
        ((word >> 32) as u32, word as u32)
    }

    /// Starts a visit of the edge and returns the visits started before.
    #[inline(always)]
    pub(super) fn start_visit(&self) -> u32 {
        (self.words[0].fetch_add(1 << 32, Ordering::Relaxed) >> 32) as u32
    }

    /// Completes a visit with its values.
    #[inline(always)]
    pub(super) fn complete_visit(&self, values: &Payoffs) {
        let sums = &self.words[EDGE..];
        if let [sum] = sums {
            sum.fetch_add(fixed_point(values[self.seat]) as u64, Ordering::Relaxed);
        } else {
            for (sum, &value) in sums.iter().zip(values) {
                sum.fetch_add(fixed_point(value) as u64, Ordering::Relaxed);
            }
        }
        self.words[0].fetch_add(1, Ordering::Relaxed);
    }

    /// Adds `visits`, started and completed, and their sums, one per plane.
    pub(super) fn add(&self, visits: u32, sums: &[i64]) {
        for (sum, &more) in self.words[EDGE..].iter().zip(sums) {
            sum.fetch_add(more as u64, Ordering::Relaxed);
        }
        let visits = u64::from(visits);
        self.words[0].fetch_add(visits << 32 | visits, Ordering::Relaxed);
    }

    /// The fixed-point sum of the mover's values.
    #[inline(always)]
    pub(super) fn sum(&self) -> i64 {
        self.words[EDGE + self.plane].load(Ordering::Relaxed) as i64
    }

    /// The mean value for the mover, if a visit is completed.
    fn mean(&self) -> Option<f32> {
        let (_, done) = self.counts();
        (done > 0).then(|| fixed_mean(self.sum(), done))
    }

    /// The mean value for each of `players`.
    pub(super) fn values(&self, players: usize) -> Payoffs {
        let (_, done) = self.counts();
        let mut values = [0.0; MAX_PLAYERS];
        if self.words.len() == EDGE + 1 {
            values[self.seat] = self.mean().unwrap_or(0.0);
            values[1 - self.seat] = 0.0 - values[self.seat];
        } else {
            for (seat, value) in values[..players].iter_mut().enumerate() {
                let sum = self.words[EDGE + seat].load(Ordering::Relaxed) as i64;
                *value = fixed_mean(sum, done.max(1));
            }
        }
        values
    }

    #[inline(always)]
    pub(super) fn action(&self) -> Action {
        Action(self.words[1].load(Ordering::Relaxed) as u16)
    }

    /// The prior in units of 1 / 65535.
    pub(super) fn prior(&self) -> u16 {
        (self.words[1].load(Ordering::Relaxed) >> 16) as u16
    }

    /// The child node; 0 if the edge is unexpanded.
    #[inline(always)]
    pub(super) fn child(&self) -> u32 {
        (self.words[1].load(Ordering::Acquire) >> 32) as u32
    }

    /// Links `child` unless another thread was first; returns the linked child.
    pub(super) fn set_child(&self, child: u32) -> u32 {
        let bare = self.words[1].load(Ordering::Relaxed) & u64::from(u32::MAX);
        let linked = bare | u64::from(child) << 32;
        match self.words[1].compare_exchange(bare, linked, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => child,
            Err(word) => (word >> 32) as u32,
        }
    }
}
