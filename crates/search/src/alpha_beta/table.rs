//! The transposition table: buckets of one cache line, shared by threads without locks.
//!
//! An entry is two words, the data and the key combined with the data by exclusive or, so that a
//! torn entry matches no key (Hyatt and Mann, "A Lock-less Transposition Table Implementation for
//! Parallel Search", 2002). Shallow and old entries are replaced first (Breuker, Uiterwijk and
//! van den Herik, "Replacement Schemes for Transposition Tables", 1994).

use std::sync::atomic::{AtomicU64, Ordering};

use meeple_game::Action;

use super::score::{PROVEN, WIN};

/// What the score of an entry says about the value of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// Nothing: only the action is of use.
    None,
    /// The value is at most the score.
    Upper,
    /// The value is at least the score.
    Lower,
    /// The score is the value.
    Exact,
}

/// The depth of values that no deeper search can change.
pub(crate) const COMPLETE: i32 = 255;

/// The static evaluation of an entry that has none.
pub(crate) const NO_EVALUATION: i32 = i16::MIN as i32;

/// An entry of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The best action, if one is known.
    pub(crate) action: Option<Action>,
    /// The score, with distances from this position.
    pub(crate) score: i32,
    /// The static evaluation, or [`NO_EVALUATION`].
    pub(crate) evaluation: i32,
    /// The depth of the search, or [`COMPLETE`].
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
}

const NO_ACTION: u16 = u16::MAX;
/// Proven scores are packed as distances from this score.
const PACKED_WIN: i32 = 32_000;
const PACKED_PROVEN: i32 = PACKED_WIN - (WIN - PROVEN);
const SLOTS: usize = 4;

#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

/// What the middle half of an entry holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Score and static evaluation, in units as coarse as centipawns.
    Evaluated,
    /// A score in millionths of a payoff, and no evaluation.
    Fine,
}

/// A transposition table of fixed size.
#[derive(Debug)]
pub(crate) struct Table {
    buckets: Vec<Bucket>,
    layout: Layout,
    /// The number of searches, modulo 64.
    age: u64,
}

impl Table {
    /// Creates an empty table of at most `bytes`, with at least one bucket.
    pub(crate) fn new(bytes: usize, layout: Layout) -> Self {
        let count = (bytes / size_of::<Bucket>()).max(1);
        let mut buckets = Vec::with_capacity(count);
        buckets.resize_with(count, Bucket::default);
        Self { buckets, layout, age: 0 }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// The number of slots.
    pub(crate) fn capacity(&self) -> u64 {
        (self.buckets.len() * SLOTS) as u64
    }

    /// Makes all entries older than those of the next search.
    pub(crate) fn start_search(&mut self) {
        self.age = (self.age + 1) & 63;
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        self.age = 0;
        for slot in self.buckets.iter_mut().flat_map(|bucket| &mut bucket.0) {
            *slot = Slot::default();
        }
    }

    /// The share of slots that this search has filled, in thousandths, from a sample.
    pub(crate) fn fullness(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0);
        let is_fresh = |slot: &&Slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data != 0 && data >> 58 == self.age
        };
        (slots.filter(is_fresh).count() * 1000 / (sample.len() * SLOTS)) as u32
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        // The high half of the product maps keys evenly to any number of buckets.
        let at = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[at as usize]
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        for slot in &self.bucket(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == key && data != 0 {
                return Some(unpack(data, self.layout));
            }
        }
        None
    }

    /// Stores an entry in the slot of the same key, or in the one of least worth. An action that
    /// is not known is kept from the entry before.
    #[inline]
    pub(crate) fn put(&self, key: u64, mut entry: Entry) {
        let mut least = i64::MAX;
        let mut chosen = 0;
        let bucket = self.bucket(key);
        for (at, slot) in bucket.0.iter().enumerate() {
            let data = slot.data.load(Ordering::Relaxed);
            if data == 0 {
                chosen = at;
                break;
            }
            let old = unpack(data, self.layout);
            let age = (self.age + 64 - (data >> 58)) & 63;
            if slot.check.load(Ordering::Relaxed) ^ data == key {
                // A much deeper result of this search is worth more than a bound.
                if age == 0 && entry.bound != Bound::Exact && entry.depth + 3 < old.depth {
                    return;
                }
                entry.action = entry.action.or(old.action);
                chosen = at;
                break;
            }
            // A search of age counts as four plies of depth.
            let worth = i64::from(old.depth) - 4 * age as i64;
            if worth < least {
                (least, chosen) = (worth, at);
            }
        }
        let data = pack(&entry, self.layout) | self.age << 58;
        let slot = &bucket.0[chosen];
        slot.check.store(key ^ data, Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
    }
}

/// Action, score, evaluation, depth and bound, from the low end; the age is in the high six bits.
fn pack(entry: &Entry, layout: Layout) -> u64 {
    let half = |value: i32| u64::from(value as i16 as u16);
    let middle = match layout {
        Layout::Evaluated => half(narrow(entry.score)) | half(entry.evaluation) << 16,
        Layout::Fine => u64::from(entry.score as u32),
    };
    u64::from(entry.action.map_or(NO_ACTION, |action| action.0))
        | middle << 16
        | (entry.depth.clamp(0, COMPLETE) as u64) << 48
        | (entry.bound as u64) << 56
}

fn unpack(data: u64, layout: Layout) -> Entry {
    let half = |at: u32| i32::from((data >> at) as u16 as i16);
    let action = data as u16;
    let (score, evaluation) = match layout {
        Layout::Evaluated => (widen(half(16)), half(32)),
        Layout::Fine => ((data >> 16) as u32 as i32, NO_EVALUATION),
    };
    Entry {
        action: (action != NO_ACTION).then_some(Action(action)),
        score,
        evaluation,
        depth: i32::from((data >> 48) as u8),
        bound: match data >> 56 & 3 {
            0 => Bound::None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
    }
}

/// A score in 16 bits.
#[inline]
fn narrow(score: i32) -> i32 {
    if score.abs() > PROVEN { score - score.signum() * (WIN - PACKED_WIN) } else { score }
}

/// The inverse of [`narrow`].
#[inline]
fn widen(score: i32) -> i32 {
    if score.abs() > PACKED_PROVEN { score + score.signum() * (WIN - PACKED_WIN) } else { score }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32) -> Entry {
        Entry {
            action: Some(Action(70)),
            score: 10 - WIN,
            evaluation: 123,
            depth,
            bound: Bound::Lower,
        }
    }

    #[test]
    fn entries_are_found_by_their_key_alone() {
        let table = Table::new(1 << 12, Layout::Evaluated);
        table.put(99, entry(7));
        assert_eq!(table.get(99), Some(entry(7)));
        assert_eq!(table.get(100), None);
        let bare = Entry { action: None, bound: Bound::Exact, ..entry(COMPLETE) };
        table.put(1 << 60, bare);
        assert_eq!(table.get(1 << 60), Some(bare));
    }

    #[test]
    fn shallow_entries_give_way_and_old_ones_first() {
        let mut table = Table::new(1, Layout::Evaluated);
        assert_eq!(table.capacity(), 4);
        for (key, depth) in [(1, 20), (2, 3), (3, 15), (4, 9)] {
            table.put(key, entry(depth));
        }
        table.put(5, entry(1));
        assert!(table.get(2).is_none() && table.get(1).is_some());
        for _ in 0..5 {
            table.start_search();
        }
        table.put(5, entry(2));
        // 20 plies five searches ago are worth less than 2 plies now.
        table.put(6, entry(1));
        table.put(7, entry(1));
        table.put(8, entry(1));
        assert!(table.get(1).is_none() && table.get(5).is_some());
    }

    #[test]
    fn the_action_of_a_position_is_kept() {
        let table = Table::new(1 << 12, Layout::Evaluated);
        table.put(99, entry(7));
        table.put(99, Entry { action: None, ..entry(8) });
        assert_eq!(table.get(99), Some(entry(8)));
    }

    #[test]
    fn scores_survive_both_layouts() {
        for layout in [Layout::Evaluated, Layout::Fine] {
            let table = Table::new(1 << 12, layout);
            for score in [0, 1, -30_000, 30_000, WIN, WIN - 320, 7 - WIN, PROVEN + 1] {
                table.put(99, Entry { score, ..entry(7) });
                assert_eq!(table.get(99).map(|entry| entry.score), Some(score), "{layout:?}");
            }
        }
        let table = Table::new(1 << 12, Layout::Fine);
        table.put(99, Entry { score: -987_654, ..entry(7) });
        let expected = Entry { score: -987_654, evaluation: NO_EVALUATION, ..entry(7) };
        assert_eq!(table.get(99), Some(expected));
    }

    #[test]
    fn torn_entries_are_not_found() {
        let table = Table::new(1, Layout::Evaluated);
        table.put(1, entry(7));
        table.buckets[0].0[0].data.fetch_xor(1 << 20, Ordering::Relaxed);
        assert_eq!(table.get(1), None);
    }

    #[test]
    fn a_cleared_table_is_empty() {
        let mut table = Table::new(1 << 12, Layout::Evaluated);
        table.put(5, entry(3));
        assert!(table.fullness() > 0);
        table.clear();
        assert_eq!((table.get(5), table.fullness()), (None, 0));
    }
}
