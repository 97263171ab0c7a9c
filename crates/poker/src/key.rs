//! The key of a hand: a number that adds up from its cards and that the hash tables
//! take.
//!
//! The high 32 bits are the sum of the cards' rank weights (overflow leaves the
//! word). Bits 16 to 23 are the number of cards minus 7, and the low 16 bits a
//! 4-bit counter for each suit that starts at 3, so that its top bit means "five or
//! more". So one test of a few bits tells seven cards without a flush from all else.

use crate::tables::{RANK_WEIGHTS, flush_rank, seven_rank, short_rank};
use crate::{CardSet, Rank};

/// The key of no cards.
pub(crate) const EMPTY: u64 = 0x00f9_3333;
/// The bits that mean "five or more of this suit".
const FLUSH: u64 = 0x8888;
/// The number of cards minus 7.
const COUNT: u64 = 0x00ff_0000;

/// The key of one card, to be added.
pub(crate) const fn of_card(index: usize) -> u64 {
    ((RANK_WEIGHTS[index / 4] as u64) << 32) + (1 << 16) + (1 << (4 * (index % 4)))
}

/// The sum of the cards' rank weights.
#[inline(always)]
pub(crate) const fn weight_sum(key: u64) -> u32 {
    (key >> 32) as u32
}

/// The rank of five to seven `cards`, whose key is `key`; meaningless for any other
/// number.
#[inline(always)]
pub(crate) fn rank(key: u64, cards: CardSet) -> Rank {
    if key & (COUNT | FLUSH) == 0 {
        return Rank::from_number(seven_rank(weight_sum(key)));
    }
    rank_flush_or_short(key, cards)
}

/// Ranks flushes and hands of five or six cards. A function of its own, so that the
/// usual case takes no jump and shares no instruction with the others.
#[cold]
#[inline(never)]
fn rank_flush_or_short(key: u64, cards: CardSet) -> Rank {
    let flush = key & FLUSH;
    Rank::from_number(if flush != 0 {
        flush_rank((cards.bits() >> (4 * (flush.trailing_zeros() - 3))) as u16)
    } else {
        short_rank(weight_sum(key))
    })
}

/// The suit with at least `min` cards, if any; `min` is 3, 4 or 5.
#[inline(always)]
pub(crate) fn flush_suit(key: u64, min: u64) -> Option<usize> {
    let full = (key & 0xffff).wrapping_add(0x1111 * (5 - min)) & FLUSH;
    (full != 0).then(|| full.trailing_zeros() as usize / 4)
}
