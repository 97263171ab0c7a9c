//! Dirichlet noise from the crate's own generator, identical on every platform.

use meeple_game::Rng;

/// Samples `count` shares that sum to 1; a smaller `alpha` concentrates them on fewer
/// entries.
pub(crate) fn dirichlet(alpha: f32, count: usize, rng: &mut Rng) -> Vec<f32> {
    let mut shares: Vec<f64> = (0..count).map(|_| gamma(f64::from(alpha), rng)).collect();
    let sum: f64 = shares.iter().sum();
    if sum <= 0.0 {
        shares.fill(1.0);
    }
    let sum: f64 = shares.iter().sum();
    shares.iter().map(|share| (share / sum) as f32).collect()
}

/// Samples the gamma distribution with `shape` and scale 1 (Marsaglia and Tsang, 2000).
fn gamma(shape: f64, rng: &mut Rng) -> f64 {
    if shape < 1.0 {
        let boost = rng.unit().max(f64::MIN_POSITIVE).powf(1.0 / shape);
        return boost * gamma(shape + 1.0, rng);
    }
    let third = shape - 1.0 / 3.0;
    let width = 1.0 / (9.0 * third).sqrt();
    loop {
        let normal = normal(rng);
        let cube = (1.0 + width * normal).powi(3);
        if cube <= 0.0 {
            continue;
        }
        let accept = rng.unit().max(f64::MIN_POSITIVE).ln();
        if accept < 0.5 * normal * normal + third - third * cube + third * cube.ln() {
            return third * cube;
        }
    }
}

/// Samples the standard normal distribution (Box and Muller, 1958).
fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * rng.unit().max(f64::MIN_POSITIVE).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.unit()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_sum_to_one_with_the_right_variance() {
        let mut rng = Rng::new(1);
        for alpha in [0.3f32, 1.0, 10.0] {
            let (mut sum, mut squares) = (0.0f64, 0.0f64);
            let draws = 20_000;
            for _ in 0..draws {
                let shares = dirichlet(alpha, 4, &mut rng);
                assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-4);
                sum += f64::from(shares[0]);
                squares += f64::from(shares[0]).powi(2);
            }
            let mean = sum / f64::from(draws);
            let variance = squares / f64::from(draws) - mean * mean;
            let all = 4.0 * f64::from(alpha);
            let expected = 0.25 * 0.75 / (all + 1.0);
            assert!((mean - 0.25).abs() < 0.01, "{mean}");
            assert!((variance / expected - 1.0).abs() < 0.1, "{variance} is not {expected}");
        }
    }
}
