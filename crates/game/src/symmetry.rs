//! Symmetries of a game: transformations of the board that preserve play.

use crate::Action;

/// A transformation of the board that preserves play, such as a reflection: each observation
/// and each action has an image, and the game of images has the same result for every seat.
///
/// Training applies a random symmetry to each example, which augments the data of each game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    cells: Vec<usize>,
    actions: Vec<Action>,
}

impl Symmetry {
    /// Creates the symmetry whose image of an observation has in cell `i` the value of cell
    /// `cells[i]`, and which maps the action with id `i` to `actions[i]`.
    ///
    /// ```
    /// use meeple_game::{Action, Symmetry};
    ///
    /// let mirror = Symmetry::new([2, 1, 0], (0..3).rev().map(Action));
    /// let mut image = [0; 3];
    /// mirror.map_observation(&[5, 6, 7], &mut image);
    /// assert_eq!(image, [7, 6, 5]);
    /// assert_eq!(mirror.map_action(Action(2)), Action(0));
    /// ```
    ///
    /// # Panics
    ///
    /// Panics when `cells` or `actions` is not a permutation.
    #[must_use]
    pub fn new(
        cells: impl IntoIterator<Item = usize>,
        actions: impl IntoIterator<Item = Action>,
    ) -> Self {
        let (cells, actions): (Vec<_>, Vec<_>) =
            (cells.into_iter().collect(), actions.into_iter().collect());
        assert!(is_permutation(cells.iter().copied()), "cells are permuted");
        assert!(is_permutation(actions.iter().map(|action| action.index())), "so are actions");
        Self { cells, actions }
    }

    /// Writes the image of an observation.
    ///
    /// # Panics
    ///
    /// Panics when one of the two slices does not have the length of the game's observations.
    pub fn map_observation(&self, observation: &[i32], image: &mut [i32]) {
        assert_eq!(observation.len(), self.cells.len(), "an observation of the game");
        assert_eq!(image.len(), self.cells.len(), "room for an observation of the game");
        for (image, &cell) in image.iter_mut().zip(&self.cells) {
            *image = observation[cell];
        }
    }

    /// Returns the image of an action.
    #[must_use]
    pub fn map_action(&self, action: Action) -> Action {
        self.actions[action.index()]
    }

    /// Returns the number of cells and of actions that it maps.
    pub(crate) fn sizes(&self) -> (usize, usize) {
        (self.cells.len(), self.actions.len())
    }
}

fn is_permutation(items: impl ExactSizeIterator<Item = usize>) -> bool {
    let mut seen = vec![false; items.len()];
    items.into_iter().all(|item| item < seen.len() && !std::mem::replace(&mut seen[item], true))
}
