//! Hand values: the order of all hands, and their 7,462 equivalence classes.

use std::collections::BTreeSet;

/// The value of a hand: its category, then the deciding ranks as bit sets.
///
/// A set of ranks compares like a number: its highest rank is its highest bit.
pub(crate) type Value = (u8, u16, u16);

/// The equivalence classes in order: rank 1 is the worst, 7,462 the best.
pub(crate) struct Classes(Vec<Value>);

impl Classes {
    pub(crate) fn new() -> Self {
        let mut values: BTreeSet<Value> = rank_multisets(5).iter().map(counts_value).collect();
        values.extend((0u16..8192).filter(|ranks| ranks.count_ones() == 5).map(flush_value));
        assert_eq!(values.len(), 7462, "the number of distinct five-card hands");
        Self(values.into_iter().collect())
    }

    pub(crate) fn rank(&self, value: Value) -> u16 {
        1 + self.0.binary_search(&value).expect("every hand belongs to a class") as u16
    }
}

/// The value of the best five of cards with these counts by rank, without flushes.
pub(crate) fn counts_value(counts: &[u8; 13]) -> Value {
    let at_least = |min: u8| (0..13).fold(0, |set, r| set | (u16::from(counts[r] >= min) << r));
    let (any, pairs, trips, quads) = (at_least(1), at_least(2), at_least(3), at_least(4));
    if quads != 0 {
        let four = best(quads, 1);
        return (7, four, best(any & !four, 1));
    }
    let three = best(trips, 1);
    let with_three = best(pairs & !three, 1);
    if trips != 0 && with_three != 0 {
        return (6, three, with_three);
    }
    if let Some(top) = straight(any) {
        return (4, top, 0);
    }
    if trips != 0 {
        return (3, three, best(any & !three, 2));
    }
    match pairs.count_ones() {
        0 => (0, best(any, 5), 0),
        1 => (1, pairs, best(any & !pairs, 3)),
        _ => (2, best(pairs, 2), best(any & !best(pairs, 2), 1)),
    }
}

/// The value of the best five of one suit's cards, given its five or more ranks.
pub(crate) fn flush_value(ranks: u16) -> Value {
    match straight(ranks) {
        Some(top) => (8, top, 0),
        None => (5, best(ranks, 5), 0),
    }
}

/// All multisets of `cards` card ranks, at most four of each.
pub(crate) fn rank_multisets(cards: u8) -> Vec<[u8; 13]> {
    fn extend(rank: usize, left: u8, counts: &mut [u8; 13], found: &mut Vec<[u8; 13]>) {
        if rank == 13 {
            if left == 0 {
                found.push(*counts);
            }
            return;
        }
        for count in 0..=left.min(4) {
            counts[rank] = count;
            extend(rank + 1, left - count, counts, found);
        }
        counts[rank] = 0;
    }
    let mut found = Vec::new();
    extend(0, cards, &mut [0; 13], &mut found);
    found
}

/// The highest `count` ranks of a set.
fn best(mut ranks: u16, count: u32) -> u16 {
    while ranks.count_ones() > count {
        ranks &= ranks - 1;
    }
    ranks
}

/// The top card of the best straight, as a set of one rank.
fn straight(ranks: u16) -> Option<u16> {
    // The ace also counts as the rank below the deuce.
    let line = u32::from(ranks) << 1 | u32::from(ranks >> 12 & 1);
    let lows = line & line >> 1 & line >> 2 & line >> 3 & line >> 4;
    (lows != 0).then(|| 1 << (31 - lows.leading_zeros() + 3))
}
