//! Predictions and training examples per second: `cargo run --release -p
//! meeple-net --example speed`. With a file, writes the network there as an ONNX
//! model instead, to measure other runtimes.
#![allow(clippy::print_stdout, reason = "a program that prints")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use meeple_net::{Precision, Workload};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut work = Workload::new(256);
    if let Some(file) = std::env::args().nth(1) {
        return Ok(work.network().export_onnx(file.as_ref())?);
    }
    for precision in [Precision::Float, Precision::Int8] {
        let mut predictor = work.predictor(precision);
        for rows in [1, 4, 16, 64, 256] {
            let rate = rate(rows, || {
                black_box(work.predict(&mut predictor, rows));
            });
            println!("{precision:?} batch {rows:>3}: {rate:>9.0} evaluations/s");
        }
    }
    let (mut trainer, batch) = work.training();
    let rate = rate(256, || {
        black_box(trainer.train_batch(&batch).expect("the batch is valid"));
    });
    println!("training batch 256: {rate:>9.0} examples/s");
    Ok(())
}

/// Returns rows per second: the median of many short rounds.
fn rate(rows: usize, mut work: impl FnMut()) -> f64 {
    let mut rounds = Vec::new();
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(3) {
        let round = Instant::now();
        let mut done = 0;
        while round.elapsed() < Duration::from_millis(20) {
            work();
            done += rows;
        }
        rounds.push(done as f64 / round.elapsed().as_secs_f64());
    }
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}
