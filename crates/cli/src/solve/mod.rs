//! `meeple solve`: a position exactly, or hold'em after the flop.

mod flops;
mod holdem;
mod matrix;
mod position;

use clap::{ArgMatches, Args, Command, FromArgMatches};

use self::holdem::HoldemArgs;
use self::position::PositionSolveArgs;
use crate::Outcome;

/// The name of the subcommand.
const HOLDEM: &str = "holdem";

/// What to solve. Without the subcommand the arguments name a position; a derived parser would
/// ask for a game with it too.
#[derive(Debug)]
pub(crate) enum SolveArgs {
    Holdem(Box<HoldemArgs>),
    Position(PositionSolveArgs),
}

impl FromArgMatches for SolveArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        match matches.subcommand_matches(HOLDEM) {
            Some(matches) => Ok(Self::Holdem(Box::new(HoldemArgs::from_arg_matches(matches)?))),
            None => Ok(Self::Position(PositionSolveArgs::from_arg_matches(matches)?)),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for SolveArgs {
    fn augment_args(command: Command) -> Command {
        let holdem = HoldemArgs::augment_args(Command::new(HOLDEM)).about(
            "Solve hold'em of two players after the flop: strategies that cannot be exploited",
        );
        PositionSolveArgs::augment_args(command)
            .subcommand(holdem)
            .args_conflicts_with_subcommands(true)
            .subcommand_negates_reqs(true)
            .about("Solve a position exactly, or hold'em after the flop")
            .long_about(
                "Solve a position exactly: result and distance of every action.\n\nFor games of two \
                 players without chance and hidden information that end in a win, a draw or a loss. \
                 Distances are in plies, to the end of the game: the winner takes the shortest way, \
                 the loser the longest.\n\n`meeple solve holdem` solves hold'em of two players after \
                 the flop.",
            )
            .after_help(
                "Example: meeple solve connect-four --after d,d,d,d,d,e\n         \
                 meeple solve tic-tac-toe --after b2\n         \
                 meeple solve hex --config '{\"size\":4}' --json\n         \
                 meeple solve holdem spot.toml",
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

pub(crate) fn run(args: &SolveArgs) -> Outcome {
    match args {
        SolveArgs::Holdem(args) => holdem::run(args),
        SolveArgs::Position(args) => position::run(args),
    }
}
