//! The tree: each state one block of words, all blocks in one arena.
//!
//! A block is a header and then arrays, one entry an edge, padded to
//! [`LANES`]: visits, children, actions with priors, and sums of values. A
//! visit reads one block, and a state gets its block at its second visit:
//! until then the edge that leads to it holds all there is to know.

mod proof;
mod reroot;

use meeple_game::{Action, MAX_PLAYERS, Payoffs};

pub(crate) use proof::Proof;

use crate::machine::prefetch;
use crate::select::LANES;

/// In place of a seat: luck decides.
pub(crate) const LUCK: u8 = u8::MAX;
/// Words before the arrays: edges, mover and what is known of draws; visits; the mover's sum of
/// values; the evaluator's value of the state itself.
const HEADER: usize = 4;
/// Where the root's block is.
pub(crate) const ROOT: u32 = 1;
/// The child of an edge that leads to no block yet.
pub(crate) const NO_CHILD: u32 = 0;
/// Set in a child when its value is proven.
pub(crate) const SOLVED: u32 = 1 << 31;
/// The child of an edge that ends the game.
pub(crate) const END: u32 = SOLVED | NO_CHILD;
/// In place of the sum of a proven loss, so that it is never selected while
/// there is anything else. Nothing that is added to it shows.
const LOST: f32 = -1e30;
/// In place of the sum of a proven draw, and of what cannot beat the draw that
/// there is: nothing more can be learned from it.
const DRAWN: f32 = -1e29;

/// An edge of a block.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Step {
    pub(crate) block: u32,
    pub(crate) edge: u32,
}

/// What a new block is made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sketch<'a> {
    /// Who decides, or [`LUCK`].
    pub(crate) mover: u8,
    pub(crate) actions: &'a [Action],
    /// As many as actions, or none for even ones.
    pub(crate) priors: &'a [f32],
    /// Visits so far, and what the mover got from each on average: the evaluator's
    /// value of the state, unless there are none.
    pub(crate) visits: u32,
    pub(crate) value: f32,
}

/// The arena of blocks.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    words: Vec<u32>,
    /// The most words there may be.
    limit: usize,
    /// Sums of values for each edge: one for each seat, or only the mover's at
    /// a table of two, where the other loses what it wins.
    planes: usize,
    nodes: u64,
}

/// A block taken apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<'a> {
    pub(crate) mover: u8,
    pub(crate) total: u32,
    /// What the mover got from all visits but the one on its way.
    sum: f32,
    /// The evaluator's value of the state itself; no number where it has none.
    own: f32,
    pub(crate) count: usize,
    pub(crate) visits: &'a [u32],
    pub(crate) children: &'a [u32],
    pub(crate) edges: &'a [u32],
    /// The sums of the mover, or of the first seat where luck decides.
    pub(crate) values: &'a [u32],
}

impl Block<'_> {
    /// What the state has been worth to its mover, while a visit is on its way.
    #[inline(always)]
    pub(crate) fn mean(&self) -> f32 {
        self.sum / self.total.saturating_sub(1).max(1) as i32 as f32
    }

    /// The evaluator's value of the state itself to its mover, if it was evaluated.
    pub(crate) fn raw_value(&self) -> Option<f32> {
        Some(self.own).filter(|own| !own.is_nan())
    }

    pub(crate) fn action(&self, edge: usize) -> Action {
        Action(self.edges[edge] as u16)
    }

    pub(crate) fn prior(&self, edge: usize) -> f32 {
        (self.edges[edge] >> 16) as f32 / 65_535.0
    }

    /// What an edge has been worth to the mover, 0 if never tried.
    pub(crate) fn edge_mean(&self, edge: usize) -> f32 {
        match (f32::from_bits(self.values[edge]), self.visits[edge]) {
            (_, 0) => 0.0,
            (value, _) if value <= LOST => -1.0,
            (value, _) if value <= DRAWN => 0.0,
            (value, visits) => value / visits as f32,
        }
    }

    pub(crate) fn is_solved(&self, edge: usize) -> bool {
        self.children[edge] & SOLVED != 0
    }

    /// Whether an edge is worth no more looks.
    pub(crate) fn is_closed(&self, edge: usize) -> bool {
        f32::from_bits(self.values[edge]) <= DRAWN
    }
}

fn stride(count: usize) -> usize {
    count.next_multiple_of(LANES)
}

impl Tree {
    pub(crate) fn new(memory: usize) -> Self {
        // Offsets share their word with a mark.
        let limit = (memory / size_of::<u32>()).min(SOLVED as usize - 1);
        Self { words: Vec::new(), limit, planes: 1, nodes: 0 }
    }

    /// Forgets everything, and makes ready for a table of `players`.
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

    /// Whether values of one seat stand for both.
    #[inline(always)]
    pub(crate) fn is_two_sided(&self) -> bool {
        self.planes == 1
    }

    /// Adds a block, if there is room.
    pub(crate) fn add(&mut self, sketch: &Sketch<'_>) -> Option<u32> {
        let count = sketch.actions.len();
        let stride = stride(count);
        let size = HEADER + (3 + self.planes) * stride;
        let at = self.words.len();
        if at + size > self.limit {
            return None;
        }
        if at + size > self.words.capacity() {
            self.grow(size);
        }
        self.words.resize(at + size, 0);
        let block = &mut self.words[at..];
        block[0] = count as u32 | u32::from(sketch.mover) << 16;
        block[1] = sketch.visits;
        block[2] = (sketch.value * sketch.visits as f32).to_bits();
        block[3] = if sketch.visits == 0 { f32::NAN } else { sketch.value }.to_bits();
        let edges = &mut block[HEADER + 2 * stride..HEADER + 2 * stride + count];
        if sketch.priors.is_empty() {
            let even = fixed(1.0 / count as f32);
            for (edge, action) in edges.iter_mut().zip(sketch.actions) {
                *edge = u32::from(action.0) | even;
            }
        } else {
            for ((edge, action), &prior) in edges.iter_mut().zip(sketch.actions).zip(sketch.priors)
            {
                *edge = u32::from(action.0) | fixed(prior);
            }
        }
        self.nodes += 1;
        Some(at as u32)
    }

    /// A quarter more room at a time: doubling would waste what the limit on
    /// memory counts.
    #[cold]
    fn grow(&mut self, size: usize) {
        let more = (self.words.len() / 4).max(size).max(1 << 12);
        self.words.reserve_exact(more.min(self.limit - self.words.len()));
    }

    /// Has the beginning of a block fetched.
    #[inline(always)]
    pub(crate) fn prefetch(&self, at: u32) {
        for line in 0..3 {
            prefetch(&self.words, at as usize + 16 * line);
        }
    }

    #[inline(always)]
    pub(crate) fn block(&self, at: u32) -> Block<'_> {
        let words = &self.words[at as usize..];
        let count = (words[0] & 0xffff) as usize;
        let mover = (words[0] >> 16) as u8;
        let stride = stride(count);
        let plane = if self.planes == 1 || mover == LUCK { 0 } else { usize::from(mover) };
        let arrays = &words[HEADER..HEADER + (3 + self.planes) * stride];
        let (visits, rest) = arrays.split_at(stride);
        let (children, rest) = rest.split_at(stride);
        let (edges, planes) = rest.split_at(stride);
        Block {
            mover,
            total: words[1],
            sum: f32::from_bits(words[2]),
            own: f32::from_bits(words[3]),
            count,
            visits,
            children,
            edges,
            values: &planes[plane * stride..(plane + 1) * stride],
        }
    }

    #[inline(always)]
    fn head(&self, at: u32) -> (usize, u8, usize) {
        let head = self.words[at as usize];
        let count = (head & 0xffff) as usize;
        (count, (head >> 16) as u8, stride(count))
    }

    /// Counts a visit of the state itself.
    #[inline(always)]
    pub(crate) fn visit(&mut self, at: u32) {
        self.words[at as usize + 1] += 1;
    }

    /// Takes back a visit of the state itself.
    pub(crate) fn unvisit(&mut self, at: u32) {
        self.words[at as usize + 1] -= 1;
    }

    pub(crate) fn child(&self, step: Step) -> u32 {
        let (_, _, stride) = self.head(step.block);
        self.words[step.block as usize + HEADER + stride + step.edge as usize]
    }

    #[inline(always)]
    pub(crate) fn set_child(&mut self, step: Step, child: u32) {
        let (_, _, stride) = self.head(step.block);
        self.words[step.block as usize + HEADER + stride + step.edge as usize] = child;
    }

    /// Replaces a prior.
    pub(crate) fn set_prior(&mut self, step: Step, prior: f32) {
        let (_, _, stride) = self.head(step.block);
        let edge = &mut self.words[step.block as usize + HEADER + 2 * stride + step.edge as usize];
        *edge = *edge & 0xffff | fixed(prior);
    }

    /// Adds `visits` and `values` to an edge.
    #[inline(always)]
    pub(crate) fn add_values(&mut self, step: Step, visits: u32, values: &Payoffs) {
        let (_, mover, stride) = self.head(step.block);
        let size = HEADER + (3 + self.planes) * stride;
        let block = &mut self.words[step.block as usize..][..size];
        let edge = step.edge as usize;
        block[HEADER + edge] += visits;
        let seat = if mover == LUCK { 0 } else { usize::from(mover) };
        block[2] = (f32::from_bits(block[2]) + values[seat]).to_bits();
        let planes = &mut block[HEADER + 3 * stride..];
        if self.planes == 1 {
            planes[edge] = (f32::from_bits(planes[edge]) + values[seat]).to_bits();
        } else {
            for (plane, value) in planes.chunks_exact_mut(stride).zip(values) {
                plane[edge] = (f32::from_bits(plane[edge]) + value).to_bits();
            }
        }
    }

    /// What an edge has been worth to each of `players`, 0 if never tried.
    pub(crate) fn edge_values(&self, step: Step, players: usize) -> Payoffs {
        let (_, mover, stride) = self.head(step.block);
        let mut values = [0.0; MAX_PLAYERS];
        if self.planes == 1 {
            let seat = if mover == LUCK { 0 } else { usize::from(mover) };
            values[seat] = self.block(step.block).edge_mean(step.edge as usize);
            values[1 - seat] = -values[seat];
            return values;
        }
        let first = step.block as usize + HEADER;
        let visits = self.words[first + step.edge as usize];
        for (plane, value) in values[..players].iter_mut().enumerate() {
            let at = first + (3 + plane) * stride + step.edge as usize;
            *value = f32::from_bits(self.words[at]) / visits.max(1) as f32;
        }
        values
    }

    /// The edge of an action, if it is one of the block's.
    #[inline(always)]
    pub(crate) fn edge_of(&self, at: u32, action: Action) -> Option<u32> {
        let block = self.block(at);
        let found = block.edges[..block.count].iter().position(|&edge| edge as u16 == action.0);
        found.map(|edge| edge as u32)
    }
}

/// A prior in the upper half of a word.
fn fixed(prior: f32) -> u32 {
    ((prior.clamp(0.0, 1.0) * 65_535.0).round() as u32) << 16
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn sketch<'a>(actions: &'a [Action], priors: &'a [f32]) -> Sketch<'a> {
        Sketch { mover: 0, actions, priors, visits: 0, value: 0.0 }
    }

    #[test]
    fn blocks_keep_what_is_put_in() {
        let mut tree = Tree::new(1 << 20);
        tree.clear(3);
        let actions: Vec<Action> = (10..19).map(Action).collect();
        let root = tree.add(&sketch(&actions, &[])).unwrap();
        assert_eq!(root, ROOT);
        let step = Step { block: root, edge: 8 };
        tree.add_values(step, 1, &[0.5, -0.25, -0.25, 0.0, 0.0, 0.0]);
        tree.add_values(step, 1, &[1.0, -0.5, -0.5, 0.0, 0.0, 0.0]);
        assert_eq!(tree.edge_values(step, 3)[..3], [0.75, -0.375, -0.375]);
        let block = tree.block(root);
        assert_eq!((block.count, block.action(8), block.edge_mean(8)), (9, Action(18), 0.75));
        assert!((block.prior(3) - 1.0 / 9.0).abs() < 1e-4);
        assert_eq!(tree.edge_of(root, Action(12)), Some(2));
        assert_eq!(tree.edge_of(root, Action(1)), None);
    }

    #[test]
    fn the_limit_is_kept() {
        let mut tree = Tree::new(400);
        tree.clear(2);
        let actions = [Action(0), Action(1)];
        assert!(tree.add(&sketch(&actions, &[])).is_some());
        assert!(tree.add(&sketch(&actions, &[])).is_some());
        assert!(tree.add(&sketch(&actions, &[])).is_none());
        assert!(tree.bytes() <= 400);
    }
}
