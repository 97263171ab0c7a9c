//! Flat Monte Carlo (Abramson 1990): rollouts of every action, without a tree.

use meeple_game::{Action, ActionList, Game, Rng, View, play_out};
use meeple_search::{StopFlag, softmax};

use super::greedy::best;
use crate::{Bot, BotError};

/// Evaluates each action by a number of random rollouts, each from a newly sampled
/// determinization, and picks the action with the highest mean payoff, or one by a softmax over
/// the means.
#[derive(Debug)]
pub(crate) struct Flat {
    playouts: u32,
    temperature: f32,
    actions: ActionList,
    scratch: ActionList,
    values: Vec<f64>,
    stop: StopFlag,
}

impl Flat {
    pub(crate) fn new(playouts: u32, temperature: f32) -> Self {
        Self {
            playouts,
            temperature,
            actions: ActionList::new(),
            scratch: ActionList::new(),
            values: Vec::new(),
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
        self.values.clear();
        self.values.resize(self.actions.len(), 0.0);
        for _ in 0..self.playouts {
            if self.stop.is_stopped() {
                break;
            }
            // All actions share the determinization, which reduces the variance of their
            // differences.
            let state = view.sample(rng);
            for (value, &action) in self.values.iter_mut().zip(self.actions.iter()) {
                let mut game = state;
                game.apply(action);
                play_out(&mut game, rng, &mut self.scratch);
                *value += f64::from(game.payoffs()[view.seat().index()]);
            }
        }
        if self.temperature > 0.0 {
            // Values are sums of payoffs.
            let temperature = f64::from(self.temperature) * f64::from(self.playouts);
            return Ok(self.actions[softmax(&self.values, temperature, rng)]);
        }
        Ok(best(&self.actions, &self.values, rng))
    }

    fn set_stop(&mut self, stop: &StopFlag) {
        self.stop = stop.clone();
    }
}
