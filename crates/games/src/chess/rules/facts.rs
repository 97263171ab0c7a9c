//! Derived facts shared by the set-wise predicates: checkers, pins and attacked squares.

use crate::chess::attacks;
use crate::chess::position::{BISHOP, KNIGHT, PAWN, Position, QUEEN, ROOK};

/// Occupancy, checkers, pins and attacked squares, computed once per position.
#[derive(Clone, Copy, Debug)]
pub struct ChessFacts {
    pub(super) us: usize,
    pub(super) occupied: u64,
    pub(super) own: u64,
    pub(super) enemy: u64,
    pub(super) king: usize,
    pub(super) checkers: u64,
    /// The check evasion mask: where a piece other than the king must move; all squares
    /// without a check, none in double check.
    pub(super) evasions: u64,
    pub(super) pinned: u64,
    /// The squares the opponent attacks with our king removed: a king cannot hide from a
    /// slider by stepping back along its line. All squares if the king has no square to go to,
    /// which then cannot castle either.
    pub(super) danger: u64,
}

impl ChessFacts {
    #[inline]
    pub(super) fn of(position: &Position) -> Self {
        let us = position.mover();
        let (own, enemy) = (position.side(us), position.side(us ^ 1));
        let occupied = own | enemy;
        let king = position.king_square(us);
        let orthogonal = (position.kind(ROOK) | position.kind(QUEEN)) & enemy;
        let diagonal = (position.kind(BISHOP) | position.kind(QUEEN)) & enemy;
        let mut checkers = enemy
            & (attacks::knight(king) & position.kind(KNIGHT)
                | attacks::pawn(us, king) & position.kind(PAWN));
        let mut pinned = 0;
        // Enemy sliders aligned with the king: no piece between is a check, one is a pin.
        let mut snipers =
            attacks::orthogonals(king) & orthogonal | attacks::diagonals(king) & diagonal;
        while snipers != 0 {
            let sniper = snipers.trailing_zeros() as usize;
            snipers &= snipers - 1;
            let blockers = attacks::between(king, sniper) & occupied;
            if blockers == 0 {
                checkers |= 1 << sniper;
            } else if blockers & (blockers - 1) == 0 {
                pinned |= blockers & own;
            }
        }
        let evasions = match checkers {
            0 => u64::MAX,
            _ if checkers & (checkers - 1) != 0 => 0,
            _ => checkers | attacks::between(king, checkers.trailing_zeros() as usize),
        };
        let danger = if attacks::king(king) & !own == 0 {
            u64::MAX
        } else {
            position.attacked_by(us ^ 1, occupied & !(1 << king))
        };
        Self { us, occupied, own, enemy, king, checkers, evasions, pinned, danger }
    }

    /// Whether the player to move is in check.
    #[inline]
    pub(in crate::chess) fn is_check(&self) -> bool {
        self.checkers != 0
    }

    /// The legal targets of the king, without castling.
    #[inline]
    pub(super) fn king_targets(&self) -> u64 {
        attacks::king(self.king) & !self.own & !self.danger
    }
}
