//! Exact range-against-range equity in time linear in the number of hands.
//!
//! On each board, hands are sorted by strength, and prefix sums of the opponent's
//! weights are kept, in total and by card. The weight that a hand beats is the
//! prefix sum below its strength, minus the hands that contain one of its two
//! cards (card removal by inclusion-exclusion), as in Johanson, Waugh, Bowling,
//! Zinkevich 2011, "Accelerating Best Response Calculation in Large Extensive
//! Games".
//!
//! Few lookups give all strengths: hands of the same two ranks are equal unless
//! they make a flush, and flushes depend on the cards of the suit only.

use super::enumerate::Boards;
use super::parallel::run_batches;
use super::seats::{Seats, for_each_subset};
use super::tally::Tally;
use super::{EquityOptions, EquityProgress};
use crate::tables::{flush_rank, rank_sum, seven_rank};
use crate::{CardSet, Combo, Rank};

/// Counts all deals between two players.
pub(crate) fn count(
    seats: &Seats,
    hands: &[Vec<(CardSet, f64)>; 2],
    options: &EquityOptions,
    progress: &EquityProgress,
) -> Tally {
    let kinds = Kinds::new(hands);
    let sides = [0, 1].map(|side| Side::new(&hands[side], &kinds));
    let boards = Boards::new(seats, 16.0);
    let tallies = run_batches(boards.batches(), options.threads, |batch| {
        let mut counter = Counter::new(options.categories);
        boards.for_each(batch, |board| {
            if !progress.is_stopped() {
                counter.count(board, &kinds, &sides);
            }
        });
        counter.tally
    });
    let mut sum = Tally::new(2, options.categories);
    tallies.iter().for_each(|tally| sum.add(tally));
    sum
}

/// Calls `visit(i, equity)` with the equity of `hands[i]` against the opponent's
/// range on every final board that contains `board`.
pub(crate) fn river_equities(
    board: CardSet,
    hands: &[Combo],
    opponents: &[(CardSet, f64)],
    mut visit: impl FnMut(usize, f64),
) {
    let hands: Vec<(CardSet, f64)> = hands.iter().map(|combo| (combo.cards(), 1.0)).collect();
    let hands = [hands, opponents.to_vec()];
    let kinds = Kinds::new(&hands);
    let [hero, villain] = [0, 1].map(|side| Side::new(&hands[side], &kinds));
    let mut counter = Counter::new(false);
    let deck: Vec<CardSet> = (!board).into_iter().map(CardSet::of).collect();
    for_each_subset(&deck, 5 - board.len(), board, &mut |board| {
        let flush_suit = counter.sort_kinds(board, &kinds);
        counter.fill_rows(board, flush_suit, &villain);
        for (index, hand) in hero.hands.iter().enumerate() {
            if !hand.cards.intersects(board) {
                let strength = counter.strength(hand, flush_suit);
                let outcome = counter.outcome(hand, strength, &villain);
                if outcome.total > 0.0 {
                    visit(index, (outcome.beaten + 0.5 * outcome.tied) / outcome.total);
                }
            }
        }
    });
}

/// The distinct rank pairs and suit sets of all hands, which determine their
/// strength on a board.
struct Kinds {
    /// The sums of rank weights of all rank pairs that occur, sorted.
    rank_sums: Vec<u32>,
    /// For each suit the sets of its ranks in hands, sorted.
    suit_sets: [Vec<u16>; 4],
}

impl Kinds {
    fn new(hands: &[Vec<(CardSet, f64)>; 2]) -> Self {
        let mut kinds = Self { rank_sums: Vec::new(), suit_sets: Default::default() };
        for &(hand, _) in hands.iter().flatten() {
            kinds.rank_sums.push(rank_sum(hand));
            for (suit, sets) in kinds.suit_sets.iter_mut().enumerate() {
                sets.push(suit_set(hand, suit));
            }
        }
        kinds.rank_sums.sort_unstable();
        kinds.rank_sums.dedup();
        for sets in &mut kinds.suit_sets {
            sets.sort_unstable();
            sets.dedup();
        }
        kinds
    }
}

fn suit_set(cards: CardSet, suit: usize) -> u16 {
    (cards.bits() >> (16 * suit)) as u16
}

/// One player's range.
struct Side {
    hands: Vec<Hand>,
    /// The weight of each hand by [`Combo::index`].
    weights: Vec<f64>,
}

struct Hand {
    cards: CardSet,
    weight: f64,
    /// The indices of the two cards.
    one: u8,
    other: u8,
    /// The index of the rank pair in [`Kinds::rank_sums`].
    ranks: u8,
    /// For each suit the index of the set in [`Kinds::suit_sets`].
    suits: [u8; 4],
    combo: u16,
}

impl Side {
    fn new(hands: &[(CardSet, f64)], kinds: &Kinds) -> Self {
        let mut side = Self { hands: Vec::new(), weights: vec![0.0; Combo::COUNT] };
        for &(cards, weight) in hands {
            let Some(combo) = Combo::from_set(cards) else { continue };
            side.weights[combo.index()] = weight;
            // The searches always succeed: both lists were built from these hands.
            let index = |found: Result<usize, usize>| found.unwrap_or_default() as u8;
            side.hands.push(Hand {
                cards,
                weight,
                one: combo.high().index() as u8,
                other: combo.low().index() as u8,
                ranks: index(kinds.rank_sums.binary_search(&rank_sum(cards))),
                suits: std::array::from_fn(|suit| {
                    index(kinds.suit_sets[suit].binary_search(&suit_set(cards, suit)))
                }),
                combo: combo.index() as u16,
            });
        }
        side
    }
}

/// The weights of the opponent's hands that a hand beats, ties, and plays against.
struct Outcome {
    beaten: f64,
    tied: f64,
    total: f64,
}

/// A row of weights: one for each card, followed by the total.
type Row = [f64; 56];
const TOTAL: usize = 52;
/// At most 91 rank pairs and 92 sets of one suit's ranks, and a row of zeros.
const ROWS: usize = 91 + 92 + 1;

/// Scratch space and counts of one batch.
struct Counter {
    tally: Tally,
    /// Ranks with the rank pair or, if the flag is set, the suit set that has
    /// them, sorted.
    order: Vec<(u16, u8, bool)>,
    /// The index in `strengths` of each rank pair.
    by_ranks: [u8; 91],
    /// The index in `strengths` of each set of the flush suit, or `NO_FLUSH`.
    by_suit: [u8; 92],
    /// The distinct ranks on the board, sorted.
    strengths: Vec<u16>,
    /// Prefix sums of weights by strength.
    rows: Box<[Row; ROWS]>,
}

const NO_FLUSH: u8 = u8::MAX;

impl Counter {
    fn new(categories: bool) -> Self {
        Self {
            tally: Tally::new(2, categories),
            order: Vec::with_capacity(ROWS),
            by_ranks: [0; 91],
            by_suit: [NO_FLUSH; 92],
            strengths: Vec::with_capacity(ROWS),
            rows: Box::new([[0.0; 56]; ROWS]),
        }
    }

    fn count(&mut self, board: CardSet, kinds: &Kinds, sides: &[Side; 2]) {
        let flush_suit = self.sort_kinds(board, kinds);
        let [hero, villain] = sides;
        self.fill_rows(board, flush_suit, villain);
        let (mut wins, mut ties, mut all) = (0.0, 0.0, 0.0);
        for hand in hero.hands.iter().filter(|hand| !hand.cards.intersects(board)) {
            let strength = self.strength(hand, flush_suit);
            let outcome = self.outcome(hand, strength, villain);
            wins += hand.weight * outcome.beaten;
            ties += hand.weight * outcome.tied;
            all += hand.weight * outcome.total;
            if let Some(categories) = &mut self.tally.categories {
                categories[0][category(self.strengths[strength])] += hand.weight * outcome.total;
            }
        }
        self.tally.by_winners[0b01] += wins;
        self.tally.by_winners[0b11] += ties;
        self.tally.by_winners[0b10] += all - wins - ties;
        if self.tally.categories.is_some() {
            self.count_categories(board, flush_suit, sides);
        }
    }

    /// The outcome of a hand of this strength against the side that the rows were
    /// filled with.
    ///
    /// Always inlined: returning the three numbers through memory takes as long as
    /// all the rest.
    #[inline(always)]
    fn outcome(&self, hand: &Hand, strength: usize, other: &Side) -> Outcome {
        let same = other.weights[usize::from(hand.combo)];
        let disjoint =
            |row: &Row| row[TOTAL] - row[usize::from(hand.one)] - row[usize::from(hand.other)];
        let beaten = disjoint(&self.rows[strength]);
        // Inclusion-exclusion: the same hand contains both cards, so it was
        // subtracted twice.
        let up_to = disjoint(&self.rows[strength + 1]) + same;
        let total = disjoint(&self.rows[self.strengths.len()]) + same;
        Outcome { beaten, tied: up_to - beaten, total }
    }

    /// Counts the second player's categories.
    fn count_categories(&mut self, board: CardSet, flush_suit: Option<usize>, sides: &[Side; 2]) {
        let [hero, villain] = sides;
        self.fill_rows(board, flush_suit, hero);
        for hand in villain.hands.iter().filter(|hand| !hand.cards.intersects(board)) {
            let strength = self.strength(hand, flush_suit);
            let total = self.outcome(hand, strength, hero).total;
            if let Some(categories) = &mut self.tally.categories {
                categories[1][category(self.strengths[strength])] += hand.weight * total;
            }
        }
    }

    /// Sorts all kinds of hands by strength on this board; returns the suit that
    /// allows a flush, if any.
    fn sort_kinds(&mut self, board: CardSet, kinds: &Kinds) -> Option<usize> {
        self.order.clear();
        let suits = [0, 1, 2, 3].map(|suit| suit_set(board, suit));
        let board_sum = rank_sum(board);
        for (kind, &sum) in (0..).zip(&kinds.rank_sums) {
            self.order.push((seven_rank(board_sum.wrapping_add(sum)), kind, false));
        }
        let flush_suit = (0..4).find(|&suit| suits[suit].count_ones() >= 3);
        if let Some(suit) = flush_suit {
            for (kind, &held) in (0..).zip(&kinds.suit_sets[suit]) {
                self.by_suit[usize::from(kind)] = NO_FLUSH;
                let ranks = held | suits[suit];
                // Sets that overlap the board belong to blocked hands.
                if held & suits[suit] == 0 && ranks.count_ones() >= 5 {
                    self.order.push((flush_rank(ranks), kind, true));
                }
            }
        }
        self.order.sort_unstable();
        self.strengths.clear();
        for &(rank, kind, flush) in &self.order {
            if self.strengths.last() != Some(&rank) {
                self.strengths.push(rank);
            }
            let strength = self.strengths.len() as u8 - 1;
            if flush {
                self.by_suit[usize::from(kind)] = strength;
            } else {
                self.by_ranks[usize::from(kind)] = strength;
            }
        }
        flush_suit
    }

    /// The strength of a hand, as an index into `strengths`.
    #[inline(always)]
    fn strength(&self, hand: &Hand, flush_suit: Option<usize>) -> usize {
        if let Some(suit) = flush_suit {
            let strength = self.by_suit[usize::from(hand.suits[suit])];
            if strength != NO_FLUSH {
                return usize::from(strength);
            }
        }
        usize::from(self.by_ranks[usize::from(hand.ranks)])
    }

    /// Fills the prefix sums: row `i + 1` is the weight of all hands of strength
    /// `i` or less.
    fn fill_rows(&mut self, board: CardSet, flush_suit: Option<usize>, side: &Side) {
        let rows = self.strengths.len();
        self.rows[..=rows].fill([0.0; 56]);
        for hand in side.hands.iter().filter(|hand| !hand.cards.intersects(board)) {
            let strength = self.strength(hand, flush_suit);
            let row = &mut self.rows[strength + 1];
            row[TOTAL] += hand.weight;
            row[usize::from(hand.one)] += hand.weight;
            row[usize::from(hand.other)] += hand.weight;
        }
        for row in 1..=rows {
            let (below, here) = self.rows.split_at_mut(row);
            for (sum, weight) in here[0].iter_mut().zip(&below[row - 1]) {
                *sum += weight;
            }
        }
    }
}

fn category(rank: u16) -> usize {
    Rank::from_number(rank).category() as usize
}
