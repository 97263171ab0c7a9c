//! A game of chess so far: the position, and what can still be repeated.

use std::mem::offset_of;

use super::fen::Fen;
use super::position::Position;

/// Positions that can be repeated: after a hundred half moves without a pawn
/// move or capture the game is drawn anyway.
const REMEMBERED: usize = 100;

/// A position with what it takes to know those before it that can still be
/// repeated.
///
/// States are copied at every move that is tried. Aligned like the lines of the
/// cache, six of them move as a whole; elsewhere every line would be touched twice.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct State {
    pub(super) position: Position,
    /// The sum of the scrambled keys since the last pawn move or capture, without
    /// the present one, to hash the history.
    sum: u64,
    /// One bit for each of those keys, which some share: mostly it shows at a glance
    /// that the present position is new. The moves tell for certain.
    seen: u64,
    /// The moves since, from and to: one for each half move that the clock shows,
    /// zeros for those before the game.
    moves: [[u8; 2]; REMEMBERED],
    /// What the clock showed in the first position that the present one may equal:
    /// rights that were lost and pawns that passed do not come back.
    first: u8,
}

// All that moves read besides the board and the rarer men is in first halves of lines:
// see `Position`. The other half of the third is the first of what is only written.
const _: () = assert!(size_of::<State>() == 6 * 64 && offset_of!(State, moves) == 2 * 64 + 32);

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        let known = self.known();
        self.position == other.position
            && (self.sum, self.seen, self.first) == (other.sum, other.seen, other.first)
            && self.moves[..known] == other.moves[..known]
    }
}

impl Eq for State {}

/// The bit of a key in `seen`.
#[inline]
fn bit_of(key: u64) -> u64 {
    1 << (key & 63)
}

impl State {
    /// The position, without what came before it.
    #[must_use]
    pub fn fen(&self) -> Fen {
        Fen(self.position)
    }

    pub(super) fn new(position: Position) -> Self {
        let moves = [[0; 2]; REMEMBERED];
        Self { position, sum: 0, seen: 0, moves, first: position.clock }
    }

    /// How many moves there are since the last that cannot be taken back.
    #[inline]
    fn known(&self) -> usize {
        self.position.clock.into()
    }

    /// How often the position was there before, as far as it counts: 0, 1 or 2.
    #[inline]
    pub(super) fn repetitions(&self) -> u8 {
        if self.seen & bit_of(self.position.key()) == 0 { 0 } else { self.count_repetitions() }
    }

    /// Takes the moves back one by one and looks where all men stand as they do now.
    fn count_repetitions(&self) -> u8 {
        let (known, first) = (self.known(), usize::from(self.first));
        let mut seen = 0;
        // The squares that are free in one position and taken in the other: where
        // there are none, it is worth looking who stands on them.
        let mut differing = 0u64;
        for at in (first..known).rev() {
            let [from, to] = self.moves[at];
            differing ^= 1 << from ^ 1 << to;
            let same_mover = (known - at).is_multiple_of(2);
            if differing == 0 && same_mover && self.equals(at) {
                seen += 1;
                if seen == 2 {
                    break;
                }
            }
        }
        seen
    }

    /// Whether all men stand as they did in a remembered position: takes the
    /// moves since then back.
    fn equals(&self, at: usize) -> bool {
        let moves = &self.moves[at..self.known()];
        self.position.stands_as_before(moves)
    }

    /// Passes the turn, and forgets what cannot come back after such a move.
    #[inline]
    pub(super) fn end_turn(&mut self, reversible: bool) {
        let position = &mut self.position;
        if reversible {
            position.clock = (position.clock + 1).min(REMEMBERED as u8);
        } else {
            position.clock = 0;
            (self.first, self.sum, self.seen) = (0, 0, 0);
        }
        position.pass_turn();
    }

    /// Remembers the position as it is before a move.
    #[inline]
    pub(super) fn remember(&mut self, from: u8, to: u8) {
        let key = self.position.key();
        let at = self.known();
        if at < REMEMBERED {
            self.seen |= bit_of(key);
            self.moves[at] = [from, to];
            self.sum = self.sum.wrapping_add(meeple_game::mix(key));
        }
    }

    /// Nothing from before the move that is being made can come back.
    #[inline]
    pub(super) fn forget(&mut self) {
        self.first = self.position.clock + 1;
    }

    /// A hash of all that matters: the position, the clock and what can be
    /// repeated.
    pub(super) fn key(&self) -> u64 {
        let rest = self.sum ^ u64::from(self.position.clock);
        self.position.key() ^ meeple_game::mix(rest)
    }
}
