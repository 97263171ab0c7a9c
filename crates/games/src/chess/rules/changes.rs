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

pub(super) const MOVE_MAN: M = Mutator { name: "move", change: move_man };

/// Part of every rule: as a part of each, what stands on the target is foreseen by
/// the rule.
#[inline(always)]
fn move_man(state: &mut State, event: &Move) {
    state.position.lift(event.to);
    state.position.shift(event.from, event.to);
}

pub(super) const TAKE_PASSING: M = Mutator {
    name: "take the pawn that passed",
    change: |state, event| state.position.lift(event.to ^ 8),
};

pub(super) const MOVE_ROOK: M = Mutator {
    name: "move the rook",
    change: |state, event| {
        let position = &mut state.position;
        let (from, to) = if event.to % 8 == 6 {
            (event.to + 1, event.to - 1)
        } else {
            (event.to - 2, event.to + 1)
        };
        position.shift(from, to);
    },
};

pub(super) const PROMOTE: M = Mutator {
    name: "promote",
    change: |state, event| {
        if event.promotion != 0 {
            let position = &mut state.position;
            position.lift(event.to);
            position.put(event.to, man(event.promotion, position.mover()));
        }
    },
};

pub(super) const LOSE_RIGHTS: M = Mutator {
    name: "lose rights",
    change: |state, event| {
        let position = &mut state.position;
        let from = SURVIVING_RIGHTS[usize::from(event.from)];
        let to = SURVIVING_RIGHTS[usize::from(event.to)];
        let rights = position.rights() & from & to;
        if rights != position.rights() {
            position.set_rights(rights);
            state.forget();
        }
    },
};

pub(super) const CLOSE_PASSING: M = Mutator {
    name: "close en passant",
    change: |state, _| {
        if state.position.en_passant() != NO_SQUARE {
            state.position.set_en_passant(NO_SQUARE);
            state.forget();
        }
    },
};

pub(super) const OPEN_PASSING: M = Mutator {
    name: "open en passant",
    change: |state, event| {
        let passed = event.from.midpoint(event.to);
        let takes = state.position.can_take_passing(passed);
        state.position.set_en_passant(if takes { passed } else { NO_SQUARE });
    },
};

pub(super) const REMEMBER: M =
    Mutator { name: "remember", change: |state, event| state.remember(event.from, event.to) };

pub(super) const QUIET: M = Mutator { name: "count on", change: |state, _| state.end_turn(true) };
pub(super) const LOUD: M = Mutator { name: "count anew", change: |state, _| state.end_turn(false) };

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
