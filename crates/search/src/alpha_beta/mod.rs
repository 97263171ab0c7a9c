//! Alpha-beta search for two players with perfect information: iterative deepening negamax with a
//! transposition table and the usual prunings, and expectiminimax with Star1 and Star2 where there
//! is chance.
//!
//! What a game knows beyond its rules (what is noisy, which exchanges win, whether a pass is
//! sound) comes from its [`Tactics`](meeple_game::Tactics); without them the search has the
//! game's heuristic evaluation or none, and finds what it can reach.
//!
//! `root.rs` deepens, `node.rs` searches interior nodes, `chance.rs` chance nodes, `quiescence.rs`
//! the noisy actions after them; `order.rs` decides which action comes first, `table.rs` remembers. `worker.rs` is the
//! memory of one thread. Threads share the table alone (lazy SMP).

mod chance;
mod clock;
mod node;
mod options;
mod order;
mod quiescence;
mod root;
pub(crate) mod score;
pub(crate) mod table;
mod worker;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use meeple_game::{Action, ActionList, Game, View};

pub use clock::Clock;
pub use options::{AlphaBetaOptions, Limits, MAX_DEPTH};
pub use score::Score;

use crate::mcts::root_state;
use crate::{
    ActionReport, Budget, Control, Search, SearchError, SearchReport, StopFlag, StopReason,
    TableReport,
};
use root::Ending;
use score::is_proven;
use table::{Layout, Table};
use worker::{Halt, Shared, Worker};

/// One line of a finished depth, for progress reports.
#[derive(Clone, Copy, Debug)]
pub struct Iteration<'a> {
    /// The finished depth.
    pub depth: u32,
    /// The deepest ply reached, by extensions and quiescence.
    pub selective_depth: u32,
    /// The number of the line, from 0.
    pub number: usize,
    /// The line.
    pub line: LineReport<'a>,
    /// Nodes of all threads so far.
    pub nodes: u64,
    /// The time so far.
    pub elapsed: Duration,
    /// The share of the transposition table in use, in thousandths.
    pub fullness: u32,
}

/// A principal variation with its score.
#[derive(Clone, Copy, Debug)]
pub struct LineReport<'a> {
    /// The score for the player to move.
    pub score: Score,
    /// The depth at which the score was found.
    pub depth: u32,
    /// The actions of the line.
    pub actions: &'a [Action],
}

/// Alpha-beta search.
///
/// ```
/// use meeple_game::{Game, Player, View};
/// use meeple_games::small::TicTacToe;
/// use meeple_search::{AlphaBeta, AlphaBetaOptions, Budget, Search};
///
/// let game = TicTacToe::new(&Default::default());
/// let mut search = AlphaBeta::new(&AlphaBetaOptions::default())?;
/// let budget = Budget { nodes: Some(100_000), ..Budget::default() };
/// let report = search.search(&View::new(&game, Player(0)), &budget, 0)?;
/// assert_eq!(report.values[0], 0.0, "a draw");
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
pub struct AlphaBeta<G: Game> {
    options: AlphaBetaOptions,
    /// Made with the workers: a search that is only configured needs no memory.
    table: Table,
    /// Made with the first state that is searched, and again for another game.
    workers: Vec<Worker<G>>,
    /// Whether there was no search since the last [`clear`](Self::clear).
    is_clear: bool,
    ending: Ending,
    elapsed: Duration,
}

impl<G: Game> fmt::Debug for AlphaBeta<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AlphaBeta").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<G: Game> AlphaBeta<G> {
    /// Creates a search with an empty transposition table.
    ///
    /// # Errors
    ///
    /// When an option is out of range.
    pub fn new(options: &AlphaBetaOptions) -> Result<Self, SearchError> {
        options.check()?;
        let (table, workers) = (Table::new(0, Layout::Fine), Vec::new());
        let (ending, elapsed) = (Ending::Depth, Duration::ZERO);
        Ok(Self { options: *options, table, workers, is_clear: true, ending, elapsed })
    }

    /// Checks that the search supports the game.
    ///
    /// # Errors
    ///
    /// When the game has hidden information or other than two seats.
    pub fn check(game: &G) -> Result<(), SearchError> {
        let name = game.name();
        if game.has_imperfect_information() {
            return Err(SearchError::Hidden { game: name });
        }
        if game.players() != 2 {
            return Err(SearchError::NotTwoPlayers { game: name });
        }
        Ok(())
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        if self.is_clear {
            return;
        }
        self.is_clear = true;
        self.table.clear();
        for worker in &mut self.workers {
            worker.learned.clear();
        }
    }

    /// Searches `root` within `limits` and calls `progress` for each line of each finished depth.
    ///
    /// Returns the best action; [`lines`](Self::lines) has the rest.
    ///
    /// # Errors
    ///
    /// When the game is not supported or over, or none of `limits.actions` is legal.
    pub fn run(
        &mut self,
        root: &G,
        limits: &Limits<'_>,
        stop: &StopFlag,
        progress: &mut dyn FnMut(&Iteration<'_>),
    ) -> Result<Action, SearchError> {
        Self::check(root)?;
        let started = Instant::now();
        self.prepare(root);
        self.table.start_search();
        let threads = self.workers.len() as u64;
        let node_limit = limits.nodes.map_or(u64::MAX, |nodes| (nodes / threads).max(1));
        for worker in &mut self.workers {
            worker.begin(root, node_limit);
            worker.list_root(limits.actions);
        }
        if self.workers[0].root_moves.is_empty() {
            return Err(SearchError::NoDecision(0));
        }
        let shared = Shared {
            table: &self.table,
            stop,
            done: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            started,
            hard_time: limits.hard_time,
        };
        let (first, helpers) = self.workers.split_at_mut(1);
        if helpers.is_empty() {
            self.ending = first[0].deepen(&shared, limits, 0, progress);
        } else {
            std::thread::scope(|scope| {
                for (number, helper) in helpers.iter_mut().enumerate() {
                    let shared = &shared;
                    scope.spawn(move || helper.deepen(shared, limits, number + 1, &mut |_| {}));
                }
                self.ending = first[0].deepen(&shared, limits, 0, progress);
                shared.done.store(true, Ordering::Relaxed);
            });
        }
        self.elapsed = started.elapsed();
        Ok(self.workers[0].root_moves[0].action)
    }

    /// Makes the workers, unless they fit.
    fn prepare(&mut self, root: &G) {
        let fits = self.workers.first().is_some_and(|worker| {
            let state = &worker.frames[0].state;
            state.name() == root.name() && state.actions() == root.actions()
        });
        self.is_clear = false;
        if !fits {
            let layout = match G::COMPANIONS.tactics {
                Some(_) => Layout::Evaluated,
                None => Layout::Fine,
            };
            self.table = Table::new(if self.options.table { self.options.hash } else { 0 }, layout);
            let worker = |_| Worker::new(&self.options, root);
            self.workers = (0..self.options.threads).map(worker).collect();
        }
    }

    /// Returns up to `most` lines of the last search, the best first.
    pub fn lines(&self, most: usize) -> impl Iterator<Item = LineReport<'_>> {
        let root_moves = self.workers.first().map_or(&[][..], |worker| &worker.root_moves);
        root_moves.iter().take(most).map(|line| LineReport {
            score: Score::of(if line.depth == 0 { 0 } else { line.score }),
            depth: line.depth,
            actions: line.line.actions(),
        })
    }

    /// The nodes of the last search, of all threads.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.workers.iter().map(|worker| worker.counters.nodes).sum()
    }

    /// The time of the last search.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// The share of the transposition table in use, in thousandths, from a sample.
    #[must_use]
    pub fn fullness(&self) -> u32 {
        self.table.fullness()
    }

    fn report(&self, stop_reason: StopReason) -> SearchReport {
        let worker = &self.workers[0];
        let seat = worker.frames[0].seat;
        let best = &worker.root_moves[0];
        let all: u64 = worker.root_moves.iter().map(|line| line.nodes).sum();
        let mut actions = ActionList::new();
        worker.frames[0].state.legal_actions(&mut actions);
        let report_of = |&action: &Action| {
            let Some(line) = worker.root_moves.iter().find(|line| line.action == action) else {
                return ActionReport { action, ..ActionReport::default() };
            };
            let score = match line.score {
                score if score != -score::INFINITE => score,
                _ if line.bound == score::INFINITE => 0,
                _ => line.bound,
            };
            ActionReport {
                action,
                visits: line.nodes,
                available: all,
                values: score::payoffs::<G>(score, seat),
                prior: 0.0,
                policy: if action == best.action { 1.0 } else { 0.0 },
                solved: line.score != -score::INFINITE
                    && (is_proven(line.score) || line.is_complete),
            }
        };
        let counters = worker.counters;
        // Only lines have exact scores.
        let lines = || self.lines(self.options.lines);
        let mut report = SearchReport {
            best: best.action,
            actions: actions.iter().map(report_of).collect(),
            values: score::payoffs::<G>(if best.depth == 0 { 0 } else { best.score }, seat),
            variations: lines().map(|line| line.actions.to_vec()).collect(),
            scores: lines().map(|line| line.score).collect(),
            simulations: self.nodes(),
            nodes: self.nodes(),
            bytes: self.table.bytes() as u64,
            depth: best.depth,
            mean_depth: best.depth as f32,
            evaluations: counters.evaluations,
            table: self.options.table.then(|| TableReport {
                capacity: self.table.capacity(),
                used: self.table.capacity() * u64::from(self.table.fullness()) / 1000,
                lookups: counters.lookups,
                hits: counters.hits,
                evicted: 0,
            }),
            stop_reason,
            ..SearchReport::default()
        };
        report.set_time(self.elapsed);
        report
    }
}

impl<G: Game> Search<G> for AlphaBeta<G> {
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
        let limits = Limits {
            nodes: budget.nodes.into_iter().chain(budget.simulations).min(),
            hard_time: budget.time,
            lines: self.options.lines,
            ..Limits::default()
        };
        self.run(&root, &limits, &control.stop, &mut |_| {})?;
        let stop_reason = match self.ending {
            Ending::Depth | Ending::Enough => StopReason::Depth,
            Ending::Solved => StopReason::Solved,
            Ending::Halted(Halt::Nodes) => StopReason::Nodes,
            Ending::Halted(Halt::Time) => StopReason::Time,
            Ending::Halted(Halt::Stopped) => StopReason::Stopped,
        };
        Ok(self.report(stop_reason))
    }

    fn reset(&mut self) {
        self.clear();
    }
}
