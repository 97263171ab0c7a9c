//! Searches restricted to the decisions that matter.

use meeple_game::{Action, Game, View};

use crate::budget::{Budget, Control};
use crate::search::Search;
use crate::{SearchError, SearchReport};

/// A search that sees every state [focused](meeple_game::Companions::focus): the game removes
/// actions and decisions that people would not consider, so the search gets deeper. The report
/// covers the remaining actions; a single one is returned without search.
///
/// ```
/// use meeple_game::{Game, Player, Turn, View};
/// use meeple_games::magic::Magic;
/// use meeple_search::{Budget, Focused, Heuristic, IsMcts, IsMctsOptions, Search};
///
/// let mut game = Magic::new(&Default::default());
/// while game.turn() == Turn::Chance {
///     game.apply(game.sample_chance(&mut meeple_game::Rng::new(1)));
/// }
/// let mut search = Focused(IsMcts::new(&IsMctsOptions::default(), Heuristic)?);
/// let report = search.search(&View::new(&game, Player(0)), &Budget::simulations(50), 1)?;
/// assert_eq!(report.actions.len(), 2, "keep or mulligan");
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Focused<S>(pub S);

impl<G: Game, S: Search<G>> Search<G> for Focused<S> {
    fn search_with(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
    ) -> Result<SearchReport, SearchError> {
        view.focused(|view| self.0.search_with(view, budget, seed, control))
    }

    fn advance(&mut self, actions: &[Action]) {
        self.0.advance(actions);
    }

    fn follow(&mut self, view: &View<'_, G>) {
        view.focused(|view| self.0.follow(view));
    }

    fn reset(&mut self) {
        self.0.reset();
    }
}
