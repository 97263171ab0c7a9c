//! Conversion and validation of arguments from Python.

use std::str::FromStr;

use meeple_bots::{BotSpec, Position};
use meeple_game::{Action, Player};
use meeple_games::files::{is_path, read_table};
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError, PyValueError};
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

/// Adds the text of a game file to a configuration in JSON, where `game` is the path of one.
pub(crate) fn with_file(game: &str, config: Option<String>) -> PyResult<Option<String>> {
    if !is_path(game) {
        return Ok(config);
    }
    let options = config.map(|text| serde_json::from_str::<Value>(&text)).transpose();
    let options = options.map_err(value_error)?;
    let table = read_table(game.trim().as_ref(), options.as_ref()).map_err(value_error)?;
    Ok(Some(table.to_string()))
}

/// JSON as a Python object.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (value.to_string(),))
}

/// A bot by name.
pub(crate) fn bot(text: &str) -> PyResult<BotSpec> {
    BotSpec::from_str(text).map_err(value_error)
}

/// A seat at the table; negative numbers are refused, not counted from the end.
pub(crate) fn seat(position: &dyn Position, player: i64) -> PyResult<Player> {
    let players = position.players();
    match usize::try_from(player) {
        Ok(seat) if seat < players => Ok(Player(seat as u8)),
        _ => {
            Err(PyIndexError::new_err(format!("player is {player}, expected 0 to {}", players - 1)))
        }
    }
}

/// An action by number.
pub(crate) fn action_id(number: i64) -> PyResult<Action> {
    u16::try_from(number)
        .map(Action)
        .map_err(|_| PyValueError::new_err(format!("action {number} is out of range")))
}

/// Whether extracting a number failed because the number is too large or negative.
fn is_overflow(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyOverflowError>(py)
}

/// The argument `name` as a whole number from 0 to `most`. Python's own error for other
/// numbers is an `OverflowError` that names no argument.
fn whole(name: &str, object: &Bound<'_, PyAny>, most: u64) -> PyResult<u64> {
    let refused = || {
        let message = format!("{name} is {object}, expected a whole number from 0 to {most}");
        PyValueError::new_err(message)
    };
    match object.extract::<u64>() {
        Ok(number) if number <= most => Ok(number),
        Ok(_) => Err(refused()),
        Err(error) if is_overflow(object.py(), &error) => Err(refused()),
        Err(error) => Err(error),
    }
}

/// Makes a `from_py_with` function for each argument that is a count or a seed.
macro_rules! whole_arguments {
    ($($name:ident: $type:ty),* $(,)?) => {$(
        pub(crate) fn $name(object: &Bound<'_, PyAny>) -> PyResult<$type> {
            whole(stringify!($name), object, <$type>::MAX as u64).map(|number| number as $type)
        }
    )*};
}

whole_arguments! {
    batch: usize, blocks: usize, deals: u64, games: u64, neck: usize, players: usize, seed: u64,
    table: usize, tables: usize, threads: usize, value: usize, width: usize,
}

/// The argument `iterations`, which may be None.
pub(crate) fn iterations(object: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    if object.is_none() { Ok(None) } else { whole("iterations", object, u64::MAX).map(Some) }
}

/// The argument `max_steps`, which may be None.
pub(crate) fn max_steps(object: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    if object.is_none() {
        return Ok(None);
    }
    whole("max_steps", object, u64::from(u32::MAX)).map(|number| Some(number as u32))
}

/// The argument `action` of a state: any number, for the state says which are legal.
pub(crate) fn action(object: &Bound<'_, PyAny>) -> PyResult<i64> {
    object.extract().map_err(|error| match is_overflow(object.py(), &error) {
        true => PyValueError::new_err(format!("action {object} is out of range")),
        false => error,
    })
}

/// The same where it may be None.
pub(crate) fn optional_action(object: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    if object.is_none() { Ok(None) } else { action(object).map(Some) }
}

/// The argument `player` of a state.
pub(crate) fn player(object: &Bound<'_, PyAny>) -> PyResult<i64> {
    object.extract().map_err(|error| match is_overflow(object.py(), &error) {
        true => PyIndexError::new_err(format!("player {object} is out of range")),
        false => error,
    })
}

/// The same where it may be None.
pub(crate) fn optional_player(object: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    if object.is_none() { Ok(None) } else { player(object).map(Some) }
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
    if source.hasattr("randint")? {
        // NumPy's older generator, `numpy.random.RandomState`, and `numpy.random` itself.
        let shape = source.py().None();
        return source.call_method1("randint", (0, i64::MAX, shape, "int64"))?.extract();
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
