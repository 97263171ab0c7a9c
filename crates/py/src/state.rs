//! One state of a game, with the names that OpenSpiel has made usual.

use meeple_arena::Position;
use meeple_game::{Action, ActionList, OutcomeList, Rng, Turn};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::board::page;
use crate::convert::{random_bits, seat, seat_or_mover, value_error};
use crate::game::Game;
use crate::history::{self, Event};

/// What `current_player` returns when luck decides.
const CHANCE: i64 = -1;
/// What `current_player` returns when the game is over.
const TERMINAL: i64 = -4;

/// One state of a game. `Game.new_initial_state` makes the first one.
#[pyclass(module = "meeple")]
pub(crate) struct State {
    pub(crate) position: Box<dyn Position>,
    events: Vec<Event>,
}

/// Makes a state again that `State.serialize` wrote.
#[pyfunction]
pub(crate) fn deserialize_state(text: &str) -> PyResult<State> {
    let (position, events) = history::read(text)?;
    Ok(State::new(position, events))
}

impl State {
    pub(crate) fn new(position: Box<dyn Position>, events: Vec<Event>) -> Self {
        Self { position, events }
    }

    fn apply(&mut self, number: i64) -> PyResult<()> {
        let refused = |action: i64| {
            let choices = meeple_arena::choices_of(&*self.position);
            let names: Vec<String> = choices.iter().map(|choice| choice.0.to_string()).collect();
            let legal = match names.is_empty() {
                true => "none: the game is over".into(),
                false => format!("one of {}", names.join(", ")),
            };
            PyValueError::new_err(format!("action {action} is not legal here, expected {legal}"))
        };
        let Ok(chosen) = u16::try_from(number) else { return Err(refused(number)) };
        self.position.try_apply(Action(chosen)).map_err(value_error)?;
        self.events.push(Event::Action(chosen));
        Ok(())
    }

    fn legal(&self) -> ActionList {
        let mut actions = ActionList::new();
        self.position.legal_actions(&mut actions);
        actions
    }

    fn outcomes(&self) -> OutcomeList {
        let mut outcomes = OutcomeList::new();
        self.position.chance_outcomes(&mut outcomes);
        outcomes
    }

    /// Whether `player`, if one is given, is not the one who decides.
    fn is_other(&self, player: Option<i64>) -> PyResult<bool> {
        match player {
            None => Ok(false),
            Some(CHANCE) => Ok(self.position.turn() != Turn::Chance),
            Some(player) => {
                let player = seat(&*self.position, player)?;
                Ok(self.position.turn() != Turn::Player(player))
            }
        }
    }
}

#[pymethods]
impl State {
    /// The same state once more, on its own.
    fn clone(&self) -> Self {
        Self { position: self.position.copy(), events: self.events.clone() }
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    /// The seat that decides; -1 when luck does, -4 when the game is over.
    fn current_player(&self) -> i64 {
        match self.position.turn() {
            Turn::Player(seat) => i64::from(seat.0),
            Turn::Chance => CHANCE,
            Turn::Over => TERMINAL,
        }
    }

    /// Whether luck decides.
    fn is_chance_node(&self) -> bool {
        self.position.turn() == Turn::Chance
    }

    /// Whether the game is over.
    fn is_terminal(&self) -> bool {
        self.position.turn() == Turn::Over
    }

    /// The number of seats.
    fn num_players(&self) -> usize {
        self.position.players()
    }

    /// How many actions and chance outcomes have been played.
    fn move_number(&self) -> usize {
        self.events.iter().filter(|event| matches!(event, Event::Action(_))).count()
    }

    /// The actions and chance outcomes that have been played.
    fn history(&self) -> Vec<u16> {
        let action = |event: &Event| match event {
            Event::Action(action) => Some(*action),
            Event::Resample { .. } => None,
        };
        self.events.iter().filter_map(action).collect()
    }

    /// The actions of the player who decides, in the game's order, or the chance
    /// outcomes when luck does; nothing for a player who does not decide.
    #[pyo3(signature = (player = None))]
    fn legal_actions<'py>(
        &self,
        py: Python<'py>,
        player: Option<i64>,
    ) -> PyResult<Bound<'py, PyList>> {
        if self.is_other(player)? {
            return Ok(PyList::empty(py));
        }
        match self.position.turn() {
            Turn::Chance => PyList::new(py, self.outcomes().iter().map(|outcome| outcome.action.0)),
            _ => PyList::new(py, self.legal().iter().map(|action| action.0)),
        }
    }

    /// Which of all action ids are legal, as an array of booleans.
    #[pyo3(signature = (player = None))]
    fn legal_actions_mask<'py>(
        &self,
        py: Python<'py>,
        player: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let mut mask = vec![false; self.position.facts().actions];
        if !self.is_other(player)? {
            self.legal().iter().for_each(|action| mask[action.index()] = true);
        }
        Ok(PyArray1::from_vec(py, mask))
    }

    /// Plays an action of the player who decides, or a chance outcome when luck does.
    /// Anything else raises `ValueError` and leaves the state as it was.
    fn apply_action(&mut self, action: i64) -> PyResult<()> {
        self.apply(action)
    }

    /// The outcomes of luck with their probabilities; nothing unless luck decides.
    fn chance_outcomes(&self) -> Vec<(u16, f64)> {
        let outcomes = self.outcomes();
        outcomes.iter().map(|o| (o.action.0, f64::from(o.probability))).collect()
    }

    /// Plays a chance outcome by its number in `chance_outcomes`.
    fn apply_chance_outcome(&mut self, outcome: i64) -> PyResult<()> {
        if self.position.turn() != Turn::Chance {
            return Err(PyValueError::new_err("luck does not decide here"));
        }
        self.apply(outcome)
    }

    /// Draws chance outcomes and plays them until a player decides or the game is over;
    /// returns those that were played.
    fn resolve_chance(&mut self, rng: &Bound<'_, PyAny>) -> PyResult<Vec<u16>> {
        let mut played = Vec::new();
        if self.position.turn() != Turn::Chance {
            return Ok(played);
        }
        let mut rng = Rng::new(random_bits(rng)?);
        while self.position.turn() == Turn::Chance {
            let outcome = self.position.sample_chance(&mut rng);
            self.position.try_apply(outcome).map_err(value_error)?;
            self.events.push(Event::Action(outcome.0));
            played.push(outcome.0);
        }
        Ok(played)
    }

    /// What each seat has won, from -1 to 1; all 0 before the end.
    fn returns(&self) -> Vec<f32> {
        self.position.payoffs()[..self.position.players()].to_vec()
    }

    /// The same as `returns`.
    fn get_rewards(&self) -> Vec<f32> {
        self.returns()
    }

    /// A guess of the returns by hand-made rules; None where the game has none.
    fn estimate(&self) -> Option<Vec<f32>> {
        self.position.estimate().map(|values| values[..self.position.players()].to_vec())
    }

    /// What a player sees, cell by cell, as an array of int32; the player who decides
    /// unless one is given.
    #[pyo3(signature = (player = None))]
    fn get_observation<'py>(
        &self,
        py: Python<'py>,
        player: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let player = seat_or_mover(&*self.position, player)?;
        let mut cells = vec![0; self.position.observation().len()];
        self.position.observe(player, &mut cells);
        Ok(PyArray1::from_vec(py, cells))
    }

    /// What a player sees as a network reads it, as an array of float32: counts divided
    /// by their scale, categories as one 1 among zeros.
    #[pyo3(signature = (player = None))]
    fn observation_tensor<'py>(
        &self,
        py: Python<'py>,
        player: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let player = seat_or_mover(&*self.position, player)?;
        let spec = self.position.observation();
        let mut cells = vec![0; spec.len()];
        self.position.observe(player, &mut cells);
        let features = PyArray1::zeros(py, spec.features(), false);
        let mut written = features.try_readwrite().map_err(value_error)?;
        spec.normalize(&cells, written.as_slice_mut().map_err(value_error)?);
        drop(written);
        Ok(features)
    }

    /// The table as a player sees it; the player who decides unless one is given.
    #[pyo3(signature = (player = None))]
    fn observation_string(&self, player: Option<i64>) -> PyResult<String> {
        let player = seat_or_mover(&*self.position, player)?;
        Ok(self.position.text(player))
    }

    /// A hash of all that a player knows: the same in states they cannot tell apart.
    #[pyo3(signature = (player = None))]
    fn information_key(&self, player: Option<i64>) -> PyResult<u64> {
        let player = seat_or_mover(&*self.position, player)?;
        Ok(self.position.info_key(player))
    }

    /// A hash of all that matters from here on.
    fn key(&self) -> u64 {
        self.position.key()
    }

    /// A random state that `player` cannot tell from this one: what they have not seen
    /// is dealt anew. `rng` is a seed, a `random.Random`, a NumPy generator, or a
    /// function that returns numbers from 0 to 1.
    fn resample_from_infostate(&self, player: i64, rng: &Bound<'_, PyAny>) -> PyResult<Self> {
        let player = seat(&*self.position, player)?;
        let from = random_bits(rng)?;
        let position = self.position.determinize(player, &mut Rng::new(from));
        let mut events = self.events.clone();
        events.push(Event::Resample { resample: player.0, seed: from });
        Ok(Self { position, events })
    }

    /// An action or chance outcome of this state as people write it. As in OpenSpiel the
    /// player may stand before the action.
    #[pyo3(signature = (player_or_action, action = None))]
    fn action_to_string(&self, player_or_action: i64, action: Option<i64>) -> PyResult<String> {
        let number = action.unwrap_or(player_or_action);
        let choice = crate::convert::action(number)?;
        if !meeple_arena::choices_of(&*self.position).contains(&choice) {
            let message = format!("action {number} is not legal here, so it has no name");
            return Err(PyValueError::new_err(message));
        }
        Ok(self.position.action_name(choice))
    }

    /// The action or chance outcome that people write as `text`.
    fn string_to_action(&self, text: &str) -> PyResult<u16> {
        match self.position.parse_action(text) {
            Some(found) => Ok(found.0),
            None => Err(PyValueError::new_err(format!("{text:?} is no choice here"))),
        }
    }

    /// The state as text: the table and all that happened, in JSON.
    fn serialize(&self) -> PyResult<String> {
        history::write(&*self.position, &self.events)
    }

    /// The game this is a state of.
    fn get_game(&self) -> Game {
        Game { first: self.position.first() }
    }

    /// Lets a bot choose: `state.choose("greedy", seed=1)`.
    #[pyo3(signature = (bot, *, seed = 0))]
    fn choose(&self, py: Python<'_>, bot: &str, seed: u64) -> PyResult<u16> {
        let player = match self.position.turn() {
            Turn::Player(player) => player,
            Turn::Chance | Turn::Over => {
                return Err(PyValueError::new_err("no player is to decide here"));
            }
        };
        let spec = crate::convert::bot(bot)?;
        let chosen = py.detach(|| {
            let mut bot = self.position.bot(&spec).map_err(value_error)?;
            let started = bot.begin();
            started
                .and_then(|()| bot.choose(&*self.position, player, &mut Rng::new(seed)))
                .map_err(value_error)
        });
        chosen.map(|chosen| chosen.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let make = py.import("meeple")?.getattr("deserialize_state")?;
        (make, (self.serialize()?,)).into_pyobject(py).map(Bound::into_any)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.borrow();
            other.events == self.events
                && other.position.facts() == self.position.facts()
                && other.position.config() == self.position.config()
        })
    }

    fn __hash__(&self) -> PyResult<u64> {
        Err(pyo3::exceptions::PyTypeError::new_err(
            "states change, so they have no hash: use key()",
        ))
    }

    fn __str__(&self) -> String {
        self.position.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<State of {} after {} moves>", self.position.facts().name, self.move_number())
    }

    fn _repr_html_(&self) -> String {
        page(&self.position.to_string())
    }

    /// The legal actions with their names.
    fn legal_action_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let names = PyDict::new(py);
        for choice in meeple_arena::choices_of(&*self.position) {
            names.set_item(choice.0, self.position.action_name(choice))?;
        }
        Ok(names)
    }
}
