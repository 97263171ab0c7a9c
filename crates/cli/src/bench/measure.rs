//! Timing on a noisy machine: the median of many short rounds.

use std::time::{Duration, Instant};

use crate::interrupt;

/// The duration of one round: long compared to the clock resolution, short compared to
/// interruptions by other processes.
const ROUND: Duration = Duration::from_millis(10);
const ROUNDS: usize = 15;

/// Returns the nanoseconds per repetition; `work` runs the number of repetitions it is given.
pub(crate) fn ns_per_op(mut work: impl FnMut(u64)) -> f64 {
    let mut repetitions = 1u64;
    let mut took = time(&mut work, repetitions);
    // Doubles the repetitions until a round is long enough to time.
    while took < ROUND / 2 && repetitions < 1 << 40 {
        repetitions *= 2;
        took = time(&mut work, repetitions);
    }
    let mut rounds: Vec<f64> = (0..ROUNDS)
        .take_while(|_| !interrupt::asked())
        .map(|_| time(&mut work, repetitions).as_nanos() as f64 / repetitions as f64)
        .collect();
    rounds.push(took.as_nanos() as f64 / repetitions as f64);
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}

fn time(work: &mut impl FnMut(u64), repetitions: u64) -> Duration {
    let start = Instant::now();
    work(repetitions);
    start.elapsed()
}
