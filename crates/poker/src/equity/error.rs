//! Errors of equity calculations.

use std::fmt;

use super::EquityOptions;
use crate::{Card, Variant};

/// The place where a card occurs in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the hand of a player, counted from 0 here and from 1 in messages.
    Hand(usize),
    /// On the board.
    Board,
    /// Among the dead cards.
    Dead,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hand(player) => write!(f, "in the hand of player {}", player + 1),
            Self::Board => f.write_str("on the board"),
            Self::Dead => f.write_str("among the dead cards"),
        }
    }
}

/// An error of an equity calculation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EquityError {
    /// Too few or too many players.
    #[error("expected 2 to 10 players, found {found}")]
    Players {
        /// The number of players.
        found: usize,
    },
    /// A hand of the wrong size.
    #[error(
        "the hand of player {} has {found} cards, but {variant} is played with {}",
        player + 1,
        variant.hole_cards()
    )]
    HandSize {
        /// The player, from 0.
        player: usize,
        /// Its number of cards.
        found: usize,
        /// The variant.
        variant: Variant,
    },
    /// A range of two-card hands in a variant with more hole cards.
    #[error("player {} has a range of two-card hands, but {variant} takes cards or 'random'", player + 1)]
    RangeInOmaha {
        /// The player, from 0.
        player: usize,
        /// The variant.
        variant: Variant,
    },
    /// A board of the wrong size.
    #[error("expected a board of 0, 3, 4 or 5 cards, found {found}")]
    BoardSize {
        /// Its number of cards.
        found: usize,
    },
    /// A card that occurs in two places.
    #[error("{card} is {first} and {second}")]
    Conflict {
        /// The card.
        card: Card,
        /// The first place.
        first: Place,
        /// The second place.
        second: Place,
    },
    /// A card that is not in the variant's deck.
    #[error("{card}, {place}, is not in the deck of {variant}")]
    NotInDeck {
        /// The card.
        card: Card,
        /// Where it occurs.
        place: Place,
        /// The variant.
        variant: Variant,
    },
    /// An empty range.
    #[error("player {}'s range has no hand of {variant} with a weight above 0", player + 1)]
    NoHand {
        /// The player, from 0.
        player: usize,
        /// The variant.
        variant: Variant,
    },
    /// A range whose hands are all blocked by known cards.
    #[error("every hand in player {}'s range shares a card with the board, the dead cards or another player's hand", player + 1)]
    EmptyRange {
        /// The player, from 0.
        player: usize,
    },
    /// Ranges that conflict in every combination of hands.
    #[error("the ranges conflict: in every combination of hands two players share a card")]
    Impossible,
    /// Ranges that conflict in nearly every combination of hands.
    #[error("the ranges conflict almost always: {tries} random combinations of hands gave no deal")]
    TooNarrow {
        /// The number of rejected combinations.
        tries: u64,
    },
    /// More cards than the deck has.
    #[error("{needed} cards are needed, but the deck has {left} left")]
    DeckTooSmall {
        /// The number of cards to deal.
        needed: usize,
        /// The number of cards left.
        left: usize,
    },
    /// A number of deals out of range.
    #[error("expected 1 to {} deals to sample, found {found}", EquityOptions::MAX_DEALS)]
    Deals {
        /// The number of deals.
        found: u64,
    },
    /// A calculation that was stopped without a result: an exact count, or sampling
    /// before the first deal.
    #[error("stopped before a result was available")]
    Stopped,
    /// An exact count that would take too long.
    #[error("an exact count would take about {steps:.0e} steps: sample instead, or fix more cards")]
    TooLarge {
        /// The estimated work, in ranked hands.
        steps: u64,
    },
}
