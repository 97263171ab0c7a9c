//! Mutators: the state changes that moves consist of.

use meeple_plan::Mutator;

use super::{ChessRules, Move};
use crate::chess::attacks;
use crate::chess::position::{NO_SQUARE, PAWN, Position, piece};
use crate::chess::state::State;

type M = Mutator<ChessRules>;

/// The castling rights that remain after a move from or to each square.
const SURVIVING_RIGHTS: [u8; 64] = {
    let mut rights = [0b1111; 64];
    rights[0] = 0b1101;
    rights[4] = 0b1100;
    rights[7] = 0b1110;
    rights[56] = 0b0111;
    rights[60] = 0b0011;
    rights[63] = 0b1011;
    rights
};

// The mutators are small and shared by several rules. Inlined into each rule, the values that
// one writes stay in registers for the next.

pub(super) const CAPTURE: M = Mutator { name: "capture", change: capture };
pub(super) const MOVE_PIECE: M = Mutator { name: "move", change: move_piece };
pub(super) const MOVE_PAWN: M = Mutator { name: "move the pawn", change: move_pawn };
pub(super) const CAPTURE_EN_PASSANT: M =
    Mutator { name: "capture en passant", change: capture_en_passant };
pub(super) const MOVE_ROOK: M = Mutator { name: "move the rook", change: move_rook };
pub(super) const PROMOTE: M = Mutator { name: "promote", change: promote };
pub(super) const LOSE_RIGHTS: M = Mutator { name: "update castling rights", change: lose_rights };
pub(super) const CLEAR_EN_PASSANT: M =
    Mutator { name: "clear en passant", change: clear_en_passant };
pub(super) const SET_EN_PASSANT: M = Mutator { name: "set en passant", change: set_en_passant };
pub(super) const PUSH_HISTORY: M = Mutator { name: "push history", change: push_history };
pub(super) const TICK_CLOCK: M = Mutator { name: "tick clock", change: tick_clock };
pub(super) const RESET_CLOCK: M = Mutator { name: "reset clock", change: reset_clock };

#[inline(always)]
fn capture(state: &mut State, event: &Move) {
    state.position.remove(event.to);
}

/// Moves a piece; the target is empty, or its piece is already captured.
#[inline(always)]
fn move_piece(state: &mut State, event: &Move) {
    state.position.shift(event.from, event.to);
}

/// Moves a pawn without reading the kind from the board.
#[inline(always)]
fn move_pawn(state: &mut State, event: &Move) {
    let pawn = piece(PAWN, state.position.mover());
    state.position.shift_piece(pawn, event.from, event.to);
}

#[inline(always)]
fn capture_en_passant(state: &mut State, event: &Move) {
    state.position.remove(event.to ^ 8);
}

#[inline(always)]
fn move_rook(state: &mut State, event: &Move) {
    let (from, to) =
        if event.to % 8 == 6 { (event.to + 1, event.to - 1) } else { (event.to - 2, event.to + 1) };
    state.position.shift(from, to);
}

#[inline(always)]
fn promote(state: &mut State, event: &Move) {
    if event.promotion != 0 {
        let position = &mut state.position;
        position.remove(event.to);
        position.put(event.to, piece(event.promotion, position.mover()));
    }
}

#[inline(always)]
fn lose_rights(state: &mut State, event: &Move) {
    let position = &mut state.position;
    let from = SURVIVING_RIGHTS[usize::from(event.from)];
    let to = SURVIVING_RIGHTS[usize::from(event.to)];
    let rights = position.rights() & from & to;
    if rights != position.rights() {
        position.set_rights(rights);
        state.cut_history();
    }
}

#[inline(always)]
fn clear_en_passant(state: &mut State, _: &Move) {
    if state.position.en_passant() != NO_SQUARE {
        state.position.set_en_passant(NO_SQUARE);
        state.cut_history();
    }
}

#[inline(always)]
fn set_en_passant(state: &mut State, event: &Move) {
    let square = event.from.midpoint(event.to);
    let legal = state.position.can_capture_en_passant(square);
    state.position.set_en_passant(if legal { square } else { NO_SQUARE });
}

#[inline(always)]
fn push_history(state: &mut State, event: &Move) {
    state.push_history(event.from, event.to);
}

#[inline(always)]
fn tick_clock(state: &mut State, _: &Move) {
    state.end_turn(true);
}

#[inline(always)]
fn reset_clock(state: &mut State, _: &Move) {
    state.end_turn(false);
}

impl Position {
    /// Whether the side not to move has a legal en passant capture on `square`.
    pub(in crate::chess) fn can_capture_en_passant(&self, square: u8) -> bool {
        let them = self.mover() ^ 1;
        let mut capturers =
            attacks::pawn(self.mover(), square.into()) & self.kind(PAWN) & self.side(them);
        while capturers != 0 {
            let from = capturers.trailing_zeros() as u8;
            capturers &= capturers - 1;
            let mut after = *self;
            after.remove(from);
            after.remove(square ^ 8);
            after.put(square, piece(PAWN, them));
            if !after.is_check(them) {
                return true;
            }
        }
        false
    }
}
