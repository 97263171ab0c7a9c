//! Arguments that several commands share, and how their values are read.

use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use meeple_arena::{BotSpec, OpenError, Position, open, read_config};
use meeple_game::Game;
use meeple_poker::{CardSet, Variant};
use serde_json::Value;

use crate::failure::Failure;
use crate::magic::MagicArgs;

/// The most that a count may be: enough for years of work, and exact in JSON.
const MOST: u64 = 1_000_000_000_000_000;

/// Which game, at which table.
#[derive(Clone, Debug, Args)]
pub(crate) struct GameArgs {
    /// The game, as `meeple games` lists it
    pub(crate) game: String,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

impl GameArgs {
    /// The first position at the table.
    pub(crate) fn open(&self) -> Result<Box<dyn Position>, Failure> {
        self.table.open(&self.game, &[])
    }

    /// Reads the configuration of the game.
    pub(crate) fn read_config<G: Game>(&self) -> Result<G::Config, Failure> {
        match self.table.read(&self.game, &[])? {
            None => Ok(G::Config::default()),
            Some((place, text)) => {
                read_config::<G>(&text).map_err(|error| wrong_table(&place, &error))
            }
        }
    }
}

/// Which table of a game.
#[derive(Clone, Debug, Args)]
pub(crate) struct TableArgs {
    /// The table, as JSON or a file of it, such as '{"players":3}'
    #[arg(long, value_name = "JSON|FILE")]
    config: Option<String>,
    #[command(flatten)]
    magic: MagicArgs,
}

impl TableArgs {
    /// The first position of `game`; `defaults` hold for keys that the table leaves out.
    pub(crate) fn open(
        &self,
        game: &str,
        defaults: &[(&str, Value)],
    ) -> Result<Box<dyn Position>, Failure> {
        match self.read(game, defaults)? {
            None => open(game, None).map_err(Failure::usage),
            Some((place, text)) => {
                open(game, Some(&text)).map_err(|error| wrong_table(&place, &error))
            }
        }
    }

    /// Where the table is described, and how; nothing if it is the usual one.
    fn read(
        &self,
        game: &str,
        defaults: &[(&str, Value)],
    ) -> Result<Option<(String, String)>, Failure> {
        let (place, text) = match &self.config {
            None if self.magic.is_empty() && defaults.is_empty() => return Ok(None),
            None => ("the command line".to_owned(), "{}".to_owned()),
            Some(given) if given.trim_start().starts_with('{') => {
                ("--config".to_owned(), given.clone())
            }
            Some(given) => {
                let text = fs::read_to_string(Path::new(given)).with_context(|| {
                    format!("cannot read the file {given:?} given by --config, expected {TABLE}")
                });
                (given.clone(), text.map_err(Failure::Usage)?)
            }
        };
        // Read once without a game: what is no JSON at all is told apart from a wrong key.
        let table: Value = serde_json::from_str(&text)
            .map_err(|error| Failure::Usage(anyhow!("{place}: expected {TABLE}: {error}")))?;
        let Value::Object(mut table) = table else { return Ok(Some((place, text))) };
        if self.magic.is_empty() && defaults.is_empty() {
            // As it was written: errors then say the line.
            return Ok(Some((place, text)));
        }
        self.magic.add_to(game, &mut table)?;
        for (key, value) in defaults {
            table.entry(*key).or_insert_with(|| value.clone());
        }
        Ok(Some((place, Value::Object(table).to_string())))
    }
}

/// What a table looks like.
const TABLE: &str =
    r#"JSON such as '{"players":3}' with its keys in double quotes, or a file of it"#;

fn wrong_table(place: &str, error: &OpenError) -> Failure {
    match error {
        OpenError::Game(_) => Failure::Usage(anyhow!("{error}")),
        OpenError::Config { .. } => Failure::Usage(anyhow!("{place}: {error}")),
    }
}

/// Where luck comes from, and how many threads work.
#[derive(Clone, Debug, Args)]
pub(crate) struct RunArgs {
    /// Where all luck comes from: the same seed gives the same results
    #[arg(long, value_name = "N", value_parser = seed, default_value = "0")]
    pub(crate) seed: u64,
    /// Threads to use; as many as there are cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// Reads a random seed.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

/// Reads a count such as `1000`, `1_000_000`, `1e6`.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    let digits = text.replace('_', "");
    let plain = digits.parse::<u64>().ok();
    let number = plain.or_else(|| {
        let number = digits.parse::<f64>().ok()?;
        (number.fract() == 0.0 && (1.0..=MOST as f64).contains(&number)).then_some(number as u64)
    });
    match number {
        Some(number) if (1..=MOST).contains(&number) => Ok(number),
        _ => Err(format!("expected a whole number from 1 to {MOST}, such as 1000 or 1e6")),
    }
}

/// Reads cards; `place` says where they were given.
pub(crate) fn cards(place: &str, text: &str) -> Result<CardSet, Failure> {
    text.parse().map_err(|error| Failure::Usage(anyhow!("{place}: {error}")))
}

/// A poker game, as the command line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PokerGame {
    /// Texas hold'em
    Holdem,
    /// Hold'em with 36 cards
    ShortDeck,
    /// Omaha with four cards each
    Omaha,
    /// Omaha with five cards each
    Omaha5,
}

impl PokerGame {
    pub(crate) fn variant(self) -> Variant {
        match self {
            Self::Holdem => Variant::Holdem,
            Self::ShortDeck => Variant::ShortDeck,
            Self::Omaha => Variant::Omaha,
            Self::Omaha5 => Variant::Omaha5,
        }
    }
}

/// Reads `bot,bot,…`, where commas also part the options of a bot:
/// `random,flat:playouts=10,random`.
pub(crate) fn bots(text: &str) -> Result<Vec<BotSpec>, meeple_arena::Error> {
    split_bots(text).iter().map(|spec| spec.parse()).collect()
}

/// Parts a list of bots at the commas that are not within the options of one.
pub(crate) fn split_bots(text: &str) -> Vec<String> {
    let mut specs: Vec<String> = Vec::new();
    for part in text.split(',') {
        match specs.last_mut() {
            // An option of the bot before it: only options have an equals sign
            // without a colon in front.
            Some(last) if part.contains('=') && !part.contains(':') => {
                last.push(',');
                last.push_str(part);
            }
            _ => specs.push(part.to_owned()),
        }
    }
    specs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read() {
        assert_eq!(count("1000"), Ok(1000));
        assert_eq!(count("1_000"), Ok(1000));
        assert_eq!(count("1e6"), Ok(1_000_000));
        assert_eq!(count("2.5e3"), Ok(2500));
        for wrong in ["0", "-1", "1.5", "1e30", "many", "", "inf", "NaN"] {
            assert!(count(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn bots_and_their_options_are_told_apart() {
        let read = bots("random,flat:playouts=10,greedy").unwrap();
        let written: Vec<String> = read.iter().map(ToString::to_string).collect();
        assert_eq!(written, ["random", "flat:playouts=10", "greedy"]);
        assert!(bots("flat:playouts=1,playouts=2").is_err());
        assert!(bots("random,").is_err());
    }
}
