//! Exact counts of two ranges on a board, without pairing hand with hand.
//!
//! On one board, hands are put in order of strength. For each strength the
//! opponent's weight up to it is kept, in total and by card; a hand then beats
//! the total below it, less what holds one of its own two cards. The work grows
//! with the number of hands, not with that of pairs of hands.
//!
//! Strengths come from few lookups: hands of the same two ranks are equal
//! unless they make a flush, and flushes depend on the cards of the suit alone.

use super::enumerate::Boards;
use super::parallel::run_batches;
use super::seats::{Seats, for_each_subset};
use super::tally::Tally;
use super::{EquityOptions, Progress};
use crate::tables::{RANK_WEIGHTS, SUIT_SUMS, flush_rank, seven_rank};
use crate::{CardSet, Combo, Rank};

/// Counts all deals of two players.
pub(crate) fn count(
    seats: &Seats,
    hands: &[Vec<(CardSet, f64)>; 2],
    options: &EquityOptions,
    progress: &Progress,
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

/// Calls `visit(i, equity)` with the equity of `hands[i]` against the opponents
/// on every complete board that `board` can become.
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
            if !hand.cards.meets(board) {
                let place = counter.place(hand, flush_suit);
                let faced = counter.face(hand, place, &villain);
                if faced.total > 0.0 {
                    visit(index, (faced.below + 0.5 * faced.level) / faced.total);
                }
            }
        }
    });
}

/// The kinds of hands that occur: what decides their strength on a board.
struct Kinds {
    /// The sum of the weights of two ranks, for each two that occur.
    rank_sums: Vec<u32>,
    /// For each suit the sets of its ranks that hands hold.
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

fn rank_sum(hand: CardSet) -> u32 {
    hand.into_iter().fold(0, |sum, card| sum.wrapping_add(RANK_WEIGHTS[card.rank() as usize]))
}

fn suit_set(cards: CardSet, suit: usize) -> u16 {
    (cards.bits() >> (16 * suit)) as u16
}

/// One player's hands.
struct Side {
    hands: Vec<Hand>,
    /// The weight of each hand by [`Combo::index`].
    weights: Vec<f64>,
}

struct Hand {
    cards: CardSet,
    weight: f64,
    /// The numbers of the two cards.
    one: u8,
    other: u8,
    /// The number of the ranks in [`Kinds::rank_sums`].
    ranks: u8,
    /// For each suit the number of the set in [`Kinds::suit_sets`].
    suits: [u8; 4],
    combo: u16,
}

impl Side {
    fn new(hands: &[(CardSet, f64)], kinds: &Kinds) -> Self {
        let mut side = Self { hands: Vec::new(), weights: vec![0.0; Combo::COUNT] };
        for &(cards, weight) in hands {
            let Some(combo) = Combo::from_set(cards) else { continue };
            side.weights[combo.index()] = weight;
            // Both lists hold what was taken from these hands.
            let number = |found: Result<usize, usize>| found.unwrap_or_default() as u8;
            side.hands.push(Hand {
                cards,
                weight,
                one: combo.high().index() as u8,
                other: combo.low().index() as u8,
                ranks: number(kinds.rank_sums.binary_search(&rank_sum(cards))),
                suits: std::array::from_fn(|suit| {
                    number(kinds.suit_sets[suit].binary_search(&suit_set(cards, suit)))
                }),
                combo: combo.index() as u16,
            });
        }
        side
    }
}

/// The weight of the other side's hands that a hand beats, equals and meets.
struct Faced {
    below: f64,
    level: f64,
    total: f64,
}

/// A row of weights: one for each card, and the total behind them.
type Row = [f64; 56];
const TOTAL: usize = 52;
/// At most 91 pairs of ranks and 92 sets of one suit's ranks, and a row of zeros.
const ROWS: usize = 91 + 92 + 1;

/// Scratch space and counts of one batch.
struct Counter {
    tally: Tally,
    /// Strengths with the kinds that have them, in order.
    order: Vec<(u16, u8, bool)>,
    /// The place in the order of each pair of ranks.
    by_ranks: [u8; 91],
    /// The place in the order of each set of ranks of the flush suit, or
    /// `NO_FLUSH`.
    by_suit: [u8; 92],
    strengths: Vec<u16>,
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
        for hand in hero.hands.iter().filter(|hand| !hand.cards.meets(board)) {
            let place = self.place(hand, flush_suit);
            let faced = self.face(hand, place, villain);
            wins += hand.weight * faced.below;
            ties += hand.weight * faced.level;
            all += hand.weight * faced.total;
            if let Some(categories) = &mut self.tally.categories {
                categories[0][category(self.strengths[place])] += hand.weight * faced.total;
            }
        }
        self.tally.by_winners[0b01] += wins;
        self.tally.by_winners[0b11] += ties;
        self.tally.by_winners[0b10] += all - wins - ties;
        if self.tally.categories.is_some() {
            self.count_categories(board, flush_suit, sides);
        }
    }

    /// What a hand at this place in the order faces, once the rows are filled
    /// with the other side.
    ///
    /// Always inlined: returned through memory, the three numbers take as long
    /// as all the rest.
    #[inline(always)]
    fn face(&self, hand: &Hand, place: usize, other: &Side) -> Faced {
        let same = other.weights[usize::from(hand.combo)];
        let apart =
            |row: &Row| row[TOTAL] - row[usize::from(hand.one)] - row[usize::from(hand.other)];
        let below = apart(&self.rows[place]);
        // The hand itself holds both of its cards: it was taken off twice.
        let up_to = apart(&self.rows[place + 1]) + same;
        let total = apart(&self.rows[self.strengths.len()]) + same;
        Faced { below, level: up_to - below, total }
    }

    /// The second player's categories.
    fn count_categories(&mut self, board: CardSet, flush_suit: Option<usize>, sides: &[Side; 2]) {
        let [hero, villain] = sides;
        self.fill_rows(board, flush_suit, hero);
        for hand in villain.hands.iter().filter(|hand| !hand.cards.meets(board)) {
            let place = self.place(hand, flush_suit);
            let total = self.face(hand, place, hero).total;
            if let Some(categories) = &mut self.tally.categories {
                categories[1][category(self.strengths[place])] += hand.weight * total;
            }
        }
    }

    /// Puts all kinds of hands in order on this board; the suit that can make
    /// a flush, if there is one.
    fn sort_kinds(&mut self, board: CardSet, kinds: &Kinds) -> Option<usize> {
        self.order.clear();
        let suits = [0, 1, 2, 3].map(|suit| suit_set(board, suit));
        let board_sum = suits.into_iter().fold(0u32, |sum, ranks| {
            sum.wrapping_add((SUIT_SUMS.0[usize::from(ranks & 0x1fff)] >> 32) as u32)
        });
        for (kind, &sum) in (0..).zip(&kinds.rank_sums) {
            self.order.push((seven_rank(board_sum.wrapping_add(sum)), kind, false));
        }
        let flush_suit = (0..4).find(|&suit| suits[suit].count_ones() >= 3);
        if let Some(suit) = flush_suit {
            for (kind, &held) in (0..).zip(&kinds.suit_sets[suit]) {
                self.by_suit[usize::from(kind)] = NO_FLUSH;
                let ranks = held | suits[suit];
                // Sets that meet the board belong to hands that do.
                if held & suits[suit] == 0 && ranks.count_ones() >= 5 {
                    self.order.push((flush_rank(ranks), kind, true));
                }
            }
        }
        self.order.sort_unstable();
        self.strengths.clear();
        for &(strength, kind, flush) in &self.order {
            if self.strengths.last() != Some(&strength) {
                self.strengths.push(strength);
            }
            let place = self.strengths.len() as u8 - 1;
            if flush {
                self.by_suit[usize::from(kind)] = place;
            } else {
                self.by_ranks[usize::from(kind)] = place;
            }
        }
        flush_suit
    }

    /// The place of a hand in the order of strengths.
    #[inline(always)]
    fn place(&self, hand: &Hand, flush_suit: Option<usize>) -> usize {
        if let Some(suit) = flush_suit {
            let place = self.by_suit[usize::from(hand.suits[suit])];
            if place != NO_FLUSH {
                return usize::from(place);
            }
        }
        usize::from(self.by_ranks[usize::from(hand.ranks)])
    }

    /// Row `i + 1` becomes the weight of all hands of strength `i` or less.
    fn fill_rows(&mut self, board: CardSet, flush_suit: Option<usize>, side: &Side) {
        let rows = self.strengths.len();
        self.rows[..=rows].fill([0.0; 56]);
        for hand in side.hands.iter().filter(|hand| !hand.cards.meets(board)) {
            let place = self.place(hand, flush_suit);
            let row = &mut self.rows[place + 1];
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

fn category(strength: u16) -> usize {
    Rank::from_number(strength).category() as usize
}
