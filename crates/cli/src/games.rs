//! `meeple games`: what can be played.

use std::process::ExitCode;

use clap::Args;
use meeple_games::registry::facts;

use crate::{Outcome, show};

/// Lists the games.
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple games --json")]
pub(crate) struct GamesArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &GamesArgs) -> Outcome {
    let facts = facts();
    if args.json {
        show::print_json(&facts)?;
        return Ok(ExitCode::SUCCESS);
    }
    let headings =
        ["game", "players", "luck", "hidden", "actions", "observation", "bytes of state"];
    let mut table = show::table(&headings, 4);
    for game in &facts {
        let players = if game.fewest_players == game.most_players {
            game.most_players.to_string()
        } else {
            format!("{}-{}", game.fewest_players, game.most_players)
        };
        let yes_no = |fact: bool| if fact { "yes" } else { "no" }.to_owned();
        table.add_row([
            game.name.to_owned(),
            players,
            yes_no(game.luck),
            yes_no(game.hidden),
            game.actions.to_string(),
            game.observation_cells.to_string(),
            game.state_bytes.to_string(),
        ]);
    }
    show::print(&show::text_of(&table))?;
    Ok(ExitCode::SUCCESS)
}
