//! What can be wrong with a question about equity.

use std::fmt;

use super::EquityOptions;
use crate::{Card, Variant};

/// Where a card was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the hand of a player, who count from 1 in messages and from 0 here.
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

/// Why there is no equity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EquityError {
    /// Too few or too many players.
    #[error("expected 2 to 10 players, found {found}")]
    Players {
        /// How many there are.
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
        /// How many cards there are.
        found: usize,
        /// The game.
        variant: Variant,
    },
    /// A range of two-card hands in a game with more.
    #[error("player {} has a range of two-card hands, but {variant} takes cards or 'random'", player + 1)]
    RangeInOmaha {
        /// The player, from 0.
        player: usize,
        /// The game.
        variant: Variant,
    },
    /// A board of the wrong size.
    #[error("expected a board of 0, 3, 4 or 5 cards, found {found}")]
    BoardSize {
        /// How many cards there are.
        found: usize,
    },
    /// A card in two places.
    #[error("{card} is {first} and {second}")]
    Conflict {
        /// The card.
        card: Card,
        /// Where it is.
        first: Place,
        /// Where it is too.
        second: Place,
    },
    /// A card that the game does not have.
    #[error("{card}, {place}, is not in the deck of {variant}")]
    NotInDeck {
        /// The card.
        card: Card,
        /// Where it was named.
        place: Place,
        /// The game.
        variant: Variant,
    },
    /// A range without a hand.
    #[error("player {}'s range has no hand of {variant} with a weight above 0", player + 1)]
    NoHand {
        /// The player, from 0.
        player: usize,
        /// The game.
        variant: Variant,
    },
    /// A range without a possible hand.
    #[error("player {}'s range has no hand that leaves the board, the dead cards and the other players' hands alone", player + 1)]
    EmptyRange {
        /// The player, from 0.
        player: usize,
    },
    /// Ranges that exclude each other.
    #[error("the ranges exclude each other: whatever hands the players hold, two share a card")]
    Impossible,
    /// Ranges that nearly exclude each other.
    #[error("the ranges nearly exclude each other: {tries} random choices of hands gave no deal")]
    TooNarrow {
        /// How often it was tried.
        tries: u64,
    },
    /// More cards than the deck has.
    #[error("{needed} cards are needed, but the deck has {left} left")]
    DeckTooSmall {
        /// How many must be dealt.
        needed: usize,
        /// How many there are.
        left: usize,
    },
    /// A senseless number of deals to sample.
    #[error("expected 1 to {} deals to sample, found {found}", EquityOptions::MAX_DEALS)]
    Deals {
        /// How many were asked for.
        found: u64,
    },
    /// An exact count that was stopped, part of which is no answer, or a sample that was
    /// stopped before the first deal.
    #[error("stopped before there was an answer")]
    Stopped,
    /// An exact count that would take for ever.
    #[error("an exact count would take about {steps:.0e} steps: sample instead, or fix more cards")]
    TooLarge {
        /// About how much work it is, in ranked hands.
        steps: u64,
    },
}
