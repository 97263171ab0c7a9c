//! One state of a game, with the names that OpenSpiel has made usual.

use std::sync::{Mutex, MutexGuard, PoisonError};

use meeple_bots::choices_of;
use meeple_game::{Rng, Turn};
use meeple_search::StopFlag;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::convert::{action, bot, optional_player, player, random_bits, seat, seed, value_error};
use crate::drawing::Drawing;
use crate::game::Game;
use crate::history::History;
use crate::watch::watch;

/// One state of a game. `Game.new_initial_state` makes the first one.
///
/// A state may be shared between threads: every call is a whole of its own.
#[pyclass(module = "meeple", frozen)]
pub(crate) struct State {
    history: Mutex<History>,
}

/// Makes a state again that `State.serialize` wrote.
#[pyfunction]
pub(crate) fn deserialize_state(text: &str) -> PyResult<State> {
    History::read(text).map(State::new)
}

impl State {
    pub(crate) fn new(history: History) -> Self {
        Self { history: Mutex::new(history) }
    }

    /// The state, while nobody else changes it. Neither Python code nor anything that
    /// waits for the interpreter may run before the guard is dropped.
    pub(crate) fn lock(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl State {
    /// The same state once more, on its own.
    fn clone(&self) -> Self {
        Self::new(self.lock().clone())
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    /// The seat that decides; -1 at chance nodes, -4 when the game is over.
    fn current_player(&self) -> i64 {
        self.lock().current_player()
    }

    /// Whether a chance event is due.
    fn is_chance_node(&self) -> bool {
        self.lock().position().turn() == Turn::Chance
    }

    /// Whether the game is over.
    fn is_terminal(&self) -> bool {
        self.lock().position().turn() == Turn::Over
    }

    /// The number of seats.
    fn num_players(&self) -> usize {
        self.lock().position().players()
    }

    /// The number of decisions that players have made; chance events do not count.
    fn move_number(&self) -> usize {
        self.lock().decisions()
    }

    /// The actions of the player who decides, in the game's order, or the chance outcomes
    /// at a chance node; nothing for a player who does not decide. With `as_array` they
    /// are an array of int64.
    #[pyo3(signature = (player = None, *, as_array = false))]
    fn legal_actions<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = optional_player)] player: Option<i64>,
        as_array: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let history = self.lock();
        let is_other = history.is_other(player)?;
        let actions: Vec<i64> = match history.position().turn() {
            _ if is_other => Vec::new(),
            Turn::Chance => history.chances().iter().map(|(id, _)| i64::from(*id)).collect(),
            _ => history.legal().iter().map(|action| i64::from(action.0)).collect(),
        };
        drop(history);
        if as_array {
            return Ok(PyArray1::from_vec(py, actions).into_any());
        }
        PyList::new(py, actions).map(Bound::into_any)
    }

    /// Which of all action ids are legal, as an array of booleans.
    #[pyo3(signature = (player = None))]
    fn legal_actions_mask<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = optional_player)] player: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let history = self.lock();
        let mut mask = vec![false; history.position().info().actions];
        if !history.is_other(player)? {
            history.legal().iter().for_each(|action| mask[action.index()] = true);
        }
        drop(history);
        Ok(PyArray1::from_vec(py, mask))
    }

    /// Plays an action of the player who decides or, as in OpenSpiel, a chance outcome at
    /// a chance node. Anything else raises `ValueError` and leaves the state as it was.
    fn apply_action(&self, #[pyo3(from_py_with = action)] action: i64) -> PyResult<()> {
        self.lock().apply(action)
    }

    /// The chance outcomes with their probabilities, which sum to 1; nothing unless a
    /// chance event is due.
    fn chance_outcomes(&self) -> Vec<(u16, f64)> {
        self.lock().chances()
    }

    /// Plays a chance outcome by its number in `chance_outcomes`.
    fn apply_chance_outcome(&self, #[pyo3(from_py_with = action)] outcome: i64) -> PyResult<()> {
        let mut history = self.lock();
        if history.position().turn() != Turn::Chance {
            return Err(PyValueError::new_err("this is no chance node"));
        }
        history.apply(outcome)
    }

    /// Draws chance outcomes and plays them until a player decides or the game is over;
    /// returns those that were played.
    fn resolve_chance(&self, rng: &Bound<'_, PyAny>) -> PyResult<Vec<u16>> {
        if !self.is_chance_node() {
            return Ok(Vec::new());
        }
        let mut rng = Rng::new(random_bits(rng)?);
        Ok(self.lock().resolve_chance(&mut rng))
    }

    /// What each seat has won, from -1 to 1; all 0 before the end. With `as_array` it is
    /// an array of float32.
    #[pyo3(signature = (*, as_array = false))]
    fn returns<'py>(&self, py: Python<'py>, as_array: bool) -> PyResult<Bound<'py, PyAny>> {
        let payoffs = self.payoffs();
        if as_array {
            return Ok(PyArray1::from_vec(py, payoffs).into_any());
        }
        PyList::new(py, payoffs).map(Bound::into_any)
    }

    /// A heuristic evaluation of the state; None where the game has none.
    fn estimate(&self) -> Option<Vec<f32>> {
        let history = self.lock();
        let position = history.position();
        position.heuristic().map(|values| values[..position.players()].to_vec())
    }

    /// What a player sees, cell by cell, as an array of int32. The player is the one who
    /// decides unless given, the one who decided last where nobody decides, and player 0
    /// before any decision.
    #[pyo3(signature = (player = None))]
    fn get_observation<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = optional_player)] player: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray1<i32>>> {
        Ok(PyArray1::from_vec(py, self.cells(player)?))
    }

    /// What a player sees as a network reads it, as an array of float32: counts divided
    /// by their scale, categories as one 1 among zeros. The player is that of
    /// `get_observation`.
    #[pyo3(signature = (player = None))]
    fn observation_tensor<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = optional_player)] player: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let cells = self.cells(player)?;
        let spec = self.lock().position().observation();
        let features = PyArray1::zeros(py, spec.features(), false);
        let mut written = features.try_readwrite().map_err(value_error)?;
        spec.normalize(&cells, written.as_slice_mut().map_err(value_error)?);
        drop(written);
        Ok(features)
    }

    /// The table as a player sees it. The player is that of `get_observation`.
    #[pyo3(signature = (player = None))]
    fn observation_string(
        &self,
        #[pyo3(from_py_with = optional_player)] player: Option<i64>,
    ) -> PyResult<String> {
        let history = self.lock();
        let player = history.viewer(player)?;
        Ok(history.position().text(player))
    }

    /// A hash of all that a player knows: the same in states they cannot tell apart. The
    /// player is that of `get_observation`.
    #[pyo3(signature = (player = None))]
    fn information_key(
        &self,
        #[pyo3(from_py_with = optional_player)] player: Option<i64>,
    ) -> PyResult<u64> {
        let history = self.lock();
        let player = history.viewer(player)?;
        Ok(history.position().info_key(player))
    }

    /// A hash of all that matters from here on.
    fn key(&self) -> u64 {
        self.lock().position().key()
    }

    /// A random state that `player` cannot tell from this one: what they have not seen
    /// is dealt again. `rng` is a seed, a `random.Random`, a NumPy generator, or a
    /// function that returns numbers from 0 to 1.
    fn resample_from_infostate(
        &self,
        #[pyo3(from_py_with = player)] player: i64,
        rng: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let mut history = self.lock().clone();
        let player = seat(history.position(), player)?;
        history.resample(player, random_bits(rng)?);
        Ok(Self::new(history))
    }

    /// The action or chance outcome that people write as `text`.
    fn string_to_action(&self, text: &str) -> PyResult<u16> {
        match self.lock().position().parse_action(text) {
            Some(found) => Ok(found.0),
            None => Err(PyValueError::new_err(format!("{text:?} is no choice here"))),
        }
    }

    /// The state as text: the table and all that happened, in JSON.
    fn serialize(&self) -> PyResult<String> {
        self.lock().write()
    }

    /// The game this is a state of.
    fn get_game(&self) -> Game {
        Game { first: self.lock().position().first() }
    }

    /// Lets a bot choose: `state.choose("greedy", seed=1)`.
    #[pyo3(signature = (bot, *, seed = 0))]
    fn choose(
        &self,
        py: Python<'_>,
        bot: &str,
        #[pyo3(from_py_with = seed)] seed: u64,
    ) -> PyResult<u16> {
        let position = self.lock().position().copy();
        let Turn::Player(player) = position.turn() else {
            return Err(PyValueError::new_err("no player is to decide here"));
        };
        let spec = self::bot(bot)?;
        let stop = StopFlag::default();
        let choose = || {
            let mut bot = position.bot(&spec).map_err(value_error)?;
            bot.set_stop(&stop);
            let chosen =
                bot.begin().and_then(|()| bot.choose(&*position, player, &mut Rng::new(seed)));
            chosen.map_err(value_error)
        };
        watch(py, || stop.stop(), |_| Ok(()), choose)?.map(|chosen| chosen.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let make = py.import("meeple")?.getattr("deserialize_state")?;
        (make, (self.serialize()?,)).into_pyobject(py).map(Bound::into_any)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            // A copy, for two locks at once would wait for each other.
            let other = other.get().lock().clone();
            *self.lock() == other
        })
    }

    fn __hash__(&self) -> PyResult<u64> {
        Err(PyTypeError::new_err("states change, so they have no hash: use key()"))
    }

    fn __str__(&self) -> String {
        self.lock().position().to_string()
    }

    fn __repr__(&self) -> String {
        let history = self.lock();
        format!("<State of {} after {} moves>", history.position().info().name, history.decisions())
    }

    fn _repr_html_(&self) -> String {
        let drawing = self.drawing(None);
        let mut page = drawing.svg();
        page.push_str(&crate::drawing::preformatted(&self.__str__()));
        page
    }

    /// The legal actions with their names.
    fn legal_action_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let history = self.lock();
        let position = history.position();
        let named: Vec<(u16, String)> = choices_of(position)
            .into_iter()
            .map(|choice| (choice.0, position.action_name(choice)))
            .collect();
        drop(history);
        let names = PyDict::new(py);
        for (choice, name) in named {
            names.set_item(choice, name)?;
        }
        Ok(names)
    }
}

impl State {
    /// The result for each seat.
    pub(crate) fn payoffs(&self) -> Vec<f32> {
        let history = self.lock();
        let position = history.position();
        position.payoffs()[..position.players()].to_vec()
    }

    /// The observation of a player.
    pub(crate) fn cells(&self, player: Option<i64>) -> PyResult<Vec<i32>> {
        let history = self.lock();
        let position = history.position();
        let mut cells = vec![0; position.observation().len()];
        position.observe(history.viewer(player)?, &mut cells);
        Ok(cells)
    }

    /// The table as `player` sees it, or with all that is hidden.
    pub(crate) fn drawing(&self, player: Option<meeple_game::Player>) -> Drawing {
        let history = self.lock();
        let position = history.position();
        let picture = position.picture(player);
        let text = player.map_or_else(|| position.to_string(), |player| position.text(player));
        drop(history);
        Drawing::of(picture.as_ref(), &text)
    }
}
