//! Equities: who wins how often, counted exactly or sampled.

mod alias;
mod block;
mod draw;
mod enumerate;
mod error;
mod holding;
mod matchups;
mod merge;
mod parallel;
mod patterns;
mod plan;
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
pub use progress::Progress;
pub use result::{Equity, PlayerEquity};

use serde::{Deserialize, Serialize};
pub use validate::{Validation, validate_sampling};

use crate::{CardSet, Variant};

/// How an equity is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Exactly where that takes no longer than a moment, else by sampling.
    #[default]
    Auto,
    /// By counting every deal.
    Exact,
    /// By dealing at random.
    Sample,
}

/// What besides the players and the board an equity depends on.
#[derive(Clone, Debug)]
pub struct EquityOptions {
    /// The game.
    pub variant: Variant,
    /// How to find it.
    pub method: Method,
    /// How many deals to sample, where it is sampled.
    pub deals: u64,
    /// Cards that are known to be in nobody's hand and not to come.
    pub dead: CardSet,
    /// Whether to count the categories that players end up with.
    pub categories: bool,
    /// Decides the sampled deals.
    pub seed: u64,
    /// How many threads to use, 0 for as many as the machine runs at once.
    /// Results do not depend on it.
    pub threads: usize,
}

impl EquityOptions {
    /// The most deals that can be sampled: their shares still add up exactly.
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

/// How often each of two to ten players wins, ties and loses.
///
/// Every deal that is possible is equally likely, weighted by the product of
/// the weights of the hands the players hold in it.
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
/// Says what is wrong when the players, the board and the dead cards do not fit
/// together, or when an exact count would take for ever.
pub fn equity(
    players: &[Holding],
    board: CardSet,
    options: &EquityOptions,
) -> Result<Equity, EquityError> {
    equity_watched(players, board, options, &Progress::default())
}

/// [`equity`], watched and perhaps cut short by another thread.
///
/// # Errors
///
/// As for [`equity`].
pub fn equity_watched(
    players: &[Holding],
    board: CardSet,
    options: &EquityOptions,
    progress: &Progress,
) -> Result<Equity, EquityError> {
    let seats = seats::Seats::new(players, board, options)?;
    let plan = plan::Plan::choose(&seats, options)?;
    let (tally, method) = plan.run(&seats, options, progress)?;
    if tally.by_winners.iter().sum::<f64>() <= 0.0 {
        return Err(EquityError::Impossible);
    }
    Ok(Equity::new(&tally, method))
}
