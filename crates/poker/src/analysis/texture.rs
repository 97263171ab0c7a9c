//! Board texture: pairing, suits and connectedness.

use serde::{Deserialize, Serialize};

use super::AnalysisError;
use super::draws::{best_straight, category_of_any};
use crate::{CardRank, CardSet, Category, Suit};

/// The pairing of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pairing {
    /// All ranks differ.
    Unpaired,
    /// One pair.
    Paired,
    /// Two pairs.
    TwoPair,
    /// Three of a rank.
    Trips,
    /// Three of a rank and two of another.
    FullHouse,
    /// Four of a rank.
    Quads,
}

/// The texture of a board of three to five cards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Texture {
    /// The pairing.
    pub pairing: Pairing,
    /// The number of suits.
    pub suits: usize,
    /// The maximum number of cards of one suit: 3 or more make a flush possible,
    /// 1 is a rainbow board.
    pub most_of_a_suit: usize,
    /// The number of rank pairs (of 91) that make a straight with the board.
    pub straights: usize,
    /// The number of rank pairs (of 91) that are one card short of a straight.
    pub straight_draws: usize,
    /// The highest rank.
    pub high: CardRank,
    /// The number of broadway cards, ten or higher.
    pub broadways: usize,
}

impl Texture {
    /// Whether some hand has a flush.
    #[must_use]
    pub fn flush_possible(&self) -> bool {
        self.most_of_a_suit >= 3
    }

    /// Whether some hand has a straight.
    #[must_use]
    pub fn straight_possible(&self) -> bool {
        self.straights > 0
    }
}

/// Analyzes the texture of a board.
///
/// ```
/// use meeple_poker::{Pairing, texture};
///
/// let board = texture("9h8h2c".parse()?)?;
/// assert_eq!(board.pairing, Pairing::Unpaired);
/// assert_eq!(board.most_of_a_suit, 2);
/// assert!(!board.flush_possible() && !board.straight_possible());
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When the board has fewer than three or more than five cards.
pub fn texture(board: CardSet) -> Result<Texture, AnalysisError> {
    if !(3..=5).contains(&board.len()) {
        let (expected, found) = ("3 to 5", board.len());
        return Err(AnalysisError::BoardSize { expected, found });
    }
    let in_suit = Suit::ALL.map(|suit| board.suit_ranks(suit).count_ones() as usize);
    let (mut straights, mut straight_draws) = (0, 0);
    for high in 0..13u16 {
        for low in 0..=high {
            let ranks = board.ranks() | 1 << high | 1 << low;
            let nearly = |next: &u16| best_straight(ranks | 1 << next) > 0;
            if best_straight(ranks) > 0 {
                straights += 1;
            } else if (0..13).any(|next| nearly(&next)) {
                straight_draws += 1;
            }
        }
    }
    Ok(Texture {
        pairing: pairing(board),
        suits: in_suit.iter().filter(|&&count| count > 0).count(),
        most_of_a_suit: in_suit.into_iter().max().unwrap_or(0),
        straights,
        straight_draws,
        high: board.into_iter().map(|card| card.rank()).max().unwrap_or(CardRank::Two),
        broadways: board.into_iter().filter(|card| card.rank() >= CardRank::Ten).count(),
    })
}

fn pairing(board: CardSet) -> Pairing {
    match category_of_any(board) {
        Category::FourOfAKind => Pairing::Quads,
        Category::FullHouse => Pairing::FullHouse,
        Category::ThreeOfAKind => Pairing::Trips,
        Category::TwoPair => Pairing::TwoPair,
        Category::Pair => Pairing::Paired,
        Category::HighCard | Category::Straight | Category::Flush | Category::StraightFlush => {
            Pairing::Unpaired
        }
    }
}
