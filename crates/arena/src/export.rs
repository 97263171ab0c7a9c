//! Export of replays to the file formats of other programs.

use meeple_game::{Game, IllegalAction, Turn};
use meeple_games::backgammon::{self, Backgammon};
use meeple_games::chess::{self, Chess};
use meeple_games::holdem::{self, Holdem};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::replay::{Frame, Replay, ReplayError};

/// A file format for replays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Portable Game Notation, for chess.
    Pgn,
    /// Match files of backgammon programs.
    Mat,
    /// Poker hand histories (PHH).
    Phh,
    /// A list of all steps with action names.
    Json,
    /// The replay format of this program.
    Replay,
}

/// The error of a failed export.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExportError {
    /// The format is for another game.
    #[error("{format} is a format of {of}, and this is a game of {game}; json is for every game")]
    WrongGame {
        /// The format.
        format: &'static str,
        /// The games of the format.
        of: &'static str,
        /// The game.
        game: String,
    },
    /// The replay is damaged.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

/// Writes a replay in `format`.
///
/// # Errors
///
/// When the format is for other games, or the replay is damaged.
pub fn export(replay: &Replay, format: Format) -> Result<String, ExportError> {
    let wrong = |format, of| ExportError::WrongGame { format, of, game: replay.game.clone() };
    match format {
        Format::Pgn if replay.game == Chess::NAME => to_pgn(replay),
        Format::Pgn => Err(wrong("PGN", "chess")),
        Format::Mat if replay.game == Backgammon::NAME => to_mat(replay),
        Format::Mat => Err(wrong("MAT", "backgammon")),
        Format::Phh if replay.game == Holdem::NAME => to_phh(replay),
        // PHH cannot express the decks and bets of Kuhn and Leduc poker.
        Format::Phh => Err(wrong("PHH", "hold'em")),
        Format::Json => steps(replay),
        Format::Replay => Ok(replay.to_json()),
    }
}

fn to_pgn(replay: &Replay) -> Result<String, ExportError> {
    let last = replay.frames()?.pop();
    let is_over = last.is_some_and(|frame| frame.state.turn() == Turn::Over);
    let white = replay.payoffs.first().copied().unwrap_or(0.0);
    let payoff = (is_over || replay.forfeit.is_some()).then_some(white);
    let names = [name(replay, 0), name(replay, 1)];
    written(replay, |config| chess::write_pgn(config, &replay.actions, names, payoff))
}

fn to_mat(replay: &Replay) -> Result<String, ExportError> {
    let names = [name(replay, 0), name(replay, 1)];
    written(replay, |config| backgammon::mat(config, &replay.actions, names))
}

fn to_phh(replay: &Replay) -> Result<String, ExportError> {
    written(replay, |config| holdem::phh(config, &replay.actions, &replay.bots))
}

fn name(replay: &Replay, seat: usize) -> &str {
    replay.bots.get(seat).map_or("?", String::as_str)
}

/// Validates the replay, reads its configuration and calls `write` with it.
fn written<C: DeserializeOwned>(
    replay: &Replay,
    write: impl FnOnce(&C) -> Result<String, IllegalAction>,
) -> Result<String, ExportError> {
    // Reports an invalid replay before the export starts.
    replay.frames()?;
    let config =
        C::deserialize(&replay.config).map_err(|error| ReplayError::Config(error.to_string()))?;
    write(&config)
        .map_err(|error| ReplayError::Action { number: 0, reason: error.to_string() }.into())
}

/// A step with the name of its action.
#[derive(Serialize)]
struct ExportedStep {
    number: usize,
    by: String,
    action: u16,
    name: String,
}

fn steps(replay: &Replay) -> Result<String, ExportError> {
    let frames = replay.frames()?;
    let step = |(number, frame): (usize, &Frame)| {
        Some(ExportedStep {
            number,
            by: frame.by()?,
            action: frame.action?.0,
            name: frame.action_name()?,
        })
    };
    let steps: Vec<ExportedStep> = frames.iter().enumerate().filter_map(step).collect();
    let text = json!({
        "game": replay.game,
        "config": replay.config,
        "seed": replay.seed,
        "bots": replay.bots,
        "payoffs": replay.payoffs,
        "forfeit": replay.forfeit,
        "steps": steps,
    });
    Ok(serde_json::to_string_pretty(&text).expect("steps are plain data") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import;
    use serde_json::Value;

    #[test]
    fn chess_goes_to_pgn_and_back() {
        let text =
            "[White \"Anna\"]\n[Black \"Ben\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n";
        let replay = import(text).unwrap().remove(0);
        assert_eq!(replay.actions.len(), 7);
        let written = export(&replay, Format::Pgn).unwrap();
        assert!(written.contains("[White \"Anna\"]"), "{written}");
        assert!(written.contains("4. Qxf7# 1-0"), "{written}");
        assert_eq!(import(&written).unwrap().remove(0), replay);
        let steps: Value = serde_json::from_str(&export(&replay, Format::Json).unwrap()).unwrap();
        assert_eq!(steps["steps"][6]["name"], "h5f7");
        assert_eq!(steps["steps"][6]["by"], "seat 0");
    }

    /// The initial position of a game is exported too.
    #[test]
    fn positions_are_kept() {
        let text = "[SetUp \"1\"]\n[FEN \"7k/5Q2/6K1/8/8/8/8/8 w - - 0 1\"]\n\n1. Qg7# 1-0\n";
        let replay = import(text).unwrap().remove(0);
        let written = export(&replay, Format::Pgn).unwrap();
        assert!(written.contains("7k/5Q2/6K1/8/8/8/8/8 w"), "{written}");
        assert_eq!(import(&written).unwrap().remove(0).actions, replay.actions);
    }

    #[test]
    fn formats_of_other_games_are_refused() {
        let replay = import("1. e4 *").unwrap().remove(0);
        for (format, expected) in [
            (Format::Mat, "MAT is a format of backgammon, and this is a game of chess"),
            (Format::Phh, "PHH is a format of hold'em, and this is a game of chess"),
        ] {
            let error = export(&replay, format).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        let other = Replay { game: "leduc".into(), ..replay };
        let error = export(&other, Format::Phh).unwrap_err().to_string();
        assert!(error.contains("this is a game of leduc; json is for every game"), "{error}");
        let other = Replay { game: "shogi".into(), ..other };
        assert!(matches!(
            export(&other, Format::Json),
            Err(ExportError::Replay(ReplayError::Game(_)))
        ));
    }
}
