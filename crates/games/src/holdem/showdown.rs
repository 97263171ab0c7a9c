//! The end of a hand: who gets which chips.

use meeple_poker::{CardSet, rank};

use super::{Holdem, Phase, SEATS};

/// How good each seat's cards are; 0 for those that take no part.
pub(super) type Strengths = [u16; SEATS];

impl Holdem {
    /// The last one who has not folded takes all.
    #[inline]
    pub(super) fn give_up(&mut self) {
        self.stacks[self.live.trailing_zeros() as usize] += self.pot;
        self.close();
    }

    /// The best hands take the pots.
    #[inline]
    pub(super) fn show_down(&mut self) {
        let won = self.winnings(&self.strengths(self.board()));
        for (stack, won) in self.stacks.iter_mut().zip(won) {
            *stack += won;
        }
        self.close();
    }

    fn close(&mut self) {
        self.pot = 0;
        self.pending = 0;
        self.phase = Phase::Over;
    }

    /// How good the cards of those who have not folded are on a whole board.
    #[inline]
    pub(super) fn strengths(&self, board: CardSet) -> Strengths {
        let mut strengths = [0; SEATS];
        let mut seats = self.live;
        while seats != 0 {
            let seat = seats.trailing_zeros() as usize;
            strengths[seat] = rank(board | self.hands[seat]).number();
            seats &= seats - 1;
        }
        strengths
    }

    /// What each seat takes from the table if the hand ends with the chips as
    /// they lie.
    ///
    /// Chips are shared layer by layer: the lowest holds as much of everybody
    /// as the one with the fewest chips in it has paid, and each layer goes to
    /// the best of those who have paid all of it. So a bet that nobody called
    /// comes back. What cannot be shared goes to the first seat after the
    /// dealer.
    #[inline]
    pub(super) fn winnings(&self, strengths: &Strengths) -> [u32; SEATS] {
        let mut won = [0; SEATS];
        let players = usize::from(self.players).min(SEATS);
        let paid: [u32; SEATS] = std::array::from_fn(|seat| self.start[seat] - self.stacks[seat]);
        let mut seats = self.live;
        let mut below = 0;
        while seats != 0 {
            let (mut above, mut best) = (u32::MAX, 0);
            for seat in 0..players {
                if seats >> seat & 1 == 1 {
                    above = above.min(paid[seat]);
                    best = best.max(strengths[seat]);
                }
            }
            let (mut layer, mut winners, mut left) = (0, 0u8, 0u8);
            for seat in 0..players {
                layer += paid[seat].min(above) - paid[seat].min(below);
                let takes_part = seats >> seat & 1 == 1;
                winners |= u8::from(takes_part && strengths[seat] == best) << seat;
                left |= u8::from(takes_part && paid[seat] > above) << seat;
            }
            let share = layer / winners.count_ones();
            won[winners.trailing_zeros() as usize] += layer % winners.count_ones();
            for (seat, won) in won[..players].iter_mut().enumerate() {
                *won += if winners >> seat & 1 == 1 { share } else { 0 };
            }
            (below, seats) = (above, left);
        }
        won
    }
}
