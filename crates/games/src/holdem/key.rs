//! Hashes: of all that matters from here on, and of what a player knows.

use meeple_game::{Game, Player};

use super::{Holdem, SEATS};

/// Multiplies two words into one; cheaper than scrambling each.
#[inline(always)]
fn fold(one: u64, other: u64) -> u64 {
    let product =
        u128::from(one ^ 0x9e37_79b9_7f4a_7c15) * u128::from(other ^ 0xd1b5_4a32_d192_ed03);
    (product >> 64) as u64 ^ product as u64
}

/// Two small numbers in one word.
#[inline(always)]
fn pair(one: u32, other: u32) -> u64 {
    u64::from(one) << 32 | u64::from(other)
}

impl Holdem {
    /// The cards on the table in their order, and how many are dealt.
    #[inline]
    fn dealt_word(&self) -> u64 {
        let [a, b, c, d, e] = self.board;
        u64::from_le_bytes([a, b, c, d, e, self.laid, self.dealt, self.phase as u8])
    }

    /// A hash of all but how it came to be.
    #[inline]
    pub(super) fn whole_key(&self) -> u64 {
        let mut hash = 0;
        for seat in 0..usize::from(self.players).min(SEATS) {
            let chips = pair(self.stacks[seat], self.bets[seat]);
            hash = fold(hash ^ self.hands[seat].bits(), chips);
        }
        let raises = self.raises[usize::from(self.street & 3)];
        let seats = u64::from_le_bytes([
            self.mover,
            self.live,
            self.able,
            self.pending,
            self.acted,
            raises,
            self.street,
            self.players,
        ]);
        fold(fold(hash, seats), fold(self.dealt_word(), pair(self.high, self.step)))
    }

    /// A hash of the cards and actions that `player` has seen, which tell all
    /// else.
    #[inline]
    pub(super) fn known_key(&self, player: Player) -> u64 {
        let mut hash = fold(self.history, self.dealt_word());
        for seat in 0..self.players() {
            if self.knows(player, seat) {
                hash = fold(hash ^ seat as u64, self.hands[seat].bits());
            }
        }
        hash
    }
}
