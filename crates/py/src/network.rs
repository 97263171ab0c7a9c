//! Networks from Python: a checkpoint, and what it says about many states.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use meeple_game::ObservationSpec;
use meeple_games::registry::{Visit, with_game};
use meeple_net::{NetError, Precision, Predictor, Shape};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::arrays::{check_cells, readable};
use crate::convert::value_error;

/// A network, ready to judge states: `load_network` reads one, `new_network` draws one.
#[pyclass(module = "meeple", frozen)]
pub(crate) struct Network {
    network: meeple_net::Network,
    predictor: Mutex<Predictor>,
    spec: &'static ObservationSpec,
    seats: usize,
    actions: usize,
    game: String,
}

/// Where a network comes from.
enum Make<'a> {
    Load(&'a Path),
    Draw { shape: Shape, seats: usize, seed: u64 },
}

impl Visit for Make<'_> {
    type Out = Result<(meeple_net::Network, &'static ObservationSpec, usize), NetError>;

    fn visit<G: meeple_game::Game>(self) -> Self::Out {
        let network = match self {
            Self::Load(path) => meeple_net::Network::load::<G>(path)?,
            Self::Draw { shape, seats, seed } => meeple_net::Network::new::<G>(shape, seats, seed)?,
        };
        Ok((network, G::observation(), G::ACTIONS))
    }
}

fn make(game: &str, precision: &str, from: Make<'_>) -> PyResult<Network> {
    let precision = match precision {
        "float" => Precision::Float,
        "byte" => Precision::Byte,
        other => {
            let message = format!("precision is {other:?}, expected float or byte");
            return Err(PyValueError::new_err(message));
        }
    };
    let made = with_game(game, from).map_err(value_error)?;
    let (network, spec, actions) = made.map_err(value_error)?;
    let predictor = Mutex::new(network.compile(precision));
    let seats = network.purpose().seats;
    Ok(Network { network, predictor, spec, seats, actions, game: game.to_owned() })
}

/// Loads a network of `meeple train`: `load_network("connect-four", "model.safetensors")`.
///
/// `precision` is "float", or "byte" for faster and slightly coarser answers.
#[pyfunction]
#[pyo3(signature = (game, path, *, precision = "float"))]
#[expect(clippy::needless_pass_by_value, reason = "Python's paths arrive as values")]
pub(crate) fn load_network(game: &str, path: PathBuf, precision: &str) -> PyResult<Network> {
    make(game, precision, Make::Load(&path))
}

/// Draws a network that has learned nothing, to be saved and trained.
#[pyfunction]
#[pyo3(signature = (game, *, players = 2, width = 128, blocks = 2, neck = 128, value = 64, seed = 0))]
pub(crate) fn new_network(
    game: &str,
    players: usize,
    width: usize,
    blocks: usize,
    neck: usize,
    value: usize,
    seed: u64,
) -> PyResult<Network> {
    let shape = Shape { width, blocks, neck, value };
    make(game, "float", Make::Draw { shape, seats: players, seed })
}

#[pymethods]
impl Network {
    /// The number of seats it has values for.
    #[getter]
    fn players(&self) -> usize {
        self.seats
    }

    /// Judges `[n, cells]` observations (int32, as `State.get_observation` gives them):
    /// `[n, players]` values from -1 to 1, the observer's first, and `[n, actions]` logits.
    #[expect(clippy::type_complexity, reason = "a pair of arrays")]
    fn predict_batch<'py>(
        &self,
        py: Python<'py>,
        observations: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyArray2<f32>>, Bound<'py, PyArray2<f32>>)> {
        let Ok(given) = observations.cast::<PyUntypedArray>() else {
            let got = observations.get_type().name()?.to_string();
            let message = format!("observations is {got}, expected a NumPy array of int32");
            return Err(PyTypeError::new_err(message));
        };
        let rows = given.shape().first().copied().unwrap_or(0);
        let cells = readable::<i32>("observations", observations, &[rows, self.spec.len()])?;
        let cells = cells.as_slice().map_err(value_error)?;
        check_cells(self.spec, cells)?;
        let mut values = vec![0.0; rows * self.seats];
        let mut logits = vec![0.0; rows * self.actions];
        py.detach(|| {
            let mut predictor = self.predictor.lock().unwrap_or_else(PoisonError::into_inner);
            predictor.predict_batch(cells, &mut values, &mut logits);
        });
        let values = PyArray1::from_vec(py, values).reshape([rows, self.seats])?;
        let logits = PyArray1::from_vec(py, logits).reshape([rows, self.actions])?;
        Ok((values, logits))
    }

    /// Writes it to a file, which bots take as `puct:model=FILE`.
    #[expect(clippy::needless_pass_by_value, reason = "Python's paths arrive as values")]
    fn save(&self, path: PathBuf) -> PyResult<()> {
        self.network.save(&path).map_err(value_error)
    }

    fn __repr__(&self) -> String {
        format!("<Network for {} with {} players>", self.game, self.seats)
    }
}
