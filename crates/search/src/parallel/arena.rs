//! A tree that many threads write at once: blocks of atomic words, in chunks that
//! are never moved.
//!
//! A block is a header and, for each edge, its counts, its link and its sums of
//! values. A block is filled before a link leads to it and what is filled never
//! changes but for counts, sums and links, so no lock is needed. Sums are whole
//! numbers, so the order in which they are added does not matter.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use meeple_game::{Action, MAX_PLAYERS, Payoffs};

use crate::tree::{LUCK, Sketch};

/// Words of a chunk, as a power of two; no block is larger.
const CHUNK_BITS: u32 = 14;
const CHUNK: u64 = 1 << CHUNK_BITS;
/// Words before the edges: how many they are and who decides; visits begun.
const HEADER: usize = 2;
/// Words of an edge before its sums: counts, and link.
const EDGE: usize = 2;
/// What a value of 1 adds to a sum.
const ONE: f64 = (1u64 << 32) as f64;

/// The arena of blocks.
#[derive(Debug)]
pub(super) struct Arena {
    chunks: Box<[OnceLock<Box<[AtomicU64]>>]>,
    /// The first word that is free.
    next: AtomicU64,
    nodes: AtomicU64,
    /// The most words there may be.
    limit: u64,
    /// Sums for each edge: one for each seat, or only the mover's at a table of
    /// two.
    planes: usize,
}

impl Arena {
    pub(super) fn new(memory: usize) -> Self {
        let limit = (memory / size_of::<u64>()).min(u32::MAX as usize) as u64;
        let chunks = (0..limit.div_ceil(CHUNK)).map(|_| OnceLock::new()).collect();
        let (next, nodes) = (AtomicU64::new(1), AtomicU64::new(0));
        Self { chunks, next, nodes, limit, planes: 1 }
    }

    /// Forgets everything, and makes ready for a table of `players`.
    pub(super) fn clear(&mut self, players: usize) {
        *self.next.get_mut() = 1;
        *self.nodes.get_mut() = 0;
        self.planes = if players == 2 { 1 } else { players };
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    pub(super) fn bytes(&self) -> u64 {
        self.next.load(Ordering::Relaxed) * size_of::<u64>() as u64
    }

    fn words(&self, at: u32) -> &[AtomicU64] {
        let number = at >> CHUNK_BITS;
        // The last chunk is as long as the limit leaves it.
        let size = CHUNK.min(self.limit - (u64::from(number) << CHUNK_BITS));
        let new = || (0..size).map(|_| AtomicU64::new(0)).collect();
        let chunk = self.chunks[number as usize].get_or_init(new);
        &chunk[(at as usize) & (CHUNK as usize - 1)..]
    }

    /// Takes so many words, if there is room.
    fn allocate(&self, size: u64) -> Option<u32> {
        let mut free = self.next.load(Ordering::Relaxed);
        loop {
            let room = CHUNK - free % CHUNK;
            let at = if size <= room { free } else { free + room };
            if size > CHUNK || at + size > self.limit {
                return None;
            }
            let taken = (free, at + size);
            match self.next.compare_exchange_weak(
                taken.0,
                taken.1,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return Some(at as u32),
                Err(now) => free = now,
            }
        }
    }

    /// Adds a block, if there is room; nothing leads to it yet.
    pub(super) fn add(&self, sketch: &Sketch<'_>) -> Option<u32> {
        let count = sketch.actions.len();
        let width = EDGE + self.planes;
        let at = self.allocate((HEADER + count * width) as u64)?;
        let words = self.words(at);
        let put = |place: usize, word: u64| words[place].store(word, Ordering::Relaxed);
        put(0, count as u64 | u64::from(sketch.mover) << 32);
        put(1, 0);
        for (edge, action) in sketch.actions.iter().enumerate() {
            let even = 1.0 / count as f32;
            let prior = sketch.priors.get(edge).copied().unwrap_or(even).clamp(0.0, 1.0);
            let first = HEADER + edge * width;
            (0..width).for_each(|word| put(first + word, 0));
            put(first + 1, u64::from(action.0) | ((prior * 65_535.0).round() as u64) << 16);
        }
        self.nodes.fetch_add(1, Ordering::Relaxed);
        Some(at)
    }

    pub(super) fn block(&self, at: u32) -> Block<'_> {
        let words = self.words(at);
        let head = words[0].load(Ordering::Relaxed);
        let (count, mover) = (head as u32 as usize, (head >> 32) as u8);
        let width = EDGE + self.planes;
        let seat = if mover == LUCK { 0 } else { usize::from(mover) };
        let plane = if self.planes == 1 { 0 } else { seat };
        Block {
            mover,
            count,
            seat,
            plane,
            width,
            begun: &words[1],
            edges: &words[HEADER..HEADER + count * width],
        }
    }
}

/// A block taken apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'a> {
    pub(super) mover: u8,
    pub(super) count: usize,
    /// Whose values count: the mover's, or the first seat's where luck decides.
    pub(super) seat: usize,
    plane: usize,
    width: usize,
    begun: &'a AtomicU64,
    edges: &'a [AtomicU64],
}

impl<'a> Block<'a> {
    /// Counts a visit of the state; how many have begun with it.
    pub(super) fn begin(&self) -> u32 {
        self.begun.fetch_add(1, Ordering::Relaxed) as u32 + 1
    }

    #[cfg(test)]
    pub(super) fn begun(&self) -> u64 {
        self.begun.load(Ordering::Relaxed)
    }

    pub(super) fn edge(&self, edge: usize) -> Edge<'a> {
        let words = &self.edges[edge * self.width..(edge + 1) * self.width];
        Edge { words, seat: self.seat, plane: self.plane }
    }

    /// What the state has been worth to its mover, by finished visits.
    pub(super) fn mean(&self) -> f32 {
        let (mut visits, mut sum) = (0u32, 0.0f64);
        for edge in (0..self.count).map(|edge| self.edge(edge)) {
            let (_, done) = edge.counts();
            visits += done;
            sum += f64::from(edge.mean().unwrap_or(0.0)) * f64::from(done);
        }
        (sum / f64::from(visits.max(1))) as f32
    }
}

/// An edge of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<'a> {
    words: &'a [AtomicU64],
    seat: usize,
    plane: usize,
}

impl Edge<'_> {
    /// Visits begun, and visits done; those in between are on their way.
    pub(super) fn counts(&self) -> (u32, u32) {
        let word = self.words[0].load(Ordering::Relaxed);
        ((word >> 32) as u32, word as u32)
    }

    /// Counts a visit that begins; how many have before.
    pub(super) fn begin(&self) -> u32 {
        (self.words[0].fetch_add(1 << 32, Ordering::Relaxed) >> 32) as u32
    }

    /// Counts a visit that is done, and what it was worth.
    pub(super) fn finish(&self, values: &Payoffs) {
        let sums = &self.words[EDGE..];
        let fixed = |value: f32| (f64::from(value) * ONE) as i64 as u64;
        if let [sum] = sums {
            sum.fetch_add(fixed(values[self.seat]), Ordering::Relaxed);
        } else {
            for (sum, &value) in sums.iter().zip(values) {
                sum.fetch_add(fixed(value), Ordering::Relaxed);
            }
        }
        self.words[0].fetch_add(1, Ordering::Relaxed);
    }

    fn sum(&self, plane: usize) -> f64 {
        self.words[EDGE + plane].load(Ordering::Relaxed) as i64 as f64 / ONE
    }

    /// What the edge has been worth to the mover, if a visit is done.
    pub(super) fn mean(&self) -> Option<f32> {
        let (_, done) = self.counts();
        (done > 0).then(|| (self.sum(self.plane) / f64::from(done)) as f32)
    }

    /// What it has been worth to each of `players`.
    pub(super) fn values(&self, players: usize) -> Payoffs {
        let (_, done) = self.counts();
        let mut values = [0.0; MAX_PLAYERS];
        if self.words.len() == EDGE + 1 {
            values[self.seat] = self.mean().unwrap_or(0.0);
            values[1 - self.seat] = 0.0 - values[self.seat];
        } else {
            for (seat, value) in values[..players].iter_mut().enumerate() {
                *value = (self.sum(seat) / f64::from(done.max(1))) as f32;
            }
        }
        values
    }

    pub(super) fn action(&self) -> Action {
        Action(self.words[1].load(Ordering::Relaxed) as u16)
    }

    /// The prior in steps of 1 / 65535.
    pub(super) fn prior(&self) -> u16 {
        (self.words[1].load(Ordering::Relaxed) >> 16) as u16
    }

    /// The block behind, 0 if there is none yet.
    pub(super) fn child(&self) -> u32 {
        (self.words[1].load(Ordering::Acquire) >> 32) as u32
    }

    /// Has the edge lead to `child`, unless another was faster; to where it
    /// leads.
    pub(super) fn link(&self, child: u32) -> u32 {
        let bare = self.words[1].load(Ordering::Relaxed) & u64::from(u32::MAX);
        let linked = bare | u64::from(child) << 32;
        match self.words[1].compare_exchange(bare, linked, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => child,
            Err(word) => (word >> 32) as u32,
        }
    }
}
