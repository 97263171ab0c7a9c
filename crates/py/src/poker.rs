//! Poker from Python: hands on arrays, and equities.

use meeple_poker as poker;
use meeple_poker::{Card, CardSet, EquityOptions, EquityProgress, Holding, Method, Rank, Variant};
use numpy::{PyArray1, PyReadonlyArray2, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::{self, value_error};
use crate::watch::watch;

/// How one player fares.
#[pyclass(module = "meeple", frozen, get_all, from_py_object)]
#[derive(Clone)]
pub(crate) struct PlayerEquity {
    /// The hand or range as it was given.
    hand: String,
    /// The player's part of all pots, from 0 to 1.
    equity: f64,
    /// How often the player wins alone, from 0 to 1.
    win: f64,
    /// How often the player shares, from 0 to 1.
    tie: f64,
    /// The standard error of the equity; None where it is exact.
    standard_error: Option<f64>,
    /// Where the true equity lies in 95 of 100 cases; None where it is exact.
    interval: Option<(f64, f64)>,
}

/// Who wins how often.
#[pyclass(module = "meeple", frozen, get_all)]
pub(crate) struct Equity {
    /// One for each player.
    players: Vec<PlayerEquity>,
    /// How many deals were counted; with weighted ranges, their weight.
    deals: f64,
    /// "exact" or "sample".
    method: String,
}

/// The fields of a [`PlayerEquity`] in their order, as a pickle holds them.
type Fields = (String, f64, f64, f64, Option<f64>, Option<(f64, f64)>);

#[pymethods]
impl PlayerEquity {
    /// One player's part of an `Equity`.
    #[new]
    fn new(
        hand: String,
        equity: f64,
        win: f64,
        tie: f64,
        standard_error: Option<f64>,
        interval: Option<(f64, f64)>,
    ) -> Self {
        Self { hand, equity, win, tie, standard_error, interval }
    }

    fn __getnewargs__(&self) -> Fields {
        let Self { hand, equity, win, tie, standard_error, interval } = self.clone();
        (hand, equity, win, tie, standard_error, interval)
    }

    /// All of it as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let entries = PyDict::new(py);
        entries.set_item("hand", &self.hand)?;
        entries.set_item("equity", self.equity)?;
        entries.set_item("win", self.win)?;
        entries.set_item("tie", self.tie)?;
        entries.set_item("standard_error", self.standard_error)?;
        entries.set_item("interval", self.interval)?;
        Ok(entries)
    }

    fn __repr__(&self) -> String {
        format!("<{}: {:.4}>", self.hand, self.equity)
    }
}

#[pymethods]
impl Equity {
    /// What `equity` returns.
    #[new]
    fn new(players: Vec<PlayerEquity>, deals: f64, method: String) -> Self {
        Self { players, deals, method }
    }

    fn __getnewargs__(&self) -> (Vec<PlayerEquity>, f64, String) {
        (self.players.clone(), self.deals, self.method.clone())
    }

    /// All of it as a dictionary; `players` is a list of dictionaries, as data frames take
    /// them.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let players = self.players.iter().map(|player| player.to_dict(py));
        let entries = PyDict::new(py);
        entries.set_item("players", players.collect::<PyResult<Vec<_>>>()?)?;
        entries.set_item("deals", self.deals)?;
        entries.set_item("method", &self.method)?;
        Ok(entries)
    }

    /// The equities alone, one for each player.
    #[getter]
    fn equities(&self) -> Vec<f64> {
        self.players.iter().map(|player| player.equity).collect()
    }

    fn __repr__(&self) -> String {
        let players: Vec<String> = self.players.iter().map(PlayerEquity::__repr__).collect();
        format!("<Equity {}: {} of {} deals>", self.method, players.join(" "), self.deals)
    }
}

fn variant(name: &str) -> PyResult<Variant> {
    Ok(match name {
        "holdem" => Variant::Holdem,
        "short-deck" => Variant::ShortDeck,
        "omaha" => Variant::Omaha,
        "omaha5" => Variant::Omaha5,
        other => {
            let known = "holdem, short-deck, omaha, omaha5";
            let message = format!("game is {other:?}, expected one of {known}");
            return Err(PyValueError::new_err(message));
        }
    })
}

fn card_set(what: &str, text: &str) -> PyResult<CardSet> {
    text.parse().map_err(|error| value_error(format!("{what}: {error}")))
}

/// How often each player wins: `equity(["QQ+, AKs", "22+"], board="2c7h9d")`.
///
/// Players are hands, ranges or "random". Counted exactly where that takes a moment,
/// else `deals` are sampled; `method` ("auto", "exact", "sample") decides otherwise.
#[pyfunction]
#[pyo3(signature = (players, board = "", *, dead = "", game = "holdem", method = "auto", deals = 1_000_000, seed = 0, threads = 0))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
#[expect(clippy::needless_pass_by_value, reason = "Python's lists arrive as vectors")]
pub(crate) fn equity(
    py: Python<'_>,
    players: Vec<String>,
    board: &str,
    dead: &str,
    game: &str,
    method: &str,
    #[pyo3(from_py_with = convert::deals)] deals: u64,
    #[pyo3(from_py_with = convert::seed)] seed: u64,
    #[pyo3(from_py_with = convert::threads)] threads: usize,
) -> PyResult<Equity> {
    let variant = variant(game)?;
    let method = match method {
        "auto" => Method::Auto,
        "exact" => Method::Exact,
        "sample" => Method::Sample,
        other => {
            let message = format!("method is {other:?}, expected auto, exact or sample");
            return Err(PyValueError::new_err(message));
        }
    };
    let holding = |(number, text): (usize, &String)| {
        Holding::parse(text, variant)
            .map_err(|error| value_error(format!("player {number}: {error}")))
    };
    let holdings = players.iter().enumerate().map(holding).collect::<PyResult<Vec<_>>>()?;
    let (board, dead) = (card_set("board", board)?, card_set("dead", dead)?);
    let options = EquityOptions { variant, method, deals, dead, categories: false, seed, threads };
    let progress = EquityProgress::default();
    let count = || poker::equity_with_progress(&holdings, board, &options, &progress);
    let found = watch(py, || progress.stop(), |_| Ok(()), count)?.map_err(value_error)?;
    let player = |(hand, player): (&String, &poker::PlayerEquity)| PlayerEquity {
        hand: hand.clone(),
        equity: player.equity(),
        win: player.win_rate(),
        tie: player.tie_rate(),
        standard_error: player.standard_error,
        interval: player.confidence_interval(),
    };
    Ok(Equity {
        players: players.iter().zip(&found.players).map(player).collect(),
        deals: found.deals,
        method: if found.method == Method::Sample { "sample" } else { "exact" }.to_owned(),
    })
}

/// Cards as numbers, `4 * rank + suit` with deuces and clubs 0: `cards("AsKd")`.
#[pyfunction]
pub(crate) fn cards<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let set = card_set("cards", text)?;
    let mut numbers: Vec<u8> = set.into_iter().map(|card: Card| card.index() as u8).collect();
    numbers.sort_unstable();
    Ok(PyArray1::from_vec(py, numbers))
}

/// What five to seven cards are worth as people say it: "straight, ace high".
#[pyfunction]
pub(crate) fn hand_name(text: &str) -> PyResult<String> {
    Ok(rank_of(text)?.to_string())
}

fn rank_of(text: &str) -> PyResult<Rank> {
    let set = card_set("cards", text)?;
    let wrong = || value_error(format!("{text:?} names {} cards, expected 5 to 7", set.len()));
    poker::try_rank(set).ok_or_else(wrong)
}

/// Ranks hands of five to seven cards; a higher rank wins, equal ranks tie.
///
/// `hands` is a text ("AsKdQhJcTs"), which gives a number, or an array `[n, 5..7]` of
/// cards as numbers (see `cards`) of uint8 or int64, which gives an array of uint16.
#[pyfunction]
pub(crate) fn evaluate<'py>(
    py: Python<'py>,
    hands: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(text) = hands.extract::<String>() {
        return rank_of(&text)?.number().into_pyobject(py).map(Bound::into_any).map_err(Into::into);
    }
    let Ok(array) = hands.cast::<PyUntypedArray>() else {
        let got = hands.get_type().name()?.to_string();
        let message = format!("hands is {got}, expected a text or a NumPy array of cards");
        return Err(PyTypeError::new_err(message));
    };
    if array.shape().len() != 2 || !(5..=7).contains(&array.shape()[1]) {
        let message = format!("hands has shape {:?}, expected [n, 5] to [n, 7]", array.shape());
        return Err(PyValueError::new_err(message));
    }
    let sets = if let Ok(bytes) = hands.extract::<PyReadonlyArray2<'_, u8>>() {
        sets(
            bytes
                .as_array()
                .rows()
                .into_iter()
                .map(|row| row.into_iter().map(|&card| i64::from(card))),
        )
    } else if let Ok(longs) = hands.extract::<PyReadonlyArray2<'_, i64>>() {
        sets(longs.as_array().rows().into_iter().map(|row| row.into_iter().copied()))
    } else {
        let message = format!("hands holds {}, expected uint8 or int64", array.dtype());
        return Err(PyTypeError::new_err(message));
    }?;
    let mut ranks = vec![Rank::default(); sets.len()];
    py.detach(|| poker::rank_batch(&sets, &mut ranks));
    let numbers = ranks.iter().map(|rank| rank.number()).collect();
    Ok(PyArray1::<u16>::from_vec(py, numbers).into_any())
}

fn sets<R: Iterator<Item = i64>>(rows: impl Iterator<Item = R>) -> PyResult<Vec<CardSet>> {
    let set = |(row, cards): (usize, R)| {
        let mut set = CardSet::EMPTY;
        for card in cards {
            let known = usize::try_from(card).ok().filter(|&card| card < 52).map(Card::from_index);
            let Some(known) = known.filter(|&known| !set.contains(known)) else {
                let message = format!("row {row}: card {card} is twice there or not from 0 to 51");
                return Err(PyValueError::new_err(message));
            };
            set.insert(known);
        }
        Ok(set)
    };
    rows.enumerate().map(set).collect()
}
