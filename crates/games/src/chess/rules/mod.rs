//! The rule set of chess for the rule engine: moves, pieces and derived facts.

mod changes;
mod describe;
mod facts;
mod noisy;
mod predicates;

use std::ops::ControlFlow;

use meeple_plan::{EventKind, RuleSet, visit_each};

use super::attacks;
use super::position::{BISHOP, EMPTY, KNIGHT, PAWN, QUEEN, ROOK, kind_of, side_of};
use super::state::State;
pub use describe::plan;
pub(super) use describe::{is_mate, relative_square};
pub(super) use facts::ChessFacts;
pub(super) use noisy::noisy_moves;

/// The rule set of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChessRules;

/// A move: from-square, to-square and promotion kind (0 for none).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) promotion: u8,
}

const LAST_RANKS: u64 = 0xff00_0000_0000_00ff;

impl RuleSet for ChessRules {
    type State = State;
    type Event = Move;
    type Facts = ChessFacts;

    #[inline]
    fn facts(state: &State) -> ChessFacts {
        ChessFacts::of(&state.position)
    }

    #[inline]
    fn kind(_: &Move) -> EventKind {
        EventKind::Move
    }

    #[inline]
    fn subject(state: &State, event: &Move) -> Option<u8> {
        let piece = state.position.at(event.from);
        (piece != EMPTY && side_of(piece) == state.position.mover()).then(|| kind_of(piece))
    }

    #[inline]
    fn sources(state: &State, facts: &ChessFacts, subject: u8) -> u64 {
        state.position.kind(subject) & facts.own
    }

    #[inline(always)]
    fn visit_reached(
        _: &State,
        facts: &ChessFacts,
        kind: u8,
        sources: u64,
        visit: impl FnMut(u8, u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let occupied = facts.occupied;
        match kind {
            KNIGHT => visit_each(sources, |from| attacks::knight(from.into()), visit),
            BISHOP => visit_each(sources, |from| attacks::bishop(from.into(), occupied), visit),
            ROOK => visit_each(sources, |from| attacks::rook(from.into(), occupied), visit),
            QUEEN => visit_each(sources, |from| attacks::queen(from.into(), occupied), visit),
            _ => visit_each(sources, |from| attacks::king(from.into()), visit),
        }
    }

    /// A cheap sufficient test for a legal move: a king move, or out of check a move of an
    /// unpinned pawn or knight.
    #[inline]
    fn surely_has_event(state: &State, facts: &ChessFacts) -> bool {
        if facts.king_targets() != 0 {
            return true;
        }
        if facts.checkers != 0 {
            return false;
        }
        let free = facts.own & !facts.pinned;
        let pawns = state.position.kind(PAWN) & free;
        let steps = if facts.us == 0 { pawns << 8 } else { pawns >> 8 };
        let knights = state.position.kind(KNIGHT) & free;
        steps & !facts.occupied != 0
            || knights != 0 && attacks::knight(knights.trailing_zeros() as usize) & !facts.own != 0
    }

    #[inline]
    fn event(_: EventKind, source: u8, target: u8, variant: u8) -> Move {
        Move { from: source, to: target, promotion: variant }
    }
}
