//! Where a hand stands in a range.

use super::{AnalysisError, check};
use crate::{CardSet, Range, rank};

/// The share of a range that a hand beats on this board as it lies, from 0 to
/// 1; hands of the same rank count half. Hands that hold a card of the hand or
/// the board are left out.
///
/// ```
/// use meeple_poker::{Range, percentile};
///
/// let place = percentile("AhAs".parse()?, "2c7h9d".parse()?, &Range::random())?;
/// assert!(place > 0.95);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Says what is wrong when the cards are not a hand of two on a board of three
/// to five, or when the range has no possible hand.
pub fn percentile(hand: CardSet, board: CardSet, range: &Range) -> Result<f64, AnalysisError> {
    check(hand, board, 3..=5, "3 to 5")?;
    let own = rank(hand | board);
    let (mut beaten, mut total) = (0.0, 0.0);
    for (combo, weight) in range.combos() {
        let cards = combo.cards();
        if cards.meets(hand | board) {
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
