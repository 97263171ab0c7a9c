//! Flops up to suit isomorphism, and lists of flops for reports.

use meeple_poker::{Card, CardSet, Suit};

use crate::Error;

/// A flop that stands for all that differ by suits only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedFlop {
    /// Three cards.
    pub cards: CardSet,
    /// How much it counts: how many flops it stands for, or what a list says.
    pub weight: f64,
}

/// The 1,755 flops that differ by more than suits, each with the number that it stands for.
///
/// ```
/// let flops = meeple_solver::canonical_flops();
/// assert_eq!(flops.len(), 1755);
/// assert_eq!(flops.iter().map(|flop| flop.weight).sum::<f64>(), 22_100.0);
/// ```
#[must_use]
pub fn canonical_flops() -> Vec<WeightedFlop> {
    let mut flops: Vec<WeightedFlop> = Vec::new();
    let mut place_of = std::collections::BTreeMap::new();
    let cards: Vec<Card> = Card::all().rev().collect();
    for (first, &one) in cards.iter().enumerate() {
        for (second, &two) in cards.iter().enumerate().skip(first + 1) {
            for &three in &cards[second + 1..] {
                let flop = [one, two, three].into_iter().collect();
                let place = *place_of.entry(class(flop)).or_insert_with(|| {
                    flops.push(WeightedFlop { cards: flop, weight: 0.0 });
                    flops.len() - 1
                });
                flops[place].weight += 1.0;
            }
        }
    }
    flops
}

/// Reads a list of flops with commas, spaces or lines between, each with a weight after a
/// colon if it counts other than as often as it comes.
///
/// # Errors
///
/// When an item is not three cards or its weight is no number above 0.
pub fn parse_flops(text: &str) -> Result<Vec<WeightedFlop>, Error> {
    let all = canonical_flops();
    let items = text.split([',', ';', '\n', ' ', '\t', '\r']).filter(|item| !item.is_empty());
    let mut flops = Vec::new();
    for item in items {
        let wrong = |reason: String| Error::Field { field: "flops", reason };
        let (cards, weight) = item.split_once(':').map_or((item, None), |(c, w)| (c, Some(w)));
        let cards: CardSet = cards.parse().map_err(|error| wrong(format!("'{item}': {error}")))?;
        if cards.len() != 3 {
            return Err(wrong(format!("'{item}': expected three cards, found {}", cards.len())));
        }
        let weight = match weight {
            Some(text) => {
                let number = text.parse().ok().filter(|number: &f64| *number > 0.0);
                number.filter(|number| number.is_finite()).ok_or_else(|| {
                    wrong(format!("'{item}': expected a weight above 0 after ':'"))
                })?
            }
            None => {
                let alike = all.iter().find(|flop| class(flop.cards) == class(cards));
                alike.map_or(1.0, |flop| flop.weight)
            }
        };
        flops.push(WeightedFlop { cards, weight });
    }
    if flops.is_empty() { Err(Error::Missing { field: "flops" }) } else { Ok(flops) }
}

/// What flops that differ by suits only have in common: the ranks of each suit, sorted.
fn class(flop: CardSet) -> [u16; 4] {
    let mut ranks = Suit::ALL.map(|suit| flop.suit_ranks(suit));
    ranks.sort_unstable();
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flops_count_as_often_as_they_come() {
        let flops = parse_flops("AhKd2c, 7s7d7c\nQhJhTh:2.5").unwrap();
        let weights: Vec<f64> = flops.iter().map(|flop| flop.weight).collect();
        assert_eq!(weights, [24.0, 4.0, 2.5]);
        let message = |text: &str| parse_flops(text).unwrap_err().to_string();
        assert_eq!(message("AhKd"), "flops: 'AhKd': expected three cards, found 2");
        assert!(message("AhKd2c:x").ends_with("expected a weight above 0 after ':'"));
        assert_eq!(message(" "), "flops is missing");
    }
}
