//! The simulation loop of one thread on a shared tree.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering as Atomic};
use std::sync::{Mutex, PoisonError};

use meeple_game::{Action, ActionList, Game, OutcomeList, Payoffs, Player, Rng, Turn};

use super::atomic_tree::{AtomicTree, Node};
use crate::SearchError;
use crate::budget::{Budget, Meter, StopFlag, StopReason};
use crate::evaluate::{Evaluator, check_values, play_to_decision};
use crate::options::{FirstPlay, MctsOptions, Selection};
use crate::ordering::{MoveOrdering, normalize};
use crate::select::exploration_weight;
use crate::time_control::TimeControl;
use crate::tree::{CHANCE, NewNode, ROOT};

/// The maximum number of simulations that a thread claims at a time.
const CHUNK: u64 = 32;

/// What all threads share.
pub(super) struct SharedSearch<'a, G: Game> {
    pub(super) options: &'a MctsOptions,
    pub(super) ordering: Option<&'a dyn MoveOrdering<G>>,
    pub(super) tree: &'a AtomicTree,
    pub(super) root: &'a G,
    pub(super) budget: &'a Budget,
    pub(super) meter: &'a Meter,
    pub(super) stop: &'a StopFlag,
    /// Simulations claimed by threads.
    pub(super) claimed: AtomicU64,
    /// Set when a thread fails; `failure` has the reason.
    pub(super) failed: AtomicBool,
    pub(super) failure: Mutex<Option<SearchError>>,
}

/// The buffers and statistics of one thread.
pub(super) struct Worker {
    rng: Rng,
    path: Vec<(u32, u32)>,
    actions: ActionList,
    outcomes: OutcomeList,
    chance_actions: Vec<Action>,
    priors: Vec<f32>,
    time_control: TimeControl,
    pub(super) simulations: u64,
    pub(super) depth_sum: u64,
    pub(super) max_depth: usize,
    pub(super) evaluations: u64,
}

impl Worker {
    pub(super) fn new(rng: Rng) -> Self {
        Self {
            rng,
            path: Vec::new(),
            actions: ActionList::new(),
            outcomes: OutcomeList::new(),
            chance_actions: Vec::new(),
            priors: Vec::new(),
            time_control: TimeControl::default(),
            simulations: 0,
            depth_sum: 0,
            max_depth: 0,
            evaluations: 0,
        }
    }
}

impl<G: Game> SharedSearch<'_, G> {
    /// Simulates until a limit is reached; calls `between` regularly.
    pub(super) fn run<E: Evaluator<G>>(
        &self,
        worker: &mut Worker,
        evaluator: &mut E,
        mut between: impl FnMut(&Worker),
    ) -> StopReason {
        loop {
            between(worker);
            match self.claim_simulations(worker) {
                Err(stop_reason) => return stop_reason,
                Ok(chunk) => {
                    for _ in 0..chunk {
                        if let Err(error) = self.simulate(worker, evaluator) {
                            let mut failure =
                                self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                            failure.get_or_insert(error);
                            self.failed.store(true, Atomic::Relaxed);
                            return StopReason::Stopped;
                        }
                    }
                }
            }
        }
    }

    /// Claims simulations for a thread, or returns the reason to stop.
    fn claim_simulations(&self, worker: &mut Worker) -> Result<u64, StopReason> {
        let Self { budget, meter, .. } = self;
        if self.stop.is_stopped() || self.failed.load(Atomic::Relaxed) {
            return Err(StopReason::Stopped);
        }
        if budget.nodes.is_some_and(|nodes| self.tree.nodes() >= nodes) {
            return Err(StopReason::Nodes);
        }
        let chunk = match budget.time {
            Some(time) => worker
                .time_control
                .simulations_until_check(time, meter.elapsed(), worker.simulations, CHUNK)
                .ok_or(StopReason::Time)?,
            None => CHUNK,
        };
        let all = budget.simulations.unwrap_or(u64::MAX);
        let first = self.claimed.fetch_add(chunk, Atomic::Relaxed);
        if first >= all { Err(StopReason::Simulations) } else { Ok(chunk.min(all - first)) }
    }

    fn simulate<E: Evaluator<G>>(
        &self,
        worker: &mut Worker,
        evaluator: &mut E,
    ) -> Result<(), SearchError> {
        worker.path.clear();
        let mut state = *self.root;
        let values = self.select_leaf(&mut state, worker, evaluator)?;
        for &(at, edge) in &worker.path {
            self.tree.node(at).edge(edge as usize).complete_visit(&values);
        }
        if let Some(ordering) = self.ordering.filter(|ordering| ordering.needs_updates()) {
            for (depth, &(at, edge)) in worker.path.iter().enumerate() {
                let node = self.tree.node(at);
                if node.mover != CHANCE {
                    let player = Player(node.mover);
                    let action = node.edge(edge as usize).action();
                    ordering.update(player, depth, action, values[node.seat]);
                }
            }
        }
        worker.simulations += 1;
        worker.depth_sum += worker.path.len() as u64;
        worker.max_depth = worker.max_depth.max(worker.path.len());
        Ok(())
    }

    /// Selects down to a leaf, starting visits on the way, and evaluates it.
    fn select_leaf<E: Evaluator<G>>(
        &self,
        state: &mut G,
        worker: &mut Worker,
        evaluator: &mut E,
    ) -> Result<Payoffs, SearchError> {
        let mut at = ROOT;
        loop {
            let node = self.tree.node(at);
            let total = node.start_visit();
            let chosen = if node.mover == CHANCE {
                let outcome = state.sample_chance(&mut worker.rng);
                (0..node.edge_count)
                    .position(|edge| node.edge(edge).action() == outcome)
                    .unwrap_or(0)
            } else {
                self.select_edge(&node, total)
            };
            let edge = node.edge(chosen);
            let before = edge.start_visit();
            worker.path.push((at, chosen as u32));
            state.apply(edge.action());
            at = edge.child();
            if at != 0 {
                continue;
            }
            if state.turn() == Turn::Over {
                return Ok(state.payoffs());
            }
            // A state is expanded at its second visit.
            if before > 0
                && let Some(new) = self.expand(state, worker)
            {
                at = edge.set_child(new);
                continue;
            }
            return evaluate(state, worker, evaluator, self.root.players());
        }
    }

    /// The edge with the highest score. In-flight visits reduce exploration; an edge with
    /// in-flight visits only has the value of a virtual loss.
    fn select_edge(&self, node: &Node<'_>, total: u32) -> usize {
        let weight = exploration_weight(self.options.selection, total);
        let unvisited = match self.options.first_play {
            FirstPlay::Infinite => f32::MAX,
            FirstPlay::Value(value) => value,
            FirstPlay::ParentMinus(less) => node.mean() - less,
        };
        let mut best = (f32::NEG_INFINITY, 0);
        for at in 0..node.edge_count {
            let edge = node.edge(at);
            let (started, _) = edge.counts();
            let value = match edge.mean() {
                Some(mean) => mean,
                None if started > 0 => -self.options.virtual_loss,
                None => unvisited,
            };
            let count = started.max(1) as f32;
            let score = value
                + match self.options.selection {
                    Selection::Uct { bias, .. } => {
                        let prior = bias * f32::from(edge.prior()) / 65_535.0;
                        weight * (1.0 / count).sqrt() + prior / (1.0 + started as f32)
                    }
                    Selection::Puct { .. } => {
                        weight * f32::from(edge.prior()) / (1.0 + started as f32)
                    }
                };
            if score > best.0 {
                best = (score, at);
            }
        }
        best.1
    }

    /// Adds a node for `state`; `None` if the tree is full.
    pub(super) fn expand(&self, state: &G, worker: &mut Worker) -> Option<u32> {
        worker.priors.clear();
        let (mover, actions): (u8, &[Action]) = match state.turn() {
            Turn::Player(player) => {
                state.legal_actions(&mut worker.actions);
                if let Some(ordering) = self.ordering {
                    worker.priors.resize(worker.actions.len(), 0.0);
                    ordering.weights(state, worker.path.len(), &worker.actions, &mut worker.priors);
                    normalize(&mut worker.priors);
                }
                (player.0, &worker.actions)
            }
            Turn::Chance | Turn::Over => {
                state.chance_outcomes(&mut worker.outcomes);
                worker.chance_actions.clear();
                worker.chance_actions.extend(worker.outcomes.iter().map(|outcome| outcome.action));
                (CHANCE, &worker.chance_actions)
            }
        };
        self.tree.add(&NewNode { mover, actions, priors: &worker.priors, visits: 0, value: 0.0 })
    }
}

/// Evaluates a leaf.
fn evaluate<G: Game, E: Evaluator<G>>(
    state: &mut G,
    worker: &mut Worker,
    evaluator: &mut E,
    players: usize,
) -> Result<Payoffs, SearchError> {
    if let Some(payoffs) =
        play_to_decision(state, !E::IS_ROLLOUT, &mut worker.rng, &mut worker.actions)
    {
        return Ok(payoffs);
    }
    let mut value = [Payoffs::default()];
    evaluator.evaluate(std::slice::from_ref(state), &mut worker.rng, &mut value, &mut []);
    check_values(&value[0], players)?;
    worker.evaluations += 1;
    Ok(value[0])
}
