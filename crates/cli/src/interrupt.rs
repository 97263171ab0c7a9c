//! Handling of Ctrl-C, SIGTERM and SIGHUP: the first requests a stop with partial results, the
//! second exits.

use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use crate::failure::{Failure, INTERRUPTED};

static ASKED: AtomicBool = AtomicBool::new(false);
static LISTENING: OnceLock<()> = OnceLock::new();

/// Installs the signal handler.
pub(crate) fn listen() -> Result<(), Failure> {
    if LISTENING.set(()).is_ok() {
        ctrlc::set_handler(|| {
            if ASKED.swap(true, Ordering::Relaxed) {
                process::exit(i32::from(INTERRUPTED));
            }
        })
        .context("cannot install the Ctrl-C handler")?;
    }
    Ok(())
}

/// Installs a handler that runs `work` and exits immediately.
pub(crate) fn exit_after(work: impl Fn() + Send + 'static) -> Result<(), Failure> {
    ctrlc::set_handler(move || {
        work();
        process::exit(i32::from(INTERRUPTED));
    })
    .context("cannot install the Ctrl-C handler")?;
    Ok(())
}

/// Returns whether a stop was requested.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
