//! Hand evaluation: one hand, batches of hands, and showdowns on a board.
//!
//! Suits matter for flushes only. A flush is looked up by the ranks of its suit;
//! any other hand by a perfect hash of its multiset of ranks (`tables.rs`).

use std::hint::cold_path;

use crate::tables::{FLUSH_BIT, flush_rank, rank_sum, seven_rank, short_rank};
use crate::{CardSet, Rank, kernel};

/// Ranks the best five of five to seven cards; a higher rank wins.
///
/// ```
/// use meeple_poker::{CardSet, rank};
///
/// let flush: CardSet = "AhKhQh9h2h3c3d".parse()?;
/// let trips: CardSet = "3h3c3dAsKd9c2s".parse()?;
/// assert!(rank(flush) > rank(trips));
/// # Ok::<_, meeple_poker::ParseCardsError>(())
/// ```
///
/// # Panics
///
/// Panics when there are fewer than five or more than seven cards.
#[inline]
#[must_use]
pub fn rank(cards: CardSet) -> Rank {
    match try_rank(cards) {
        Some(rank) => rank,
        None => wrong_number(cards),
    }
}

/// As [`rank`], or `None` for fewer than five or more than seven cards.
#[inline]
#[must_use]
pub fn try_rank(cards: CardSet) -> Option<Rank> {
    let sum = rank_sum(cards);
    if cards.len() == 7 && sum & FLUSH_BIT == 0 {
        return Some(Rank::from_number(seven_rank(sum)));
    }
    // Laid out so that the usual case takes no jump.
    cold_path();
    rank_flush_or_short(cards, sum)
}

/// Ranks flushes and hands of five or six cards; apart, since only one of thirty
/// hands of seven cards is a flush.
fn rank_flush_or_short(cards: CardSet, sum: u32) -> Option<Rank> {
    match cards.len() {
        5..=7 if sum & FLUSH_BIT != 0 => {
            let suit = |shift: u32| (cards.bits() >> shift) as u16;
            let flush = [suit(0), suit(16), suit(32), suit(48)]
                .into_iter()
                .find(|ranks| ranks.count_ones() >= 5)?;
            Some(Rank::from_number(flush_rank(flush)))
        }
        5 | 6 => Some(Rank::from_number(short_rank(sum))),
        _ => None,
    }
}

#[cold]
#[inline(never)]
fn wrong_number(cards: CardSet) -> ! {
    panic!("a rank needs five to seven cards, not the {} of {cards:?}", cards.len())
}

/// Ranks many hands, several times faster than one by one: writes the rank of
/// `hands[i]` to `ranks[i]`.
///
/// Uses AVX-512 or AVX2 where the processor has it; the results are the same
/// without.
///
/// ```
/// use meeple_poker::{CardSet, Rank, rank, rank_batch};
///
/// let hands: Vec<CardSet> = vec!["AsKsQsJsTs2d3d".parse()?, "2c2d3h4s5c7h9d".parse()?];
/// let mut ranks = vec![Rank::default(); 2];
/// rank_batch(&hands, &mut ranks);
/// assert_eq!(ranks, [rank(hands[0]), rank(hands[1])]);
/// # Ok::<_, meeple_poker::ParseCardsError>(())
/// ```
///
/// # Panics
///
/// Panics when the slices differ in length, or when a hand has fewer than five
/// or more than seven cards.
pub fn rank_batch(hands: &[CardSet], ranks: &mut [Rank]) {
    assert_eq!(hands.len(), ranks.len(), "one rank for each hand");
    kernel::rank_batch(hands, ranks);
}

/// As [`rank_batch`], without SIMD: the path of processors that lack AVX2, and
/// the reference that the SIMD paths are tested against.
///
/// # Panics
///
/// As [`rank_batch`].
pub fn rank_batch_portable(hands: &[CardSet], ranks: &mut [Rank]) {
    assert_eq!(hands.len(), ranks.len(), "one rank for each hand");
    for (&hand, out) in hands.iter().zip(ranks) {
        *out = rank(hand);
    }
}

/// The result of a showdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Showdown {
    /// The best rank.
    pub best: Rank,
    /// The winners: bit `i` for hand `i`. Several winners split the pot.
    pub winners: u32,
}

impl Showdown {
    /// The indices of the winning hands.
    pub fn winners(self) -> impl Iterator<Item = usize> {
        (0..32).filter(move |player| self.winners >> player & 1 == 1)
    }

    /// The result with one more hand.
    #[inline]
    fn with(self, player: usize, rank: Rank) -> Self {
        let (wins, ties) = (rank > self.best, rank == self.best);
        let winner = 1 << player;
        let shared = if ties { self.winners | winner } else { self.winners };
        Self { best: self.best.max(rank), winners: if wins { winner } else { shared } }
    }
}

/// Compares the hands of up to 32 players on one board.
///
/// ```
/// use meeple_poker::{CardSet, showdown};
///
/// let board: CardSet = "2c7h9dTsJc".parse()?;
/// let hands: Vec<CardSet> = vec!["AhAs".parse()?, "KdQc".parse()?, "8c8d".parse()?];
/// let result = showdown(board, &hands);
/// assert_eq!(result.winners().collect::<Vec<_>>(), [1]);
/// assert_eq!(result.best.to_string(), "straight, king high");
/// # Ok::<_, meeple_poker::ParseCardsError>(())
/// ```
///
/// # Panics
///
/// Panics when a hand with the board has fewer than five or more than seven
/// cards, or for more than 32 hands.
#[must_use]
pub fn showdown(board: CardSet, hands: &[CardSet]) -> Showdown {
    assert!(hands.len() <= 32, "at most 32 hands");
    let none = Showdown { best: Rank::default(), winners: 0 };
    hands
        .iter()
        .enumerate()
        .fold(none, |result, (player, &hand)| result.with(player, rank(board | hand)))
}

/// Compares the same hands on many boards: `results[i]` is for `boards[i]`.
///
/// # Panics
///
/// Panics as [`showdown`] does, or when the slices differ in length.
pub fn showdown_batch(boards: &[CardSet], hands: &[CardSet], results: &mut [Showdown]) {
    assert_eq!(boards.len(), results.len(), "one result for each board");
    assert!(hands.len() <= 32, "at most 32 hands");
    const BLOCK: usize = 256;
    let mut cards = [CardSet::EMPTY; BLOCK];
    let mut ranks = [Rank::default(); BLOCK];
    for (boards, results) in boards.chunks(BLOCK).zip(results.chunks_mut(BLOCK)) {
        results.fill(Showdown { best: Rank::default(), winners: 0 });
        for (player, &hand) in hands.iter().enumerate() {
            for (cards, &board) in cards.iter_mut().zip(boards) {
                *cards = board | hand;
            }
            rank_batch(&cards[..boards.len()], &mut ranks[..boards.len()]);
            for (result, &rank) in results.iter_mut().zip(&ranks) {
                *result = result.with(player, rank);
            }
        }
    }
}
