//! How much of the variance of results a part of them explains.

use crate::{Estimate, Interval, Z};

/// Returns the share of the variance of results that a part of them explains: the covariance of
/// the part with the result, divided by the variance of the result (Shorrocks 1982). The shares of
/// all parts of a result sum to 1. Results are vectors, such as the payoffs of all seats;
/// covariances are sums over their components. `None` if all results are equal or there are fewer
/// than two.
///
/// The interval is that of a ratio of means, by the normal distribution.
///
/// ```
/// use meeple_stats::explained_share;
///
/// let results = [vec![1.0], vec![-1.0], vec![1.0], vec![-1.0]];
/// let halves = [vec![0.5], vec![-0.5], vec![0.5], vec![-0.5]];
/// assert_eq!(explained_share(&halves, &results).expect("results differ").value, 0.5);
/// ```
///
/// # Panics
///
/// Panics when there are not as many parts as results, or their lengths differ.
#[must_use]
pub fn explained_share(parts: &[Vec<f64>], results: &[Vec<f64>]) -> Option<Estimate> {
    assert_eq!(parts.len(), results.len(), "each result has one part");
    let count = results.len() as f64;
    let (parts, results) = (centred(parts), centred(results));
    let product = |(one, other): (&Vec<f64>, &Vec<f64>)| -> f64 {
        assert_eq!(one.len(), other.len(), "a part is a vector of the same length");
        one.iter().zip(other).map(|(one, other)| one * other).sum()
    };
    let covariances: Vec<f64> = parts.iter().zip(&results).map(product).collect();
    let variances: Vec<f64> = results.iter().zip(&results).map(product).collect();
    let variance = variances.iter().sum::<f64>() / count;
    if results.len() < 2 || variance <= 0.0 {
        return None;
    }
    let value = covariances.iter().sum::<f64>() / count / variance;
    let residuals = covariances.iter().zip(&variances).map(|(one, other)| one - value * other);
    let squares: f64 = residuals.map(|residual| residual * residual).sum();
    let half = Z * (squares / (count - 1.0) / count).sqrt() / variance;
    let interval = Interval { ci_low: value - half, ci_high: value + half };
    Some(Estimate { value, interval })
}

/// Returns vectors less their mean.
fn centred(vectors: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let length = vectors.first().map_or(0, Vec::len);
    let mean =
        |at: usize| vectors.iter().map(|vector| vector[at]).sum::<f64>() / vectors.len() as f64;
    let means: Vec<f64> = (0..length).map(mean).collect();
    let less =
        |vector: &Vec<f64>| vector.iter().zip(&means).map(|(one, mean)| one - mean).collect();
    vectors.iter().map(less).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_rng::Rng;

    fn single(values: &[f64]) -> Vec<Vec<f64>> {
        values.iter().map(|&value| vec![value]).collect()
    }

    /// numpy: np.cov([1, 2, 4, 1], [2, 1, 7, 2])[0, 1] / np.var([2, 1, 7, 2], ddof=1).
    #[test]
    fn the_value_is_a_ratio_of_covariances() {
        let (parts, results) = (single(&[1.0, 2.0, 4.0, 1.0]), single(&[2.0, 1.0, 7.0, 2.0]));
        let found = explained_share(&parts, &results).unwrap();
        assert!((found.value - 0.454_545_454_545).abs() < 1e-9, "{found:?}");
        let rest = single(&[1.0, -1.0, 3.0, 1.0]);
        let rest = explained_share(&rest, &results).unwrap();
        assert!((found.value + rest.value - 1.0).abs() < 1e-12, "the shares sum to 1");
    }

    #[test]
    fn a_part_explains_everything_or_nothing() {
        let results = single(&[1.0, -1.0, 1.0, 0.0]);
        let everything = explained_share(&results, &results).unwrap();
        assert_eq!((everything.value, everything.interval.ci_low), (1.0, 1.0));
        let nothing = explained_share(&single(&[3.0; 4]), &results).unwrap();
        assert_eq!((nothing.value, nothing.interval.ci_high), (0.0, 0.0));
        assert_eq!(explained_share(&single(&[1.0, 2.0]), &single(&[5.0, 5.0])), None);
        assert_eq!(explained_share(&single(&[1.0]), &single(&[5.0])), None);
        assert_eq!(explained_share(&[], &[]), None);
    }

    /// Results that mirror each other, as those of two players, count as one.
    #[test]
    fn seats_of_a_zero_sum_game_are_one_result() {
        let (parts, results) = ([0.3, -0.4, 0.1, -0.6], [1.0, -1.0, -1.0, 0.0]);
        let both =
            |values: &[f64]| values.iter().map(|&value| vec![value, -value]).collect::<Vec<_>>();
        let one = explained_share(&single(&parts), &single(&results)).unwrap();
        let two = explained_share(&both(&parts), &both(&results)).unwrap();
        assert!((one.value - two.value).abs() < 1e-12);
        assert!((one.interval.ci_high - two.interval.ci_high).abs() < 1e-12);
    }

    /// 95 % of the intervals contain the true share, here 0.36 of two causes, one of which is
    /// seen with noise.
    #[test]
    fn intervals_contain_the_truth() {
        let mut hits = 0;
        for seed in 0..400 {
            let mut rng = Rng::new(seed);
            let mut normal = || (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
            let (mut parts, mut results) = (Vec::new(), Vec::new());
            for _ in 0..150 {
                let (luck, play, noise) = (0.6 * normal(), 0.8 * normal(), 0.5 * normal());
                parts.push(vec![luck + noise]);
                results.push(vec![luck + play]);
            }
            let found = explained_share(&parts, &results).unwrap().interval;
            hits += u32::from((found.ci_low..=found.ci_high).contains(&0.36));
        }
        // 380 are expected; three standard deviations are 13.
        assert!((362..=395).contains(&hits), "{hits} of 400");
    }
}
