//! The interface of all searches.

use meeple_game::{Action, Game, View};

use crate::budget::{Budget, Control};
use crate::{SearchError, SearchReport};

/// A search: from what one seat may know to the action to play.
pub trait Search<G: Game> {
    /// Searches under `control`.
    ///
    /// The same seed and budget in simulations give the same report, apart from timings.
    ///
    /// # Errors
    ///
    /// Fails if the budget is empty, the seat is not to move, the search does not support
    /// the game, or the evaluator returns invalid values.
    fn search_with(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
    ) -> Result<SearchReport, SearchError>;

    /// Searches for the action to play.
    ///
    /// # Errors
    ///
    /// Fails like [`search_with`](Self::search_with).
    fn search(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
    ) -> Result<SearchReport, SearchError> {
        self.search_with(view, budget, seed, &mut Control::default())
    }

    /// Advances the root by `actions`, which are all actions and chance outcomes since the
    /// last search, and keeps the subtree there (tree reuse).
    ///
    /// The next search starts with an empty tree if its root is another state.
    fn advance(&mut self, _actions: &[Action]) {}

    /// Advances the root to the state of `view` without knowing the actions played (tree
    /// reuse): keeps the subtree if the last search reached that state.
    fn follow(&mut self, _view: &View<'_, G>) {}

    /// Forgets earlier searches, at the start of a game.
    fn reset(&mut self) {}
}

impl<G: Game, S: Search<G> + ?Sized> Search<G> for Box<S> {
    fn search_with(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
    ) -> Result<SearchReport, SearchError> {
        (**self).search_with(view, budget, seed, control)
    }

    fn advance(&mut self, actions: &[Action]) {
        (**self).advance(actions);
    }

    fn follow(&mut self, view: &View<'_, G>) {
        (**self).follow(view);
    }

    fn reset(&mut self) {
        (**self).reset();
    }
}
