//! Predicates of moves, each as a test of one move and as a set of targets.

use meeple_plan::{Predicate, Step, Targets};

use super::facts::ChessFacts;
use super::{ChessRules, LAST_RANKS, Move};
use crate::chess::attacks;
use crate::chess::position::{
    BISHOP, KING, KNIGHT, NO_SQUARE, PAWN, Position, QUEEN, ROOK, kind_of,
};
use crate::chess::state::State;

type P = Predicate<ChessRules>;
type T = Targets<ChessRules>;

#[inline]
fn has(set: u64, square: u8) -> bool {
    set >> square & 1 == 1
}

/// The attacks of a piece of this kind, other than a pawn.
#[inline]
pub(super) fn piece_attacks(kind: u8, from: usize, occupied: u64) -> u64 {
    match kind {
        KNIGHT => attacks::knight(from),
        BISHOP => attacks::bishop(from, occupied),
        ROOK => attacks::rook(from, occupied),
        QUEEN => attacks::queen(from, occupied),
        KING => attacks::king(from),
        _ => 0,
    }
}

pub(super) const REACHES: P = Predicate {
    name: "reaches",
    holds: |state, event| {
        let position = &state.position;
        let kind = kind_of(position.at(event.from));
        has(piece_attacks(kind, event.from.into(), position.occupied()), event.to)
    },
    targets: T::Reach,
};

pub(super) const TO_EMPTY: P = Predicate {
    name: "to-empty",
    holds: |state, event| !has(state.position.occupied(), event.to),
    targets: T::OfState(|_, facts| !facts.occupied),
};

pub(super) const TO_ENEMY: P = Predicate {
    name: "to-enemy",
    holds: |state, event| has(state.position.side(state.position.mover() ^ 1), event.to),
    targets: T::OfState(|_, facts| facts.enemy),
};

const NOT_A_FILE: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H_FILE: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Pawn pushes of each side.
static STEPS: [[Step; 2]; 2] =
    [[Step::new(8, u64::MAX), Step::NONE], [Step::new(-8, u64::MAX), Step::NONE]];
static CAPTURES: [[Step; 2]; 2] = [
    [Step::new(7, NOT_A_FILE), Step::new(9, NOT_H_FILE)],
    [Step::new(-9, NOT_A_FILE), Step::new(-7, NOT_H_FILE)],
];

pub(super) const DIAGONAL_STEP: P = Predicate {
    name: "diagonal-step",
    holds: |state, event| has(attacks::pawn(state.position.mover(), event.from.into()), event.to),
    targets: T::Steps(|_, facts| CAPTURES[facts.us]),
};

/// The single push of a pawn; pawns never stand on the last rank.
#[inline]
fn single_push(us: usize, from: u8) -> u64 {
    if us == 0 { 1u64.wrapping_shl(u32::from(from) + 8) } else { (1u64 << from) >> 8 }
}

pub(super) const STEP: P = Predicate {
    name: "step",
    holds: |state, event| has(single_push(state.position.mover(), event.from), event.to),
    targets: T::Steps(|_, facts| STEPS[facts.us]),
};

/// The double push of a pawn on its first rank, if the square between is empty.
#[inline]
fn double_push(us: usize, from: u8, occupied: u64) -> u64 {
    let first = single_push(us, from) & !occupied;
    match (us, from / 8) {
        (0, 1) => first << 8,
        (1, 6) => first >> 8,
        _ => 0,
    }
}

pub(super) const DOUBLE_STEP: P = Predicate {
    name: "double-step",
    holds: |state, event| {
        let position = &state.position;
        has(double_push(position.mover(), event.from, position.occupied()), event.to)
    },
    targets: T::Steps(|_, facts| {
        let free = !facts.occupied;
        let step = match facts.us {
            0 => Step::new(16, 0xff00 & free >> 8),
            _ => Step::new(-16, 0x00ff_0000_0000_0000 & free << 8),
        };
        [step, Step::NONE]
    }),
};

pub(super) const TO_EN_PASSANT: P = Predicate {
    name: "to-en-passant",
    holds: |state, event| event.to == state.position.en_passant(),
    targets: T::OfState(|state, _| match state.position.en_passant() {
        NO_SQUARE => 0,
        square => 1 << square,
    }),
};

/// The castling targets of the player to move, by rights and empty squares alone.
#[inline]
fn castling_targets(position: &Position, occupied: u64) -> u64 {
    let us = position.mover();
    let (rights, home) = (position.rights() >> (2 * us) & 3, 56 * us);
    let mut targets = 0;
    if rights & 1 != 0 && occupied >> (home + 5) & 0b11 == 0 {
        targets |= 1 << (home + 6);
    }
    if rights & 2 != 0 && occupied >> (home + 1) & 0b111 == 0 {
        targets |= 1 << (home + 2);
    }
    targets
}

pub(super) const CASTLES: P = Predicate {
    name: "castles",
    holds: |state, event| {
        let position = &state.position;
        usize::from(event.from) == position.king_square(position.mover())
            && has(castling_targets(position, position.occupied()), event.to)
    },
    targets: T::OfState(|state, facts| castling_targets(&state.position, facts.occupied)),
};

/// Whether no square of the king's path to a castling target is attacked.
#[inline]
fn castles_safely(position: &Position, us: usize, occupied: u64, to: usize) -> bool {
    let home = 56 * us + 4;
    let (first, last) = (home.min(to), home.max(to));
    (first..=last).all(|square| position.attackers(square, us ^ 1, occupied) == 0)
}

pub(super) const CASTLES_SAFELY: P = Predicate {
    name: "castles-safely",
    holds: |state, event| {
        let position = &state.position;
        castles_safely(position, position.mover(), position.occupied(), event.to.into())
    },
    targets: T::OfState(|state, facts| {
        // The king's path for each target, including its own square.
        let home = 56 * facts.us;
        let (short, long) = (0b111_0000u64 << home, 0b1_1100u64 << home);
        let safe = |path: u64, to: usize| u64::from(facts.danger & path == 0) << (home + to);
        if state.position.rights() == 0 { 0 } else { safe(short, 6) | safe(long, 2) }
    }),
};

pub(super) const VALID_PROMOTION: P = Predicate {
    name: "valid-promotion",
    holds: |_, event| match event.promotion {
        0 => !has(LAST_RANKS, event.to),
        kind => has(LAST_RANKS, event.to) && (KNIGHT..=QUEEN).contains(&kind),
    },
    targets: T::All,
};

pub(super) const WITHOUT_PROMOTION: P =
    Predicate { name: "no-promotion", holds: |_, event| event.promotion == 0, targets: T::All };

/// Whether the mover's king is not in check after the move, from the attackers of its
/// square under the new occupancy.
fn king_is_safe_after(state: &State, event: &Move) -> bool {
    let position = &state.position;
    let us = position.mover();
    let (from, to) = (1u64 << event.from, 1u64 << event.to);
    let mut taken = to;
    if event.to == position.en_passant() && has(position.kind(PAWN), event.from) {
        taken |= 1 << (event.to ^ 8);
    }
    let occupied = (position.occupied() & !from & !taken) | to;
    let king = position.king_square(us);
    let king = if usize::from(event.from) == king { usize::from(event.to) } else { king };
    position.attackers(king, us ^ 1, occupied) & !taken == 0
}

/// The safe targets of a constrained piece: unattacked squares for the king; squares along
/// the pin that evade a check for others.
pub(super) fn safe_targets(state: &State, facts: &ChessFacts, from: u8) -> u64 {
    let position = &state.position;
    let square = usize::from(from);
    if square == facts.king {
        return !facts.danger;
    }
    let mut safe = facts.evasions;
    if has(facts.pinned, from) {
        safe &= attacks::line(facts.king, square);
    }
    let target = position.en_passant();
    if target != NO_SQUARE
        && has(position.kind(PAWN), from)
        && has(attacks::pawn(facts.us, square), target)
    {
        // En passant removes two pawns at once, which pins and evasions do not cover:
        // test the move itself.
        let is_safe = king_is_safe_after(state, &Move { from, to: target, promotion: 0 });
        safe = safe & !(1 << target) | u64::from(is_safe) << target;
    }
    safe
}

/// The pieces whose targets king safety constrains individually: the king, pinned pieces,
/// and pawns that may capture en passant.
#[inline]
pub(super) fn constrained_pieces(state: &State, facts: &ChessFacts) -> u64 {
    let capturers = match state.position.en_passant() {
        NO_SQUARE => 0,
        // Pieces of other kinds on these squares are included; that costs time, no moves.
        square => attacks::pawn(facts.us ^ 1, square.into()),
    };
    1 << facts.king | facts.pinned | capturers
}

pub(super) const KING_SAFE: P = Predicate {
    name: "king-safe",
    holds: king_is_safe_after,
    targets: T::Mostly {
        usual: |_, facts| facts.evasions,
        except: constrained_pieces,
        of_source: safe_targets,
    },
};
