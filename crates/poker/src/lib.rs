//! Poker: cards, hand ranks, ranges and equities, fast.
//!
//! ```
//! use meeple_poker::{CardSet, rank};
//!
//! let cards: CardSet = "AsKdQhJcTs9s2d".parse()?;
//! assert_eq!(rank(cards).to_string(), "straight, ace high");
//! # Ok::<_, meeple_poker::ParseCardsError>(())
//! ```

mod analysis;
mod card;
mod card_set;
mod combo;
mod completions;
mod equity;
mod evaluate;
mod hand_rank;
mod kernel;
mod omaha;
mod partial;
mod range;
mod short_deck;
mod tables;
mod variant;

pub use analysis::{
    AnalysisError, BucketOptions, Buckets, Distribution, Draws, FlushDraw, Pairing, StraightDraw,
    Texture, bucket_hands, draws, earth_movers_distance, equity_distributions, outs_against,
    percentile, texture,
};
pub use card::{Card, CardRank, Suit};
pub use card_set::{CardSet, Cards, ParseCardsError};
pub use combo::{Combo, HandClass};
pub use completions::for_each_rank;
pub use equity::{
    Equity, EquityError, EquityOptions, Holding, Matchup, Method, ParseHoldingError, Place,
    PlayerEquity, Validation, canonical_matchups, count_matchup, equity, matchup,
    validate_sampling,
};
pub use evaluate::{
    Showdown, rank, rank_batch, rank_batch_portable, showdown, showdown_batch, try_rank,
};
pub use hand_rank::{Category, Rank};
pub use partial::Partial;
pub use range::{ParseRangeError, Range, class_order, equity_against_random};
pub use variant::Variant;
