//! Search budgets, stop conditions and progress reports.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::options::expect;
use crate::time_control::TimeControl;
use crate::{SearchError, SearchReport};

/// The limits of a search; the first one reached stops it.
///
/// ```
/// use std::time::Duration;
/// use meeple_search::Budget;
///
/// let quick = Budget::simulations(800);
/// let patient = Budget { time: Some(Duration::from_secs(1)), ..Budget::simulations(1_000_000) };
/// assert!(quick.check().is_ok() && patient.check().is_ok());
/// assert!(Budget::simulations(0).check().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// The number of simulations.
    #[serde(rename = "iterations")]
    pub simulations: Option<u64>,
    /// The number of nodes in the tree.
    pub nodes: Option<u64>,
    /// Wall-clock time; results then depend on the machine. The clock is read often enough
    /// that only a simulation of unforeseeable length exceeds the limit. At least one
    /// simulation always runs.
    pub time: Option<Duration>,
    /// Early stopping (Baier and Winands, 2012): the search stops when the most visited
    /// action leads by more visits than this share of the remaining simulations. With 1 the
    /// remaining simulations cannot change the answer; with less it is unlikely. Off by
    /// default, since it lowers the visit counts. Only information-set search supports it.
    pub early_stopping: Option<f32>,
    /// Whether root visits of a reused tree count as simulations. At least a quarter of the
    /// budget is simulated anyway, unless the search stops early. Only information-set
    /// search supports it.
    pub count_reused_visits: bool,
}

impl Budget {
    /// A budget in simulations: results are reproducible.
    #[must_use]
    pub const fn simulations(simulations: u64) -> Self {
        Self {
            simulations: Some(simulations),
            nodes: None,
            time: None,
            early_stopping: None,
            count_reused_visits: false,
        }
    }

    /// A budget in wall-clock time.
    #[must_use]
    pub const fn time(time: Duration) -> Self {
        Self {
            simulations: None,
            nodes: None,
            time: Some(time),
            early_stopping: None,
            count_reused_visits: false,
        }
    }

    /// The budget of worker `part` of `parts`, with its own `time`; the first workers get
    /// the remainder. Early stopping is off: a lead within one worker says nothing about
    /// the sum.
    pub(crate) fn share(&self, part: usize, parts: usize, time: Option<Duration>) -> Self {
        let divide = |all: u64| {
            let (parts, part) = (parts as u64, part as u64);
            all / parts + u64::from(part < all % parts)
        };
        Self {
            simulations: self.simulations.map(divide),
            nodes: self.nodes.map(|nodes| divide(nodes).max(1)),
            time,
            early_stopping: None,
            count_reused_visits: false,
        }
    }

    /// Checks that the budget is finite and allows at least one simulation.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::EmptyBudget`] or [`SearchError::BadOption`] if not.
    pub fn check(&self) -> Result<(), SearchError> {
        if self.simulations == Some(0) {
            return Err(SearchError::EmptyBudget("0 simulations"));
        }
        if self.nodes == Some(0) {
            return Err(SearchError::EmptyBudget("0 nodes"));
        }
        if self.time == Some(Duration::ZERO) {
            return Err(SearchError::EmptyBudget("no time"));
        }
        if self.simulations.is_none() && self.nodes.is_none() && self.time.is_none() {
            return Err(SearchError::EmptyBudget("no limit"));
        }
        if let Some(share) = self.early_stopping {
            expect(share > 0.0 && share <= 1.0, "decided", share, "above 0 and at most 1")?;
        }
        Ok(())
    }
}

/// Why a search stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The search is still running; this is a progress report.
    #[default]
    Running,
    /// The simulations are used up.
    #[serde(rename = "iterations")]
    Simulations,
    /// The tree has reached its node limit.
    Nodes,
    /// The time is up.
    Time,
    /// The [`StopFlag`] was set.
    Stopped,
    /// The lead of the best action met [`Budget::early_stopping`].
    EarlyStop,
    /// There is only one legal action.
    Forced,
    /// The value of the root is proven.
    Solved,
    /// The depth limit of an alpha-beta search is reached.
    Depth,
}

impl fmt::Display for StopReason {
    /// Writes the serialized name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Running => "running",
            Self::Simulations => "iterations",
            Self::Nodes => "nodes",
            Self::Time => "time",
            Self::Stopped => "stopped",
            Self::EarlyStop => "decided",
            Self::Forced => "forced",
            Self::Solved => "solved",
            Self::Depth => "depth",
        })
    }
}

/// A flag that stops searches from another thread; it cannot be reset.
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

    /// Whether [`stop`](Self::stop) was called.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// External control of a running search: a stop flag and a progress callback.
#[derive(Default)]
pub struct Control<'a> {
    /// Stops the search.
    pub stop: StopFlag,
    /// Receives a report at regular intervals.
    pub progress: Option<SearchProgress<'a>>,
}

impl fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control").field("stop", &self.stop).finish_non_exhaustive()
    }
}

/// A progress callback.
pub struct SearchProgress<'a> {
    /// Simulations between two reports.
    pub every: u64,
    /// Called with each report.
    pub report: &'a mut dyn FnMut(&SearchReport),
}

impl fmt::Debug for SearchProgress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchProgress").field("every", &self.every).finish_non_exhaustive()
    }
}

/// The maximum number of simulations between two checks of the limits.
const CHUNK: u64 = 64;
/// The same when the search may stop early.
const SMALL_CHUNK: u64 = 8;

/// Tracks what a search has spent of its budget.
#[derive(Debug)]
pub(crate) struct Meter {
    budget: Budget,
    started: Instant,
    time_control: TimeControl,
    pub(crate) done: u64,
    next_report: u64,
}

impl Meter {
    pub(crate) fn start(budget: &Budget) -> Self {
        let time_control = TimeControl::default();
        Self { budget: *budget, started: Instant::now(), time_control, done: 0, next_report: 0 }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the time is used up.
    pub(crate) fn is_time_up(&self) -> bool {
        self.budget.time.is_some_and(|time| self.elapsed() >= time)
    }

    /// The time for the next of `parts` sequential parts: an equal share of what remains,
    /// never zero.
    pub(crate) fn time_share(&self, parts: usize) -> Option<Duration> {
        let left = |time: Duration| time.saturating_sub(self.elapsed());
        self.budget.time.map(|time| (left(time) / parts as u32).max(Duration::from_nanos(1)))
    }

    /// The number of simulations to run before the next check, or the reason to stop.
    pub(crate) fn allowance(&mut self, nodes: u64, stop: &StopFlag) -> Result<u64, StopReason> {
        if stop.is_stopped() {
            return Err(StopReason::Stopped);
        }
        let left = self.budget.simulations.map_or(CHUNK, |simulations| simulations - self.done);
        if left == 0 {
            return Err(StopReason::Simulations);
        }
        // One simulation adds up to two nodes.
        let room = self.budget.nodes.map_or(CHUNK, |limit| limit.saturating_sub(nodes).div_ceil(2));
        if room == 0 {
            return Err(StopReason::Nodes);
        }
        let chunk = if self.budget.early_stopping.is_some() { SMALL_CHUNK } else { CHUNK };
        let most = left.min(room).min(chunk);
        match self.budget.time {
            Some(time) => self
                .time_control
                .simulations_until_check(time, self.elapsed(), self.done, most)
                .ok_or(StopReason::Time),
            None => Ok(most),
        }
    }

    /// Whether a lead of `lead` visits meets the early-stopping rule.
    pub(crate) fn stops_early(&self, lead: u64) -> bool {
        let left = self.budget.simulations.map_or(0, |simulations| simulations - self.done);
        self.budget
            .early_stopping
            .is_some_and(|share| left > 0 && lead as f32 > share * left as f32)
    }

    /// Counts root visits of a reused tree as simulations, if the budget says so.
    pub(crate) fn count_reused(&mut self, visits: u64) {
        if let (true, Some(simulations)) =
            (self.budget.count_reused_visits, self.budget.simulations)
        {
            self.done = visits.min(simulations - simulations.div_ceil(4));
        }
    }

    /// Whether the progress callback is due.
    pub(crate) fn is_report_due(&mut self, control: &Control<'_>) -> bool {
        control.progress.as_ref().is_some_and(|progress| self.is_due(progress.every))
    }

    /// Whether a report is due at this interval.
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
