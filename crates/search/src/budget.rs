//! How long a search may run, and how it is stopped from outside.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::options::expect;
use crate::pace::Pace;
use crate::{SearchError, SearchReport};

/// What a search may spend; the first limit reached ends it.
///
/// ```
/// use std::time::Duration;
/// use meeple_search::Budget;
///
/// let quick = Budget::iterations(800);
/// let patient = Budget { time: Some(Duration::from_secs(1)), ..Budget::iterations(1_000_000) };
/// assert!(quick.check().is_ok() && patient.check().is_ok());
/// assert!(Budget::iterations(0).check().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// Simulations.
    pub iterations: Option<u64>,
    /// States kept in the tree.
    pub nodes: Option<u64>,
    /// Time on the clock, at most; results then depend on the machine. The clock
    /// is read often enough that a simulation whose length cannot be told
    /// beforehand is all that may exceed it, and one simulation is always made.
    pub time: Option<Duration>,
    /// The search ends as soon as one action is ahead of all others by more
    /// visits than this share of the iterations left: with 1 when those cannot
    /// change any more which action has most visits, with less when it is
    /// unlikely. It goes on unless this is given, since the visits are then
    /// fewer. Information-set search looks at this, others go on.
    pub decided: Option<f32>,
    /// Whether visits that the root brings along from the search before count
    /// as iterations; a quarter of the iterations is made anew all the same,
    /// unless it is decided before. Information-set search looks at this, others
    /// make all of them anew.
    pub counts_kept: bool,
}

impl Budget {
    /// A number of simulations: the budget with which results repeat exactly.
    #[must_use]
    pub const fn iterations(iterations: u64) -> Self {
        Self {
            iterations: Some(iterations),
            nodes: None,
            time: None,
            decided: None,
            counts_kept: false,
        }
    }

    /// A time on the clock.
    #[must_use]
    pub const fn time(time: Duration) -> Self {
        Self { iterations: None, nodes: None, time: Some(time), decided: None, counts_kept: false }
    }

    /// The share of one of `parts` that has `time` to itself: earlier ones get
    /// what cannot be divided. What is decided in one part is not in the whole.
    pub(crate) fn share(&self, part: usize, parts: usize, time: Option<Duration>) -> Self {
        let divide = |all: u64| {
            let (parts, part) = (parts as u64, part as u64);
            all / parts + u64::from(part < all % parts)
        };
        Self {
            iterations: self.iterations.map(divide),
            nodes: self.nodes.map(|nodes| divide(nodes).max(1)),
            time,
            decided: None,
            counts_kept: false,
        }
    }

    /// Checks that the budget allows something and ends.
    ///
    /// # Errors
    ///
    /// When it does not.
    pub fn check(&self) -> Result<(), SearchError> {
        if self.iterations == Some(0) {
            return Err(SearchError::EmptyBudget("0 iterations"));
        }
        if self.nodes == Some(0) {
            return Err(SearchError::EmptyBudget("0 nodes"));
        }
        if self.time == Some(Duration::ZERO) {
            return Err(SearchError::EmptyBudget("no time"));
        }
        if self.iterations.is_none() && self.nodes.is_none() && self.time.is_none() {
            return Err(SearchError::EmptyBudget("no limit at all"));
        }
        if let Some(share) = self.decided {
            expect(share > 0.0 && share <= 1.0, "decided", share, "above 0 and at most 1")?;
        }
        Ok(())
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// It has not: this is a report on the way.
    #[default]
    Running,
    /// The iterations are used up.
    Iterations,
    /// The tree has as many states as allowed.
    Nodes,
    /// The time is up.
    Time,
    /// It was stopped from outside.
    Stopped,
    /// No other action could have got as many visits any more.
    Decided,
    /// There is but one action.
    Forced,
    /// The value of the root is proven.
    Solved,
}

/// A switch that stops searches from another thread, at once and for good.
///
/// ```
/// let stop = meeple_search::StopFlag::default();
/// let other = stop.clone();
/// std::thread::spawn(move || other.stop()).join().unwrap();
/// assert!(stop.is_stopped());
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Stops every search that holds this flag.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`stop`](Self::stop) has been called.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What is watched while a search runs: a switch, and someone who reads along.
#[derive(Default)]
pub struct Control<'a> {
    /// Stops the search.
    pub stop: StopFlag,
    /// Gets a report every so many iterations.
    pub progress: Option<Progress<'a>>,
}

impl fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control").field("stop", &self.stop).finish_non_exhaustive()
    }
}

/// Someone who reads along.
pub struct Progress<'a> {
    /// Iterations between two reports.
    pub every: u64,
    /// Gets each report.
    pub report: &'a mut dyn FnMut(&SearchReport),
}

impl fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress").field("every", &self.every).finish_non_exhaustive()
    }
}

/// The most iterations between two looks at the switch and the clock.
const CHUNK: u64 = 64;
/// The same where a decision may end the search.
const SMALL_CHUNK: u64 = 8;

/// Counts what has been spent.
#[derive(Debug)]
pub(crate) struct Meter {
    budget: Budget,
    started: Instant,
    pace: Pace,
    pub(crate) done: u64,
    next_report: u64,
}

impl Meter {
    pub(crate) fn start(budget: &Budget) -> Self {
        let pace = Pace::default();
        Self { budget: *budget, started: Instant::now(), pace, done: 0, next_report: 0 }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the time is used up.
    pub(crate) fn is_time_up(&self) -> bool {
        self.budget.time.is_some_and(|time| self.elapsed() >= time)
    }

    /// The time for the next of `parts` that run one after the other: an even
    /// share of what is left, and never none.
    pub(crate) fn time_share(&self, parts: usize) -> Option<Duration> {
        let left = |time: Duration| time.saturating_sub(self.elapsed());
        self.budget.time.map(|time| (left(time) / parts as u32).max(Duration::from_nanos(1)))
    }

    /// How many iterations may run before looking here again, or why none may.
    pub(crate) fn allowance(&mut self, nodes: u64, stop: &StopFlag) -> Result<u64, Ended> {
        if stop.is_stopped() {
            return Err(Ended::Stopped);
        }
        let left = self.budget.iterations.map_or(CHUNK, |iterations| iterations - self.done);
        if left == 0 {
            return Err(Ended::Iterations);
        }
        // An iteration adds a state or two, so few are let loose at a time.
        let room = self.budget.nodes.map_or(CHUNK, |limit| limit.saturating_sub(nodes).div_ceil(2));
        if room == 0 {
            return Err(Ended::Nodes);
        }
        let chunk = if self.budget.decided.is_some() { SMALL_CHUNK } else { CHUNK };
        let most = left.min(room).min(chunk);
        match self.budget.time {
            Some(time) => self.pace.allow(time, self.elapsed(), self.done, most).ok_or(Ended::Time),
            None => Ok(most),
        }
    }

    /// Whether an action with so many more visits than any other is not to be
    /// caught up with.
    pub(crate) fn is_decided(&self, lead: u64) -> bool {
        let left = self.budget.iterations.map_or(0, |iterations| iterations - self.done);
        self.budget.decided.is_some_and(|share| left > 0 && lead as f32 > share * left as f32)
    }

    /// Counts visits of the search before as iterations, if they do count.
    pub(crate) fn bring_along(&mut self, visits: u64) {
        if let (true, Some(iterations)) = (self.budget.counts_kept, self.budget.iterations) {
            self.done = visits.min(iterations - iterations.div_ceil(4));
        }
    }

    /// Whether someone is owed a report.
    pub(crate) fn is_report_due(&mut self, control: &Control<'_>) -> bool {
        control.progress.as_ref().is_some_and(|progress| self.is_due(progress.every))
    }

    /// Whether a report is owed to one who wants them every so many iterations.
    pub(crate) fn is_due(&mut self, every: u64) -> bool {
        if self.next_report == 0 {
            self.next_report = every.max(1);
        }
        let due = self.done >= self.next_report;
        if due {
            self.next_report = self.done + every.max(1);
        }
        due
    }
}
