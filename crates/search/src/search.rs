//! What every kind of search can do.

use meeple_game::{Action, Game, View};

use crate::budget::{Budget, Control};
use crate::{SearchError, SearchReport};

/// A search: shown what one seat may know, it says what to play.
pub trait Search<G: Game> {
    /// Searches under the eyes of `control`.
    ///
    /// The same seed and budget in iterations give the same report, but for
    /// the clock.
    ///
    /// # Errors
    ///
    /// When the budget is empty, the seat is not to decide, the search is not
    /// made for such games, or the evaluator returns nonsense.
    fn search_with(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
    ) -> Result<SearchReport, SearchError>;

    /// Searches for what to play.
    ///
    /// # Errors
    ///
    /// As for [`search_with`](Self::search_with).
    fn search(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
    ) -> Result<SearchReport, SearchError> {
        self.search_with(view, budget, seed, &mut Control::default())
    }

    /// Goes on by `actions`, those of all players and of luck, since the last
    /// search: what is known of where they lead is kept, if anything can be.
    ///
    /// A search from any other state than where the last one ended and these
    /// lead starts anew.
    fn advance(&mut self, _actions: &[Action]) {}

    /// As [`advance`](Self::advance), for those who are not told what was
    /// played: what is known of the state shown is kept, if the last search
    /// has come through it.
    fn follow(&mut self, _view: &View<'_, G>) {}
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
}
