//! One pass over the hands of a board for up to sixteen rows of the opponent's reach.
//!
//! Hands of both players are sorted by strength, so the pass knows the reach of all weaker
//! hands. What shares a card with a hand is taken off by sums for each card; the hand that
//! has both is in two of them and is given back once.

use std::ops::{Deref, DerefMut};

use super::dispatch;
use crate::boards::{Board, Hands};
use crate::streets::{LANES, Lane};

/// A number for each lane, in one line of the cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub(crate) [f32; LANES]);

impl Deref for Lanes {
    type Target = [f32; LANES];

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Lanes {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

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
    let mut of_card = [Lanes::default(); 64];
    let mut total = Lanes::default();
    if board.ties.is_empty() {
        for hand in 0..other.combos.len() {
            add(other, hand, reach, &mut total, &mut of_card);
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
            add(other, hand, reach, &mut total, &mut of_card);
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
        showdowns[hand] = Lanes::default();
        folds[hand] = Lanes::default();
    }
}

/// Adds the reach of a hand of the opponent to all sums.
#[inline(always)]
fn add(other: &Hands, hand: usize, reach: &[Lanes], total: &mut Lanes, of_card: &mut [Lanes; 64]) {
    let (reach, cards) = (&reach[hand], other.cards[hand]);
    for k in 0..LANES {
        total[k] += reach[k];
    }
    for card in cards {
        let sum = &mut of_card[usize::from(card & 63)];
        for k in 0..LANES {
            sum[k] += reach[k];
        }
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
