//! Preflop match-ups of two hands: all 47,008 up to suit isomorphism, enumerated
//! once and embedded as a table.
//!
//! A match-up is indexed by the two hands' classes (14,365 unordered pairs of
//! 169) and by which of the four cards share a suit. Suits are renamed in the
//! order of their first appearance, so there are few suit patterns; how many are
//! distinct for a pair of classes depends only on the pair's *shape* (paired or
//! suited hands, shared ranks), of which there are a few dozen. The index of an
//! entry is the first entry of its pair plus the pattern's number within the shape.

use std::sync::LazyLock;

use super::patterns;
use super::tally::Tally;
use crate::{CardSet, Combo, HandClass};

/// The result of one hand against another over all boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matchup {
    /// Boards that the first hand wins.
    pub wins: u32,
    /// Boards on which the hands tie.
    pub ties: u32,
    /// Boards that the first hand loses.
    pub losses: u32,
}

impl Matchup {
    /// The number of five-card boards without the cards of two hands: C(48, 5).
    pub const BOARDS: u32 = 1_712_304;

    /// The equity of the first hand.
    #[must_use]
    pub fn equity(self) -> f64 {
        (f64::from(self.wins) + 0.5 * f64::from(self.ties)) / f64::from(Self::BOARDS)
    }

    /// The same match-up from the other hand's view.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { wins: self.losses, losses: self.wins, ..self }
    }
}

/// Looks up the preflop result of `hero` against `villain`; `None` when the hands
/// share a card.
///
/// ```
/// use meeple_poker::{CardSet, Combo, matchup};
///
/// let combo = |text: &str| Combo::from_set(text.parse().unwrap()).unwrap();
/// let aces_against_kings = matchup(combo("AhAs"), combo("KdKc")).unwrap();
/// assert_eq!(aces_against_kings.wins, 1_388_072);
/// assert_eq!(aces_against_kings.ties, 6_538);
/// ```
#[must_use]
pub fn matchup(hero: Combo, villain: Combo) -> Option<Matchup> {
    INDEX.find(hero, villain).map(|(entry, swapped)| {
        let found = entry_at(entry);
        if swapped { found.reversed() } else { found }
    })
}

/// As [`matchup`], enumerated instead of looked up.
#[must_use]
pub fn count_matchup(hero: Combo, villain: Combo) -> Option<Matchup> {
    let hands = [hero.cards(), villain.cards()];
    if hands[0].intersects(hands[1]) {
        return None;
    }
    let deck = !(hands[0] | hands[1]);
    let [_, wins, losses, ties] =
        patterns::count_winners(hands, CardSet::EMPTY, deck, |_, _, _| ())
            .map(|boards| boards as u32);
    Some(Matchup { wins, ties, losses })
}

/// The exact preflop equity of one class of hands against another, over all pairs
/// of combos that do not share a card.
///
/// ```
/// use meeple_poker::{HandClass, CardRank, class_equity};
///
/// let pair = |rank| HandClass::new(rank, rank, false);
/// let found = class_equity(pair(CardRank::Ace), pair(CardRank::King));
/// assert!((found - 0.819461).abs() < 5e-7);
/// ```
#[must_use]
pub fn class_equity(hero: HandClass, villain: HandClass) -> f64 {
    CLASSES[HandClass::COUNT * hero.index() + villain.index()]
}

/// `[169, 169]` equities: the averages of the match-ups of two classes.
static CLASSES: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let mut sums = vec![(0.0, 0u32); HandClass::COUNT * HandClass::COUNT];
    for hero in Combo::all() {
        for villain in Combo::all() {
            if let Some(found) = matchup(hero, villain) {
                let (sum, count) =
                    &mut sums[HandClass::COUNT * hero.class().index() + villain.class().index()];
                *sum += found.equity();
                *count += 1;
            }
        }
    }
    sums.into_iter().map(|(sum, count)| sum / f64::from(count)).collect()
});

/// Counts two ranges preflop by summing table entries.
pub(crate) fn sum_table(hands: &[Vec<(CardSet, f64)>; 2]) -> Tally {
    let [hero, villain] = hands.each_ref().map(|hands| -> Vec<(Combo, f64)> {
        let combos = hands.iter().map(|&(hand, weight)| (Combo::from_set(hand), weight));
        combos.filter_map(|(combo, weight)| Some((combo?, weight))).collect()
    });
    let mut tally = Tally::new(2, false);
    for &(hero, hero_weight) in &hero {
        for &(villain, villain_weight) in &villain {
            if let Some(found) = matchup(hero, villain) {
                let weight = hero_weight * villain_weight;
                tally.by_winners[0b01] += weight * f64::from(found.wins);
                tally.by_winners[0b10] += weight * f64::from(found.losses);
                tally.by_winners[0b11] += weight * f64::from(found.ties);
            }
        }
    }
    tally
}

/// One representative of each match-up, in the order of the table; to generate it.
#[must_use]
pub fn canonical_matchups() -> Vec<(Combo, Combo)> {
    let mut examples = vec![None; INDEX.entries];
    for hero in Combo::all() {
        for villain in Combo::all() {
            if let Some((entry, false)) = INDEX.find(hero, villain) {
                examples[entry].get_or_insert((hero, villain));
            }
        }
    }
    examples.into_iter().flatten().collect()
}

/// The table: wins and ties of each match-up, as little-endian `u32`s.
static TABLE: &[u8] = include_bytes!("../../data/preflop.bin");

fn entry_at(entry: usize) -> Matchup {
    let number = |at: usize| match TABLE.get(at..at + 4) {
        Some(&[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]),
        _ => 0,
    };
    let (wins, ties) = (number(8 * entry), number(8 * entry + 4));
    Matchup { wins, ties, losses: Matchup::BOARDS.wrapping_sub(wins).wrapping_sub(ties) }
}

static INDEX: LazyLock<Index> = LazyLock::new(Index::new);

/// The index from match-ups to table entries.
struct Index {
    /// For each combo its class, and its suits: four times the higher card's suit
    /// plus the lower card's.
    combos: Vec<(u8, u8)>,
    /// For each pair of classes, at `169 * first + second`.
    pairs: Vec<ClassPair>,
    /// For each shape and suits (`16 * first + second`), the number of the
    /// match-up within the pair of classes.
    patterns: Vec<[Pattern; 256]>,
    /// The number of match-ups.
    entries: usize,
}

/// The entries of a pair of classes.
#[derive(Clone, Copy, Default)]
struct ClassPair {
    first_entry: u16,
    shape: u8,
    /// Whether the entries have the classes in the other order.
    swapped: bool,
}

/// The match-up of a suit pattern, within its pair of classes.
#[derive(Clone, Copy, Default)]
struct Pattern {
    number: u8,
    /// Whether the entry has the hands in the other order; only for hands of the
    /// same class.
    swapped: bool,
}

impl Index {
    fn new() -> Self {
        let combos = Combo::all()
            .map(|combo| {
                let suits = 4 * combo.high().suit() as u8 + combo.low().suit() as u8;
                (combo.class().index() as u8, suits)
            })
            .collect();
        let mut index = Self {
            combos,
            pairs: vec![ClassPair::default(); HandClass::COUNT * HandClass::COUNT],
            patterns: Vec::new(),
            entries: 0,
        };
        let mut shapes: Vec<(Shape, usize)> = Vec::new();
        for first in HandClass::all() {
            for second in HandClass::all().skip(first.index()) {
                let shape = Shape::of(first, second);
                let known = shapes.iter().position(|(known, _)| *known == shape);
                let number = known.unwrap_or_else(|| {
                    let (patterns, count) = shape.patterns();
                    index.patterns.push(patterns);
                    shapes.push((shape, count));
                    shapes.len() - 1
                });
                let (a, b) = (first.index(), second.index());
                let pair = ClassPair {
                    first_entry: index.entries as u16,
                    shape: number as u8,
                    swapped: false,
                };
                index.pairs[HandClass::COUNT * b + a] = ClassPair { swapped: true, ..pair };
                index.pairs[HandClass::COUNT * a + b] = pair;
                index.entries += shapes[number].1;
            }
        }
        index
    }

    /// The entry of a match-up, and whether it has the hands in the other order;
    /// `None` when they share a card.
    #[inline]
    fn find(&self, hero: Combo, villain: Combo) -> Option<(usize, bool)> {
        if hero.cards().intersects(villain.cards()) {
            return None;
        }
        let (hero_class, hero_suits) = self.combos[hero.index()];
        let (villain_class, villain_suits) = self.combos[villain.index()];
        let pair =
            self.pairs[HandClass::COUNT * usize::from(hero_class) + usize::from(villain_class)];
        let (first, second) =
            if pair.swapped { (villain_suits, hero_suits) } else { (hero_suits, villain_suits) };
        let pattern =
            self.patterns[usize::from(pair.shape)][usize::from(first) << 4 | usize::from(second)];
        let entry = usize::from(pair.first_entry) + usize::from(pattern.number);
        Some((entry, pair.swapped != pattern.swapped))
    }
}

/// The properties of a pair of classes that determine its suit patterns.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Shape {
    pairs: [bool; 2],
    suited: [bool; 2],
    /// Whether the first hand's higher and lower rank equals the second's
    /// higher and lower: `[high-high, high-low, low-high, low-low]`.
    shared: [bool; 4],
    same_class: bool,
}

impl Shape {
    fn of(first: HandClass, second: HandClass) -> Self {
        let (a, b) = ([first.high(), first.low()], [second.high(), second.low()]);
        Self {
            pairs: [first.is_pair(), second.is_pair()],
            suited: [first.is_suited(), second.is_suited()],
            shared: [a[0] == b[0], a[0] == b[1], a[1] == b[0], a[1] == b[1]],
            same_class: first == second,
        }
    }

    /// Numbers the suit patterns, isomorphic ones equally; returns them with the
    /// number of distinct patterns.
    fn patterns(self) -> ([Pattern; 256], usize) {
        let mut patterns = [Pattern::default(); 256];
        let mut known: Vec<[u8; 4]> = Vec::new();
        for code in 0..=255u8 {
            let suits = [code >> 6, code >> 4 & 3, code >> 2 & 3, code & 3];
            if !self.is_possible(suits) {
                continue;
            }
            let direct = self.canonical(suits);
            let [a, b, c, d] = suits;
            let swapped = if self.same_class { self.canonical([c, d, a, b]) } else { direct };
            let canonical = direct.min(swapped);
            let number = known.iter().position(|known| *known == canonical).unwrap_or_else(|| {
                known.push(canonical);
                known.len() - 1
            });
            patterns[usize::from(code)] =
                Pattern { number: number as u8, swapped: swapped < direct };
        }
        (patterns, known.len())
    }

    fn is_possible(self, [a, b, c, d]: [u8; 4]) -> bool {
        let clash = [(a, c), (a, d), (b, c), (b, d)];
        (a == b) == self.suited[0]
            && (c == d) == self.suited[1]
            && !clash.iter().zip(self.shared).any(|((one, other), shared)| shared && one == other)
    }

    /// The canonical pattern: the least of those that differ only by the order of
    /// a pair's cards or by a renaming of suits.
    fn canonical(self, [a, b, c, d]: [u8; 4]) -> [u8; 4] {
        let named = |suits: [u8; 4]| {
            let mut names = [None; 4];
            let mut next = 0;
            suits.map(|suit| {
                *names[usize::from(suit)].get_or_insert_with(|| {
                    next += 1;
                    next - 1
                })
            })
        };
        let mut least = named([a, b, c, d]);
        if self.pairs[0] {
            least = least.min(named([b, a, c, d]));
        }
        if self.pairs[1] {
            least = least.min(named([a, b, d, c]));
        }
        if self.pairs[0] && self.pairs[1] {
            least = least.min(named([b, a, d, c]));
        }
        least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_47008_matchups() {
        assert_eq!(INDEX.entries, 47_008);
        assert_eq!(TABLE.len(), 8 * INDEX.entries);
        assert_eq!(canonical_matchups().len(), INDEX.entries);
    }
}
