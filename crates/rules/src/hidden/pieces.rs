//! Guesses where the pieces are that a player does not see.
//!
//! Hidden pieces are chosen, not dealt, so there are no odds without knowing how others play: every
//! arrangement that the player cannot rule out is equally likely. It has as many pieces of each kind,
//! agrees with what the player has been shown, and has not ended the game.

use meeple_game::{Player, Rng};

use crate::lower::Piece;
use crate::set::{Bits, MAX_SITES, Set};
use crate::state::FileGame;

/// The arrangements that are tried before the last one is taken as it is.
const MAX_TRIES: usize = 100;

impl<const WORDS: usize> FileGame<WORDS> {
    /// Arranges the pieces that a player does not see anew in `other`.
    pub(super) fn guess_pieces(&self, other: &mut Self, player: Player, rng: &mut Rng) {
        let rules = &self.program.rules;
        let Some(shown) = rules.shown else { return };
        let seen = self.set(shown + player.0);
        for _ in 0..MAX_TRIES {
            let is_whole = self.arrange(other, player, seen, rng);
            if is_whole && !self.program.is_over_somewhere(other.words()) {
                break;
            }
        }
        if !rules.is_shown_secretly {
            return;
        }
        // What others have found out is as unknown as their pieces.
        let own = self.pieces_of(player);
        for seat in (0..rules.players as u8).filter(|&seat| seat != player.0) {
            let found = Set::of(own.sites().filter(|_| rng.below(2) == 1));
            other.put_set(shown + seat, found);
        }
    }

    fn pieces_of(&self, player: Player) -> Bits {
        let owned = self.program.rules.pieces.iter().filter(|piece| !piece.shared);
        owned.fold(Bits::NONE, |all, piece| all.or(self.set(piece.register + player.0)))
    }

    /// Puts the hidden pieces of others on random sites; returns whether all found a place.
    fn arrange(&self, other: &mut Self, player: Player, seen: Bits, rng: &mut Rng) -> bool {
        let rules = &self.program.rules;
        let board = rules.board.all;
        let open = rules.pieces.iter().filter(|piece| !piece.is_hidden);
        let seats = |piece: &Piece| if piece.shared { 1 } else { rules.players as u8 };
        let open = open.flat_map(|piece| piece.register..piece.register + seats(piece));
        let open = open.fold(Bits::NONE, |all, register| all.or(self.set(register)));
        let taken = if rules.board_each { Bits::NONE } else { open.or(self.pieces_of(player)) };
        let mut free = board.minus(seen).minus(taken);
        for seat in (0..rules.players as u8).filter(|&seat| seat != player.0) {
            if rules.board_each {
                free = board.minus(seen);
            }
            for piece in rules.pieces.iter().filter(|piece| piece.is_hidden) {
                let register = piece.register + seat;
                let known = self.set(register).and(seen);
                let count = self.set(register).minus(seen).count();
                let guess = match piece.long {
                    1 => draw(free, count, rng).map(|sites| sites.or(known)),
                    _ if count == 0 => Some(known),
                    long => self.lay(long, known, seen, free, rng),
                };
                let Some(guess) = guess else { return false };
                other.put_set(register, guess);
                free = free.minus(guess);
            }
        }
        true
    }

    /// Returns a random row of sites that has all known ones, and free ones else.
    fn lay(&self, long: usize, known: Bits, seen: Bits, free: Bits, rng: &mut Rng) -> Option<Bits> {
        let board = &self.program.rules.board;
        let (mut rows, mut chosen) = (0, None);
        for way in 0..board.neighbours {
            if !matches!(board.directions[way], (1, 0) | (0, 1)) {
                continue;
            }
            for from in board.all.sites() {
                let mut row = Bits::NONE;
                let mut at = from as u16;
                for _ in 0..long {
                    if usize::from(at) >= board.positions {
                        break;
                    }
                    row = row.or(Set::one(at.into()));
                    at = board.next[way][usize::from(at)];
                }
                let is_whole = row.count() as usize == long;
                let agrees = row.and(seen) == known && !row.minus(seen).minus(free).any();
                if is_whole && agrees {
                    rows += 1;
                    // Each row is chosen with the probability of all.
                    if rng.below(rows) == 0 {
                        chosen = Some(row);
                    }
                }
            }
        }
        chosen
    }
}

/// Draws `count` sites, each subset with equal probability.
fn draw(sites: Bits, count: u32, rng: &mut Rng) -> Option<Bits> {
    let mut all = [0u16; MAX_SITES];
    let mut size = 0;
    for site in sites.sites() {
        all[size] = site as u16;
        size += 1;
    }
    let count = count as usize;
    if size < count {
        return None;
    }
    for at in 0..count {
        all.swap(at, at + rng.below(size - at));
    }
    Some(Set::of(all[..count].iter().map(|&site| usize::from(site))))
}
