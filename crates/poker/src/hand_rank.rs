//! The rank of a hand: a comparable number, with its category and description.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::CardRank;

/// The strength of the best five cards: a higher rank wins, equal ranks tie.
///
/// Ranks number the 7,462 equivalence classes of five-card hands (the classes of
/// Cactus Kev's evaluator) from 1, the worst, upwards. Short-deck hands have a
/// separate scale above them, since flushes beat full houses there; compare ranks
/// of one variant only.
///
/// ```
/// use meeple_poker::{Category, CardSet, rank};
///
/// let cards: CardSet = "KhKcKd3s3dAc9h".parse()?;
/// assert_eq!(rank(cards).category(), Category::FullHouse);
/// assert_eq!(rank(cards).to_string(), "full house, kings over threes");
/// # Ok::<_, meeple_poker::ParseCardsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Rank(u16);

/// The nine categories of hands in hold'em order, the worst first; a royal flush
/// is the best straight flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Category {
    /// No pair, no straight, no flush.
    HighCard,
    /// Two of a rank.
    Pair,
    /// Two of a rank and two of another.
    TwoPair,
    /// Three of a rank.
    ThreeOfAKind,
    /// Five ranks in a row.
    Straight,
    /// Five of a suit.
    Flush,
    /// Three of a rank and two of another.
    FullHouse,
    /// Four of a rank.
    FourOfAKind,
    /// Five of a suit in a row.
    StraightFlush,
}

impl Category {
    /// All categories, the worst in hold'em first.
    pub const ALL: [Self; 9] = [
        Self::HighCard,
        Self::Pair,
        Self::TwoPair,
        Self::ThreeOfAKind,
        Self::Straight,
        Self::Flush,
        Self::FullHouse,
        Self::FourOfAKind,
        Self::StraightFlush,
    ];

    /// The name: `full house`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        [
            "high card",
            "pair",
            "two pair",
            "three of a kind",
            "straight",
            "flush",
            "full house",
            "four of a kind",
            "straight flush",
        ][self as usize]
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The last rank of each category, after a leading 0: category `c` has the ranks
/// `LIMITS[c] + 1` to `LIMITS[c + 1]`, 1,277 high cards, 2,860 pairs, and so on.
const LIMITS: [u16; 10] = [0, 1277, 4137, 4995, 5853, 5863, 7140, 7296, 7452, 7462];
const FLUSHES: u16 = LIMITS[6] - LIMITS[5];
const FULL_HOUSES: u16 = LIMITS[7] - LIMITS[6];
/// The offset of short-deck ranks, above all hold'em ranks; flushes and full
/// houses are swapped there.
const SHORT_SCALE: u16 = 8192;

impl Rank {
    /// The best rank: a royal flush.
    pub const BEST: Self = Self(7462);
    /// The lowest straight in short deck, A-6-7-8-9. It has the number of
    /// A-2-3-4-5, which that deck cannot make.
    pub(crate) const SHORT_WHEEL: Self = Self(SHORT_SCALE + LIMITS[4] + 1);
    /// The lowest straight flush in short deck.
    pub(crate) const SHORT_STEEL_WHEEL: Self = Self(SHORT_SCALE + LIMITS[8] + 1);

    /// The rank with this number: 1 to 7,462 for hold'em and Omaha.
    #[inline]
    #[must_use]
    pub(crate) const fn from_number(number: u16) -> Self {
        Self(number)
    }

    /// The number of this rank; a higher number wins.
    ///
    /// 1 to 7,462 for the equivalence classes; short-deck ranks are larger.
    #[inline]
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// Converts a hold'em rank to the short-deck scale.
    #[inline]
    pub(crate) const fn to_short_deck(self) -> Self {
        let moved = match self.0 {
            number if number > LIMITS[5] && number <= LIMITS[6] => number + FULL_HOUSES,
            number if number > LIMITS[6] && number <= LIMITS[7] => number - FLUSHES,
            number => number,
        };
        Self(SHORT_SCALE + moved)
    }

    /// Converts a short-deck rank to the hold'em scale.
    const fn to_holdem(self) -> Self {
        if self.0 < SHORT_SCALE {
            return self;
        }
        let number = self.0 - SHORT_SCALE;
        Self(match number {
            _ if number > LIMITS[5] && number <= LIMITS[5] + FULL_HOUSES => number + FLUSHES,
            _ if number > LIMITS[5] + FULL_HOUSES && number <= LIMITS[7] => number - FULL_HOUSES,
            _ => number,
        })
    }

    /// The category of the hand.
    #[must_use]
    pub const fn category(self) -> Category {
        let number = self.to_holdem().0;
        let mut category = 0;
        while category < 8 && number > LIMITS[category + 1] {
            category += 1;
        }
        Category::ALL[category]
    }

    /// The card ranks that decide comparisons, the most significant first: for a
    /// full house the trips, then the pair; for a pair the pair, then the kickers.
    fn deciding(self) -> Vec<CardRank> {
        let category = self.category();
        let index = self.to_holdem().0.saturating_sub(LIMITS[category as usize] + 1);
        let index = usize::from(index);
        let split = |size: usize, main: u32, kickers: u32| {
            let main = nth_ranks(0, main, index / size);
            let kickers = nth_ranks(main, kickers, index % size);
            ranks_down(main).chain(ranks_down(kickers)).collect()
        };
        match category {
            Category::HighCard | Category::Flush => ranks_down(nth_unconnected(index)).collect(),
            Category::Pair => split(220, 1, 3),
            Category::TwoPair => split(11, 2, 1),
            Category::ThreeOfAKind => split(66, 1, 2),
            Category::FullHouse | Category::FourOfAKind => split(12, 1, 1),
            Category::Straight | Category::StraightFlush if self.0 > SHORT_SCALE && index == 0 => {
                vec![CardRank::Nine]
            }
            Category::Straight | Category::StraightFlush => vec![CardRank::ALL[3 + index.min(9)]],
        }
    }
}

/// The ranks of a set, the highest first.
fn ranks_down(set: u16) -> impl Iterator<Item = CardRank> {
    CardRank::ALL.into_iter().rev().filter(move |&rank| set >> rank as u16 & 1 == 1)
}

/// The set with this index, in ascending order, among the sets of `count` ranks
/// that exclude `without`.
fn nth_ranks(without: u16, count: u32, index: usize) -> u16 {
    let fits = |set: &u16| set.count_ones() == count && set & without == 0;
    (0..1 << 13).filter(fits).nth(index).unwrap_or(0)
}

/// The set with this index, in ascending order, among the sets of five ranks
/// that are no straight.
fn nth_unconnected(index: usize) -> u16 {
    let is_straight =
        |set: u16| set == 0b1_0000_0000_1111 || set >> set.trailing_zeros() == 0b11111;
    let fits = |set: &u16| set.count_ones() == 5 && !is_straight(*set);
    (0..1 << 13).filter(fits).nth(index).unwrap_or(0)
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let category = self.category();
        let ranks = self.deciding();
        let names =
            |ranks: &[CardRank]| ranks.iter().map(|rank| rank.name()).collect::<Vec<_>>().join("-");
        match (category, ranks.as_slice()) {
            (Category::HighCard | Category::Flush, all) => write!(f, "{category}, {}", names(all)),
            (Category::Pair, [pair, kickers @ ..]) => {
                write!(f, "pair of {}, {} kickers", pair.plural(), names(kickers))
            }
            (Category::TwoPair, [high, low, kicker @ ..]) => {
                write!(f, "two pair, {} and {}, ", high.plural(), low.plural())?;
                write!(f, "{} kicker", names(kicker))
            }
            (Category::ThreeOfAKind, [three, kickers @ ..]) => {
                write!(f, "three of a kind, {}, {} kickers", three.plural(), names(kickers))
            }
            (Category::FullHouse, [three, two]) => {
                write!(f, "full house, {} over {}", three.plural(), two.plural())
            }
            (Category::FourOfAKind, [four, kicker @ ..]) => {
                write!(f, "four of a kind, {}, {} kicker", four.plural(), names(kicker))
            }
            (Category::StraightFlush, [CardRank::Ace]) => f.write_str("royal flush"),
            (Category::Straight | Category::StraightFlush, [top]) => {
                write!(f, "{category}, {} high", top.name())
            }
            (category, _) => write!(f, "{category}"),
        }
    }
}

impl fmt::Debug for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({self})", self.0)
    }
}
