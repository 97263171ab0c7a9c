//! The wall-clock measurements of a run, which are not reproducible.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Statistics of decision times.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DecisionTimes {
    /// The number of decisions.
    pub decisions: u64,
    /// Their total time, in seconds.
    pub seconds: f64,
    /// The longest decision, in seconds.
    pub slowest_seconds: f64,
    /// A histogram: bucket `n` counts the decisions that took at least `2^(n-1)` and less than
    /// `2^n` microseconds.
    pub buckets: Vec<u64>,
    /// The number of simulations.
    pub iterations: u64,
    /// The number of nodes in search trees.
    pub nodes: u64,
}

impl DecisionTimes {
    pub(crate) fn add(&mut self, time: Duration, iterations: u64, nodes: u64) {
        let seconds = time.as_secs_f64();
        self.decisions += 1;
        self.seconds += seconds;
        self.slowest_seconds = self.slowest_seconds.max(seconds);
        self.iterations += iterations;
        self.nodes += nodes;
        let bucket = (128 - time.as_micros().leading_zeros()) as usize;
        if self.buckets.len() <= bucket {
            self.buckets.resize(bucket + 1, 0);
        }
        self.buckets[bucket] += 1;
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.decisions += other.decisions;
        self.seconds += other.seconds;
        self.slowest_seconds = self.slowest_seconds.max(other.slowest_seconds);
        self.iterations += other.iterations;
        self.nodes += other.nodes;
        if self.buckets.len() < other.buckets.len() {
            self.buckets.resize(other.buckets.len(), 0);
        }
        for (count, other) in self.buckets.iter_mut().zip(&other.buckets) {
            *count += other;
        }
    }

    /// The mean time of a decision, in seconds.
    #[must_use]
    pub fn mean_seconds(&self) -> f64 {
        self.seconds / self.decisions.max(1) as f64
    }

    fn rate(&self, count: u64) -> f64 {
        if self.seconds > 0.0 { count as f64 / self.seconds } else { 0.0 }
    }
}

/// The wall-clock measurements of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// The version of the format.
    pub version: u32,
    /// The number of threads when the run was last resumed.
    pub threads: usize,
    /// The total time, interruptions excluded, in seconds.
    pub seconds: f64,
    /// The number of games played in that time.
    pub games: u64,
    /// Games per second.
    pub games_per_second: f64,
    /// The measurements of each bot.
    pub bots: Vec<BotTiming>,
}

/// The decision times of one bot at one table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BotTiming {
    /// The table.
    pub table: usize,
    /// The label of the bot.
    pub label: String,
    /// Statistics of its decisions.
    #[serde(flatten)]
    pub times: DecisionTimes,
    /// The mean time of a decision, in seconds.
    pub mean_seconds: f64,
    /// Decisions per second.
    pub decisions_per_second: f64,
    /// Simulations per second.
    pub iterations_per_second: f64,
    /// Nodes per second.
    pub nodes_per_second: f64,
}

impl Timing {
    /// Adds decision times of a bot at a table.
    pub(crate) fn add(&mut self, table: usize, label: &str, times: &DecisionTimes) {
        let same = |bot: &BotTiming| bot.table == table && bot.label == label;
        let at = self.bots.iter().position(same).unwrap_or_else(|| {
            let label = label.to_owned();
            self.bots.push(BotTiming { table, label, ..BotTiming::default() });
            self.bots.len() - 1
        });
        self.bots[at].times.merge(times);
    }

    /// Computes the derived fields.
    pub(crate) fn conclude(&mut self) {
        self.bots.sort_by(|a, b| (a.table, &a.label).cmp(&(b.table, &b.label)));
        self.games_per_second =
            if self.seconds > 0.0 { self.games as f64 / self.seconds } else { 0.0 };
        for bot in &mut self.bots {
            bot.mean_seconds = bot.times.mean_seconds();
            bot.decisions_per_second = bot.times.rate(bot.times.decisions);
            bot.iterations_per_second = bot.times.rate(bot.times.iterations);
            bot.nodes_per_second = bot.times.rate(bot.times.nodes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_fall_into_powers_of_two() {
        let mut times = DecisionTimes::default();
        for micros in [0, 1, 2, 3, 4, 1000] {
            times.add(Duration::from_micros(micros), 10, 5);
        }
        assert_eq!(times.buckets[..5], [1, 1, 2, 1, 0]);
        assert_eq!((times.buckets[10], times.decisions, times.iterations), (1, 6, 60));
        let mut timing = Timing::default();
        timing.add(0, "a", &times);
        timing.add(0, "a", &times);
        timing.conclude();
        assert_eq!(timing.bots[0].times.decisions, 12);
        assert!((timing.bots[0].mean_seconds - 1010e-6 / 6.0).abs() < 1e-9);
    }
}
