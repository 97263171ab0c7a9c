//! The evaluation of chess: a tapered sum of terms, in centipawns.
//!
//! Every term is a weight times a count, so that the weights can be fitted by logistic regression
//! on the results of games (`examples/tune_chess.rs`). Each weight is a pair, for the middlegame
//! and for the endgame, between which the remaining pieces interpolate.

mod masks;
mod terms;
mod weights;

pub use terms::TERMS;

use super::position::{BISHOP, KNIGHT, PAWN, Position, QUEEN, ROOK};
use super::state::State;
use terms::Terms;

/// The phase of the starting position; 0 is an endgame of kings and pawns.
const OPENING: i32 = 24;

/// A weight for the middlegame and the endgame in one number, so that one addition adds both.
type Packed = i32;

const fn pack(middlegame: i32, endgame: i32) -> Packed {
    middlegame + (endgame << 16)
}

#[inline]
fn unpack(packed: Packed) -> [i32; 2] {
    // The low half is signed, so the high half may have lost 1 to it.
    [i32::from(packed as i16), i32::from(((packed + 0x8000) >> 16) as i16)]
}

/// The sum of terms with their weights.
struct Sum(Packed);

impl Terms for Sum {
    #[inline(always)]
    fn add(&mut self, term: usize, count: i32) {
        self.0 += weights::WEIGHTS[term] * count;
    }
}

/// The counts of terms, for tuning.
struct Counts([i32; TERMS]);

impl Terms for Counts {
    fn add(&mut self, term: usize, count: i32) {
        self.0[term] += count;
    }
}

/// The share of the middlegame in a position, out of [`OPENING`].
#[inline]
fn phase(position: &Position) -> i32 {
    let count = |kind: u8| position.kind(kind).count_ones() as i32;
    let phase = count(KNIGHT) + count(BISHOP) + 2 * count(ROOK) + 4 * count(QUEEN);
    phase.min(OPENING)
}

/// Evaluates a position for the player to move, in centipawns.
pub(super) fn evaluate(position: &Position) -> i32 {
    let mut sum = Sum(0);
    terms::visit(position, &mut sum);
    let [middlegame, endgame] = unpack(sum.0);
    let phase = phase(position);
    let endgame = endgame * scale(position, endgame) / 16;
    let score = (middlegame * phase + endgame * (OPENING - phase)) / OPENING;
    if position.mover() == 0 { score } else { -score }
}

/// The share of an endgame's evaluation that counts, in sixteenths: without pawns, a small lead
/// wins nothing.
fn scale(position: &Position, endgame: i32) -> i32 {
    let ahead = usize::from(endgame < 0);
    if position.kind(PAWN) & position.side(ahead) != 0 {
        return 16;
    }
    let worth = |side: usize| {
        let count = |kind| (position.kind(kind) & position.side(side)).count_ones() as i32;
        3 * (count(KNIGHT) + count(BISHOP)) + 5 * count(ROOK) + 9 * count(QUEEN)
    };
    if worth(ahead) - worth(ahead ^ 1) <= 3 { 3 } else { 16 }
}

/// The counts of all terms for white minus black, and the share of the middlegame from 0 to 1; for
/// tuning.
#[must_use]
pub fn trace(state: &State) -> ([i32; TERMS], f32) {
    let mut counts = Counts([0; TERMS]);
    terms::visit(&state.position, &mut counts);
    (counts.0, phase(&state.position) as f32 / OPENING as f32)
}

/// The weights in use, for the middlegame and the endgame; for tuning.
#[must_use]
pub fn weights() -> [[i32; 2]; TERMS] {
    weights::WEIGHTS.map(unpack)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Fen;

    fn score(fen: &str) -> i32 {
        evaluate(&fen.parse::<Fen>().unwrap().0)
    }

    #[test]
    fn packed_weights_are_unpacked() {
        for pair in [[5, -7], [-5, 7], [-300, -900], [0, 0], [1200, 1300]] {
            assert_eq!(unpack(pack(pair[0], pair[1])), pair);
        }
        assert_eq!(unpack(3 * pack(-4, 5) - pack(-4, 5)), [-8, 10]);
    }

    /// The mirrored position with the other player to move has the same evaluation.
    #[test]
    fn colours_are_alike() {
        for (fen, mirrored) in [
            (
                "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
                "rnbqk2r/pppp1ppp/5n2/2b1p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R b KQkq - 4 4",
            ),
            ("8/5k2/3P4/8/6p1/8/1K6/4R3 w - - 0 1", "4r3/1k6/8/6P1/8/3p4/5K2/8 b - - 0 1"),
        ] {
            assert_eq!(score(fen), score(mirrored), "{fen}");
        }
        // Between bare kings on the same squares only the move counts.
        assert!((0..20).contains(&score("4k3/8/8/8/8/8/8/4K3 w - - 0 1")));
    }

    #[test]
    fn material_decides() {
        assert!(score("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1") < -700);
        assert!(score("4k3/8/8/8/8/8/8/QK6 w - - 0 1") > 700);
        // A minor piece more without pawns is nearly a draw.
        assert!(score("4k3/8/8/8/8/8/6r1/1K3NR1 w - - 0 1").abs() < 150);
    }

    /// The evaluation is the sum that the trace describes.
    #[test]
    fn the_trace_has_all_terms() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        ] {
            let position = fen.parse::<Fen>().unwrap().0;
            let (counts, phase) = trace(&State::new(position));
            let mut sums = [0, 0];
            for (count, weight) in counts.iter().zip(weights()) {
                sums[0] += count * weight[0];
                sums[1] += count * weight[1];
            }
            let expected = sums[0] as f32 * phase + sums[1] as f32 * (1.0 - phase);
            let sign = if position.mover() == 0 { 1.0 } else { -1.0 };
            assert!((expected * sign - score(fen) as f32).abs() <= 1.0, "{fen}");
        }
    }
}
