//! A table of a game, from which states begin.

use meeple_arena::{RunProgress, Simulation, Tally, simulate};
use meeple_bots::{Position, open};
use meeple_game::Kind;
use meeple_games::registry;
use numpy::{PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arrays::{check_cells, readable};
use crate::convert::{self, bot, config_text, to_python, value_error, with_file};
use crate::history::History;
use crate::state::State;
use crate::watch::watch;

/// A game at a table: rules, seats and options. `load_game` makes one.
#[pyclass(module = "meeple", frozen)]
pub(crate) struct Game {
    pub(crate) first: Box<dyn Position>,
}

/// The names of all games.
#[pyfunction]
pub(crate) fn games() -> Vec<&'static str> {
    registry::names()
}

/// Lays a table: `load_game("stone-age", players=3)`, `load_game("my.game", size=5)`.
///
/// A name that ends with `.game` is the path of a game file, whose options are the keywords.
/// Options are those of the game's configuration; `Game.config` shows them all.
#[pyfunction]
#[pyo3(signature = (name, **options))]
pub(crate) fn load_game(name: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Game> {
    let config = with_file(name, config_text(options)?)?;
    let first = open(name, config.as_deref()).map_err(value_error)?;
    Ok(Game { first })
}

#[pymethods]
impl Game {
    /// The name of the game.
    #[getter]
    fn name(&self) -> &'static str {
        self.first.info().name
    }

    /// The configuration of the table, with every default filled in.
    #[getter]
    fn config<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.first.config())
    }

    /// Whether there are chance events.
    #[getter]
    fn has_chance(&self) -> bool {
        self.first.info().chance
    }

    /// Whether a player can be unsure of the state.
    #[getter]
    fn has_hidden_information(&self) -> bool {
        self.first.info().imperfect_information
    }

    /// The number of seats.
    fn num_players(&self) -> usize {
        self.first.players()
    }

    /// The number of action ids of players, so the width of a policy.
    fn num_distinct_actions(&self) -> usize {
        self.first.info().actions
    }

    /// The shape of `State.get_observation`.
    fn observation_shape(&self) -> (usize,) {
        (self.first.observation().len(),)
    }

    /// The shape of `State.observation_tensor`.
    fn observation_tensor_shape(&self) -> (usize,) {
        (self.first.observation().features(),)
    }

    /// What the cells of an observation mean: a list of dictionaries with `name`,
    /// `cells`, `kind` ("count", "category" or "flag"), `min`, `max` and `scale`.
    fn observation_fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let fields = self.first.observation().fields().iter().map(|field| {
            let entry = PyDict::new(py);
            let (min, max) = field.kind().bounds();
            let (kind, scale) = match field.kind() {
                Kind::Count { scale, .. } => ("count", scale),
                Kind::Category { .. } => ("category", 1),
                Kind::Flag => ("flag", 1),
            };
            entry.set_item("name", field.name())?;
            entry.set_item("cells", field.cells())?;
            entry.set_item("kind", kind)?;
            entry.set_item("min", min)?;
            entry.set_item("max", max)?;
            entry.set_item("scale", scale)?;
            Ok(entry)
        });
        PyList::new(py, fields.collect::<PyResult<Vec<_>>>()?)
    }

    /// The version of the layout of observations: it goes up when a cell changes its
    /// meaning.
    #[getter]
    fn observation_version(&self) -> u32 {
        self.first.observation().version()
    }

    /// Observations as networks read them, `[n, features]` float32, from `[n, cells]`
    /// whole numbers as `State.get_observation`, tables and training data have them: what
    /// `State.observation_tensor` is for one.
    fn features<'py>(
        &self,
        py: Python<'py>,
        observations: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let spec = self.first.observation();
        let numpy = py.import("numpy")?;
        let casting = PyDict::new(py);
        casting.set_item("casting", "safe")?;
        let given = numpy.call_method1("ascontiguousarray", (observations,))?;
        let given = given.call_method("astype", ("int32",), Some(&casting))?;
        let rows = given.getattr("shape")?.get_item(0).and_then(|rows| rows.extract());
        let cells = readable::<i32>("observations", &given, &[rows.unwrap_or(0), spec.len()])?;
        let cells = cells.as_slice().map_err(value_error)?;
        check_cells(spec, cells)?;
        let features = PyArray2::zeros(py, [cells.len() / spec.len(), spec.features()], false);
        let mut written = features.try_readwrite().map_err(value_error)?;
        let out = written.as_slice_mut().map_err(value_error)?.chunks_exact_mut(spec.features());
        cells.chunks_exact(spec.len()).zip(out).for_each(|(cells, out)| spec.normalize(cells, out));
        drop(written);
        Ok(features)
    }

    /// The first state.
    fn new_initial_state(&self) -> State {
        State::new(History::new(self.first.copy()))
    }

    /// Makes a state again that `State.serialize` wrote.
    fn deserialize_state(&self, text: &str) -> PyResult<State> {
        let history = History::read(text)?;
        let (here, there) = (self.first.info().name, history.position().info().name);
        if here != there {
            return Err(value_error(format!("this is a state of {there}, expected {here}")));
        }
        Ok(State::new(history))
    }

    /// Plays `games` random games to their end, in Rust and on `threads` threads (0 for
    /// all cores), and counts what happened.
    #[pyo3(signature = (games, *, seed = 0, threads = 0))]
    fn random_playouts<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = convert::games)] games: u64,
        #[pyo3(from_py_with = convert::seed)] seed: u64,
        #[pyo3(from_py_with = convert::threads)] threads: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        self.simulate(py, vec!["random".into()], games, seed, threads)
    }

    /// Plays `games` games between bots, one for each seat or one for all, and counts
    /// what happened. The same seed gives the same counts on any number of threads.
    #[pyo3(signature = (bots, games, *, seed = 0, threads = 0))]
    #[expect(clippy::needless_pass_by_value, reason = "Python's lists arrive as vectors")]
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        bots: Vec<String>,
        #[pyo3(from_py_with = convert::games)] games: u64,
        #[pyo3(from_py_with = convert::seed)] seed: u64,
        #[pyo3(from_py_with = convert::threads)] threads: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let bots = bots.iter().map(|text| bot(text)).collect::<PyResult<Vec<_>>>()?;
        let simulation = Simulation { games, seed, threads, bots };
        let progress = RunProgress::default();
        let played = watch(
            py,
            || progress.stop(),
            |_| Ok(()),
            || simulate(&*self.first, &simulation, &progress),
        )?;
        counts(py, &played.map_err(value_error)?, self.first.players())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let package = py.import("meeple")?;
        let config = to_python(py, &self.first.config())?;
        let arguments = (self.first.info().name, config);
        (package.getattr("_load")?, arguments).into_pyobject(py).map(Bound::into_any)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = &other.get().first;
            other.info().name == self.first.info().name && other.config() == self.first.config()
        })
    }

    fn __hash__(&self) -> u64 {
        self.first.key()
    }

    fn __repr__(&self) -> String {
        format!("Game({:?}, config={})", self.first.info().name, self.first.config())
    }
}

fn counts<'py>(py: Python<'py>, tally: &Tally, players: usize) -> PyResult<Bound<'py, PyDict>> {
    let counts = PyDict::new(py);
    counts.set_item("games", tally.games)?;
    counts.set_item("decisions", tally.decisions)?;
    counts.set_item("chances", tally.chances)?;
    counts.set_item("forfeits", tally.forfeits)?;
    counts.set_item("faults", tally.faults)?;
    let seats = &tally.seats[..players];
    let list = |of: &dyn Fn(usize) -> f64| (0..players).map(of).collect::<Vec<f64>>();
    counts.set_item("wins", seats.iter().map(|seat| seat.wins).collect::<Vec<_>>())?;
    counts.set_item("ties", seats.iter().map(|seat| seat.ties).collect::<Vec<_>>())?;
    let games = tally.games.max(1) as f64;
    counts.set_item("mean_returns", list(&|seat| seats[seat].payoff / games))?;
    Ok(counts)
}
