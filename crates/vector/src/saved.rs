//! Snapshots of tables with their games in progress.

use meeple_game::{Action, Game};

use crate::environment::{Environment, Rules, Scratch, Stage};
use crate::{Illegal, VectorError};

/// A snapshot of a table. Chance events and bots are reproduced from the seed, so the actions
/// of the caller and of external opponents are all that a game needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedTable {
    /// The seed of the table.
    pub seed: u64,
    /// The number of games begun from the seed.
    pub games: u64,
    /// The actions from outside in the last game.
    pub inputs: Vec<u16>,
    /// The number of actions drawn in it by [`VectorEnv::sample`](crate::VectorEnv::sample).
    pub samples: u32,
    /// Whether the end of the game has been reported.
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

    /// Restores the table by replaying its game; `at` is its index.
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
