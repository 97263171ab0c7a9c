//! Random play to the end, a trick at a time: what stepping does, with the state of
//! a trick in registers instead of the table.

use meeple_game::{Rng, Steps};

use super::deal::draw_hand;
use super::{KnockoutWhist, NEXT, NONE, Phase, SUITS, suit_of};

/// The cards of the suit of one card, all of them as bits.
#[inline(always)]
fn suit_around(card: u64) -> u64 {
    let below = if card < SUITS[1] & SUITS[1].wrapping_neg() { SUITS[0] } else { SUITS[1] };
    let above = if card < SUITS[3] & SUITS[3].wrapping_neg() { SUITS[2] } else { SUITS[3] };
    if card < SUITS[2] & SUITS[2].wrapping_neg() { below } else { above }
}

/// One of `cards`, each as likely, as a bit; there are at most `most`.
///
/// Steps are made anyway and undone if need be: cheaper than a loop whose end
/// nobody can foresee.
#[inline(always)]
fn draw_leading(cards: u64, most: u32, rng: &mut Rng) -> u64 {
    let nth = rng.below(cards.count_ones() as usize);
    let mut left = cards;
    for step in 0..most.saturating_sub(1) as usize {
        let fewer = left & left.wrapping_sub(1);
        left = if step < nth { fewer } else { left };
    }
    left & left.wrapping_neg()
}

/// As [`draw_leading`], where there are seldom more than four.
#[inline(always)]
pub(super) fn draw_playable(cards: u64, rng: &mut Rng) -> u64 {
    let nth = rng.below(cards.count_ones() as usize);
    let mut left = cards;
    for step in 0..3 {
        let fewer = left & left.wrapping_sub(1);
        left = if step < nth { fewer } else { left };
    }
    for _ in 3..nth {
        left &= left - 1;
    }
    left & left.wrapping_neg()
}

impl KnockoutWhist {
    /// Plays to the end.
    #[inline(always)]
    pub(super) fn finish(&mut self, rng: &mut Rng) -> Steps {
        let mut steps = Steps::default();
        loop {
            match self.phase {
                Phase::Deal => {
                    steps.chances += u64::from(self.left);
                    let hand = draw_hand(self.deck, self.left.into(), rng);
                    self.deck ^= hand;
                    self.hands[usize::from(self.receiver)] |= hand;
                    self.deal_to_next();
                }
                Phase::Trumps => {
                    steps.chances += 1;
                    self.trumps = rng.below(4) as u8;
                    self.phase = Phase::Play;
                }
                Phase::Play if self.led == NONE => steps.decisions += self.play_deal(rng),
                Phase::Play => {
                    steps.decisions += 1;
                    self.play(draw_playable(self.playable(), rng).trailing_zeros() as u8);
                }
                Phase::Over => return steps,
            }
        }
    }

    /// Plays all the tricks of a deal that are left, from the beginning of one;
    /// how many cards that took.
    #[inline(always)]
    fn play_deal(&mut self, rng: &mut Rng) -> u64 {
        let next = &NEXT[usize::from(self.alive)];
        let trumps = SUITS[usize::from(self.trumps)];
        let mut hands = self.hands;
        let mut leader = usize::from(self.mover);
        let size = hands[leader].count_ones();
        let mut decisions = 0;
        for left in (1..=size).rev() {
            let mut best = draw_leading(hands[leader], left, rng);
            let mut winner = leader;
            let mut played = best;
            hands[leader] ^= best;
            let led = suit_around(best);
            let mut rival = led;
            let mut seat = usize::from(next[leader]);
            while seat != leader {
                let hand = hands[seat];
                let follows = hand & led;
                let lacks = follows == 0;
                let card = draw_playable(if lacks { hand } else { follows }, rng);
                hands[seat] ^= card;
                played |= card;
                self.lacks[seat] |= u8::from(lacks) << suit_of(led.trailing_zeros() as u8);
                let wins = if card & rival != 0 { card > best } else { card & trumps != 0 };
                rival = if wins { suit_around(card) } else { rival };
                best = if wins { card } else { best };
                winner = if wins { seat } else { winner };
                seat = usize::from(next[seat]);
                decisions += 1;
            }
            self.seen |= played;
            self.tricks[winner] += 1;
            leader = winner;
        }
        self.hands = hands;
        self.mover = leader as u8;
        self.best = leader as u8;
        self.end_deal();
        decisions + u64::from(size)
    }
}
