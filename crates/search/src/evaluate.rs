//! Leaf evaluation: rollouts, heuristics and the interface of networks.

use meeple_game::{ActionList, Forced, Game, Payoffs, Rng, Turn, heuristic, play_out};

use crate::SearchError;
use crate::report::TableReport;

/// Evaluates states in batches.
///
/// An evaluator only sees decision states: chance events are sampled before, and terminal
/// states have payoffs.
pub trait Evaluator<G: Game> {
    /// Whether the evaluator plays the game out. If so, it plays forced moves itself, and
    /// the search does not skip them before.
    #[inline]
    fn is_rollout(&self) -> bool {
        false
    }

    /// Whether it returns policy logits.
    fn has_policy(&self) -> bool {
        false
    }

    /// The statistics of its cache, if it has one.
    fn cache_report(&self) -> Option<TableReport> {
        None
    }

    /// Checks that it supports the game of `root`.
    ///
    /// # Errors
    ///
    /// Fails if it does not.
    fn check(&self, _root: &G) -> Result<(), SearchError> {
        Ok(())
    }

    /// Writes `[states]` values, from -1 to 1 for each seat, and, if it has a policy,
    /// `[states, actions]` logits in row-major order; `logits` is empty otherwise.
    fn evaluate(&mut self, states: &[G], rng: &mut Rng, values: &mut [Payoffs], logits: &mut [f32]);

    /// Evaluates one state, without a policy, and may modify it: rollouts save a copy of
    /// the state.
    #[inline(always)]
    fn evaluate_in_place(&mut self, state: &mut G, rng: &mut Rng) -> Payoffs {
        let mut value = [Payoffs::default()];
        self.evaluate(std::slice::from_ref(state), rng, &mut value, &mut []);
        value[0]
    }
}

/// A rollout, or any other evaluator behind one pointer.
///
/// A search is compiled for each type of evaluator, so one type for all of them is the least code.
/// Rollouts are compiled with the loop that calls them. Networks take so long for a leaf or a
/// batch that an indirect call does not matter.
#[allow(missing_debug_implementations, reason = "evaluators need not be printable")]
#[allow(clippy::large_enum_variant, reason = "a search has one, and reaches a rollout directly")]
pub enum AnyEvaluator<'a, G> {
    /// A rollout.
    Rollout(Rollout),
    /// Another evaluator; see [`AnyEvaluator::new`].
    Other(OtherEvaluator<'a, G>),
}

/// An evaluator behind a pointer.
#[allow(missing_debug_implementations, reason = "evaluators need not be printable")]
pub struct OtherEvaluator<'a, G>(Box<dyn ErasedEvaluator<G> + Send + 'a>);

impl<'a, G: Game> AnyEvaluator<'a, G> {
    /// Puts an evaluator behind a pointer.
    #[must_use]
    pub fn new<E: Evaluator<G> + Send + 'a>(evaluator: E) -> Self {
        Self::Other(OtherEvaluator(Box::new(evaluator)))
    }
}

/// The methods of [`Evaluator`] that are called through a pointer.
trait ErasedEvaluator<G: Game> {
    fn is_rollout(&self) -> bool;
    fn has_policy(&self) -> bool;
    fn cache_report(&self) -> Option<TableReport>;
    fn check(&self, root: &G) -> Result<(), SearchError>;
    fn evaluate(&mut self, states: &[G], rng: &mut Rng, values: &mut [Payoffs], logits: &mut [f32]);
}

impl<G: Game, E: Evaluator<G>> ErasedEvaluator<G> for E {
    fn is_rollout(&self) -> bool {
        Evaluator::is_rollout(self)
    }

    fn has_policy(&self) -> bool {
        Evaluator::has_policy(self)
    }

    fn cache_report(&self) -> Option<TableReport> {
        Evaluator::cache_report(self)
    }

    fn check(&self, root: &G) -> Result<(), SearchError> {
        Evaluator::check(self, root)
    }

    fn evaluate(
        &mut self,
        states: &[G],
        rng: &mut Rng,
        values: &mut [Payoffs],
        logits: &mut [f32],
    ) {
        Evaluator::evaluate(self, states, rng, values, logits);
    }
}

impl<G: Game> Evaluator<G> for AnyEvaluator<'_, G> {
    #[inline]
    fn is_rollout(&self) -> bool {
        match self {
            Self::Rollout(_) => true,
            Self::Other(other) => other.0.is_rollout(),
        }
    }

    fn has_policy(&self) -> bool {
        match self {
            Self::Rollout(_) => false,
            Self::Other(other) => other.0.has_policy(),
        }
    }

    fn cache_report(&self) -> Option<TableReport> {
        match self {
            Self::Rollout(_) => None,
            Self::Other(other) => other.0.cache_report(),
        }
    }

    fn check(&self, root: &G) -> Result<(), SearchError> {
        match self {
            Self::Rollout(rollout) => Evaluator::check(rollout, root),
            Self::Other(other) => other.0.check(root),
        }
    }

    // A batch of rollouts is not the way in which searches ask for them, so it need not be
    // compiled with the loop.
    fn evaluate(
        &mut self,
        states: &[G],
        rng: &mut Rng,
        values: &mut [Payoffs],
        logits: &mut [f32],
    ) {
        match self {
            Self::Rollout(rollout) => Evaluator::evaluate(rollout, states, rng, values, logits),
            Self::Other(other) => other.0.evaluate(states, rng, values, logits),
        }
    }

    #[inline(always)]
    fn evaluate_in_place(&mut self, state: &mut G, rng: &mut Rng) -> Payoffs {
        match self {
            Self::Rollout(rollout) => rollout.evaluate_in_place(state, rng),
            Self::Other(other) => other.evaluate_one(state, rng),
        }
    }
}

impl<G: Game> OtherEvaluator<'_, G> {
    /// Evaluates one state, without a policy.
    fn evaluate_one(&mut self, state: &G, rng: &mut Rng) -> Payoffs {
        let mut value = [Payoffs::default()];
        self.0.evaluate(std::slice::from_ref(state), rng, &mut value, &mut []);
        value[0]
    }
}

/// Evaluates by a random rollout to the end of the game, or by a truncated rollout followed
/// by the heuristic evaluation.
#[derive(Clone, Debug)]
pub struct Rollout {
    /// The length of a truncated rollout; `None` for rollouts to the end.
    pub depth: Option<u32>,
    scratch: ActionList,
}

impl Default for Rollout {
    fn default() -> Self {
        Self::new(None)
    }
}

impl Rollout {
    /// Rollouts of `depth` actions, or to the end.
    #[must_use]
    pub fn new(depth: Option<u32>) -> Self {
        Self { depth, scratch: ActionList::new() }
    }
}

impl<G: Game> Evaluator<G> for Rollout {
    #[inline]
    fn is_rollout(&self) -> bool {
        true
    }

    fn check(&self, root: &G) -> Result<(), SearchError> {
        if self.depth.is_some() { check_heuristic(root) } else { Ok(()) }
    }

    // Inlined so that the game's code is compiled with the AVX2 loop that calls it.
    #[inline(always)]
    fn evaluate(&mut self, states: &[G], rng: &mut Rng, values: &mut [Payoffs], _: &mut [f32]) {
        for (state, value) in states.iter().zip(values) {
            *value = self.evaluate_in_place(&mut { *state }, rng);
        }
    }

    #[inline(always)]
    fn evaluate_in_place(&mut self, state: &mut G, rng: &mut Rng) -> Payoffs {
        match self.depth {
            None => {
                play_out(state, rng, &mut self.scratch);
                state.payoffs()
            }
            Some(depth) => truncated_rollout(state, depth, rng, &mut self.scratch),
        }
    }
}

fn truncated_rollout<G: Game>(
    game: &mut G,
    depth: u32,
    rng: &mut Rng,
    scratch: &mut ActionList,
) -> Payoffs {
    for _ in 0..depth {
        match game.turn() {
            Turn::Player(_) => _ = game.apply_sampled(rng, scratch),
            Turn::Chance => game.apply(game.sample_chance(rng)),
            Turn::Over => return game.payoffs(),
        }
    }
    // The heuristic is defined for states with at least two legal actions.
    match play_to_decision(game, true, rng, scratch) {
        Some(payoffs) => payoffs,
        None => heuristic(game).unwrap_or_default(),
    }
}

/// Plays chance events, and forced moves if `skips_forced`, up to the next decision.
/// Returns the payoffs if the game ends first.
#[inline(always)]
pub(crate) fn play_to_decision<G: Game>(
    state: &mut G,
    skips_forced: bool,
    rng: &mut Rng,
    scratch: &mut ActionList,
) -> Option<Payoffs> {
    loop {
        match state.turn() {
            Turn::Over => return Some(state.payoffs()),
            Turn::Chance => state.apply(state.sample_chance(rng)),
            // A game that skips forced moves itself has a choice at every decision.
            Turn::Player(_) if !skips_forced || state.forced() == Forced::Skip => return None,
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

/// Evaluates by the game's own heuristic.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heuristic;

impl<G: Game> Evaluator<G> for Heuristic {
    fn check(&self, root: &G) -> Result<(), SearchError> {
        check_heuristic(root)
    }

    #[inline]
    fn evaluate(&mut self, states: &[G], _: &mut Rng, values: &mut [Payoffs], _: &mut [f32]) {
        for (state, value) in states.iter().zip(values) {
            *value = heuristic(state).unwrap_or_default();
        }
    }
}

fn check_heuristic<G: Game>(root: &G) -> Result<(), SearchError> {
    match G::COMPANIONS.evaluation {
        Some(_) => Ok(()),
        None => Err(SearchError::NoHeuristic { game: root.name() }),
    }
}

/// Checks that the values are numbers from -1 to 1.
#[inline]
pub(crate) fn check_values(values: &Payoffs, players: usize) -> Result<(), SearchError> {
    let bad = |value: &f32| value.is_nan() || value.abs() > 1.0;
    match values[..players].iter().position(bad) {
        None => Ok(()),
        Some(seat) => Err(SearchError::BadValue { seat, value: values[seat] }),
    }
}
