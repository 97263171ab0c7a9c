//! The bot that looks one move ahead and trusts the game's estimate.

use meeple_game::{Action, ActionList, Game, OutcomeList, Player, Rng, Turn, View, heuristic};

use crate::{Bot, BotError};

/// Worlds sampled for a decision where something is hidden.
const WORLDS: usize = 8;
/// Chance events in a row that are averaged over; luck beyond that is drawn.
const AVERAGED: usize = 2;

/// Picks the action with the best estimate after it, averaged over luck and,
/// where something is hidden, over sampled states; where these all differ, each
/// has luck of its own.
#[derive(Debug)]
pub(crate) struct Greedy<G> {
    actions: ActionList,
    worths: Vec<f64>,
    worlds: Vec<(G, f64)>,
}

impl<G: Game> Greedy<G> {
    pub(crate) fn new() -> Self {
        Self { actions: ActionList::new(), worths: Vec::new(), worlds: Vec::new() }
    }

    /// Samples worlds, equal ones counted together: often little is hidden.
    fn sample_worlds(&mut self, view: &View<'_, G>, rng: &mut Rng) {
        self.worlds.clear();
        for _ in 0..if G::IMPERFECT_INFORMATION { WORLDS } else { 1 } {
            let world = view.sample(rng);
            match self.worlds.iter_mut().find(|(known, _)| *known == world) {
                Some((_, times)) => *times += 1.0,
                None => self.worlds.push((world, 1.0)),
            }
        }
    }
}

impl<G: Game> Bot<G> for Greedy<G> {
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng) -> Result<Action, BotError> {
        view.legal_actions(&mut self.actions);
        self.worths.clear();
        self.worths.resize(self.actions.len(), 0.0);
        self.sample_worlds(view, rng);
        // As many worlds as were sampled are as many draws of luck, and enough.
        let averaged = if self.worlds.len() == WORLDS { 0 } else { AVERAGED };
        for &(world, times) in &self.worlds {
            for (worth, &action) in self.worths.iter_mut().zip(self.actions.iter()) {
                let mut next = world;
                next.apply(action);
                *worth += times * expected(&next, view.seat(), averaged, rng);
            }
        }
        Ok(best(&self.actions, &self.worths, rng))
    }
}

/// The estimate for `seat`, luck averaged over.
fn expected<G: Game>(game: &G, seat: Player, depth: usize, rng: &mut Rng) -> f64 {
    if game.turn() != Turn::Chance {
        let estimate = heuristic(game).expect("the game has an evaluation");
        return f64::from(estimate[seat.index()]);
    }
    if depth == 0 {
        let mut next = *game;
        next.apply(game.sample_chance(rng));
        return expected(&next, seat, depth, rng);
    }
    let mut outcomes = OutcomeList::new();
    game.chance_outcomes(&mut outcomes);
    let worth = |outcome: &meeple_game::Outcome| {
        let mut next = *game;
        next.apply(outcome.action);
        outcome.probability * expected(&next, seat, depth - 1, rng)
    };
    outcomes.iter().map(worth).sum()
}

/// The action of the highest worth; equal ones by lot.
pub(super) fn best(actions: &[Action], worths: &[f64], rng: &mut Rng) -> Action {
    let highest = worths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut equals = worths.iter().filter(|&&worth| worth == highest).count();
    let mut drawn = rng.below(equals);
    for (&action, &worth) in actions.iter().zip(worths) {
        if worth == highest {
            if drawn == 0 {
                return action;
            }
            drawn -= 1;
            equals -= 1;
        }
    }
    unreachable!("{equals} of the actions have the highest worth")
}
