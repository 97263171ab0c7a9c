//! The result of an equity calculation, exact or sampled.

use serde::{Deserialize, Serialize};

use super::Method;
use super::tally::Tally;
use crate::Category;

/// The equities of all players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Equity {
    /// One for each player, in the order they were given.
    pub players: Vec<PlayerEquity>,
    /// The number of deals; with weighted ranges, their total weight.
    pub deals: f64,
    /// The method used: [`Method::Exact`] or [`Method::Sample`].
    pub method: Method,
}

/// The result of one player, in deals (with weighted ranges, in weight of deals).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerEquity {
    /// Deals that the player wins alone.
    pub wins: f64,
    /// Deals that the player ties.
    pub ties: f64,
    /// Deals that the player loses.
    pub losses: f64,
    /// The player's share of all pots, in [`PlayerEquity::SHARE_UNIT`]ths of a
    /// pot: an integer unless ranges are weighted, so the shares of all players
    /// add up exactly.
    pub share_units: f64,
    /// The standard error of the equity, if it is sampled.
    pub standard_error: Option<f64>,
    /// The number of deals by final category, the worst first, if
    /// [requested](super::EquityOptions::categories).
    pub categories: Option<[f64; Category::ALL.len()]>,
}

impl PlayerEquity {
    /// The units of one pot, divisible by any number of players from one to ten.
    pub const SHARE_UNIT: f64 = 2520.0;

    fn deals(&self) -> f64 {
        self.wins + self.ties + self.losses
    }

    /// The equity, the player's share of all pots, from 0 to 1.
    #[must_use]
    pub fn equity(&self) -> f64 {
        self.share_units / (Self::SHARE_UNIT * self.deals())
    }

    /// The frequency of outright wins, from 0 to 1.
    #[must_use]
    pub fn win_rate(&self) -> f64 {
        self.wins / self.deals()
    }

    /// The frequency of ties, from 0 to 1.
    #[must_use]
    pub fn tie_rate(&self) -> f64 {
        self.ties / self.deals()
    }

    /// The 95 % confidence interval of the equity; `None` when it is exact.
    ///
    /// This is Wilson's score interval (1927) for the number of Bernoulli trials
    /// that has the same variance; unlike the normal approximation it does not
    /// collapse when all sampled deals are won.
    #[must_use]
    pub fn confidence_interval(&self) -> Option<(f64, f64)> {
        const Z: f64 = 1.959_963_984_540_054;
        let error = self.standard_error?;
        let (equity, deals) = (self.equity(), self.deals());
        let bernoulli = equity * (1.0 - equity);
        let variance = error * error;
        let effective =
            if variance > 0.0 && bernoulli > 0.0 { bernoulli / variance } else { deals };
        let shrink = 1.0 / (1.0 + Z * Z / effective);
        let centre = shrink * (equity + 0.5 * Z * Z / effective);
        let half = shrink * Z * (bernoulli / effective + 0.25 * (Z / effective).powi(2)).sqrt();
        // At 0 and 1 a bound equals the equity, and rounding must not exclude it.
        Some(((centre - half).clamp(0.0, equity), (centre + half).clamp(equity, 1.0)))
    }
}

impl Equity {
    /// Derives all statistics from the counts.
    pub(crate) fn new(tally: &Tally, method: Method) -> Self {
        Self::from_counts(&tally.by_winners, tally.categories.as_deref(), method)
    }

    /// Derives all statistics from the weights of deals by set of winners, and by
    /// category for each player.
    pub(crate) fn from_counts(
        by_winners: &[f64],
        categories: Option<&[[f64; Category::ALL.len()]]>,
        method: Method,
    ) -> Self {
        let players = by_winners.len().trailing_zeros() as usize;
        let deals: f64 = by_winners.iter().sum();
        let player = |player: usize| {
            let (mut wins, mut ties, mut share_units, mut squares) = (0.0, 0.0, 0.0, 0.0);
            for (winners, &weight) in by_winners.iter().enumerate() {
                if winners >> player & 1 == 1 {
                    let sharers = f64::from(winners.count_ones());
                    if sharers == 1.0 {
                        wins += weight
                    } else {
                        ties += weight
                    }
                    share_units += weight * (PlayerEquity::SHARE_UNIT / sharers);
                    squares += weight / (sharers * sharers);
                }
            }
            let mean = share_units / (PlayerEquity::SHARE_UNIT * deals);
            let variance = (squares / deals - mean * mean).max(0.0);
            PlayerEquity {
                wins,
                ties,
                losses: deals - wins - ties,
                share_units,
                standard_error: (method == Method::Sample).then(|| (variance / deals).sqrt()),
                categories: categories.map(|categories| categories[player]),
            }
        };
        Self { players: (0..players).map(player).collect(), deals, method }
    }
}
