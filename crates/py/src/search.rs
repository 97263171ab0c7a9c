//! Searches from Python, and evaluators that are Python functions.

use std::time::Duration;

use meeple_bots::{BotSpec, LeafBatch, ObservationEvaluator};
use meeple_game::ObservationSpec;
use meeple_search::{Budget, Control, StopFlag};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::convert::{self, bot, value_error};
use crate::report::SearchReport;
use crate::state::State;
use crate::watch::watch;

/// Searches `state`: `search(state, "mcts:sims=1000")`.
///
/// `seconds` ends it by the clock too. The same seed gives the same report. Ctrl-C ends it
/// at once.
///
/// `evaluator(observations, masks, players)` is a function that judges states, up to
/// `batch` at a time: it is given what the player who decides sees
/// (`[n, features]` float32), which actions are legal (`[n, actions]` bool) and who
/// decides (`[n]` int64), and returns values from -1 to 1, or a pair of values and
/// logits (`[n, actions]`). Values are `[n, players]`, that of the player who decides
/// first and the others in the order of seats after them; or `[n]` at tables of two,
/// for the player who decides.
#[pyfunction]
#[pyo3(signature = (state, bot = "mcts", *, seed = 0, seconds = None, evaluator = None, has_policy = true, batch = 16))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
#[pyo3(name = "search")]
pub(crate) fn search(
    py: Python<'_>,
    state: &State,
    bot: &str,
    #[pyo3(from_py_with = convert::seed)] seed: u64,
    seconds: Option<f64>,
    evaluator: Option<Py<PyAny>>,
    has_policy: bool,
    #[pyo3(from_py_with = convert::batch)] batch: usize,
) -> PyResult<SearchReport> {
    let spec = match self::bot(bot)? {
        BotSpec::Search(spec) => spec,
        other => {
            let message = format!("bot {other} does not search, expected mcts, puct or another");
            return Err(PyValueError::new_err(message));
        }
    };
    let position = state.lock().position().copy();
    let mut budget = spec.budget();
    if let Some(seconds) = seconds {
        let time = Duration::try_from_secs_f64(seconds).map_err(|_| {
            PyValueError::new_err(format!("seconds is {seconds}, expected a positive number"))
        })?;
        budget = Budget { time: Some(time), ..budget };
    }
    let stop = StopFlag::default();
    let report = match evaluator {
        None => {
            let search = || {
                let mut control = Control { stop: stop.clone(), progress: None };
                position.search(&spec, &budget, seed, &mut control)
            };
            watch(py, || stop.stop(), |_| Ok(()), search)?
        }
        // A Python function hears Ctrl-C itself, and stays on the caller's thread.
        Some(function) => {
            let mut evaluator = Function {
                function,
                has_policy,
                spec: position.observation(),
                stop: stop.clone(),
                failure: None,
            };
            let report = py.detach(|| {
                let mut control = Control { stop, progress: None };
                position.search_with_evaluator(
                    &spec,
                    &budget,
                    seed,
                    &mut control,
                    &mut evaluator,
                    batch,
                )
            });
            if let Some(failure) = evaluator.failure {
                return Err(failure);
            }
            report
        }
    };
    let report = report.map_err(value_error)?;
    let names = report.actions.iter().map(|entry| position.action_name(entry.action)).collect();
    Ok(SearchReport::new(report, names, position.players(), position.info().actions))
}

/// A Python function that judges states.
struct Function {
    function: Py<PyAny>,
    has_policy: bool,
    spec: &'static ObservationSpec,
    stop: StopFlag,
    /// What went wrong; the search is stopped then.
    failure: Option<PyErr>,
}

impl ObservationEvaluator for Function {
    fn has_policy(&self) -> bool {
        self.has_policy
    }

    fn evaluate(&mut self, leaves: &LeafBatch<'_>, values: &mut [f32], logits: &mut [f32]) {
        if self.failure.is_some() {
            return;
        }
        let asked = Python::attach(|py| self.ask(py, leaves, values, logits));
        if let Err(failure) = asked {
            // A search has no other way to end: its report is thrown away.
            values.fill(0.0);
            logits.fill(0.0);
            self.failure = Some(failure);
            self.stop.stop();
        }
    }
}

impl Function {
    fn ask(
        &self,
        py: Python<'_>,
        leaves: &LeafBatch<'_>,
        values: &mut [f32],
        logits: &mut [f32],
    ) -> PyResult<()> {
        let (count, features) = (leaves.count, self.spec.features());
        let observations = PyArray2::<f32>::zeros(py, [count, features], false);
        {
            let mut written = observations.try_readwrite().map_err(value_error)?;
            let rows = written.as_slice_mut().map_err(value_error)?.chunks_exact_mut(features);
            for (cells, row) in leaves.observations.chunks_exact(self.spec.len()).zip(rows) {
                self.spec.normalize(cells, row);
            }
        }
        let masks = PyArray1::from_slice(py, leaves.masks);
        let masks = masks.reshape([count, leaves.masks.len() / count])?;
        let players: Vec<i64> = leaves.seats.iter().map(|&seat| i64::from(seat)).collect();
        let players = PyArray1::from_vec(py, players);
        let answer = self.function.bind(py).call1((observations, masks, players))?;
        let (judged, policy) = match answer.cast::<PyTuple>() {
            Ok(pair) => pair.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?,
            Err(_) => (answer.clone(), py.None().into_bound(py)),
        };
        let judged = floats(py, "values", &judged)?;
        let given = judged.as_slice().map_err(value_error)?;
        if judged.shape() == [count, leaves.players] {
            values.copy_from_slice(given);
        } else if judged.shape() == [count] && leaves.players == 2 {
            for (pair, &value) in values.chunks_exact_mut(2).zip(given) {
                pair.copy_from_slice(&[value, -value]);
            }
        } else {
            let message = format!(
                "the evaluator returned values of shape {:?}, expected {:?}",
                judged.shape(),
                [count, leaves.players]
            );
            return Err(PyValueError::new_err(message));
        }
        match (self.has_policy, policy.is_none()) {
            (true, true) => Err(PyTypeError::new_err(
                "the evaluator returned no logits, expected a pair (values, logits) or has_policy=False",
            )),
            (false, _) => Ok(()),
            (true, false) => {
                let policy = floats(py, "logits", &policy)?;
                let expected = [count, logits.len() / count];
                if policy.shape() != expected {
                    let message = format!(
                        "the evaluator returned logits of shape {:?}, expected {expected:?}",
                        policy.shape()
                    );
                    return Err(PyValueError::new_err(message));
                }
                logits.copy_from_slice(policy.as_slice().map_err(value_error)?);
                Ok(())
            }
        }
    }
}

/// Whatever NumPy can make an array of float32 of.
fn floats<'py>(
    py: Python<'py>,
    name: &str,
    object: &Bound<'py, PyAny>,
) -> PyResult<PyReadonlyArrayDyn<'py, f32>> {
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("ascontiguousarray", (object, "float32"))?;
    array.extract().map_err(|_| {
        PyTypeError::new_err(format!("the evaluator's {name} are no array of numbers"))
    })
}
