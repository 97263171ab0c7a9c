//! The Python package `meeple`: conversion between Python and the crates, no rules.
//!
//! Whatever Python passes is checked here and refused with an exception of the right
//! type; what takes time runs without the interpreter's lock.

mod arrays;
mod convert;
mod drawing;
mod experiment;
mod game;
mod history;
mod network;
mod picture;
mod poker;
mod report;
mod search;
mod spiel;
mod state;
mod tables;
mod train;
mod watch;

use pyo3::pymodule;

/// The compiled part of the package; `meeple` shows it to people.
#[pymodule]
mod _meeple {
    use std::ffi::CString;

    use pyo3::exceptions::PyDeprecationWarning;
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::experiment::run_experiment;
    #[pymodule_export]
    use crate::game::{Game, games, load_game};
    #[pymodule_export]
    use crate::network::{Network, load_network, new_network};
    #[pymodule_export]
    use crate::poker::{Equity, PlayerEquity, cards, equity, evaluate, hand_name};
    #[pymodule_export]
    use crate::report::{ActionReport, SearchReport};
    #[pymodule_export]
    use crate::search::{search, search_many};
    #[pymodule_export]
    use crate::state::{State, deserialize_state};
    #[pymodule_export]
    use crate::tables::NativeTables;
    #[pymodule_export]
    use crate::train::train;

    /// Warns about an option or key of version 0.1.
    fn warn(warning: &str) {
        Python::attach(|py| {
            let category = py.get_type::<PyDeprecationWarning>();
            let warned = CString::new(warning)
                .map_err(PyErr::from)
                .and_then(|text| PyErr::warn(py, &category, &text, 1));
            // Where warnings are errors, there is nobody here to raise one to.
            if let Err(error) = warned {
                error.write_unraisable(py, None);
            }
        });
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        meeple_bots::on_old_name(warn);
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
