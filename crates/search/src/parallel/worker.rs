//! The simulation loop of one thread on a shared tree.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering as Atomic};
use std::sync::{Mutex, PoisonError};

use meeple_game::{Action, ActionList, Game, OutcomeList, Payoffs, Player, Rng, Turn};

use super::OwnLine;
use super::atomic_tree::{AtomicTree, Block, Node};
use super::hot_nodes::{COLD, EdgeStats, HOT, HotNodes};
use crate::SearchError;
use crate::budget::{Budget, Meter, StopFlag, StopReason};
use crate::evaluate::{Evaluator, check_values, play_to_decision};
use crate::options::{FirstPlay, MctsOptions, Selection};
use crate::ordering::{MoveOrdering, normalize};
use crate::select::{LANES, Selector};
use crate::simd::{Kernels, SimdTask, dispatch};
use crate::time_control::TimeControl;
use crate::tree::{CHANCE, NewNode, ROOT};

/// The maximum number of simulations that a thread claims at a time.
const CHUNK: u64 = 32;

/// What all threads share.
pub(super) struct SharedSearch<'a, G: Game> {
    pub(super) options: &'a MctsOptions,
    pub(super) ordering: Option<&'a dyn MoveOrdering<G>>,
    pub(super) tree: &'a AtomicTree,
    pub(super) selector: &'a Selector,
    pub(super) root: &'a G,
    pub(super) budget: &'a Budget,
    pub(super) meter: &'a Meter,
    pub(super) stop: &'a StopFlag,
    /// Simulations claimed by threads, and the nodes that they added.
    pub(super) claimed: OwnLine<AtomicU64>,
    pub(super) nodes: OwnLine<AtomicU64>,
    /// Set when a thread fails; `failure` has the reason.
    pub(super) failed: AtomicBool,
    pub(super) failure: Mutex<Option<SearchError>>,
}

/// An edge on the path of a simulation.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The node in the shared tree, and its copy or [`COLD`].
    at: u32,
    hot: u32,
    edge: u32,
}

/// The buffers and statistics of one thread.
pub(super) struct Worker {
    rng: Rng,
    path: Vec<Step>,
    block: Block,
    hot_nodes: HotNodes,
    actions: ActionList,
    outcomes: OutcomeList,
    chance_actions: Vec<Action>,
    priors: Vec<f32>,
    time_control: TimeControl,
    /// Nodes added since they were last counted.
    new_nodes: u64,
    pub(super) simulations: u64,
    pub(super) depth_sum: u64,
    pub(super) max_depth: usize,
    pub(super) evaluations: u64,
}

impl Worker {
    pub(super) fn new(rng: Rng, hot_nodes: HotNodes) -> Self {
        Self {
            rng,
            path: Vec::new(),
            block: Block::default(),
            hot_nodes,
            actions: ActionList::new(),
            outcomes: OutcomeList::new(),
            chance_actions: Vec::new(),
            priors: Vec::new(),
            time_control: TimeControl::default(),
            new_nodes: 0,
            simulations: 0,
            depth_sum: 0,
            max_depth: 0,
            evaluations: 0,
        }
    }

    /// The bytes of the copies of hot nodes.
    pub(super) fn bytes(&self) -> usize {
        self.hot_nodes.bytes()
    }
}

/// Simulations of one thread, compiled for its CPU.
struct Simulations<'a, 'b, G: Game, E> {
    shared: &'a SharedSearch<'b, G>,
    worker: &'a mut Worker,
    evaluator: &'a mut E,
    count: u64,
}

impl<G: Game, E: Evaluator<G>> SimdTask for Simulations<'_, '_, G, E> {
    type Out = Result<(), SearchError>;

    #[inline(always)]
    fn run<K: Kernels>(self) -> Self::Out {
        for _ in 0..self.count {
            self.shared.simulate(self.worker, self.evaluator)?;
        }
        Ok(())
    }
}

impl<G: Game> SharedSearch<'_, G> {
    /// Simulates until a limit is reached; calls `between` regularly.
    pub(super) fn run<E: Evaluator<G>>(
        &self,
        worker: &mut Worker,
        evaluator: &mut E,
        mut between: impl FnMut(&mut Worker),
    ) -> StopReason {
        let stop_reason = loop {
            between(worker);
            match self.claim_simulations(worker) {
                Err(stop_reason) => break stop_reason,
                Ok(count) => {
                    let task = Simulations { shared: self, worker, evaluator, count };
                    if let Err(error) = dispatch(task) {
                        let mut failure =
                            self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                        failure.get_or_insert(error);
                        self.failed.store(true, Atomic::Relaxed);
                        break StopReason::Stopped;
                    }
                }
            }
        };
        self.flush(worker);
        stop_reason
    }

    /// Adds what a thread has counted on its own to what all threads see.
    pub(super) fn flush(&self, worker: &mut Worker) {
        worker.hot_nodes.flush(self.tree);
        self.nodes.0.fetch_add(worker.new_nodes, Atomic::Relaxed);
        worker.new_nodes = 0;
    }

    /// Claims simulations for a thread, or returns the reason to stop.
    fn claim_simulations(&self, worker: &mut Worker) -> Result<u64, StopReason> {
        let Self { budget, meter, .. } = self;
        if self.stop.is_stopped() || self.failed.load(Atomic::Relaxed) {
            return Err(StopReason::Stopped);
        }
        if let Some(limit) = budget.nodes {
            let nodes = self.nodes.0.fetch_add(worker.new_nodes, Atomic::Relaxed);
            if nodes + std::mem::take(&mut worker.new_nodes) >= limit {
                return Err(StopReason::Nodes);
            }
        }
        let chunk = match budget.time {
            Some(time) => worker
                .time_control
                .simulations_until_check(time, meter.elapsed(), worker.simulations, CHUNK)
                .ok_or(StopReason::Time)?,
            None => CHUNK,
        };
        let all = budget.simulations.unwrap_or(u64::MAX);
        let first = self.claimed.0.fetch_add(chunk, Atomic::Relaxed);
        if first >= all { Err(StopReason::Simulations) } else { Ok(chunk.min(all - first)) }
    }

    #[inline(always)]
    fn simulate<E: Evaluator<G>>(
        &self,
        worker: &mut Worker,
        evaluator: &mut E,
    ) -> Result<(), SearchError> {
        worker.path.clear();
        let mut state = *self.root;
        let values = self.select_leaf(&mut state, worker, evaluator)?;
        for &Step { at, hot, edge } in &worker.path {
            if hot == COLD {
                self.tree.node(at).edge(edge as usize).complete_visit(&values);
            } else {
                worker.hot_nodes.add_visit(self.tree, hot, edge, &values);
            }
        }
        if self.ordering.is_some_and(|ordering| ordering.needs_updates()) {
            self.update_ordering(&worker.path, &values);
        }
        worker.simulations += 1;
        worker.depth_sum += worker.path.len() as u64;
        worker.max_depth = worker.max_depth.max(worker.path.len());
        Ok(())
    }

    /// Reports the values of the actions on a path to the move ordering.
    fn update_ordering(&self, path: &[Step], values: &Payoffs) {
        let Some(ordering) = self.ordering else { return };
        for (depth, step) in path.iter().enumerate() {
            let node = self.tree.node(step.at);
            if node.mover != CHANCE {
                let action = node.edge(step.edge as usize).action();
                ordering.update(Player(node.mover), depth, action, values[node.seat]);
            }
        }
    }

    /// Selects down to a leaf, starting visits on the way, and evaluates it.
    #[inline(always)]
    fn select_leaf<E: Evaluator<G>>(
        &self,
        state: &mut G,
        worker: &mut Worker,
        evaluator: &mut E,
    ) -> Result<Payoffs, SearchError> {
        let (mut at, mut hot) = (ROOT, worker.hot_nodes.root());
        loop {
            let step = if hot == COLD {
                let node = self.tree.node(at);
                let visits = node.started();
                if visits >= HOT {
                    hot = self.add_hot_node(worker, at);
                }
                let edge = if hot == COLD {
                    self.select_edge(state, worker, &node, visits)
                } else {
                    self.select_hot_edge(state, worker, hot)
                };
                Step { at, hot, edge }
            } else {
                Step { at, hot, edge: self.select_hot_edge(state, worker, hot) }
            };
            worker.path.push(step);
            let edge = self.tree.node(at).edge(step.edge as usize);
            let (action, before);
            ((action, before), (at, hot)) = if hot == COLD {
                ((edge.action(), edge.start_visit()), (edge.child(), COLD))
            } else {
                let hot_nodes = &mut worker.hot_nodes;
                (hot_nodes.action(hot, step.edge), hot_nodes.child(self.tree, hot, step.edge))
            };
            if at != 0 {
                self.tree.prefetch(at);
                state.apply(action);
                continue;
            }
            state.apply(action);
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

    /// Copies a node whose parent has been copied.
    #[inline(never)]
    fn add_hot_node(&self, worker: &mut Worker, at: u32) -> u32 {
        match worker.path.last() {
            None => worker.hot_nodes.add(self.tree, at, None),
            Some(parent) if parent.hot == COLD => COLD,
            Some(parent) => worker.hot_nodes.add(self.tree, at, Some((parent.hot, parent.edge))),
        }
    }

    /// The edge of a node with `visits` visits that a simulation follows.
    #[inline(always)]
    fn select_edge(&self, state: &G, worker: &mut Worker, node: &Node<'_>, visits: u32) -> u32 {
        if node.mover == CHANCE {
            let outcome = state.sample_chance(&mut worker.rng);
            let edges = (0..node.edge_count).position(|edge| node.edge(edge).action() == outcome);
            return edges.unwrap_or(0) as u32;
        }
        let blocks = (0..node.edge_count).step_by(LANES).map(|first| {
            let mut stats = EdgeStats::default();
            for lane in 0..LANES.min(node.edge_count - first) {
                stats.load(lane, &node.edge(first + lane));
            }
            stats
        });
        self.best_edge(blocks, node.edge_count, visits)
    }

    /// The same in the copy of a node.
    #[inline(always)]
    fn select_hot_edge(&self, state: &G, worker: &mut Worker, hot: u32) -> u32 {
        let node = worker.hot_nodes.node(hot);
        let blocks = worker.hot_nodes.edges(node).iter().map(|edges| edges.stats);
        let count = usize::from(node.edge_count);
        if node.mover == CHANCE {
            let outcome = state.sample_chance(&mut worker.rng);
            let mut actions = blocks.flat_map(|stats| stats.words).take(count);
            return actions.position(|word| word as u16 == outcome.0).unwrap_or(0) as u32;
        }
        self.best_edge(blocks, count, node.visits)
    }

    /// The edge with the highest score, the first one of equals. In-flight visits reduce
    /// exploration; an edge with in-flight visits only has the value of a virtual loss.
    #[inline(always)]
    fn best_edge(
        &self,
        blocks: impl Iterator<Item = EdgeStats> + Clone,
        count: usize,
        visits: u32,
    ) -> u32 {
        let weight = self.selector.exploration_weight(visits + 1);
        let unvisited = match self.options.first_play {
            FirstPlay::Infinite => f32::MAX,
            FirstPlay::Value(value) => value,
            FirstPlay::ParentMinus(less) => mean(blocks.clone()) - less,
        };
        let mut best = (f32::NEG_INFINITY, 0);
        for (block, stats) in blocks.enumerate() {
            let scores = self.scores(&stats, weight, unvisited);
            let scores = &scores[..LANES.min(count - block * LANES)];
            let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            if top > best.0 {
                let lane = scores.iter().position(|&score| score == top).unwrap_or(0);
                best = (top, block * LANES + lane);
            }
        }
        best.1 as u32
    }

    /// The scores of eight edges.
    #[inline(always)]
    fn scores(&self, stats: &EdgeStats, weight: f32, unvisited: f32) -> [f32; LANES] {
        let EdgeStats { started, done, mean, words } = stats;
        let value = |lane: usize| {
            let unknown = if started[lane] > 0 { -self.options.virtual_loss } else { unvisited };
            if done[lane] > 0 { mean[lane] } else { unknown }
        };
        // Counts stay below 2^31, and the signed conversion is a single instruction.
        let count = |lane: usize| started[lane] as i32 as f32;
        let prior = |lane: usize| (words[lane] >> 16) as i32 as f32;
        match self.options.selection {
            Selection::Uct { bias: 0.0, .. } => std::array::from_fn(|lane| {
                value(lane) + weight * (1.0 / count(lane).max(1.0)).sqrt()
            }),
            Selection::Uct { bias, .. } => std::array::from_fn(|lane| {
                let bonus = bias * prior(lane) / 65_535.0 / (1.0 + count(lane));
                value(lane) + (weight * (1.0 / count(lane).max(1.0)).sqrt() + bonus)
            }),
            Selection::Puct { .. } => {
                std::array::from_fn(|lane| value(lane) + weight * prior(lane) / (1.0 + count(lane)))
            }
        }
    }

    /// Adds a node for `state`; `None` if the tree is full.
    #[inline(always)]
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
        let priors = &worker.priors;
        let new_node = NewNode { mover, actions, priors, visits: 0, value: 0.0 };
        let added = self.tree.add(&mut worker.block, &new_node)?;
        worker.new_nodes += 1;
        Some(added)
    }
}

/// The mean value of the completed visits of some edges.
fn mean(blocks: impl Iterator<Item = EdgeStats>) -> f32 {
    let (mut visits, mut sum) = (0u32, 0.0f64);
    for stats in blocks {
        for (done, mean) in stats.done.into_iter().zip(stats.mean) {
            visits += done;
            sum += f64::from(mean) * f64::from(done);
        }
    }
    (sum / f64::from(visits.max(1))) as f32
}

/// Evaluates a leaf.
#[inline(always)]
fn evaluate<G: Game, E: Evaluator<G>>(
    state: &mut G,
    worker: &mut Worker,
    evaluator: &mut E,
    players: usize,
) -> Result<Payoffs, SearchError> {
    if let Some(payoffs) =
        play_to_decision(state, !evaluator.is_rollout(), &mut worker.rng, &mut worker.actions)
    {
        return Ok(payoffs);
    }
    let values = evaluator.evaluate_in_place(state, &mut worker.rng);
    check_values(&values, players)?;
    worker.evaluations += 1;
    Ok(values)
}
