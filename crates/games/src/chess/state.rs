//! The game state: a position and the history needed to detect repetitions.

use std::mem::offset_of;

use super::fen::Fen;
use super::position::Position;

/// The length of the history: after 100 plies without a pawn move or capture the
/// fifty-move rule ends the game.
const HISTORY: usize = 100;

/// A position with the reversible moves that led to it.
///
/// The history stores moves instead of keys, which makes a state less than half as large:
/// search copies it for every move it tries. The alignment makes a copy touch exactly six
/// cache lines; unaligned, it would touch each line twice.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct State {
    pub(super) position: Position,
    /// The sum of the mixed keys of the positions since the last irreversible move, without
    /// the current one: a hash of the history that does not depend on its order.
    sum: u64,
    /// A 64-bit filter with one bit per key of these positions. A clear bit proves that the
    /// current position is new; a set bit is confirmed by undoing the moves.
    seen: u64,
    /// The reversible moves (from, to), indexed by the half-move clock; zeros for those
    /// before the starting position.
    moves: [[u8; 2]; HISTORY],
    /// The half-move clock of the earliest position that can equal the current one: a lost
    /// castling right or en passant right never returns.
    first: u8,
}

// The fields that move generation reads, apart from the board and the rarer pieces, lie in
// first halves of cache lines (see `Position`); `moves`, which is mostly only written,
// starts in the second half of the third line.
const _: () = assert!(size_of::<State>() == 6 * 64 && offset_of!(State, moves) == 2 * 64 + 32);

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        let length = self.history_len();
        self.position == other.position
            && (self.sum, self.seen, self.first) == (other.sum, other.seen, other.first)
            && self.moves[..length] == other.moves[..length]
    }
}

impl Eq for State {}

/// The filter bit of a key in `seen`.
#[inline]
fn bit_of(key: u64) -> u64 {
    1 << (key & 63)
}

impl State {
    /// The position, without its history.
    #[must_use]
    pub fn fen(&self) -> Fen {
        Fen(self.position)
    }

    pub(super) fn new(position: Position) -> Self {
        let moves = [[0; 2]; HISTORY];
        Self { position, sum: 0, seen: 0, moves, first: position.clock }
    }

    /// The number of plies since the last irreversible move.
    #[inline]
    fn history_len(&self) -> usize {
        self.position.clock.into()
    }

    /// The number of earlier occurrences of the current position, at most 2.
    #[inline]
    pub(super) fn repetitions(&self) -> u8 {
        if self.seen & bit_of(self.position.key()) == 0 { 0 } else { self.count_repetitions() }
    }

    /// The number of plies since the last occurrence of the current position, if there is one.
    #[inline]
    pub(super) fn last_occurrence(&self) -> Option<u32> {
        let is_new = self.seen & bit_of(self.position.key()) == 0;
        if is_new { None } else { self.earlier_occurrences().next() }
    }

    /// Undoes the moves one by one and counts the positions equal to the current one.
    fn count_repetitions(&self) -> u8 {
        self.earlier_occurrences().take(2).count() as u8
    }

    /// The distances in plies to the earlier positions equal to the current one, nearest first.
    fn earlier_occurrences(&self) -> impl Iterator<Item = u32> + '_ {
        let (length, first) = (self.history_len(), usize::from(self.first));
        // The difference of the two occupancies. Only where it is empty are the boards
        // compared piece by piece.
        let mut differing = 0u64;
        (first..length).rev().filter_map(move |at| {
            let [from, to] = self.moves[at];
            differing ^= 1 << from ^ 1 << to;
            let same_mover = (length - at).is_multiple_of(2);
            (differing == 0 && same_mover && self.equals(at)).then(|| (length - at) as u32)
        })
    }

    /// Whether the position at index `at` of the history has the same pieces on the same
    /// squares.
    fn equals(&self, at: usize) -> bool {
        let moves = &self.moves[at..self.history_len()];
        self.position.same_board_before(moves)
    }

    /// Passes the turn without a move, which the rules do not know: a null move. No position
    /// before it can be repeated.
    pub(super) fn pass(&mut self) {
        self.position.set_en_passant(super::position::NO_SQUARE);
        self.end_turn(false);
    }

    /// Passes the turn and updates the half-move clock; an irreversible move clears the
    /// history.
    #[inline]
    pub(super) fn end_turn(&mut self, reversible: bool) {
        let position = &mut self.position;
        if reversible {
            position.clock = (position.clock + 1).min(HISTORY as u8);
        } else {
            position.clock = 0;
            (self.first, self.sum, self.seen) = (0, 0, 0);
        }
        position.pass_turn();
    }

    /// Adds the current position and the move about to be made to the history.
    #[inline]
    pub(super) fn push_history(&mut self, from: u8, to: u8) {
        let key = self.position.key();
        let at = self.history_len();
        if at < HISTORY {
            self.seen |= bit_of(key);
            self.moves[at] = [from, to];
            self.sum = self.sum.wrapping_add(meeple_game::mix(key));
        }
    }

    /// Excludes all earlier positions from repetition, after a change of rights.
    #[inline]
    pub(super) fn cut_history(&mut self) {
        self.first = self.position.clock + 1;
    }

    /// A hash of the position, the half-move clock and the history.
    pub(super) fn key(&self) -> u64 {
        let rest = self.sum ^ u64::from(self.position.clock);
        self.position.key() ^ meeple_game::mix(rest)
    }
}
