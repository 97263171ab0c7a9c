//! A progress bar on stderr for work that takes more than a second.

use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the bar moves.
const TICK: Duration = Duration::from_millis(100);

/// Does `work` while a bar shows how much of `total`, which may grow, is
/// `done`; calls `tick` ten times a second, bar or not.
pub(crate) fn watch<T: Send>(
    total: impl Fn() -> u64 + Sync,
    what: &str,
    done: impl Fn() -> u64 + Sync,
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
                    bar = Some(new_bar(what));
                }
                if let Some(bar) = &bar {
                    bar.set_length(total());
                    bar.set_position(done());
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

fn new_bar(what: &str) -> ProgressBar {
    let template = "{bar:40.cyan} {human_pos} of {human_len} {msg}, {eta} left";
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    let bar = ProgressBar::new(0).with_style(style).with_message(what.to_owned());
    bar.tick();
    bar
}
