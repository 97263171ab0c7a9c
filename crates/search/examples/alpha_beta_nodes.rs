//! What each technique of alpha-beta saves: nodes to a fixed depth without it, in chess.
//!
//! `cargo run --release -p meeple-search --example alpha_beta_nodes -- 9`

#![allow(clippy::print_stdout, reason = "an example prints what it measures")]

use meeple_game::Game;
use meeple_games::chess::{Chess, Options};
use meeple_search::{AlphaBeta, AlphaBetaOptions, Limits, StopFlag};

/// Positions of different stages of the game.
const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2r2rk1/pp1bqpp1/2nppn1p/2p3B1/2P1P3/2N2NP1/PP2QPBP/R2R2K1 w - - 0 1",
];

/// The nodes of all positions at `depth`.
fn nodes(options: &AlphaBetaOptions, depth: u32) -> u64 {
    let count = |fen: &&str| {
        let game = Chess::new(&Options { fen: fen.parse().expect("a legal position") });
        let mut search = AlphaBeta::new(options).expect("valid options");
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let result = search.run(&game, &limits, &StopFlag::default(), &mut |_| {});
        result.expect("chess is supported");
        search.nodes()
    };
    POSITIONS.iter().map(count).sum()
}

fn main() {
    let depth = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(8);
    let mut usual = AlphaBetaOptions { hash: 16 << 20, ..AlphaBetaOptions::default() };
    let all = nodes(&usual, depth);
    println!("| without | nodes to depth {depth} | factor |\n|---|---|---|");
    println!("| nothing: all techniques | {all} | 1 |");
    for at in 0..usual.switches().len() {
        let mut options = usual;
        let (name, switch) = &mut options.switches()[at];
        let name = *name;
        **switch = false;
        let without = nodes(&options, depth);
        println!("| `{name}` | {without} | {:.2} |", without as f64 / all as f64);
    }
}
