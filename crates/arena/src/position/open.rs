//! Positions from the name of a game and the configuration of a table.

use meeple_game::Game;
use meeple_games::registry::UnknownGame;

use super::Position;
use crate::any_game;

/// Why there is no such table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// No game has this name.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The configuration is none of the game.
    #[error("{}{reason} in the table of {game}", if field.is_empty() { String::new() } else { format!("{field}: ") })]
    Config {
        /// The game.
        game: &'static str,
        /// The field that is wrong; empty where it is the whole.
        field: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// The first position of the game called `game`, at the table that the JSON `config`
/// describes, or at the usual one.
///
/// ```
/// let position = meeple_arena::open("pig", Some(r#"{"players": 4}"#))?;
/// assert_eq!(position.players(), 4);
/// let error = meeple_arena::open("pig", Some(r#"{"players": 40}"#)).unwrap_err();
/// assert!(error.to_string().starts_with("players: "), "{error}");
/// # Ok::<_, meeple_arena::OpenError>(())
/// ```
///
/// # Errors
///
/// When there is no such game or table.
pub fn open(game: &str, config: Option<&str>) -> Result<Box<dyn Position>, OpenError> {
    any_game::find(game)?.open(config)
}

/// Reads the configuration of a table from JSON.
///
/// # Errors
///
/// When it is none; the error names the field.
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
