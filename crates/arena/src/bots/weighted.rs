//! A bot that thinks by other weights of the game's estimate.

use meeple_game::{Action, Game, Rng, View};
use meeple_search::SearchReport;

use crate::{Bot, Forfeit};

/// Shows a bot what its seat sees with the weights of another table.
pub(crate) struct Weighted<G> {
    bot: Box<dyn Bot<G>>,
    /// A state of the table with those weights.
    model: G,
}

impl<G: Game> Weighted<G> {
    pub(crate) fn new(bot: Box<dyn Bot<G>>, model: G) -> Self {
        Self { bot, model }
    }
}

impl<G: Game> Bot<G> for Weighted<G> {
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng) -> Result<Action, Forfeit> {
        let Self { bot, model } = self;
        view.reweighed(model, |view| bot.choose(view, rng))
    }

    fn begin(&mut self) -> Result<(), Forfeit> {
        self.bot.begin()
    }

    fn thoughts(&self) -> Option<&SearchReport> {
        self.bot.thoughts()
    }
}
