//! What a search has found out, as Python sees it.

use meeple_search as search;
use numpy::PyArray1;
use pyo3::prelude::*;

/// What is known of one action of the root.
#[pyclass(module = "meeple", frozen, get_all)]
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

#[pymethods]
impl SearchReport {
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

    /// What is expected to follow, the best line first, with the outcomes of luck.
    #[getter]
    fn variations(&self) -> Vec<Vec<u16>> {
        let lines = self.report.variations.iter();
        lines.map(|line| line.iter().map(|action| action.0).collect()).collect()
    }

    /// Simulations.
    #[getter]
    fn iterations(&self) -> u64 {
        self.report.iterations
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
        self.report.iterations_per_second
    }

    /// Why it ended: "iterations", "time", "forced", "solved" and so on.
    #[getter]
    fn ended(&self) -> String {
        format!("{:?}", self.report.ended).to_lowercase()
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
            self.report.best.0, self.report.iterations
        )
    }
}
