//! What the rules do: the changes that a move makes.

use meeple_plan::Mutator;

use super::{ChessRules, Move};
use crate::chess::attacks;
use crate::chess::position::{NO_SQUARE, PAWN, Position, man};
use crate::chess::state::State;

type M = Mutator<ChessRules>;

/// Rights that survive a move from or to a square.
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

// Each is a part of several rules, and small: as a part of each, what one has written
// need not be read back by the next.

pub(super) const TAKE: M = Mutator { name: "take", change: take };
pub(super) const MOVE_MAN: M = Mutator { name: "move", change: move_man };
pub(super) const MOVE_PAWN: M = Mutator { name: "move the pawn", change: move_pawn };
pub(super) const TAKE_PASSING: M =
    Mutator { name: "take the pawn that passed", change: take_passing };
pub(super) const MOVE_ROOK: M = Mutator { name: "move the rook", change: move_rook };
pub(super) const PROMOTE: M = Mutator { name: "promote", change: promote };
pub(super) const LOSE_RIGHTS: M = Mutator { name: "lose rights", change: lose_rights };
pub(super) const CLOSE_PASSING: M = Mutator { name: "close en passant", change: close_passing };
pub(super) const OPEN_PASSING: M = Mutator { name: "open en passant", change: open_passing };
pub(super) const REMEMBER: M = Mutator { name: "remember", change: remember };
pub(super) const QUIET: M = Mutator { name: "count on", change: count_on };
pub(super) const LOUD: M = Mutator { name: "count anew", change: count_anew };

#[inline(always)]
fn take(state: &mut State, event: &Move) {
    state.position.lift(event.to);
}

/// The target is empty, or what stood there has been taken.
#[inline(always)]
fn move_man(state: &mut State, event: &Move) {
    state.position.shift(event.from, event.to);
}

/// The same where the rule is about pawns alone, so that nobody has to look.
#[inline(always)]
fn move_pawn(state: &mut State, event: &Move) {
    let pawn = man(PAWN, state.position.mover());
    state.position.shift_man(pawn, event.from, event.to);
}

#[inline(always)]
fn take_passing(state: &mut State, event: &Move) {
    state.position.lift(event.to ^ 8);
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
        position.lift(event.to);
        position.put(event.to, man(event.promotion, position.mover()));
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
        state.forget();
    }
}

#[inline(always)]
fn close_passing(state: &mut State, _: &Move) {
    if state.position.en_passant() != NO_SQUARE {
        state.position.set_en_passant(NO_SQUARE);
        state.forget();
    }
}

#[inline(always)]
fn open_passing(state: &mut State, event: &Move) {
    let passed = event.from.midpoint(event.to);
    let takes = state.position.can_take_passing(passed);
    state.position.set_en_passant(if takes { passed } else { NO_SQUARE });
}

#[inline(always)]
fn remember(state: &mut State, event: &Move) {
    state.remember(event.from, event.to);
}

#[inline(always)]
fn count_on(state: &mut State, _: &Move) {
    state.end_turn(true);
}

#[inline(always)]
fn count_anew(state: &mut State, _: &Move) {
    state.end_turn(false);
}

impl Position {
    /// Whether a pawn of the side that does not move could take on the square
    /// that has just been passed over, without leaving its king in check.
    pub(in crate::chess) fn can_take_passing(&self, passed: u8) -> bool {
        let them = self.mover() ^ 1;
        let mut takers =
            attacks::pawn(self.mover(), passed.into()) & self.kind(PAWN) & self.side(them);
        while takers != 0 {
            let from = takers.trailing_zeros() as u8;
            takers &= takers - 1;
            let mut after = *self;
            after.lift(from);
            after.lift(passed ^ 8);
            after.put(passed, man(PAWN, them));
            if !after.is_check(them) {
                return true;
            }
        }
        false
    }
}
