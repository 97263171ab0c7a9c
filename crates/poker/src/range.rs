//! Ranges: a weight for each two-card hand, in the usual range notation.

mod order;
mod parse;
mod print;

use std::fmt;

pub use order::{class_order, equity_against_random};
pub use parse::ParseRangeError;

use crate::{CardSet, Combo, HandClass};

/// A weight from 0 to 1 for each of the 1,326 two-card hands.
///
/// Reads and prints `AA`, `TT+`, `JJ-88`, `AKs`, `AKo`, `AK`, `A2s+`,
/// `KTs-K7s`, `QTo+`, `T9s-54s`, `AhKh`, `random` or `*`, `top 15%` or `15%`,
/// and a weight after any of these (`AKs:0.5`), with commas or spaces between;
/// `10` is another way to write `T`.
/// Where items overlap, the later one wins. Percentages take hands in the order
/// of [`class_order`].
///
/// ```
/// use meeple_poker::Range;
///
/// let range: Range = "TT+, AQs+, A5s:0.5, KhQh".parse()?;
/// assert_eq!(range.combos().count(), 5 * 6 + 2 * 4 + 4 + 1);
/// assert_eq!(range.to_string(), "TT+, AQs+, A5s:0.5, KhQh");
/// # Ok::<_, meeple_poker::ParseRangeError>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Range {
    /// By [`Combo::index`].
    weights: Box<[f64; Combo::COUNT]>,
}

impl Range {
    /// The smallest weight above 0: products of ten players' weights stay far
    /// from the limits of floating-point precision.
    pub const MIN_WEIGHT: f64 = 1e-9;

    /// The empty range.
    #[must_use]
    pub fn empty() -> Self {
        Self { weights: Box::new([0.0; Combo::COUNT]) }
    }

    /// Any two cards.
    #[must_use]
    pub fn random() -> Self {
        Self { weights: Box::new([1.0; Combo::COUNT]) }
    }

    /// The best `percent` of all hands, in whole classes: a class is included
    /// when at least half of its combos lie within the percentage.
    ///
    /// The order is that of [`class_order`]. More than 100 means all hands.
    #[must_use]
    pub fn top(percent: f64) -> Self {
        let wanted = percent / 100.0 * Combo::COUNT as f64;
        let mut range = Self::empty();
        let mut taken = 0;
        for &class in class_order() {
            let size = class.combos().count();
            if taken as f64 + 0.5 * size as f64 > wanted {
                break;
            }
            range.set_class(class, 1.0);
            taken += size;
        }
        range
    }

    /// The weight of one hand.
    #[inline]
    #[must_use]
    pub fn weight(&self, combo: Combo) -> f64 {
        self.weights[combo.index()]
    }

    /// Sets the weight of one hand, clamped to at most 1; weights below
    /// [`MIN_WEIGHT`](Self::MIN_WEIGHT) and NaN become 0.
    pub fn set(&mut self, combo: Combo, weight: f64) {
        let counts = weight >= Self::MIN_WEIGHT;
        self.weights[combo.index()] = if counts { weight.min(1.0) } else { 0.0 };
    }

    /// Sets the weight of all hands of a class.
    pub fn set_class(&mut self, class: HandClass, weight: f64) {
        for combo in class.combos() {
            self.set(combo, weight);
        }
    }

    /// The hands with a weight above 0.
    pub fn combos(&self) -> impl Iterator<Item = (Combo, f64)> {
        Combo::all().zip(self.weights.iter().copied()).filter(|&(_, weight)| weight > 0.0)
    }

    /// The sum of all weights: the effective number of combos.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// The share of all 1,326 hands, from 0 to 1.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        self.size() / Combo::COUNT as f64
    }

    /// Whether no hand has a weight above 0.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.combos().next().is_none()
    }

    /// The average weight of a class's combos, from 0 to 1: a cell of the 13 x 13
    /// grid.
    #[must_use]
    pub fn class_weight(&self, class: HandClass) -> f64 {
        let (mut sum, mut count) = (0.0, 0);
        for combo in class.combos() {
            sum += self.weight(combo);
            count += 1;
        }
        sum / f64::from(count)
    }

    /// The range without the hands that contain one of `cards` (card removal).
    #[must_use]
    pub fn without(mut self, cards: CardSet) -> Self {
        for combo in Combo::all().filter(|combo| combo.cards().intersects(cards)) {
            self.set(combo, 0.0);
        }
        self
    }
}

impl From<Combo> for Range {
    fn from(combo: Combo) -> Self {
        let mut range = Self::empty();
        range.set(combo, 1.0);
        range
    }
}

impl fmt::Debug for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Range({self})")
    }
}
