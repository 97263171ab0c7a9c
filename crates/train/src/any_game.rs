//! Games by name: training and evaluation of each game, behind one trait object.

use meeple_game::Game;
use meeple_games::files::{FileGame, file_table};
use meeple_games::registry::{self, NameTaken, Of, UnknownGame};
use serde_json::Value;

use crate::TrainError;
use crate::evaluate::{EvaluateOptions, Evaluated, evaluate_network};
use crate::progress::TrainProgress;
use crate::run::Trained;
use crate::start::{Begin, Resume};

/// A game type behind a trait object: callers select it by name at run time.
pub(crate) trait AnyGame: Sync {
    /// Trains from scratch.
    fn begin(&self, run: Begin<'_>) -> Result<Trained, TrainError>;

    /// Resumes a run.
    fn resume(&self, run: Resume<'_>) -> Result<Trained, TrainError>;

    /// Measures a network.
    fn evaluate(
        &self,
        options: &EvaluateOptions,
        progress: &TrainProgress,
    ) -> Result<Evaluated, TrainError>;
}

impl<G: Game> AnyGame for Of<G> {
    fn begin(&self, run: Begin<'_>) -> Result<Trained, TrainError> {
        run.train::<G>()
    }

    fn resume(&self, run: Resume<'_>) -> Result<Trained, TrainError> {
        run.train::<G>()
    }

    fn evaluate(
        &self,
        options: &EvaluateOptions,
        progress: &TrainProgress,
    ) -> Result<Evaluated, TrainError> {
        evaluate_network::<G>(options, progress)
    }
}

meeple_games::family!(Training, AnyGame);

/// Returns the game of a table.
pub(crate) fn find(game: &str, table: &Value) -> Result<&'static dyn AnyGame, UnknownGame> {
    let is_file = file_table(game, Some(table)).is_some();
    registry::find::<Training>(if is_file { FileGame::NAME } else { game })
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
