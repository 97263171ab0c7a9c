//! A child process and its descendants, and the last lines of its stderr.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use super::descendants::Descendants;

/// The number of stderr lines that are kept.
const KEPT_LINES: usize = 10;
/// The maximum length of a kept line, in bytes. Longer lines are split.
const KEPT_BYTES: u64 = 300;
/// The time limit for reading the rest of stderr after the process has exited.
const REST: Duration = Duration::from_millis(500);

/// A running program. On Unix it leads a process group, which is killed as a whole, on Linux with
/// the descendants that left it.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    #[cfg(target_os = "linux")]
    descendants: Descendants,
    stderr: Arc<Mutex<VecDeque<String>>>,
    /// Disconnected once stderr is closed.
    stderr_ended: Receiver<()>,
    has_ended: bool,
    /// Its exit status, if it exited by itself.
    status: Option<ExitStatus>,
}

impl Process {
    /// Starts a program. Returns its stdin and stdout too.
    pub(super) fn start(
        program: &str,
        arguments: &[String],
    ) -> std::io::Result<(Self, ChildStdin, ChildStdout)> {
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        #[cfg(target_os = "linux")]
        let descendants = Descendants::mark(&mut command);
        let mut child = command.spawn()?;
        let piped = "it was asked for";
        let input = child.stdin.take().expect(piped);
        let output = child.stdout.take().expect(piped);
        let errors = child.stderr.take().expect(piped);
        let stderr = Arc::<Mutex<VecDeque<String>>>::default();
        let (ended, stderr_ended) = channel();
        let kept = Arc::clone(&stderr);
        thread::spawn(move || {
            keep_last_lines(errors, &kept);
            drop(ended);
        });
        let process = Self {
            child,
            #[cfg(target_os = "linux")]
            descendants,
            stderr,
            stderr_ended,
            has_ended: false,
            status: None,
        };
        Ok((process, input, output))
    }

    /// Waits up to `patience` for the program to exit, and kills what is left of it and its
    /// descendants.
    pub(super) fn end(&mut self, patience: Duration) {
        if self.has_ended {
            return;
        }
        let start = Instant::now();
        while !self.has_exited() && start.elapsed() < patience {
            thread::sleep(Duration::from_millis(5));
        }
        let by_itself = self.has_exited();
        self.kill_group();
        #[cfg(target_os = "linux")]
        self.descendants.kill();
        let status = self.child.wait().ok();
        self.status = status.filter(|_| by_itself);
        self.has_ended = true;
    }

    /// The exit status, if the program exited by itself.
    pub(super) fn status(&self) -> Option<ExitStatus> {
        self.status
    }

    /// The last lines of stderr.
    pub(super) fn stderr(&self) -> Vec<String> {
        if self.has_ended {
            // Nothing is ever sent: this waits until stderr is closed. The wait is bounded,
            // because a process that escaped may hold it open.
            let _ = self.stderr_ended.recv_timeout(REST);
        }
        let lines = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().cloned().collect()
    }

    /// Whether the program has exited. `NOWAIT` leaves it a zombie, so that its process id cannot
    /// be reused before the process group is killed.
    #[cfg(unix)]
    fn has_exited(&self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(Pid::from_child(&self.child)), options), Ok(None))
    }

    #[cfg(unix)]
    fn kill_group(&self) {
        use rustix::process::{Pid, Signal, kill_process_group};

        // An error means that no process of the group is left.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
    }

    #[cfg(not(unix))]
    fn has_exited(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    #[cfg(not(unix))]
    fn kill_group(&mut self) {
        // An error means that it has exited.
        let _ = self.child.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// Reads stderr to its end and keeps the last lines.
fn keep_last_lines(errors: ChildStderr, kept: &Mutex<VecDeque<String>>) {
    let mut errors = BufReader::new(errors);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = errors.by_ref().take(KEPT_BYTES).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return;
        }
        // Untrusted output must not send escape sequences to the user's terminal.
        let text = String::from_utf8_lossy(&line);
        let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let text = text.trim_end();
        if text.is_empty() {
            continue;
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT_LINES {
            kept.pop_front();
        }
        kept.push_back(text.to_owned());
    }
}
