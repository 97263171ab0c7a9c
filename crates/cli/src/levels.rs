//! `meeple levels`: the opponents of graded strength, and the bot of each in a game.

use std::process::ExitCode;

use clap::Args;
use meeple_bots::Level;
use serde::Serialize;

use crate::args::GameArgs;
use crate::{Outcome, show};

/// List the levels of play and the bot of each in a game
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple levels chess\n         meeple play chess --vs strong")]
pub(crate) struct LevelsArgs {
    #[command(flatten)]
    table: GameArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A level in JSON.
#[derive(Serialize)]
struct Entry {
    level: &'static str,
    bot: String,
}

pub(crate) fn run(args: &LevelsArgs) -> Outcome {
    let info = args.table.open()?.info();
    let entry = |level: Level| Entry { level: level.name(), bot: level.bot(&info).to_string() };
    let levels: Vec<Entry> = Level::ALL.into_iter().map(entry).collect();
    if args.json {
        show::print_json(&levels)?;
    } else {
        let mut table = show::table(&["level", "bot"], 2);
        for Entry { level, bot } in levels {
            table.add_row([level.to_owned(), bot]);
        }
        show::print(&show::text_of(&table))?;
    }
    Ok(ExitCode::SUCCESS)
}
