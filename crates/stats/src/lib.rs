//! Statistics of matches: confidence intervals, Elo ratings, sequential tests, likelihood of
//! superiority.
//!
//! It knows no game and reads no file: scores of games or of blocks of games go in, estimates
//! with their errors come out.

mod clusters;
mod normal;
mod ratings;
mod sprt;
mod superiority;
mod variance;

use serde::Serialize;

pub use clusters::{Clusters, Estimate, mean_estimate};
pub use normal::{normal_cdf, normal_quantile};
pub use ratings::{Pairing, Rating, Ratings, elo_of_score, expected_score, rate};
pub use sprt::{Scores, Sprt, Verdict};
pub use superiority::{
    EloScale, PairedResult, needed_games, normalized_score, paired_result, superiority,
};
pub use variance::explained_share;

/// A 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The lower bound.
    pub ci_low: f64,
    /// The upper bound.
    pub ci_high: f64,
}

/// The number, sum and squares of some values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// The number of values.
    pub count: u64,
    /// Their sum.
    pub sum: f64,
    /// The sum of their squares.
    pub squares: f64,
}

impl Moments {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// The standard error of the mean.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        let count = self.count as f64;
        let variance = (self.squares - self.sum * self.sum / count) / (count - 1.0);
        (variance.max(0.0) / count).sqrt()
    }
}

/// The 97.5 % quantile of the standard normal distribution: the half width of a 95 % interval
/// in standard errors.
pub const Z: f64 = 1.959_963_984_540_054;

/// Returns the 95 % score interval of Wilson (1927) for `successes` out of `trials`.
///
/// ```
/// let interval = meeple_stats::wilson(50, 100);
/// assert!((interval.ci_low - 0.404).abs() < 0.001);
/// assert!((interval.ci_high - 0.596).abs() < 0.001);
/// ```
#[must_use]
pub fn wilson(successes: u64, trials: u64) -> Interval {
    if trials == 0 {
        return Interval { ci_low: 0.0, ci_high: 1.0 };
    }
    wilson_interval(successes as f64 / trials as f64, trials as f64)
}

/// The interval of Wilson for a share of so many trials, which need not be a whole number.
fn wilson_interval(share: f64, trials: f64) -> Interval {
    let spread = Z * Z / trials;
    let centre = (share + spread / 2.0) / (1.0 + spread);
    let half =
        Z * (share * (1.0 - share) / trials + spread / (4.0 * trials)).sqrt() / (1.0 + spread);
    Interval { ci_low: (centre - half).max(0.0), ci_high: (centre + half).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of Newcombe (1998), method 3, with the digits printed there.
    #[test]
    fn intervals_are_those_of_wilson() {
        for (successes, trials, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let interval = wilson(successes, trials);
            assert!((interval.ci_low - low).abs() < 5e-5, "{interval:?}");
            assert!((interval.ci_high - high).abs() < 5e-5, "{interval:?}");
        }
    }

    #[test]
    fn nothing_is_known_without_trials() {
        assert_eq!(wilson(0, 0), Interval { ci_low: 0.0, ci_high: 1.0 });
    }
}
