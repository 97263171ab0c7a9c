//! The tasks of experiments: simulate, tournament, SPRT, tune, collect and benchmark.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::BotEntry;

/// What to do with the bots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Play games between the bots, in the order of their seats.
    Simulate(SimulateTask),
    /// Play pairings and rate the bots.
    Tournament(Tournament),
    /// Test sequentially whether the first bot is stronger than the second.
    Sprt(SprtTask),
    /// Tune the options of a bot.
    Tune(Tune),
    /// Play games and store every decision as training data.
    Collect(Collect),
    /// Measure the speed of each bot.
    Benchmark(Benchmark),
}

/// Games with one bot for each seat, or one bot for all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SimulateTask {
    /// The number of games at each table, rounded up to whole blocks.
    pub games: u64,
    /// Whether the same chance events are replayed with rotated seats. A block then has as many
    /// games as seats.
    #[serde(default = "yes")]
    pub rotate: bool,
}

/// Pairings of bots. Each block replays the same chance events with swapped seats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tournament {
    /// The number of games of each pairing at each table, rounded up to whole blocks.
    pub games: u64,
    /// Which bots play each other.
    #[serde(default)]
    pub schedule: Schedule,
    /// The label of the bot with rating 0. By default the first bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<String>,
}

/// Which bots play each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Round robin: every pair.
    #[default]
    RoundRobin,
    /// Gauntlet: the first bot against all others.
    Gauntlet,
    /// Ladder: every bot against the next one of the list.
    Ladder,
}

/// A sequential probability ratio test (SPRT) of the first of two bots against the second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SprtTask {
    /// The Elo difference of the null hypothesis H0.
    #[serde(default)]
    pub elo0: f64,
    /// The Elo difference of the alternative hypothesis H1.
    #[serde(default = "ten")]
    pub elo1: f64,
    /// The probability of accepting H1 when H0 is true (type I error).
    #[serde(default = "twentieth")]
    pub alpha: f64,
    /// The probability of accepting H0 when H1 is true (type II error).
    #[serde(default = "twentieth")]
    pub beta: f64,
    /// Whether blocks with the same chance events or single games are counted.
    #[serde(default)]
    pub model: Model,
    /// The maximum number of games, after which the test is inconclusive.
    pub games: u64,
}

/// The statistical model of a sequential test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Pairs of games with the same chance events, with five results.
    #[default]
    Pentanomial,
    /// Independent games, with three results.
    Trinomial,
}

/// Tuning of the options of the first bot, against the opponents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tune {
    /// The optimization method.
    pub method: Method,
    /// The options of the first bot to tune, with their values.
    pub parameters: BTreeMap<String, Parameter>,
    /// The number of games of each candidate against each opponent at each table.
    pub games: u64,
    /// The number of games of the best candidate against the original bot, with chance events
    /// that no candidate was tuned on.
    pub validation_games: u64,
    /// The number of candidates of a generation (evolution).
    #[serde(default = "eight")]
    pub population: usize,
    /// The number of generations (evolution), or of passes over all parameters (coordinate).
    #[serde(default = "three")]
    pub rounds: usize,
    /// The opponents of the candidates. By default the original bot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opponents: Vec<BotEntry>,
}

/// The optimization method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Grid search: every combination of values.
    Grid,
    /// Coordinate search: one parameter at a time, in several passes.
    Coordinate,
    /// An evolutionary algorithm with elitism, crossover and mutation.
    Evolution,
}

/// The values of an option.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Parameter {
    /// A list of values.
    Values(Vec<Value>),
    /// Numbers from the first to the second, in steps of the third.
    Range([f64; 3]),
}

/// Games whose decisions are stored as training data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Collect {
    /// The number of games at each table, rounded up to whole shards.
    pub games: u64,
    /// The number of games in a file.
    #[serde(default = "hundred")]
    pub shard_games: u64,
}

/// Games of each bot against copies of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Benchmark {
    /// The number of games of each bot at each table.
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
    /// Returns the values, in order.
    #[must_use]
    pub fn values(&self) -> Vec<Value> {
        match self {
            Self::Values(values) => values.clone(),
            Self::Range([first, last, step]) => {
                let steps = ((last - first) / step + 1e-9).floor().clamp(0.0, 10_000.0) as u32;
                let value = |at: u32| {
                    let number = first + f64::from(at) * step;
                    // Removes rounding errors, such as 0.30000000000000004 for three steps of
                    // 0.1.
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
