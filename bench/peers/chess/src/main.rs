//! Prints random plies per second of the hand-written library cozy-chess.
//!
//! Moves are counted in its own batches and one is drawn by number, which is faster
//! than listing them all. Repetitions are not looked for: the library has no history.

use std::time::Instant;

use cozy_chess::{Board, PieceMoves};
use meeple_rng::Rng;

const GAMES: usize = 1_000;
const ROUNDS: usize = 9;

/// Plays until nobody can move or the fifty-move rule ends the game; yields the plies.
fn playout(rng: &mut Rng, batches: &mut Vec<PieceMoves>) -> u64 {
    let mut board = Board::default();
    let mut plies = 0;
    loop {
        batches.clear();
        board.generate_moves(|batch| {
            batches.push(batch);
            false
        });
        let count: usize = batches.iter().map(PieceMoves::len).sum();
        if count == 0 || board.halfmove_clock() >= 100 {
            return plies;
        }
        let mut left = rng.below(count);
        for batch in &*batches {
            if left < batch.len() {
                let drawn = batch.into_iter().nth(left).expect("the batch has so many");
                board.play_unchecked(drawn);
                break;
            }
            left -= batch.len();
        }
        plies += 1;
    }
}

fn main() {
    let (mut rng, mut batches) = (Rng::new(1), Vec::new());
    let mut rates: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            let plies: u64 = (0..GAMES).map(|_| playout(&mut rng, &mut batches)).sum();
            plies as f64 / start.elapsed().as_secs_f64()
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    println!("chess {:.0}", rates[ROUNDS / 2]);
}
