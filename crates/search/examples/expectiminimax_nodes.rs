//! What the techniques of alpha-beta save at chance nodes: nodes to a fixed depth without each, in
//! backgammon.
//!
//! `cargo run --release -p meeple-search --example expectiminimax_nodes -- 2`

#![allow(clippy::print_stdout, reason = "an example prints what it measures")]

use std::time::Instant;

use meeple_game::{Action, Game, Rng, Turn, choices, heuristic};
use meeple_games::backgammon::Backgammon;
use meeple_search::{AlphaBeta, AlphaBetaOptions, Limits, StopFlag};

/// Positions with the dice rolled, after games of a player who looks one step ahead.
fn positions() -> Vec<Backgammon> {
    let position = |seed: u64| {
        let mut rng = Rng::new(seed);
        let mut game = Backgammon::new(&Default::default());
        let mut decisions = 1 + 6 * seed;
        loop {
            match game.turn() {
                Turn::Over => return None,
                Turn::Chance => game.apply(game.sample_chance(&mut rng)),
                Turn::Player(_) if decisions == 0 && choices(&game).len() > 1 => return Some(game),
                Turn::Player(player) => {
                    decisions = decisions.saturating_sub(1);
                    let value = |action: &Action| {
                        let mut next = game;
                        next.apply(*action);
                        heuristic(&next).map_or(0.0, |payoffs| payoffs[player.index()])
                    };
                    let actions = choices(&game);
                    let best = actions.iter().max_by(|a, b| value(a).total_cmp(&value(b)));
                    game.apply(*best.expect("a decision has actions"));
                }
            }
        }
    };
    (0..16).filter_map(position).take(10).collect()
}

/// The nodes and seconds of all positions at `depth`.
fn nodes(options: &AlphaBetaOptions, positions: &[Backgammon], depth: u32) -> (u64, f64) {
    let started = Instant::now();
    let count = |game: &Backgammon| {
        let mut search = AlphaBeta::new(options).expect("valid options");
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let result = search.run(game, &limits, &StopFlag::default(), &mut |_| {});
        result.expect("backgammon is supported");
        search.nodes()
    };
    (positions.iter().map(count).sum(), started.elapsed().as_secs_f64())
}

fn main() {
    let depth = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(2);
    let positions = positions();
    let mut usual = AlphaBetaOptions { hash: 64 << 20, ..AlphaBetaOptions::default() };
    let (all, seconds) = nodes(&usual, &positions, depth);
    println!("{} positions", positions.len());
    println!("| without | nodes to depth {depth} | factor | seconds |\n|---|---|---|---|");
    println!("| nothing: all techniques | {all} | 1 | {seconds:.2} |");
    let names = [
        "table",
        "principal_variation",
        "aspiration",
        "killers",
        "history",
        "counter_moves",
        "star1",
        "star2",
        "one_step",
    ];
    for at in 0..usual.switches().len() {
        let mut options = usual;
        let (name, switch) = &mut options.switches()[at];
        let name = *name;
        if !names.contains(&name) {
            continue;
        }
        **switch = false;
        let (without, seconds) = nodes(&options, &positions, depth);
        let factor = without as f64 / all as f64;
        println!("| `{name}` | {without} | {factor:.2} | {seconds:.2} |");
    }
}
