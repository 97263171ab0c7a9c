//! Replays: recorded games that can be replayed step by step.

use std::collections::BTreeMap;

use meeple_game::{Action, Player, Turn};
use meeple_games::registry::UnknownGame;
use meeple_search::SearchReport;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use meeple_bots::{Forfeit, NameKind, OpenError, Position, choices_of, open, read_renamed};

/// The current version of the format.
pub const REPLAY_VERSION: u32 = 1;
/// The maximum number of actions in an analysis.
const CANDIDATES: usize = 8;

/// A recorded game.
///
/// The configuration and the actions, chance outcomes included, reproduce the game exactly. The
/// seed and the bots document its origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// The version of the format.
    pub meeple_replay: u32,
    /// The game.
    pub game: String,
    /// Its configuration.
    pub config: Value,
    /// The random seed.
    pub seed: u64,
    /// The label of the bot at each seat.
    pub bots: Vec<String>,
    /// All actions and chance outcomes.
    pub actions: Vec<Action>,
    /// The payoff of each seat; zeros if the game was aborted.
    pub payoffs: Vec<f32>,
    /// The seat that forfeited, and the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<SeatForfeit>,
    /// The search statistics of bots, by action index.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub analysis: BTreeMap<usize, Analysis>,
}

/// A seat that lost by forfeit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatForfeit {
    /// The seat.
    pub seat: u8,
    /// The reason.
    pub reason: Forfeit,
}

/// A summary of search statistics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Analysis {
    /// The number of simulations.
    pub iterations: u64,
    /// The value of the state for each seat.
    pub values: Vec<f32>,
    /// The most visited actions.
    pub candidates: Vec<Candidate>,
    /// The principal variation.
    pub variation: Vec<Action>,
}

/// An action that a search considered.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// The action.
    pub action: Action,
    /// The number of simulations through it.
    pub visits: u64,
    /// Its value for the player to move.
    pub value: f32,
    /// Its prior probability.
    pub prior: f32,
}

impl Analysis {
    /// Summarizes `report`, of a decision of `seat` among `players`.
    #[must_use]
    pub fn of(report: &SearchReport, seat: Player, players: usize) -> Self {
        let mut candidates: Vec<Candidate> = (report.actions.iter())
            .map(|entry| Candidate {
                action: entry.action,
                visits: entry.visits,
                value: entry.values[seat.index()],
                prior: entry.prior,
            })
            .collect();
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.visits));
        candidates.truncate(CANDIDATES);
        Self {
            iterations: report.simulations,
            values: report.values[..players].to_vec(),
            candidates,
            variation: report.variations.first().cloned().unwrap_or_default(),
        }
    }
}

/// An error in a replay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The text is not JSON, or not a replay.
    #[error("no replay: {0}")]
    Damaged(String),
    /// The replay was written by a later version.
    #[error("the replay has version {0}, and this program reads up to {REPLAY_VERSION}")]
    Newer(u64),
    /// The game is unknown.
    #[error(transparent)]
    Game(UnknownGame),
    /// The configuration is invalid.
    #[error("config: {0}")]
    Config(String),
    /// An action is illegal in its state.
    #[error("action {number} of the replay: {reason}")]
    Action {
        /// Its index, from 0.
        number: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// A state of a replay, and the action taken in it.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The state.
    pub state: Box<dyn Position>,
    /// The action or chance outcome; `None` in the last state.
    pub action: Option<Action>,
}

impl Frame {
    /// Returns who moves: `seat 0`, `chance`, or `None` at the end.
    #[must_use]
    pub fn by(&self) -> Option<String> {
        self.action?;
        match self.state.turn() {
            Turn::Player(player) => Some(player.to_string()),
            Turn::Chance => Some("chance".into()),
            Turn::Over => None,
        }
    }

    /// Returns the name of the action.
    #[must_use]
    pub fn action_name(&self) -> Option<String> {
        self.action.map(|action| self.state.action_name(action))
    }
}

impl Replay {
    /// Reads a replay.
    ///
    /// # Errors
    ///
    /// When the text is not a replay, damaged, or of a later version.
    pub fn from_json(text: &str) -> Result<Self, ReplayError> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| ReplayError::Damaged(error.to_string()))?;
        let version = value.get("meeple_replay").and_then(Value::as_u64);
        match version {
            None => return Err(ReplayError::Damaged("there is no field meeple_replay".into())),
            Some(version) if version > u64::from(REPLAY_VERSION) => {
                return Err(ReplayError::Newer(version));
            }
            Some(_) => {}
        }
        // Parses the text again, so that errors give the line.
        read_renamed(NameKind::Replay, text)
            .map_err(|error| ReplayError::Damaged(error.to_string()))
    }

    /// Returns the replay as JSON that ends in a newline.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("replays are plain data") + "\n"
    }

    /// Returns all states from the first to the last, with the action taken in each.
    ///
    /// # Errors
    ///
    /// When the game is unknown, the configuration invalid, or an action illegal.
    pub fn frames(&self) -> Result<Vec<Frame>, ReplayError> {
        let mut game =
            open(&self.game, Some(&self.config.to_string())).map_err(|error| match error {
                OpenError::Game(unknown) => ReplayError::Game(unknown),
                error @ OpenError::Config { .. } => ReplayError::Config(error.to_string()),
            })?;
        let mut frames = Vec::with_capacity(self.actions.len() + 1);
        for (number, &action) in self.actions.iter().enumerate() {
            if let Some(analysis) = self.analysis.get(&number) {
                check_analysis(&*game, number, analysis)?;
            }
            let next = game.copy();
            frames.push(Frame { state: std::mem::replace(&mut game, next), action: Some(action) });
            game.try_apply(action)
                .map_err(|error| ReplayError::Action { number, reason: error.to_string() })?;
        }
        frames.push(Frame { state: game, action: None });
        Ok(frames)
    }
}

/// Checks that the actions in an analysis are legal, because they are shown by name.
fn check_analysis(
    game: &dyn Position,
    number: usize,
    analysis: &Analysis,
) -> Result<(), ReplayError> {
    let legal = choices_of(game);
    let strange = analysis.candidates.iter().find(|candidate| !legal.contains(&candidate.action));
    match strange {
        None => Ok(()),
        Some(candidate) => Err(ReplayError::Action {
            number,
            reason: format!("the analysis names action {}, which is not legal", candidate.action.0),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_game::Game;
    use meeple_games::small::TicTacToe;

    fn replay() -> Replay {
        Replay {
            meeple_replay: REPLAY_VERSION,
            game: "tic-tac-toe".into(),
            config: Value::Null,
            seed: 5,
            bots: vec!["a".into(), "b".into()],
            actions: [4, 0, 1].map(Action).to_vec(),
            payoffs: vec![0.0, 0.0],
            forfeit: None,
            analysis: BTreeMap::new(),
        }
    }

    #[test]
    fn replays_are_read_as_written() {
        let replay = Replay { config: serde_json::json!({}), ..replay() };
        assert_eq!(Replay::from_json(&replay.to_json()), Ok(replay.clone()));
    }

    #[test]
    fn replays_of_version_0_1_are_read() {
        let analysis = Analysis {
            iterations: 1,
            values: vec![0.0, 0.0],
            candidates: Vec::new(),
            variation: Vec::new(),
        };
        let replay = Replay { analysis: [(1, analysis)].into(), ..replay() };
        let old = replay.to_json().replace("\"analysis\"", "\"thoughts\"");
        assert!(old.contains("thoughts"));
        assert_eq!(Replay::from_json(&old), Ok(replay));
    }

    #[test]
    fn frames_step_through_the_game() {
        let config = serde_json::to_value(<TicTacToe as Game>::Config::default()).unwrap();
        let replay = Replay { config, ..replay() };
        let frames = replay.frames().unwrap();
        assert_eq!(frames.len(), 4);
        assert_eq!(frames[0].by().as_deref(), Some("seat 0"));
        assert_eq!(frames[0].action_name().as_deref(), Some("b2"));
        assert_eq!(frames[3].by(), None);
        let other = Replay { game: "shogi".into(), ..replay.clone() };
        let refused = other.frames().unwrap_err().to_string();
        assert!(refused.starts_with("unknown game \"shogi\""), "{refused}");
        let strange = Candidate { action: Action(4), visits: 1, value: 0.0, prior: 0.0 };
        let analysis = Analysis {
            iterations: 1,
            values: Vec::new(),
            candidates: vec![strange],
            variation: Vec::new(),
        };
        let wrong = Replay { analysis: [(1, analysis)].into(), ..replay.clone() };
        let refused = wrong.frames().unwrap_err().to_string();
        assert!(refused.contains("the analysis names action 4, which is not legal"), "{refused}");
        let wrong = Replay { actions: vec![Action(4), Action(4)], ..replay };
        let refused = wrong.frames().unwrap_err().to_string();
        assert!(refused.starts_with("action 1 of the replay: action 4 is not legal"), "{refused}");
    }

    #[test]
    fn damage_and_later_versions_are_refused() {
        let text = replay().to_json();
        for (damaged, expected) in [
            (text[..20].to_owned(), "no replay: EOF"),
            (text.replace("\"seed\"", "\"sead\""), "unknown field `sead`"),
            ("{}".into(), "there is no field meeple_replay"),
            (text.replace("_replay\":1", "_replay\":9"), "has version 9"),
        ] {
            let error = Replay::from_json(&damaged).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
