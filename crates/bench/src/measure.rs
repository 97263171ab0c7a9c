//! Timing on a noisy machine: the median of many short rounds.

use std::fmt;
use std::time::{Duration, Instant};

use crate::{Row, Unit, games, net, plan, poker, scale, search, solver};

/// The duration of one round: long compared to the clock resolution, short compared to
/// interruptions by other processes.
const ROUND: Duration = Duration::from_millis(10);
const ROUNDS: usize = 15;

/// A group of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suite {
    /// What each part of the contract costs, for each game.
    Games,
    /// Network inference and training.
    Net,
    /// The rule engine, by optimization stage.
    Plan,
    /// Hand ranking, showdowns and equities.
    Poker {
        /// Whether rows that take long are measured too.
        all: bool,
    },
    /// How cost grows with threads, tree size, range size and network width.
    Scale {
        /// Whether the largest tree is measured too.
        all: bool,
    },
    /// Simulations per second of each search.
    Search,
    /// Solving hold'em after the flop.
    Solver,
}

/// A measurement in progress.
pub struct Bench<'a> {
    only: Option<&'a str>,
    say: &'a dyn Fn(&str),
    is_stopped: &'a dyn Fn() -> bool,
    rows: Vec<Row>,
}

impl<'a> Bench<'a> {
    /// Starts a measurement of the rows whose name contains `only`. Each row is announced by
    /// `say`; none is measured once `is_stopped`.
    #[must_use]
    pub fn new(
        only: Option<&'a str>,
        say: &'a dyn Fn(&str),
        is_stopped: &'a dyn Fn() -> bool,
    ) -> Self {
        Self { only, say, is_stopped, rows: Vec::new() }
    }

    /// Measures a suite.
    pub fn measure(&mut self, suite: Suite) {
        match suite {
            Suite::Games => games::measure(self),
            Suite::Net => net::measure(self),
            Suite::Plan => plan::measure(self),
            Suite::Poker { all } => poker::measure(self, all),
            Suite::Scale { all } => scale::measure(self, all),
            Suite::Search => search::measure(self),
            Suite::Solver => solver::measure(self),
        }
    }

    /// The rows measured so far.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns whether the row called `name` is to be measured.
    pub(crate) fn is_wanted(&self, name: &str) -> bool {
        let is_wanted = self.may_want(name);
        if is_wanted {
            (self.say)(name);
        }
        is_wanted
    }

    /// Returns the same without announcing the row, where its preparation takes time.
    pub(crate) fn may_want(&self, name: &str) -> bool {
        self.only.is_none_or(|only| name.contains(only)) && !(self.is_stopped)()
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, name: String, unit: Unit, value: f64) {
        self.rows.push(Row { name, unit, value });
    }

    /// Adds the row of what `value` measures, if it is wanted.
    pub(crate) fn add(
        &mut self,
        name: String,
        unit: Unit,
        value: &mut dyn FnMut(&Bench<'_>) -> f64,
    ) {
        if self.is_wanted(&name) {
            let value = value(self);
            self.push(name, unit, value);
        }
    }

    /// Returns the nanoseconds per repetition; `work` runs the number of repetitions it is given.
    pub(crate) fn ns_per_op(&self, work: &mut dyn FnMut(u64)) -> f64 {
        let mut time = |repetitions: u64| {
            let start = Instant::now();
            work(repetitions);
            start.elapsed()
        };
        let mut repetitions = 1u64;
        let mut took = time(repetitions);
        // Doubles the repetitions until a round is long enough to time.
        while took < ROUND / 2 && repetitions < 1 << 40 {
            repetitions *= 2;
            took = time(repetitions);
        }
        let mut rounds: Vec<f64> = (0..ROUNDS)
            .take_while(|_| !(self.is_stopped)())
            .map(|_| time(repetitions).as_nanos() as f64 / repetitions as f64)
            .collect();
        rounds.push(took.as_nanos() as f64 / repetitions as f64);
        rounds.sort_by(f64::total_cmp);
        rounds[rounds.len() / 2]
    }
}

impl fmt::Debug for Bench<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bench").field("only", &self.only).field("rows", &self.rows).finish()
    }
}
