//! Opening positions by the name of a game and the configuration of a table.

use std::borrow::Cow;

use meeple_game::Game;
use meeple_games::files::{file_table, type_of};
use meeple_games::registry::UnknownGame;
use serde::Deserialize;
use serde_json::Value;

use super::Position;
use crate::any_game;

/// The error of opening a table from JSON text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// No game has this name.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The configuration is invalid.
    #[error("{}{reason} in the table of {game}", if field.is_empty() { String::new() } else { format!("{field}: ") })]
    Config {
        /// The game.
        game: &'static str,
        /// The invalid field; empty for the whole configuration.
        field: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// The error of an invalid configuration.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct ConfigError {
    /// The game.
    pub game: &'static str,
    /// The path of the invalid value.
    pub path: serde_path_to_error::Path,
    /// What is wrong there.
    pub reason: String,
}

/// The error of opening a table from a JSON value.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ValueError {
    /// No game has this name.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The configuration is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

/// Returns the initial position of the game called `game`, at the table with the JSON
/// configuration `config`, or at the default table.
///
/// ```
/// let position = meeple_bots::open("pig", Some(r#"{"players": 4}"#))?;
/// assert_eq!(position.players(), 4);
/// let error = meeple_bots::open("pig", Some(r#"{"players": 40}"#)).unwrap_err();
/// assert!(error.to_string().starts_with("players: "), "{error}");
/// # Ok::<_, meeple_bots::OpenError>(())
/// ```
///
/// # Errors
///
/// When the game is unknown or the configuration invalid.
pub fn open(game: &str, config: Option<&str>) -> Result<Box<dyn Position>, OpenError> {
    let (game, config) = resolve(game, config);
    any_game::find(&game)?.open(config.as_deref())
}

/// Returns the name by which the registry knows the game of a table, and its configuration: all
/// games in files are one or two games there, whose configuration holds the text of the file.
#[must_use]
pub fn resolve<'a>(game: &'a str, config: Option<&'a str>) -> (Cow<'a, str>, Option<Cow<'a, str>>) {
    let parsed: Option<Value> = config.and_then(|text| serde_json::from_str(text).ok());
    // What is not JSON is refused when it is read as a configuration.
    let is_readable = config.is_none() || parsed.is_some();
    match file_table(game, parsed.as_ref()).filter(|_| is_readable) {
        Some(table) => (type_of(&table).into(), Some(table.to_string().into())),
        None => (game.into(), config.map(Cow::Borrowed)),
    }
}

/// Returns the initial position of the game called `game`, at the table with the configuration
/// `config`.
///
/// # Errors
///
/// When the game is unknown or the configuration invalid.
pub fn open_value(game: &str, config: &Value) -> Result<Box<dyn Position>, ValueError> {
    match file_table(game, Some(config)) {
        Some(table) => Ok(any_game::find(type_of(&table))?.open_value(&table)?),
        None => Ok(any_game::find(game)?.open_value(config)?),
    }
}

/// Reads the configuration of a table from a JSON value.
pub(crate) fn read_value<G: Game>(value: &Value) -> Result<G::Config, ConfigError> {
    let mut track = serde_path_to_error::Track::new();
    let reader = serde_path_to_error::Deserializer::new(value, &mut track);
    G::Config::deserialize(reader).map_err(|error| ConfigError {
        game: G::NAME,
        path: track.path(),
        reason: error.to_string(),
    })
}

/// Reads the configuration of a table from JSON.
///
/// # Errors
///
/// When the configuration is invalid; the error names the field.
pub fn read_config<G: Game>(text: &str) -> Result<G::Config, OpenError> {
    let wrong = |field: String, reason: &serde_json::Error| OpenError::Config {
        game: G::NAME,
        field: if field == "." { String::new() } else { field },
        reason: reason.to_string(),
    };
    let mut reader = serde_json::Deserializer::from_str(text);
    let config = serde_path_to_error::deserialize(&mut reader)
        .map_err(|error| wrong(error.path().to_string(), error.inner()))?;
    reader.end().map_err(|error| wrong(String::new(), &error))?;
    Ok(config)
}
