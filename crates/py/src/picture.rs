//! Pictures of states for Python: SVG and pixels.

use numpy::PyArray3;
use pyo3::prelude::*;

use crate::convert::{optional_player, seat};
use crate::drawing::pixels;
use crate::state::State;

#[pymethods]
impl State {
    /// The table as SVG: as `player` sees it, or all of it.
    #[pyo3(signature = (player = None))]
    fn to_svg(
        &self,
        #[pyo3(from_py_with = optional_player)] player: Option<i64>,
    ) -> PyResult<String> {
        Ok(self.drawing(self.observer(player)?).svg())
    }

    /// The same as pixels, `[height, width, 3]` uint8; all states of a game have pictures
    /// of one size.
    #[pyo3(signature = (player = None))]
    fn to_pixels<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = optional_player)] player: Option<i64>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        pixels(py, &self.drawing(self.observer(player)?))
    }
}

impl State {
    fn observer(&self, player: Option<i64>) -> PyResult<Option<meeple_game::Player>> {
        player.map(|player| seat(self.lock().position(), player)).transpose()
    }
}
