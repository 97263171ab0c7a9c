//! One pass over the hands of a board for up to sixteen rows of the opponent's reach.
//!
//! Hands of both players are sorted by strength, so the pass knows the reach of all weaker
//! hands. What shares a card with a hand is taken off by sums for each card; the hand that
//! has both is in two of them and is given back once.

use super::dispatch;
use crate::boards::{Board, Hands};
use crate::streets::{LANES, Lane};

/// A number for each lane.
pub(crate) type Lanes = [f32; LANES];

/// What the sums of a pass are multiplied by, lane by lane.
#[derive(Clone, Copy, Default)]
pub(crate) struct Factors {
    weaker: Lanes,
    not_stronger: Lanes,
    all: Lanes,
    same: Lanes,
    fold: Lanes,
}

impl Factors {
    pub(crate) fn new(lanes: &[Lane]) -> Self {
        let mut factors = Self::default();
        for (k, lane) in lanes.iter().enumerate() {
            if let Some((_, [win, loss, tie])) = lane.showdown {
                factors.weaker[k] = win - tie;
                factors.not_stronger[k] = tie - loss;
                factors.all[k] = loss;
                factors.same[k] = tie;
            }
            if let Some((_, fold)) = lane.fold {
                factors.fold[k] = fold;
            }
        }
        factors
    }
}

dispatch!(
    /// One pass over the hands of a board.
    sweep = sweep_body [] (
        board: &Board, seat: usize, factors: &Factors, reach: &[Lanes], showdowns: &mut [Lanes],
        folds: &mut [Lanes],
    )
);

#[inline(always)]
fn sweep_body(
    board: &Board,
    seat: usize,
    factors: &Factors,
    reach: &[Lanes],
    showdowns: &mut [Lanes],
    folds: &mut [Lanes],
) {
    let (own, other) = (&board.hands[seat], &board.hands[1 - seat]);
    // One more than the cards, for padding.
    let mut of_card = [[0.0f32; LANES]; 64];
    let mut total = [0.0f32; LANES];
    let mut add = |total: &mut Lanes, of_card: &mut [Lanes; 64], hand: usize| {
        let (reach, [one, two]) = (&reach[hand], other.cards[hand]);
        for k in 0..LANES {
            total[k] += reach[k];
        }
        for card in [one, two] {
            let sum = &mut of_card[usize::from(card & 63)];
            for k in 0..LANES {
                sum[k] += reach[k];
            }
        }
    };
    if board.ties.is_empty() {
        for hand in 0..other.combos.len() {
            add(&mut total, &mut of_card, hand);
        }
    }
    for tie in &board.ties {
        let mine = usize::from(tie.from[seat])..usize::from(tie.to[seat]);
        for hand in mine.clone() {
            let free = free_of(own, hand, &total, &of_card);
            for k in 0..LANES {
                showdowns[hand][k] = factors.weaker[k] * free[k];
            }
        }
        for hand in usize::from(tie.from[1 - seat])..usize::from(tie.to[1 - seat]) {
            add(&mut total, &mut of_card, hand);
        }
        for hand in mine {
            let free = free_of(own, hand, &total, &of_card);
            for k in 0..LANES {
                showdowns[hand][k] += factors.not_stronger[k] * free[k];
            }
        }
    }
    for hand in 0..own.combos.len() {
        let free = free_of(own, hand, &total, &of_card);
        let same = &reach[usize::from(own.same[hand])];
        for k in 0..LANES {
            showdowns[hand][k] += factors.all[k] * free[k] + factors.same[k] * same[k];
            folds[hand][k] = factors.fold[k] * (free[k] + same[k]);
        }
    }
    for hand in own.combos.len()..own.row {
        showdowns[hand] = [0.0; LANES];
        folds[hand] = [0.0; LANES];
    }
}

/// The reach so far that shares no card with a hand; a hand of both its cards is taken
/// off twice.
#[inline(always)]
fn free_of(own: &Hands, hand: usize, total: &Lanes, of_card: &[Lanes; 64]) -> Lanes {
    let [one, two] = own.cards[hand].map(|card| &of_card[usize::from(card & 63)]);
    let mut free = *total;
    for k in 0..LANES {
        free[k] -= one[k];
        free[k] -= two[k];
    }
    free
}
