//! The order of the 169 starting hands that percentages use.

use std::sync::LazyLock;

use crate::{Combo, HandClass, matchup};

/// The 169 classes, the best first: by their exact preflop equity against one
/// random hand. Classes of equal equity keep the order of the grid.
#[must_use]
pub fn class_order() -> &'static [HandClass] {
    &ORDER.0
}

/// The exact preflop equity of a class against one random hand.
///
/// ```
/// use meeple_poker::{HandClass, equity_against_random};
///
/// let aces = HandClass::from_index(0);
/// assert!((equity_against_random(aces) - 0.852037133).abs() < 1e-9);
/// ```
#[must_use]
pub fn equity_against_random(class: HandClass) -> f64 {
    ORDER.1[class.index()]
}

static ORDER: LazyLock<(Vec<HandClass>, Vec<f64>)> = LazyLock::new(|| {
    let equities: Vec<f64> = HandClass::all().map(count_against_random).collect();
    let mut order: Vec<HandClass> = HandClass::all().collect();
    order.sort_by(|a, b| equities[b.index()].total_cmp(&equities[a.index()]));
    (order, equities)
});

fn count_against_random(class: HandClass) -> f64 {
    // By suit isomorphism all combos of a class have the same equity against a
    // random hand, so one of them suffices.
    let hero = class.combos().next();
    let (mut sum, mut count) = (0.0, 0);
    for result in Combo::all().filter_map(|villain| matchup(hero?, villain)) {
        sum += result.equity();
        count += 1;
    }
    sum / f64::from(count)
}
