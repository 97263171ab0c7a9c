//! The bot that tries every action in random games: no tree, no knowledge.

use meeple_game::{Action, ActionList, Game, Rng, View, play_out};
use meeple_search::StopFlag;

use super::greedy::best;
use crate::{Bot, BotError};

/// Plays each action out a number of times at random, each time from a freshly
/// sampled state, and picks the one that paid best.
#[derive(Debug)]
pub(crate) struct Flat {
    playouts: u32,
    actions: ActionList,
    scratch: ActionList,
    worths: Vec<f64>,
    stop: StopFlag,
}

impl Flat {
    pub(crate) fn new(playouts: u32) -> Self {
        Self {
            playouts,
            actions: ActionList::new(),
            scratch: ActionList::new(),
            worths: Vec::new(),
            stop: StopFlag::default(),
        }
    }
}

impl<G: Game> Bot<G> for Flat {
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng) -> Result<Action, BotError> {
        view.legal_actions(&mut self.actions);
        if let [forced] = self.actions[..] {
            return Ok(forced);
        }
        self.worths.clear();
        self.worths.resize(self.actions.len(), 0.0);
        for _ in 0..self.playouts {
            if self.stop.is_stopped() {
                break;
            }
            let world = view.sample(rng);
            for (worth, &action) in self.worths.iter_mut().zip(self.actions.iter()) {
                let mut game = world;
                game.apply(action);
                play_out(&mut game, rng, &mut self.scratch);
                *worth += f64::from(game.payoffs()[view.seat().index()]);
            }
        }
        Ok(best(&self.actions, &self.worths, rng))
    }

    fn set_stop(&mut self, stop: &StopFlag) {
        self.stop = stop.clone();
    }
}
