//! A card: its rank, its suit, and its notation.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{CardSet, ParseCardsError};

/// The rank of one card, from the deuce to the ace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum CardRank {
    /// 2
    Two,
    /// 3
    Three,
    /// 4
    Four,
    /// 5
    Five,
    /// 6
    Six,
    /// 7
    Seven,
    /// 8
    Eight,
    /// 9
    Nine,
    /// T
    Ten,
    /// J
    Jack,
    /// Q
    Queen,
    /// K
    King,
    /// A
    Ace,
}

impl CardRank {
    /// All ranks, the lowest first.
    pub const ALL: [Self; 13] = [
        Self::Two,
        Self::Three,
        Self::Four,
        Self::Five,
        Self::Six,
        Self::Seven,
        Self::Eight,
        Self::Nine,
        Self::Ten,
        Self::Jack,
        Self::Queen,
        Self::King,
        Self::Ace,
    ];

    /// The letter of the rank: `2` to `9`, `T`, `J`, `Q`, `K`, `A`.
    #[must_use]
    pub const fn letter(self) -> char {
        b"23456789TJQKA"[self as usize] as char
    }

    /// The rank of this letter, in either case.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|rank| rank.letter() == letter.to_ascii_uppercase())
    }

    /// The singular name: `king`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        [
            "deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack",
            "queen", "king", "ace",
        ][self as usize]
    }

    /// The plural name: `kings`.
    #[must_use]
    pub const fn plural(self) -> &'static str {
        [
            "deuces", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens",
            "jacks", "queens", "kings", "aces",
        ][self as usize]
    }
}

impl fmt::Display for CardRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// The suit of one card; no suit beats another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Suit {
    /// c
    Clubs,
    /// d
    Diamonds,
    /// h
    Hearts,
    /// s
    Spades,
}

impl Suit {
    /// All suits.
    pub const ALL: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    /// The letter of the suit: `c`, `d`, `h`, `s`.
    #[must_use]
    pub const fn letter(self) -> char {
        b"cdhs"[self as usize] as char
    }

    /// The suit of this letter in either case, or of this symbol (`♣♦♥♠`).
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'c' | 'C' | '♣' | '♧' => Self::Clubs,
            'd' | 'D' | '♦' | '♢' => Self::Diamonds,
            'h' | 'H' | '♥' | '♡' => Self::Hearts,
            's' | 'S' | '♠' | '♤' => Self::Spades,
            _ => return None,
        })
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// One of the 52 cards, numbered `4 * rank + suit`.
///
/// ```
/// use meeple_poker::{Card, CardRank, Suit};
///
/// let card: Card = "Th".parse()?;
/// assert_eq!(card, Card::new(CardRank::Ten, Suit::Hearts));
/// assert_eq!(card.to_string(), "Th");
/// # Ok::<_, meeple_poker::ParseCardsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The card of this rank and suit.
    #[inline]
    #[must_use]
    pub const fn new(rank: CardRank, suit: Suit) -> Self {
        Self(4 * rank as u8 + suit as u8)
    }

    /// Card number `index`, which counts from the deuce of clubs (0) to the
    /// ace of spades (51).
    ///
    /// # Panics
    ///
    /// Panics when `index` is 52 or more.
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize) -> Self {
        assert!(index < 52, "cards are numbered from 0 to 51");
        Self(index as u8)
    }

    /// The number of this card, below 52.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The rank of this card.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> CardRank {
        CardRank::ALL[(self.0 / 4) as usize]
    }

    /// The suit of this card.
    #[inline]
    #[must_use]
    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0 % 4) as usize]
    }

    /// All 52 cards in the order of their numbers.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..52).map(Self)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank(), self.suit())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Card {
    type Err = ParseCardsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let cards: CardSet = text.parse()?;
        match (cards.first(), cards.len()) {
            (Some(card), 1) => Ok(card),
            (_, found) => Err(ParseCardsError::NotOneCard { found }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_ranks_and_suits_agree() {
        for (index, card) in Card::all().enumerate() {
            assert_eq!(card.index(), index);
            assert_eq!(Card::new(card.rank(), card.suit()), card);
            assert_eq!(Card::from_index(index), card);
            assert_eq!(card.to_string().parse(), Ok(card));
        }
    }

    #[test]
    fn parsing_a_card_requires_exactly_one() {
        assert_eq!("".parse::<Card>(), Err(ParseCardsError::NotOneCard { found: 0 }));
        assert_eq!("AsKs".parse::<Card>(), Err(ParseCardsError::NotOneCard { found: 2 }));
    }
}
