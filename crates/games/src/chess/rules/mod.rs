//! The vocabulary of chess: moves, men, and what a glance at a position shows.

mod changes;
mod describe;
mod facts;
mod predicates;

use meeple_plan::{EventKind, RuleSet};

use super::attacks;
use super::position::{EMPTY, KNIGHT, PAWN, kind_of, side_of};
use super::state::State;
pub use describe::plan;
pub(super) use describe::{is_mate, seen_from};
use facts::Facts;

/// The vocabulary of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChessRules;

/// A move: from a square to a square, and what a pawn becomes (0 for nothing).
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
    type Facts = Facts;

    #[inline]
    fn facts(state: &State) -> Facts {
        Facts::of(&state.position)
    }

    #[inline]
    fn kind(_: &Move) -> EventKind {
        EventKind::Move
    }

    #[inline]
    fn subject(state: &State, event: &Move) -> Option<u8> {
        let man = state.position.at(event.from);
        (man != EMPTY && side_of(man) == state.position.mover()).then(|| kind_of(man))
    }

    #[inline]
    fn sources(state: &State, facts: &Facts, subject: u8) -> u64 {
        state.position.kind(subject) & facts.own
    }

    /// The king has a square to go to; or, out of check, a man that is not pinned
    /// moves as it likes: a pawn with a free square ahead, or a knight.
    #[inline]
    fn surely_has_event(state: &State, facts: &Facts) -> bool {
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
