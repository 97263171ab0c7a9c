//! Exhaustive enumeration of all boards and all combinations of hands.

use std::ops::Range;

use super::block::{Block, SIZE};
use super::parallel::run_batches;
use super::seats::{Seats, choose, for_each_subset};
use super::tally::Tally;
use super::{EquityOptions, EquityProgress};
use crate::{CardSet, Partial, Rank, Variant, omaha, rank_batch, short_deck};

/// Counts every deal.
pub(crate) fn count(seats: &Seats, options: &EquityOptions, progress: &EquityProgress) -> Tally {
    let tallies = match seats.only_hands() {
        Some(hands) if seats.variant == Variant::Holdem && seats.missing() <= 1 => {
            vec![count_rivers(seats, &hands, options)]
        }
        Some(hands) => {
            let boards = Boards::new(seats, 4096.0);
            let weight = only_weight(seats);
            run_batches(boards.batches(), options.threads, |batch| {
                let mut tally =
                    count_hands(seats.variant, &hands, &boards, batch, options, progress);
                tally.scale(weight);
                tally
            })
        }
        None => {
            let boards = Boards::new(seats, 16.0);
            let hands: Vec<_> = seats.seats.iter().map(|seat| seats.hands(seat)).collect();
            run_batches(boards.batches(), options.threads, |batch| {
                count_choices(seats.variant, &hands, &boards, batch, options, progress)
            })
        }
    };
    let mut sum = Tally::new(seats.seats.len(), options.categories);
    tallies.iter().for_each(|tally| sum.add(tally));
    sum
}

/// The weight of the only combination of hands.
fn only_weight(seats: &Seats) -> f64 {
    seats.seats.iter().map(|seat| seats.hands(seat)[0].1).product()
}

/// Counts the few boards from the turn or the river on when all hands are known:
/// setting up a block would take longer than counting them.
fn count_rivers(seats: &Seats, hands: &[CardSet], options: &EquityOptions) -> Tally {
    let weight = only_weight(seats);
    let mut tally = Tally::new(hands.len(), options.categories);
    let board = Partial::of(seats.board);
    let mut fixed = [Partial::EMPTY; 10];
    for (partial, &hand) in fixed.iter_mut().zip(hands) {
        *partial = Partial::of(hand).join(board);
    }
    let fixed = &fixed[..hands.len()];
    let mut ranks = [Rank::default(); 10];
    let ranks = &mut ranks[..hands.len()];
    if seats.missing() == 0 {
        ranks.iter_mut().zip(fixed).for_each(|(rank, hand)| *rank = hand.rank());
        tally.count(ranks, weight);
        return tally;
    }
    for river in seats.deck {
        ranks.iter_mut().zip(fixed).for_each(|(rank, hand)| *rank = hand.with(river).rank());
        tally.count(ranks, weight);
    }
    tally
}

/// The possible final boards, in batches by their highest new card.
pub(crate) struct Boards {
    board: CardSet,
    deck: Vec<CardSet>,
    missing: usize,
    /// The highest new cards of each batch, as indices into the deck.
    batches: Vec<Range<usize>>,
}

impl Boards {
    /// All boards, with at least `min_boards` in each batch but the last.
    pub(crate) fn new(seats: &Seats, min_boards: f64) -> Self {
        let deck: Vec<CardSet> = seats.deck.into_iter().map(CardSet::of).collect();
        let missing = seats.missing();
        let mut batches = Vec::new();
        let (mut from, mut boards) = (0, 0.0);
        for highest in 0..if missing == 0 { 1 } else { deck.len() } {
            boards += choose(highest, missing.saturating_sub(1));
            if boards >= min_boards {
                batches.push(from..highest + 1);
                (from, boards) = (highest + 1, 0.0);
            }
        }
        if boards > 0.0 {
            batches.push(from..deck.len());
        }
        Self { board: seats.board, deck, missing, batches }
    }

    pub(crate) fn batches(&self) -> usize {
        self.batches.len()
    }

    /// Visits the boards of one batch.
    pub(crate) fn for_each(&self, batch: usize, mut visit: impl FnMut(CardSet)) {
        if self.missing == 0 {
            visit(self.board);
            return;
        }
        for highest in self.batches[batch].clone() {
            let base = self.board | self.deck[highest];
            for_each_subset(&self.deck[..highest], self.missing - 1, base, &mut visit);
        }
    }
}

/// Counts one batch of boards when all hands are known.
fn count_hands(
    variant: Variant,
    hands: &[CardSet],
    boards: &Boards,
    batch: usize,
    options: &EquityOptions,
    progress: &EquityProgress,
) -> Tally {
    let mut block = Block::new(variant, hands.len(), options.categories);
    for (player, &hand) in hands.iter().enumerate() {
        block.fix_hand(player, hand);
    }
    let mut filled = 0;
    boards.for_each(batch, |board| {
        block.boards[filled] = board;
        filled += 1;
        if filled == SIZE {
            if !progress.is_stopped() {
                block.count(filled);
            }
            filled = 0;
        }
    });
    block.count(filled);
    block.tally()
}

/// A hand that does not conflict with the board, and its rank.
struct Choice {
    hand: CardSet,
    weight: f64,
    rank: Rank,
}

/// Counts one batch of boards for every combination of hands.
fn count_choices(
    variant: Variant,
    hands: &[Vec<(CardSet, f64)>],
    boards: &Boards,
    batch: usize,
    options: &EquityOptions,
    progress: &EquityProgress,
) -> Tally {
    let mut tally = Tally::new(hands.len(), options.categories);
    let mut choices: Vec<Vec<Choice>> = hands.iter().map(|_| Vec::new()).collect();
    let (mut cards, mut ranks) = (Vec::new(), Vec::new());
    let mut chosen = vec![Rank::default(); hands.len()];
    boards.for_each(batch, |board| {
        if progress.is_stopped() {
            return;
        }
        let omaha = omaha::Board::new(board);
        for (choices, hands) in choices.iter_mut().zip(hands) {
            choices.clear();
            let possible = hands.iter().filter(|(hand, _)| !hand.intersects(board));
            choices.extend(possible.map(|&(hand, weight)| Choice {
                hand,
                weight,
                rank: Rank::default(),
            }));
            if matches!(variant, Variant::Omaha | Variant::Omaha5) {
                choices.iter_mut().for_each(|choice| choice.rank = omaha.rank(choice.hand));
                continue;
            }
            cards.clear();
            cards.extend(choices.iter().map(|choice| choice.hand | board));
            ranks.resize(cards.len(), Rank::default());
            rank_batch(&cards, &mut ranks);
            for ((choice, &rank), &cards) in choices.iter_mut().zip(&ranks).zip(&cards) {
                choice.rank = match variant {
                    Variant::ShortDeck => short_deck::from_holdem(cards, rank),
                    Variant::Holdem | Variant::Omaha | Variant::Omaha5 => rank,
                };
            }
        }
        assign_hands(&choices, CardSet::EMPTY, 1.0, (&mut chosen, 0), &mut tally, progress);
    });
    tally
}

/// Enumerates the hands of `player`, then recursively those of the next players.
///
/// Cancellation is checked for all but the last player; between two checks the
/// work takes a few milliseconds at most.
fn assign_hands(
    choices: &[Vec<Choice>],
    used: CardSet,
    weight: f64,
    (chosen, player): (&mut [Rank], usize),
    tally: &mut Tally,
    progress: &EquityProgress,
) {
    let Some(hands) = choices.get(player) else {
        tally.count(chosen, weight);
        return;
    };
    if player + 1 < choices.len() && progress.is_stopped() {
        return;
    }
    for choice in hands.iter().filter(|choice| !choice.hand.intersects(used)) {
        chosen[player] = choice.rank;
        let (used, weight) = (used | choice.hand, weight * choice.weight);
        assign_hands(choices, used, weight, (&mut *chosen, player + 1), tally, progress);
    }
}
