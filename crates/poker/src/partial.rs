//! Incremental evaluation: adding a card costs one addition.

use crate::{Card, CardSet, Rank, key};

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
///
/// It is also the fastest way from single cards to a rank, and a hand that is kept
/// as a `Partial` is ranked without any more work on its cards:
///
/// ```
/// use meeple_poker::{Card, Partial, Rank};
///
/// fn rank_of_numbers(cards: [u8; 7]) -> Rank {
///     let add = |hand: Partial, card: u8| hand.with(Card::from_index(card.into()));
///     cards.into_iter().fold(Partial::EMPTY, add).rank()
/// }
/// assert_eq!(rank_of_numbers([51, 47, 43, 39, 35, 0, 1]), Rank::BEST);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partial {
    key: u64,
    cards: CardSet,
}

/// The hand of each card, without the key of the empty hand. An entry for every
/// byte saves the check of the index.
static CARDS: [Partial; 256] = {
    let mut cards = [Partial::EMPTY; 256];
    let mut index = 0;
    while index < 52 {
        let card = Card::from_index(index);
        cards[index] = Partial { key: key::of_card(index), cards: CardSet::of(card) };
        index += 1;
    }
    cards
};

impl Partial {
    /// No cards.
    pub const EMPTY: Self = Self { key: key::EMPTY, cards: CardSet::EMPTY };

    /// The partial hand of these cards.
    #[must_use]
    pub fn of(cards: CardSet) -> Self {
        cards.into_iter().fold(Self::EMPTY, Self::with)
    }

    /// The hand with one more card, which it must not contain yet.
    #[inline]
    #[must_use]
    pub fn with(self, card: Card) -> Self {
        let one = CARDS[card.index()];
        Self { key: self.key.wrapping_add(one.key), cards: self.cards | one.cards }
    }

    /// The union of two hands, which must not share a card.
    #[inline]
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        debug_assert!(!self.cards.intersects(other.cards), "the hands share a card");
        Self {
            key: self.key.wrapping_add(other.key).wrapping_sub(key::EMPTY),
            cards: self.cards | other.cards,
        }
    }

    /// The cards.
    #[inline]
    #[must_use]
    pub const fn cards(self) -> CardSet {
        self.cards
    }

    /// The key of the hash tables.
    #[inline(always)]
    pub(crate) const fn key(self) -> u64 {
        self.key
    }

    /// Ranks the best five of the five to seven cards.
    ///
    /// With any other number of cards the result is meaningless; debug builds
    /// panic.
    #[inline]
    #[must_use]
    pub fn rank(self) -> Rank {
        debug_assert!((5..=7).contains(&self.cards.len()), "a rank needs five to seven cards");
        key::rank(self.key, self.cards)
    }
}
