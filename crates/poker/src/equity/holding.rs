//! What a player may hold: cards, a range, or anything.

use std::str::FromStr;

use crate::{CardSet, ParseCardsError, ParseRangeError, Range, Variant};

/// What is known of a player's cards.
///
/// ```
/// use meeple_poker::{Holding, Variant};
///
/// assert!(matches!("AhAs".parse()?, Holding::Hand(_)));
/// assert!(matches!("QQ+, AKs".parse()?, Holding::Range(_)));
/// assert!(matches!("random".parse()?, Holding::Random));
/// assert!(matches!(Holding::parse("AhAsKdKc", Variant::Omaha)?, Holding::Hand(_)));
/// # Ok::<_, meeple_poker::ParseHoldingError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Holding {
    /// These cards.
    Hand(CardSet),
    /// One of these two-card hands.
    Range(Range),
    /// Any cards.
    Random,
}

/// Why a text says nothing about a player's cards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseHoldingError {
    /// It names cards, but too few or too many.
    #[error("'{text}' names {found} cards, but {variant} is played with {}", variant.hole_cards())]
    HandSize {
        /// The text.
        text: String,
        /// How many cards it names.
        found: usize,
        /// The game.
        variant: Variant,
    },
    /// It is meant as a range, and wrong.
    #[error(transparent)]
    Range(#[from] ParseRangeError),
    /// It is meant as cards, and wrong.
    #[error(transparent)]
    Cards(#[from] ParseCardsError),
}

impl Holding {
    /// Reads the cards or the range of a player of `variant`.
    ///
    /// # Errors
    ///
    /// Says what is wrong and where.
    pub fn parse(text: &str, variant: Variant) -> Result<Self, ParseHoldingError> {
        let word = text.trim();
        if word == "*" || ["random", "any"].iter().any(|any| word.eq_ignore_ascii_case(any)) {
            return Ok(Self::Random);
        }
        // Hands with commas or blanks between are a range.
        let is_list = variant.hole_cards() == 2 && word.contains([',', ';', ' ']);
        match text.parse::<CardSet>() {
            Ok(cards) if cards.len() == variant.hole_cards() => Ok(Self::Hand(cards)),
            Ok(cards) if !cards.is_empty() && !is_list => {
                Err(ParseHoldingError::HandSize { text: text.into(), found: cards.len(), variant })
            }
            Err(error @ ParseCardsError::Duplicate { .. }) if !is_list => Err(error.into()),
            // Only what reads as a range was meant as one where hands have more
            // than two cards.
            Err(error) if variant.hole_cards() > 2 && text.parse::<Range>().is_err() => {
                Err(error.into())
            }
            _ => Ok(Self::Range(text.parse()?)),
        }
    }
}

impl FromStr for Holding {
    type Err = ParseHoldingError;

    /// Reads a hold'em player's cards or range.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text, Variant::Holdem)
    }
}

impl From<CardSet> for Holding {
    fn from(cards: CardSet) -> Self {
        Self::Hand(cards)
    }
}

impl From<Range> for Holding {
    fn from(range: Range) -> Self {
        Self::Range(range)
    }
}
