//! Sampling by a softmax over values: errors that are likely where they cost little.

use meeple_game::Rng;

/// Samples an index of `values`: one whose value is `temperature` below the highest is e times
/// less likely than that.
///
/// ```
/// use meeple_game::Rng;
/// use meeple_search::softmax;
///
/// let mut rng = Rng::new(1);
/// let drawn: Vec<usize> = (0..1000).map(|_| softmax(&[0.5, 0.4, -1.0], 0.1, &mut rng)).collect();
/// let times = |index| drawn.iter().filter(|&&drawn| drawn == index).count();
/// assert!((230..310).contains(&times(1)), "1 / (1 + e) of the time");
/// assert_eq!(times(2), 0, "a blunder");
/// ```
///
/// # Panics
///
/// When there are no values, or the temperature is not above 0.
#[must_use]
pub fn softmax(values: &[f64], temperature: f64, rng: &mut Rng) -> usize {
    assert!(!values.is_empty() && temperature > 0.0, "expected values and a temperature above 0");
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weight = |value: &f64| ((value - highest) / temperature).exp();
    let mut left = rng.unit() * values.iter().map(weight).sum::<f64>();
    for (index, value) in values.iter().enumerate() {
        left -= weight(value);
        if left < 0.0 {
            return index;
        }
    }
    // Rounding may leave a little of the last weight.
    values.len() - 1
}
