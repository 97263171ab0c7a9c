//! The 1,326 two-card hands (combos), and their 169 classes up to suit isomorphism.

use std::fmt;

use crate::{Card, CardRank, CardSet};

/// A two-card hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Combo {
    high: Card,
    low: Card,
}

impl Combo {
    /// The number of combos.
    pub const COUNT: usize = 1326;

    /// The hand of two cards, or `None` when they are the same.
    #[inline]
    #[must_use]
    pub fn new(one: Card, other: Card) -> Option<Self> {
        (one != other).then(|| Self { high: one.max(other), low: one.min(other) })
    }

    /// The hand of a set, or `None` when it does not have two cards.
    #[must_use]
    pub fn from_set(cards: CardSet) -> Option<Self> {
        let mut each = cards.into_iter();
        match (each.next(), each.next(), each.next()) {
            (Some(one), Some(other), None) => Self::new(one, other),
            _ => None,
        }
    }

    /// All hands in the order of their indices.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..52).flat_map(|high| {
            let (high, lows) = (Card::from_index(high), 0..high);
            lows.map(move |low| Self { high, low: Card::from_index(low) })
        })
    }

    /// The index of the hand, below 1,326.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.high.index() * (self.high.index() - 1) / 2 + self.low.index()
    }

    /// The card with the higher index.
    #[inline]
    #[must_use]
    pub const fn high(self) -> Card {
        self.high
    }

    /// The card with the lower index.
    #[inline]
    #[must_use]
    pub const fn low(self) -> Card {
        self.low
    }

    /// The cards as a set.
    #[inline]
    #[must_use]
    pub fn cards(self) -> CardSet {
        CardSet::of(self.high) | CardSet::of(self.low)
    }

    /// The class of the hand: its ranks, and whether it is suited.
    #[inline]
    #[must_use]
    pub fn class(self) -> HandClass {
        HandClass {
            high: self.high.rank(),
            low: self.low.rank(),
            suited: self.high.suit() == self.low.suit(),
        }
    }
}

impl fmt::Display for Combo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.high, self.low)
    }
}

impl fmt::Debug for Combo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One of the 169 starting hands: a pair, or two ranks, suited or offsuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandClass {
    high: CardRank,
    low: CardRank,
    suited: bool,
}

impl HandClass {
    /// The number of classes.
    pub const COUNT: usize = 169;

    /// The class of these ranks, in any order; a pair is never suited.
    #[must_use]
    pub fn new(one: CardRank, other: CardRank, suited: bool) -> Self {
        Self { high: one.max(other), low: one.min(other), suited: suited && one != other }
    }

    /// All classes, row by row of the usual 13 x 13 grid: aces first, pairs on
    /// the diagonal, suited hands above it.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self::from_index)
    }

    /// The class with this index, row by row from the corner of `AA`.
    ///
    /// # Panics
    ///
    /// Panics when `index` is 169 or more.
    #[must_use]
    pub fn from_index(index: usize) -> Self {
        let (row, column) = (index / 13, index % 13);
        Self::new(CardRank::ALL[12 - row], CardRank::ALL[12 - column], column > row)
    }

    /// The index of the class, below 169.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        let (high, low) = (12 - self.high as usize, 12 - self.low as usize);
        if self.suited { 13 * high + low } else { 13 * low + high }
    }

    /// The higher rank.
    #[must_use]
    pub const fn high(self) -> CardRank {
        self.high
    }

    /// The lower rank.
    #[must_use]
    pub const fn low(self) -> CardRank {
        self.low
    }

    /// Whether both cards are of one suit.
    #[must_use]
    pub const fn is_suited(self) -> bool {
        self.suited
    }

    /// Whether both cards are of one rank.
    #[must_use]
    pub fn is_pair(self) -> bool {
        self.high == self.low
    }

    /// The combos of the class: 6 of a pair, 4 suited, 12 offsuit.
    pub fn combos(self) -> impl Iterator<Item = Combo> {
        let pair = self.is_pair();
        (0..16).filter_map(move |suits| {
            let (one, other) = (suits / 4, suits % 4);
            let fits = if pair { one > other } else { (one == other) == self.suited };
            let card = |rank: CardRank, suit: usize| Card::from_index(4 * rank as usize + suit);
            if fits { Combo::new(card(self.high, one), card(self.low, other)) } else { None }
        })
    }
}

impl fmt::Display for HandClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.high, self.low)?;
        match (self.is_pair(), self.suited) {
            (true, _) => Ok(()),
            (false, true) => f.write_str("s"),
            (false, false) => f.write_str("o"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combos_are_numbered_in_order() {
        assert!(Combo::all().map(Combo::index).eq(0..Combo::COUNT));
        for combo in Combo::all() {
            assert_eq!(Combo::from_set(combo.cards()), Some(combo));
        }
        assert_eq!(Combo::from_set(CardSet::DECK), None);
    }

    #[test]
    fn classes_partition_the_combos() {
        let mut found = vec![0; Combo::COUNT];
        for (index, class) in HandClass::all().enumerate() {
            assert_eq!(class.index(), index);
            for combo in class.combos() {
                assert_eq!(combo.class(), class);
                found[combo.index()] += 1;
            }
        }
        assert!(found.iter().all(|&times| times == 1));
        assert_eq!(HandClass::from_index(0).to_string(), "AA");
        assert_eq!(HandClass::from_index(1).to_string(), "AKs");
        assert_eq!(HandClass::from_index(13).to_string(), "AKo");
    }
}
