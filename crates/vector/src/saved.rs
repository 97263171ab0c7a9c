//! Tables written down with their games in progress, and made again.

use meeple_game::{Action, Game};

use crate::environment::{Environment, Rules, Scratch, Stage};
use crate::{Illegal, VectorError};

/// A table as it is written down. Chance events and bots draw from the seed, so what the
/// caller and the opponents outside chose is all that has to be known of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedTable {
    /// The seed of the table.
    pub seed: u64,
    /// Games begun from it.
    pub games: u64,
    /// What was chosen in the last of them.
    pub inputs: Vec<u16>,
    /// Actions drawn in it by [`VectorEnv::sample`](crate::VectorEnv::sample).
    pub samples: u32,
    /// Whether the end of the game has been told.
    pub is_done: bool,
}

impl<G: Game> Environment<G> {
    pub(crate) fn save(&self) -> SavedTable {
        SavedTable {
            seed: self.seed,
            games: self.games,
            inputs: self.inputs.clone(),
            samples: self.samples,
            is_done: self.is_done,
        }
    }

    /// Makes the table again; `at` is its number.
    pub(crate) fn restore(
        &mut self,
        rules: &Rules<G>,
        saved: &SavedTable,
        at: usize,
        scratch: &mut Scratch,
    ) -> Result<(), VectorError> {
        self.reseed(saved.seed);
        self.games = saved.games.saturating_sub(1);
        self.deal(rules);
        self.settle(rules, scratch);
        for &input in &saved.inputs {
            let action = Action(input);
            let is_legal = self.legal.contains(&action);
            match self.stage {
                Stage::Decides(_) if is_legal || rules.illegal == Illegal::Lose => {
                    self.play(rules, action, scratch);
                }
                Stage::Waits(_) if is_legal => self.answer(rules, action, scratch),
                _ => return Err(VectorError::Saved { table: at, action: input }),
            }
        }
        for _ in 0..saved.samples {
            self.dice.bits();
        }
        (self.samples, self.is_done) = (saved.samples, saved.is_done);
        self.settle_told();
        Ok(())
    }
}
