//! A progress bar on stderr for work that takes more than a second.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

/// Delay before the progress bar appears.
const BAR_DELAY: Duration = Duration::from_secs(1);
/// Delay before the spinner appears.
const SPINNER_DELAY: Duration = Duration::from_millis(200);
/// Interval between updates.
const TICK: Duration = Duration::from_millis(100);

/// The amount of finished work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Done {
    /// All finished work, including work of earlier processes.
    pub(crate) all: u64,
    /// Work of earlier processes; it does not count towards the speed of this one.
    pub(crate) before: u64,
}

impl From<u64> for Done {
    fn from(all: u64) -> Self {
        Self { all, before: 0 }
    }
}

impl Done {
    /// Estimates the remaining time for `total` from the work of this process during
    /// `elapsed`; `None` before the first unit is finished.
    fn time_left(self, total: u64, elapsed: Duration) -> Option<Duration> {
        let since = self.all.checked_sub(self.before).filter(|&since| since > 0)?;
        let left = total.saturating_sub(self.all) as f64 / since as f64;
        Duration::try_from_secs_f64(elapsed.as_secs_f64() * left).ok()
    }
}

/// Runs `work` behind a progress bar: `done` out of `total`, which may grow. Calls `tick`
/// ten times a second, with or without a bar.
pub(crate) fn watch<T: Send, D: Into<Done>>(
    total: impl Fn() -> u64 + Sync,
    what: &str,
    done: impl Fn() -> D + Sync,
    tick: impl Fn() + Sync,
    work: impl FnOnce() -> T + Send,
) -> T {
    let (finished, wait) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(|| {
            let wait = wait;
            let start = Instant::now();
            let mut bar: Option<ProgressBar> = None;
            while wait.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                tick();
                if bar.is_none() && start.elapsed() > BAR_DELAY && std::io::stderr().is_terminal() {
                    bar = Some(new_bar());
                }
                if let Some(bar) = &bar {
                    let (total, done) = (total(), done().into());
                    let left = done.time_left(total, start.elapsed());
                    let left = left.map_or("?".into(), |left| HumanDuration(left).to_string());
                    bar.set_length(total);
                    bar.set_position(done.all);
                    bar.set_message(format!("{what}, {left} left"));
                }
            }
            if let Some(bar) = &bar {
                bar.finish_and_clear();
            }
        });
        let result = work();
        drop(finished);
        result
    })
}

/// Runs `work`, such as a search, behind a spinner on stderr; without one if it is quick or
/// stderr is not a terminal.
pub(crate) fn with_spinner<T>(what: &str, work: impl FnOnce() -> T) -> T {
    with_status(|| what.to_owned(), || {}, work)
}

/// As [`with_spinner`], with a text that changes. Calls `tick` ten times a second, with or without
/// a spinner.
pub(crate) fn with_status<T>(
    status: impl Fn() -> String + Sync,
    tick: impl Fn() + Sync,
    work: impl FnOnce() -> T,
) -> T {
    let (finished, wait) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(|| {
            let wait = wait;
            let start = Instant::now();
            let mut line: Option<Doing> = None;
            while wait.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                tick();
                if start.elapsed() > SPINNER_DELAY && std::io::stderr().is_terminal() {
                    line.get_or_insert_with(Doing::new).say(&status());
                }
            }
        });
        let result = work();
        drop(finished);
        result
    })
}

/// A status line on stderr, cleared when dropped; nothing if stderr is not a terminal.
pub(crate) struct Doing(ProgressBar);

impl Doing {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::no_length();
        let style = ProgressStyle::with_template("{spinner} {msg}");
        bar.set_style(style.expect("the template is well formed"));
        Self(bar)
    }

    pub(crate) fn say(&self, what: &str) {
        self.0.set_message(what.to_owned());
        self.0.tick();
    }
}

impl Drop for Doing {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

fn new_bar() -> ProgressBar {
    let template = "{bar:40.cyan} {human_pos} of {human_len} {msg}";
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    ProgressBar::new(0).with_style(style)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remaining_time_excludes_work_of_earlier_processes() {
        let minute = Duration::from_secs(60);
        let fresh = Done::from(30);
        assert_eq!(fresh.time_left(90, minute), Some(2 * minute));
        let resumed = Done { all: 930, before: 900 };
        assert_eq!(resumed.time_left(990, minute), Some(2 * minute));
        assert_eq!(Done { all: 900, before: 900 }.time_left(990, minute), None);
        assert_eq!(Done::from(5).time_left(5, minute), Some(Duration::ZERO));
        assert_eq!(Done::from(1).time_left(u64::MAX, Duration::MAX), None, "overflow");
    }
}
