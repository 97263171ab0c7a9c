//! The seven rules of chess, composed of predicates and mutators.

use std::sync::LazyLock;

use meeple_plan::{Artifact, EventKind, Plan, Rules, SeenBy, Subjects, Values, changes};

use super::changes::*;
use super::facts::ChessFacts;
use super::predicates::*;
use super::{ChessRules, LAST_RANKS};
use crate::chess::position::{EMPTY, KING, KNIGHT, NO_SQUARE, PAWN, QUEEN, kind_of, side_of};
use crate::chess::state::State;

const PAWNS: Subjects = Subjects::one(PAWN);
const KINGS: Subjects = Subjects::one(KING);
const PIECES: Subjects = Subjects(0b11_1110);
const CHECKED: &str = "it would leave the king in check";
const WRONG_PROMOTION: &str = "a pawn must promote on the last rank, and only there";
const NO_PROMOTION: &str = "only a pawn can promote";

const BOARD: Artifact<ChessRules> = Artifact {
    name: "board",
    cells: 64,
    // Seen from each player's side: their own pieces and first rank come first.
    read: |state, seat, square| match state.position.at(relative_square(seat, square as u8)) {
        EMPTY => 0,
        piece => 1 + i32::from(kind_of(piece)) + 6 * i32::from(side_of(piece) != seat),
    },
    values: Values::OneOf(13),
    seen_by: SeenBy::All,
};

/// A square numbered from the first rank of `side`. The function is its own inverse.
#[inline]
pub(in crate::chess) fn relative_square(side: usize, square: u8) -> u8 {
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

/// The castling rights relative to a side: its own two, then the opponent's.
fn relative_rights(state: &State, seat: usize, right: usize) -> i32 {
    let right = (right + 2 * seat) % 4;
    i32::from(state.position.rights() >> right & 1)
}

static PLAN: LazyLock<Plan<ChessRules>> = LazyLock::new(|| {
    describe().compile().expect("the rules of chess do not contradict themselves")
});

/// Returns the compiled rules of chess.
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
            read: relative_rights,
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
        .ensure(WITHOUT_PROMOTION, NO_PROMOTION)
        .then_all(changes![
            PUSH_HISTORY,
            MOVE_PIECE,
            MOVE_ROOK,
            LOSE_RIGHTS,
            CLEAR_EN_PASSANT,
            TICK_CLOCK
        ])
        .on(EventKind::Move, "capture")
        .from(PIECES)
        .require(REACHES)
        .require(TO_ENEMY)
        .ensure(KING_SAFE, CHECKED)
        .ensure(WITHOUT_PROMOTION, NO_PROMOTION)
        .then_all(changes![CAPTURE, MOVE_PIECE, LOSE_RIGHTS, CLEAR_EN_PASSANT, RESET_CLOCK])
        .on(EventKind::Move, "move")
        .from(PIECES)
        .require(REACHES)
        .require(TO_EMPTY)
        .ensure(KING_SAFE, CHECKED)
        .ensure(WITHOUT_PROMOTION, NO_PROMOTION)
        .then_all(changes![PUSH_HISTORY, MOVE_PIECE, LOSE_RIGHTS, CLEAR_EN_PASSANT, TICK_CLOCK])
        .on(EventKind::Move, "pawn capture")
        .from(PAWNS)
        .require(DIAGONAL_STEP)
        .require(TO_ENEMY)
        .ensure(KING_SAFE, CHECKED)
        .ensure(VALID_PROMOTION, WRONG_PROMOTION)
        .variants(LAST_RANKS, KNIGHT, QUEEN)
        .then_all(changes![CAPTURE, MOVE_PAWN, PROMOTE, LOSE_RIGHTS, CLEAR_EN_PASSANT, RESET_CLOCK])
        .on(EventKind::Move, "en passant")
        .from(PAWNS)
        .require(DIAGONAL_STEP)
        .require(TO_EN_PASSANT)
        .ensure(KING_SAFE, CHECKED)
        .ensure(WITHOUT_PROMOTION, NO_PROMOTION)
        .then_all(changes![MOVE_PAWN, CAPTURE_EN_PASSANT, CLEAR_EN_PASSANT, RESET_CLOCK])
        .on(EventKind::Move, "pawn double step")
        .from(PAWNS)
        .require(DOUBLE_STEP)
        .require(TO_EMPTY)
        .ensure(KING_SAFE, CHECKED)
        .ensure(WITHOUT_PROMOTION, NO_PROMOTION)
        .then_all(changes![MOVE_PAWN, SET_EN_PASSANT, RESET_CLOCK])
        .on(EventKind::Move, "pawn step")
        .from(PAWNS)
        .require(STEP)
        .require(TO_EMPTY)
        .ensure(KING_SAFE, CHECKED)
        .ensure(VALID_PROMOTION, WRONG_PROMOTION)
        .variants(LAST_RANKS, KNIGHT, QUEEN)
        .then_all(changes![MOVE_PAWN, PROMOTE, CLEAR_EN_PASSANT, RESET_CLOCK])
        .end(
            "fifty moves",
            |state, facts| state.position.clock >= 100 && !is_mate(state, facts),
            draw,
        )
        .end("threefold repetition", |state, _| state.repetitions() >= 2, draw)
        .end("insufficient material", |state, _| state.position.has_insufficient_material(), draw)
        .end_without_events("checkmate", |_, facts| facts.checkers != 0, mover_loses)
        .end_without_events("stalemate", |_, facts| facts.checkers == 0, draw)
}

/// Whether the player to move is checkmated.
pub(in crate::chess) fn is_mate(state: &State, facts: &ChessFacts) -> bool {
    facts.checkers != 0 && !plan().has_legal(state, facts)
}
