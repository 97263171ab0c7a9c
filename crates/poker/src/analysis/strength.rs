//! The percentile of a hand in a range.

use super::{AnalysisError, check};
use crate::{CardSet, Range, rank};

/// The share of a range that a hand beats on the current board, from 0 to 1; ties
/// count half. Hands that share a card with the hand or the board are excluded.
///
/// ```
/// use meeple_poker::{Range, percentile};
///
/// let aces = percentile("AhAs".parse()?, "2c7h9d".parse()?, &Range::random())?;
/// assert!(aces > 0.95);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When the hand does not have two cards, the board three to five, or the range
/// has no possible hand.
pub fn percentile(hand: CardSet, board: CardSet, range: &Range) -> Result<f64, AnalysisError> {
    check(hand, board, 3..=5, "3 to 5")?;
    let own = rank(hand | board);
    let (mut beaten, mut total) = (0.0, 0.0);
    for (combo, weight) in range.combos() {
        let cards = combo.cards();
        if cards.intersects(hand | board) {
            continue;
        }
        total += weight;
        beaten += weight
            * match own.cmp(&rank(cards | board)) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            };
    }
    if total > 0.0 { Ok(beaten / total) } else { Err(AnalysisError::EmptyRange) }
}
