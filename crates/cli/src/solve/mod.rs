//! `meeple solve`: a position exactly, or hold'em after the flop.

mod flops;
mod holdem;
mod matrix;
mod position;

use clap::{Args, Subcommand};

use crate::Outcome;

/// Solve a position exactly, or hold'em after the flop
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    long_about = "Solve a position exactly: result and distance of every action.\n\nFor games of \
                  two players without chance and hidden information that end in a win, a draw or \
                  a loss. Distances are in plies, to the end of the game: the winner takes the \
                  shortest way, the loser the longest.\n\n`meeple solve holdem` solves hold'em of \
                  two players after the flop.",
    after_help = "Example: meeple solve connect-four --after d,d,d,d,d,e\n         \
                  meeple solve tic-tac-toe --after b2\n         \
                  meeple solve hex --config '{\"size\":4}' --json\n         \
                  meeple solve holdem spot.toml"
)]
pub(crate) struct SolveArgs {
    #[command(subcommand)]
    kind: Option<Kind>,
    #[command(flatten)]
    position: Option<position::PositionSolveArgs>,
}

#[derive(Debug, Subcommand)]
enum Kind {
    /// Solve hold'em of two players after the flop: strategies that cannot be exploited
    Holdem(Box<holdem::HoldemArgs>),
}

pub(crate) fn run(args: &SolveArgs) -> Outcome {
    match (&args.kind, &args.position) {
        (Some(Kind::Holdem(args)), _) => holdem::run(args),
        (None, Some(args)) => position::run(args),
        (None, None) => unreachable!("a game is required without a subcommand"),
    }
}
