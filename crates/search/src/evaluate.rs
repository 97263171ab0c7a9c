//! Evaluators: what a state is worth, many at a time.

use meeple_game::{ActionList, Forced, Game, Payoffs, Rng, Turn};

use crate::SearchError;
use crate::report::TableReport;

/// Judges states, many at a time.
///
/// An evaluator is asked only about states at which a player decides: luck has
/// been drawn before, and what is over has its payoffs.
pub trait Evaluator<G: Game> {
    /// Whether it plays on by itself, so that forced moves need not be passed
    /// for it.
    const PLAYS_ON: bool = false;

    /// Whether it judges actions too.
    fn has_policy(&self) -> bool {
        false
    }

    /// What its cache has done, if it has one.
    fn cache_report(&self) -> Option<TableReport> {
        None
    }

    /// Checks that it can judge games like this one.
    ///
    /// # Errors
    ///
    /// When it cannot.
    fn check(&self, _root: &G) -> Result<(), SearchError> {
        Ok(())
    }

    /// Writes `[states]` values, each seat from -1 to 1, and, if it has a
    /// policy, `[states, ACTIONS]` logits, row by row; `logits` is empty
    /// otherwise.
    fn evaluate(&mut self, states: &[G], rng: &mut Rng, values: &mut [Payoffs], logits: &mut [f32]);

    /// Judges one state that nobody needs any more, which spares a copy of it
    /// where it is played on; without a policy.
    #[inline(always)]
    fn evaluate_last(&mut self, state: &mut G, rng: &mut Rng) -> Payoffs {
        let mut value = [Payoffs::default()];
        self.evaluate(std::slice::from_ref(state), rng, &mut value, &mut []);
        value[0]
    }
}

/// Plays at random to the end, or for some steps and then asks the game's own
/// estimate.
#[derive(Clone, Debug)]
pub struct Rollout {
    /// Steps after which the game's estimate is taken, at the next choice; to
    /// the end unless given.
    pub depth: Option<u32>,
    scratch: ActionList,
}

impl Default for Rollout {
    fn default() -> Self {
        Self::new(None)
    }
}

impl Rollout {
    /// Rollouts of up to `depth` steps, or to the end.
    #[must_use]
    pub fn new(depth: Option<u32>) -> Self {
        Self { depth, scratch: ActionList::new() }
    }
}

impl<G: Game> Evaluator<G> for Rollout {
    const PLAYS_ON: bool = true;

    fn check(&self, root: &G) -> Result<(), SearchError> {
        if self.depth.is_some() { has_estimate(root) } else { Ok(()) }
    }

    // Inlined so that the game is compiled with the loop that calls it.
    #[inline(always)]
    fn evaluate(&mut self, states: &[G], rng: &mut Rng, values: &mut [Payoffs], _: &mut [f32]) {
        for (state, value) in states.iter().zip(values) {
            *value = self.evaluate_last(&mut { *state }, rng);
        }
    }

    #[inline(always)]
    fn evaluate_last(&mut self, state: &mut G, rng: &mut Rng) -> Payoffs {
        match self.depth {
            None => {
                state.play_out(rng, &mut self.scratch);
                state.payoffs()
            }
            Some(depth) => cut_off(state, depth, rng, &mut self.scratch),
        }
    }
}

fn cut_off<G: Game>(game: &mut G, depth: u32, rng: &mut Rng, scratch: &mut ActionList) -> Payoffs {
    for _ in 0..depth {
        match game.turn() {
            Turn::Player(_) => _ = game.apply_sampled(rng, scratch),
            Turn::Chance => game.apply(game.sample_chance(rng)),
            Turn::Over => return game.payoffs(),
        }
    }
    // The estimate is for states at which somebody has a choice.
    match settle(game, true, rng, scratch) {
        Some(payoffs) => payoffs,
        None => game.estimate().unwrap_or_default(),
    }
}

/// Plays on to where somebody decides, and has a choice if forced moves are
/// passed too, since nothing else is judged; the payoffs if the game ends first.
#[inline(always)]
pub(crate) fn settle<G: Game>(
    state: &mut G,
    passes_forced: bool,
    rng: &mut Rng,
    scratch: &mut ActionList,
) -> Option<Payoffs> {
    loop {
        match state.turn() {
            Turn::Over => return Some(state.payoffs()),
            Turn::Chance => state.apply(state.sample_chance(rng)),
            // Where forced moves are not asked for, every question has a choice.
            Turn::Player(_) if !passes_forced || state.forced() == Forced::Skip => return None,
            Turn::Player(_) => {
                state.legal_actions(scratch);
                if scratch.len() > 1 {
                    return None;
                }
                state.apply(scratch[0]);
            }
        }
    }
}

/// Asks the game's own estimate.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heuristic;

impl<G: Game> Evaluator<G> for Heuristic {
    fn check(&self, root: &G) -> Result<(), SearchError> {
        has_estimate(root)
    }

    #[inline]
    fn evaluate(&mut self, states: &[G], _: &mut Rng, values: &mut [Payoffs], _: &mut [f32]) {
        for (state, value) in states.iter().zip(values) {
            *value = state.estimate().unwrap_or_default();
        }
    }
}

fn has_estimate<G: Game>(root: &G) -> Result<(), SearchError> {
    match root.estimate() {
        Some(_) => Ok(()),
        None => Err(SearchError::NoEstimate { game: G::NAME }),
    }
}

/// Checks that an evaluator returned values.
#[inline]
pub(crate) fn check_values(values: &Payoffs, players: usize) -> Result<(), SearchError> {
    let bad = |value: &f32| value.is_nan() || value.abs() > 1.0;
    match values[..players].iter().position(bad) {
        None => Ok(()),
        Some(seat) => Err(SearchError::BadValue { seat, value: values[seat] }),
    }
}
