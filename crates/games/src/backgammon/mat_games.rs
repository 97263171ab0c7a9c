//! MAT games as actions of the game.

use super::{Backgammon, MatError, MatGame, parse_mat};
use crate::RecordedGame;

/// Reads the games of a MAT file.
///
/// # Errors
///
/// When a game is invalid; the error has its line.
pub fn read_mat(text: &str) -> Result<Vec<RecordedGame>, MatError> {
    Ok(parse_mat(text)?.into_iter().map(recorded).collect())
}

fn recorded(read: MatGame) -> RecordedGame {
    let mut game =
        RecordedGame::new::<Backgammon>(&read.options, read.names.to_vec(), read.actions);
    // A player who resigned lost what the file says, though checkers are still on the board.
    if let (Some((winner, points)), true) = (read.result, game.payoffs == [0.0, 0.0]) {
        let highest = i64::from(read.options.cube) as f32;
        let share = (points as f32 / (3.0 * highest)).min(1.0);
        game.payoffs = vec![-share; 2];
        game.payoffs[winner.index()] = share;
    }
    game
}
