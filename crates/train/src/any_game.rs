//! Games by name: what training needs of the type of a game, behind one trait object.

use meeple_bots::Position;
use meeple_game::{Game, Symmetry, symmetries};
use meeple_games::files::{file_table, type_of};
use meeple_games::registry::{self, NameTaken, Of, UnknownGame};
use meeple_net::{NetEvaluator, Predictor};
use serde_json::Value;

use crate::TrainError;
use crate::self_play::{PlayedGame, SelfPlay, state_of};

/// A game type behind a trait object: the loops that must know it to be fast.
pub(crate) trait AnyGame: Sync {
    /// Returns the symmetries of the table of `start`.
    fn symmetries(&self, start: &dyn Position) -> Vec<Symmetry>;

    /// Plays the games with these numbers by `network`; see [`SelfPlay::play`].
    fn play(
        &self,
        play: &SelfPlay<'_>,
        network: &Predictor,
        games: &[u64],
        take: &mut dyn FnMut(PlayedGame) -> Result<(), TrainError>,
    ) -> Result<bool, TrainError>;
}

impl<G: Game> AnyGame for Of<G> {
    fn symmetries(&self, start: &dyn Position) -> Vec<Symmetry> {
        symmetries(state_of::<G>(start))
    }

    fn play(
        &self,
        play: &SelfPlay<'_>,
        network: &Predictor,
        games: &[u64],
        take: &mut dyn FnMut(PlayedGame) -> Result<(), TrainError>,
    ) -> Result<bool, TrainError> {
        let evaluator = NetEvaluator::new(state_of::<G>(play.start), network.clone())?;
        play.play::<G, _>(games, || evaluator.clone(), take)
    }
}

meeple_games::family!(Training, AnyGame);

/// Returns the game of a table.
pub(crate) fn find(game: &str, table: &Value) -> Result<&'static dyn AnyGame, UnknownGame> {
    let file = file_table(game, Some(table)).map(|table| type_of(&table));
    registry::find::<Training>(file.unwrap_or(game))
}

/// Registers a game of another crate, so that it can be trained and played by bots.
///
/// # Errors
///
/// When another game has the same name.
pub fn register<G: Game>() -> Result<(), NameTaken> {
    meeple_bots::register::<G>()?;
    registry::register::<Training, G>()
}
