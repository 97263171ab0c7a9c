//! Move ordering: which actions are likely good, before any is tried.

use std::sync::atomic::{AtomicU32, Ordering as Atomic};

use meeple_game::{Action, Game, MAX_PLAYERS, Player, Turn};

/// Says how likely each action is the one to play.
///
/// The order enters a search as priors: through PUCT, through the bias of UCT,
/// and through widening. (Merely trying the better action first would change
/// nothing, since every action is tried.)
pub trait Ordering<G: Game>: Send + Sync {
    /// Writes a weight, 0 or more, for each of `actions`; they need not sum to
    /// anything. `depth` counts the steps from the root.
    fn weigh(&self, state: &G, depth: usize, actions: &[Action], weights: &mut [f32]);

    /// As [`weigh`](Self::weigh) for `states[at]`; whoever looks at the states
    /// after the actions for it may leave them behind, one for each in their
    /// order at the end of `states`, and a search that comes there has them.
    fn weigh_ahead(
        &self,
        states: &mut Vec<G>,
        at: usize,
        depth: usize,
        actions: &[Action],
        weights: &mut [f32],
    ) {
        self.weigh(&states[at], depth, actions, weights);
    }

    /// Whether [`learn`](Self::learn) wants to be told.
    fn learns(&self) -> bool {
        false
    }

    /// Is told what an action, chosen `depth` steps from the root, was worth to
    /// the one who chose it.
    fn learn(&self, _player: Player, _depth: usize, _action: Action, _value: f32) {}
}

/// Orders actions by what the game itself thinks of their kinds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Priorities;

impl<G: Game> Ordering<G> for Priorities {
    fn weigh(&self, state: &G, _: usize, actions: &[Action], weights: &mut [f32]) {
        state.priorities(actions, weights);
    }
}

/// Orders actions by the game's own estimate one step ahead.
#[derive(Clone, Copy, Debug)]
pub struct OneStep {
    /// How much a better estimate counts, 2 unless given: the weight of an
    /// action is the odds to win after it, to this power. Odds still tell apart
    /// what is nearly won or lost, where estimates are all alike.
    pub sharpness: f32,
}

impl Default for OneStep {
    fn default() -> Self {
        Self { sharpness: 2.0 }
    }
}

/// The surest that an estimate is taken for.
const SUREST: f32 = 0.999_99;

impl OneStep {
    /// The logarithm of the weight of an action of `seat` that leads to `next`.
    fn odds<G: Game>(&self, next: &G, seat: Player) -> f32 {
        let worth = match next.turn() {
            Turn::Over => next.payoffs()[seat.index()],
            // What luck brings is not looked at: the state before it tells.
            Turn::Player(_) | Turn::Chance => {
                next.estimate().map_or(0.0, |estimate| estimate[seat.index()])
            }
        };
        let worth = worth.clamp(-SUREST, SUREST);
        self.sharpness * ((1.0 + worth) / (1.0 - worth)).ln()
    }
}

/// Weights from their logarithms, the greatest of them 1.
fn raise(weights: &mut [f32]) {
    let most = weights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    weights.iter_mut().for_each(|weight| *weight = (*weight - most).exp());
}

impl<G: Game> Ordering<G> for OneStep {
    fn weigh(&self, state: &G, _: usize, actions: &[Action], weights: &mut [f32]) {
        let Turn::Player(seat) = state.turn() else { return };
        for (&action, weight) in actions.iter().zip(weights.iter_mut()) {
            let mut next = *state;
            next.apply(action);
            *weight = self.odds(&next, seat);
        }
        raise(weights);
    }

    fn weigh_ahead(
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
            *weight = self.odds(&states[next], seat);
        }
        raise(weights);
    }
}

/// Orders actions by what they have been worth wherever they were chosen: an
/// action that is good in one state is often good in the next.
///
/// Searches that share one learn from each other, and then repeat exactly only
/// on one thread.
#[derive(Debug)]
pub struct History {
    sharpness: f32,
    /// Times chosen and sum of values, by seat and action.
    counts: Vec<(AtomicU32, AtomicU32)>,
    actions: usize,
}

impl History {
    /// Nothing learned yet. The weight is `exp(sharpness * mean value)`; about
    /// 2 is a good sharpness.
    #[must_use]
    pub fn new<G: Game>(sharpness: f32) -> Self {
        let counts = (0..MAX_PLAYERS * G::ACTIONS).map(|_| Default::default()).collect();
        Self { sharpness, counts, actions: G::ACTIONS }
    }

    fn entry(&self, player: Player, action: Action) -> &(AtomicU32, AtomicU32) {
        &self.counts[player.index() * self.actions + action.index()]
    }
}

impl<G: Game> Ordering<G> for History {
    fn weigh(&self, state: &G, _: usize, actions: &[Action], weights: &mut [f32]) {
        let Turn::Player(player) = state.turn() else { return };
        for (&action, weight) in actions.iter().zip(weights) {
            let (count, sum) = self.entry(player, action);
            let count = count.load(Atomic::Relaxed) as f32;
            let mean = f32::from_bits(sum.load(Atomic::Relaxed)) / (count + 1.0);
            *weight = (self.sharpness * mean).exp();
        }
    }

    fn learns(&self) -> bool {
        true
    }

    fn learn(&self, player: Player, _: usize, action: Action, value: f32) {
        let (count, sum) = self.entry(player, action);
        count.fetch_add(1, Atomic::Relaxed);
        let total = f32::from_bits(sum.load(Atomic::Relaxed)) + value;
        sum.store(total.to_bits(), Atomic::Relaxed);
    }
}

/// Steps from the root for which killers are remembered.
const DEEPEST: usize = 64;
/// A value from which on an action counts as one that won.
const WON: f32 = 0.5;

/// Orders first what won last, as many steps from the root and for the same
/// seat: a threat that answers one move often answers its neighbours.
///
/// Searches that share one learn from each other, and then repeat exactly only
/// on one thread.
#[derive(Debug)]
pub struct Killers {
    weight: f32,
    /// The last two actions that won, one more than their number, by seat and
    /// depth; 0 for none.
    slots: Vec<[AtomicU32; 2]>,
}

impl Killers {
    /// Nothing learned yet. A killer weighs `weight` times as much as another
    /// action; about 3 is a good weight.
    #[must_use]
    pub fn new(weight: f32) -> Self {
        let slots = (0..MAX_PLAYERS * DEEPEST).map(|_| Default::default()).collect();
        Self { weight, slots }
    }

    fn slot(&self, player: Player, depth: usize) -> Option<&[AtomicU32; 2]> {
        (depth < DEEPEST).then(|| &self.slots[player.index() * DEEPEST + depth])
    }
}

impl<G: Game> Ordering<G> for Killers {
    fn weigh(&self, state: &G, depth: usize, actions: &[Action], weights: &mut [f32]) {
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

    fn learns(&self) -> bool {
        true
    }

    fn learn(&self, player: Player, depth: usize, action: Action, value: f32) {
        let Some([last, before]) = self.slot(player, depth) else { return };
        let killer = u32::from(action.0) + 1;
        let known = last.load(Atomic::Relaxed);
        if value >= WON && killer != known {
            before.store(known, Atomic::Relaxed);
            last.store(killer, Atomic::Relaxed);
        }
    }
}

/// Turns weights into priors that sum to 1; even ones if there is nothing to
/// go by.
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

/// Turns logits into priors that sum to 1.
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
    fn killers_are_the_last_two_that_won() {
        let game = ConnectFour::new(&Default::default());
        let actions: Vec<Action> = (0..7).map(Action).collect();
        let killers = Killers::new(3.0);
        let learn = |depth, action, value| {
            Ordering::<ConnectFour>::learn(&killers, Player(0), depth, Action(action), value);
        };
        [(1, 1.0), (2, 1.0), (3, -1.0), (3, 0.0), (4, 1.0), (4, 1.0)]
            .into_iter()
            .for_each(|(action, value)| learn(2, action, value));
        let weigh = |depth| {
            let mut weights = [0.0; 7];
            killers.weigh(&game, depth, &actions, &mut weights);
            weights
        };
        assert_eq!(weigh(2), [1.0, 1.0, 3.0, 1.0, 3.0, 1.0, 1.0]);
        assert_eq!(weigh(1), [1.0; 7], "other depths have their own");
        learn(DEEPEST, 1, 1.0);
        assert_eq!(weigh(DEEPEST), [1.0; 7], "too deep to be remembered");
    }
}
