//! `meeple games`: the list of games, and the description of each.

use std::process::ExitCode;

use clap::Args;
use meeple_bots::{BotSpec, open};
use meeple_game::GameInfo;
use meeple_games::files::LargeFileConfig;
use meeple_games::registry;
use meeple_games::{Guide, Key, guide};
use serde::{Deserialize, Serialize};

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
    let games = registry::infos();
    if json {
        return show::print_json(&games);
    }
    let headings = ["game", "players", "chance", "hidden", "actions", "cells", "state bytes"];
    let mut table = show::table(&headings, 4);
    let yes_no = |fact: bool| if fact { "yes" } else { "no" }.to_owned();
    for game in &games {
        table.add_row([
            game.name.to_owned(),
            players(game),
            yes_no(game.chance),
            yes_no(game.imperfect_information),
            game.actions.to_string(),
            game.observation.len().to_string(),
            game.state_bytes.to_string(),
        ]);
    }
    show::print(&show::text_of(&table))
}

fn players(game: &GameInfo) -> String {
    if game.min_players == game.max_players {
        game.max_players.to_string()
    } else {
        format!("{}-{}", game.min_players, game.max_players)
    }
}

/// The description of a game in JSON.
#[derive(Serialize)]
struct Description {
    #[serde(flatten)]
    info: GameInfo,
    #[serde(skip_serializing_if = "Option::is_none")]
    guide: Option<&'static Guide>,
    bots: Vec<&'static str>,
}

fn describe(name: &str, json: bool) -> Result<(), Failure> {
    let guide = guide(name).map_err(Failure::usage)?;
    let table = open(name, None).map_err(Failure::usage)?;
    let bots = bots_for(&*table);
    let info = table.info();
    if json {
        return show::print_json(&Description { info, guide, bots });
    }
    let (heading, mut text) = (show::HEADING, String::new());
    let kind = match (info.chance, info.imperfect_information) {
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
        info.name,
        players(&info)
    ));
    if let Some(guide) = guide {
        text.push_str(&part("Rules", guide.rules));
        text.push_str(&part("Moves", guide.moves));
        text.push_str(&match guide.table {
            [] => part("Configuration", "none"),
            keys => table_keys(keys),
        });
    }
    if let Ok(config) = LargeFileConfig::deserialize(&table.config()) {
        text.push_str(&part("Rules", &remarks(config.text())));
        let lines = config.text().lines().filter(|line| !line.starts_with('#'));
        let lines: String = lines.map(|line| format!("  {line}\n")).collect();
        let file = show::wrapped(&lines, "    ");
        text.push_str(&format!("\n{heading}File{heading:#}\n{file}"));
        text.push_str(&part(
            "Moves",
            "d4 places, a2-a3 moves, a3xb4 captures; words of the file are said as they are.",
        ));
        let options = config.program().options().iter();
        let options: Vec<String> =
            options.map(|(name, value)| format!("{name} (default {value})")).collect();
        let options = if options.is_empty() { "none".to_owned() } else { options.join(", ") };
        text.push_str(&part("Configuration", &options));
    }
    text.push_str(&part("Bots", &bots.join(", ")));
    text.push_str(&part("Play", &format!("meeple play {}", info.name)));
    show::print(&text)
}

/// The remarks at the head of a game file, as one paragraph.
fn remarks(file: &str) -> String {
    let lines = file.lines().take_while(|line| line.starts_with('#'));
    let lines: Vec<&str> = lines.map(|line| line.trim_start_matches(['#', ' '])).collect();
    lines.join(" ")
}

/// The keys of a table's configuration, one a line.
fn table_keys(keys: &[Key]) -> String {
    let heading = show::HEADING;
    let mut text =
        format!("\n{heading}Configuration{heading:#}, set by --config '{{\"key\":value}}'\n");
    let widest = keys.iter().map(|key| key.name.len()).max().unwrap_or(0);
    for key in keys {
        let line = format!("  {:widest$}  {}; default {}", key.name, key.meaning, key.default);
        text.push_str(&show::wrapped(&line, &" ".repeat(widest + 2)));
    }
    text
}

/// The bots that can play at `table` as their names stand, without options.
fn bots_for(table: &dyn meeple_bots::Position) -> Vec<&'static str> {
    let plays = |name: &&str| match name.parse::<BotSpec>() {
        // No program is started for a list.
        Ok(BotSpec::External(_)) => table.info().name == "backgammon",
        Ok(spec) => table.bot(&spec).is_ok(),
        // Other programs need a command; those that speak UCI play chess alone.
        Err(_) => *name == "program" || *name == "uci" && table.info().name == "chess",
    };
    BotSpec::names().into_iter().filter(plays).collect()
}
