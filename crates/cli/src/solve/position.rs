//! `meeple solve GAME`: the exact result and distance of a position and of every action in it.

use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use clap::Args;
use meeple_bots::Position;
use meeple_game::{Score, Turn};
use meeple_search::solve::{ExactControl, ExactOptions, ExactSolver, Solution, SolveError};
use serde::Serialize;

use crate::failure::{Failure, INTERRUPTED};
use crate::position::PositionArgs;
use crate::progress::with_status;
use crate::{Outcome, interrupt, show};

/// A position to solve exactly.
#[derive(Debug, Args)]
pub(crate) struct PositionSolveArgs {
    #[command(flatten)]
    root: PositionArgs,
    /// Size of the transposition table in MB
    #[arg(long, value_name = "MB", default_value = "512", value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    memory: u32,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The solution of a position, as JSON.
#[derive(Debug, Serialize)]
struct Solved {
    game: &'static str,
    seat: u8,
    #[serde(flatten)]
    score: Scored,
    actions: Vec<ActionScore>,
    /// A line of best play to the end.
    line: Vec<String>,
    positions: u64,
    seconds: f64,
    positions_per_second: f64,
}

/// A score in words.
#[derive(Debug, Serialize)]
struct Scored {
    /// `win`, `draw` or `loss`, for the player to move.
    outcome: &'static str,
    /// Plies until the win or loss.
    plies: Option<u16>,
}

impl From<Score> for Scored {
    fn from(score: Score) -> Self {
        let outcome = match score.outcome() {
            1.. => "win",
            0 => "draw",
            _ => "loss",
        };
        Self { outcome, plies: score.plies() }
    }
}

/// The score of one action.
#[derive(Debug, Serialize)]
struct ActionScore {
    action: u16,
    name: String,
    #[serde(flatten)]
    score: Scored,
}

pub(crate) fn run(args: &PositionSolveArgs) -> Outcome {
    interrupt::listen()?;
    let game = args.root.open()?;
    let Turn::Player(seat) = game.turn() else {
        return Err(Failure::usage(match game.turn() {
            Turn::Chance => SolveError::NotPerfect { game: game.info().name },
            _ => SolveError::Over,
        }));
    };
    let control = ExactControl::default();
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let options = ExactOptions {
        memory: (args.memory as usize) << 20,
        threads: args.threads.map_or_else(cores, usize::from),
    };
    let start = Instant::now();
    let mut solver = ExactSolver::new(&options, control.clone());
    let solution = with_status(
        || format!("solving, {} positions", show::short(control.nodes() as f64)),
        || {
            if interrupt::asked() {
                control.stop.stop();
            }
        },
        || game.solve(&mut solver),
    );
    let solution = match solution {
        Err(SolveError::Stopped) => {
            show::remark("interrupted: the position is not solved");
            return Ok(ExitCode::from(INTERRUPTED));
        }
        other => other.map_err(Failure::usage)?,
    };
    let seconds = start.elapsed().as_secs_f64();
    let solved = describe(&*game, seat.0, &solution, control.nodes(), seconds);
    if args.json {
        show::print_json(&solved)?;
    } else {
        print(&*game, &solution, &solved)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(
    game: &dyn Position,
    seat: u8,
    solution: &Solution,
    positions: u64,
    seconds: f64,
) -> Solved {
    let mut actions = solution.actions.clone();
    actions.sort_by_key(|&(action, score)| (std::cmp::Reverse(score), action.0));
    let mut at = game.copy();
    let mut line = Vec::new();
    for &action in &solution.line {
        line.push(at.action_name(action));
        at.try_apply(action).expect("a line of legal actions");
    }
    Solved {
        game: game.info().name,
        seat,
        score: solution.score.into(),
        actions: (actions.into_iter())
            .map(|(action, score)| ActionScore {
                action: action.0,
                name: game.action_name(action),
                score: score.into(),
            })
            .collect(),
        line,
        positions,
        seconds,
        positions_per_second: positions as f64 / seconds,
    }
}

fn print(game: &dyn Position, solution: &Solution, solved: &Solved) -> Result<(), Failure> {
    let mut table = show::table(&["action", "result", "plies"], 2);
    for entry in &solved.actions {
        let plies = entry.score.plies.map_or(String::new(), |plies| plies.to_string());
        table.add_row([entry.name.clone(), entry.score.outcome.to_owned(), plies]);
    }
    let mut text = format!("{game}\n\nseat {} to move: {}\n", solved.seat, solution.score);
    text += &format!("{}\n", show::text_of(&table));
    text += &format!("best play: {}\n", solved.line.join(" "));
    text += &format!(
        "{} positions in {:.2} s, {} positions/s\n",
        show::grouped(solved.positions),
        solved.seconds,
        show::short(solved.positions_per_second),
    );
    show::print(&text)
}
