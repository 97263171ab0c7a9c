//! Networks from Python: a checkpoint, what it says about states, and training it.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use meeple_bots::open;
use meeple_game::{Action, GameInfo, ObservationSpec};
use meeple_games::files::is_path;
use meeple_net::{
    Batch, Example, Losses, NetError, Precision, Predictor, Shape, TrainOptions, Trainer,
};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arrays::{check_cells, floats, readable};
use crate::convert::{self, value_error};
use crate::game::{Game, load_game};

/// A network that evaluates states: `load_network` reads one, `new_network` draws one.
///
/// It may be shared between threads: every call is a whole of its own.
#[pyclass(module = "meeple", frozen)]
pub(crate) struct Network {
    /// Locked only without the interpreter's lock.
    weights: Mutex<Weights>,
    precision: Precision,
    spec: &'static ObservationSpec,
    seats: usize,
    actions: usize,
    table: Table,
}

/// The table that a network is for.
pub(crate) enum Table {
    /// The default table of the game of this name.
    Named(String),
    Given(Py<Game>),
}

/// Takes the name of a game, the path of a game file, or a `Game`.
fn table(game: &Bound<'_, PyAny>) -> PyResult<Table> {
    if let Ok(given) = game.extract::<Py<Game>>() {
        return Ok(Table::Given(given));
    }
    let name: String = game.extract()?;
    if is_path(&name) {
        return Ok(Table::Given(Py::new(game.py(), load_game(&name, None)?)?));
    }
    Ok(Table::Named(name))
}

impl Table {
    fn info(&self) -> PyResult<GameInfo> {
        match self {
            Self::Named(name) => Ok(open(name, None).map_err(value_error)?.info()),
            Self::Given(game) => Ok(game.get().first.info()),
        }
    }
}

/// The weights, and what is made of them when it is needed.
struct Weights {
    network: meeple_net::Network,
    /// The form that predicts; none once the weights have changed.
    predictor: Option<Predictor>,
    /// Adam's moments and the weights they belong to; none before training.
    trainer: Option<Trainer>,
}

impl Weights {
    fn new(network: meeple_net::Network) -> Self {
        Self { network, predictor: None, trainer: None }
    }

    fn predictor(&mut self, precision: Precision) -> &mut Predictor {
        self.predictor.get_or_insert_with(|| self.network.compile(precision))
    }

    fn train(&mut self, batch: &Batch, options: TrainOptions) -> Result<Losses, NetError> {
        let network = &self.network;
        let trainer = self.trainer.get_or_insert_with(|| Trainer::new(network.clone(), options));
        trainer.options = options;
        let losses = trainer.train_batch(batch)?;
        trainer.network().copy_weights_to(&mut self.network)?;
        self.predictor = None;
        Ok(losses)
    }
}

/// Where a network comes from.
enum Make<'a> {
    Load(&'a Path),
    Bytes(&'a [u8]),
    Draw { shape: Shape, seats: usize, seed: u64 },
}

impl Make<'_> {
    fn network(&self, info: &GameInfo) -> Result<meeple_net::Network, NetError> {
        match *self {
            Self::Load(path) => meeple_net::Network::load(info, path),
            Self::Bytes(bytes) => {
                meeple_net::Network::from_bytes(info, Path::new("the pickled network"), bytes)
            }
            Self::Draw { shape, seats, seed } => meeple_net::Network::new(info, shape, seats, seed),
        }
    }
}

/// The exception for what is wrong with a network or its file.
fn refused(error: NetError) -> PyErr {
    match error {
        NetError::Read { path, .. } if !path.exists() => {
            PyFileNotFoundError::new_err((2, "No such file or directory", path))
        }
        NetError::Read { .. } | NetError::Write { .. } => PyOSError::new_err(error.to_string()),
        error => value_error(error),
    }
}

fn make(table: Table, precision: &str, from: &Make<'_>) -> PyResult<Network> {
    let precision = match precision {
        "float" => Precision::Float,
        "byte" => Precision::Int8,
        other => {
            let message = format!("precision is {other:?}, expected float or byte");
            return Err(PyValueError::new_err(message));
        }
    };
    let info = table.info()?;
    let network = from.network(&info).map_err(refused)?;
    let table = match table {
        Table::Named(_) => Table::Named(info.name.into()),
        given @ Table::Given(_) => given,
    };
    Ok(Network {
        seats: network.signature().seats,
        weights: Mutex::new(Weights::new(network)),
        precision,
        spec: info.observation,
        actions: info.actions,
        table,
    })
}

/// Loads a network of `meeple train`: `load_network("connect-four", "model.safetensors")`.
///
/// `game` is its name, or a `Game` where the size of its board is an option. `precision` is
/// "float", or "byte" for faster and slightly coarser answers.
#[pyfunction]
#[pyo3(signature = (game, path, *, precision = "float"))]
#[expect(clippy::needless_pass_by_value, reason = "Python's paths arrive as values")]
pub(crate) fn load_network(
    #[pyo3(from_py_with = table)] game: Table,
    path: PathBuf,
    precision: &str,
) -> PyResult<Network> {
    make(game, precision, &Make::Load(&path))
}

/// Draws a network that has learned nothing, to be saved and trained. `game` is its name, or a
/// `Game` where the size of its board is an option.
#[pyfunction]
#[pyo3(signature = (game, *, players = 2, width = 128, blocks = 2, neck = 128, value = 64, seed = 0))]
pub(crate) fn new_network(
    #[pyo3(from_py_with = table)] game: Table,
    #[pyo3(from_py_with = convert::players)] players: usize,
    #[pyo3(from_py_with = convert::width)] width: usize,
    #[pyo3(from_py_with = convert::blocks)] blocks: usize,
    #[pyo3(from_py_with = convert::neck)] neck: usize,
    #[pyo3(from_py_with = convert::value)] value: usize,
    #[pyo3(from_py_with = convert::seed)] seed: u64,
) -> PyResult<Network> {
    let shape = Shape { width, blocks, bottleneck: neck, value_hidden: value };
    make(game, "float", &Make::Draw { shape, seats: players, seed })
}

/// A pair of arrays: values, then logits or a policy.
type Predicted<'py, A> = (Bound<'py, A>, Bound<'py, A>);

#[pymethods]
impl Network {
    /// Makes a network again from the bytes of a file: what unpickling calls.
    #[new]
    fn new(
        #[pyo3(from_py_with = table)] game: Table,
        data: &[u8],
        precision: &str,
    ) -> PyResult<Self> {
        make(game, precision, &Make::Bytes(data))
    }

    fn __getnewargs__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyBytes>, &'static str)> {
        let bytes = py.detach(|| self.locked(|weights| weights.network.to_bytes()));
        let bytes = PyBytes::new(py, &bytes.map_err(refused)?);
        let precision = match self.precision {
            Precision::Float => "float",
            Precision::Int8 => "byte",
        };
        let game = match &self.table {
            Table::Named(name) => name.into_pyobject(py)?.into_any(),
            Table::Given(game) => game.bind(py).clone().into_any(),
        };
        Ok((game, bytes, precision))
    }

    /// The number of seats it has values for.
    #[getter]
    fn players(&self) -> usize {
        self.seats
    }

    /// The name of the game it is for.
    #[getter]
    fn game(&self) -> &str {
        match &self.table {
            Table::Named(name) => name,
            Table::Given(game) => game.get().first.info().name,
        }
    }

    /// Evaluates one observation (`[cells]` int32, as `State.get_observation` gives it):
    /// `[players]` values from -1 to 1, the observer's first, and the policy, `[actions]`
    /// probabilities. With `mask`, as `State.legal_actions_mask` gives it, the policy is
    /// over the actions where it is true, and 0 elsewhere.
    #[pyo3(signature = (observation, mask = None))]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        observation: &Bound<'py, PyAny>,
        mask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Predicted<'py, PyArray1<f32>>> {
        let cells = readable::<i32>("observation", observation, &[self.spec.len()])?;
        let cells = cells.as_slice().map_err(value_error)?;
        check_cells(self.spec, cells)?;
        let mask = mask.map(|mask| readable::<bool>("mask", mask, &[self.actions])).transpose()?;
        let mask = mask.as_ref().map(|mask| mask.as_slice()).transpose().map_err(value_error)?;
        if mask.is_some_and(|mask| !mask.contains(&true)) {
            return Err(PyValueError::new_err("mask is False everywhere, expected a legal action"));
        }
        let (values, mut policy) = py.detach(|| self.evaluate(cells, 1));
        softmax(&mut policy, mask);
        Ok((PyArray1::from_vec(py, values), PyArray1::from_vec(py, policy)))
    }

    /// Evaluates `[n, cells]` observations (int32, as `State.get_observation` gives them):
    /// `[n, players]` values from -1 to 1, the observer's first, and `[n, actions]` logits,
    /// as evaluators of `search` return them.
    fn predict_batch<'py>(
        &self,
        py: Python<'py>,
        observations: &Bound<'py, PyAny>,
    ) -> PyResult<Predicted<'py, PyArray2<f32>>> {
        let rows = rows_of(observations)?;
        let cells = readable::<i32>("observations", observations, &[rows, self.spec.len()])?;
        let cells = cells.as_slice().map_err(value_error)?;
        check_cells(self.spec, cells)?;
        let (values, logits) = py.detach(|| self.evaluate(cells, rows));
        let values = PyArray1::from_vec(py, values).reshape([rows, self.seats])?;
        let logits = PyArray1::from_vec(py, logits).reshape([rows, self.actions])?;
        Ok((values, logits))
    }

    /// Learns from a batch by one step of Adam and returns the losses before it, by name:
    /// `policy` (cross-entropy in nats), `value` (squared error, mean over seats), `decay`
    /// and the length of the `gradient`.
    ///
    /// `observations` is `[n, cells]` int32, `target_policies` `[n, actions]` with
    /// probabilities that sum to 1, `target_values` `[n, players]` from -1 to 1, the
    /// observer's first; `[n]`, the observer's, will do at tables of two. `masks`
    /// (`[n, actions]` bool) says which actions are legal, all of them unless given:
    /// policies are compared over legal actions alone. The moments of Adam are kept from
    /// call to call, but neither saved nor pickled.
    #[pyo3(signature = (observations, target_policies, target_values, *, masks = None, learning_rate = 1e-3, decay = 1e-2, value_share = 1.0, clip = 1.0))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn train_batch<'py>(
        &self,
        py: Python<'py>,
        observations: &Bound<'py, PyAny>,
        target_policies: &Bound<'py, PyAny>,
        target_values: &Bound<'py, PyAny>,
        masks: Option<&Bound<'py, PyAny>>,
        learning_rate: f32,
        decay: f32,
        value_share: f32,
        clip: f32,
    ) -> PyResult<Bound<'py, PyDict>> {
        let rows = rows_of(observations)?;
        let cells = readable::<i32>("observations", observations, &[rows, self.spec.len()])?;
        let cells = cells.as_slice().map_err(value_error)?;
        check_cells(self.spec, cells)?;
        let policies = floats("target_policies", target_policies, &[rows, self.actions])?;
        let values = match target_values.getattr("ndim").and_then(|ndim| ndim.extract()) {
            Ok(1) if self.seats == 2 => {
                let own = floats("target_values", target_values, &[rows])?;
                own.into_iter().flat_map(|value| [value, -value]).collect()
            }
            _ => floats("target_values", target_values, &[rows, self.seats])?,
        };
        let masks = masks
            .map(|masks| readable::<bool>("masks", masks, &[rows, self.actions]))
            .transpose()?;
        let masks =
            masks.as_ref().map(|masks| masks.as_slice()).transpose().map_err(value_error)?;
        let options =
            TrainOptions { learning_rate, decay, value_share, clip, ..Default::default() };
        let losses = py.detach(|| {
            let batch = self.batch(cells, &policies, &values, masks);
            self.locked(|weights| weights.train(&batch, options))
        });
        let losses = losses.map_err(refused)?;
        let named = PyDict::new(py);
        named.set_item("policy", losses.policy)?;
        named.set_item("value", losses.value)?;
        named.set_item("decay", losses.decay)?;
        named.set_item("gradient", losses.gradient)?;
        Ok(named)
    }

    /// Writes it to a file, which bots take as `puct:model=FILE`.
    #[expect(clippy::needless_pass_by_value, reason = "Python's paths arrive as values")]
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.locked(|weights| weights.network.save(&path))).map_err(refused)
    }

    /// Replaces its weights by those of a file that `save` wrote, of a network of the same
    /// game and shape. Training starts over.
    #[expect(clippy::needless_pass_by_value, reason = "Python's paths arrive as values")]
    fn load(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let info = self.table.info()?;
        let network = py.detach(|| Make::Load(&path).network(&info)).map_err(refused)?;
        self.take(py, &network)
    }

    /// Gives these weights to another network of the same game and shape, whose training
    /// starts over.
    fn copy_weights_to(&self, py: Python<'_>, other: &Self) -> PyResult<()> {
        // A copy, for two locks at once would wait for each other.
        let network = py.detach(|| self.locked(|weights| weights.network.clone()));
        other.take(py, &network)
    }

    fn __repr__(&self) -> String {
        format!("<Network for {} with {} players>", self.game(), self.seats)
    }
}

impl Network {
    /// Does something with the weights while nobody else does.
    fn locked<T>(&self, work: impl FnOnce(&mut Weights) -> T) -> T {
        work(&mut self.weights.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn take(&self, py: Python<'_>, from: &meeple_net::Network) -> PyResult<()> {
        let taken = py.detach(|| {
            self.locked(|weights| {
                from.copy_weights_to(&mut weights.network)?;
                (weights.predictor, weights.trainer) = (None, None);
                Ok(())
            })
        });
        taken.map_err(refused)
    }

    /// The values and logits of rows of cells.
    fn evaluate(&self, cells: &[i32], rows: usize) -> (Vec<f32>, Vec<f32>) {
        let mut values = vec![0.0; rows * self.seats];
        let mut logits = vec![0.0; rows * self.actions];
        self.locked(|weights| {
            let predictor = weights.predictor(self.precision);
            predictor.predict_batch(cells, &mut values, &mut logits);
        });
        (values, logits)
    }

    fn batch(
        &self,
        cells: &[i32],
        policies: &[f32],
        values: &[f32],
        masks: Option<&[bool]>,
    ) -> Batch {
        let mut batch = Batch::default();
        let rows = cells.chunks_exact(self.spec.len()).zip(values.chunks_exact(self.seats));
        for (row, (observation, values)) in rows.enumerate() {
            let range = row * self.actions..(row + 1) * self.actions;
            let policy = &policies[range.clone()];
            let is_legal = |action: &usize| masks.is_none_or(|masks| masks[range.start + action]);
            let legal: Vec<usize> = (0..self.actions).filter(is_legal).collect();
            let example = Example {
                observation,
                legal: &legal.iter().map(|&action| Action(action as u16)).collect::<Vec<_>>(),
                policy: &legal.iter().map(|&action| policy[action]).collect::<Vec<_>>(),
                values,
                policy_weight: 1.0,
                value_weight: 1.0,
            };
            batch.push(&example, self.seats);
        }
        batch
    }
}

/// The rows of an array.
fn rows_of(observations: &Bound<'_, PyAny>) -> PyResult<usize> {
    let Ok(given) = observations.cast::<PyUntypedArray>() else {
        let got = observations.get_type().name()?.to_string();
        let message = format!("observations is {got}, expected a NumPy array of int32");
        return Err(PyTypeError::new_err(message));
    };
    Ok(given.shape().first().copied().unwrap_or(0))
}

/// Makes probabilities of logits, over the actions of the mask if there is one.
fn softmax(logits: &mut [f32], mask: Option<&[bool]>) {
    let is_legal = |action: usize| mask.is_none_or(|mask| mask[action]);
    let legal = logits.iter().enumerate().filter(|(action, _)| is_legal(*action));
    let most = legal.map(|(_, &logit)| logit).fold(f32::NEG_INFINITY, f32::max);
    for (action, logit) in logits.iter_mut().enumerate() {
        *logit = if is_legal(action) { (*logit - most).exp() } else { 0.0 };
    }
    let total: f32 = logits.iter().sum();
    logits.iter_mut().for_each(|share| *share /= total);
}
