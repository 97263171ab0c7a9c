//! Ctrl-C, SIGTERM and a closed terminal: the first asks work to end with what it has, the
//! second ends it.

use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use crate::failure::{Failure, INTERRUPTED};

static ASKED: AtomicBool = AtomicBool::new(false);
static LISTENING: OnceLock<()> = OnceLock::new();

/// Starts to listen for Ctrl-C.
pub(crate) fn listen() -> Result<(), Failure> {
    if LISTENING.set(()).is_ok() {
        ctrlc::set_handler(|| {
            if ASKED.swap(true, Ordering::Relaxed) {
                process::exit(i32::from(INTERRUPTED));
            }
        })
        .context("cannot listen for Ctrl-C")?;
    }
    Ok(())
}

/// Has Ctrl-C do `work` and end the program, whatever else is being done.
pub(crate) fn end_after(work: impl Fn() + Send + 'static) -> Result<(), Failure> {
    ctrlc::set_handler(move || {
        work();
        process::exit(i32::from(INTERRUPTED));
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(())
}

/// Whether Ctrl-C was pressed.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
