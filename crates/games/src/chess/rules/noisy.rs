//! Captures and promotions to a queen, generated from bitboards for quiescence search.

use super::facts::ChessFacts;
use super::predicates::{constrained_pieces, piece_attacks, safe_targets};
use super::{LAST_RANKS, Move};
use crate::chess::attacks;
use crate::chess::position::{NO_SQUARE, PAWN, QUEEN, kind_of};
use crate::chess::state::State;

/// Visits the legal captures and the legal promotions to a queen.
pub(in crate::chess) fn noisy_moves(
    state: &State,
    facts: &ChessFacts,
    mut visit: impl FnMut(Move),
) {
    let position = &state.position;
    let constrained = constrained_pieces(state, facts);
    let pawns = position.kind(PAWN);
    let en_passant = match position.en_passant() {
        NO_SQUARE => 0,
        square => 1u64 << square,
    };
    let mut pieces = facts.own;
    while pieces != 0 {
        let from = pieces.trailing_zeros() as u8;
        pieces &= pieces - 1;
        let square = usize::from(from);
        let is_pawn = pawns >> from & 1 == 1;
        let mut targets = if is_pawn {
            let step = if facts.us == 0 { 1u64 << from << 8 } else { 1u64 << from >> 8 };
            attacks::pawn(facts.us, square) & (facts.enemy | en_passant)
                | step & !facts.occupied & LAST_RANKS
        } else {
            piece_attacks(kind_of(position.at(from)), square, facts.occupied) & facts.enemy
        };
        if targets == 0 {
            continue;
        }
        targets &= if constrained >> from & 1 == 1 {
            safe_targets(state, facts, from)
        } else {
            facts.evasions
        };
        while targets != 0 {
            let to = targets.trailing_zeros() as u8;
            targets &= targets - 1;
            let promotes = is_pawn && LAST_RANKS >> to & 1 == 1;
            visit(Move { from, to, promotion: if promotes { QUEEN } else { 0 } });
        }
    }
}
