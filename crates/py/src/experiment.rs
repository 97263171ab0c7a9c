//! Experiments from Python: what `meeple run` does.

use std::path::{Path, PathBuf};

use meeple_arena::{RunOptions, RunProgress, conduct, read_experiment};
use meeple_report::experiment_page;
use pyo3::prelude::*;

use crate::convert::{self, to_python, value_error};
use crate::watch::watch;

/// Runs an experiment, given as a dictionary like those in docs/src/reference/experiments.md,
/// or resumes it where it was interrupted, and returns its summary.
///
/// The same experiment writes the same files on any number of threads (0 for all cores).
#[pyfunction]
#[pyo3(signature = (experiment, folder, *, threads = 0, fresh = false))]
#[expect(clippy::needless_pass_by_value, reason = "Python's paths arrive as values")]
pub(crate) fn run_experiment<'py>(
    py: Python<'py>,
    experiment: &Bound<'py, PyAny>,
    folder: PathBuf,
    #[pyo3(from_py_with = convert::threads)] threads: usize,
    fresh: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let text: String = py.import("json")?.call_method1("dumps", (experiment,))?.extract()?;
    let experiment = read_experiment(Path::new("experiment"), &text).map_err(value_error)?;
    let options = RunOptions { folder: Some(folder.clone()), threads, fresh };
    let progress = RunProgress::default();
    let work = || conduct(&experiment, &options, &progress, experiment_page);
    let conducted = watch(py, || progress.stop(), |_| Ok(()), work)?;
    let conducted = conducted.map_err(value_error)?;
    let summary = serde_json::to_value(&conducted.summary).map_err(value_error)?;
    to_python(py, &summary)
}
