//! What the set forms of the predicates share: checks, pins and danger.

use crate::chess::attacks;
use crate::chess::position::{BISHOP, KNIGHT, PAWN, Position, QUEEN, ROOK};

/// The sides' squares, checks, pins and danger, worked out once for a position.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    pub(super) us: usize,
    pub(super) occupied: u64,
    pub(super) own: u64,
    pub(super) enemy: u64,
    pub(super) king: usize,
    pub(super) checkers: u64,
    /// Where a man other than the king must go while there is a check.
    pub(super) answers: u64,
    pub(super) pinned: u64,
    /// What the other side attacks, were our king not in the way.
    pub(super) danger: u64,
}

impl Facts {
    #[inline]
    pub(super) fn of(position: &Position) -> Self {
        let us = position.mover();
        let (own, enemy) = (position.side(us), position.side(us ^ 1));
        let occupied = own | enemy;
        let king = position.king_square(us);
        let straight = (position.kind(ROOK) | position.kind(QUEEN)) & enemy;
        let diagonal = (position.kind(BISHOP) | position.kind(QUEEN)) & enemy;
        let mut checkers = enemy
            & (attacks::knight(king) & position.kind(KNIGHT)
                | attacks::pawn(us, king) & position.kind(PAWN));
        let mut pinned = 0;
        // Sliders on the king's lines: nothing between is a check, one man a pin.
        let mut snipers = attacks::straights(king) & straight | attacks::diagonals(king) & diagonal;
        while snipers != 0 {
            let sniper = snipers.trailing_zeros() as usize;
            snipers &= snipers - 1;
            let shields = attacks::between(king, sniper) & occupied;
            if shields == 0 {
                checkers |= 1 << sniper;
            } else if shields & (shields - 1) == 0 {
                pinned |= shields & own;
            }
        }
        let answers = match checkers {
            0 => u64::MAX,
            _ if checkers & (checkers - 1) != 0 => 0,
            _ => checkers | attacks::between(king, checkers.trailing_zeros() as usize),
        };
        let danger = position.attacked_by(us ^ 1, occupied & !(1 << king));
        Self { us, occupied, own, enemy, king, checkers, answers, pinned, danger }
    }

    /// Where the king may go, castling aside.
    #[inline]
    pub(super) fn king_targets(&self) -> u64 {
        attacks::king(self.king) & !self.own & !self.danger
    }
}
