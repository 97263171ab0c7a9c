//! The transposition table of the exact solver: bounds by position, shared by threads without
//! locks.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use meeple_game::{Bounds, Score};

/// Entries per bucket: one is kept for the most work, the others for the newest.
const WAYS: usize = 2;
/// Bytes per bucket.
const BUCKET: usize = size_of::<[Entry; WAYS]>();

/// The bounds of one position.
///
/// `check` is the key xor `data`, so an entry that two threads wrote at once matches no key
/// (Hyatt and Mann, 2002, "A lock-less transposition table implementation for parallel search").
#[derive(Default)]
struct Entry {
    check: AtomicU64,
    /// From the lowest bit: low score, high score, the logarithm of the work; 0 if empty.
    data: AtomicU64,
}

impl Entry {
    fn load(&self) -> (u64, u64) {
        let data = self.data.load(Relaxed);
        (self.check.load(Relaxed) ^ data, data)
    }

    fn store(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

const fn pack(bounds: Bounds, work: u32) -> u64 {
    bounds.low.to_bits() as u64 | (bounds.high.to_bits() as u64) << 16 | (work as u64) << 32
}

const fn bounds_of(data: u64) -> Bounds {
    Bounds { low: Score::from_bits(data as u16), high: Score::from_bits((data >> 16) as u16) }
}

const fn work_of(data: u64) -> u32 {
    (data >> 32) as u32
}

/// A table of fixed size.
pub(super) struct Table {
    buckets: Vec<[Entry; WAYS]>,
}

impl Table {
    /// Creates an empty table of at most `memory` bytes, and at least one bucket.
    pub(super) fn new(memory: usize) -> Self {
        let count = (memory / BUCKET).max(1);
        let count = if count.is_power_of_two() { count } else { count.next_power_of_two() / 2 };
        Self { buckets: std::iter::repeat_with(Default::default).take(count).collect() }
    }

    /// Returns what is known of a position.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Bounds> {
        for entry in self.bucket(key) {
            let (found, data) = entry.load();
            if found == key && data != 0 {
                return Some(bounds_of(data));
            }
        }
        None
    }

    /// Stores the bounds of a position that took `nodes` to find.
    #[inline]
    pub(super) fn put(&self, key: u64, bounds: Bounds, nodes: u64) {
        // Never 0, so that a stored entry differs from an empty one.
        let work = 64 - (nodes | 1).leading_zeros();
        let data = pack(bounds, work);
        let [kept, newest] = self.bucket(key);
        let (old_key, old_data) = kept.load();
        if old_key == key || work >= work_of(old_data) {
            kept.store(key, data);
            if old_key != key && old_data != 0 {
                newest.store(old_key, old_data);
            }
        } else {
            newest.store(key, data);
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Entry; WAYS] {
        &self.buckets[key as usize & (self.buckets.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WON: Bounds = Bounds { low: Score::win_in(9), high: Score::win_in(3) };
    const OPEN: Bounds = Bounds { low: Score::loss_in(4), high: Score::DRAW };

    #[test]
    fn stored_bounds_are_found_again() {
        let table = Table::new(1 << 12);
        assert_eq!(table.get(0), None);
        for key in [0, 1, u64::MAX] {
            table.put(key, WON, 10);
            assert_eq!(table.get(key), Some(WON));
            table.put(key, OPEN, 1);
            assert_eq!(table.get(key), Some(OPEN));
        }
    }

    #[test]
    fn the_entry_with_the_most_work_stays() {
        let table = Table::new(BUCKET);
        assert_eq!(table.buckets.len(), 1);
        table.put(1, WON, 1_000_000);
        table.put(2, OPEN, 10);
        table.put(3, OPEN, 10);
        assert_eq!(table.get(1), Some(WON));
        assert_eq!((table.get(2), table.get(3)), (None, Some(OPEN)));
        table.put(4, OPEN, 2_000_000);
        assert_eq!((table.get(4), table.get(1), table.get(3)), (Some(OPEN), Some(WON), None));
    }

    #[test]
    fn entries_written_by_two_threads_at_once_are_not_found() {
        let table = Table::new(BUCKET);
        table.put(1, WON, 10);
        let [entry, _] = table.bucket(1);
        entry.data.store(pack(OPEN, 1), Relaxed);
        assert_eq!(table.get(1), None);
    }
}
