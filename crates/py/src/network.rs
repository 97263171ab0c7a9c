//! Networks from Python: a checkpoint, and what it says about many states.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use meeple_game::ObservationSpec;
use meeple_games::registry::{Visit, with_game};
use meeple_net::{NetError, Precision, Predictor};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::arrays::readable;
use crate::convert::value_error;

/// A trained network, ready to judge states. `load_network` makes one.
#[pyclass(module = "meeple", frozen)]
pub(crate) struct Network {
    predictor: Mutex<Predictor>,
    spec: &'static ObservationSpec,
    seats: usize,
    actions: usize,
    game: String,
}

struct Load<'a>(&'a std::path::Path, Precision);

impl Visit for Load<'_> {
    type Out = Result<(Predictor, &'static ObservationSpec, usize), NetError>;

    fn visit<G: meeple_game::Game>(self) -> Self::Out {
        let network = meeple_net::Network::load::<G>(self.0)?;
        Ok((network.compile(self.1), G::observation(), G::ACTIONS))
    }
}

/// Loads a network of `meeple train`: `load_network("connect-four", "model.safetensors")`.
///
/// `precision` is "float", or "byte" for faster and slightly coarser answers.
#[pyfunction]
#[pyo3(signature = (game, path, *, precision = "float"))]
#[expect(clippy::needless_pass_by_value, reason = "Python's paths arrive as values")]
pub(crate) fn load_network(game: &str, path: PathBuf, precision: &str) -> PyResult<Network> {
    let precision = match precision {
        "float" => Precision::Float,
        "byte" => Precision::Byte,
        other => {
            let message = format!("precision is {other:?}, expected float or byte");
            return Err(PyValueError::new_err(message));
        }
    };
    let loaded = with_game(game, Load(&path, precision)).map_err(value_error)?;
    let (predictor, spec, actions) = loaded.map_err(value_error)?;
    let seats = predictor.purpose().seats;
    let game = game.to_owned();
    Ok(Network { predictor: Mutex::new(predictor), spec, seats, actions, game })
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
        self.check(cells)?;
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

    fn __repr__(&self) -> String {
        format!("<Network for {} with {} players>", self.game, self.seats)
    }
}

impl Network {
    /// Whether every cell is one that an observation of the game may hold.
    fn check(&self, cells: &[i32]) -> PyResult<()> {
        let kinds = self.spec.fields().iter();
        let kinds: Vec<(i32, i32)> = kinds
            .flat_map(|field| std::iter::repeat_n(field.kind().bounds(), field.cells()))
            .collect();
        for (row, cells) in cells.chunks_exact(self.spec.len()).enumerate() {
            let mut pairs = cells.iter().zip(&kinds).enumerate();
            if let Some((cell, (value, (min, max)))) =
                pairs.find(|(_, (value, (min, max)))| !(min..=max).contains(value))
            {
                let message = format!("row {row}, cell {cell} is {value}, expected {min} to {max}");
                return Err(PyValueError::new_err(message));
            }
        }
        Ok(())
    }
}
