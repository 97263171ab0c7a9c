//! Omaha evaluation: exactly two hole cards with exactly three board cards.
//!
//! Without flushes a hand is decided by the ranks of its cards. The table has the
//! ranks of any two hole ranks in one row for each three board ranks; the maximum
//! of the rows of a board, computed once, is the best rank of any two hole cards.

use crate::tables::{OMAHA_PAIRS, OMAHA_ROWS, OMAHA_VALUES, flush_rank};
use crate::{CardSet, Rank, kernel};

/// A board of three to five cards, preprocessed for evaluating many hands on it.
pub(crate) struct Board {
    /// The best rank by the two ranks of hole cards, without flushes.
    best: [i16; OMAHA_PAIRS],
    /// The suit that allows a flush, as a shift, and its ranks on the board; no
    /// ranks when no suit does.
    flush: (u32, u16),
}

impl Board {
    #[inline]
    pub(crate) fn new(board: CardSet) -> Self {
        let [a, b, c, d, e] = sorted_ranks(board);
        let row = |low: usize, middle: usize, high: usize| THIRD[high] + SECOND[middle] + low;
        // Missing cards are at the beginning, so the first rows are of a smaller
        // board.
        let rows = [
            row(c, d, e),
            row(b, c, d),
            row(b, c, e),
            row(b, d, e),
            row(a, b, c),
            row(a, b, d),
            row(a, b, e),
            row(a, c, d),
            row(a, c, e),
            row(a, d, e),
        ];
        let used = match board.len() {
            0..=3 => 1,
            4 => 4,
            _ => 10,
        };
        // A repeated row changes no maximum.
        let rows = std::array::from_fn(|index| rows[if index < used { index } else { 0 }]);
        let flush = [0, 16, 32, 48].into_iter().fold((0, 0), |found, shift| {
            let ranks = (board.bits() >> shift) as u16;
            if ranks.count_ones() >= 3 { (shift, ranks) } else { found }
        });
        let mut prepared = Self { best: [0; OMAHA_PAIRS], flush };
        let rows = rows.map(|row: usize| &OMAHA_VALUES.0[row % OMAHA_ROWS]);
        kernel::row_maximum(&rows, &mut prepared.best);
        prepared
    }

    /// Ranks a hand of two to five cards.
    #[inline]
    pub(crate) fn rank(&self, hole: CardSet) -> Rank {
        let ranks = unsorted_ranks(hole);
        let best = match hole.len() {
            4 => self.best_pair::<4>(ranks),
            5 => self.best_pair::<5>(ranks),
            3 => self.best_pair::<3>(ranks),
            _ => self.best_pair::<2>(ranks),
        };
        let (shift, board) = self.flush;
        let held = (hole.bits() >> shift) as u16;
        let mut best = best as u16;
        // One branch, rarely taken.
        if (board != 0) & (held.count_ones() >= 2) {
            best = best.max(flush(held, board));
        }
        Rank::from_number(best)
    }

    /// The best rank of any two of the first `N` ranks.
    #[inline(always)]
    fn best_pair<const N: usize>(&self, ranks: [usize; 5]) -> i16 {
        let mut best = 0;
        for one in 1..N {
            for other in 0..one {
                let (low, high) = (ranks[one].min(ranks[other]), ranks[one].max(ranks[other]));
                best = best.max(self.best[SECOND[high] + low]);
            }
        }
        best
    }
}

/// The number of multisets of two ranks below each rank: the index of such a
/// multiset is `SECOND[high] + low`.
const SECOND: [usize; 16] = [0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 0, 0, 0];
/// The number of multisets of three ranks below each rank.
const THIRD: [usize; 16] = [0, 1, 4, 10, 20, 35, 56, 84, 120, 165, 220, 286, 364, 0, 0, 0];

/// The ranks of up to five cards, before zeros for missing cards.
#[inline]
fn unsorted_ranks(cards: CardSet) -> [usize; 5] {
    let mut bits = cards.bits();
    let mut ranks = [0; 5];
    for rank in &mut ranks {
        // Of no bit at all the position is 64, and its last four bits are 0.
        *rank = bits.trailing_zeros() as usize & 15;
        bits &= bits.wrapping_sub(1);
    }
    ranks
}

/// The ranks of up to five cards in ascending order, after zeros for missing cards.
#[inline]
fn sorted_ranks(cards: CardSet) -> [usize; 5] {
    let mut ranks = unsorted_ranks(cards);
    // A sorting network: no branch depends on the cards.
    for (one, other) in [(0, 3), (1, 4), (0, 2), (1, 3), (0, 1), (2, 4), (1, 2), (3, 4), (2, 3)] {
        let (low, high) = (ranks[one].min(ranks[other]), ranks[one].max(ranks[other]));
        (ranks[one], ranks[other]) = (low, high);
    }
    ranks
}

/// The rank of the best flush of two ranks of `held` and three of `board`.
fn flush(held: u16, board: u16) -> u16 {
    let both = held | board;
    // The ace also counts as the rank below the deuce.
    let line = u32::from(both) << 1 | u32::from(both >> 12 & 1);
    let mut lows = line & line >> 1 & line >> 2 & line >> 3 & line >> 4;
    while lows != 0 {
        let low = 31 - lows.leading_zeros();
        let straight = 0b11111u32 << low;
        let ranks = (straight >> 1 | straight << 12) as u16 & 0x1fff;
        if (held & ranks).count_ones() == 2 {
            return flush_rank(ranks);
        }
        lows ^= 1 << low;
    }
    let held = highest(held, 2);
    let board = highest(board, 3);
    flush_rank(held | board)
}

/// The highest `count` ranks of a set.
fn highest(mut ranks: u16, count: u32) -> u16 {
    while ranks.count_ones() > count {
        ranks &= ranks - 1;
    }
    ranks
}
