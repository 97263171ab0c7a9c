//! What Python says as values of ours.

use std::str::FromStr;

use meeple_arena::{BotSpec, Position};
use meeple_game::{Action, Player, Turn};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat};
use serde_json::Value;

/// The exception for a value that makes no sense.
pub(crate) fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Keyword arguments as the JSON of a configuration; nothing for none.
pub(crate) fn config_text(options: Option<&Bound<'_, PyDict>>) -> PyResult<Option<String>> {
    let Some(options) = options.filter(|options| !options.is_empty()) else { return Ok(None) };
    let json = options.py().import("json")?;
    json.call_method1("dumps", (options,))?.extract().map(Some)
}

/// JSON as a Python object.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (value.to_string(),))
}

/// A bot by name.
pub(crate) fn bot(text: &str) -> PyResult<BotSpec> {
    BotSpec::from_str(text).map_err(value_error)
}

/// A seat at the table, counted from the end when negative is refused.
pub(crate) fn seat(position: &dyn Position, player: i64) -> PyResult<Player> {
    let players = position.players();
    match usize::try_from(player) {
        Ok(seat) if seat < players => Ok(Player(seat as u8)),
        _ => {
            Err(PyIndexError::new_err(format!("player is {player}, expected 0 to {}", players - 1)))
        }
    }
}

/// The seat given, or the one that decides.
pub(crate) fn seat_or_mover(position: &dyn Position, player: Option<i64>) -> PyResult<Player> {
    match (player, position.turn()) {
        (Some(player), _) => seat(position, player),
        (None, Turn::Player(mover)) => Ok(mover),
        (None, Turn::Chance | Turn::Over) => {
            Err(PyValueError::new_err("nobody decides here, so say which player looks"))
        }
    }
}

/// An action by number.
pub(crate) fn action(number: i64) -> PyResult<Action> {
    u16::try_from(number)
        .map(Action)
        .map_err(|_| PyValueError::new_err(format!("action {number} is out of range")))
}

/// 64 random bits from what Python people call a random source: a number is a seed;
/// `random.Random` and NumPy's generators are drawn from; so is a function that returns
/// numbers from 0 to 1.
pub(crate) fn random_bits(source: &Bound<'_, PyAny>) -> PyResult<u64> {
    if let Ok(seed) = source.extract::<u64>() {
        return Ok(seed);
    }
    if source.hasattr("getrandbits")? {
        return source.call_method1("getrandbits", (64,))?.extract();
    }
    if source.hasattr("integers")? {
        return source.call_method1("integers", (i64::MAX,))?.extract();
    }
    if source.is_callable() {
        let drawn = source.call0()?;
        let unit: f64 =
            drawn.cast::<PyFloat>().map_or_else(|_| drawn.extract(), |x| Ok(x.value()))?;
        return Ok((unit * (1u64 << 53) as f64) as u64);
    }
    let got = source.get_type().name()?.to_string();
    let message = format!("rng is {got}, expected a seed, random.Random or a NumPy generator");
    Err(PyTypeError::new_err(message))
}
