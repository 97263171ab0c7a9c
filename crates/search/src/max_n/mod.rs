//! Searches to a depth for any number of players with perfect information: max^n, paranoid and
//! best-reply search, with iterative deepening.
//!
//! In max^n every player maximizes their own payoff (Luckhardt and Irani, "An Algorithmic Solution of
//! N-Person Games", 1986). Paranoid search assumes that all opponents minimize the payoff of the
//! player to move at the root, which allows alpha-beta (Sturtevant and Korf, "On Pruning Techniques
//! for Multi-Player Games", 2000). In best-reply search only one opponent may answer each move
//! (Schadd and Winands, "Best Reply Search for Multiplayer Games", 2011). Since rules rarely allow a
//! pass, the other opponents play the action of the best heuristic evaluation (BRS+: Esser, Gras,
//! Winands, Schadd and Lanctot, "Improving Best-Reply Search", 2013).

mod node;

use std::fmt;
use std::time::Instant;

use meeple_game::{ActionList, Game, Payoffs, Turn, View};
use serde::{Deserialize, Serialize};

use crate::alpha_beta::MAX_DEPTH;
use crate::mcts::root_state;
use crate::options::expect;
use crate::{
    ActionReport, Budget, Control, Search, SearchError, SearchReport, StopReason, TableReport,
};
use node::Tree;

/// What a search assumes of the opponents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opponents {
    /// Every opponent maximizes their own payoff: max^n.
    #[default]
    Selfish,
    /// All opponents minimize the payoff of the player at the root: paranoid.
    Paranoid,
    /// One opponent in each round does, the others play the action of the best heuristic
    /// evaluation: best-reply search.
    BestReply,
}

/// Options of [`MaxN`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MaxNOptions {
    /// What the opponents do.
    pub opponents: Opponents,
    /// The depth limit in actions; in best-reply search, the actions of all opponents in a round
    /// count as one. [`MAX_DEPTH`] by default.
    pub depth: u32,
    /// The size of the transposition table in bytes; 16 MiB by default. Max^n has none: its values
    /// are a payoff for each seat.
    pub hash: usize,
    /// Whether all root actions have exact values, not only the best one.
    pub exact: bool,
    /// Whether values are kept in the transposition table.
    pub table: bool,
    /// Alpha-beta; in max^n, no action is searched after one that wins (immediate pruning: Korf
    /// 1991).
    pub pruning: bool,
    /// Whether actions are ordered by the heuristic evaluation after them.
    pub one_step: bool,
}

impl Default for MaxNOptions {
    fn default() -> Self {
        Self {
            opponents: Opponents::Selfish,
            depth: MAX_DEPTH,
            hash: 16 << 20,
            exact: false,
            table: true,
            pruning: true,
            one_step: true,
        }
    }
}

impl MaxNOptions {
    /// Checks every option.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::BadOption`] for the first option that is out of range.
    pub fn check(&self) -> Result<(), SearchError> {
        let bytes = (1 << 10)..=1 << 36;
        expect(bytes.contains(&self.hash), "hash", self.hash as f32, "1 KB to 64 GB")?;
        let depth = self.depth;
        expect((1..=MAX_DEPTH).contains(&depth), "depth", depth as f32, "1 to 120")
    }
}

/// Max^n, paranoid or best-reply search.
///
/// ```
/// use meeple_game::{Game, Player, View};
/// use meeple_games::small::TicTacToe;
/// use meeple_search::{Budget, MaxN, MaxNOptions, Search};
///
/// let game = TicTacToe::new(&Default::default());
/// let mut search = MaxN::new(&MaxNOptions { depth: 9, ..MaxNOptions::default() })?;
/// let report = search.search(&View::new(&game, Player(0)), &Budget::default(), 0)?;
/// assert_eq!(report.values[0], 0.0, "a draw");
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
pub struct MaxN<G: Game> {
    options: MaxNOptions,
    /// Made with the first state that is searched, and again for another game.
    tree: Option<Tree<G>>,
}

impl<G: Game> fmt::Debug for MaxN<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MaxN").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<G: Game> MaxN<G> {
    /// Creates a search.
    ///
    /// # Errors
    ///
    /// When an option is out of range.
    pub fn new(options: &MaxNOptions) -> Result<Self, SearchError> {
        options.check()?;
        Ok(Self { options: *options, tree: None })
    }
}

impl<G: Game> Search<G> for MaxN<G> {
    /// Searches within the nodes and the time of `budget`; its simulations count as nodes. The
    /// seed has no effect.
    fn search_with(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        _seed: u64,
        control: &mut Control<'_>,
    ) -> Result<SearchReport, SearchError> {
        let root = root_state(view)?;
        if self.options.depth == MAX_DEPTH {
            budget.check()?;
        }
        let Turn::Player(mover) = root.turn() else { return Err(SearchError::NoDecision(0)) };
        let started = Instant::now();
        let fits = |tree: &Tree<G>| tree.is_for(&root);
        if !self.tree.as_ref().is_some_and(fits) {
            self.tree = Some(Tree::new(&self.options, &root));
        }
        let Some(tree) = &mut self.tree else { return Err(SearchError::NotBegun) };
        let nodes = budget.nodes.into_iter().chain(budget.simulations).min();
        tree.begin(&root, mover, nodes.unwrap_or(u64::MAX), budget.time, started);
        let stop_reason = tree.deepen(&control.stop);
        let mut report = report_of(tree, &root, stop_reason);
        report.set_time(started.elapsed());
        Ok(report)
    }

    fn reset(&mut self) {
        if let Some(tree) = &mut self.tree {
            tree.clear();
        }
    }
}

fn report_of<G: Game>(tree: &Tree<G>, root: &G, stop_reason: StopReason) -> SearchReport {
    let mut actions = ActionList::new();
    root.legal_actions(&mut actions);
    let best = &tree.root_moves[0];
    let report_of = |&action: &meeple_game::Action| {
        let found = tree.root_moves.iter().find(|root_move| root_move.action == action);
        found.map_or_else(ActionReport::default, |root_move| ActionReport {
            action,
            visits: root_move.nodes,
            available: tree.nodes,
            values: root_move.values,
            prior: 0.0,
            policy: if action == best.action { 1.0 } else { 0.0 },
            // What is proven against paranoid opponents may not hold against others.
            solved: root_move.is_complete && tree.is_exact(),
        })
    };
    SearchReport {
        best: best.action,
        actions: actions.iter().map(report_of).collect(),
        values: if tree.depth == 0 { Payoffs::default() } else { best.values },
        variations: vec![vec![best.action]],
        simulations: tree.nodes,
        nodes: tree.nodes,
        bytes: tree.table.bytes() as u64,
        depth: tree.depth,
        mean_depth: tree.depth as f32,
        evaluations: tree.evaluations,
        table: tree.has_table().then(|| TableReport {
            capacity: tree.table.capacity(),
            used: tree.table.capacity() * u64::from(tree.table.fullness()) / 1000,
            lookups: tree.lookups,
            hits: tree.hits,
            evicted: 0,
        }),
        stop_reason,
        ..SearchReport::default()
    }
}
