//! A game that was read from a notation format: PGN, MAT or PHH.

use meeple_game::{Action, Game};
use serde_json::Value;

/// A game that was read from a notation format, as actions of one of the built-in games.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedGame {
    /// The name of the game.
    pub game: &'static str,
    /// Its configuration.
    pub config: Value,
    /// The players' names, one for each seat; `?` where the file has none.
    pub names: Vec<String>,
    /// All actions and chance outcomes, which are legal.
    pub actions: Vec<Action>,
    /// The payoff of each seat.
    pub payoffs: Vec<f32>,
}

impl RecordedGame {
    /// Creates the record of actions that are known to be legal.
    pub(crate) fn new<G: Game>(
        config: &G::Config,
        mut names: Vec<String>,
        actions: Vec<Action>,
    ) -> Self {
        let mut game = G::new(config);
        actions.iter().for_each(|&action| game.apply(action));
        names.resize(game.players(), "?".into());
        Self {
            game: game.name(),
            config: serde_json::to_value(config).unwrap_or(Value::Null),
            names,
            payoffs: game.payoffs()[..game.players()].to_vec(),
            actions,
        }
    }
}
