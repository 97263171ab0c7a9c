//! A progress bar on stderr for work that takes more than a second.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// Thinking that takes less than this is not worth a spinner.
const GLANCE: Duration = Duration::from_millis(200);
/// How often the bar moves.
const TICK: Duration = Duration::from_millis(100);

/// How much work is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Done {
    /// All that is done.
    pub(crate) all: u64,
    /// What an earlier process had done of it, which says nothing of the speed of this.
    pub(crate) before: u64,
}

impl From<u64> for Done {
    fn from(all: u64) -> Self {
        Self { all, before: 0 }
    }
}

impl Done {
    /// The time that the rest of `total` takes at the speed of the work since `elapsed`
    /// ago; nothing while nothing was done.
    fn time_left(self, total: u64, elapsed: Duration) -> Option<Duration> {
        let since = self.all.checked_sub(self.before).filter(|&since| since > 0)?;
        let left = total.saturating_sub(self.all) as f64 / since as f64;
        Duration::try_from_secs_f64(elapsed.as_secs_f64() * left).ok()
    }
}

/// Does `work` while a bar shows how much of `total`, which may grow, is
/// `done`; calls `tick` ten times a second, bar or not.
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
                if bar.is_none() && start.elapsed() > PATIENCE && std::io::stderr().is_terminal() {
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

/// Does `work`, such as a bot's thinking, while a spinner on stderr says so; without one if
/// it is quick or stderr is no terminal.
pub(crate) fn thinking<T>(what: &str, work: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let (finished, wait) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if wait.recv_timeout(GLANCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let doing = Doing::new();
            doing.say(what);
            while wait.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                doing.say(what);
            }
        });
        let result = work();
        drop(finished);
        result
    })
}

/// A line on stderr that says what is being done, gone when dropped; nothing
/// where stderr is no terminal.
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
    fn work_of_an_earlier_process_does_not_shorten_the_time_left() {
        let minute = Duration::from_secs(60);
        let fresh = Done::from(30);
        assert_eq!(fresh.time_left(90, minute), Some(2 * minute));
        let resumed = Done { all: 930, before: 900 };
        assert_eq!(resumed.time_left(990, minute), Some(2 * minute));
        assert_eq!(Done { all: 900, before: 900 }.time_left(990, minute), None);
        assert_eq!(Done::from(5).time_left(5, minute), Some(Duration::ZERO));
        assert_eq!(Done::from(1).time_left(u64::MAX, Duration::MAX), None, "for ever");
    }
}
