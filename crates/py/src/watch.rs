//! Long work without the interpreter's lock, while Python is still heard.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::prelude::*;

/// How often signals (Ctrl-C) are looked for.
const BEAT: Duration = Duration::from_millis(50);

/// Does `work` on another thread. Meanwhile signals are heard and `look` is called now
/// and then, and once when the work is done; whatever either raises has the work stopped
/// by `stop` and is raised.
pub(crate) fn watch<T: Send>(
    py: Python<'_>,
    stop: impl Fn() + Send + Sync,
    mut look: impl FnMut(Python<'_>) -> PyResult<()> + Send,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, is_done) = channel::<()>();
            let working = scope.spawn(move || {
                let out = work();
                drop(done);
                out
            });
            let mut raised = Ok(());
            loop {
                let is_over = is_done.recv_timeout(BEAT) != Err(RecvTimeoutError::Timeout);
                if raised.is_ok() {
                    raised = Python::attach(|py| py.check_signals().and_then(|()| look(py)));
                    if raised.is_err() {
                        stop();
                    }
                }
                if is_over {
                    break;
                }
            }
            let out = working.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            raised.map(|()| out)
        })
    })
}
