//! What each thread does in a shared tree.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering as Atomic};
use std::sync::{Mutex, PoisonError};

use meeple_game::{Action, ActionList, Game, OutcomeList, Payoffs, Player, Rng, Turn};

use super::arena::{Arena, Block};
use crate::SearchError;
use crate::budget::{Budget, Ended, Meter, StopFlag};
use crate::evaluate::{Evaluator, check_values, settle};
use crate::options::{FirstPlay, MctsOptions, Selection};
use crate::ordering::{Ordering, normalize};
use crate::pace::Pace;
use crate::select::factor;
use crate::tree::{LUCK, ROOT, Sketch};

/// The most simulations that a thread takes at a time.
const LOT: u64 = 32;

/// What all threads look at.
pub(super) struct Common<'a, G: Game> {
    pub(super) options: &'a MctsOptions,
    pub(super) ordering: Option<&'a dyn Ordering<G>>,
    pub(super) arena: &'a Arena,
    pub(super) root: &'a G,
    pub(super) budget: &'a Budget,
    pub(super) meter: &'a Meter,
    pub(super) stop: &'a StopFlag,
    /// Simulations given out.
    pub(super) taken: AtomicU64,
    /// Set when a thread has failed, and why.
    pub(super) failed: AtomicBool,
    pub(super) failure: Mutex<Option<SearchError>>,
}

/// What one thread has, and has done.
pub(super) struct Trip {
    rng: Rng,
    path: Vec<(u32, u32)>,
    actions: ActionList,
    outcomes: OutcomeList,
    drawn: Vec<Action>,
    priors: Vec<f32>,
    pace: Pace,
    pub(super) walks: u64,
    pub(super) steps: u64,
    pub(super) deepest: usize,
    pub(super) evaluations: u64,
}

impl Trip {
    pub(super) fn new(rng: Rng) -> Self {
        Self {
            rng,
            path: Vec::new(),
            actions: ActionList::new(),
            outcomes: OutcomeList::new(),
            drawn: Vec::new(),
            priors: Vec::new(),
            pace: Pace::default(),
            walks: 0,
            steps: 0,
            deepest: 0,
            evaluations: 0,
        }
    }
}

impl<G: Game> Common<'_, G> {
    /// Simulates until something ends it; `between` is called now and then.
    pub(super) fn run<E: Evaluator<G>>(
        &self,
        trip: &mut Trip,
        evaluator: &mut E,
        mut between: impl FnMut(&Trip),
    ) -> Ended {
        loop {
            between(trip);
            match self.take_lot(trip) {
                Err(ended) => return ended,
                Ok(lot) => {
                    for _ in 0..lot {
                        if let Err(error) = self.simulate(trip, evaluator) {
                            let mut failure =
                                self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                            failure.get_or_insert(error);
                            self.failed.store(true, Atomic::Relaxed);
                            return Ended::Stopped;
                        }
                    }
                }
            }
        }
    }

    /// How many simulations a thread may run now, or why none.
    fn take_lot(&self, trip: &mut Trip) -> Result<u64, Ended> {
        let Self { budget, meter, .. } = self;
        if self.stop.is_stopped() || self.failed.load(Atomic::Relaxed) {
            return Err(Ended::Stopped);
        }
        if budget.nodes.is_some_and(|nodes| self.arena.nodes() >= nodes) {
            return Err(Ended::Nodes);
        }
        let lot = match budget.time {
            Some(time) => {
                trip.pace.allow(time, meter.elapsed(), trip.walks, LOT).ok_or(Ended::Time)?
            }
            None => LOT,
        };
        let all = budget.iterations.unwrap_or(u64::MAX);
        let first = self.taken.fetch_add(lot, Atomic::Relaxed);
        if first >= all { Err(Ended::Iterations) } else { Ok(lot.min(all - first)) }
    }

    fn simulate<E: Evaluator<G>>(
        &self,
        trip: &mut Trip,
        evaluator: &mut E,
    ) -> Result<(), SearchError> {
        trip.path.clear();
        let mut state = *self.root;
        let values = self.descend(&mut state, trip, evaluator)?;
        for &(at, edge) in &trip.path {
            self.arena.block(at).edge(edge as usize).finish(&values);
        }
        if let Some(ordering) = self.ordering.filter(|ordering| ordering.learns()) {
            for (depth, &(at, edge)) in trip.path.iter().enumerate() {
                let block = self.arena.block(at);
                if block.mover != LUCK {
                    let player = Player(block.mover);
                    let action = block.edge(edge as usize).action();
                    ordering.learn(player, depth, action, values[block.seat]);
                }
            }
        }
        trip.walks += 1;
        trip.steps += trip.path.len() as u64;
        trip.deepest = trip.deepest.max(trip.path.len());
        Ok(())
    }

    /// Walks down, counting visits that begin, to a leaf; what it is worth.
    fn descend<E: Evaluator<G>>(
        &self,
        state: &mut G,
        trip: &mut Trip,
        evaluator: &mut E,
    ) -> Result<Payoffs, SearchError> {
        let mut at = ROOT;
        loop {
            let block = self.arena.block(at);
            let total = block.begin();
            let chosen = if block.mover == LUCK {
                let drawn = state.sample_chance(&mut trip.rng);
                (0..block.count).position(|edge| block.edge(edge).action() == drawn).unwrap_or(0)
            } else {
                self.pick(&block, total)
            };
            let edge = block.edge(chosen);
            let before = edge.begin();
            trip.path.push((at, chosen as u32));
            state.apply(edge.action());
            at = edge.child();
            if at != 0 {
                continue;
            }
            if state.turn() == Turn::Over {
                return Ok(state.payoffs());
            }
            // A state gets its block at its second visit.
            if before > 0
                && let Some(new) = self.expand(state, trip)
            {
                at = edge.link(new);
                continue;
            }
            return judge(state, trip, evaluator, self.root.players());
        }
    }

    /// The edge with the highest score. A visit on its way makes an action less
    /// uncertain, and counts as lost while nothing else is known of it.
    fn pick(&self, block: &Block<'_>, total: u32) -> usize {
        let factor = factor(self.options.selection, total);
        let untried = match self.options.first_play {
            FirstPlay::Infinite => f32::MAX,
            FirstPlay::Value(value) => value,
            FirstPlay::ParentMinus(less) => block.mean() - less,
        };
        let mut best = (f32::NEG_INFINITY, 0);
        for at in 0..block.count {
            let edge = block.edge(at);
            let (begun, _) = edge.counts();
            let value = match edge.mean() {
                Some(mean) => mean,
                None if begun > 0 => -self.options.virtual_loss,
                None => untried,
            };
            let count = begun.max(1) as f32;
            let score = value
                + match self.options.selection {
                    Selection::Uct { bias, .. } => {
                        let prior = bias * f32::from(edge.prior()) / 65_535.0;
                        factor * (1.0 / count).sqrt() + prior / (1.0 + begun as f32)
                    }
                    Selection::Puct { .. } => {
                        factor * f32::from(edge.prior()) / (1.0 + begun as f32)
                    }
                };
            if score > best.0 {
                best = (score, at);
            }
        }
        best.1
    }

    /// A block for `state`, if there is room.
    pub(super) fn expand(&self, state: &G, trip: &mut Trip) -> Option<u32> {
        trip.priors.clear();
        let (mover, actions): (u8, &[Action]) = match state.turn() {
            Turn::Player(player) => {
                state.legal_actions(&mut trip.actions);
                if let Some(ordering) = self.ordering {
                    trip.priors.resize(trip.actions.len(), 0.0);
                    ordering.weigh(state, trip.path.len(), &trip.actions, &mut trip.priors);
                    normalize(&mut trip.priors);
                }
                (player.0, &trip.actions)
            }
            Turn::Chance | Turn::Over => {
                state.chance_outcomes(&mut trip.outcomes);
                trip.drawn.clear();
                trip.drawn.extend(trip.outcomes.iter().map(|outcome| outcome.action));
                (LUCK, &trip.drawn)
            }
        };
        self.arena.add(&Sketch { mover, actions, priors: &trip.priors, visits: 0, value: 0.0 })
    }
}

/// What a leaf is worth.
fn judge<G: Game, E: Evaluator<G>>(
    state: &mut G,
    trip: &mut Trip,
    evaluator: &mut E,
    players: usize,
) -> Result<Payoffs, SearchError> {
    if let Some(payoffs) = settle(state, !E::PLAYS_ON, &mut trip.rng, &mut trip.actions) {
        return Ok(payoffs);
    }
    let mut value = [Payoffs::default()];
    evaluator.evaluate(std::slice::from_ref(state), &mut trip.rng, &mut value, &mut []);
    check_values(&value[0], players)?;
    trip.evaluations += 1;
    Ok(value[0])
}
