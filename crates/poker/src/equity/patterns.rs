//! Exact showdowns of known hands by rank patterns, without dealing boards one by
//! one.
//!
//! Suits matter for flushes only. So all boards are first counted by rank
//! pattern: multisets of ranks (6,175 before the flop, 91 on it), each weighted by
//! the number of boards with these ranks. Then, for each suit, the boards with
//! which a hand makes a flush are corrected: the outcome without a flush is
//! subtracted, the true one is added. A flush needs three cards of its suit on the
//! board, so no board is corrected for two suits. Isomorphic suits, with the same
//! ranks in all hands, on the board and in the deck, are corrected once and
//! multiplied.

use super::parallel::run_batches;
use super::seats::Seats;
use super::tally::Tally;
use super::{EquityOptions, EquityProgress};
use crate::tables::{RANK_WEIGHTS, flush_rank, rank_sum, seven_rank};
use crate::{CardSet, Rank};

/// Binomial coefficients: `CHOOSE[n][k]` ways to take `k` of the `n` cards left of
/// a rank.
const CHOOSE: [[i64; 5]; 5] =
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]];

/// Calls `visit(boards, ranks)` so that, summed over all calls, every outcome is
/// counted for every way to complete `board` to five cards from `deck`. `boards`
/// is negative where an earlier count is subtracted.
#[inline(always)]
pub(crate) fn visit_boards<const N: usize>(
    hands: [CardSet; N],
    board: CardSet,
    deck: CardSet,
    mut visit: impl FnMut(i64, [u16; N]),
) {
    let missing = 5 - board.len();
    let board_sum = rank_sum(board);
    let sums: [u32; N] = hands.map(|hand| rank_sum(hand).wrapping_add(board_sum));
    let left: [usize; 13] =
        std::array::from_fn(|rank| (deck.bits() >> rank & COLUMN).count_ones() as usize);
    visit_patterns(&sums, &left, missing, &mut visit);

    let suits: [Suit<N>; 4] = std::array::from_fn(|suit| {
        let ranks = |cards: CardSet| (cards.bits() >> (16 * suit)) as u16;
        Suit { held: hands.map(ranks), board: ranks(board), free: ranks(deck) }
    });
    for (index, suit) in suits.iter().enumerate() {
        if suit.needed() > missing || suits[..index].contains(suit) {
            continue;
        }
        let times = suits.iter().filter(|other| *other == suit).count() as i64;
        suit.correct(&sums, &left, missing, &mut |boards, ranks| visit(times * boards, ranks));
    }
}

/// One rank's bit in all four suits.
const COLUMN: u64 = 0x0001_0001_0001_0001;

/// Counts all boards as if there were no flushes: adds `missing` cards.
#[inline(always)]
fn visit_patterns<const N: usize>(
    sums: &[u32; N],
    left: &[usize; 13],
    missing: usize,
    visit: &mut impl FnMut(i64, [u16; N]),
) {
    match missing {
        0 => visit(1, sums.map(seven_rank)),
        // Few cards are missing: loops without recursion or tests, so that the
        // caller's counts stay in registers. Counting no boards changes nothing.
        1 => {
            for (weight, &count) in RANK_WEIGHTS.into_iter().zip(left) {
                visit(count as i64, sums.map(|sum| seven_rank(sum.wrapping_add(weight))));
            }
        }
        2 => {
            for (high, &count) in left.iter().enumerate() {
                let sums = sums.map(|sum| sum.wrapping_add(RANK_WEIGHTS[high]));
                let pair = sums.map(|sum| seven_rank(sum.wrapping_add(RANK_WEIGHTS[high])));
                visit(CHOOSE[count][2], pair);
                for (weight, &lower) in RANK_WEIGHTS.into_iter().zip(&left[..high]) {
                    let boards = (count * lower) as i64;
                    visit(boards, sums.map(|sum| seven_rank(sum.wrapping_add(weight))));
                }
            }
        }
        _ => add_ranks(sums, left, (0, missing), 1, visit),
    }
}

/// Counts all boards with `missing` more cards of the ranks from `from` up.
fn add_ranks<const N: usize>(
    sums: &[u32; N],
    left: &[usize; 13],
    (from, missing): (usize, usize),
    boards: i64,
    visit: &mut impl FnMut(i64, [u16; N]),
) {
    if missing == 1 {
        for rank in from..13 {
            let sums = sums.map(|sum| sum.wrapping_add(RANK_WEIGHTS[rank]));
            if left[rank] > 0 {
                visit(boards * left[rank] as i64, sums.map(seven_rank));
            }
        }
        return;
    }
    for rank in from..13 {
        let mut sums = *sums;
        let ways = &CHOOSE[left[rank]];
        for (taken, ways) in ways.iter().enumerate().take(missing.min(left[rank]) + 1).skip(1) {
            sums = sums.map(|sum| sum.wrapping_add(RANK_WEIGHTS[rank]));
            let boards = boards * ways;
            if taken == missing {
                visit(boards, sums.map(seven_rank));
            } else {
                add_ranks(&sums, left, (rank + 1, missing - taken), boards, visit);
            }
        }
    }
}

/// The ranks of one suit: in the players' hands, on the board and in the deck.
#[derive(PartialEq)]
struct Suit<const N: usize> {
    held: [u16; N],
    board: u16,
    free: u16,
}

impl<const N: usize> Suit<N> {
    /// The number of cards of the suit that the board still needs before a player
    /// has a flush.
    #[inline(always)]
    fn needed(&self) -> usize {
        let most = self.held.into_iter().map(u16::count_ones).max().unwrap_or(0);
        5usize.saturating_sub((most + self.board.count_ones()) as usize)
    }

    /// Replaces the outcomes of all boards with which a player has a flush;
    /// `left` are the numbers of cards in the deck, by rank.
    #[inline(always)]
    fn correct(
        &self,
        sums: &[u32; N],
        left: &[usize; 13],
        missing: usize,
        visit: &mut impl FnMut(i64, [u16; N]),
    ) {
        let mut others = *left;
        for (rank, count) in others.iter_mut().enumerate() {
            *count -= usize::from(self.free >> rank & 1);
        }
        for suited in (self.needed()..=missing).rev() {
            let sets: &[u16] = match suited {
                0 => &[0],
                1 => &ONE_RANK,
                2 => &TWO_RANKS,
                3 => &THREE_RANKS,
                4 => &FOUR_RANKS,
                _ => &FIVE_RANKS,
            };
            if suited == missing {
                // The compiler drops the loop over one choice.
                self.replace(suited as u32, sets, &[(0, 1)], sums, visit);
            } else {
                let rest = Rest::new(&others, missing - suited);
                self.replace(suited as u32, sets, rest.choices(), sums, visit);
            }
        }
    }

    /// Replaces the outcomes of the boards with one of `sets` in the suit, each
    /// of `size` new ranks, and any of `rest` in other suits.
    ///
    /// Always inlined, so that the caller's counts stay in registers.
    #[inline(always)]
    fn replace(
        &self,
        size: u32,
        sets: &[u16],
        rest: &[(u32, i64)],
        sums: &[u32; N],
        visit: &mut impl FnMut(i64, [u16; N]),
    ) {
        let on_board = self.board.count_ones() + size;
        let is_flush = self.held.map(|ranks| ranks.count_ones() + on_board >= 5);
        for &suited in sets.iter().filter(|&&set| set & !self.free == 0) {
            let board = rank_sum(CardSet::from_bits(u64::from(suited)));
            let sums = sums.map(|sum| sum.wrapping_add(board));
            let flushes: [u16; N] = std::array::from_fn(|player| {
                let ranks = self.held[player] | self.board | suited;
                if is_flush[player] { flush_rank(ranks) } else { 0 }
            });
            for &(sum, boards) in rest {
                let plain = sums.map(|hand| seven_rank(hand.wrapping_add(sum)));
                visit(-boards, plain);
                // Seven cards with a flush contain no full house or quads, so the
                // flush is the best hand.
                visit(boards, std::array::from_fn(|player| plain[player].max(flushes[player])));
            }
        }
    }
}

static ONE_RANK: [u16; 13] = rank_sets(1);
static TWO_RANKS: [u16; 78] = rank_sets(2);
static THREE_RANKS: [u16; 286] = rank_sets(3);
static FOUR_RANKS: [u16; 715] = rank_sets(4);
static FIVE_RANKS: [u16; 1287] = rank_sets(5);

/// All sets of `size` ranks, of which there are `LEN`.
const fn rank_sets<const LEN: usize>(size: u32) -> [u16; LEN] {
    let mut sets = [0; LEN];
    let (mut set, mut found) = (0u16, 0);
    while set < 1 << 13 {
        if set.count_ones() == size {
            sets[found] = set;
            found += 1;
        }
        set += 1;
    }
    sets
}

/// The ways to take one or two cards, without regard to suits: the sums of their
/// rank weights and the numbers of ways to choose them.
struct Rest {
    choices: [(u32, i64); 91],
    count: usize,
}

impl Rest {
    /// The ways to take `cards` of the cards `left` of each rank.
    #[inline(always)]
    fn new(left: &[usize; 13], cards: usize) -> Self {
        debug_assert!((1..=2).contains(&cards), "a flush leaves two cards of other suits at most");
        let mut rest = Self { choices: [(0, 0); 91], count: 0 };
        for (rank, &count) in left.iter().enumerate() {
            let weight = RANK_WEIGHTS[rank];
            if cards == 1 {
                rest.add(weight, count as i64);
                continue;
            }
            for (lower, &lower_count) in left[..rank].iter().enumerate() {
                let sum = weight.wrapping_add(RANK_WEIGHTS[lower]);
                rest.add(sum, (count * lower_count) as i64);
            }
            rest.add(weight.wrapping_mul(2), CHOOSE[count][2]);
        }
        rest
    }

    /// Adds a choice, unless there is no way to make it.
    #[inline(always)]
    fn add(&mut self, sum: u32, ways: i64) {
        self.choices[self.count] = (sum, ways);
        self.count += usize::from(ways > 0);
    }

    #[inline(always)]
    fn choices(&self) -> &[(u32, i64)] {
        &self.choices[..self.count]
    }
}

/// Counts all preflop deals: rank patterns for every combination of hands.
pub(crate) fn count(seats: &Seats, options: &EquityOptions, progress: &EquityProgress) -> Tally {
    let hands: Vec<Vec<(CardSet, f64)>> =
        seats.seats.iter().map(|seat| seats.hands(seat)).collect();
    let known = seats.deck | all_only_hands(seats);
    // One batch for each hand of the player with the most of them.
    let widest = (0..hands.len()).max_by_key(|&player| hands[player].len()).unwrap_or(0);
    let tallies = run_batches(hands[widest].len(), options.threads, |batch| {
        let mut narrowed = hands.clone();
        narrowed[widest] = vec![hands[widest][batch]];
        let mut tally = Tally::new(hands.len(), options.categories);
        for_each_choice(&narrowed, &mut Vec::new(), 1.0, &mut |chosen, weight| {
            if progress.is_stopped() {
                return;
            }
            let deck = chosen.iter().fold(known, |deck, &hand| deck - hand);
            count_choice(chosen, deck, weight, &mut tally);
        });
        tally
    });
    let mut sum = Tally::new(hands.len(), options.categories);
    tallies.iter().for_each(|tally| sum.add(tally));
    sum
}

fn all_only_hands(seats: &Seats) -> CardSet {
    let only = seats.seats.iter().filter_map(|seat| seat.only_hand());
    only.fold(CardSet::EMPTY, |cards, hand| cards | hand)
}

/// Visits every combination of disjoint hands, with its weight.
fn for_each_choice(
    hands: &[Vec<(CardSet, f64)>],
    chosen: &mut Vec<CardSet>,
    weight: f64,
    visit: &mut impl FnMut(&[CardSet], f64),
) {
    let Some(next) = hands.get(chosen.len()) else {
        visit(chosen, weight);
        return;
    };
    for &(hand, hand_weight) in next {
        if chosen.iter().all(|other| !other.intersects(hand)) {
            chosen.push(hand);
            for_each_choice(hands, chosen, weight * hand_weight, visit);
            chosen.pop();
        }
    }
}

/// Adds the outcomes of one combination of hands on all boards from `deck`.
fn count_choice(hands: &[CardSet], deck: CardSet, weight: f64, tally: &mut Tally) {
    match hands.len() {
        2 => add_players::<2, 4>(hands, deck, weight, tally),
        3 => add_players::<3, 8>(hands, deck, weight, tally),
        4 => add_players::<4, 16>(hands, deck, weight, tally),
        5 => add_players::<5, 32>(hands, deck, weight, tally),
        6 => add_players::<6, 64>(hands, deck, weight, tally),
        7 => add_players::<7, 128>(hands, deck, weight, tally),
        8 => add_players::<8, 256>(hands, deck, weight, tally),
        9 => add_players::<9, 512>(hands, deck, weight, tally),
        _ => add_players::<10, 1024>(hands, deck, weight, tally),
    }
}

fn add_players<const N: usize, const SETS: usize>(
    hands: &[CardSet],
    deck: CardSet,
    weight: f64,
    tally: &mut Tally,
) {
    let hands: [CardSet; N] = std::array::from_fn(|player| hands[player]);
    let mut categories = tally.categories.as_deref_mut();
    let by_winners: [i64; SETS] =
        count_winners(hands, CardSet::EMPTY, deck, |player, rank, boards| {
            if let Some(categories) = &mut categories {
                categories[player][rank.category() as usize] += boards as f64 * weight;
            }
        });
    for (sum, boards) in tally.by_winners.iter_mut().zip(by_winners) {
        *sum += boards as f64 * weight;
    }
}

/// Counts the boards by set of winners, of which there are `SETS`: bit `i` of the
/// index means that player `i` wins or ties. Calls `each(player, rank, boards)`
/// for every hand.
#[inline(always)]
pub(crate) fn count_winners<const N: usize, const SETS: usize>(
    hands: [CardSet; N],
    board: CardSet,
    deck: CardSet,
    mut each: impl FnMut(usize, Rank, i64),
) -> [i64; SETS] {
    const { assert!(SETS == 1 << N, "one count for each set of winners") };
    let mut by_winners = [0i64; SETS];
    let (mut wins, mut ties) = (0, 0);
    visit_boards(hands, board, deck, |boards, ranks| {
        if let [one, other] = ranks[..] {
            // Registers instead of memory: an increment would wait for the store
            // of the one before.
            wins += if one > other { boards } else { 0 };
            ties += if one == other { boards } else { 0 };
        } else {
            let best = ranks.into_iter().max().unwrap_or(0);
            let mut winners = 0;
            for (player, rank) in ranks.into_iter().enumerate() {
                winners |= usize::from(rank == best) << player;
            }
            by_winners[winners] += boards;
        }
        for (player, rank) in ranks.into_iter().enumerate() {
            each(player, Rank::from_number(rank), boards);
        }
    });
    if N == 2 {
        let all = (0..5 - board.len())
            .fold(1, |ways, taken| ways * (deck.len() - taken) as i64 / (taken as i64 + 1));
        by_winners[1..].copy_from_slice(&[wins, all - wins - ties, ties]);
    }
    by_winners
}
