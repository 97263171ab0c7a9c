//! `meeple export`: converts game records between formats.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use meeple_arena::{Format, export};

use crate::failure::Failure;
use crate::replay::read_replays;
use crate::{Outcome, show};

/// Convert a game record to another format, on stdout
#[derive(Debug, Args)]
#[command(
    after_help = "Example: meeple export runs/quickstart/replays/0000000.json --to json\n         \
                        meeple export game.pgn --to replay > game.json"
)]
pub(crate) struct ExportArgs {
    /// Game record: a replay, PGN, MAT or PHH file
    file: PathBuf,
    /// Output format
    #[arg(long, value_name = "FORMAT")]
    to: To,
}

/// The output formats.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum To {
    /// Portable Game Notation: chess
    Pgn,
    /// Jellyfish match file: backgammon
    Mat,
    /// Poker Hand History: hold'em
    Phh,
    /// Every step with action names: any game
    Json,
    /// Meeple replay: any game
    Replay,
}

pub(crate) fn run(args: &ExportArgs) -> Outcome {
    let format = match args.to {
        To::Pgn => Format::Pgn,
        To::Mat => Format::Mat,
        To::Phh => Format::Phh,
        To::Json => Format::Json,
        To::Replay => Format::Replay,
    };
    for replay in read_replays(&args.file)? {
        show::print(&export(&replay, format).map_err(Failure::usage)?)?;
    }
    Ok(ExitCode::SUCCESS)
}
