//! `meeple games`: the list of games, and the description of each.

use std::process::ExitCode;

use clap::Args;
use meeple_arena::{BotSpec, open};
use meeple_games::registry::{Facts, facts};
use meeple_games::{Guide, guide};
use serde::Serialize;

use crate::failure::Failure;
use crate::{Outcome, show};

/// List the games, or describe one
#[derive(Debug, Args)]
#[command(after_help = "Example: meeple games\n         meeple games holdem")]
pub(crate) struct GamesArgs {
    /// Describe this game: rules, moves, configuration, bots
    game: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &GamesArgs) -> Outcome {
    match &args.game {
        Some(game) => describe(game, args.json)?,
        None => list(args.json)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn list(json: bool) -> Result<(), Failure> {
    let facts = facts();
    if json {
        return show::print_json(&facts);
    }
    let headings = ["game", "players", "chance", "hidden", "actions", "cells", "state bytes"];
    let mut table = show::table(&headings, 4);
    let yes_no = |fact: bool| if fact { "yes" } else { "no" }.to_owned();
    for game in &facts {
        table.add_row([
            game.name.to_owned(),
            players(game),
            yes_no(game.luck),
            yes_no(game.hidden),
            game.actions.to_string(),
            game.observation_cells.to_string(),
            game.state_bytes.to_string(),
        ]);
    }
    show::print(&show::text_of(&table))
}

fn players(game: &Facts) -> String {
    if game.fewest_players == game.most_players {
        game.most_players.to_string()
    } else {
        format!("{}-{}", game.fewest_players, game.most_players)
    }
}

/// The description of a game in JSON.
#[derive(Serialize)]
struct Description {
    #[serde(flatten)]
    facts: Facts,
    guide: Guide,
    bots: Vec<&'static str>,
}

fn describe(name: &str, json: bool) -> Result<(), Failure> {
    let guide = *guide(name).map_err(Failure::usage)?;
    let table = open(guide.game, None).map_err(Failure::usage)?;
    let bots = bots_for(&*table);
    let facts = table.facts();
    if json {
        return show::print_json(&Description { facts, guide, bots });
    }
    let (heading, mut text) = (show::HEADING, String::new());
    let kind = match (facts.luck, facts.hidden) {
        (false, false) => "no chance, perfect information",
        (true, false) => "chance, perfect information",
        (false, true) => "no chance, imperfect information",
        (true, true) => "chance, imperfect information",
    };
    let part = |title: &str, body: &str| {
        format!("\n{heading}{title}{heading:#}\n{}", show::wrapped(&format!("  {body}"), ""))
    };
    text.push_str(&format!(
        "{heading}{}{heading:#}: {} players, {kind}\n",
        guide.game,
        players(&facts)
    ));
    text.push_str(&part("Rules", guide.rules));
    text.push_str(&part("Moves", guide.moves));
    if guide.table.is_empty() {
        text.push_str(&part("Configuration", "none"));
    } else {
        text.push_str(&format!(
            "\n{heading}Configuration{heading:#}, set by --config '{{\"key\":value}}'\n"
        ));
        let widest = guide.table.iter().map(|key| key.name.len()).max().unwrap_or(0);
        for key in guide.table {
            let line = format!("  {:widest$}  {}; default {}", key.name, key.meaning, key.default);
            text.push_str(&show::wrapped(&line, &" ".repeat(widest + 2)));
        }
    }
    text.push_str(&part("Bots", &bots.join(", ")));
    text.push_str(&part("Play", &format!("meeple play {}", guide.game)));
    show::print(&text)
}

/// Returns the bots that can play this game without further options.
fn bots_for(table: &dyn meeple_arena::Position) -> Vec<&'static str> {
    let plays = |name: &&str| match name.parse::<BotSpec>() {
        Ok(spec) => table.bot(&spec).is_ok(),
        // External programs need a command; UCI engines play only chess.
        Err(_) => *name == "program" || *name == "uci" && table.facts().name == "chess",
    };
    BotSpec::NAMES.iter().copied().filter(plays).collect()
}
