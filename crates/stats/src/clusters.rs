//! Means and shares of observations in independent clusters, such as the decisions of games.

use serde::Serialize;

use crate::{Interval, Z, wilson_interval};

/// A value with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its interval.
    #[serde(flatten)]
    pub interval: Interval,
}

/// Observations in clusters: observations of different clusters are independent, those of one
/// cluster need not be, such as the decisions of a game.
///
/// ```
/// use meeple_stats::Clusters;
///
/// let mut forced = Clusters::default();
/// for (forced_decisions, decisions) in [(1.0, 10.0), (3.0, 20.0), (0.0, 10.0)] {
///     forced.add(forced_decisions, decisions);
/// }
/// assert_eq!(forced.mean(), Some(0.1));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clusters {
    /// The sum and the number of the observations of each cluster.
    totals: Vec<[f64; 2]>,
}

/// A standard error below this is a rounding error.
const ROUNDING: f64 = 1e-12;

impl Clusters {
    /// Adds a cluster of `count` observations by their sum. A cluster without observations is
    /// left out.
    pub fn add(&mut self, sum: f64, count: f64) {
        if count > 0.0 {
            self.totals.push([sum, count]);
        }
    }

    /// The number of clusters.
    #[must_use]
    pub fn len(&self) -> usize {
        self.totals.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.totals.is_empty()
    }

    /// The mean of all observations.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (!self.is_empty()).then(|| self.sums()[0] / self.sums()[1])
    }

    /// The standard error of the mean, which is a ratio of two sums over clusters (Cochran 1977,
    /// section 6.3); 0 for fewer than two clusters.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        let (Some(mean), clusters) = (self.mean(), self.len() as f64) else { return 0.0 };
        if clusters < 2.0 {
            return 0.0;
        }
        let residuals = self.totals.iter().map(|[sum, count]| (sum - mean * count).powi(2));
        let error = (residuals.sum::<f64>() * clusters / (clusters - 1.0)).sqrt() / self.sums()[1];
        if error < ROUNDING * mean.abs().max(1.0) { 0.0 } else { error }
    }

    /// The mean with an interval by the normal distribution; `None` for fewer than two clusters.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        let value = self.mean().filter(|_| self.len() > 1)?;
        let half = Z * self.standard_error();
        Some(Estimate { value, interval: Interval { ci_low: value - half, ci_high: value + half } })
    }

    /// The mean of observations between 0 and 1 with the interval of Wilson (1927) for the
    /// effective sample size: the number of independent observations with the same standard
    /// error (Korn and Graubard 1998). `None` without clusters.
    ///
    /// Where the clusters show no variation, each counts as one observation.
    #[must_use]
    pub fn share(&self) -> Option<Estimate> {
        let value = self.mean()?.clamp(0.0, 1.0);
        let (clusters, observations) = (self.len() as f64, self.sums()[1]);
        let variance = self.standard_error().powi(2);
        let size = if variance > 0.0 && value > 0.0 && value < 1.0 {
            (value * (1.0 - value) / variance).min(observations)
        } else {
            clusters.min(observations)
        };
        Some(Estimate { value, interval: wilson_interval(value, size) })
    }

    fn sums(&self) -> [f64; 2] {
        self.totals.iter().fold([0.0; 2], |[sum, count], total| [sum + total[0], count + total[1]])
    }
}

/// Returns the mean of independent estimates. Its interval combines theirs, which need not be
/// symmetric (Zou and Donner 2008); `None` without estimates.
#[must_use]
pub fn mean_estimate(parts: &[Estimate]) -> Option<Estimate> {
    let count = parts.len() as f64;
    let value = parts.iter().map(|part| part.value).sum::<f64>() / count;
    let far = |bound: fn(&Estimate) -> f64| {
        parts.iter().map(|part| (part.value - bound(part)).powi(2)).sum::<f64>().sqrt() / count
    };
    let ci_low = value - far(|part| part.interval.ci_low);
    let ci_high = value + far(|part| part.interval.ci_high);
    (!parts.is_empty()).then_some(Estimate { value, interval: Interval { ci_low, ci_high } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wilson;

    fn clusters(totals: &[(f64, f64)]) -> Clusters {
        let mut clusters = Clusters::default();
        totals.iter().for_each(|&(sum, count)| clusters.add(sum, count));
        clusters
    }

    #[track_caller]
    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    /// Clusters of one observation are plain observations: scipy.stats.sem([2, 4, 9]).
    #[test]
    fn single_observations_have_the_plain_standard_error() {
        let plain = clusters(&[(2.0, 1.0), (4.0, 1.0), (9.0, 1.0)]);
        assert_eq!(plain.mean(), Some(5.0));
        close(plain.standard_error(), 2.081_665_999_466_132_5);
        let found = plain.estimate().unwrap();
        close(found.interval.ci_high - 5.0, Z * plain.standard_error());
    }

    /// numpy: r = 6 / 60; sqrt(3 / 2 * sum((x - r * m) ** 2)) / 60.
    #[test]
    fn ratios_have_the_error_of_their_clusters() {
        let ratio = clusters(&[(1.0, 10.0), (5.0, 20.0), (0.0, 30.0)]);
        close(ratio.mean().unwrap(), 0.1);
        close(ratio.standard_error(), 0.086_602_540_378_443_87);
    }

    /// Observations that repeat within a cluster say nothing new.
    #[test]
    fn shares_have_the_interval_of_the_independent_observations() {
        let single = clusters(&[(1.0, 1.0), (0.0, 1.0), (0.0, 1.0), (0.0, 1.0)].repeat(50));
        let tenfold = clusters(&[(10.0, 10.0), (0.0, 10.0), (0.0, 10.0), (0.0, 10.0)].repeat(50));
        let (one, ten) = (single.share().unwrap(), tenfold.share().unwrap());
        assert_eq!(one.value, 0.25);
        close(one.interval.ci_low, ten.interval.ci_low);
        let plain = wilson(50, 200);
        assert!((one.interval.ci_low - plain.ci_low).abs() < 0.001, "{one:?}");
        assert!((one.interval.ci_high - plain.ci_high).abs() < 0.001, "{one:?}");
    }

    #[test]
    fn clusters_without_variation_count_once() {
        let certain = clusters(&[(7.0, 7.0); 20]).share().unwrap();
        assert_eq!((certain.value, certain.interval), (1.0, wilson(20, 20)));
        let even = clusters(&[(0.5, 1.0); 20]).share().unwrap();
        assert_eq!(even.interval, wilson(10, 20));
    }

    #[test]
    fn nothing_follows_from_nothing() {
        let none = clusters(&[(0.0, 0.0)]);
        assert!(none.is_empty());
        assert_eq!((none.mean(), none.estimate(), none.share()), (None, None, None));
        assert_eq!(clusters(&[(3.0, 1.0)]).estimate(), None);
        assert_eq!(mean_estimate(&[]), None);
    }

    /// Equal symmetric intervals shrink by the root of their number.
    #[test]
    fn means_of_estimates_combine_their_intervals() {
        let part = |value, low, high| Estimate {
            value,
            interval: Interval { ci_low: low, ci_high: high },
        };
        let found = mean_estimate(&[part(10.0, 6.0, 14.0); 4]).unwrap();
        assert_eq!(found, part(10.0, 8.0, 12.0));
        let skewed = mean_estimate(&[part(0.0, -3.0, 1.0), part(10.0, 6.0, 10.0)]).unwrap();
        assert_eq!(skewed, part(5.0, 2.5, 5.5));
    }
}
