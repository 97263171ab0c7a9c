//! Hashes of the state and of information states.

use meeple_game::{Game, Player};

use super::{Holdem, SEATS};

/// Hashes two words into one by a folded multiplication, cheaper than mixing each.
#[inline(always)]
fn folded_multiply(one: u64, other: u64) -> u64 {
    let product =
        u128::from(one ^ 0x9e37_79b9_7f4a_7c15) * u128::from(other ^ 0xd1b5_4a32_d192_ed03);
    (product >> 64) as u64 ^ product as u64
}

/// Packs two numbers into one word.
#[inline(always)]
fn pair(one: u32, other: u32) -> u64 {
    u64::from(one) << 32 | u64::from(other)
}

impl Holdem {
    /// The board cards in order, and the progress of the deal.
    #[inline]
    fn dealt_word(&self) -> u64 {
        let [a, b, c, d, e] = self.board;
        u64::from_le_bytes([a, b, c, d, e, self.board_len, self.dealt, self.phase as u8])
    }

    /// A hash of the state, without the history of actions.
    #[inline]
    pub(super) fn state_key(&self) -> u64 {
        let mut hash = 0;
        for seat in 0..usize::from(self.players).min(SEATS) {
            let chips = pair(self.stacks[seat], self.bets[seat]);
            hash = folded_multiply(hash ^ self.hands[seat].bits(), chips);
        }
        let raises = self.raises[usize::from(self.street & 3)];
        let seats = u64::from_le_bytes([
            self.mover,
            self.live,
            self.can_act,
            self.to_act,
            self.acted,
            raises,
            self.street,
            self.players,
        ]);
        folded_multiply(
            folded_multiply(hash, seats),
            folded_multiply(self.dealt_word(), pair(self.current_bet, self.min_raise)),
        )
    }

    /// A hash of the information state of `player`: the known cards and all actions.
    #[inline]
    pub(super) fn info_state_key(&self, player: Player) -> u64 {
        let mut hash = folded_multiply(self.history, self.dealt_word());
        for seat in 0..self.players() {
            if self.knows(player, seat) {
                hash = folded_multiply(hash ^ seat as u64, self.hands[seat].bits());
            }
        }
        hash
    }
}
