//! Winnings in games for stakes, in chips per game or big blinds per 100 hands.

use std::fmt;

use meeple_game::Stakes;
use serde::Serialize;

use crate::signed;
use meeple_stats::{Interval, Z};

/// The mean winnings of a bot, with their 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Winnings {
    /// The unit.
    pub unit: WinningsUnit,
    /// The mean.
    pub mean: f64,
    /// Its 95 % confidence interval.
    #[serde(flatten)]
    pub interval: Interval,
}

/// The unit of winnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum WinningsUnit {
    /// Big blinds per 100 hands (bb/100), in games with a big blind.
    #[serde(rename = "bb/100")]
    BigBlinds,
    /// Chips per game.
    #[serde(rename = "chips/game")]
    Chips,
}

impl Winnings {
    /// Converts a mean payoff per game and its standard error to winnings.
    #[must_use]
    pub fn new(stakes: Stakes, payoff: f64, error: f64) -> Self {
        let (unit, scale) = match stakes.big_blind {
            Some(blind) => (WinningsUnit::BigBlinds, 100.0 * stakes.chips / blind),
            None => (WinningsUnit::Chips, stakes.chips),
        };
        let (mean, half) = (payoff * scale, Z * error * scale);
        Self { unit, mean, interval: Interval { ci_low: mean - half, ci_high: mean + half } }
    }
}

impl WinningsUnit {
    /// The number of decimals to show.
    fn decimals(self) -> usize {
        match self {
            Self::BigBlinds => 1,
            Self::Chips => 3,
        }
    }
}

impl fmt::Display for WinningsUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BigBlinds => "bb/100",
            Self::Chips => "chips/game",
        })
    }
}

/// Formats the mean with half the width of its interval: `+12.3 ± 4.5`.
impl fmt::Display for Winnings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = self.unit.decimals();
        let half = (self.interval.ci_high - self.interval.ci_low) / 2.0;
        write!(f, "{} ± {half:.decimals$}", signed(self.mean, decimals))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn winnings_have_the_unit_of_their_game() {
        let holdem = Stakes { chips: 10_000.0, big_blind: Some(100.0) };
        let found = Winnings::new(holdem, 0.001, 0.0005);
        assert_eq!(found.mean, 10.0, "a tenth of a blind a hand");
        assert_eq!(
            (found.to_string(), found.unit.to_string()),
            ("+10.0 ± 9.8".into(), "bb/100".into())
        );
        let kuhn = Stakes { chips: 2.0, big_blind: None };
        let found = Winnings::new(kuhn, -0.0001, 0.001);
        assert_eq!(
            (found.to_string(), found.unit.to_string()),
            ("0.000 ± 0.004".into(), "chips/game".into())
        );
    }
}
