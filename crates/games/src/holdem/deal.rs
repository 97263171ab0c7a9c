//! Dealing cards, and determinization of hidden cards.

use meeple_game::{Game, Player, Rng};
use meeple_poker::{Card, CardSet};

use super::{Holdem, Phase};

/// Draws one of `cards` uniformly.
#[inline(always)]
pub(super) fn draw(cards: CardSet, rng: &mut Rng) -> Card {
    // Rejection sampling: six bits name a card, which may not be in the set. The first
    // hit of four candidates is selected without a branch, since branches on random
    // bits are mispredicted.
    let set = cards.bits();
    loop {
        let bits = rng.bits();
        let mut drawn = 64;
        for number in (0..4).rev() {
            let place = (bits >> (6 * number) & 63) as usize;
            drawn = if set >> place & 1 == 1 { place } else { drawn };
        }
        if drawn < 64 {
            return Card::from_index(4 * (drawn & 15) + drawn / 16);
        }
    }
}

/// Draws `count` of `cards`, each subset with equal probability.
#[inline]
pub(super) fn draw_set(cards: CardSet, count: usize, rng: &mut Rng) -> CardSet {
    let mut left = cards;
    for _ in 0..count {
        left = left - CardSet::of(draw(left, rng));
    }
    cards - left
}

impl Holdem {
    /// Deals a card to the next seat or to the board.
    #[inline]
    pub(super) fn deal(&mut self, card: Card) {
        self.deck = self.deck - CardSet::of(card);
        if self.phase == Phase::Hole {
            self.hands[usize::from(self.dealt / 2)].insert(card);
            self.dealt += 1;
            if self.dealt == 2 * self.players {
                self.start_street();
            }
        } else {
            self.deal_to_board(card.index() as u8);
        }
    }

    #[inline]
    fn deal_to_board(&mut self, card: u8) {
        let mut at = usize::from(self.board_len);
        if at < 3 {
            while at > 0 && self.board[at - 1] > card {
                self.board[at] = self.board[at - 1];
                at -= 1;
            }
        }
        self.board[at] = card;
        self.board_len += 1;
        if self.board_len >= 3 {
            self.street = self.board_len - 2;
            self.start_street();
        }
    }

    /// A determinization: redeals the cards hidden from `player` uniformly.
    #[inline]
    pub(super) fn redeal_hidden(&self, player: Player, rng: &mut Rng) -> Self {
        let mut other = *self;
        let hidden = |seat: &usize| !self.knows(player, *seat);
        let mut left = self.deck;
        for seat in (0..self.players()).filter(hidden) {
            left |= self.hands[seat];
        }
        for seat in (0..self.players()).filter(hidden) {
            let hand = draw_set(left, self.hands[seat].len(), rng);
            other.hands[seat] = hand;
            left = left - hand;
        }
        other.deck = left;
        other
    }
}
