//! Fast hand evaluation, ranges and equities for poker.
//!
//! ```
//! use meeple_poker::{CardSet, EquityOptions, Holding, equity, rank};
//!
//! // Rank the best five of seven cards.
//! let cards: CardSet = "AsKdQhJcTs9s2d".parse()?;
//! assert_eq!(rank(cards).to_string(), "straight, ace high");
//!
//! // The equity of one range against another on a flop.
//! let players: [Holding; 2] = ["QQ+, AKs".parse()?, "22+, A2s+, K9s+, QTs+".parse()?];
//! let result = equity(&players, "2c7h9d".parse()?, &EquityOptions::default())?;
//! assert!((result.players[0].equity() - 0.709182).abs() < 5e-7);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | read and print cards | [`Card`], [`CardSet`] |
//! | rank hands | [`rank`], [`rank_batch`]; [`Partial`] card by card, [`for_each_rank`] in bulk |
//! | compare hands on a board | [`showdown`], [`showdown_batch`] |
//! | describe a player's range | [`Range`], [`Holding`] |
//! | compute equities | [`equity`]; [`matchup`] and [`class_equity`] preflop |
//! | evaluate other variants | [`Variant`]: Omaha with four or five cards, short deck |
//! | analyze a hand or a board | [`draws`], [`texture`], [`percentile`], [`bucket_hands`] |
//!
//! All randomness comes from a seed, and no result depends on the number of
//! threads. Functions that panic on invalid cards document it; parse errors name
//! the position in the text and what was expected.

mod analysis;
mod card;
mod card_set;
mod combo;
mod completions;
mod equity;
mod evaluate;
mod hand_rank;
mod kernel;
mod key;
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
    Equity, EquityError, EquityOptions, EquityProgress, Holding, Matchup, Method,
    ParseHoldingError, Place, PlayerEquity, Validation, canonical_matchups, class_equity,
    count_matchup, equity, equity_with_progress, matchup, validate_sampling,
};
pub use evaluate::{
    Showdown, rank, rank_batch, rank_batch_portable, showdown, showdown_batch, try_rank,
};
pub use hand_rank::{Category, Rank};
pub use partial::Partial;
pub use range::{ParseRangeError, Range, class_order, equity_against_random};
pub use variant::Variant;
