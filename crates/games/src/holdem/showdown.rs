//! The end of a hand: awarding the pot and side pots.

use meeple_poker::{CardSet, rank};

use super::{Holdem, Phase, SEATS};

/// The hand rank of each seat; 0 for folded seats.
pub(super) type Strengths = [u16; SEATS];

impl Holdem {
    /// Awards the pot to the last live seat.
    #[inline]
    pub(super) fn win_uncontested(&mut self) {
        self.stacks[self.live.trailing_zeros() as usize] += self.pot;
        self.close();
    }

    /// Awards the pots to the best hands.
    #[inline]
    pub(super) fn showdown(&mut self) {
        let won = self.winnings(&self.strengths(self.board()));
        for (stack, won) in self.stacks.iter_mut().zip(won) {
            *stack += won;
        }
        self.close();
    }

    fn close(&mut self) {
        self.pot = 0;
        self.to_act = 0;
        self.phase = Phase::Over;
    }

    /// The hand ranks of the live seats on a complete board.
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

    /// The chips each seat wins at a showdown with the current pot.
    ///
    /// Side pots are layers of the contributions: a layer reaches up to the smallest
    /// contribution among the remaining seats and goes to the best hands of those who have
    /// paid all of it. So an uncalled bet is returned. Odd chips go to the first winner
    /// after the button.
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
                let eligible = seats >> seat & 1 == 1;
                winners |= u8::from(eligible && strengths[seat] == best) << seat;
                left |= u8::from(eligible && paid[seat] > above) << seat;
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
