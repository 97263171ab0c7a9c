//! `meeple perft`: counts the leaf nodes below a chess position, or those of any game.

use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use meeple_game::{Action, ActionList, Game, OutcomeList};
use meeple_games::chess::{Chess, Fen, Options, legal_moves, perft};
use meeple_games::files::is_path;
use serde::Serialize;

use crate::args::ConfigArgs;
use crate::failure::{Failure, INTERRUPTED};
use crate::{Outcome, interrupt, show};

/// Count the leaf nodes below a chess position, or of any game
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple perft start 5\n         \
                        meeple perft '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1' 6\n         \
                        meeple perft hex 3 --config '{\"size\":5}'")]
pub(crate) struct PerftArgs {
    /// Chess position in FEN, `start`, or the name or file of a game
    position: String,
    /// Depth in moves and chance outcomes
    #[arg(value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    #[command(flatten)]
    config: ConfigArgs,
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
    interrupt::listen()?;
    let start = Instant::now();
    let (position, moves, all) = match args.position.parse::<Fen>() {
        Ok(fen) => of_chess(fen, args.depth),
        Err(_) if args.position == "start" => of_chess(Fen::default(), args.depth),
        // A position has fields; no game's name and few paths do.
        Err(error) if args.position.trim().contains(' ') && !is_path(&args.position) => {
            return Err(Failure::usage(error));
        }
        Err(_) => of_game(args)?,
    };
    let seconds = start.elapsed().as_secs_f64();
    let nodes = moves.iter().map(|branch| branch.nodes).sum();
    let report = Report {
        position,
        depth: args.depth,
        nodes,
        interrupted: moves.len() < all,
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

/// The name of what is counted, the branches counted so far, and the number of all branches.
type Counted = (String, Vec<Branch>, usize);

fn of_chess(fen: Fen, depth: u32) -> Counted {
    let game = Chess::new(&Options { fen });
    let all = legal_moves(game.state());
    let open = all.iter().take_while(|_| !interrupt::asked());
    let moves =
        open.map(|(name, next)| Branch { name: name.clone(), nodes: perft(next, depth - 1) });
    (fen.to_string(), moves.collect(), all.len())
}

/// Counts by the choices of the first position, which may be chance outcomes.
fn of_game(args: &PerftArgs) -> Result<Counted, Failure> {
    let first = args.config.open(&args.position, &[])?;
    let (mut actions, mut outcomes) = (ActionList::new(), OutcomeList::new());
    first.legal_actions(&mut actions);
    first.chance_outcomes(&mut outcomes);
    let choices: Vec<Action> =
        actions.iter().copied().chain(outcomes.iter().map(|outcome| outcome.action)).collect();
    let mut moves = Vec::new();
    for &choice in &choices {
        let mut next = first.copy();
        next.try_apply(choice).map_err(Failure::usage)?;
        let nodes = next.perft(args.depth - 1, &interrupt::asked);
        if interrupt::asked() {
            break;
        }
        moves.push(Branch { name: first.action_name(choice), nodes });
    }
    Ok((first.info().name.to_owned(), moves, choices.len()))
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
