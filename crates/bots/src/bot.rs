//! The [`Bot`] trait.

use meeple_game::{Action, Game, Rng, View};
use meeple_search::{SearchReport, StopFlag};

use crate::BotError;

/// An agent that chooses actions from what its seat can observe.
pub trait Bot<G: Game>: Send {
    /// Returns one of the legal actions of `view`. There is at least one.
    ///
    /// All randomness comes from `rng`, so that games are reproducible.
    ///
    /// # Errors
    ///
    /// When the bot is an external program that crashes, times out or violates the protocol, and
    /// when its search fails.
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng) -> Result<Action, BotError>;

    /// Called at the start of each game.
    ///
    /// # Errors
    ///
    /// As for [`choose`](Self::choose).
    fn begin(&mut self) -> Result<(), BotError> {
        Ok(())
    }

    /// Returns the report of its last search, if the bot searches.
    fn search_report(&self) -> Option<&SearchReport> {
        None
    }

    /// Sets the flag that interrupts the bot. Once the flag is set, every decision returns soon
    /// with some legal action, which the caller discards. Bots that always decide quickly can
    /// ignore it.
    fn set_stop(&mut self, _stop: &StopFlag) {}
}
