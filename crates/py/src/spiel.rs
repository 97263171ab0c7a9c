//! The further names that OpenSpiel has for what states and games can be asked.

use meeple_bots::choices_of;
use meeple_game::Utility;
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::{
    action, action_id, optional_action, optional_player, player, seat, to_python,
};
use crate::game::Game;
use crate::history::CHANCE;
use crate::state::State;

/// Bits of `State.information_key`, which end an information-state tensor.
const KEY_BITS: usize = 64;
/// The length of games whose rules set no bound, for callers that need one: far more
/// decisions than any game takes.
const UNBOUNDED: usize = 1_000_000;

#[pymethods]
impl State {
    /// The actions and chance outcomes that have been played.
    #[pyo3(name = "history")]
    fn actions_played(&self) -> Vec<u16> {
        self.lock().actions().map(|(_, action)| action).collect()
    }

    /// The same as pairs `(player, action)`; the player is -1 for chance outcomes.
    fn full_history<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let played: Vec<(i64, u16)> = self.lock().actions().collect();
        let pair = py.import("meeple._types")?.getattr("PlayerAction")?;
        played.into_iter().map(|step| pair.call1(step)).collect()
    }

    /// The state after an action or chance outcome; this one stays as it is.
    fn child(&self, #[pyo3(from_py_with = action)] action: i64) -> PyResult<Self> {
        let mut history = self.lock().clone();
        history.apply(action)?;
        Ok(Self::new(history))
    }

    /// Takes back the last action, `action` of `player` (-1 for a chance outcome). The
    /// game is played again up to there, so this takes as long as it has moves: keep a
    /// `clone` where speed matters.
    fn undo_action(
        &self,
        #[pyo3(from_py_with = player)] player: i64,
        #[pyo3(from_py_with = action)] action: i64,
    ) -> PyResult<()> {
        self.lock().undo(player, action)
    }

    /// What each seat has won since the last decision: the returns at the end, 0 before.
    fn rewards(&self) -> Vec<f32> {
        self.payoffs()
    }

    /// The same as `rewards`.
    fn get_rewards(&self) -> Vec<f32> {
        self.payoffs()
    }

    /// What one seat has won; 0 before the end.
    fn player_return(&self, #[pyo3(from_py_with = player)] player: i64) -> PyResult<f32> {
        let player = seat(self.lock().position(), player)?;
        Ok(self.payoffs()[player.index()])
    }

    /// The same as `player_return`.
    fn player_reward(&self, #[pyo3(from_py_with = player)] player: i64) -> PyResult<f32> {
        self.player_return(player)
    }

    /// The information state of a player as a text: the same in states they cannot tell
    /// apart, and in no others. The player is that of `get_observation`.
    #[pyo3(signature = (player = None))]
    fn information_state_string(
        &self,
        #[pyo3(from_py_with = optional_player)] player: Option<i64>,
    ) -> PyResult<String> {
        let history = self.lock();
        let player = history.viewer(player)?;
        Ok(format!("{}:{:016x}", player.0, history.position().info_key(player)))
    }

    /// The information state of a player as an array of float32: the observation tensor,
    /// followed by the 64 bits of `information_key`, because an observation alone need
    /// not tell what was seen before. The player is that of `get_observation`.
    #[pyo3(signature = (player = None))]
    fn information_state_tensor<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = optional_player)] player: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let cells = self.cells(player)?;
        let history = self.lock();
        let spec = history.position().observation();
        let key = history.position().info_key(history.viewer(player)?);
        drop(history);
        let mut tensor = vec![0.0; spec.features() + KEY_BITS];
        spec.normalize(&cells, &mut tensor[..spec.features()]);
        let bits = tensor[spec.features()..].iter_mut().enumerate();
        bits.for_each(|(bit, cell)| *cell = (key >> bit & 1) as f32);
        Ok(PyArray1::from_vec(py, tensor))
    }

    /// An action or chance outcome of this state as people write it:
    /// `action_to_string(action)`, or `action_to_string(player, action)` as in OpenSpiel,
    /// which raises `ValueError` for a player who does not decide (-1 at chance nodes).
    #[pyo3(signature = (player_or_action, action = None))]
    fn action_to_string(
        &self,
        #[pyo3(from_py_with = self::action)] player_or_action: i64,
        #[pyo3(from_py_with = optional_action)] action: Option<i64>,
    ) -> PyResult<String> {
        let history = self.lock();
        if action.is_some() && history.is_other(Some(player_or_action))? {
            let decides = match history.current_player() {
                CHANCE => "chance does, as player -1".to_owned(),
                player if player < 0 => "the game is over".to_owned(),
                player => format!("player {player} does"),
            };
            let message = format!("player {player_or_action} does not decide here: {decides}");
            return Err(PyValueError::new_err(message));
        }
        let number = action.unwrap_or(player_or_action);
        let choice = action_id(number)?;
        if !choices_of(history.position()).contains(&choice) {
            let message = format!("action {number} is not legal here, so it has no name");
            return Err(PyValueError::new_err(message));
        }
        Ok(history.position().action_name(choice))
    }

    /// What the state is, as a dictionary of plain values: `game`, `config`, `history`,
    /// `current_player`, `legal_actions`, `returns` and the `text` of the table.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let history = self.lock();
        let position = history.position();
        let choices: Vec<u16> = choices_of(position).iter().map(|choice| choice.0).collect();
        let played: Vec<(i64, u16)> = history.actions().collect();
        let (name, config) = (position.info().name, position.config());
        let (player, text) = (history.current_player(), position.to_string());
        drop(history);
        let entries = PyDict::new(py);
        entries.set_item("game", name)?;
        entries.set_item("config", to_python(py, &config)?)?;
        entries.set_item("history", played)?;
        entries.set_item("current_player", player)?;
        entries.set_item("legal_actions", choices)?;
        entries.set_item("returns", self.payoffs())?;
        entries.set_item("text", text)?;
        Ok(entries)
    }
}

#[pymethods]
impl Game {
    /// The least that a seat can win, which is to lose all.
    fn min_utility(&self) -> f64 {
        -1.0
    }

    /// The most that a seat can win.
    fn max_utility(&self) -> f64 {
        1.0
    }

    /// What the returns of all seats sum to; None where that differs from game to game.
    fn utility_sum(&self) -> Option<f64> {
        match self.first.info().utility {
            Utility::ZeroSum => Some(0.0),
            Utility::ConstantSum(sum) => Some(sum),
            Utility::GeneralSum => None,
        }
    }

    /// An upper bound of the decisions in a game; 1,000,000 where the rules set none.
    fn max_game_length(&self) -> usize {
        self.first.info().max_decisions.unwrap_or(UNBOUNDED)
    }

    /// A number above the id of every chance outcome; 0 without chance events.
    fn max_chance_outcomes(&self) -> usize {
        self.first.info().max_chance_outcomes
    }

    /// The numbers in `State.observation_tensor`.
    fn observation_tensor_size(&self) -> usize {
        self.first.observation().features()
    }

    /// The shape of `State.information_state_tensor`.
    fn information_state_tensor_shape(&self) -> (usize,) {
        (self.information_state_tensor_size(),)
    }

    /// The numbers in `State.information_state_tensor`.
    fn information_state_tensor_size(&self) -> usize {
        self.first.observation().features() + KEY_BITS
    }

    /// What kind of game it is, in the words of OpenSpiel.
    fn get_type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let info = self.first.info();
        let entries = PyDict::new(py);
        entries.set_item("short_name", info.name)?;
        entries.set_item("dynamics", "sequential")?;
        let chance = if info.chance { "explicit_stochastic" } else { "deterministic" };
        entries.set_item("chance_mode", chance)?;
        let information = if info.imperfect_information {
            "imperfect_information"
        } else {
            "perfect_information"
        };
        entries.set_item("information", information)?;
        let utility = match info.utility {
            Utility::ZeroSum => "zero_sum",
            Utility::ConstantSum(_) => "constant_sum",
            Utility::GeneralSum => "general_sum",
        };
        entries.set_item("utility", utility)?;
        entries.set_item("reward_model", "terminal")?;
        entries.set_item("min_num_players", info.min_players)?;
        entries.set_item("max_num_players", info.max_players)?;
        py.import("meeple._types")?.getattr("GameType")?.call((), Some(&entries))
    }

    /// The game and its table as a dictionary of plain values.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let entries = PyDict::new(py);
        entries.set_item("name", self.first.info().name)?;
        entries.set_item("config", to_python(py, &self.first.config())?)?;
        entries.set_item("num_players", self.first.players())?;
        entries.set_item("num_distinct_actions", self.first.info().actions)?;
        entries.set_item("max_chance_outcomes", self.max_chance_outcomes())?;
        Ok(entries)
    }
}
