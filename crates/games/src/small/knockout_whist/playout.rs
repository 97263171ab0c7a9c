//! Random playouts a whole trick at a time: the same actions as step-by-step play, but
//! with the state of a trick in registers.

use meeple_game::{Rng, Steps};

use super::deal::draw_hand;
use super::{KnockoutWhist, NEXT, NONE, Phase, SUITS, suit_of};

/// The bit set of all cards in the suit of `card`, itself a single bit.
#[inline(always)]
fn suit_mask(card: u64) -> u64 {
    let below = if card < SUITS[1] & SUITS[1].wrapping_neg() { SUITS[0] } else { SUITS[1] };
    let above = if card < SUITS[3] & SUITS[3].wrapping_neg() { SUITS[2] } else { SUITS[3] };
    if card < SUITS[2] & SUITS[2].wrapping_neg() { below } else { above }
}

/// Draws one of at most `most` cards uniformly and returns it as a bit.
///
/// The loop runs a fixed number of times and discards surplus steps: cheaper than a loop
/// with a random, hence mispredicted, number of iterations.
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

/// Like [`draw_leading`], for sets that rarely have more than four cards: unrolls three
/// steps without branches and loops over the rest.
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
    /// Plays random actions to the end of the game.
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

    /// Plays the remaining tricks of a deal, from the start of a trick, and returns the
    /// number of cards played.
    #[inline(always)]
    fn play_deal(&mut self, rng: &mut Rng) -> u64 {
        let next = &NEXT[usize::from(self.active)];
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
            let led = suit_mask(best);
            // The suit of the winning card: only a higher card of it, or a trump, wins.
            let mut winning_suit = led;
            let mut seat = usize::from(next[leader]);
            while seat != leader {
                let hand = hands[seat];
                let follows = hand & led;
                let void = follows == 0;
                let card = draw_playable(if void { hand } else { follows }, rng);
                hands[seat] ^= card;
                played |= card;
                self.voids[seat] |= u8::from(void) << suit_of(led.trailing_zeros() as u8);
                let wins = if card & winning_suit != 0 { card > best } else { card & trumps != 0 };
                winning_suit = if wins { suit_mask(card) } else { winning_suit };
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
