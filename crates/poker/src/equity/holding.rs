//! The known information about a player's hole cards: cards, a range, or nothing.

use std::str::FromStr;

use crate::{CardSet, ParseCardsError, ParseRangeError, Range, Variant};

/// The known information about a player's hole cards.
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
    /// Known cards.
    Hand(CardSet),
    /// A range of two-card hands.
    Range(Range),
    /// Random cards.
    Random,
}

/// An error in the notation of a player's cards or range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseHoldingError {
    /// The wrong number of cards.
    #[error("'{text}' names {found} cards, but {variant} is played with {}", variant.hole_cards())]
    HandSize {
        /// The text.
        text: String,
        /// The number of cards.
        found: usize,
        /// The variant.
        variant: Variant,
    },
    /// An invalid range.
    #[error(transparent)]
    Range(#[from] ParseRangeError),
    /// Invalid cards.
    #[error(transparent)]
    Cards(#[from] ParseCardsError),
}

impl Holding {
    /// Parses the cards or the range of a player of `variant`.
    ///
    /// # Errors
    ///
    /// When the text is neither; the error says what is wrong and where.
    pub fn parse(text: &str, variant: Variant) -> Result<Self, ParseHoldingError> {
        let word = text.trim();
        if word == "*" || ["random", "any"].iter().any(|any| word.eq_ignore_ascii_case(any)) {
            return Ok(Self::Random);
        }
        // Hands separated by commas or blanks are a range.
        let is_list = variant.hole_cards() == 2 && word.contains([',', ';', ' ']);
        match text.parse::<CardSet>() {
            Ok(cards) if cards.len() == variant.hole_cards() => Ok(Self::Hand(cards)),
            Ok(cards) if !cards.is_empty() && !is_list => {
                Err(ParseHoldingError::HandSize { text: text.into(), found: cards.len(), variant })
            }
            Err(error @ ParseCardsError::Duplicate { .. }) if !is_list => Err(error.into()),
            // With more than two hole cards, only text that parses as a range is
            // reported as a range.
            Err(error) if variant.hole_cards() > 2 && text.parse::<Range>().is_err() => {
                Err(error.into())
            }
            _ => Ok(Self::Range(text.parse()?)),
        }
    }
}

impl FromStr for Holding {
    type Err = ParseHoldingError;

    /// Parses a hold'em player's cards or range.
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
