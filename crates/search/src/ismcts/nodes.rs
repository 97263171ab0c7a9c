//! The tree of information sets: blocks whose edges grow with the worlds seen.
//!
//! A block is a header and entries of 16 bytes, ordered by action, with room
//! for some more. Which actions have entries is a bit set where ids are few:
//! the place of an entry is the number of bits below its own, so the cost of a
//! visit does not depend on what other worlds allow.

#[cfg(test)]
mod tests;

use meeple_game::{Action, ActionList};
use rustc_hash::FxHashMap;

use crate::machine::prefetch;
use crate::room::make_room;
use crate::select::LANES;

/// Sixteen bytes of the arena.
pub(super) type Cell = [u32; 4];

/// Cells of a header: key and bit set; then count, capacity, new place, age.
pub(super) const HEADER: usize = 2;
/// Entries a new block has room for.
const FIRST_CAPACITY: usize = 4;
/// Action ids that fit the bit set.
const NARROW: usize = 64;
/// In place of a block.
pub(super) const NOWHERE: u32 = 0;

/// What is known of one action of an information set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Entry {
    pub(super) visits: u32,
    /// Worlds in which the action was legal.
    pub(super) available: u32,
    /// The sum of what the mover got.
    pub(super) value: f32,
    /// The block found behind it last.
    pub(super) child: u32,
}

impl Entry {
    #[inline(always)]
    fn from_cell([visits, available, value, child]: Cell) -> Self {
        Self { visits, available, value: f32::from_bits(value), child }
    }

    #[inline(always)]
    fn to_cell(self) -> Cell {
        [self.visits, self.available, self.value.to_bits(), self.child]
    }
}

/// All information sets of a search.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    pub(super) cells: Vec<Cell>,
    /// Where the information set of each key is.
    pub(super) places: FxHashMap<u64, u32>,
    /// The most bytes that cells and places may take.
    memory: usize,
    /// Whether ids are too many for the bit set; actions then have cells of
    /// their own, in order.
    is_wide: bool,
    /// Whether entries carry a prior.
    has_priors: bool,
    /// The number of this search, written to all blocks it comes through.
    pub(super) age: u32,
}

/// A prior in steps of 1 / 65535.
fn quantized(prior: f32) -> u32 {
    (prior.clamp(0.0, 1.0) * 65_535.0).round() as u32
}

/// What so many cells and places take.
fn bytes_of(cells: usize, places: usize) -> usize {
    let place = size_of::<(u64, u32)>() + 1;
    cells * size_of::<Cell>() + places * place
}

impl Nodes {
    pub(super) fn new(memory: usize, actions: usize, has_priors: bool) -> Self {
        Self {
            cells: Vec::new(),
            places: FxHashMap::default(),
            memory,
            is_wide: actions > NARROW,
            has_priors,
            age: 0,
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.age = 0;
        self.cells.clear();
        self.cells.push([0; 4]);
        self.places.clear();
    }

    /// The block of the information set `key`, if it is known.
    pub(super) fn known(&self, key: u64) -> Option<u32> {
        self.places.get(&key).copied()
    }

    pub(super) fn len(&self) -> u64 {
        self.places.len() as u64
    }

    pub(super) fn bytes(&self) -> u64 {
        bytes_of(self.cells.len(), self.places.len()) as u64
    }

    /// Cells for what entries carry besides: action and prior in one word.
    pub(super) fn extra_cells(&self, capacity: usize) -> usize {
        if self.is_wide || self.has_priors { capacity.div_ceil(4) } else { 0 }
    }

    #[inline(always)]
    pub(super) fn key(&self, at: u32) -> u64 {
        let [low, high, ..] = self.cells[at as usize];
        u64::from(high) << 32 | u64::from(low)
    }

    #[inline(always)]
    fn bits(&self, at: u32) -> u64 {
        let [_, _, low, high] = self.cells[at as usize];
        u64::from(high) << 32 | u64::from(low)
    }

    /// Has the beginning of a block fetched.
    #[inline(always)]
    pub(super) fn prefetch(&self, at: u32) {
        prefetch(&self.cells, at as usize);
        prefetch(&self.cells, at as usize + 4);
    }

    /// The number of entries.
    pub(super) fn count(&self, at: u32) -> usize {
        self.cells[at as usize + 1][0] as usize
    }

    /// The block of the information set `key`: `guess` if that is it, as it
    /// nearly always is; a new one if there is none, or nothing without room.
    #[inline(always)]
    pub(super) fn find(&mut self, key: u64, guess: u32) -> Option<u32> {
        let known = guess != NOWHERE
            && self.key(guess) == key
            && self.cells[guess as usize + 1][2] == NOWHERE;
        let at = if known { guess } else { self.look_up(key)? };
        self.cells[at as usize + 1][3] = self.age;
        Some(at)
    }

    fn look_up(&mut self, key: u64) -> Option<u32> {
        if let Some(&at) = self.places.get(&key) {
            return Some(at);
        }
        let at = self.allocate(FIRST_CAPACITY)?;
        self.cells[at as usize] = [key as u32, (key >> 32) as u32, 0, 0];
        self.places.insert(key, at);
        Some(at)
    }

    fn allocate(&mut self, capacity: usize) -> Option<u32> {
        let at = self.cells.len();
        let size = HEADER + capacity + self.extra_cells(capacity);
        let bytes = bytes_of(at + size, self.places.len() + 1);
        if bytes > self.memory || at + size > u32::MAX as usize {
            return None;
        }
        make_room(&mut self.cells, size, self.memory / size_of::<Cell>());
        self.cells.resize(at + size, [0; 4]);
        self.cells[at + 1] = [0, capacity as u32, NOWHERE, self.age];
        Some(at as u32)
    }

    /// The place of an action's entry, and whether it has one.
    #[inline(always)]
    pub(super) fn rank(&self, at: u32, action: Action) -> (usize, bool) {
        if self.is_wide {
            return self.wide_rank(at, action);
        }
        let bits = self.bits(at);
        let bit = 1u64 << action.0;
        ((bits & (bit - 1)).count_ones() as usize, bits & bit != 0)
    }

    fn wide_rank(&self, at: u32, action: Action) -> (usize, bool) {
        let (mut low, mut high) = (0, self.count(at));
        while low < high {
            let middle = low.midpoint(high);
            if (self.extra(at, middle) as u16) < action.0 {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low, low < self.count(at) && self.extra(at, low) as u16 == action.0)
    }

    /// Whether an action has an entry.
    #[inline(always)]
    pub(super) fn has(&self, at: u32, action: Action) -> bool {
        if self.is_wide { self.wide_rank(at, action).1 } else { self.bits(at) >> action.0 & 1 == 1 }
    }

    /// Whether all of `actions` have entries.
    #[inline(always)]
    pub(super) fn has_all(&self, at: u32, actions: &[Action]) -> bool {
        if self.is_wide {
            return actions.iter().all(|&action| self.has(at, action));
        }
        let wanted = actions.iter().fold(0u64, |set, action| set | 1 << action.0);
        wanted & !self.bits(at) == 0
    }

    /// The places of up to [`LANES`] entries; the first again where there are fewer.
    #[inline(always)]
    pub(super) fn ranks(&self, at: u32, actions: &[Action]) -> [usize; LANES] {
        let mut ranks = [self.rank(at, actions[0]).0; LANES];
        for (rank, &action) in ranks.iter_mut().zip(actions).skip(1) {
            *rank = self.rank(at, action).0;
        }
        ranks
    }

    /// The cells of all entries.
    #[inline(always)]
    pub(super) fn entries(&mut self, at: u32) -> &mut [Cell] {
        let first = self.slot(at, 0);
        let count = self.count(at);
        &mut self.cells[first..first + count]
    }

    #[inline(always)]
    fn slot(&self, at: u32, rank: usize) -> usize {
        at as usize + HEADER + rank
    }

    #[inline(always)]
    pub(super) fn entry(&self, at: u32, rank: usize) -> Entry {
        Entry::from_cell(self.cells[self.slot(at, rank)])
    }

    #[inline(always)]
    pub(super) fn count_available(&mut self, at: u32, rank: usize) {
        let slot = self.slot(at, rank);
        self.cells[slot][1] += 1;
    }

    #[inline(always)]
    pub(super) fn set_child(&mut self, at: u32, rank: usize, child: u32) {
        let slot = self.slot(at, rank);
        self.cells[slot][3] = child;
    }

    #[inline(always)]
    pub(super) fn add(&mut self, at: u32, rank: usize, value: f32) {
        let slot = self.slot(at, rank);
        let [visits, available, sum, child] = self.cells[slot];
        self.cells[slot] = [visits + 1, available, (f32::from_bits(sum) + value).to_bits(), child];
    }

    /// Adds to the value of an entry that was visited before.
    pub(super) fn add_value(&mut self, at: u32, rank: usize, value: f32) {
        let slot = self.slot(at, rank);
        self.cells[slot][2] = (f32::from_bits(self.cells[slot][2]) + value).to_bits();
    }

    /// Where a block is now, which may have been moved for want of room.
    pub(super) fn place(&self, at: u32) -> u32 {
        match self.cells[at as usize + 1][2] {
            NOWHERE => at,
            moved => self.place(moved),
        }
    }

    /// What the state has been worth to its mover.
    pub(super) fn mean(&self, at: u32) -> f32 {
        let first = self.slot(at, 0);
        let entries = &self.cells[first..first + self.count(at)];
        let (visits, sum) = entries.iter().fold((0, 0.0), |(visits, sum), cell| {
            (visits + cell[0], sum + f32::from_bits(cell[2]))
        });
        sum / visits.max(1) as f32
    }

    /// The visits of all entries.
    pub(super) fn visits(&self, at: u32) -> u64 {
        let first = self.slot(at, 0);
        self.cells[first..first + self.count(at)].iter().map(|cell| u64::from(cell[0])).sum()
    }

    /// How many more visits the most visited entry has than any other.
    pub(super) fn lead(&self, at: u32) -> u64 {
        let first = self.slot(at, 0);
        let (mut most, mut second) = (0, 0);
        for &[visits, ..] in &self.cells[first..first + self.count(at)] {
            second = second.max(visits.min(most));
            most = most.max(visits);
        }
        u64::from(most - second)
    }

    /// Replaces `out` by the actions that have entries, in their order.
    #[inline(always)]
    pub(super) fn list(&self, at: u32, out: &mut ActionList) {
        out.clear();
        (0..self.count(at)).for_each(|rank| out.push(self.action(at, rank)));
    }

    /// Action and prior of an entry in one word.
    fn extra(&self, at: u32, rank: usize) -> u32 {
        let capacity = self.cells[at as usize + 1][1] as usize;
        self.cells[self.slot(at, capacity) + rank / 4][rank % 4]
    }

    fn set_extra(&mut self, at: u32, rank: usize, word: u32) {
        let capacity = self.cells[at as usize + 1][1] as usize;
        let slot = self.slot(at, capacity) + rank / 4;
        self.cells[slot][rank % 4] = word;
    }

    /// The prior of an entry, if there are any.
    #[inline(always)]
    pub(super) fn prior(&self, at: u32, rank: usize) -> Option<f32> {
        self.has_priors.then(|| (self.extra(at, rank) >> 16) as f32 / 65_535.0)
    }

    /// Replaces the prior of an entry, if there are any.
    pub(super) fn set_prior(&mut self, at: u32, rank: usize, prior: f32) {
        if self.has_priors {
            let word = self.extra(at, rank) & 0xffff;
            self.set_extra(at, rank, word | quantized(prior) << 16);
        }
    }

    /// The action of an entry.
    pub(super) fn action(&self, at: u32, rank: usize) -> Action {
        if self.is_wide {
            return Action(self.extra(at, rank) as u16);
        }
        let mut bits = self.bits(at);
        (0..rank).for_each(|_| bits &= bits - 1);
        Action(bits.trailing_zeros() as u16)
    }

    /// Gives `action` an entry; where the block is now, or nothing without
    /// room.
    pub(super) fn insert(&mut self, at: u32, action: Action, prior: f32) -> Option<u32> {
        let [count, capacity, ..] = self.cells[at as usize + 1];
        let at = if count == capacity { self.enlarge(at)? } else { at };
        let count = count as usize;
        let (rank, _) = self.rank(at, action);
        let first = self.slot(at, rank);
        self.cells.copy_within(first..first + count - rank, first + 1);
        self.cells[first] = Entry { available: 1, ..Entry::default() }.to_cell();
        if self.is_wide || self.has_priors {
            for above in (rank..count).rev() {
                let word = self.extra(at, above);
                self.set_extra(at, above + 1, word);
            }
            self.set_extra(at, rank, u32::from(action.0) | quantized(prior) << 16);
        }
        if !self.is_wide {
            let bits = self.bits(at) | 1 << action.0;
            self.cells[at as usize][2] = bits as u32;
            self.cells[at as usize][3] = (bits >> 32) as u32;
        }
        self.cells[at as usize + 1][0] += 1;
        Some(at)
    }

    /// Moves a full block to where there is room for twice as many entries.
    #[cold]
    fn enlarge(&mut self, at: u32) -> Option<u32> {
        let [count, capacity, ..] = self.cells[at as usize + 1];
        let (count, capacity) = (count as usize, capacity as usize);
        let new = self.allocate(2 * capacity)?;
        self.cells[new as usize] = self.cells[at as usize];
        self.cells[new as usize + 1][0] = count as u32;
        let (from, to) = (self.slot(at, 0), self.slot(new, 0));
        self.cells.copy_within(from..from + count, to);
        let (extras, new_extras) = (from + capacity, to + 2 * capacity);
        let size = self.extra_cells(capacity);
        self.cells.copy_within(extras..extras + size, new_extras);
        // Guesses that lead to the old place must not be taken for right.
        self.cells[at as usize + 1][2] = new;
        let key = self.key(new);
        self.places.insert(key, new);
        Some(new)
    }
}
