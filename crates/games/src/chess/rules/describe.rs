//! Chess as seven rules, from what they ask and what they do.

use std::sync::LazyLock;

use meeple_plan::{Artifact, EventKind, Plan, Rules, SeenBy, Subjects, Values, changes};

use super::changes::*;
use super::facts::Facts;
use super::predicates::*;
use super::{ChessRules, LAST_RANKS};
use crate::chess::position::{EMPTY, KING, KNIGHT, NO_SQUARE, PAWN, QUEEN, kind_of, side_of};
use crate::chess::state::State;

const PAWNS: Subjects = Subjects::one(PAWN);
const KINGS: Subjects = Subjects::one(KING);
const OTHERS: Subjects = Subjects(0b11_1110);
const CHECKED: &str = "it would leave the king in check";
const WRONG_PROMOTION: &str = "a pawn becomes a piece on the last rank, and only there";
const NO_PROMOTION: &str = "only a pawn can become something else";

const BOARD: Artifact<ChessRules> = Artifact {
    name: "board",
    cells: 64,
    // From each player's own side: their men first, their first rank first.
    read: |state, seat, square| match state.position.at(seen_from(seat, square as u8)) {
        EMPTY => 0,
        man => 1 + i32::from(kind_of(man)) + 6 * i32::from(side_of(man) != seat),
    },
    values: Values::OneOf(13),
    seen_by: SeenBy::All,
};

/// A square as a side sees it, counted from its own first rank; its own
/// inverse.
#[inline]
pub(in crate::chess) fn seen_from(side: usize, square: u8) -> u8 {
    if side == 0 { square } else { square ^ 56 }
}

/// An artifact of one cell.
const fn cell(
    name: &'static str,
    values: Values,
    read: fn(&State, usize, usize) -> i32,
) -> Artifact<ChessRules> {
    Artifact { name, cells: 1, read, values, seen_by: SeenBy::All }
}

/// The rights as a side sees them: its own two, then the other's.
fn rights_seen(state: &State, seat: usize, right: usize) -> i32 {
    let right = (right + 2 * seat) % 4;
    i32::from(state.position.rights() >> right & 1)
}

static PLAN: LazyLock<Plan<ChessRules>> = LazyLock::new(|| {
    describe().compile().expect("the rules of chess do not contradict themselves")
});

/// Chess, compiled once.
pub fn plan() -> &'static Plan<ChessRules> {
    &PLAN
}

fn describe() -> Rules<ChessRules> {
    let mover_loses = |state: &State, payoffs: &mut [f32]| {
        payoffs[state.position.mover()] = -1.0;
        payoffs[state.position.mover() ^ 1] = 1.0;
    };
    let draw = |_: &State, payoffs: &mut [f32]| payoffs.fill(0.0);
    Rules::new("chess")
        .artifact(BOARD)
        .artifact(cell("to_move", Values::Flag, |state, seat, _| {
            i32::from(state.position.mover() == seat)
        }))
        .artifact(Artifact {
            name: "castling",
            cells: 4,
            read: rights_seen,
            values: Values::Flag,
            seen_by: SeenBy::All,
        })
        .artifact(cell("en_passant_file", Values::OneOf(9), |state, _, _| {
            match state.position.en_passant() {
                NO_SQUARE => 0,
                square => 1 + i32::from(square % 8),
            }
        }))
        .artifact(cell("clock", Values::UpTo(100), |state, _, _| i32::from(state.position.clock)))
        .artifact(cell("repetitions", Values::UpTo(2), |state, _, _| {
            i32::from(state.repetitions())
        }))
        .expects(EventKind::Move)
        .phase("play")
        .on(EventKind::Move, "castle")
        .from(KINGS)
        .require(CASTLES)
        .ensure(CASTLES_SAFELY, "the king may not castle out of, through or into check")
        .ensure(PROMOTES_NOT, NO_PROMOTION)
        .then_all(changes![REMEMBER, MOVE_MAN, MOVE_ROOK, LOSE_RIGHTS, CLOSE_PASSING, QUIET])
        .on(EventKind::Move, "capture")
        .from(OTHERS)
        .require(REACHES)
        .require(TO_ENEMY)
        .ensure(KING_SAFE, CHECKED)
        .ensure(PROMOTES_NOT, NO_PROMOTION)
        .then_all(changes![TAKE, MOVE_MAN, LOSE_RIGHTS, CLOSE_PASSING, LOUD])
        .on(EventKind::Move, "move")
        .from(OTHERS)
        .require(REACHES)
        .require(TO_EMPTY)
        .ensure(KING_SAFE, CHECKED)
        .ensure(PROMOTES_NOT, NO_PROMOTION)
        .then_all(changes![REMEMBER, MOVE_MAN, LOSE_RIGHTS, CLOSE_PASSING, QUIET])
        .on(EventKind::Move, "pawn capture")
        .from(PAWNS)
        .require(DIAGONAL_STEP)
        .require(TO_ENEMY)
        .ensure(KING_SAFE, CHECKED)
        .ensure(PROMOTES_RIGHTLY, WRONG_PROMOTION)
        .variants(LAST_RANKS, KNIGHT, QUEEN)
        .then_all(changes![TAKE, MOVE_PAWN, PROMOTE, LOSE_RIGHTS, CLOSE_PASSING, LOUD])
        .on(EventKind::Move, "en passant")
        .from(PAWNS)
        .require(DIAGONAL_STEP)
        .require(TO_EN_PASSANT)
        .ensure(KING_SAFE, CHECKED)
        .ensure(PROMOTES_NOT, NO_PROMOTION)
        .then_all(changes![MOVE_PAWN, TAKE_PASSING, CLOSE_PASSING, LOUD])
        .on(EventKind::Move, "pawn double step")
        .from(PAWNS)
        .require(DOUBLE_STEP)
        .require(TO_EMPTY)
        .ensure(KING_SAFE, CHECKED)
        .ensure(PROMOTES_NOT, NO_PROMOTION)
        .then_all(changes![MOVE_PAWN, OPEN_PASSING, LOUD])
        .on(EventKind::Move, "pawn step")
        .from(PAWNS)
        .require(STEP)
        .require(TO_EMPTY)
        .ensure(KING_SAFE, CHECKED)
        .ensure(PROMOTES_RIGHTLY, WRONG_PROMOTION)
        .variants(LAST_RANKS, KNIGHT, QUEEN)
        .then_all(changes![MOVE_PAWN, PROMOTE, CLOSE_PASSING, LOUD])
        .end(
            "fifty moves",
            |state, facts| state.position.clock >= 100 && !is_mate(state, facts),
            draw,
        )
        .end("threefold repetition", |state, _| state.repetitions() >= 2, draw)
        .end("insufficient material", |state, _| state.position.is_dead(), draw)
        .end_without_events("checkmate", |_, facts| facts.checkers != 0, mover_loses)
        .end_without_events("stalemate", |_, facts| facts.checkers == 0, draw)
}

/// Whether the mover is in check and has no legal move.
pub(in crate::chess) fn is_mate(state: &State, facts: &Facts) -> bool {
    facts.checkers != 0 && !plan().has_legal(state, facts)
}
