//! One-step lookahead with the game's heuristic evaluation.

use meeple_game::{Action, ActionList, Game, OutcomeList, Player, Rng, Turn, View, heuristic};

use crate::{Bot, BotError};

/// Determinizations sampled for a decision with imperfect information.
const DETERMINIZATIONS: usize = 8;
/// Consecutive chance nodes that are expanded in full; outcomes of later ones are sampled.
const AVERAGED: usize = 2;

/// Picks the action with the best expected evaluation. The expectation is over chance outcomes
/// and, with imperfect information, over sampled determinizations. If all determinizations
/// differ, each uses one sampled chance outcome.
#[derive(Debug)]
pub(crate) struct Greedy<G> {
    actions: ActionList,
    values: Vec<f64>,
    determinizations: Vec<(G, f64)>,
}

impl<G: Game> Greedy<G> {
    pub(crate) fn new() -> Self {
        Self { actions: ActionList::new(), values: Vec::new(), determinizations: Vec::new() }
    }

    /// Samples determinizations and merges equal ones, which are common if little is hidden.
    fn sample_determinizations(&mut self, view: &View<'_, G>, rng: &mut Rng) {
        self.determinizations.clear();
        for _ in 0..if view.info().imperfect_information { DETERMINIZATIONS } else { 1 } {
            let state = view.sample(rng);
            match self.determinizations.iter_mut().find(|(known, _)| *known == state) {
                Some((_, times)) => *times += 1.0,
                None => self.determinizations.push((state, 1.0)),
            }
        }
    }
}

impl<G: Game> Bot<G> for Greedy<G> {
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng) -> Result<Action, BotError> {
        view.legal_actions(&mut self.actions);
        self.values.clear();
        self.values.resize(self.actions.len(), 0.0);
        self.sample_determinizations(view, rng);
        // Distinct determinizations already average over chance, so one sampled outcome each
        // suffices.
        let averaged = if self.determinizations.len() == DETERMINIZATIONS { 0 } else { AVERAGED };
        for &(state, times) in &self.determinizations {
            for (value, &action) in self.values.iter_mut().zip(self.actions.iter()) {
                let mut next = state;
                next.apply(action);
                *value += times * expected(&next, view.seat(), averaged, rng);
            }
        }
        Ok(best(&self.actions, &self.values, rng))
    }
}

/// Returns the evaluation for `seat`, in expectation over chance outcomes.
fn expected<G: Game>(game: &G, seat: Player, depth: usize, rng: &mut Rng) -> f64 {
    if game.turn() != Turn::Chance {
        let value = heuristic(game).expect("the game has an evaluation");
        return f64::from(value[seat.index()]);
    }
    if depth == 0 {
        let mut next = *game;
        next.apply(game.sample_chance(rng));
        return expected(&next, seat, depth, rng);
    }
    let mut outcomes = OutcomeList::new();
    game.chance_outcomes(&mut outcomes);
    let value = |outcome: &meeple_game::Outcome| {
        let mut next = *game;
        next.apply(outcome.action);
        outcome.probability * expected(&next, seat, depth - 1, rng)
    };
    outcomes.iter().map(value).sum()
}

/// Returns the action with the highest value; ties are broken at random.
pub(super) fn best(actions: &[Action], values: &[f64], rng: &mut Rng) -> Action {
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut equals = values.iter().filter(|&&value| value == highest).count();
    let mut drawn = rng.below(equals);
    for (&action, &value) in actions.iter().zip(values) {
        if value == highest {
            if drawn == 0 {
                return action;
            }
            drawn -= 1;
            equals -= 1;
        }
    }
    unreachable!("{equals} of the actions have the highest worth")
}
