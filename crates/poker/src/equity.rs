//! Equities by exact enumeration or Monte Carlo sampling.

mod algorithm;
mod alias;
mod block;
mod draw;
mod enumerate;
mod error;
mod holding;
mod known;
mod matchups;
mod merge;
mod parallel;
mod patterns;
mod progress;
mod result;
mod sample;
mod seats;
mod tally;
mod validate;

pub use error::{EquityError, Place};
pub use holding::{Holding, ParseHoldingError};
pub use matchups::{Matchup, canonical_matchups, class_equity, count_matchup, matchup};
pub(crate) use merge::river_equities;
pub use progress::EquityProgress;
pub use result::{Equity, PlayerEquity};

use serde::{Deserialize, Serialize};
pub use validate::{Validation, validate_sampling};

use crate::{CardSet, Variant};

/// The method of an equity calculation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Exact where that takes about a tenth of a second at most, else sampling.
    #[default]
    Auto,
    /// Exact: all possible deals count.
    Exact,
    /// Monte Carlo sampling of random deals.
    Sample,
}

/// The options of an equity calculation.
#[derive(Clone, Debug)]
pub struct EquityOptions {
    /// The poker variant.
    pub variant: Variant,
    /// The method.
    pub method: Method,
    /// The number of deals to sample, if it is sampled.
    pub deals: u64,
    /// Dead cards, which are in no hand and never dealt.
    pub dead: CardSet,
    /// Whether to count the categories of the players' final hands.
    pub categories: bool,
    /// The random seed of sampling.
    pub seed: u64,
    /// The number of threads, 0 for all of the machine. Results do not depend on
    /// it.
    pub threads: usize,
}

impl EquityOptions {
    /// The maximum number of sampled deals: up to here shares add up exactly.
    pub const MAX_DEALS: u64 = 1_000_000_000_000;
}

impl Default for EquityOptions {
    fn default() -> Self {
        Self {
            variant: Variant::Holdem,
            method: Method::Auto,
            deals: 1_000_000,
            dead: CardSet::EMPTY,
            categories: false,
            seed: 0,
            threads: 1,
        }
    }
}

/// Computes how often each of two to ten players wins, ties and loses.
///
/// The probability of a deal is proportional to the product of the weights of
/// the players' hands in it; deals in which a card occurs twice are impossible.
///
/// ```
/// use meeple_poker::{EquityOptions, Method, equity};
///
/// let players = ["AhAs".parse()?, "KdKc".parse()?];
/// let result = equity(&players, "2c7h9d".parse()?, &EquityOptions::default())?;
/// assert_eq!(result.method, Method::Exact);
/// assert_eq!(result.deals, 990.0);
/// assert!((result.players[0].equity() - 0.916162).abs() < 1e-6);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When the players, the board and the dead cards are not consistent, or an exact
/// calculation would take too long.
pub fn equity(
    players: &[Holding],
    board: CardSet,
    options: &EquityOptions,
) -> Result<Equity, EquityError> {
    equity_with_progress(players, board, options, &EquityProgress::default())
}

/// As [`equity`], with progress and cancellation from another thread.
///
/// # Errors
///
/// As [`equity`], and [`EquityError::Stopped`] when stopped without a result.
pub fn equity_with_progress(
    players: &[Holding],
    board: CardSet,
    options: &EquityOptions,
    progress: &EquityProgress,
) -> Result<Equity, EquityError> {
    if let Some(result) = known::equity(players, board, options, progress)? {
        return Ok(result);
    }
    let seats = seats::Seats::new(players, board, options)?;
    let algorithm = algorithm::Algorithm::choose(&seats, options)?;
    let (tally, method) = algorithm.run(&seats, options, progress)?;
    if tally.by_winners.iter().sum::<f64>() <= 0.0 {
        return Err(EquityError::Impossible);
    }
    Ok(Equity::new(&tally, method))
}
