//! Fits the weights of the chess evaluation to the results of games in PGN files, by logistic
//! regression (Texel's tuning method), and prints them as `evaluation/weights.rs`.
//!
//! `cargo run --release -p meeple-games --example tune_chess -- GAMES.pgn… > weights.rs`

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints what it finds")]

use std::process::ExitCode;

use meeple_game::{Action, Game};
use meeple_games::chess::evaluation::{TERMS, trace, weights};
use meeple_games::chess::{Chess, Options, State, read_pgn};

/// Plies of the opening that say little about the evaluation.
const OPENING_PLIES: usize = 8;
/// Centipawns at which the expected payoff is tanh 1.
const SCALE: f32 = 350.0;
const STEPS: usize = 400;
/// The strength with which weights are drawn to those before: few games must not move them far.
const RIDGE: f32 = 2e-7;

/// A quiet position of a game with its result for white, as counts of terms.
struct Sample {
    /// The terms that occur, with their counts.
    counts: Vec<(u16, i8)>,
    /// The share of the middlegame.
    phase: f32,
    result: f32,
}

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        eprintln!("usage: tune_chess GAMES.pgn…");
        return ExitCode::from(2);
    }
    let mut samples = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).map_err(|error| error.to_string());
        let games = text.and_then(|text| read_pgn(&text).map_err(|error| error.to_string()));
        match games {
            Ok(games) => games.iter().for_each(|game| {
                add_samples(&game.actions, game.payoffs[0], &mut samples);
            }),
            Err(reason) => {
                eprintln!("{file}: {reason}");
                return ExitCode::FAILURE;
            }
        }
    }
    // Every eighth position measures, the others teach.
    let (held, taught): (Vec<_>, Vec<_>) =
        samples.into_iter().enumerate().partition(|(number, _)| number % 8 == 0);
    let strip = |samples: Vec<(usize, Sample)>| -> Vec<Sample> {
        samples.into_iter().map(|(_, sample)| sample).collect()
    };
    let (held, taught) = (strip(held), strip(taught));
    let before = weights().map(|pair| pair.map(|weight| weight as f32));
    let after = fit(&taught, &before);
    eprintln!("{} positions, {} held out", taught.len(), held.len());
    eprintln!("loss {:.5} before, {:.5} after", loss(&held, &before), loss(&held, &after));
    print_weights(&after);
    ExitCode::SUCCESS
}

/// Adds the positions in which no capture and no check is pending.
fn add_samples(actions: &[Action], result: f32, samples: &mut Vec<Sample>) {
    let mut game = Chess::new(&Options::default());
    for (ply, &action) in actions.iter().enumerate() {
        let before = game.state().fen().to_string();
        game.apply(action);
        let is_capture = pieces(&before) != pieces(&game.state().fen().to_string());
        if ply >= OPENING_PLIES && !is_capture && ply + 4 < actions.len() {
            samples.push(Sample::of(game.state(), result));
        }
    }
}

/// The number of pieces in a FEN.
fn pieces(fen: &str) -> usize {
    let board = fen.split(' ').next().unwrap_or("");
    board.chars().filter(char::is_ascii_alphabetic).count()
}

impl Sample {
    fn of(state: &State, result: f32) -> Self {
        let (counts, phase) = trace(state);
        let counts = counts.iter().enumerate().filter(|(_, count)| **count != 0);
        let counts = counts.map(|(term, &count)| (term as u16, count.clamp(-127, 127) as i8));
        Self { counts: counts.collect(), phase, result }
    }

    fn expected(&self, weights: &[[f32; 2]; TERMS]) -> f32 {
        let mut score = 0.0;
        for &(term, count) in &self.counts {
            let [middlegame, endgame] = weights[usize::from(term)];
            let weight = middlegame * self.phase + endgame * (1.0 - self.phase);
            score += f32::from(count) * weight;
        }
        (score / SCALE).tanh()
    }
}

/// The mean squared error.
fn loss(samples: &[Sample], weights: &[[f32; 2]; TERMS]) -> f32 {
    let errors = samples.iter().map(|sample| (sample.expected(weights) - sample.result).powi(2));
    errors.sum::<f32>() / samples.len().max(1) as f32
}

/// Minimizes the squared error by Adam (Kingma and Ba 2014) on all samples at once.
fn fit(samples: &[Sample], start: &[[f32; 2]; TERMS]) -> [[f32; 2]; TERMS] {
    let mut weights = *start;
    let (mut mean, mut square) = ([[0.0f32; 2]; TERMS], [[0.0f32; 2]; TERMS]);
    for step in 1..=STEPS {
        let mut gradient = [[0.0f32; 2]; TERMS];
        for sample in samples {
            let expected = sample.expected(&weights);
            let slope = 2.0 * (expected - sample.result) * (1.0 - expected * expected) / SCALE;
            for &(term, count) in &sample.counts {
                let part = slope * f32::from(count) / samples.len() as f32;
                gradient[usize::from(term)][0] += part * sample.phase;
                gradient[usize::from(term)][1] += part * (1.0 - sample.phase);
            }
        }
        let correction = [1.0 - 0.9f32.powi(step as i32), 1.0 - 0.999f32.powi(step as i32)];
        for (term, pair) in weights.iter_mut().enumerate() {
            for (stage, weight) in pair.iter_mut().enumerate() {
                let slope = gradient[term][stage] + 2.0 * RIDGE * (*weight - start[term][stage]);
                let (mean, square) = (&mut mean[term][stage], &mut square[term][stage]);
                *mean = 0.9 * *mean + 0.1 * slope;
                *square = 0.999 * *square + 0.001 * slope * slope;
                let root = (*square / correction[1]).sqrt() + 1e-9;
                *weight -= 0.5 * (*mean / correction[0]) / root;
            }
        }
    }
    weights
}

fn print_weights(weights: &[[f32; 2]; TERMS]) {
    let pairs: Vec<String> =
        weights.iter().map(|[a, b]| format!("pack({}, {}),", a.round(), b.round())).collect();
    let mut lines = vec![pairs[..6].join(" ")];
    lines.extend(pairs[6..].chunks(4).map(|chunk| chunk.join(" ")));
    println!(
        "//! The weights of the evaluation; `examples/tune_chess.rs` fits and prints them.\n\n\
         use super::terms::TERMS;\nuse super::{{Packed, pack}};\n\n#[rustfmt::skip]\n\
         pub(super) static WEIGHTS: [Packed; TERMS] = [\n    {}\n];",
        lines.join("\n    ")
    );
}
