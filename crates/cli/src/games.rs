//! `meeple games`: what can be played.

use std::process::ExitCode;

use clap::Args;
use meeple_game::Game;
use meeple_games::registry::{NAMES, Visit, with_game};
use serde::Serialize;

use crate::{Outcome, show};

/// Lists the games.
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple games --json")]
pub(crate) struct GamesArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The facts of a game.
#[derive(Debug, Serialize)]
struct Facts {
    name: &'static str,
    fewest_players: usize,
    most_players: usize,
    luck: bool,
    hidden: bool,
    actions: usize,
    observation_cells: usize,
    state_bytes: usize,
}

struct Ask;

impl Visit for Ask {
    type Out = Facts;

    fn visit<G: Game>(self) -> Facts {
        Facts {
            name: G::NAME,
            fewest_players: *G::SEATS.start(),
            most_players: *G::SEATS.end(),
            luck: G::LUCK,
            hidden: G::HIDDEN,
            actions: G::ACTIONS,
            observation_cells: G::observation().len(),
            state_bytes: size_of::<G>(),
        }
    }
}

pub(crate) fn run(args: &GamesArgs) -> Outcome {
    let facts: Vec<Facts> =
        NAMES.iter().map(|name| with_game(name, Ask).expect("a listed game")).collect();
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
