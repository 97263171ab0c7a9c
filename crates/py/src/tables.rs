//! Many tables stepped together, into arrays that belong to Python.

use std::sync::{Mutex, MutexGuard, PoisonError};

use meeple_bots::BotSpec;
use meeple_vector::{
    Autoreset, Cells, Encoding, Frame, Illegal, Learner, Opponent, Questions, SavedTable, Shape,
    VectorEnv, VectorError, VectorOptions, open,
};
use numpy::{PyArray3, PyReadwriteArrayDyn};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{dtype_name, readable, writable};
use crate::convert::{self, bot, value_error, with_file};
use crate::drawing::{Drawing, pixels};
use crate::watch::watch;

/// From so many tables on a step may take long enough for Ctrl-C to matter.
const MANY: usize = 1 << 16;

/// The compiled part of `meeple.Tables`: it writes into the arrays it is given.
#[pyclass(module = "meeple._meeple", frozen)]
pub(crate) struct NativeTables {
    /// Locked only without the interpreter's lock, or where nothing takes time.
    env: Mutex<Box<dyn VectorEnv>>,
    shape: Shape,
    autoreset: Autoreset,
    /// Whether Ctrl-C is listened for during a step.
    is_slow: bool,
}

/// A table as a pickle holds it: seed, games, inputs, samples, whether it is done.
type Saved = (u64, u64, Vec<u16>, u32, bool);

fn refused(error: VectorError) -> PyErr {
    match error {
        VectorError::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        error => value_error(error),
    }
}

impl NativeTables {
    fn env(&self) -> MutexGuard<'_, Box<dyn VectorEnv>> {
        self.env.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does `work` without the interpreter's lock; where it may take long, Ctrl-C is heard.
    fn run(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn VectorEnv) -> Result<usize, VectorError> + Send,
    ) -> PyResult<usize> {
        if !self.is_slow {
            return py.detach(|| work(&mut **self.env())).map_err(refused);
        }
        let stop = py.detach(|| self.env().stop_flag());
        watch(py, || stop.stop(), |_| Ok(()), || work(&mut **self.env()))?.map_err(refused)
    }
}

fn word<T: Copy>(name: &str, text: &str, words: &[(&str, T)]) -> PyResult<T> {
    words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        PyValueError::new_err(format!("{name} is {text:?}, expected one of {}", known.join(", ")))
    })
}

#[pymethods]
impl NativeTables {
    #[new]
    #[pyo3(signature = (game, config, tables, *, seat, opponents, autoreset, illegal, max_steps, dtype, threads))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        game: &str,
        config: Option<&str>,
        #[pyo3(from_py_with = convert::tables)] tables: usize,
        seat: &Bound<'_, PyAny>,
        opponents: Vec<Option<String>>,
        autoreset: &str,
        illegal: &str,
        #[pyo3(from_py_with = convert::max_steps)] max_steps: Option<u32>,
        dtype: Option<&str>,
        #[pyo3(from_py_with = convert::threads)] threads: usize,
    ) -> PyResult<Self> {
        let learner = match seat.extract::<usize>() {
            _ if seat.is_none() => Learner::All,
            Ok(seat) => Learner::Seat(seat),
            Err(_) => match seat.extract::<String>().as_deref() {
                Ok("rotate") => Learner::Rotating,
                _ => {
                    let message = format!("seat is {seat}, expected None, a seat or \"rotate\"");
                    return Err(PyValueError::new_err(message));
                }
            },
        };
        let opponent = |name: Option<String>| {
            Ok(match name {
                Some(name) => Opponent::Bot(bot(&name)?),
                None => Opponent::Outside,
            })
        };
        let autoreset = word(
            "autoreset",
            autoreset,
            &[
                ("next_step", Autoreset::NextStep),
                ("same_step", Autoreset::SameStep),
                ("disabled", Autoreset::Disabled),
            ],
        )?;
        let encodings = [Encoding::Int8, Encoding::Int16, Encoding::Int32, Encoding::Float32];
        let encodings = encodings.map(|encoding| (encoding.name(), encoding));
        let options = VectorOptions {
            tables,
            learner,
            opponents: opponents.into_iter().map(opponent).collect::<PyResult<_>>()?,
            autoreset,
            illegal: word(
                "illegal",
                illegal,
                &[("raise", Illegal::Refuse), ("lose", Illegal::Lose)],
            )?,
            max_steps,
            encoding: dtype.map(|dtype| word("dtype", dtype, &encodings)).transpose()?,
            threads,
        };
        let is_quick = |opponent: &Opponent| {
            matches!(opponent, Opponent::Outside | Opponent::Bot(BotSpec::Random))
        };
        let is_slow = tables >= MANY || !options.opponents.iter().all(is_quick);
        let config = with_file(game, config.map(str::to_owned))?;
        let env = open(game, config.as_deref(), &options).map_err(refused)?;
        Ok(Self { shape: *env.shape(), env: Mutex::new(env), autoreset, is_slow })
    }

    /// The lengths of the arrays' rows, by name.
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let shape = self.shape;
        let lengths = PyDict::new(py);
        lengths.set_item("tables", shape.tables)?;
        lengths.set_item("players", shape.players)?;
        lengths.set_item("actions", shape.actions)?;
        lengths.set_item("width", shape.width)?;
        lengths.set_item("rewards", shape.rewards)?;
        lengths.set_item("dtype", shape.encoding.name())?;
        Ok(lengths)
    }

    /// The smallest and the largest value of each number of an observation.
    fn bounds(&self) -> (Vec<f32>, Vec<f32>) {
        let shape = self.shape;
        let mut bounds = (Vec::new(), Vec::new());
        for field in shape.spec.fields() {
            let (min, max) = field.kind().bounds();
            let (low, high, times) = match (shape.encoding, field.kind()) {
                (Encoding::Float32, meeple_game::Kind::Count { scale, .. }) => {
                    (min as f32 / scale as f32, max as f32 / scale as f32, 1)
                }
                (Encoding::Float32, kind) => (0.0, 1.0, kind.features()),
                _ => (min as f32, max as f32, 1),
            };
            bounds.0.extend(std::iter::repeat_n(low, field.cells() * times));
            bounds.1.extend(std::iter::repeat_n(high, field.cells() * times));
        }
        bounds
    }

    /// Begins new games; see `meeple.Tables.reset`.
    #[expect(clippy::needless_pass_by_value, reason = "Python's lists arrive as vectors")]
    fn reset(
        &self,
        py: Python<'_>,
        seeds: Vec<u64>,
        which: Option<&Bound<'_, PyAny>>,
        arrays: &Bound<'_, PyAny>,
    ) -> PyResult<usize> {
        let shape = self.shape;
        let which =
            which.map(|which| readable("reset_mask", which, &[shape.tables])).transpose()?;
        let which =
            which.as_ref().map(|which| which.as_slice()).transpose().map_err(value_error)?;
        let mut borrowed = Borrowed::new(arrays, &shape, self.autoreset)?;
        let frame = borrowed.frame()?;
        self.run(py, |env| env.reset(&seeds, which, frame))
    }

    /// Plays an action at each table; see `meeple.Tables.step`.
    fn step(
        &self,
        py: Python<'_>,
        actions: &Bound<'_, PyAny>,
        arrays: &Bound<'_, PyAny>,
    ) -> PyResult<usize> {
        let shape = self.shape;
        let actions = readable("actions", actions, &[shape.tables])?;
        let actions = actions.as_slice().map_err(value_error)?;
        let mut borrowed = Borrowed::new(arrays, &shape, self.autoreset)?;
        let frame = borrowed.frame()?;
        self.run(py, |env| env.step(actions, frame))
    }

    /// Writes what opponents outside are asked.
    fn questions(
        &self,
        py: Python<'_>,
        observations: &Bound<'_, PyAny>,
        masks: &Bound<'_, PyAny>,
        seats: &Bound<'_, PyAny>,
        tables: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (shape, count) = (self.shape, py.detach(|| self.env().waiting()));
        let mut observations = Rows::new("observations", observations, &[count, shape.width])?;
        let mut masks = writable("masks", masks, &[count, shape.actions])?;
        let mut seats = writable("seats", seats, &[count])?;
        let mut tables = writable("tables", tables, &[count])?;
        let questions = Questions {
            observations: observations.cells()?,
            masks: masks.as_slice_mut().map_err(value_error)?,
            seats: seats.as_slice_mut().map_err(value_error)?,
            tables: tables.as_slice_mut().map_err(value_error)?,
        };
        py.detach(|| self.env().questions(questions)).map_err(refused)
    }

    /// Plays what opponents outside answered.
    fn answer(
        &self,
        py: Python<'_>,
        actions: &Bound<'_, PyAny>,
        arrays: &Bound<'_, PyAny>,
    ) -> PyResult<usize> {
        let shape = self.shape;
        let waiting = py.detach(|| self.env().waiting());
        let actions = readable("the opponents' actions", actions, &[waiting])?;
        let actions = actions.as_slice().map_err(value_error)?;
        let mut borrowed = Borrowed::new(arrays, &shape, self.autoreset)?;
        let frame = borrowed.frame()?;
        self.run(py, |env| env.answer(actions, frame))
    }

    /// Draws a legal action for each table.
    fn sample(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut actions = writable("actions", actions, &[self.shape.tables])?;
        let actions = actions.as_slice_mut().map_err(value_error)?;
        py.detach(|| self.env().sample(actions)).map_err(refused)
    }

    /// All tables with their games in progress, as tuples of plain values.
    fn snapshot(&self, py: Python<'_>) -> PyResult<Vec<Saved>> {
        let saved = py.detach(|| self.env().snapshot()).map_err(refused)?;
        let fields = |table: SavedTable| {
            let SavedTable { seed, games, inputs, samples, is_done } = table;
            (seed, games, inputs, samples, is_done)
        };
        Ok(saved.into_iter().map(fields).collect())
    }

    /// Makes the tables of a snapshot again.
    fn restore(&self, py: Python<'_>, saved: Vec<Saved>) -> PyResult<()> {
        let table = |(seed, games, inputs, samples, is_done): Saved| SavedTable {
            seed,
            games,
            inputs,
            samples,
            is_done,
        };
        let saved: Vec<SavedTable> = saved.into_iter().map(table).collect();
        self.run(py, |env| env.restore(&saved).map(|()| 0)).map(drop)
    }

    /// The table as the seat sees it that decides, or decided last.
    fn text(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = convert::table)] table: usize,
    ) -> PyResult<String> {
        py.detach(|| self.env().text(table)).map_err(refused)
    }

    /// The same as pixels, `[height, width, 3]` uint8.
    fn pixels<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = convert::table)] table: usize,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let text = self.text(py, table)?;
        let picture = py.detach(|| self.env().picture(table)).map_err(refused)?;
        pixels(py, &Drawing::of(picture.as_ref(), &text))
    }
}

/// Observations of any of the four kinds of numbers.
enum Rows<'py> {
    Int8(PyReadwriteArrayDyn<'py, i8>),
    Int16(PyReadwriteArrayDyn<'py, i16>),
    Int32(PyReadwriteArrayDyn<'py, i32>),
    Float32(PyReadwriteArrayDyn<'py, f32>),
}

impl<'py> Rows<'py> {
    fn new(name: &str, object: &Bound<'py, PyAny>, shape: &[usize]) -> PyResult<Self> {
        Ok(match dtype_name(object).as_deref() {
            Some("int8") => Self::Int8(writable(name, object, shape)?),
            Some("int16") => Self::Int16(writable(name, object, shape)?),
            Some("int32") => Self::Int32(writable(name, object, shape)?),
            Some("float32") => Self::Float32(writable(name, object, shape)?),
            _ => {
                let got = object.get_type().name()?.to_string();
                let numbers = "int8, int16, int32 or float32";
                let message = format!("{name} is {got}, expected a NumPy array of {numbers}");
                return Err(PyTypeError::new_err(message));
            }
        })
    }

    fn cells(&mut self) -> PyResult<Cells<'_>> {
        Ok(match self {
            Self::Int8(array) => Cells::Int8(array.as_slice_mut().map_err(value_error)?),
            Self::Int16(array) => Cells::Int16(array.as_slice_mut().map_err(value_error)?),
            Self::Int32(array) => Cells::Int32(array.as_slice_mut().map_err(value_error)?),
            Self::Float32(array) => Cells::Float32(array.as_slice_mut().map_err(value_error)?),
        })
    }
}

/// The arrays of a frame, borrowed from the attributes of an object of Python.
struct Borrowed<'py> {
    observations: Rows<'py>,
    masks: PyReadwriteArrayDyn<'py, bool>,
    rewards: PyReadwriteArrayDyn<'py, f32>,
    terminated: PyReadwriteArrayDyn<'py, bool>,
    truncated: PyReadwriteArrayDyn<'py, bool>,
    seats: PyReadwriteArrayDyn<'py, i8>,
    finals: Option<Rows<'py>>,
}

impl<'py> Borrowed<'py> {
    fn new(arrays: &Bound<'py, PyAny>, shape: &Shape, autoreset: Autoreset) -> PyResult<Self> {
        let tables = shape.tables;
        let get = |name: &str| arrays.getattr(name);
        let rewards: &[usize] =
            if shape.rewards == 1 { &[tables] } else { &[tables, shape.rewards] };
        let rows = [tables, shape.width];
        let finals = match autoreset {
            Autoreset::SameStep => Some(Rows::new("finals", &get("finals")?, &rows)?),
            Autoreset::NextStep | Autoreset::Disabled => None,
        };
        Ok(Self {
            observations: Rows::new("observations", &get("observations")?, &rows)?,
            masks: writable("masks", &get("masks")?, &[tables, shape.actions])?,
            rewards: writable("rewards", &get("rewards")?, rewards)?,
            terminated: writable("terminated", &get("terminated")?, &[tables])?,
            truncated: writable("truncated", &get("truncated")?, &[tables])?,
            seats: writable("seats", &get("seats")?, &[tables])?,
            finals,
        })
    }

    fn frame(&mut self) -> PyResult<Frame<'_>> {
        Ok(Frame {
            observations: self.observations.cells()?,
            masks: self.masks.as_slice_mut().map_err(value_error)?,
            rewards: self.rewards.as_slice_mut().map_err(value_error)?,
            terminated: self.terminated.as_slice_mut().map_err(value_error)?,
            truncated: self.truncated.as_slice_mut().map_err(value_error)?,
            seats: self.seats.as_slice_mut().map_err(value_error)?,
            finals: self.finals.as_mut().map(Rows::cells).transpose()?,
        })
    }
}
