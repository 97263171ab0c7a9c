//! Exact preflop showdowns by rank patterns, without dealing boards one by one.
//!
//! Suits matter for flushes only. So all boards are first counted by rank
//! pattern: 6,175 multisets of ranks, each weighted by the number of boards with
//! these ranks. Then, for each suit, the boards with three or more cards of it
//! are corrected: the outcome without a flush is subtracted, the true one is
//! added. A board cannot have three cards of two suits, so no board is corrected
//! twice. Isomorphic suits, with the same ranks in all hands and in the deck, are
//! corrected once and multiplied.

use super::parallel::run_batches;
use super::seats::Seats;
use super::tally::Tally;
use super::{EquityOptions, EquityProgress};
use crate::tables::{RANK_WEIGHTS, SUIT_SUMS, flush_rank, seven_rank};
use crate::{CardSet, Rank};

/// Binomial coefficients: `CHOOSE[n][k]` ways to take `k` of the `n` cards left of
/// a rank.
const CHOOSE: [[i64; 5]; 5] =
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]];

/// Calls `visit(boards, ranks)` so that, summed over all calls, every outcome is
/// counted for every five-card board from `deck`. `boards` is negative where an
/// earlier count is subtracted.
pub(crate) fn visit_boards<const N: usize>(
    hands: [CardSet; N],
    deck: CardSet,
    mut visit: impl FnMut(i64, [u16; N]),
) {
    let sums: [u32; N] = hands.map(rank_sum);
    let left: [usize; 13] =
        std::array::from_fn(|rank| (deck.bits() >> rank & COLUMN).count_ones() as usize);
    visit_patterns(&sums, &left, (0, 5), 1, &mut visit);

    let suit_views: [([u16; N], u16); 4] = std::array::from_fn(|suit| {
        let ranks = |cards: CardSet| (cards.bits() >> (16 * suit)) as u16;
        (hands.map(ranks), ranks(deck))
    });
    for (suit, view) in suit_views.iter().enumerate() {
        if suit_views[..suit].contains(view) {
            continue;
        }
        let times = suit_views.iter().filter(|other| *other == view).count() as i64;
        let mut others = left;
        for (rank, count) in others.iter_mut().enumerate() {
            *count -= usize::from(view.1 >> rank & 1);
        }
        correct_suit(&sums, view.0, view.1, &others, &mut |boards, ranks| {
            visit(times * boards, ranks)
        });
    }
}

/// One rank's bit in all four suits.
const COLUMN: u64 = 0x0001_0001_0001_0001;

/// The sum of the weights of one suit's cards.
fn suit_sum(ranks: u16) -> u32 {
    (SUIT_SUMS.0[usize::from(ranks & 0x1fff)] >> 32) as u32
}

/// The sum of the weights of cards.
fn rank_sum(cards: CardSet) -> u32 {
    let suits = [0, 16, 32, 48].map(|shift| suit_sum((cards.bits() >> shift) as u16));
    suits.into_iter().fold(0, u32::wrapping_add)
}

/// Counts all boards as if there were no flushes: adds `missing` cards of the
/// ranks from `from` up.
fn visit_patterns<const N: usize>(
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
                visit_patterns(&sums, left, (rank + 1, missing - taken), boards, visit);
            }
        }
    }
}

/// Replaces the outcomes of boards with three or more cards of one suit.
///
/// `held` are the players' ranks in the suit, `free` the suit's ranks in the
/// deck, `others` the numbers of cards of other suits in the deck, by rank.
#[inline(always)]
fn correct_suit<const N: usize>(
    sums: &[u32; N],
    held: [u16; N],
    free: u16,
    others: &[usize; 13],
    visit: &mut impl FnMut(i64, [u16; N]),
) {
    let rest = Rest::new(others);
    let suit = Suit { held, counts: held.map(|ranks| ranks.count_ones()), free };
    let most = suit.counts.into_iter().max().unwrap_or(0);
    suit.replace(5, &FIVE_RANKS, &[(0, 1)], sums, visit);
    if most >= 1 {
        suit.replace(4, &FOUR_RANKS, rest.singles(), sums, visit);
    }
    if most >= 2 {
        suit.replace(3, &THREE_RANKS, rest.pairs(), sums, visit);
    }
}

/// The suit that is corrected: the players' ranks in it, their numbers, and the
/// ranks in the deck.
struct Suit<const N: usize> {
    held: [u16; N],
    counts: [u32; N],
    free: u16,
}

impl<const N: usize> Suit<N> {
    /// Replaces the outcomes of the boards with one of `sets` in the suit, each
    /// of `size` ranks, and any of `rest` in other suits.
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
        let is_flush = self.counts.map(|count| count + size >= 5);
        for &suited in sets.iter().filter(|&&set| set & !self.free == 0) {
            let board = suit_sum(suited);
            let sums = sums.map(|sum| sum.wrapping_add(board));
            let flushes: [u16; N] = std::array::from_fn(|player| {
                if is_flush[player] { flush_rank(self.held[player] | suited) } else { 0 }
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

/// The board cards outside the corrected suit: for one or two cards, the sums of
/// their rank weights and the numbers of ways to choose them.
struct Rest {
    singles: [(u32, i64); 13],
    single_count: usize,
    pairs: [(u32, i64); 91],
    pair_count: usize,
}

impl Rest {
    fn new(others: &[usize; 13]) -> Self {
        let mut rest =
            Self { singles: [(0, 0); 13], single_count: 0, pairs: [(0, 0); 91], pair_count: 0 };
        for (rank, &count) in others.iter().enumerate() {
            let weight = RANK_WEIGHTS[rank];
            if count > 0 {
                rest.singles[rest.single_count] = (weight, count as i64);
                rest.single_count += 1;
            }
            for (lower, &lower_count) in others[..=rank].iter().enumerate() {
                let same = lower == rank;
                let ways = if same { CHOOSE[count][2] } else { (count * lower_count) as i64 };
                if ways > 0 {
                    let sum = weight.wrapping_add(RANK_WEIGHTS[lower]);
                    rest.pairs[rest.pair_count] = (sum, ways);
                    rest.pair_count += 1;
                }
            }
        }
        rest
    }

    fn singles(&self) -> &[(u32, i64)] {
        &self.singles[..self.single_count]
    }

    fn pairs(&self) -> &[(u32, i64)] {
        &self.pairs[..self.pair_count]
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
        2 => count_players::<2>(hands, deck, weight, tally),
        3 => count_players::<3>(hands, deck, weight, tally),
        4 => count_players::<4>(hands, deck, weight, tally),
        5 => count_players::<5>(hands, deck, weight, tally),
        6 => count_players::<6>(hands, deck, weight, tally),
        7 => count_players::<7>(hands, deck, weight, tally),
        8 => count_players::<8>(hands, deck, weight, tally),
        9 => count_players::<9>(hands, deck, weight, tally),
        _ => count_players::<10>(hands, deck, weight, tally),
    }
}

fn count_players<const N: usize>(hands: &[CardSet], deck: CardSet, weight: f64, tally: &mut Tally) {
    let mut by_winners = vec![0i64; 1 << N];
    let hands: [CardSet; N] = std::array::from_fn(|player| hands[player]);
    let categories = &mut tally.categories;
    visit_boards(hands, deck, |boards, ranks| {
        let best = ranks.into_iter().max().unwrap_or(0);
        let mut winners = 0;
        for (player, rank) in ranks.into_iter().enumerate() {
            winners |= usize::from(rank == best) << player;
        }
        by_winners[winners] += boards;
        if let Some(categories) = categories {
            for (counts, rank) in categories.iter_mut().zip(ranks) {
                counts[Rank::from_number(rank).category() as usize] += boards as f64 * weight;
            }
        }
    });
    for (sum, boards) in tally.by_winners.iter_mut().zip(by_winners) {
        *sum += boards as f64 * weight;
    }
}
