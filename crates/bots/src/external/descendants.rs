//! Kills the descendants of a program, including those that left its process group.
//!
//! A program inherits an environment variable with an identifier of its own, and passes it on to
//! everything that it starts, in whatever session. `/proc` says which processes have it.

use std::fs;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// The environment variable. Its value lists identifiers, separated by commas: a program may be
/// started by a descendant of another.
const VARIABLE: &str = "MEEPLE_PROGRAM";
/// The maximum number of scans, for programs that start processes faster than they are killed.
const MAX_SCANS: usize = 20;

/// The identifier of a program and its descendants.
#[derive(Debug)]
pub(super) struct Descendants(String);

impl Descendants {
    /// Marks the program that `command` starts.
    pub(super) fn mark(command: &mut Command) -> Self {
        static STARTED: AtomicU64 = AtomicU64::new(0);
        static TIME: OnceLock<u128> = OnceLock::new();
        // The time distinguishes processes with the same id.
        let time = TIME.get_or_init(|| {
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos())
        });
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let own = format!("{}-{time}-{number}", std::process::id());
        let mut value = std::env::var_os(VARIABLE).unwrap_or_default();
        if !value.is_empty() {
            value.push(",");
        }
        value.push(&own);
        command.env(VARIABLE, value);
        Self(own)
    }

    /// Kills all that are running.
    pub(super) fn kill(&self) {
        for _ in 0..MAX_SCANS {
            let Ok(processes) = fs::read_dir("/proc") else { return };
            let names = processes.flatten().map(|process| process.file_name());
            let ids = names.filter_map(|name| name.to_str()?.parse().ok());
            if ids.filter(|&id| self.kill_if_marked(id)).count() == 0 {
                return;
            }
        }
    }

    /// Kills a process if it is marked, and returns whether it was.
    fn kill_if_marked(&self, id: i32) -> bool {
        let Some(process) = Pid::from_raw(id) else { return false };
        // The descriptor is opened first: if it still works after the check, the id has not been
        // reused for another process.
        let Ok(descriptor) = pidfd_open(process, PidfdFlags::empty()) else { return false };
        self.is_marked(id) && pidfd_send_signal(descriptor, Signal::KILL).is_ok()
    }

    fn is_marked(&self, id: i32) -> bool {
        // Processes of other users cannot be read, and those that have exited are empty.
        let Ok(environment) = fs::read(format!("/proc/{id}/environ")) else { return false };
        let value = environment
            .split(|&byte| byte == 0)
            .find_map(|variable| variable.strip_prefix(VARIABLE.as_bytes())?.strip_prefix(b"="));
        value.is_some_and(|value| {
            value.split(|&byte| byte == b',').any(|identifier| identifier == self.0.as_bytes())
        })
    }
}
