//! The standard normal distribution.

use std::f64::consts::{PI, SQRT_2};

/// Returns the cumulative distribution function at `x`.
#[must_use]
pub fn normal_cdf(x: f64) -> f64 {
    if x.is_nan() {
        return 0.5;
    }
    if x < 0.0 { upper_tail(-x) } else { 1.0 - upper_tail(x) }
}

/// Returns the quantile of `probability`.
///
/// # Panics
///
/// Panics when `probability` is not between 0 and 1.
#[must_use]
pub fn normal_quantile(probability: f64) -> f64 {
    assert!(
        0.0 < probability && probability < 1.0,
        "expected a probability between 0 and 1, got {probability}"
    );
    let (mut low, mut high) = (-40.0, 40.0);
    // Halving an interval of 80 this often leaves less than a rounding error.
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        if normal_cdf(middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Returns the upper tail probability at `x`, which is not negative.
fn upper_tail(x: f64) -> f64 {
    let t = x / SQRT_2;
    if x < 3.0 {
        // The series of the error function; its terms shrink fast here.
        let (mut term, mut sum, mut n) = (t, t, 0.0);
        while term.abs() > 1e-17 * sum.abs() && n < 200.0 {
            n += 1.0;
            term *= -t * t / n;
            sum += term / (2.0 * n + 1.0);
        }
        return 0.5 - sum / PI.sqrt();
    }
    // The continued fraction of the complementary error function.
    let mut fraction = 0.0;
    for n in (1..=100).rev() {
        fraction = f64::from(n) / 2.0 / (t + fraction);
    }
    0.5 * (-t * t).exp() / ((t + fraction) * PI.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of scipy.stats.norm.
    #[test]
    fn values_are_those_of_scipy() {
        for (x, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_542_9),
            (-1.959_963_984_540_054, 0.025),
            (2.999, 0.998_645_663_466_272_9),
            (3.001, 0.998_654_527_174_915),
            (-6.0, 9.865_876_450_376_946e-10),
            (-12.0, 1.776_482_112_077_653e-33),
        ] {
            let found = normal_cdf(x);
            assert!((found - expected).abs() <= 1e-12 * expected, "{x}: {found}");
        }
        for (probability, expected) in [
            (0.5, 0.0),
            (0.975, 1.959_963_984_540_054),
            (0.8, 0.841_621_233_572_914_3),
            (1e-6, -4.753_424_308_822_899),
        ] {
            assert!((normal_quantile(probability) - expected).abs() < 1e-9, "{probability}");
        }
    }
}
