//! Uniformly random play.

use meeple_game::{Action, ActionList, Game, Rng, View};

use crate::{Bot, BotError};

/// Draws a legal action uniformly at random.
#[derive(Debug, Default)]
pub(crate) struct Random {
    actions: ActionList,
}

impl<G: Game> Bot<G> for Random {
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng) -> Result<Action, BotError> {
        view.legal_actions(&mut self.actions);
        Ok(*rng.pick(&self.actions))
    }
}
