//! Hand analysis: draws and outs, board texture, percentile in a range, and
//! buckets of similar hands.

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

/// An error in the arguments of an analysis.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisError {
    /// A hand that does not have two cards.
    #[error("expected a hand of 2 cards, found {found}")]
    HandSize {
        /// Its number of cards.
        found: usize,
    },
    /// A board of the wrong size for this analysis.
    #[error("expected a board of {expected} cards, found {found}")]
    BoardSize {
        /// The valid sizes.
        expected: &'static str,
        /// Its number of cards.
        found: usize,
    },
    /// A card that occurs twice.
    #[error("{card} is named twice")]
    Conflict {
        /// The card.
        card: Card,
    },
    /// A range whose hands are all blocked.
    #[error("every hand of the range shares a card with the hand or the board")]
    EmptyRange,
    /// A number that is 0.
    #[error("expected at least one {what}")]
    Nothing {
        /// What is required.
        what: &'static str,
    },
}

/// Checks that the hand has two cards, the board a size within `sizes`, and that
/// they do not overlap.
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
