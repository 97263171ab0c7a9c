//! What the clock says of a run: the part that differs from time to time.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How long decisions took. Bucket `n` counts those of up to `2^n` microseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DecisionTimes {
    /// Decisions.
    pub decisions: u64,
    /// Seconds of all of them.
    pub seconds: f64,
    /// The longest, in seconds.
    pub slowest_seconds: f64,
    /// Decisions by their length, in powers of two of a microsecond.
    pub buckets: Vec<u64>,
    /// Simulations of searches.
    pub iterations: u64,
    /// States in the trees of searches.
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

    /// The mean length of a decision.
    #[must_use]
    pub fn mean_seconds(&self) -> f64 {
        self.seconds / self.decisions.max(1) as f64
    }

    fn rate(&self, count: u64) -> f64 {
        if self.seconds > 0.0 { count as f64 / self.seconds } else { 0.0 }
    }
}

/// What the clock says of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// The version of the format.
    pub version: u32,
    /// Threads of the last part of the run.
    pub threads: usize,
    /// Seconds of all parts of the run.
    pub seconds: f64,
    /// Games played in that time.
    pub games: u64,
    /// Games a second.
    pub games_per_second: f64,
    /// Each bot.
    pub bots: Vec<BotTiming>,
}

/// How long one bot took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BotTiming {
    /// The table.
    pub table: usize,
    /// The bot.
    pub label: String,
    /// Its decisions.
    #[serde(flatten)]
    pub times: DecisionTimes,
    /// The mean length of a decision.
    pub mean_seconds: f64,
    /// Decisions a second.
    pub decisions_per_second: f64,
    /// Simulations a second.
    pub iterations_per_second: f64,
    /// States a second.
    pub nodes_per_second: f64,
}

impl Timing {
    /// Adds what one bot took at one table.
    pub(crate) fn add(&mut self, table: usize, label: &str, times: &DecisionTimes) {
        let same = |bot: &BotTiming| bot.table == table && bot.label == label;
        let at = self.bots.iter().position(same).unwrap_or_else(|| {
            let label = label.to_owned();
            self.bots.push(BotTiming { table, label, ..BotTiming::default() });
            self.bots.len() - 1
        });
        self.bots[at].times.merge(times);
    }

    /// Fills what follows from the counts.
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
