//! Enumeration of the ranks of all hands that complete some fixed cards, in bulk.
//!
//! Hands that differ only in the suits of their last cards have the same rank
//! unless one is a flush. So the last card is enumerated by rank, and so are the
//! last two where the cards before them rule out a flush: one lookup counts for
//! up to sixteen hands.

use crate::tables::{RANK_WEIGHTS, flush_rank, seven_rank, short_rank};
use crate::{Card, CardSet, Partial, Rank, key};

/// Calls `visit(rank, hands)`, so that every hand of `size` cards that consists
/// of `fixed` and cards of `deck` is counted once.
///
/// ```
/// use meeple_poker::{CardSet, Category, for_each_rank};
///
/// // How many rivers complete a flush draw?
/// let hand: CardSet = "AhKh2h7h9cTs".parse()?;
/// let mut flushes = 0;
/// for_each_rank(hand, CardSet::DECK, 7, |rank, hands| {
///     if rank.category() == Category::Flush {
///         flushes += hands;
///     }
/// });
/// assert_eq!(flushes, 9);
/// # Ok::<_, meeple_poker::ParseCardsError>(())
/// ```
///
/// # Panics
///
/// Panics when `size` is not 5, 6 or 7 or less than the number of fixed cards.
pub fn for_each_rank(fixed: CardSet, deck: CardSet, size: usize, mut visit: impl FnMut(Rank, u32)) {
    assert!((5..=7).contains(&size), "a rank needs five to seven cards, not {size}");
    assert!(fixed.len() <= size, "{fixed:?} has more than {size} cards");
    let deck = Deck::new(deck - fixed);
    let (hand, missing) = (Partial::of(fixed), size - fixed.len());
    if size == 7 {
        complete::<true>(hand, missing, 52, &deck, &mut visit);
    } else {
        complete::<false>(hand, missing, 52, &deck, &mut visit);
    }
}

/// The cards that can be added.
struct Deck {
    cards: CardSet,
    /// `[below][rank]`: the number of cards of a rank with an index below `below`.
    counts: [[u8; 13]; 53],
}

impl Deck {
    fn new(cards: CardSet) -> Self {
        let mut counts = [[0; 13]; 53];
        for below in 1..=52 {
            counts[below] = counts[below - 1];
            let card = Card::from_index(below - 1);
            counts[below][card.rank() as usize] += u8::from(cards.contains(card));
        }
        Self { cards, counts }
    }
}

/// Adds `missing` cards with indices below `below`, in descending order.
fn complete<const SEVEN: bool>(
    hand: Partial,
    missing: usize,
    below: usize,
    deck: &Deck,
    visit: &mut impl FnMut(Rank, u32),
) {
    match missing {
        0 => visit(hand.rank(), 1),
        1 => add_last::<SEVEN>(hand, below, deck, visit),
        2 if key::flush_suit(hand.key(), 3).is_none() => add_two::<SEVEN>(hand, below, deck, visit),
        _ => {
            for index in (0..below).rev() {
                let card = Card::from_index(index);
                if deck.cards.contains(card) {
                    complete::<SEVEN>(hand.with(card), missing - 1, index, deck, visit);
                }
            }
        }
    }
}

#[inline(always)]
fn plain_rank<const SEVEN: bool>(sum: u32) -> Rank {
    Rank::from_number(if SEVEN { seven_rank(sum) } else { short_rank(sum) })
}

/// The number of ranks among the cards with indices below `below`.
fn ranks_below(below: usize) -> usize {
    below.div_ceil(4)
}

/// Adds two cards that cannot make a flush.
fn add_two<const SEVEN: bool>(
    hand: Partial,
    below: usize,
    deck: &Deck,
    visit: &mut impl FnMut(Rank, u32),
) {
    let sum = key::weight_sum(hand.key());
    let counts = &deck.counts[below];
    for high in 0..ranks_below(below) {
        let count = u32::from(counts[high]);
        if count == 0 {
            continue;
        }
        let sum = sum.wrapping_add(RANK_WEIGHTS[high]);
        for low in 0..high {
            let ways = count * u32::from(counts[low]);
            if ways > 0 {
                visit(plain_rank::<SEVEN>(sum.wrapping_add(RANK_WEIGHTS[low])), ways);
            }
        }
        if count > 1 {
            let ways = count * (count - 1) / 2;
            visit(plain_rank::<SEVEN>(sum.wrapping_add(RANK_WEIGHTS[high])), ways);
        }
    }
}

/// Adds the last card.
fn add_last<const SEVEN: bool>(
    hand: Partial,
    below: usize,
    deck: &Deck,
    visit: &mut impl FnMut(Rank, u32),
) {
    let sum = key::weight_sum(hand.key());
    let counts = &deck.counts[below];
    let Some(suit) = key::flush_suit(hand.key(), 4) else {
        for rank in 0..ranks_below(below) {
            if counts[rank] > 0 {
                let plain = plain_rank::<SEVEN>(sum.wrapping_add(RANK_WEIGHTS[rank]));
                visit(plain, u32::from(counts[rank]));
            }
        }
        return;
    };
    let held = (hand.cards().bits() >> (16 * suit)) as u16;
    let free = (deck.cards.bits() >> (16 * suit)) as u16;
    let is_flush = held.count_ones() >= 5;
    for rank in 0..ranks_below(below) {
        let mut others = u32::from(counts[rank]);
        if free >> rank & 1 == 1 && 4 * rank + suit < below {
            others -= 1;
            visit(Rank::from_number(flush_rank(held | 1 << rank)), 1);
        }
        if others > 0 {
            let rank = if is_flush {
                Rank::from_number(flush_rank(held))
            } else {
                plain_rank::<SEVEN>(sum.wrapping_add(RANK_WEIGHTS[rank]))
            };
            visit(rank, others);
        }
    }
}
