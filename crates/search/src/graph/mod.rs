//! Monte Carlo graph search: transpositions share one node (Childs, Brodeur and Kocsis,
//! 2008; Czech, Korus and Kersting, 2021).
//!
//! Visits are counted on edges. The value of a node is recomputed from its own evaluation
//! and its children, each weighted by the visits of the edge to it. A node thus uses what a
//! child learned through other parents without counting their visits.

mod simulation;
mod storage;

use std::sync::Arc;

use meeple_game::{Action, ActionList, Game, MAX_PLAYERS, OutcomeList, Rng, View};
use serde::{Deserialize, Serialize};

use crate::budget::{Budget, Control, Meter, StopReason};
use crate::evaluate::Evaluator;
use crate::mcts::{forced_report, root_state};
use crate::options::{MctsOptions, RootPolicy, expect};
use crate::ordering::MoveOrdering;
use crate::report::{ActionReport, TableReport};
use crate::search::Search;
use crate::select::Selector;
use crate::simd::dispatch;
use crate::{SearchError, SearchReport};

use simulation::Simulations;
use storage::{Edge, Graph, NO_NODE};

/// Options of [`GraphMcts`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GraphOptions {
    /// The maximum number of nodes; 2^20 by default, and no more than fit into
    /// `search.memory`. A full graph is still searched, but not expanded.
    pub capacity: usize,
    /// Whether transpositions share nodes. Off, the graph is a tree, for comparison.
    pub share: bool,
    /// The options of the search. `batch`, `noise`, `solve` and a Gumbel root are only
    /// supported by [`Mcts`](crate::Mcts).
    pub search: MctsOptions,
}

impl Default for GraphOptions {
    fn default() -> Self {
        Self { capacity: 1 << 20, share: true, search: MctsOptions::default() }
    }
}

/// At most 1 / `REUSE_DIVISOR` of the capacity is reused between moves.
const REUSE_DIVISOR: usize = 2;

/// UCT or PUCT with a transposition table, for games with perfect information and many
/// transpositions.
///
/// ```
/// use meeple_game::{Game, Player, View};
/// use meeple_games::small::ConnectFour;
/// use meeple_search::{Budget, GraphMcts, GraphOptions, Rollout, Search};
///
/// let game = ConnectFour::new(&Default::default());
/// let mut search = GraphMcts::new(&GraphOptions::default(), Rollout::default(), None)?;
/// let report = search.search(&View::new(&game, Player(0)), &Budget::simulations(5000), 1)?;
/// assert_eq!(game.action_name(report.best), "d");
/// assert!(report.table.unwrap().hits > 0);
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
pub struct GraphMcts<G: Game, E> {
    options: GraphOptions,
    selector: Selector,
    evaluator: E,
    ordering: Option<Arc<dyn MoveOrdering<G>>>,
    graph: Graph,
    root: Option<G>,
    players: usize,
    rng: Rng,
    simulations: u64,
    depth_sum: u64,
    max_depth: usize,
    evaluations: u64,
    table: TableReport,
    /// Nodes and edges of the current simulation.
    path: Vec<(u32, u32)>,
    actions: ActionList,
    outcomes: OutcomeList,
    priors: Vec<f32>,
    /// Buffers in the layout of the selection kernel.
    visits: Vec<u32>,
    values: Vec<u32>,
    words: Vec<u32>,
}

impl<G: Game, E> std::fmt::Debug for GraphMcts<G, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GraphMcts").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<G: Game, E: Evaluator<G>> GraphMcts<G, E> {
    /// Creates a search with an evaluator without a policy and an optional move ordering,
    /// which receives no updates.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::BadOption`] if an option is out of range.
    pub fn new(
        options: &GraphOptions,
        evaluator: E,
        ordering: Option<Arc<dyn MoveOrdering<G>>>,
    ) -> Result<Self, SearchError> {
        options.search.check()?;
        expect(options.capacity > 1, "capacity", options.capacity as f32, "at least 2")?;
        let is_plain = matches!(options.search.root, RootPolicy::Same);
        expect(is_plain, "search.root", 1.0, "the in-tree selection rule")?;
        Ok(Self {
            options: *options,
            selector: Selector::new(&options.search),
            evaluator,
            ordering,
            graph: Graph::new(options.share),
            root: None,
            players: 2,
            rng: Rng::new(0),
            simulations: 0,
            depth_sum: 0,
            max_depth: 0,
            evaluations: 0,
            table: TableReport { capacity: options.capacity as u64, ..TableReport::default() },
            path: Vec::new(),
            actions: ActionList::new(),
            outcomes: OutcomeList::new(),
            priors: Vec::new(),
            visits: Vec::new(),
            values: Vec::new(),
            words: Vec::new(),
        })
    }

    fn begin(&mut self, root: &G, seed: u64) -> Result<(), SearchError> {
        self.rng = Rng::new(seed);
        self.simulations = 0;
        self.depth_sum = 0;
        self.max_depth = 0;
        self.evaluations = 0;
        self.path.clear();
        self.table = TableReport { evicted: self.table.evicted, ..TableReport::default() };
        self.table.capacity = self.options.capacity as u64;
        self.players = root.players();
        // Simulation numbers start again.
        self.graph.nodes.iter_mut().for_each(|node| node.last_simulation = 0);
        if self.root != Some(*root) || self.graph.nodes.is_empty() {
            self.graph.clear(self.players);
            self.root = Some(*root);
            self.add(root)?;
        }
        if let Some(depth) = self.graph.nodes[0].unlisted_depth() {
            self.list_edges(0, root, depth);
        }
        Ok(())
    }

    fn report(&self, meter: &Meter, stop_reason: StopReason) -> SearchReport {
        let mut report = SearchReport {
            simulations: self.simulations,
            nodes: self.graph.nodes.len() as u64,
            bytes: (self.graph.bytes() + self.selector.bytes()) as u64,
            depth: self.max_depth as u32,
            mean_depth: self.depth_sum as f32 / self.simulations.max(1) as f32,
            evaluations: self.evaluations,
            table: Some(TableReport { used: self.graph.used() as u64, ..self.table }),
            cache: self.evaluator.cache_report(),
            stop_reason,
            ..SearchReport::default()
        };
        let edges = self.graph.edges_of(0);
        let sum = edges.iter().map(|edge| u64::from(edge.visits)).sum();
        let entry = |edge: &Edge| {
            let known = edge.child != NO_NODE;
            ActionReport {
                action: edge.action(),
                visits: u64::from(edge.visits),
                available: sum,
                values: if known { self.graph.values(edge.child) } else { [0.0; MAX_PLAYERS] },
                prior: (edge.word >> 16) as f32 / 65_535.0,
                policy: 0.0,
                solved: false,
            }
        };
        report.actions = edges.iter().map(entry).collect();
        report.finish();
        report.variations = vec![self.principal_variation()];
        report.set_time(meter.elapsed());
        report
    }

    /// The most visited edges, up to the first repetition of a node.
    fn principal_variation(&self) -> Vec<Action> {
        let mut principal_variation = Vec::new();
        let mut seen = vec![0u32];
        while let Some(&at) = seen.last() {
            let edges = self.graph.edges_of(at).iter();
            let most =
                edges.reduce(|best, edge| if edge.visits > best.visits { edge } else { best });
            let Some(edge) = most.filter(|edge| edge.visits > 0) else { break };
            principal_variation.push(edge.action());
            if edge.child == NO_NODE || seen.contains(&edge.child) {
                break;
            }
            seen.push(edge.child);
        }
        principal_variation
    }
}

impl<G: Game, E: Evaluator<G>> Search<G> for GraphMcts<G, E> {
    fn search_with(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
    ) -> Result<SearchReport, SearchError> {
        let root = root_state(view)?;
        budget.check()?;
        let mut meter = Meter::start(budget);
        self.evaluator.check(&root)?;
        if let Some(report) = forced_report(&root) {
            return Ok(report);
        }
        self.begin(&root, seed)?;
        let stop_reason = loop {
            match meter.allowance(self.graph.nodes.len() as u64, &control.stop) {
                Err(stop_reason) => break stop_reason,
                Ok(count) => {
                    self.selector.precompute(meter.done + count);
                    dispatch(Simulations { search: self, count })?;
                    meter.done += count;
                }
            }
            if meter.is_report_due(control) {
                let report = self.report(&meter, StopReason::Running);
                if let Some(progress) = &mut control.progress {
                    (progress.report)(&report);
                }
            }
        };
        Ok(self.report(&meter, stop_reason))
    }

    fn advance(&mut self, actions: &[Action]) {
        let Some(mut state) = self.root else { return };
        let mut at = if self.graph.nodes.is_empty() { NO_NODE } else { 0 };
        for &action in actions {
            state.apply(action);
            if at != NO_NODE {
                let edges = self.graph.edges_of(at).iter();
                let taken = edges.clone().find(|edge| edge.action() == action);
                at = taken.map_or(NO_NODE, |edge| edge.child);
            }
        }
        self.root = Some(state);
        if at == NO_NODE {
            self.graph.clear(self.players);
        } else {
            self.collect_garbage(at);
        }
    }

    fn follow(&mut self, view: &View<'_, G>) {
        if view.info().imperfect_information {
            return;
        }
        let state = view.sample(&mut Rng::new(0));
        // Nodes are keyed by state, not by path.
        let at = self.graph.find(state.key());
        match at {
            _ if self.root == Some(state) => {}
            Some(at) => self.collect_garbage(at),
            None => self.graph.clear(self.players),
        }
        self.root = Some(state);
    }
}
