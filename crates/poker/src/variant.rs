//! The poker variants whose hands can be evaluated.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{CardSet, Rank, omaha, short_deck, try_rank};

/// A poker variant with a board of five cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// Two hole cards; the best five of seven.
    #[default]
    Holdem,
    /// Hold'em with the 36 cards from the sixes up: a flush beats a full house,
    /// a straight beats three of a kind, and A-6-7-8-9 is the lowest straight.
    ShortDeck,
    /// Four hole cards; two of them with three of the board.
    Omaha,
    /// Five hole cards; two of them with three of the board.
    Omaha5,
}

impl Variant {
    /// All variants.
    pub const ALL: [Self; 4] = [Self::Holdem, Self::ShortDeck, Self::Omaha, Self::Omaha5];

    /// The number of hole cards of a player.
    #[must_use]
    pub const fn hole_cards(self) -> usize {
        match self {
            Self::Holdem | Self::ShortDeck => 2,
            Self::Omaha => 4,
            Self::Omaha5 => 5,
        }
    }

    /// All cards of the deck.
    #[must_use]
    pub const fn deck(self) -> CardSet {
        match self {
            Self::ShortDeck => CardSet::SHORT_DECK,
            Self::Holdem | Self::Omaha | Self::Omaha5 => CardSet::DECK,
        }
    }

    /// The name of the variant.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Holdem => "hold'em",
            Self::ShortDeck => "short deck",
            Self::Omaha => "Omaha",
            Self::Omaha5 => "five-card Omaha",
        }
    }

    /// Ranks hole cards with a board of three to five cards; `None` when a number
    /// of cards is wrong, cards overlap, or a card is not in the deck.
    ///
    /// ```
    /// use meeple_poker::{CardSet, Variant};
    ///
    /// let hole: CardSet = "AsKsQdQc".parse()?;
    /// let board: CardSet = "JsTs9s2d2h".parse()?;
    /// let rank = Variant::Omaha.rank(hole, board).unwrap();
    /// assert_eq!(rank.to_string(), "flush, ace-king-jack-ten-nine");
    /// # Ok::<_, meeple_poker::ParseCardsError>(())
    /// ```
    #[must_use]
    pub fn rank(self, hole: CardSet, board: CardSet) -> Option<Rank> {
        let fits = hole.len() == self.hole_cards()
            && (3..=5).contains(&board.len())
            && !hole.intersects(board)
            && self.deck().contains_all(hole | board);
        if !fits {
            return None;
        }
        match self {
            Self::Holdem => try_rank(hole | board),
            Self::ShortDeck => Some(short_deck::rank(hole | board)),
            Self::Omaha | Self::Omaha5 => Some(omaha::Board::new(board).rank(hole)),
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
