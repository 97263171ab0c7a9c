//! `meeple perft`: counts the leaf nodes below a chess position.

use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use meeple_game::Game;
use meeple_games::chess::{Chess, Fen, Options, legal_moves, perft};
use serde::Serialize;

use crate::failure::{Failure, INTERRUPTED};
use crate::{Outcome, interrupt, show};

/// Count the leaf nodes below a chess position
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple perft start 5\n         \
                        meeple perft '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1' 6")]
pub(crate) struct PerftArgs {
    /// Position in FEN, or `start`
    position: String,
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The result in JSON.
#[derive(Debug, Serialize)]
struct Report {
    position: String,
    depth: u32,
    nodes: u64,
    interrupted: bool,
    seconds: f64,
    nodes_per_second: f64,
    moves: Vec<Branch>,
}

/// The node count of one root move.
#[derive(Debug, Serialize)]
struct Branch {
    name: String,
    nodes: u64,
}

pub(crate) fn run(args: &PerftArgs) -> Outcome {
    let fen = match args.position.as_str() {
        "start" => Fen::default(),
        text => text.parse().map_err(Failure::usage)?,
    };
    interrupt::listen()?;
    let game = Chess::new(&Options { fen });
    let start = Instant::now();
    let mut moves = Vec::new();
    let all = legal_moves(game.state());
    for (name, next) in &all {
        if interrupt::asked() {
            break;
        }
        moves.push(Branch { name: name.clone(), nodes: perft(next, args.depth - 1) });
    }
    let seconds = start.elapsed().as_secs_f64();
    let nodes = moves.iter().map(|branch| branch.nodes).sum();
    let report = Report {
        position: fen.to_string(),
        depth: args.depth,
        nodes,
        interrupted: moves.len() < all.len(),
        seconds,
        nodes_per_second: nodes as f64 / seconds,
        moves,
    };
    if args.json {
        show::print_json(&report)?;
    } else {
        print(&report)?;
    }
    Ok(if report.interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

fn print(report: &Report) -> Result<(), Failure> {
    let mut table = show::table(&["move", "nodes"], 1);
    for branch in &report.moves {
        table.add_row([branch.name.clone(), show::grouped(branch.nodes)]);
    }
    if report.interrupted {
        show::remark("interrupted: the table shows the moves counted so far");
    }
    show::print(&format!(
        "{}\n{} nodes at depth {} in {:.3} s, {} nodes/s\n",
        show::text_of(&table),
        show::grouped(report.nodes),
        report.depth,
        report.seconds,
        show::short(report.nodes_per_second),
    ))
}
