//! Arguments shared by several commands, and the parsers of their values.

use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use meeple_bots::{BotSpec, OpenError, Position, open, read_config};
use meeple_game::Game;
use meeple_games::files::{is_path, read_table};
use meeple_poker::{CardSet, Variant};
use serde_json::Value;

use crate::failure::Failure;
use crate::magic::MagicArgs;

/// The largest count: exact as a JSON number.
const MAX_COUNT: u64 = 1_000_000_000_000_000;

/// A game and its configuration.
#[derive(Clone, Debug, Args)]
pub(crate) struct GameArgs {
    /// Name of the game (see `meeple games`), or the path of a game file (my.game)
    pub(crate) game: String,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

impl GameArgs {
    /// Returns the initial position.
    pub(crate) fn open(&self) -> Result<Box<dyn Position>, Failure> {
        self.config.open(&self.game, &[])
    }

    /// Parses the configuration of the game.
    pub(crate) fn read_config<G: Game>(&self) -> Result<G::Config, Failure> {
        match self.config.read(&self.game, &[])? {
            None => Ok(G::Config::default()),
            Some((place, text)) => {
                read_config::<G>(&text).map_err(|error| config_error(&place, &error))
            }
        }
    }
}

/// The configuration of a game.
#[derive(Clone, Debug, Args)]
pub(crate) struct ConfigArgs {
    /// Game configuration, as JSON or a JSON file, e.g. '{"players":3}'
    #[arg(long, value_name = "JSON|FILE")]
    config: Option<String>,
    #[command(flatten)]
    magic: MagicArgs,
}

impl ConfigArgs {
    /// Returns the initial position of `game`; `defaults` fill in missing keys.
    pub(crate) fn open(
        &self,
        game: &str,
        defaults: &[(&str, Value)],
    ) -> Result<Box<dyn Position>, Failure> {
        match self.read(game, defaults)? {
            None => open(game, None).map_err(Failure::usage),
            Some((place, text)) => {
                open(game, Some(&text)).map_err(|error| config_error(&place, &error))
            }
        }
    }

    /// Returns the source of the configuration and its text; `None` for the default one.
    fn read(
        &self,
        game: &str,
        defaults: &[(&str, Value)],
    ) -> Result<Option<(String, String)>, Failure> {
        let is_file = is_path(game);
        let (place, text) = match &self.config {
            None if self.magic.is_empty() && defaults.is_empty() && !is_file => return Ok(None),
            None => ("the command line".to_owned(), "{}".to_owned()),
            Some(given) if given.trim_start().starts_with('{') => {
                ("--config".to_owned(), given.clone())
            }
            Some(given) => {
                let text = fs::read_to_string(Path::new(given)).with_context(|| {
                    format!(
                        "cannot read the file {given:?} given by --config, expected {CONFIG_FORM}"
                    )
                });
                (given.clone(), text.map_err(Failure::Usage)?)
            }
        };
        // Parsed without the game first, to tell invalid JSON from an unknown key.
        let parsed: Value = serde_json::from_str(&text)
            .map_err(|error| Failure::Usage(anyhow!("{place}: expected {CONFIG_FORM}: {error}")))?;
        let Value::Object(mut config) = parsed else { return Ok(Some((place, text))) };
        if self.magic.is_empty() && defaults.is_empty() && !is_file {
            // The original text, so that errors refer to its lines.
            return Ok(Some((place, text)));
        }
        self.magic.add_to(game, &mut config)?;
        for (key, value) in defaults {
            config.entry(*key).or_insert_with(|| value.clone());
        }
        let mut config = Value::Object(config);
        if is_file {
            config = read_table(game.trim().as_ref(), Some(&config)).map_err(Failure::usage)?;
        }
        Ok(Some((place, config.to_string())))
    }
}

/// The expected form of `--config`.
const CONFIG_FORM: &str =
    r#"JSON such as '{"players":3}' with its keys in double quotes, or a file of it"#;

fn config_error(place: &str, error: &OpenError) -> Failure {
    match error {
        OpenError::Game(_) => Failure::Usage(anyhow!("{error}")),
        OpenError::Config { .. } => Failure::Usage(anyhow!("{place}: {error}")),
    }
}

/// The random seed and the number of threads.
#[derive(Clone, Debug, Args)]
pub(crate) struct RunArgs {
    /// Random seed; the same seed gives the same results
    #[arg(long, value_name = "N", value_parser = seed, default_value = "0")]
    pub(crate) seed: u64,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// Parses a random seed.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

/// Parses a count such as `1000`, `1_000_000`, `1e6`.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    let digits = text.replace('_', "");
    let plain = digits.parse::<u64>().ok();
    let number = plain.or_else(|| {
        let number = digits.parse::<f64>().ok()?;
        (number.fract() == 0.0 && (1.0..=MAX_COUNT as f64).contains(&number))
            .then_some(number as u64)
    });
    match number {
        Some(number) if (1..=MAX_COUNT).contains(&number) => Ok(number),
        _ => Err(format!("expected a whole number from 1 to {MAX_COUNT}, such as 1000 or 1e6")),
    }
}

/// Parses cards; `place` names the argument in errors.
pub(crate) fn cards(place: &str, text: &str) -> Result<CardSet, Failure> {
    text.parse().map_err(|error| Failure::Usage(anyhow!("{place}: {error}")))
}

/// A poker variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PokerGame {
    /// Texas hold'em
    Holdem,
    /// Short-deck hold'em (36 cards)
    ShortDeck,
    /// Omaha with four hole cards
    Omaha,
    /// Omaha with five hole cards
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

/// Parses `bot,bot,…`, where commas also separate the options of a bot:
/// `random,flat:playouts=10,random`.
pub(crate) fn bots(text: &str) -> Result<Vec<BotSpec>, meeple_bots::Error> {
    split_bots(text).iter().map(|spec| spec.parse()).collect()
}

/// Splits a list of bots at the commas that do not separate options.
pub(crate) fn split_bots(text: &str) -> Vec<String> {
    let mut specs: Vec<String> = Vec::new();
    for part in text.split(',') {
        match specs.last_mut() {
            // An option of the previous bot: only options have an equals sign
            // without a colon before it.
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
    fn counts_are_parsed() {
        assert_eq!(count("1000"), Ok(1000));
        assert_eq!(count("1_000"), Ok(1000));
        assert_eq!(count("1e6"), Ok(1_000_000));
        assert_eq!(count("2.5e3"), Ok(2500));
        for wrong in ["0", "-1", "1.5", "1e30", "many", "", "inf", "NaN"] {
            assert!(count(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn bots_and_their_options_are_separated() {
        let read = bots("random,flat:playouts=10,greedy").unwrap();
        let written: Vec<String> = read.iter().map(ToString::to_string).collect();
        assert_eq!(written, ["random", "flat:playouts=10", "greedy"]);
        assert!(bots("flat:playouts=1,playouts=2").is_err());
        assert!(bots("random,").is_err());
    }
}
