//! Graph search: a state reached in several ways is one node.
//!
//! Visits are counted on edges. The value of a node is recomputed from its own
//! evaluation and from its children, each weighted by the visits of the edge
//! that leads to it, so what a child learned through another parent is used
//! without being counted as this one's visits.

mod walk;

use std::sync::Arc;

use meeple_game::{Action, ActionList, Game, MAX_PLAYERS, OutcomeList, Payoffs, Rng, Turn, View};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::budget::{Budget, Control, Ended, Meter};
use crate::evaluate::Evaluator;
use crate::mcts::forced;
use crate::options::{MctsOptions, RootRule, expect};
use crate::ordering::Ordering;
use crate::report::{ActionReport, TableReport};
use crate::search::Search;
use crate::select::Rule;
use crate::{SearchError, SearchReport};

/// The settings of [`GraphMcts`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GraphOptions {
    /// Nodes there may be, one million unless given, as far as `search.memory`
    /// holds them: beyond, the graph is searched but grows no more.
    pub capacity: usize,
    /// Whether nodes reached in several ways are shared; turned off, this is a
    /// tree, to compare with.
    pub share: bool,
    /// How actions are chosen. `batch`, `noise`, `solve` and a Gumbel root are
    /// for [`Mcts`](crate::Mcts) only.
    pub search: MctsOptions,
}

impl Default for GraphOptions {
    fn default() -> Self {
        Self { capacity: 1 << 20, share: true, search: MctsOptions::default() }
    }
}

/// In place of a node.
const NOBODY: u32 = u32::MAX;
/// Between moves, one part in so many of the room is kept at most.
const SPARE: usize = 2;

#[derive(Clone, Copy, Debug)]
struct Node {
    key: u64,
    /// What it was judged to be worth itself, on average.
    own: Payoffs,
    /// How often that was.
    judged: u32,
    /// What it is worth with all that follows.
    mean: Payoffs,
    first_edge: u32,
    edges: u16,
    turn: Turn,
    /// The walk that came through here last.
    walk: u32,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    child: u32,
    visits: u32,
    /// Action, and prior in the upper half.
    word: u32,
}

/// What so many nodes, each with its place in the table, and edges take.
const fn bytes_of(nodes: usize, edges: usize) -> usize {
    nodes * (size_of::<Node>() + size_of::<(u64, u32)>() + 1) + edges * size_of::<Edge>()
}

/// UCT or PUCT on the graph of states, for games without hidden information in
/// which many ways lead to the same state.
///
/// ```
/// use meeple_game::{Game, Player, View};
/// use meeple_games::small::ConnectFour;
/// use meeple_search::{Budget, GraphMcts, GraphOptions, Rollout, Search};
///
/// let game = ConnectFour::new(&Default::default());
/// let mut search = GraphMcts::new(&GraphOptions::default(), Rollout::default(), None)?;
/// let report = search.search(&View::new(&game, Player(0)), &Budget::iterations(5000), 1)?;
/// assert_eq!(game.action_name(report.best), "d");
/// assert!(report.table.unwrap().hits > 0);
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
pub struct GraphMcts<G: Game, E> {
    options: GraphOptions,
    rule: Rule,
    evaluator: E,
    ordering: Option<Arc<dyn Ordering<G>>>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    places: FxHashMap<u64, u32>,
    root: Option<G>,
    players: usize,
    rng: Rng,
    walks: u64,
    steps: u64,
    deepest: usize,
    evaluations: u64,
    table: TableReport,
    /// Nodes and edges on the way down.
    path: Vec<(u32, u32)>,
    actions: ActionList,
    outcomes: OutcomeList,
    priors: Vec<f32>,
    /// The arrays that the selection rule reads.
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
    /// A search with an evaluator without a policy, and an ordering if wanted;
    /// one that learns is told nothing here.
    ///
    /// # Errors
    ///
    /// When an option makes no sense.
    pub fn new(
        options: &GraphOptions,
        evaluator: E,
        ordering: Option<Arc<dyn Ordering<G>>>,
    ) -> Result<Self, SearchError> {
        options.search.check()?;
        expect(options.capacity > 1, "capacity", options.capacity as f32, "at least 2")?;
        let is_plain = matches!(options.search.root, RootRule::Same);
        expect(is_plain, "search.root", 1.0, "the same rule as everywhere else")?;
        Ok(Self {
            options: *options,
            rule: Rule::new(&options.search),
            evaluator,
            ordering,
            nodes: Vec::new(),
            edges: Vec::new(),
            places: FxHashMap::default(),
            root: None,
            players: 2,
            rng: Rng::new(0),
            walks: 0,
            steps: 0,
            deepest: 0,
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
        self.walks = 0;
        self.steps = 0;
        self.deepest = 0;
        self.evaluations = 0;
        self.path.clear();
        self.table = TableReport { evicted: self.table.evicted, ..TableReport::default() };
        self.table.capacity = self.options.capacity as u64;
        self.players = root.players();
        // Marks of walks before this search mean nothing now.
        self.nodes.iter_mut().for_each(|node| node.walk = 0);
        if self.root != Some(*root) || self.nodes.is_empty() {
            self.forget();
            self.root = Some(*root);
            self.add(root)?;
        }
        Ok(())
    }

    fn forget(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.places.clear();
    }

    fn report(&self, meter: &Meter, ended: Ended) -> SearchReport {
        let mut report = SearchReport {
            iterations: self.walks,
            nodes: self.nodes.len() as u64,
            bytes: (bytes_of(self.nodes.len(), self.edges.len()) + self.rule.bytes()) as u64,
            depth: self.deepest as u32,
            mean_depth: self.steps as f32 / self.walks.max(1) as f32,
            evaluations: self.evaluations,
            table: Some(TableReport { used: self.places.len() as u64, ..self.table }),
            cache: self.evaluator.cache_report(),
            ended,
            ..SearchReport::default()
        };
        let edges = self.edges_of(0);
        let sum = edges.iter().map(|edge| u64::from(edge.visits)).sum();
        let entry = |edge: &Edge| {
            let known = edge.child != NOBODY;
            ActionReport {
                action: Action(edge.word as u16),
                visits: u64::from(edge.visits),
                available: sum,
                values: if known {
                    self.nodes[edge.child as usize].mean
                } else {
                    [0.0; MAX_PLAYERS]
                },
                prior: (edge.word >> 16) as f32 / 65_535.0,
                policy: 0.0,
                solved: false,
            }
        };
        report.actions = edges.iter().map(entry).collect();
        report.conclude();
        report.variations = vec![self.line()];
        report.clock(meter.elapsed());
        report
    }

    fn edges_of(&self, at: usize) -> &[Edge] {
        let node = &self.nodes[at];
        &self.edges[node.first_edge as usize..][..usize::from(node.edges)]
    }

    /// What is visited most, until a state comes again.
    fn line(&self) -> Vec<Action> {
        let mut line = Vec::new();
        let mut seen = vec![0u32];
        while let Some(&at) = seen.last() {
            let edges = self.edges_of(at as usize).iter();
            let most =
                edges.reduce(|best, edge| if edge.visits > best.visits { edge } else { best });
            let Some(edge) = most.filter(|edge| edge.visits > 0) else { break };
            line.push(Action(edge.word as u16));
            if edge.child == NOBODY || seen.contains(&edge.child) {
                break;
            }
            seen.push(edge.child);
        }
        line
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
        if G::HIDDEN {
            return Err(SearchError::Hidden { game: G::NAME });
        }
        budget.check()?;
        let mut meter = Meter::start(budget);
        let root = view.sample(&mut Rng::new(0));
        if root.turn() != Turn::Player(view.seat()) {
            return Err(SearchError::NotToDecide(view.seat()));
        }
        self.evaluator.check(&root)?;
        if let Some(report) = forced(&root) {
            return Ok(report);
        }
        self.begin(&root, seed)?;
        let ended = loop {
            match meter.allowance(self.nodes.len() as u64, &control.stop) {
                Err(ended) => break ended,
                Ok(count) => {
                    self.rule.know(meter.done + count);
                    (0..count).try_for_each(|_| self.simulate())?;
                    meter.done += count;
                }
            }
            if meter.is_report_due(control) {
                let report = self.report(&meter, Ended::Running);
                if let Some(progress) = &mut control.progress {
                    (progress.report)(&report);
                }
            }
        };
        Ok(self.report(&meter, ended))
    }

    fn advance(&mut self, actions: &[Action]) {
        let Some(mut state) = self.root else { return };
        let mut at = if self.nodes.is_empty() { NOBODY } else { 0 };
        for &action in actions {
            state.apply(action);
            if at != NOBODY {
                let edges = self.edges_of(at as usize).iter();
                let taken = edges.clone().find(|edge| edge.word as u16 == action.0);
                at = taken.map_or(NOBODY, |edge| edge.child);
            }
        }
        self.root = Some(state);
        if at == NOBODY {
            self.forget();
        } else {
            self.collect(at);
        }
    }

    fn follow(&mut self, view: &View<'_, G>) {
        if G::HIDDEN {
            return;
        }
        let state = view.sample(&mut Rng::new(0));
        // Every way to a state leads to the same node, so its key is enough.
        let at = self.places.get(&state.key()).copied();
        match at {
            _ if self.root == Some(state) => {}
            Some(at) => self.collect(at),
            None => self.forget(),
        }
        self.root = Some(state);
    }
}
