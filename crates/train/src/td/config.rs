//! The configuration of a run of temporal-difference learning.

use std::path::{Path, PathBuf};

use meeple_arena::{Mistake, read_checked};
use meeple_bots::NameKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::check::{Fault, fault, number, read_config};
use crate::config::TrainConfig;

/// A training file, by its method.
#[derive(Clone, Debug, PartialEq)]
pub enum TrainingFile {
    /// Self-play with search, for every game; files without a method.
    SelfPlay(Box<TrainConfig>),
    /// Temporal-difference learning.
    Td(TdConfig),
}

/// The method of a training file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Temporal-difference learning.
    Td,
}

/// The configuration of a run of temporal-difference learning. The sizes of the network belong to
/// the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TdConfig {
    /// `td`.
    pub method: Method,
    /// The game: `backgammon`.
    pub game: String,
    /// The random seed: the same seed gives the same games and the same network.
    #[serde(default)]
    pub seed: u64,
    /// The folder of the run; `runs/train-GAME` unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// The number of games, after which the learning rate has fallen to its last value.
    pub games: u64,
    /// Games that one network plays before it learns from them.
    #[serde(default = "at_once")]
    pub at_once: u64,
    /// The learning rate.
    #[serde(default)]
    pub rate: LearningRate,
    /// The number of games over which the weights are averaged; the average is the result.
    #[serde(default = "average")]
    pub average: u64,
    /// The number of games between reports.
    #[serde(default = "report")]
    pub report: u64,
    /// Pairs of games against the built-in network for each report.
    #[serde(default = "pairs")]
    pub pairs: u64,
}

fn at_once() -> u64 {
    32
}

fn average() -> u64 {
    40_000
}

fn report() -> u64 {
    20_000
}

fn pairs() -> u64 {
    500
}

/// The learning rate, which falls with the square of the share of games that are left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LearningRate {
    /// At the first game.
    pub first: f64,
    /// At the last game.
    pub last: f64,
}

impl Default for LearningRate {
    fn default() -> Self {
        Self { first: 0.01, last: 0.0002 }
    }
}

impl TdConfig {
    /// Returns the folder of the run.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        let usual = || PathBuf::from("runs").join(format!("train-{}", self.game));
        self.folder.clone().unwrap_or_else(usual)
    }

    /// Returns the learning rate after this many games.
    #[must_use]
    pub fn rate(&self, games: u64) -> f32 {
        let LearningRate { first, last } = self.rate;
        let left = 1.0 - games as f64 / self.games as f64;
        (last + (first - last) * left * left) as f32
    }

    /// Returns the share of the latest `count` games in the average of this many games. The
    /// average of a young run covers its last fifth.
    pub(crate) fn share(&self, games: u64, count: u64) -> f32 {
        (count as f64 / self.average.min(games / 5).max(count) as f64) as f32
    }

    /// Validates the settings.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        if self.game != "backgammon" {
            return fault(
                "game",
                format!("{:?} cannot be learned so, expected backgammon", self.game),
            );
        }
        number("games", self.games as f64, 1.0, 1e9)?;
        number("at_once", self.at_once as f64, 1.0, 1e6)?;
        number("rate.first", self.rate.first, 1e-9, 1.0)?;
        number("rate.last", self.rate.last, 1e-9, self.rate.first)?;
        number("average", self.average as f64, 1.0, 1e9)?;
        number("report", self.report as f64, 1.0, 1e9)?;
        number("pairs", self.pairs as f64, 0.0, 1e6)
    }
}

/// Reads the training file `text` of `file`, and validates it.
///
/// ```
/// let text = r#"{"method": "td", "game": "backgammon", "games": 0}"#;
/// let mistake = meeple_train::read_training("train.json".as_ref(), text).unwrap_err();
/// assert_eq!(mistake.field, "games");
/// ```
///
/// # Errors
///
/// At the first mistake in the file.
pub fn read_training(file: &Path, text: &str) -> Result<TrainingFile, Mistake> {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    if value.get("method").is_none() {
        return read_config(file, text).map(Box::new).map(TrainingFile::SelfPlay);
    }
    let checked = |config: &mut TdConfig| config.check();
    read_checked(NameKind::Training, file, text, checked).map(TrainingFile::Td)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_follow_the_games() {
        let text = r#"{"method": "td", "game": "backgammon", "games": 1000, "average": 64}"#;
        let file = read_training("a.json".as_ref(), text).unwrap();
        let TrainingFile::Td(config) = file else { panic!("it has a method") };
        assert_eq!(config.rate(0), 0.01);
        assert_eq!(config.rate(1000), 0.0002);
        assert!((config.rate(500) - 0.00265).abs() < 1e-6);
        assert_eq!([32, 320, 1000].map(|games| config.share(games, 32)), [1.0, 0.5, 0.5]);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, field) in [
            (r#"{"method": "td", "game": "chess", "games": 1}"#, "game"),
            (r#"{"method": "td", "game": "backgammon"}"#, ""),
            (r#"{"method": "dt", "game": "backgammon", "games": 1}"#, "method"),
            (
                r#"{"method": "td", "game": "backgammon", "games": 1, "rate": {"last": 1}}"#,
                "rate.last",
            ),
        ] {
            let mistake = read_training("a.json".as_ref(), text).unwrap_err();
            assert_eq!(mistake.field, field, "{mistake}");
        }
    }
}
