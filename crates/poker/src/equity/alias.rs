//! The alias method: sampling from a discrete distribution in constant time.
//!
//! Walker 1977, "An Efficient Method for Generating Discrete Random Variables with
//! General Distributions".

use meeple_rng::Rng;

/// An alias table.
#[derive(Clone, Debug)]
pub(crate) struct Alias {
    /// For each cell, the threshold below which its own outcome is drawn (of
    /// 2^32), and its alias, the outcome of the rest of the cell.
    cells: Vec<(u32, u32)>,
}

impl Alias {
    /// Builds the table of a distribution proportional to `weights`, of which at
    /// least one is above 0.
    pub(crate) fn new(weights: &[f64]) -> Self {
        let mean = weights.iter().sum::<f64>() / weights.len() as f64;
        let mut left: Vec<f64> = weights.iter().map(|weight| weight / mean).collect();
        let mut cells: Vec<(u32, u32)> =
            (0..weights.len() as u32).map(|own| (u32::MAX, own)).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..left.len()).partition(|&outcome| left[outcome] < 1.0);
        // Each cell below the mean is filled up by an outcome above it.
        while let (Some(&low), Some(&high)) = (small.last(), large.last()) {
            small.pop();
            cells[low] = ((left[low] * 4_294_967_296.0) as u32, high as u32);
            left[high] -= 1.0 - left[low];
            if left[high] < 1.0 {
                large.pop();
                small.push(high);
            }
        }
        Self { cells }
    }

    /// Draws an outcome.
    #[inline]
    pub(crate) fn draw(&self, rng: &mut Rng) -> usize {
        let bits = rng.bits();
        let cell = (((bits >> 32) * self.cells.len() as u64) >> 32) as usize;
        let (threshold, alias) = self.cells[cell];
        if (bits as u32) < threshold { cell } else { alias as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_match_the_weights() {
        let weights = [1.0, 0.0, 0.5, 0.25, 0.25];
        let alias = Alias::new(&weights);
        let mut rng = Rng::new(5);
        let mut counts = [0u32; 5];
        for _ in 0..80_000 {
            counts[alias.draw(&mut rng)] += 1;
        }
        assert_eq!(counts[1], 0);
        for (count, weight) in counts.into_iter().zip(weights) {
            assert!((f64::from(count) - 40_000.0 * weight).abs() < 700.0, "{counts:?}");
        }
    }
}
