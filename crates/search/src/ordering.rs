//! Move ordering: prior policies from heuristics.
//!
//! Killer heuristic: Akl and Newborn, 1977. History heuristic: Schaeffer, 1983.

use std::sync::atomic::{AtomicU32, Ordering as Atomic};

use meeple_game::{Action, Game, MAX_PLAYERS, Player, Turn, heuristic, priorities};

/// A move ordering: weights of the legal actions before any search.
///
/// The weights become priors, which PUCT, the progressive bias of UCT and progressive
/// widening use. The order alone has no effect, since every action is expanded.
pub trait MoveOrdering<G: Game>: Send + Sync {
    /// Writes a nonnegative weight for each of `actions`; the weights need not sum to 1.
    /// `depth` is the distance from the root.
    fn weights(&self, state: &G, depth: usize, actions: &[Action], weights: &mut [f32]);

    /// Like [`weights`](Self::weights) for `states[at]`. An ordering that computes the
    /// successor states may append them to `states`, one per action in order, so that the
    /// search does not compute them again.
    fn weights_and_successors(
        &self,
        states: &mut Vec<G>,
        at: usize,
        depth: usize,
        actions: &[Action],
        weights: &mut [f32],
    ) {
        self.weights(&states[at], depth, actions, weights);
    }

    /// Whether the search should call [`update`](Self::update).
    fn needs_updates(&self) -> bool {
        false
    }

    /// Receives the value that an action, played at `depth`, had for its player.
    fn update(&self, _player: Player, _depth: usize, _action: Action, _value: f32) {}
}

/// Orders actions by the game's own action priorities.
#[derive(Clone, Copy, Debug, Default)]
pub struct Priorities;

impl<G: Game> MoveOrdering<G> for Priorities {
    fn weights(&self, state: &G, _: usize, actions: &[Action], weights: &mut [f32]) {
        priorities(state, actions, weights);
    }
}

/// Orders actions by the heuristic evaluation of their successor states.
#[derive(Clone, Copy, Debug)]
pub struct OneStepLookahead {
    /// The exponent of the odds of winning after the action, which are its weight; 2 by
    /// default. Odds still separate actions in nearly won or lost states, where evaluations
    /// are almost equal.
    pub sharpness: f32,
}

impl Default for OneStepLookahead {
    fn default() -> Self {
        Self { sharpness: 2.0 }
    }
}

/// The maximum absolute evaluation; keeps the odds finite.
const MAX_CERTAINTY: f32 = 0.999_99;

impl OneStepLookahead {
    /// The logarithm of the weight of an action of `seat` that leads to `next`.
    fn log_odds<G: Game>(&self, next: &G, seat: Player) -> f32 {
        let value = match next.turn() {
            Turn::Over => next.payoffs()[seat.index()],
            // Chance outcomes are not enumerated: the evaluation before them stands for
            // their mean.
            Turn::Player(_) | Turn::Chance => {
                heuristic(next).map_or(0.0, |values| values[seat.index()])
            }
        };
        let value = value.clamp(-MAX_CERTAINTY, MAX_CERTAINTY);
        self.sharpness * ((1.0 + value) / (1.0 - value)).ln()
    }
}

/// Exponentiates log weights, scaled to a maximum of 1.
fn exp_normalize(weights: &mut [f32]) {
    let most = weights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    weights.iter_mut().for_each(|weight| *weight = (*weight - most).exp());
}

impl<G: Game> MoveOrdering<G> for OneStepLookahead {
    fn weights(&self, state: &G, _: usize, actions: &[Action], weights: &mut [f32]) {
        let Turn::Player(seat) = state.turn() else { return };
        for (&action, weight) in actions.iter().zip(weights.iter_mut()) {
            let mut next = *state;
            next.apply(action);
            *weight = self.log_odds(&next, seat);
        }
        exp_normalize(weights);
    }

    fn weights_and_successors(
        &self,
        states: &mut Vec<G>,
        at: usize,
        _: usize,
        actions: &[Action],
        weights: &mut [f32],
    ) {
        let Turn::Player(seat) = states[at].turn() else { return };
        for (&action, weight) in actions.iter().zip(weights.iter_mut()) {
            let next = states.len();
            states.extend_from_within(at..=at);
            states[next].apply(action);
            *weight = self.log_odds(&states[next], seat);
        }
        exp_normalize(weights);
    }
}

/// History heuristic: orders actions by their mean value over all states in which they were
/// played.
///
/// Searches that share a history influence each other; reports are then reproducible on one
/// thread only.
#[derive(Debug)]
pub struct History {
    sharpness: f32,
    /// Visit count and value sum (as bits), by seat and action.
    counts: Vec<(AtomicU32, AtomicU32)>,
    actions: usize,
}

impl History {
    /// Creates an empty history for a table with `actions` action ids. The weight is
    /// `exp(sharpness * mean value)`; a sharpness of about 2 works well.
    #[must_use]
    pub fn new(sharpness: f32, actions: usize) -> Self {
        let counts = (0..MAX_PLAYERS * actions).map(|_| Default::default()).collect();
        Self { sharpness, counts, actions }
    }

    fn entry(&self, player: Player, action: Action) -> &(AtomicU32, AtomicU32) {
        &self.counts[player.index() * self.actions + action.index()]
    }
}

impl<G: Game> MoveOrdering<G> for History {
    fn weights(&self, state: &G, _: usize, actions: &[Action], weights: &mut [f32]) {
        let Turn::Player(player) = state.turn() else { return };
        for (&action, weight) in actions.iter().zip(weights) {
            let (count, sum) = self.entry(player, action);
            let count = count.load(Atomic::Relaxed) as f32;
            let mean = f32::from_bits(sum.load(Atomic::Relaxed)) / (count + 1.0);
            *weight = (self.sharpness * mean).exp();
        }
    }

    fn needs_updates(&self) -> bool {
        true
    }

    fn update(&self, player: Player, _: usize, action: Action, value: f32) {
        let (count, sum) = self.entry(player, action);
        count.fetch_add(1, Atomic::Relaxed);
        let total = f32::from_bits(sum.load(Atomic::Relaxed)) + value;
        sum.store(total.to_bits(), Atomic::Relaxed);
    }
}

/// The depth limit of the killer table.
const MAX_KILLER_DEPTH: usize = 64;
/// The value from which an action counts as a win.
const WIN_THRESHOLD: f32 = 0.5;

/// Killer heuristic: prefers the last actions that won at the same depth for the same seat,
/// because a refutation often works in sibling states.
///
/// Searches that share killers influence each other; reports are then reproducible on one
/// thread only.
#[derive(Debug)]
pub struct Killers {
    weight: f32,
    /// The last two winning actions (id + 1, 0 for none), by seat and depth.
    slots: Vec<[AtomicU32; 2]>,
}

impl Killers {
    /// Creates an empty killer table. A killer weighs `weight` times as much as another
    /// action; about 3 works well.
    #[must_use]
    pub fn new(weight: f32) -> Self {
        let slots = (0..MAX_PLAYERS * MAX_KILLER_DEPTH).map(|_| Default::default()).collect();
        Self { weight, slots }
    }

    fn slot(&self, player: Player, depth: usize) -> Option<&[AtomicU32; 2]> {
        (depth < MAX_KILLER_DEPTH).then(|| &self.slots[player.index() * MAX_KILLER_DEPTH + depth])
    }
}

impl<G: Game> MoveOrdering<G> for Killers {
    fn weights(&self, state: &G, depth: usize, actions: &[Action], weights: &mut [f32]) {
        weights.fill(1.0);
        let Turn::Player(player) = state.turn() else { return };
        let Some(slot) = self.slot(player, depth) else { return };
        let killers = [0, 1].map(|at| slot[at].load(Atomic::Relaxed));
        for (action, weight) in actions.iter().zip(weights) {
            if killers.contains(&(u32::from(action.0) + 1)) {
                *weight = self.weight;
            }
        }
    }

    fn needs_updates(&self) -> bool {
        true
    }

    fn update(&self, player: Player, depth: usize, action: Action, value: f32) {
        let Some([last, before]) = self.slot(player, depth) else { return };
        let killer = u32::from(action.0) + 1;
        let known = last.load(Atomic::Relaxed);
        if value >= WIN_THRESHOLD && killer != known {
            before.store(known, Atomic::Relaxed);
            last.store(killer, Atomic::Relaxed);
        }
    }
}

/// Normalizes weights to priors that sum to 1; uniform priors if no weight is positive.
pub(crate) fn normalize(weights: &mut [f32]) {
    for weight in weights.iter_mut() {
        *weight = if weight.is_finite() { weight.max(0.0) } else { 0.0 };
    }
    let sum: f32 = weights.iter().sum();
    let count = weights.len() as f32;
    for weight in weights {
        *weight = if sum > 0.0 && sum.is_finite() { *weight / sum } else { 1.0 / count };
    }
}

/// Converts logits to priors that sum to 1.
pub(crate) fn softmax(logits: &mut [f32]) {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    logits.iter_mut().for_each(|logit| *logit = (*logit - most).exp());
    normalize(logits);
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_games::small::ConnectFour;

    #[test]
    fn killers_are_the_last_two_winning_actions() {
        let game = ConnectFour::new(&Default::default());
        let actions: Vec<Action> = (0..7).map(Action).collect();
        let killers = Killers::new(3.0);
        let learn = |depth, action, value| {
            MoveOrdering::<ConnectFour>::update(&killers, Player(0), depth, Action(action), value);
        };
        [(1, 1.0), (2, 1.0), (3, -1.0), (3, 0.0), (4, 1.0), (4, 1.0)]
            .into_iter()
            .for_each(|(action, value)| learn(2, action, value));
        let weights = |depth| {
            let mut weights = [0.0; 7];
            killers.weights(&game, depth, &actions, &mut weights);
            weights
        };
        assert_eq!(weights(2), [1.0, 1.0, 3.0, 1.0, 3.0, 1.0, 1.0]);
        assert_eq!(weights(1), [1.0; 7], "other depths have their own");
        learn(MAX_KILLER_DEPTH, 1, 1.0);
        assert_eq!(weights(MAX_KILLER_DEPTH), [1.0; 7], "too deep to be remembered");
    }
}
