//! Games by name: what this crate does for each game, behind one trait object.

use std::sync::Arc;

use meeple_game::Game;
use meeple_games::registry::{self, NameTaken, Of};
use serde_json::Value;

use crate::position::{At, ConfigError, OpenError, Position, read_config, read_value};

/// A game whose type is known where this is implemented, and nowhere above.
pub(crate) trait AnyGame: Sync {
    /// The first position at the table that the JSON `config` describes, or at the default one.
    fn open(&self, config: Option<&str>) -> Result<Box<dyn Position>, OpenError>;

    /// The first position at the table that `config` describes.
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

/// The game called `name`.
pub(crate) fn find(name: &str) -> Result<&'static dyn AnyGame, registry::UnknownGame> {
    registry::find::<Bots>(name)
}

/// Adds a game of another crate, so that everything that opens games by name finds it:
/// [`open`](crate::open), bots, simulations and experiments.
///
/// # Errors
///
/// When another game has the same name.
pub fn register<G: Game>() -> Result<(), NameTaken> {
    registry::list::<G>()?;
    registry::register::<Bots, G>()
}
