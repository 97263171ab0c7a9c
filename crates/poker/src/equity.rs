//! Equities.

mod matchups;
mod patterns;

pub use matchups::{Matchup, canonical_matchups, count_matchup, matchup};
