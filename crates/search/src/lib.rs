//! Monte Carlo tree search (MCTS) for games with chance, hidden information and two to six
//! players, and alpha-beta search for two players with perfect information.
//!
//! A search receives a [`View`](meeple_game::View), which is everything one seat may know,
//! and returns a [`SearchReport`]. It names no game, and it never reads the true state of a
//! game with hidden information.
//!
//! | type | use |
//! |---|---|
//! | [`Mcts`] | perfect information, with or without chance, two to six players: UCT, PUCT, Gumbel root, MCTS-Solver |
//! | [`IsMcts`] | hidden information: single-observer and multiple-observer ISMCTS |
//! | [`Ensemble`] | hidden information, as a baseline: determinized UCT (PIMC) |
//! | [`GraphMcts`] | games with many transpositions |
//! | [`RootParallel`] | root parallelization; the report does not depend on the number of threads |
//! | [`SharedTree`] | lock-free tree parallelization; reports are not reproducible |
//! | [`AlphaBeta`] | perfect information, two players: alpha-beta with a transposition table, expectiminimax with Star1 and Star2 |
//! | [`MaxN`] | perfect information, two to six players: max^n, paranoid and best-reply search |
//! | [`Focused`] | wraps any of them and hides the actions that the game marks as irrelevant |
//! | [`BatchedMcts`], [`BatchedIsMcts`] | neural networks: collect leaves of many trees, evaluate them in one batch, back up |
//! | [`solve`] | exact solvers for small games: CFR+ and negamax |
//!
//! Leaves are evaluated by an [`Evaluator`]: [`Rollout`], the game's own [`Heuristic`] or a
//! network, optionally [`Cached`]. A [`MoveOrdering`] provides prior policies for
//! evaluators without a policy head. A [`Budget`] limits the search; a [`Control`] stops it
//! and receives progress reports.
//!
//! ```
//! use meeple_game::{Game, Player, Turn, View};
//! use meeple_games::small::ConnectFour;
//! use meeple_search::{Budget, Mcts, MctsOptions, Rollout, Search};
//!
//! let mut game = ConnectFour::new(&Default::default());
//! let mut search = Mcts::new(&MctsOptions::default(), Rollout::default())?;
//! while let Turn::Player(seat) = game.turn() {
//!     let report = search.search(&View::new(&game, seat), &Budget::simulations(100), 1)?;
//!     game.apply(report.best);
//!     search.advance(&[report.best]); // keeps the subtree
//! }
//! # Ok::<_, meeple_search::SearchError>(())
//! ```
//!
//! # Reading order
//!
//! `simulation.rs` is one MCTS simulation (select, expand, backup) on the tree stored in
//! `tree/`; `select.rs` has the UCT and PUCT formulas. `ismcts/simulation.rs` is its
//! counterpart on information sets.

pub mod solve;

mod alpha_beta;
mod backup;
mod batched;
mod batched_report;
mod batched_search;
mod budget;
mod cache;
mod ensemble;
mod error;
mod evaluate;
mod focused;
mod graph;
mod gumbel;
mod ismcts;
mod many;
mod max_n;
mod mcts;
mod merge;
mod noise;
mod options;
mod ordering;
mod parallel;
mod report;
mod reserve;
mod search;
mod select;
mod simd;
mod simulation;
mod softmax;
mod time_control;
mod tree;
mod tree_reuse;

pub use alpha_beta::{
    AlphaBeta, AlphaBetaOptions, Clock, Iteration, Limits, LineReport, MAX_DEPTH, Score,
};
pub use batched::BatchedMcts;
pub use batched_search::{BatchedSearch, batched_search};
pub use budget::{Budget, Control, SearchProgress, StopFlag, StopReason};
pub use cache::Cached;
pub use ensemble::{Combine, Ensemble, EnsembleOptions};
pub use error::SearchError;
pub use evaluate::{AnyEvaluator, Evaluator, Heuristic, OtherEvaluator, Rollout};
pub use focused::Focused;
pub use graph::{GraphMcts, GraphOptions};
pub use ismcts::{BatchedIsMcts, IsMcts, IsMctsOptions, Observer};
pub use many::{ManyOptions, search_many};
pub use max_n::{MaxN, MaxNOptions, Opponents};
pub use mcts::Mcts;
pub use options::{
    FirstPlay, GumbelOptions, MctsOptions, ProgressiveWidening, RootNoise, RootPolicy, Selection,
};
pub use ordering::{History, Killers, MoveOrdering, OneStepLookahead, Priorities};
pub use parallel::{RootParallel, SharedTree};
pub use report::{ActionReport, SearchReport, TableReport};
pub use search::Search;
pub use softmax::softmax;
