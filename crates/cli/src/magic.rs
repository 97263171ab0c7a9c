//! Magic on the command line: decks, card files, statistics.

use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow};
use clap::Args;
use meeple_games::did_you_mean;
use meeple_games::magic::language::Card;
use meeple_games::magic::{SeatStats, Stats, cards, decks, english};
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::show;

/// The configuration of a game of Magic.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct MagicArgs {
    /// Magic: two decks, each a built-in name or a deck file (plain list, or exported by MTG
    /// Arena, MTGO, Forge, XMage or Magic Workstation)
    #[arg(long, value_name = "A,B", value_delimiter = ',', num_args = 1)]
    decks: Vec<String>,
    /// Magic: a named pair of decks: ogre, default, cli, mix
    #[arg(long, value_name = "NAME", conflicts_with = "decks")]
    matchup: Option<String>,
    /// Magic: a card file to use besides the built-in cards
    #[arg(long, value_name = "FILE")]
    cards: Vec<String>,
}

impl MagicArgs {
    pub(crate) fn is_empty(&self) -> bool {
        self.decks.is_empty() && self.matchup.is_none() && self.cards.is_empty()
    }

    /// Adds these options to `config`, the configuration of `game`.
    pub(crate) fn add_to(
        &self,
        game: &str,
        config: &mut Map<String, Value>,
    ) -> Result<(), Failure> {
        let usage = |problem: String| Failure::Usage(anyhow!(problem));
        if self.is_empty() {
            return Ok(());
        }
        if !game.trim().eq_ignore_ascii_case("magic") {
            return Err(usage(format!("--decks, --matchup and --cards are for magic, not {game}")));
        }
        let files = self.cards.iter().map(|file| Ok((file.clone(), read("--cards", file)?)));
        let files: Vec<(String, String)> = files.collect::<Result<_, Failure>>()?;
        let custom = cards::load(&files).map_err(|errors| {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            usage(errors.join("\n"))
        })?;
        let pool: Vec<Card> = cards::builtin().iter().cloned().chain(custom).collect();
        let mut put = |key: &str, value: Value| match config.insert(key.into(), value) {
            None => Ok(()),
            Some(_) => Err(usage(format!(
                "--{key}: the configuration given by --config already has {key}"
            ))),
        };
        if !files.is_empty() {
            let texts = files.into_iter().map(|(name, text)| (name, json!(text)));
            put("cards", Value::Object(texts.collect()))?;
        }
        if let Some(name) = &self.matchup {
            put("matchup", json!(name))?;
        }
        match &self.decks[..] {
            [] => {}
            [first, second] => {
                put("decks", json!([deck(first, &pool)?, deck(second, &pool)?]))?;
            }
            other => {
                let count = other.len();
                return Err(usage(format!(
                    "--decks: expected two decks such as a,b, found {count}"
                )));
            }
        }
        Ok(())
    }
}

/// Returns the configuration value of a deck: its name, or the cards of its file.
fn deck(name: &str, pool: &[Card]) -> Result<Value, Failure> {
    let endings = [".deck", ".dec", ".dck", ".txt"];
    let is_file = endings.iter().any(|ending| name.ends_with(ending)) || Path::new(name).is_file();
    if decks::find(name).is_some() || !is_file {
        return Ok(json!(name));
    }
    let deck = decks::read(name, &read("--decks", name)?, pool).map_err(Failure::usage)?;
    let counts = |cards: decks::CardCounts| -> Map<String, Value> {
        cards.into_iter().map(|(card, count)| (card, json!(count))).collect()
    };
    let mut listed = json!({ "name": deck.name, "cards": counts(deck.cards) });
    if !deck.sideboard.is_empty() {
        listed["sideboard"] = counts(deck.sideboard).into();
    }
    Ok(listed)
}

/// Returns the English text of a card in a game with this configuration.
///
/// # Errors
///
/// A message, if there is no such card.
pub(crate) fn card_text(config: &Value, name: &str) -> Result<String, String> {
    let files: Vec<(String, String)> = (config.get("cards").and_then(Value::as_object))
        .into_iter()
        .flatten()
        .filter_map(|(file, text)| Some((file.clone(), text.as_str()?.to_owned())))
        .collect();
    // The game was created from these files, so they are valid.
    let custom = cards::load(&files).unwrap_or_default();
    let pool: Vec<Card> = custom.into_iter().chain(cards::builtin().iter().cloned()).collect();
    match cards::find(&pool, name) {
        Some(card) => Ok(english::describe(card)),
        None => {
            let near = did_you_mean(name, pool.iter().map(|card| &*card.name));
            let near = near.map(|near| format!(", {near}")).unwrap_or_default();
            Err(format!("no card {name:?}{near}"))
        }
    }
}

fn read(option: &str, file: &str) -> Result<String, Failure> {
    fs::read_to_string(file)
        .with_context(|| format!("cannot read the file {file:?} given by {option}"))
        .map_err(Failure::Usage)
}

/// A row of the statistics table: its name, and the value of a seat.
type Row = (&'static str, fn(&SeatStats) -> u64);

const ROWS: [Row; 7] = [
    ("lands", |seat| seat.lands),
    ("spells", |seat| seat.spells),
    ("attacks", |seat| seat.attacks),
    ("blocks", |seat| seat.blocks),
    ("damage taken", |seat| seat.damage_taken),
    ("mana spent", |seat| seat.mana_spent),
    ("mana wasted", |seat| seat.mana_wasted),
];

/// Formats the statistics of `games` games with `decisions` decisions as a table.
pub(crate) fn stats_text(stats: &Stats, games: u64, decisions: u64) -> String {
    let mean = |count: u64| format!("{:.2}", count as f64 / games.max(1) as f64);
    let headings = ["per game", "seat 0", "seat 1"];
    let mut table = show::table(&headings, 1);
    for (name, of) in ROWS {
        table.add_row([name.to_owned(), mean(of(&stats.seats[0])), mean(of(&stats.seats[1]))]);
    }
    let each = |count: u64| count as f64 / decisions.max(1) as f64;
    format!(
        "\n{}\n{:.2} steps and {:.2} rounds of priority per decision\n",
        show::text_of(&table).trim_end(),
        each(stats.steps),
        each(stats.rounds),
    )
}
