//! Replays in the formats of other programs, and chess of theirs as replays.

use std::collections::BTreeMap;

use meeple_game::{Game, Turn};
use meeple_games::backgammon::{self, Backgammon};
use meeple_games::chess::{Chess, ChessRules, Options, Pgn, PgnError, Score};
use meeple_games::described::Described;
use meeple_games::holdem::{self, Holdem};
use serde::Serialize;
use serde_json::{Value, json};

use crate::replay::{Frame, REPLAY_VERSION, Replay, ReplayError};

/// A format that replays can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Portable Game Notation, for chess.
    Pgn,
    /// The match files of backgammon programs.
    Mat,
    /// Poker hand histories.
    Phh,
    /// Every step in words.
    Json,
    /// The replay itself.
    Replay,
}

/// Why a replay cannot be written in a format.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExportError {
    /// The format is for another game.
    #[error("{format} is a format of {of}, and this is a game of {game}; json is for every game")]
    WrongGame {
        /// The format.
        format: &'static str,
        /// The games it is for.
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
        Format::Pgn if replay.game == Chess::NAME => Ok(to_pgn(replay)?.to_string()),
        Format::Pgn => Err(wrong("PGN", "chess")),
        Format::Mat if replay.game == Backgammon::NAME => to_mat(replay),
        Format::Mat => Err(wrong("MAT", "backgammon")),
        Format::Phh if replay.game == Holdem::NAME => to_phh(replay),
        // The format has no way to write the decks and bets of Kuhn and Leduc.
        Format::Phh => Err(wrong("PHH", "hold'em")),
        Format::Json => steps(replay),
        Format::Replay => Ok(replay.to_json()),
    }
}

/// The games of a PGN file as replays.
///
/// ```
/// let replays = meeple_arena::import_pgn("[White \"Anna\"]\n\n1. f3 e5 2. g4 Qh4# 0-1")?;
/// assert_eq!(replays[0].bots[0], "Anna");
/// assert_eq!(replays[0].payoffs, [-1.0, 1.0]);
/// # Ok::<_, meeple_games::chess::PgnError>(())
/// ```
///
/// # Errors
///
/// At the first thing that is wrong, with its line.
pub fn import_pgn(text: &str) -> Result<Vec<Replay>, PgnError> {
    Ok(Pgn::parse_all(text)?.iter().map(from_pgn).collect())
}

fn from_pgn(pgn: &Pgn) -> Replay {
    let config = Options { fen: pgn.start };
    let mut game = Chess::new(&config);
    let mut actions = Vec::with_capacity(pgn.moves.len());
    for event in &pgn.moves {
        let action = ChessRules::action_of(game.state(), event);
        game.apply(action);
        actions.push(action);
    }
    let white = match pgn.result {
        Score::White => 1.0,
        Score::Black => -1.0,
        Score::Draw | Score::Open => 0.0,
    };
    let name = |tag: &str| pgn.tag(tag).unwrap_or("?").to_owned();
    Replay {
        meeple_replay: REPLAY_VERSION,
        game: Chess::NAME.to_owned(),
        config: serde_json::to_value(config).unwrap_or(Value::Null),
        seed: 0,
        bots: vec![name("White"), name("Black")],
        actions,
        payoffs: vec![white, -white],
        forfeit: None,
        analysis: BTreeMap::new(),
    }
}

fn to_pgn(replay: &Replay) -> Result<Pgn, ReplayError> {
    let frames = replay.frames()?;
    let state = |frame: &Frame| {
        let chess = frame.state.state().downcast_ref::<Chess>();
        *chess.expect("a replay of chess has states of chess").state()
    };
    let start = state(&frames[0]).fen();
    let event =
        |frame: &Frame| frame.action.map(|action| ChessRules::event_of(&state(frame), action));
    let over = frames.last().is_some_and(|frame| frame.state.turn() == Turn::Over);
    let result = if over || replay.forfeit.is_some() {
        Score::of_payoff(replay.payoffs.first().copied().unwrap_or(0.0))
    } else {
        Score::Open
    };
    let name = |seat: usize| replay.bots.get(seat).cloned().unwrap_or_else(|| "?".into());
    let tags = [("Event", "Meeple".to_owned()), ("White", name(0)), ("Black", name(1))];
    Ok(Pgn {
        tags: tags.map(|(tag, value)| (tag.to_owned(), value)).to_vec(),
        start,
        moves: frames.iter().filter_map(event).collect(),
        result,
    })
}

fn to_mat(replay: &Replay) -> Result<String, ExportError> {
    // Whatever is wrong with the replay is found here.
    replay.frames()?;
    let options: backgammon::Options = serde_json::from_value(replay.config.clone())
        .map_err(|error| ReplayError::Config(error.to_string()))?;
    let name = |seat: usize| replay.bots.get(seat).map_or("?", String::as_str);
    backgammon::mat(&options, &replay.actions, [name(0), name(1)])
        .map_err(|error| ReplayError::Action { number: 0, reason: error.to_string() }.into())
}

fn to_phh(replay: &Replay) -> Result<String, ExportError> {
    // Whatever is wrong with the replay is found here.
    replay.frames()?;
    let config: holdem::Config = serde_json::from_value(replay.config.clone())
        .map_err(|error| ReplayError::Config(error.to_string()))?;
    holdem::phh(&config, &replay.actions, &replay.bots)
        .map_err(|error| ReplayError::Action { number: 0, reason: error.to_string() }.into())
}

/// A step in words.
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

    #[test]
    fn chess_goes_to_pgn_and_back() {
        let text =
            "[White \"Anna\"]\n[Black \"Ben\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n";
        let replay = import_pgn(text).unwrap().remove(0);
        assert_eq!(replay.actions.len(), 7);
        let written = export(&replay, Format::Pgn).unwrap();
        assert!(written.contains("[White \"Anna\"]"), "{written}");
        assert!(written.contains("4. Qxf7# 1-0"), "{written}");
        assert_eq!(import_pgn(&written).unwrap().remove(0), replay);
        let steps: Value = serde_json::from_str(&export(&replay, Format::Json).unwrap()).unwrap();
        assert_eq!(steps["steps"][6]["name"], "h5f7");
        assert_eq!(steps["steps"][6]["by"], "seat 0");
    }

    /// A game from a position goes with it.
    #[test]
    fn positions_are_kept() {
        let text = "[SetUp \"1\"]\n[FEN \"7k/5Q2/6K1/8/8/8/8/8 w - - 0 1\"]\n\n1. Qg7# 1-0\n";
        let replay = import_pgn(text).unwrap().remove(0);
        let written = export(&replay, Format::Pgn).unwrap();
        assert!(written.contains("7k/5Q2/6K1/8/8/8/8/8 w"), "{written}");
        assert_eq!(import_pgn(&written).unwrap().remove(0).actions, replay.actions);
    }

    #[test]
    fn formats_of_other_games_are_refused() {
        let replay = import_pgn("1. e4 *").unwrap().remove(0);
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
        let other = Replay { game: "go".into(), ..other };
        assert!(matches!(
            export(&other, Format::Json),
            Err(ExportError::Replay(ReplayError::Game(_)))
        ));
    }
}
