//! Random play to the end of a game: the speed benchmark and the rollout of searches.

use meeple_rng::Rng;

use crate::{ActionList, Game, Turn};

/// The number of events in a playout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// Actions chosen by players.
    pub decisions: u64,
    /// Outcomes of chance events.
    pub chances: u64,
}

impl Steps {
    /// Returns the number of decisions and chance events together.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.decisions + self.chances
    }
}

/// Plays `game` to its end step by step; every decision is drawn uniformly from the legal
/// actions. [`play_out`](crate::play_out) does the same, with the game's faster version where
/// it has one.
///
/// `scratch` is overwritten; nothing is allocated.
// Inlined so that it is compiled with the loop that calls it, whose target features may exceed
// the baseline of the build.
#[inline(always)]
pub fn playout<G: Game>(game: &mut G, rng: &mut Rng, scratch: &mut ActionList) -> Steps {
    let mut steps = Steps::default();
    loop {
        match game.turn() {
            Turn::Player(_) => {
                game.apply_sampled(rng, scratch);
                steps.decisions += 1;
            }
            Turn::Chance => {
                game.apply(game.sample_chance(rng));
                steps.chances += 1;
            }
            Turn::Over => return steps,
        }
    }
}
