//! How much of the variance of a result a common cause explains.

use crate::{Estimate, Interval, Z, wilson_interval};

/// Returns the share of the variance of results that is explained by what both results of a pair
/// have in common: the intraclass correlation (Fisher 1925), which is the first-order index of
/// Sobol' (1993), for results that are vectors by the sums over their parts (Gamboa, Janon, Klein
/// and Lagnoux 2014). `None` if all results are equal or there are fewer than two pairs.
///
/// The interval is that of Janon, Klein, Lagnoux, Nodet and Prieur (2014), by the delta method.
/// Where both results of every pair are equal, its lower end allows for the share of unequal
/// pairs that may not have been seen.
///
/// ```
/// use meeple_stats::intraclass_correlation;
///
/// let pairs = [[vec![1.0], vec![1.0]], [vec![-1.0], vec![-1.0]], [vec![1.0], vec![-1.0]]];
/// let share = intraclass_correlation(&pairs).expect("results differ");
/// assert!(share.value > 0.0 && share.value < 1.0);
/// ```
#[must_use]
pub fn intraclass_correlation(pairs: &[[Vec<f64>; 2]]) -> Option<Estimate> {
    let count = pairs.len() as f64;
    let parts = pairs.first().map_or(0, |pair| pair[0].len());
    let mean = |part: usize| {
        pairs.iter().map(|[one, other]| one[part] + other[part]).sum::<f64>() / (2.0 * count)
    };
    let means: Vec<f64> = (0..parts).map(mean).collect();
    let product = |one: &[f64], other: &[f64]| -> f64 {
        (0..parts).map(|at| (one[at] - means[at]) * (other[at] - means[at])).sum()
    };
    let variance_of =
        |[one, other]: &[Vec<f64>; 2]| f64::midpoint(product(one, one), product(other, other));
    let variance = pairs.iter().map(variance_of).sum::<f64>() / count;
    if pairs.len() < 2 || variance <= 0.0 {
        return None;
    }
    let covariance = pairs.iter().map(|[one, other]| product(one, other)).sum::<f64>() / count;
    let value = covariance / variance;
    let residual = |pair: &[Vec<f64>; 2]| product(&pair[0], &pair[1]) - value * variance_of(pair);
    let squares = pairs.iter().map(|pair| residual(pair).powi(2)).sum::<f64>();
    let error = (squares / (count - 1.0) / count).sqrt() / variance;
    let (mut ci_low, ci_high) = (value - Z * error, value + Z * error);
    if pairs.iter().all(|[one, other]| one == other) {
        ci_low = 1.0 - wilson_interval(0.0, count).ci_high / unequal_share(pairs);
    }
    let interval = Interval { ci_low: ci_low.clamp(0.0, 1.0), ci_high: ci_high.clamp(0.0, 1.0) };
    Some(Estimate { value: value.clamp(0.0, 1.0), interval })
}

/// The share of unequal results among the first results of different pairs.
fn unequal_share(pairs: &[[Vec<f64>; 2]]) -> f64 {
    let mut firsts: Vec<&[f64]> = pairs.iter().map(|[one, _]| one.as_slice()).collect();
    firsts.sort_by(|one, other| one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal));
    let count = pairs.len() as f64;
    let equal: f64 = firsts
        .chunk_by(|one, other| one == other)
        .map(|same| same.len() as f64)
        .map(|n| n * n)
        .sum();
    1.0 - equal / (count * count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_rng::Rng;

    fn pairs(results: &[(f64, f64)]) -> Vec<[Vec<f64>; 2]> {
        results.iter().map(|&(one, other)| [vec![one], vec![other]]).collect()
    }

    /// By hand: the mean is 3, the covariance 2/3, the variance 5/3.
    #[test]
    fn the_value_is_that_of_fisher() {
        let found = intraclass_correlation(&pairs(&[(1.0, 2.0), (4.0, 3.0), (5.0, 3.0)])).unwrap();
        assert!((found.value - 0.4).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn a_common_cause_explains_everything_or_nothing() {
        let same = pairs(&[(1.0, 1.0), (-1.0, -1.0)].repeat(50));
        let found = intraclass_correlation(&same).unwrap();
        assert_eq!((found.value, found.interval.ci_high), (1.0, 1.0));
        // One pair of 100 may have differed in up to 3.7 % of all cases.
        assert!((found.interval.ci_low - 0.926).abs() < 0.001, "{found:?}");

        let mixed = pairs(&[(1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0)].repeat(50));
        let found = intraclass_correlation(&mixed).unwrap();
        assert!(found.value.abs() < 1e-12 && found.interval.ci_low == 0.0, "{found:?}");
        assert!((found.interval.ci_high - Z / 200f64.sqrt()).abs() < 0.001, "{found:?}");
        assert_eq!(intraclass_correlation(&pairs(&[(1.0, 1.0); 9])), None);
        assert_eq!(intraclass_correlation(&pairs(&[(1.0, 0.0)])), None);
    }

    /// Results that mirror each other, as those of two players, count as one.
    #[test]
    fn seats_of_a_zero_sum_game_are_one_result() {
        let results = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (1.0, 0.0)];
        let one = intraclass_correlation(&pairs(&results)).unwrap();
        let both: Vec<[Vec<f64>; 2]> =
            results.iter().map(|&(a, b)| [vec![a, -a], vec![b, -b]]).collect();
        let both = intraclass_correlation(&both).unwrap();
        assert!((one.value - both.value).abs() < 1e-12);
        assert!((one.interval.ci_high - both.interval.ci_high).abs() < 1e-12);
    }

    /// 95 % of the intervals contain the true share, here 0.36: a common and an own cause.
    #[test]
    fn intervals_contain_the_truth() {
        let mut hits = 0;
        for seed in 0..400 {
            let mut rng = Rng::new(seed);
            let mut normal = || (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
            let results: Vec<(f64, f64)> = (0..150)
                .map(|_| {
                    let common = 0.6 * normal();
                    (common + 0.8 * normal(), common + 0.8 * normal())
                })
                .collect();
            let found = intraclass_correlation(&pairs(&results)).unwrap().interval;
            hits += u32::from((found.ci_low..=found.ci_high).contains(&0.36));
        }
        // 380 are expected; three standard deviations are 13.
        assert!((360..=395).contains(&hits), "{hits} of 400");
    }
}
