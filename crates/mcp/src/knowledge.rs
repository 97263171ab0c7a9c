//! What agents may look up: games, rules and cards.

use meeple_bots::Level;
use meeple_games::files::LargeFileConfig;
use meeple_games::guide;
use meeple_games::magic::{cards, english};
use meeple_games::registry;
use serde::Deserialize;
use serde_json::{Value, json};

/// The most suggestions for an unknown name.
const SUGGESTIONS: usize = 3;

/// Lists the games.
pub(crate) fn games() -> Value {
    let games = registry::infos().into_iter().map(|info| {
        json!({
            "game": info.name,
            "min_players": info.min_players,
            "max_players": info.max_players,
            "chance": info.chance,
            "imperfect_information": info.imperfect_information,
        })
    });
    Value::Array(games.collect())
}

/// Returns the rules of a game, how its moves are written, the keys of its configuration, and
/// its levels.
pub(crate) fn rules(game: &str) -> Result<String, String> {
    let guide = guide(game).map_err(|error| error.to_string())?;
    let table = meeple_bots::open(game, None).map_err(|error| error.to_string())?;
    let info = table.info();
    let mut text = format!("# {}\n\n", info.name);
    if let Some(guide) = guide {
        text.push_str(&format!("{}\n\nMoves: {}\n", guide.rules, guide.moves));
        for key in guide.table {
            let line =
                format!("\nConfiguration `{}`: {}; default {}", key.name, key.meaning, key.default);
            text.push_str(&line);
        }
    }
    if let Ok(config) = LargeFileConfig::deserialize(&table.config()) {
        let remarks = config.text().lines().take_while(|line| line.starts_with('#'));
        for line in remarks {
            text.push_str(line.trim_start_matches(['#', ' ']));
            text.push('\n');
        }
        text.push_str(&format!("\nThe rules as a game file:\n\n{}\n", config.text()));
    }
    text.push_str("\n\nOpponents by level:");
    for level in Level::ALL {
        text.push_str(&format!(" {level} ({})", level.bot(&info)));
    }
    text.push('\n');
    Ok(text)
}

/// Returns the text of a Magic card.
pub(crate) fn card(name: &str) -> Result<String, String> {
    let same = |known: &str| known.eq_ignore_ascii_case(name.trim());
    if let Some(card) = cards::builtin().iter().find(|card| same(&card.name)) {
        return Ok(english::describe(card).trim().to_owned());
    }
    let mut near: Vec<(f64, &str)> = (cards::builtin().iter())
        .map(|card| {
            (strsim::jaro_winkler(&card.name.to_lowercase(), &name.to_lowercase()), &*card.name)
        })
        .collect();
    near.sort_by(|one, other| other.0.total_cmp(&one.0));
    let near: Vec<&str> = near.iter().take(SUGGESTIONS).map(|&(_, name)| name).collect();
    Err(format!("no card {:?}; the nearest are {}", short(name), near.join(", ")))
}

/// The first 60 characters of text of a client.
fn short(text: &str) -> String {
    text.chars().take(60).collect()
}
