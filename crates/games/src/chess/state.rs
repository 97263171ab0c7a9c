//! A game of chess so far: the position, and what can still be repeated.

use super::fen::Fen;
use super::position::Position;

/// Positions that can be repeated: after a hundred half moves without a pawn
/// move or capture the game is drawn anyway.
const REMEMBERED: usize = 100;

/// A position with what it takes to know those before it that can still be
/// repeated.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub(super) position: Position,
    /// The sum of the scrambled keys since the last pawn move or capture, without
    /// the present one, to hash the history.
    sum: u64,
    /// A few bits of each of those keys: a quick look for repetitions, which the
    /// moves confirm. Whole keys would make copies twice as slow.
    keys: [u8; REMEMBERED],
    /// The moves since, from and to.
    moves: [[u8; 2]; REMEMBERED],
    known: u8,
    /// The first position that the present one may equal: rights that were lost
    /// and pawns that passed do not come back.
    first: u8,
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        let known = usize::from(self.known);
        self.position == other.position
            && (self.sum, self.known, self.first) == (other.sum, other.known, other.first)
            && self.keys[..known] == other.keys[..known]
            && self.moves[..known] == other.moves[..known]
    }
}

impl Eq for State {}

impl State {
    /// The position, without what came before it.
    #[must_use]
    pub fn fen(&self) -> Fen {
        Fen(self.position)
    }

    pub(super) fn new(position: Position) -> Self {
        Self {
            position,
            sum: 0,
            keys: [0; REMEMBERED],
            moves: [[0; 2]; REMEMBERED],
            known: 0,
            first: 0,
        }
    }

    /// How often the position was there before, as far as it counts: 0, 1 or 2.
    #[inline]
    pub(super) fn repetitions(&self) -> u8 {
        let (known, first) = (usize::from(self.known), usize::from(self.first));
        let mut seen = 0;
        // Both sides take two moves at least to bring a position back.
        let Some(mut at) = known.checked_sub(4) else { return 0 };
        let key = self.position.key() as u8;
        while at >= first {
            if self.keys[at] == key && self.equals(at) {
                seen += 1;
                if seen == 2 {
                    break;
                }
            }
            let Some(before) = at.checked_sub(2) else { break };
            at = before;
        }
        seen
    }

    /// Whether all men stand as they did in a remembered position: takes the
    /// moves since then back.
    fn equals(&self, at: usize) -> bool {
        let moves = &self.moves[at..usize::from(self.known)];
        self.position.stands_as_before(moves)
    }

    /// Passes the turn, and remembers the position unless it cannot come back.
    #[inline]
    pub(super) fn end_turn(&mut self, reversible: bool) {
        let position = &mut self.position;
        if reversible {
            position.clock = position.clock.saturating_add(1).min(100);
        } else {
            position.clock = 0;
            (self.known, self.first, self.sum) = (0, 0, 0);
        }
        if position.mover() == 1 {
            position.number = position.number.saturating_add(1);
        }
        position.pass_turn();
    }

    /// Remembers the position as it is before a move.
    #[inline]
    pub(super) fn remember(&mut self, from: u8, to: u8) {
        let key = self.position.key();
        let at = usize::from(self.known);
        if at < REMEMBERED {
            self.keys[at] = key as u8;
            self.moves[at] = [from, to];
            self.known += 1;
            self.sum = self.sum.wrapping_add(meeple_game::mix(key));
        }
    }

    /// Nothing that is remembered so far can come back.
    #[inline]
    pub(super) fn forget(&mut self) {
        self.first = self.known;
    }

    /// A hash of all that matters: the position, the clock and what can be
    /// repeated.
    pub(super) fn key(&self) -> u64 {
        let rest = self.sum ^ u64::from(self.position.clock);
        self.position.key() ^ meeple_game::mix(rest)
    }
}
