//! Histograms of a hand's equity over the possible final boards.

use super::AnalysisError;
use crate::equity::river_equities;
use crate::{CardSet, Combo, Range};

/// A histogram of river equities: bin `i` of `n` is the share of boards on which
/// the equity lies between `i / n` and `(i + 1) / n`.
///
/// Hands of the same mean equity can have different distributions: a draw ends
/// near 0 or 1, a middle pair in between.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    bins: Vec<f64>,
}

impl Distribution {
    /// A distribution with these shares, normalized to a sum of 1; uniform if all
    /// are 0.
    #[must_use]
    pub fn new(bins: Vec<f64>) -> Self {
        let sum: f64 = bins.iter().sum();
        let uniform = 1.0 / bins.len() as f64;
        let scale = |bin: f64| if sum > 0.0 { bin / sum } else { uniform };
        Self { bins: bins.into_iter().map(scale).collect() }
    }

    /// The shares, from the lowest equity up.
    #[must_use]
    pub fn bins(&self) -> &[f64] {
        &self.bins
    }

    /// The mean equity, with each bin at its middle.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let size = self.bins.len() as f64;
        self.bins.iter().enumerate().map(|(bin, share)| share * (bin as f64 + 0.5) / size).sum()
    }
}

/// The river equity distributions of all possible hands against a range, from a
/// board of three to five cards.
///
/// ```
/// use meeple_poker::{Range, equity_distributions};
///
/// let hands = equity_distributions("2c7h9dTs".parse()?, &Range::random(), 10)?;
/// assert_eq!(hands.len(), 48 * 47 / 2);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When the board has any other number of cards, the number of bins is 0, or no
/// hand of the range is possible.
pub fn equity_distributions(
    board: CardSet,
    range: &Range,
    bins: usize,
) -> Result<Vec<(Combo, Distribution)>, AnalysisError> {
    if !(3..=5).contains(&board.len()) {
        let (expected, found) = ("3 to 5", board.len());
        return Err(AnalysisError::BoardSize { expected, found });
    }
    if bins == 0 {
        return Err(AnalysisError::Nothing { what: "bin" });
    }
    let hands: Vec<Combo> = Combo::all().filter(|combo| !combo.cards().intersects(board)).collect();
    let opponents: Vec<(CardSet, f64)> = range
        .combos()
        .map(|(combo, weight)| (combo.cards(), weight))
        .filter(|(cards, _)| !cards.intersects(board))
        .collect();
    if opponents.is_empty() {
        return Err(AnalysisError::EmptyRange);
    }
    let mut counts = vec![vec![0.0; bins]; hands.len()];
    river_equities(board, &hands, &opponents, |hand, equity| {
        let bin = ((equity * bins as f64) as usize).min(bins - 1);
        counts[hand][bin] += 1.0;
    });
    Ok(hands.into_iter().zip(counts.into_iter().map(Distribution::new)).collect())
}
