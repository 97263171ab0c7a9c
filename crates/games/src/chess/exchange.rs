//! Static exchange evaluation: what a sequence of captures on one square wins.

use super::attacks;
use super::position::{
    BISHOP, EMPTY, KING, KNIGHT, NO_SQUARE, PAWN, Position, QUEEN, ROOK, kind_of,
};
use super::rules::Move;

/// The values of pieces in exchanges, in centipawns. A king is never lost.
pub(super) const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// The kind of the piece that a move captures.
#[inline]
pub(super) fn captured(position: &Position, event: &Move) -> Option<u8> {
    let piece = position.at(event.to);
    if piece != EMPTY {
        return Some(kind_of(piece));
    }
    let is_en_passant = event.to == position.en_passant()
        && event.to != NO_SQUARE
        && kind_of(position.at(event.from)) == PAWN;
    is_en_passant.then_some(PAWN)
}

/// The material that a move wins, if both sides go on capturing on its target with the least
/// valuable piece for as long as that pays.
pub(super) fn static_exchange(position: &Position, event: &Move) -> i32 {
    let mut gains = [0; 32];
    let target = usize::from(event.to);
    let mut occupied = position.occupied() & !(1u64 << event.from);
    let mut attacker = kind_of(position.at(event.from));
    gains[0] = captured(position, event).map_or(0, |kind| VALUES[usize::from(kind)]);
    if position.at(event.to) == EMPTY && gains[0] != 0 {
        occupied &= !(1u64 << (event.to ^ 8));
    }
    if event.promotion != 0 {
        gains[0] += VALUES[usize::from(event.promotion)] - VALUES[usize::from(PAWN)];
        attacker = event.promotion;
    }
    let mut side = position.mover() ^ 1;
    let mut depth = 0;
    loop {
        let attackers = attackers_of(position, target, occupied) & position.side(side);
        let Some((square, kind)) = least_valuable(position, attackers) else { break };
        // A king cannot capture a protected piece.
        if kind == KING && attackers_of(position, target, occupied) & position.side(side ^ 1) != 0 {
            break;
        }
        depth += 1;
        gains[depth] = VALUES[usize::from(attacker)] - gains[depth - 1];
        if gains[depth].max(-gains[depth - 1]) < 0 || depth == 31 {
            break;
        }
        attacker = kind;
        occupied &= !(1u64 << square);
        side ^= 1;
    }
    while depth > 0 {
        gains[depth - 1] = -gains[depth].max(-gains[depth - 1]);
        depth -= 1;
    }
    gains[0]
}

/// The pieces of both sides that attack a square through `occupied`, as far as they are in it.
#[inline]
fn attackers_of(position: &Position, square: usize, occupied: u64) -> u64 {
    let orthogonal = position.kind(ROOK) | position.kind(QUEEN);
    let diagonal = position.kind(BISHOP) | position.kind(QUEEN);
    let pawns = position.kind(PAWN);
    occupied
        & (attacks::knight(square) & position.kind(KNIGHT)
            | attacks::king(square) & position.kind(KING)
            | attacks::pawn(1, square) & pawns & position.side(0)
            | attacks::pawn(0, square) & pawns & position.side(1)
            | attacks::rook(square, occupied) & orthogonal
            | attacks::bishop(square, occupied) & diagonal)
}

#[inline]
fn least_valuable(position: &Position, attackers: u64) -> Option<(usize, u8)> {
    if attackers == 0 {
        return None;
    }
    (PAWN..=KING).find_map(|kind| {
        let pieces = position.kind(kind) & attackers;
        (pieces != 0).then(|| (pieces.trailing_zeros() as usize, kind))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Chess, Options, parse_move};
    use meeple_game::Game;

    #[track_caller]
    fn check(fen: &str, text: &str, expected: i32) {
        let game = Chess::new(&Options { fen: fen.parse().unwrap() });
        let event = parse_move(game.state(), text).expect("a legal move");
        assert_eq!(static_exchange(&game.state().position, &event), expected, "{fen} {text}");
    }

    #[test]
    fn exchanges_are_evaluated() {
        // A free pawn, a protected pawn, and one protected by less than it is attacked.
        check("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100);
        check("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500);
        check("4k3/8/4p3/3p4/4P3/8/8/3RK3 w - - 0 1", "e4d5", 100);
        // A rook behind a rook counts, and so does a bishop behind a pawn.
        check("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100);
        check("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100 - 500);
        // The king may not recapture a protected piece.
        check("8/8/8/3pk3/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100);
        check("8/8/8/3pk3/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500);
        // En passant, promotion, and a quiet move to an attacked square.
        check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100);
        check("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q", 850);
        check("4k3/8/4p3/8/8/8/8/3RK3 w - - 0 1", "d1d5", -500);
    }
}
