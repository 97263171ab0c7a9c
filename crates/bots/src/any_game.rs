//! Type-erased access to games by name.

use std::sync::Arc;

use meeple_game::Game;
use meeple_games::registry::{self, NameTaken, Of};
use serde_json::Value;

use crate::position::{At, ConfigError, OpenError, Position, read_config, read_value};

/// A game behind a trait object. Only the implementation knows the type of the game.
pub(crate) trait AnyGame: Sync {
    /// Returns the initial position of the table with the JSON configuration `config`, or of the
    /// default table.
    fn open(&self, config: Option<&str>) -> Result<Box<dyn Position>, OpenError>;

    /// Returns the initial position of the table with the configuration `config`.
    fn open_value(&self, config: &Value) -> Result<Box<dyn Position>, ConfigError>;
}

impl<G: Game> AnyGame for Of<G> {
    fn open(&self, config: Option<&str>) -> Result<Box<dyn Position>, OpenError> {
        let config = config.map_or_else(|| Ok(G::Config::default()), read_config::<G>)?;
        Ok(first::<G>(config))
    }

    fn open_value(&self, config: &Value) -> Result<Box<dyn Position>, ConfigError> {
        read_value::<G>(config).map(first::<G>)
    }
}

fn first<G: Game>(config: G::Config) -> Box<dyn Position> {
    Box::new(At { state: G::new(&config), config: Arc::new(config) })
}

meeple_games::family!(Bots, AnyGame);

/// Returns the game called `name`.
pub(crate) fn find(name: &str) -> Result<&'static dyn AnyGame, registry::UnknownGame> {
    registry::find::<Bots>(name)
}

/// Registers a game of another crate, so that everything that opens games by name finds it:
/// [`open`](crate::open), bots, simulations and experiments.
///
/// # Errors
///
/// When another game has the same name.
pub fn register<G: Game>() -> Result<(), NameTaken> {
    registry::list::<G>()?;
    registry::register::<Bots, G>()
}
