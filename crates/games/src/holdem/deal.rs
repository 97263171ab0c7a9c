//! Cards: dealt one by one, and what a player has not seen dealt anew.

use meeple_game::{Game, Player, Rng};
use meeple_poker::{Card, CardSet};

use super::{Holdem, Phase};

/// Draws one of `cards`, each as likely.
#[inline(always)]
pub(super) fn draw(cards: CardSet, rng: &mut Rng) -> Card {
    // Six bits name a card, or one that is not there. Of four tries the first
    // that hits is taken without a jump, for jumps that depend on luck are
    // what a processor guesses worst.
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

/// Draws `count` of `cards`, every set as likely.
#[inline]
pub(super) fn draw_set(cards: CardSet, count: usize, rng: &mut Rng) -> CardSet {
    let mut left = cards;
    for _ in 0..count {
        left = left - CardSet::of(draw(left, rng));
    }
    cards - left
}

impl Holdem {
    /// Gives the card to the seat or the table that is next.
    #[inline]
    pub(super) fn deal(&mut self, card: Card) {
        self.deck = self.deck - CardSet::of(card);
        if self.phase == Phase::Hole {
            self.hands[usize::from(self.dealt / 2)].insert(card);
            self.dealt += 1;
            if self.dealt == 2 * self.players {
                self.open_street();
            }
        } else {
            self.lay(card.index() as u8);
        }
    }

    #[inline]
    fn lay(&mut self, card: u8) {
        let mut at = usize::from(self.laid);
        if at < 3 {
            while at > 0 && self.board[at - 1] > card {
                self.board[at] = self.board[at - 1];
                at -= 1;
            }
        }
        self.board[at] = card;
        self.laid += 1;
        if self.laid >= 3 {
            self.street = self.laid - 2;
            self.open_street();
        }
    }

    /// The same table with the cards that `player` has not seen dealt anew,
    /// every deal as likely.
    #[inline]
    pub(super) fn dealt_anew(&self, player: Player, rng: &mut Rng) -> Self {
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
