//! What an experiment does: play, rate, test, tune, collect or measure.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::BotEntry;

/// What an experiment does with its bots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Plays games between the bots as they are seated.
    Simulate(SimulateTask),
    /// Lets bots meet in pairs and rates them.
    Tournament(Tournament),
    /// Tests whether the first bot is stronger than the second, until that is
    /// decided.
    Sprt(SprtTask),
    /// Looks for the best options of a bot.
    Tune(Tune),
    /// Plays games and keeps every decision for learning.
    Collect(Collect),
    /// Measures how fast each bot decides.
    Benchmark(Benchmark),
}

/// One bot for each seat, or one for all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SimulateTask {
    /// Games at each table, rounded up to whole blocks.
    pub games: u64,
    /// Whether the same luck is dealt again with the seats rotated, once for
    /// each seat: then a block has as many games as seats.
    #[serde(default = "yes")]
    pub rotate: bool,
}

/// Every pair of bots that meets does so with the same luck in swapped seats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tournament {
    /// Games of each pair at each table, rounded up to whole blocks.
    pub games: u64,
    /// Who meets whom.
    #[serde(default)]
    pub schedule: Schedule,
    /// The label of the bot whose rating is 0; the first bot unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first bot meets everybody else.
    Gauntlet,
}

/// A sequential probability ratio test of the first of two bots against the
/// second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SprtTask {
    /// The strength, in Elo, at which the first bot is not worth having.
    #[serde(default)]
    pub elo0: f64,
    /// The strength at which it is.
    #[serde(default = "ten")]
    pub elo1: f64,
    /// How often `elo1` may be accepted wrongly.
    #[serde(default = "twentieth")]
    pub alpha: f64,
    /// How often `elo0` may be accepted wrongly.
    #[serde(default = "twentieth")]
    pub beta: f64,
    /// Whether blocks with the same luck or single games are counted.
    #[serde(default)]
    pub model: Model,
    /// Games after which the test ends undecided.
    pub games: u64,
}

/// What a sequential test counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Pairs of games with the same luck: five results.
    #[default]
    Pentanomial,
    /// Games, as if they had nothing to do with each other: three results.
    Trinomial,
}

/// A search for the best options of the first bot, against the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tune {
    /// How candidates are found.
    pub method: Method,
    /// The options of the first bot that change, and what they may be.
    pub parameters: BTreeMap<String, Parameter>,
    /// Games of each candidate against each opponent at each table.
    pub games: u64,
    /// Games, with luck that no candidate saw, of the winner against the bot
    /// as it was.
    pub validation_games: u64,
    /// Candidates of a generation (evolution).
    #[serde(default = "eight")]
    pub population: usize,
    /// Generations (evolution), or rounds through all parameters (coordinate).
    #[serde(default = "three")]
    pub rounds: usize,
    /// Who the candidates play; the first bot as it is unless given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opponents: Vec<BotEntry>,
}

/// How candidates are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Every combination of values.
    Grid,
    /// The best value of one parameter after the other, round by round.
    Coordinate,
    /// Generations: the best of one, crossed and changed a little, make the next.
    Evolution,
}

/// The values that an option may have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Parameter {
    /// These.
    Values(Vec<Value>),
    /// Numbers from the first to the second in steps of the third.
    Range([f64; 3]),
}

/// Games whose decisions are kept as training data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Collect {
    /// Games at each table, rounded up to whole shards.
    pub games: u64,
    /// Games in one file.
    #[serde(default = "hundred")]
    pub shard_games: u64,
}

/// Games of each bot against itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Benchmark {
    /// Games of each bot at each table.
    pub games: u64,
}

impl Task {
    /// The name of the task.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Simulate(_) => "simulate",
            Self::Tournament(_) => "tournament",
            Self::Sprt(_) => "sprt",
            Self::Tune(_) => "tune",
            Self::Collect(_) => "collect",
            Self::Benchmark(_) => "benchmark",
        }
    }
}

impl Parameter {
    /// The values, in order.
    #[must_use]
    pub fn values(&self) -> Vec<Value> {
        match self {
            Self::Values(values) => values.clone(),
            Self::Range([first, last, step]) => {
                let steps = ((last - first) / step + 1e-9).floor().clamp(0.0, 10_000.0) as u32;
                let value = |at: u32| {
                    let number = first + f64::from(at) * step;
                    // Steps of a tenth add up to many digits; a few are meant.
                    let rounded = (number * 1e9).round() / 1e9;
                    if rounded.fract() == 0.0 { (rounded as i64).into() } else { rounded.into() }
                };
                (0..=steps).map(value).collect()
            }
        }
    }
}

fn yes() -> bool {
    true
}

fn twentieth() -> f64 {
    0.05
}

fn three() -> usize {
    3
}

fn eight() -> usize {
    8
}

fn ten() -> f64 {
    10.0
}

fn hundred() -> u64 {
    100
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_counted_out() {
        let values = Parameter::Range([0.5, 1.1, 0.2]).values();
        assert_eq!(values, [0.5, 0.7, 0.9, 1.1].map(Value::from));
        assert_eq!(Parameter::Range([1.0, 3.0, 1.0]).values(), [1, 2, 3].map(Value::from));
    }
}
