//! Incremental evaluation: adding a card costs one addition.

use crate::tables::{RANK_WEIGHTS, flush_rank, seven_rank, short_rank};
use crate::{Card, CardSet, Rank};

/// A partial hand with its incremental hash, for enumerations that fix some cards
/// and vary the rest.
///
/// ```
/// use meeple_poker::{CardSet, Partial, rank};
///
/// let board: CardSet = "2c7h9dTs".parse()?;
/// let hand: CardSet = "AhAs".parse()?;
/// let fixed = Partial::of(board).join(Partial::of(hand));
/// for river in !(board | hand) {
///     assert_eq!(fixed.with(river).rank(), rank(board | hand | river.into()));
/// }
/// # Ok::<_, meeple_poker::ParseCardsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partial {
    /// The high 32 bits are the sum of the cards' rank weights (overflow leaves
    /// the word), bits 16 and up the number of cards, and the low 16 bits a
    /// 4-bit counter for each suit. Counters start at 3, so that the top bit of
    /// each means "five or more".
    sum: u64,
    cards: CardSet,
}

/// The initial suit counters.
const EMPTY_SUM: u64 = 0x3333;
/// The bits that mean "five or more of this suit".
const FLUSH: u64 = 0x8888;

static CARD_SUMS: [u64; 52] = card_sums();

const fn card_sums() -> [u64; 52] {
    let mut sums = [0; 52];
    let mut card = 0;
    while card < 52 {
        sums[card] = ((RANK_WEIGHTS[card / 4] as u64) << 32) + (1 << 16) + (1 << (4 * (card % 4)));
        card += 1;
    }
    sums
}

impl Partial {
    /// No cards.
    pub const EMPTY: Self = Self { sum: EMPTY_SUM, cards: CardSet::EMPTY };

    /// The partial hand of these cards.
    #[must_use]
    pub fn of(cards: CardSet) -> Self {
        cards.into_iter().fold(Self::EMPTY, Self::with)
    }

    /// The hand with one more card, which it must not contain yet.
    #[inline]
    #[must_use]
    pub fn with(self, card: Card) -> Self {
        Self {
            sum: self.sum.wrapping_add(CARD_SUMS[card.index()]),
            cards: self.cards | CardSet::of(card),
        }
    }

    /// The union of two hands, which must not share a card.
    #[inline]
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        debug_assert!(!self.cards.intersects(other.cards), "the hands share a card");
        Self {
            sum: self.sum.wrapping_add(other.sum).wrapping_sub(EMPTY_SUM),
            cards: self.cards | other.cards,
        }
    }

    /// The cards.
    #[inline]
    #[must_use]
    pub const fn cards(self) -> CardSet {
        self.cards
    }

    /// The sum of the cards' rank weights: the key of the hash tables.
    #[inline(always)]
    pub(crate) const fn weight_sum(self) -> u32 {
        (self.sum >> 32) as u32
    }

    /// Ranks the best five of the five to seven cards.
    ///
    /// With any other number of cards the result is meaningless; debug builds
    /// panic.
    #[inline]
    #[must_use]
    pub fn rank(self) -> Rank {
        debug_assert!((5..=7).contains(&self.cards.len()), "a rank needs five to seven cards");
        let weights = self.weight_sum();
        let flush = self.sum & FLUSH;
        Rank::from_number(if flush != 0 {
            flush_rank((self.cards.bits() >> (4 * (flush.trailing_zeros() - 3))) as u16)
        } else if self.sum & 0xf_0000 == 0x7_0000 {
            seven_rank(weights)
        } else {
            short_rank(weights)
        })
    }
}

/// The suit with at least `min` cards, if any; `min` is 3, 4 or 5.
#[inline(always)]
pub(crate) fn flush_suit(hand: Partial, min: u64) -> Option<usize> {
    let full = (hand.sum & 0xffff).wrapping_add(0x1111 * (5 - min)) & FLUSH;
    (full != 0).then(|| full.trailing_zeros() as usize / 4)
}
