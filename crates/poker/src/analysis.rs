//! What a bot wants to know about a hand: draws and outs, the board's texture,
//! its place in a range, and buckets of hands that play alike.

mod buckets;
mod distribution;
mod draws;
mod strength;
mod texture;

pub use buckets::{BucketOptions, Buckets, bucket_hands, earth_movers_distance};
pub use distribution::{Distribution, equity_distributions};
pub use draws::{Draws, FlushDraw, StraightDraw, draws, outs_against};
pub use strength::percentile;
pub use texture::{Pairing, Texture, texture};

use crate::{Card, CardSet};

/// Why a hand cannot be looked at.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisError {
    /// A hand of more or less than two cards.
    #[error("expected a hand of 2 cards, found {found}")]
    HandSize {
        /// How many cards there are.
        found: usize,
    },
    /// A board on which the question makes no sense.
    #[error("expected a board of {expected} cards, found {found}")]
    BoardSize {
        /// The sizes that make sense.
        expected: &'static str,
        /// How many cards there are.
        found: usize,
    },
    /// A card in two places.
    #[error("{card} is named twice")]
    Conflict {
        /// The card.
        card: Card,
    },
    /// No opponent's hand is possible.
    #[error("the range has no hand that leaves the hand and the board alone")]
    EmptyRange,
    /// A number that makes no sense.
    #[error("expected at least one {what}")]
    Nothing {
        /// What there must be one of.
        what: &'static str,
    },
}

/// Checks a hand and a board of a size within `sizes`.
fn check(
    hand: CardSet,
    board: CardSet,
    sizes: std::ops::RangeInclusive<usize>,
    expected: &'static str,
) -> Result<(), AnalysisError> {
    if hand.len() != 2 {
        return Err(AnalysisError::HandSize { found: hand.len() });
    }
    if !sizes.contains(&board.len()) {
        return Err(AnalysisError::BoardSize { expected, found: board.len() });
    }
    match (hand & board).first() {
        Some(card) => Err(AnalysisError::Conflict { card }),
        None => Ok(()),
    }
}
