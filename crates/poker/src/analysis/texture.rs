//! The texture of a board: what it makes possible.

use serde::{Deserialize, Serialize};

use super::AnalysisError;
use super::draws::{best_straight, category_of_any};
use crate::{CardRank, CardSet, Category, Suit};

/// How a board is paired.
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

/// What a board of three to five cards makes possible.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Texture {
    /// How it is paired.
    pub pairing: Pairing,
    /// How many suits it shows.
    pub suits: usize,
    /// The most cards of one suit: 3 or more make a flush possible, 1 is a
    /// rainbow.
    pub most_of_a_suit: usize,
    /// How many pairs of ranks (of 91) make a straight with it.
    pub straights: usize,
    /// How many pairs of ranks (of 91) need one card more for a straight.
    pub straight_draws: usize,
    /// Its highest rank.
    pub high: CardRank,
    /// How many of its cards are tens or higher.
    pub broadways: usize,
}

impl Texture {
    /// Whether some hand makes a flush.
    #[must_use]
    pub fn flush_possible(&self) -> bool {
        self.most_of_a_suit >= 3
    }

    /// Whether some hand makes a straight.
    #[must_use]
    pub fn straight_possible(&self) -> bool {
        self.straights > 0
    }
}

/// Looks at a board.
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
/// Says so when there are fewer than three or more than five cards.
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
