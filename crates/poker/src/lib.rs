//! Poker: cards, hand ranks, ranges and equities, fast.
//!
//! ```
//! use meeple_poker::{CardSet, rank};
//!
//! let cards: CardSet = "AsKdQhJcTs9s2d".parse()?;
//! assert_eq!(rank(cards).to_string(), "straight, ace high");
//! # Ok::<_, meeple_poker::ParseCardsError>(())
//! ```

mod card;
mod card_set;
mod combo;
mod equity;
mod evaluate;
mod hand_rank;
mod kernel;
mod partial;
mod tables;

pub use card::{Card, CardRank, Suit};
pub use card_set::{CardSet, Cards, ParseCardsError};
pub use combo::{Combo, HandClass};
pub use equity::{Matchup, canonical_matchups, count_matchup, matchup};
pub use evaluate::{
    Showdown, rank, rank_batch, rank_batch_portable, showdown, showdown_batch, try_rank,
};
pub use hand_rank::{Category, Rank};
pub use partial::Partial;
