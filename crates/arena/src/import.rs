//! Import of games of other programs as replays.

use std::collections::BTreeMap;

use meeple_games::RecordedGame;
use meeple_games::backgammon::{MatError, read_mat};
use meeple_games::chess::{PgnError, read_pgn};
use meeple_games::holdem::{PhhError, read_phh};

use crate::replay::{REPLAY_VERSION, Replay, ReplayError};

/// The error of a failed import.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ImportError {
    /// The replay is invalid.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The backgammon match file is invalid.
    #[error("no MAT: {0}")]
    Mat(#[from] MatError),
    /// The poker hand history is invalid, or of an unsupported variant.
    #[error("no PHH of hold'em: {0}")]
    Phh(#[from] PhhError),
    /// The text resembles none of the other formats, and is not valid PGN.
    #[error("neither a replay nor PGN, MAT or PHH: {0}")]
    Pgn(#[from] PgnError),
}

/// Reads the games of a text. The format is detected: a replay, PGN, MAT or PHH.
///
/// ```
/// let hand = r#"
/// variant = "NT"
/// antes = [0, 0]
/// blinds_or_straddles = [1, 2]
/// min_bet = 2
/// starting_stacks = [200, 200]
/// actions = ["d dh p1 AsAh", "d dh p2 KdKc", "p2 cbr 6", "p1 cbr 20", "p2 f"]
/// "#;
/// let replays = meeple_arena::import(hand)?;
/// assert_eq!(replays[0].game, "holdem");
/// assert_eq!(replays[0].payoffs, [0.03, -0.03]);
/// # Ok::<_, meeple_arena::ImportError>(())
/// ```
///
/// # Errors
///
/// At the first mistake, with its line.
pub fn import(text: &str) -> Result<Vec<Replay>, ImportError> {
    if text.trim_start().starts_with('{') {
        return Ok(vec![Replay::from_json(text)?]);
    }
    let has = |start: &str| text.lines().any(|line| line.trim_start().starts_with(start));
    if has("variant =") || has("variant=") {
        return Ok(replays(read_phh(text)?));
    }
    if text.lines().any(|line| line.trim_end().ends_with("point match")) || has("Game 1") {
        return Ok(replays(read_mat(text)?));
    }
    Ok(replays(read_pgn(text)?))
}

fn replays(games: Vec<RecordedGame>) -> Vec<Replay> {
    games.into_iter().map(Replay::from).collect()
}

impl From<RecordedGame> for Replay {
    fn from(recorded: RecordedGame) -> Self {
        let RecordedGame { game, config, names, actions, payoffs } = recorded;
        Self {
            meeple_replay: REPLAY_VERSION,
            game: game.to_owned(),
            config,
            seed: 0,
            bots: names,
            actions,
            payoffs,
            forfeit: None,
            analysis: BTreeMap::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, export};

    const HAND: &str = "variant = \"NT\"\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\n\
                        min_bet = 2\nstarting_stacks = [200, 150]\nactions = [\n\
                        \"d dh p1 AsAh\", \"d dh p2 KdKc\", \"p2 cbr 150\", \"p1 cc\",\n\
                        \"d db 2c7h9d\", \"d db Ts\", \"d db 3c\"]\nplayers = [\"Anna\", \"Ben\"]\n";

    #[test]
    fn hands_go_to_phh_and_back() {
        let replay = import(HAND).unwrap().remove(0);
        assert_eq!((replay.bots[0].as_str(), &replay.payoffs[..]), ("Anna", &[1.0, -1.0][..]));
        let written = export(&replay, Format::Phh).unwrap();
        assert!(written.contains("finishing_stacks = [350, 0]"), "{written}");
        assert_eq!(import(&written).unwrap(), [replay]);
    }

    #[test]
    fn matches_go_to_mat_and_back() {
        let text = " 1 point match\n\n Game 1\n Anna : 0                         Ben : 0\n  \
                    1) 31: 8/5 6/5\n      Wins 1 point\n";
        let replay = import(text).unwrap().remove(0);
        assert_eq!(replay.payoffs, [1.0 / 3.0, -1.0 / 3.0]);
        let written = export(&replay, Format::Mat).unwrap();
        assert_eq!(import(&written).unwrap()[0].actions, replay.actions);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, expected) in [
            (HAND.replace("KdKc", "????"), "no PHH of hold'em: line 7: \"d dh p2 ????\""),
            (" 1 point match\n\n Game 1\n".into(), "no MAT: line 3: the game has no players"),
            ("what?".into(), "neither a replay nor PGN, MAT or PHH: "),
            ("{".into(), "no replay: EOF"),
        ] {
            let error = import(&text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
