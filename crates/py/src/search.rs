//! Searches from Python, and evaluators that are Python functions.

use std::time::Duration;

use meeple_bots::{BotSpec, LeafBatch, ObservationEvaluator, Position, SearchSpec, choices_of};
use meeple_game::{GameInfo, ObservationSpec};
use meeple_search::{Budget, Control, ManyOptions, StopFlag};
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
/// `evaluator(observations, masks, players)` is a function that evaluates states, up to
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
    let position = state.lock().position().copy();
    let spec = search_spec(bot, &position.info())?;
    let mut budget = spec.budget(choices_of(&*position).len());
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
            let mut evaluator = Function::new(function, has_policy, position.observation(), &stop);
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
    Ok(named(report.map_err(value_error)?, &*position))
}

/// Searches many states with one evaluator: `search_many(states, "puct:sims=200", evaluator)`.
///
/// The leaves of many searches fill each batch, so that a network is called with large ones. All
/// states are of one table; the report of a state with one legal action has no visits. State `i`
/// has the seed `seed + i`; its report depends neither on the other states nor on `batch`.
///
/// `evaluator(observations, masks, players)` is as in `search`. With `pad` it is always given
/// `batch` rows, the last of them zeros where there are fewer leaves, so that compiled networks
/// see one shape. `leaves` is the number of leaves of one
/// search in a batch: more than 1 costs strength and fills batches where there are few states.
/// Ctrl-C is heard between batches.
#[pyfunction]
#[pyo3(signature = (states, bot = "puct", evaluator = None, *, seed = 0, has_policy = true, batch = 256, leaves = 1, pad = true))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn search_many(
    py: Python<'_>,
    states: Vec<PyRef<'_, State>>,
    bot: &str,
    evaluator: Option<Py<PyAny>>,
    #[pyo3(from_py_with = convert::seed)] seed: u64,
    has_policy: bool,
    #[pyo3(from_py_with = convert::batch)] batch: usize,
    #[pyo3(from_py_with = convert::batch)] leaves: usize,
    pad: bool,
) -> PyResult<Vec<SearchReport>> {
    let positions: Vec<Box<dyn Position>> =
        states.into_iter().map(|state| state.lock().position().copy()).collect();
    let Some(first) = positions.first() else { return Ok(Vec::new()) };
    let spec = search_spec(bot, &first.info())?;
    let Some(function) = evaluator else {
        return Err(PyTypeError::new_err("search_many needs an evaluator, as in search"));
    };
    let simulations = spec.sims.into();
    let options = ManyOptions { simulations, batch, leaves, seed, ..ManyOptions::default() };
    let stop = StopFlag::default();
    let mut evaluator = Function::new(function, has_policy, first.observation(), &stop);
    evaluator.rows = pad.then_some(batch);
    let reports =
        py.detach(|| first.search_many(&positions, &spec, &options, &mut evaluator, &stop));
    if let Some(failure) = evaluator.failure {
        return Err(failure);
    }
    let reports = reports.map_err(value_error)?;
    Ok(reports.into_iter().zip(&positions).map(|(report, at)| named(report, &**at)).collect())
}

/// Reads a bot that searches at a table.
fn search_spec(bot: &str, table: &GameInfo) -> PyResult<SearchSpec> {
    match self::bot(bot)?.at(table) {
        BotSpec::Search(spec) => Ok(spec),
        other => {
            let message = format!("bot {other} does not search, expected mcts, puct or another");
            Err(PyValueError::new_err(message))
        }
    }
}

/// Adds the names of the actions to a report.
fn named(report: meeple_search::SearchReport, position: &dyn Position) -> SearchReport {
    let names = report.actions.iter().map(|entry| position.action_name(entry.action)).collect();
    SearchReport::new(report, names, position.players(), position.info().actions)
}

/// A Python function that evaluates states.
struct Function {
    function: Py<PyAny>,
    has_policy: bool,
    spec: &'static ObservationSpec,
    stop: StopFlag,
    /// The number of rows of every batch, filled up with zeros; that of its leaves if `None`.
    rows: Option<usize>,
    /// The arrays of the last batch, for the next one of the same size.
    arrays: Option<Arrays>,
    /// What went wrong; the search is stopped then.
    failure: Option<PyErr>,
}

/// The arrays that an evaluator is given.
struct Arrays {
    rows: usize,
    observations: Py<PyArray2<f32>>,
    masks: Py<PyArray2<bool>>,
    players: Py<PyArray1<i64>>,
    /// The references to each array while nothing else refers to it.
    unused: [usize; 3],
}

impl Arrays {
    fn new(py: Python<'_>, rows: usize, features: usize, actions: usize) -> PyResult<Self> {
        let mut new = Self {
            rows,
            observations: PyArray2::zeros(py, [rows, features], false).unbind(),
            masks: PyArray2::zeros(py, [rows, actions], false).unbind(),
            players: PyArray1::zeros(py, [rows], false).unbind(),
            unused: [0; 3],
        };
        new.unused = new.references(py)?;
        Ok(new)
    }

    /// Counts the references to each array, as the interpreter does.
    fn references(&self, py: Python<'_>) -> PyResult<[usize; 3]> {
        let count = py.import("sys")?.getattr("getrefcount")?;
        Ok([
            count.call1((&self.observations,))?.extract()?,
            count.call1((&self.masks,))?.extract()?,
            count.call1((&self.players,))?.extract()?,
        ])
    }

    fn write(
        &self,
        py: Python<'_>,
        leaves: &LeafBatch<'_>,
        spec: &ObservationSpec,
    ) -> PyResult<()> {
        let mut observations = self.observations.bind(py).try_readwrite().map_err(value_error)?;
        let observations = observations.as_slice_mut().map_err(value_error)?;
        let (written, rest) = observations.split_at_mut(leaves.count * spec.features());
        let rows = written.chunks_exact_mut(spec.features());
        for (cells, row) in leaves.observations.chunks_exact(spec.len()).zip(rows) {
            spec.normalize(cells, row);
        }
        rest.fill(0.0);
        let mut masks = self.masks.bind(py).try_readwrite().map_err(value_error)?;
        let masks = masks.as_slice_mut().map_err(value_error)?;
        let (written, rest) = masks.split_at_mut(leaves.masks.len());
        written.copy_from_slice(leaves.masks);
        rest.fill(false);
        let mut players = self.players.bind(py).try_readwrite().map_err(value_error)?;
        let players = players.as_slice_mut().map_err(value_error)?;
        players.fill(0);
        for (player, &seat) in players.iter_mut().zip(leaves.seats) {
            *player = i64::from(seat);
        }
        Ok(())
    }
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
    fn new(
        function: Py<PyAny>,
        has_policy: bool,
        spec: &'static ObservationSpec,
        stop: &StopFlag,
    ) -> Self {
        let stop = stop.clone();
        Self { function, has_policy, spec, stop, rows: None, arrays: None, failure: None }
    }

    /// Returns arrays with the leaves, those of the last batch if nothing else refers to them.
    fn arrays(&mut self, py: Python<'_>, leaves: &LeafBatch<'_>) -> PyResult<&Arrays> {
        let rows = self.rows.unwrap_or(leaves.count);
        let (features, actions) = (self.spec.features(), leaves.masks.len() / leaves.count);
        let arrays = match self.arrays.take() {
            Some(kept) if kept.rows == rows && kept.references(py)? == kept.unused => kept,
            _ => Arrays::new(py, rows, features, actions)?,
        };
        arrays.write(py, leaves, self.spec)?;
        Ok(self.arrays.insert(arrays))
    }

    fn ask(
        &mut self,
        py: Python<'_>,
        leaves: &LeafBatch<'_>,
        values: &mut [f32],
        logits: &mut [f32],
    ) -> PyResult<()> {
        py.check_signals()?;
        let Arrays { rows, observations, masks, players, .. } = self.arrays(py, leaves)?;
        let rows = *rows;
        let arguments = (observations.clone_ref(py), masks.clone_ref(py), players.clone_ref(py));
        let answer = self.function.bind(py).call1(arguments)?;
        let (returned, policy) = match answer.cast::<PyTuple>() {
            Ok(pair) => pair.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?,
            Err(_) => (answer.clone(), py.None().into_bound(py)),
        };
        let returned = floats(py, "values", &returned)?;
        let given = returned.as_slice().map_err(value_error)?;
        if returned.shape() == [rows, leaves.players] {
            values.copy_from_slice(&given[..values.len()]);
        } else if returned.shape() == [rows] && leaves.players == 2 {
            for (pair, &value) in values.chunks_exact_mut(2).zip(given) {
                pair.copy_from_slice(&[value, -value]);
            }
        } else {
            let message = format!(
                "the evaluator returned values of shape {:?}, expected {:?}",
                returned.shape(),
                [rows, leaves.players]
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
                let expected = [rows, logits.len() / leaves.count];
                if policy.shape() != expected {
                    let message = format!(
                        "the evaluator returned logits of shape {:?}, expected {expected:?}",
                        policy.shape()
                    );
                    return Err(PyValueError::new_err(message));
                }
                let given = policy.as_slice().map_err(value_error)?;
                logits.copy_from_slice(&given[..logits.len()]);
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
