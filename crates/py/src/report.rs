//! What a search has found out, as Python sees it.

use meeple_search as search;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use serde::{Deserialize, Serialize};

use crate::convert::value_error;

/// What is known of one action of the root.
#[pyclass(module = "meeple", frozen, get_all)]
#[derive(Serialize, Deserialize)]
pub(crate) struct ActionReport {
    /// The action.
    action: u16,
    /// The action as people write it.
    name: String,
    /// Simulations that went through it.
    visits: u64,
    /// What it has been worth to each seat on average.
    values: Vec<f32>,
    /// How likely it was thought to be good beforehand.
    prior: f32,
    /// How likely it should be played.
    policy: f32,
    /// Whether the values are proven.
    solved: bool,
}

/// What a search has found out.
#[pyclass(module = "meeple", frozen)]
#[derive(Serialize, Deserialize)]
pub(crate) struct SearchReport {
    report: search::SearchReport,
    names: Vec<String>,
    players: usize,
    width: usize,
}

impl SearchReport {
    pub(crate) fn new(
        report: search::SearchReport,
        names: Vec<String>,
        players: usize,
        width: usize,
    ) -> Self {
        Self { report, names, players, width }
    }
}

/// What a pickle holds of a report.
fn pickled<'py>(py: Python<'py>, report: &impl Serialize) -> PyResult<(Bound<'py, PyBytes>,)> {
    let bytes = serde_json::to_vec(report).map_err(value_error)?;
    Ok((PyBytes::new(py, &bytes),))
}

#[pymethods]
impl ActionReport {
    /// Makes a report again from the bytes of a pickle.
    #[new]
    fn new(data: &[u8]) -> PyResult<Self> {
        serde_json::from_slice(data).map_err(value_error)
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>,)> {
        pickled(py, self)
    }

    /// All of it as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let entries = PyDict::new(py);
        entries.set_item("action", self.action)?;
        entries.set_item("name", &self.name)?;
        entries.set_item("visits", self.visits)?;
        entries.set_item("values", &self.values)?;
        entries.set_item("prior", self.prior)?;
        entries.set_item("policy", self.policy)?;
        entries.set_item("solved", self.solved)?;
        Ok(entries)
    }

    fn __repr__(&self) -> String {
        format!("<ActionReport: {} ({}), {} visits>", self.name, self.action, self.visits)
    }
}

#[pymethods]
impl SearchReport {
    /// Makes a report again from the bytes of a pickle.
    #[new]
    fn from_pickle(data: &[u8]) -> PyResult<Self> {
        serde_json::from_slice(data).map_err(value_error)
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>,)> {
        pickled(py, self)
    }

    /// All of it as a dictionary of plain values; `actions` is a list of dictionaries, as
    /// data frames take them.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let entries = PyDict::new(py);
        let actions =
            self.actions().iter().map(|entry| entry.to_dict(py)).collect::<Result<Vec<_>, _>>();
        entries.set_item("best", self.best())?;
        entries.set_item("actions", actions?)?;
        entries.set_item("values", self.values())?;
        entries.set_item("variations", self.variations())?;
        entries.set_item("iterations", self.iterations())?;
        entries.set_item("nodes", self.nodes())?;
        entries.set_item("depth", self.depth())?;
        entries.set_item("evaluations", self.evaluations())?;
        entries.set_item("seconds", self.seconds())?;
        entries.set_item("iterations_per_second", self.iterations_per_second())?;
        entries.set_item("ended", self.ended())?;
        entries.set_item("halved", self.halved())?;
        Ok(entries)
    }

    /// The action to play.
    #[getter]
    fn best(&self) -> u16 {
        self.report.best.0
    }

    /// Every legal action, in the order of the game.
    #[getter]
    fn actions(&self) -> Vec<ActionReport> {
        let entry = |(entry, name): (&search::ActionReport, &String)| ActionReport {
            action: entry.action.0,
            name: name.clone(),
            visits: entry.visits,
            values: entry.values[..self.players].to_vec(),
            prior: entry.prior,
            policy: entry.policy,
            solved: entry.solved,
        };
        self.report.actions.iter().zip(&self.names).map(entry).collect()
    }

    /// How likely each action id should be played, as an array of float32.
    fn policy<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        let mut policy = vec![0.0; self.width];
        for entry in &self.report.actions {
            policy[entry.action.index()] = entry.policy;
        }
        PyArray1::from_vec(py, policy)
    }

    /// What the state has been worth to each seat.
    #[getter]
    fn values(&self) -> Vec<f32> {
        self.report.values[..self.players].to_vec()
    }

    /// What is expected to follow, the best line first, with the chance outcomes.
    #[getter]
    fn variations(&self) -> Vec<Vec<u16>> {
        let lines = self.report.variations.iter();
        lines.map(|line| line.iter().map(|action| action.0).collect()).collect()
    }

    /// Simulations.
    #[getter]
    fn iterations(&self) -> u64 {
        self.report.simulations
    }

    /// States in the tree.
    #[getter]
    fn nodes(&self) -> u64 {
        self.report.nodes
    }

    /// The longest way from the root, in steps.
    #[getter]
    fn depth(&self) -> u32 {
        self.report.depth
    }

    /// Calls for a value.
    #[getter]
    fn evaluations(&self) -> u64 {
        self.report.evaluations
    }

    /// Seconds it took.
    #[getter]
    fn seconds(&self) -> f64 {
        self.report.elapsed.as_secs_f64()
    }

    /// Simulations a second.
    #[getter]
    fn iterations_per_second(&self) -> f64 {
        self.report.simulations_per_second
    }

    /// Why it ended: "iterations", "time", "forced", "solved" and so on.
    #[getter]
    fn ended(&self) -> String {
        self.report.stop_reason.to_string()
    }

    /// Whether visits were given out by sequential halving, whose survivors are visited
    /// alike: `policy` then tells actions apart, not `visits`.
    #[getter]
    fn halved(&self) -> bool {
        self.report.halved
    }

    fn __repr__(&self) -> String {
        let found = self.report.actions.iter().zip(&self.names);
        let best = found.filter(|(entry, _)| entry.action == self.report.best);
        let name = best.map(|(_, name)| name.as_str()).next().unwrap_or("?");
        let values = self.values();
        format!(
            "<SearchReport: {name} ({}) after {} iterations, values {values:?}>",
            self.report.best.0, self.report.simulations
        )
    }
}
