//! The oracle: a naive evaluator by the rules of poker, independent of the crate's.

use std::cmp::Reverse;

use meeple_poker::{Card, CardRank, CardSet, Category};

/// The value of five cards: category and deciding ranks; compares as hands do.
pub(crate) type HandValue = (Category, Vec<CardRank>);

/// Evaluates exactly five cards.
pub(crate) fn value(cards: [Card; 5]) -> HandValue {
    let mut ranks: Vec<CardRank> = cards.iter().map(|card| card.rank()).collect();
    let count = |rank: CardRank| cards.iter().filter(|card| card.rank() == rank).count();
    // The most frequent rank first, then the highest.
    ranks.sort_by_key(|&rank| Reverse((count(rank), rank)));
    let counts: Vec<usize> = ranks.iter().map(|&rank| count(rank)).collect();
    let flush = cards.iter().all(|card| card.suit() == cards[0].suit());
    let steps = |ranks: &[CardRank]| ranks.windows(2).all(|p| p[0] as u8 == p[1] as u8 + 1);
    let wheel = ranks[0] == CardRank::Ace && ranks[1] == CardRank::Five && steps(&ranks[1..]);
    if wheel {
        ranks.rotate_left(1);
    }
    let straight = wheel || steps(&ranks);
    let category = match (counts.as_slice(), straight, flush) {
        (_, true, true) => Category::StraightFlush,
        ([4, ..], _, _) => Category::FourOfAKind,
        ([3, _, _, 2, _], _, _) => Category::FullHouse,
        (_, _, true) => Category::Flush,
        (_, true, _) => Category::Straight,
        ([3, ..], _, _) => Category::ThreeOfAKind,
        ([2, _, 2, ..], _, _) => Category::TwoPair,
        ([2, ..], _, _) => Category::Pair,
        _ => Category::HighCard,
    };
    (category, ranks)
}

/// Evaluates the best five of a set.
#[allow(dead_code, reason = "not every test file that shares the oracle ranks more than five")]
pub(crate) fn best_value(cards: CardSet) -> HandValue {
    let cards: Vec<Card> = cards.into_iter().collect();
    let mut best = None;
    for chosen in 0u32..1 << cards.len() {
        if chosen.count_ones() == 5 {
            let mut five = (0..cards.len()).filter(|i| chosen >> i & 1 == 1).map(|i| cards[i]);
            best = best.max(Some(value(std::array::from_fn(|_| five.next().expect("five cards")))));
        }
    }
    best.expect("five cards or more")
}
