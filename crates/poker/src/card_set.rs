//! A set of cards as a bitboard, and its notation `AsKd`.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not, Sub};
use std::str::FromStr;

use crate::{Card, CardRank, Suit};

/// A set of cards, as 64 bits.
///
/// Each suit has sixteen bits, of which the low thirteen are its ranks: a suit
/// is extracted by one shift, and SIMD code transposes the suits of many hands
/// by shuffles alone.
///
/// ```
/// use meeple_poker::CardSet;
///
/// let cards: CardSet = "as, Kd 10h".parse()?;
/// assert_eq!(cards.len(), 3);
/// assert_eq!(cards.to_string(), "AsKdTh");
/// # Ok::<_, meeple_poker::ParseCardsError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct CardSet(u64);

impl CardSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All 52 cards.
    pub const DECK: Self = Self(0x1fff_1fff_1fff_1fff);
    /// The 36 cards from the sixes up.
    pub const SHORT_DECK: Self = Self(0x1ff0_1ff0_1ff0_1ff0);

    /// The set of one card.
    #[inline]
    #[must_use]
    pub const fn of(card: Card) -> Self {
        Self(1 << (16 * (card.index() & 3) + (card.index() >> 2)))
    }

    /// The set with these bits: sixteen for each suit (clubs lowest), of which
    /// the low thirteen are its ranks; other bits are dropped.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits & Self::DECK.0)
    }

    /// The bits of the set, laid out as in [`from_bits`](Self::from_bits).
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The number of cards.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `card` is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, card: Card) -> bool {
        self.0 & Self::of(card).0 != 0
    }

    /// Whether all cards of `other` are in the set.
    #[inline]
    #[must_use]
    pub const fn contains_all(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// Whether the sets share a card.
    #[inline]
    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Adds one card.
    #[inline]
    pub fn insert(&mut self, card: Card) {
        *self |= Self::of(card);
    }

    /// The ranks of the cards of `suit`, one bit each, the deuce lowest.
    #[inline]
    #[must_use]
    pub const fn suit_ranks(self, suit: Suit) -> u16 {
        (self.0 >> (16 * suit as u32)) as u16
    }

    /// The ranks of the cards of all suits, one bit each, the deuce lowest.
    #[inline]
    #[must_use]
    pub const fn ranks(self) -> u16 {
        let halves = self.0 | self.0 >> 32;
        (halves | halves >> 16) as u16
    }

    /// The number of cards of `rank`.
    #[inline]
    #[must_use]
    pub const fn count_of(self, rank: CardRank) -> usize {
        (self.0 & 0x0001_0001_0001_0001 << rank as u32).count_ones() as usize
    }

    /// The first card of the set, if any.
    #[inline]
    #[must_use]
    pub fn first(self) -> Option<Card> {
        self.into_iter().next()
    }
}

/// The cards of a set, suit by suit, the lowest rank of each first.
#[derive(Clone, Debug)]
pub struct Cards(u64);

impl Iterator for Cards {
    type Item = Card;

    #[inline]
    fn next(&mut self) -> Option<Card> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(Card::from_index(4 * (bit & 15) + (bit >> 4)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Cards {}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = Cards;

    #[inline]
    fn into_iter(self) -> Cards {
        Cards(self.0)
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::EMPTY, |set, card| set | Self::of(card))
    }
}

impl From<Card> for CardSet {
    fn from(card: Card) -> Self {
        Self::of(card)
    }
}

impl BitOr for CardSet {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for CardSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for CardSet {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Sub for CardSet {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Not for CardSet {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self::DECK - self
    }
}

/// Prints the highest rank first, and spades before hearts, diamonds and clubs.
impl fmt::Display for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Card::all()
            .rev()
            .filter(|&card| self.contains(card))
            .try_for_each(|card| write!(f, "{card}"))
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

/// An error in the notation of cards. Places count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseCardsError {
    /// A rank is missing or invalid.
    #[error(
        "expected a card's rank (2-9, T or 10, J, Q, K, A) at character {place}, found '{found}'"
    )]
    Rank {
        /// The character.
        place: usize,
        /// The character there.
        found: char,
    },
    /// A suit is missing or invalid.
    #[error(
        "expected a suit (c, d, h, s) after the rank at character {place}, found {}",
        found.map_or("the end".to_owned(), |found| format!("'{found}'"))
    )]
    Suit {
        /// The character after the rank.
        place: usize,
        /// The character there, if any.
        found: Option<char>,
    },
    /// A card is named twice.
    #[error("{card} is named twice, again at character {place}")]
    Duplicate {
        /// The card.
        card: Card,
        /// The position of the second occurrence.
        place: usize,
    },
    /// One card was expected.
    #[error("expected one card, found {found}")]
    NotOneCard {
        /// The number of cards.
        found: usize,
    },
}

impl FromStr for CardSet {
    type Err = ParseCardsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut cards = Self::EMPTY;
        let mut letters = text.chars().zip(1..).peekable();
        while let Some((letter, place)) = letters.next() {
            if letter.is_whitespace() || letter == ',' {
                continue;
            }
            let rank = match letter {
                '1' if letters.next_if(|&(next, _)| next == '0').is_some() => CardRank::Ten,
                _ => CardRank::from_letter(letter)
                    .ok_or(ParseCardsError::Rank { place, found: letter })?,
            };
            let (found, suit_place) = match letters.next() {
                Some((found, place)) => (Some(found), place),
                None => (None, text.chars().count() + 1),
            };
            let suit = found
                .and_then(Suit::from_letter)
                .ok_or(ParseCardsError::Suit { place: suit_place, found })?;
            let card = Card::new(rank, suit);
            if cards.contains(card) {
                return Err(ParseCardsError::Duplicate { card, place });
            }
            cards.insert(card);
        }
        Ok(cards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        text.parse::<CardSet>().unwrap_err().to_string()
    }

    #[test]
    fn cards_parse_in_many_notations() {
        let expected: CardSet = "AsKdTh".parse().unwrap();
        for text in ["as kd th", "AS,KD,10H", " A♠K♦10♥ ", "Th,, Kd As"] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        assert_eq!("".parse(), Ok(CardSet::EMPTY));
    }

    #[test]
    fn errors_name_the_position() {
        let rank = "expected a card's rank (2-9, T or 10, J, Q, K, A)";
        assert_eq!(message("AsXd"), format!("{rank} at character 3, found 'X'"));
        assert_eq!(message("1s"), format!("{rank} at character 1, found '1'"));
        let suit = "expected a suit (c, d, h, s) after the rank";
        assert_eq!(message("As K"), format!("{suit} at character 5, found the end"));
        assert_eq!(message("10x"), format!("{suit} at character 3, found 'x'"));
        assert_eq!(message("AsKdAs"), "As is named twice, again at character 5");
    }

    #[test]
    fn set_operations() {
        let cards: CardSet = "2cAs".parse().unwrap();
        assert_eq!((!cards).len(), 50);
        assert_eq!((CardSet::DECK - cards) | cards, CardSet::DECK);
        assert_eq!(cards.into_iter().collect::<CardSet>(), cards);
        assert_eq!(CardSet::SHORT_DECK.len(), 36);
        assert_eq!(cards.count_of(CardRank::Ace), 1);
        assert_eq!(cards.ranks(), 1 | 1 << 12);
    }
}
