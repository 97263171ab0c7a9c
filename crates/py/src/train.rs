//! Training from Python: what `meeple train` does.

use std::path::{Path, PathBuf};

use meeple_train::{
    IterationReport, State, TrainConfig, TrainError, TrainOptions, TrainProgress, read_config,
    resume, saved_config,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::convert::{self, to_python, value_error};
use crate::watch::watch;

/// Trains a network by self-play, or resumes the run in `folder`, and returns its
/// result: why it `ended` ("finished" or "stopped"), its `folder`, the file of the
/// `model`, its `state` (iterations, games, ...), the `latest` iteration and the
/// `ratings` of its networks and opponents.
///
/// `config` is a dictionary or a file as in docs/src/reference/training.md;
/// `{"game": "connect-four"}` will do, and None resumes a run with its own configuration. `folder` is that of the
/// configuration unless given. The run ends after so many `iterations` or `minutes` of
/// all its parts, whatever the configuration says. The same configuration gives the same
/// network on any number of `threads` (0 for all cores).
///
/// `on_iteration(report)` is told of every iteration by a dictionary, some milliseconds
/// after it; the run ends early when it returns False. Ctrl-C ends it too: what is
/// finished is kept, and the same call goes on from there.
#[pyfunction]
#[pyo3(signature = (config = None, folder = None, *, iterations = None, minutes = None, threads = 0, on_iteration = None))]
pub(crate) fn train<'py>(
    py: Python<'py>,
    config: Option<&Bound<'py, PyAny>>,
    folder: Option<PathBuf>,
    #[pyo3(from_py_with = convert::iterations)] iterations: Option<u64>,
    minutes: Option<f64>,
    #[pyo3(from_py_with = convert::threads)] threads: usize,
    on_iteration: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut config = match (config, &folder) {
        (Some(config), _) => read(config)?,
        (None, Some(folder)) => saved_config(folder).map_err(value_error)?,
        (None, None) => {
            let message = "neither config nor folder is given, expected one of them at least";
            return Err(PyTypeError::new_err(message));
        }
    };
    config.limit.iterations = iterations.or(config.limit.iterations);
    config.limit.minutes = minutes.or(config.limit.minutes);
    let folder = folder.unwrap_or_else(|| config.folder());
    let options = TrainOptions { folder: Some(folder.clone()), threads };
    let progress = TrainProgress::default();
    let mut told = Told { function: on_iteration, last: finished(&folder) };
    let trained = watch(
        py,
        || progress.stop(),
        |py| told.tell(py, &progress),
        || match resume(&folder, Some(&config), &options, &progress) {
            Err(TrainError::NoRun { .. }) => meeple_train::train(&config, &options, &progress),
            gone_on => gone_on,
        },
    )?;
    let trained = trained.map_err(value_error)?;
    let mut result = serde_json::to_value(&trained).map_err(value_error)?;
    result["model"] = trained.folder.join("model.safetensors").to_string_lossy().into();
    to_python(py, &result)
}

/// A configuration from a dictionary, or from the file it names.
fn read(config: &Bound<'_, PyAny>) -> PyResult<TrainConfig> {
    let (file, text) = if config.is_instance_of::<PyDict>() {
        let json = config.py().import("json")?;
        (PathBuf::from("config"), json.call_method1("dumps", (config,))?.extract()?)
    } else if let Ok(file) = config.extract::<PathBuf>() {
        let text = std::fs::read_to_string(&file)?;
        (file, text)
    } else {
        let got = config.get_type().name()?.to_string();
        let message = format!("config is {got}, expected a dictionary or the path of a file");
        return Err(PyTypeError::new_err(message));
    };
    read_config(&file, &text).map_err(value_error)
}

/// The iterations that the run in `folder` has finished.
fn finished(folder: &Path) -> u64 {
    let text = std::fs::read(folder.join("state.json")).unwrap_or_default();
    serde_json::from_slice::<State>(&text).map_or(0, |state| state.iterations)
}

/// Who is told of iterations, and the last one they were told of.
struct Told {
    function: Option<Py<PyAny>>,
    last: u64,
}

impl Told {
    fn tell(&mut self, py: Python<'_>, progress: &TrainProgress) -> PyResult<()> {
        let Some(function) = &self.function else { return Ok(()) };
        let is_new = |report: &&IterationReport| report.iteration > self.last;
        let reports: Vec<_> = progress.board().history.iter().filter(is_new).cloned().collect();
        for report in reports {
            self.last = report.iteration;
            let report = serde_json::to_value(&report).map_err(value_error)?;
            let answer = function.call1(py, (to_python(py, &report)?,))?;
            if answer.bind(py).cast::<PyBool>().is_ok_and(|go_on| !go_on.is_true()) {
                progress.stop();
            }
        }
        Ok(())
    }
}
