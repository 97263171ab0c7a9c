//! Search for games with luck, hidden cards and many players.
//!
//! A search is shown a [`View`](meeple_game::View), all that one seat may know,
//! and says what to play in a [`SearchReport`]. It never names a game and never
//! sees the true state where something is hidden.
//!
//! | take | for |
//! |---|---|
//! | [`Mcts`] | games in which everybody sees everything, luck or not, two to six seats |
//! | [`IsMcts`] | games with hidden information |
//! | [`Ensemble`] | the same, as a baseline: some dealt worlds, each searched as if it were true |
//! | [`GraphMcts`] | games in which many ways lead to the same state |
//! | [`RootParallel`], [`TreeParallel`] | more threads, with the same answer on any number of them |
//! | [`SharedTree`] | more threads on one tree, where answers need not repeat |
//! | [`Focused`] | any of them, looking only at what the game thinks worth a thought |
//! | [`TreeSearch`], [`InfoTreeSearch`] | networks: gather leaves of many trees, judge them in one batch, apply |
//! | [`solve`] | small games exactly, to measure searches against |
//!
//! What a state is worth comes from an [`Evaluator`]: [`Rollout`], the game's
//! own [`Heuristic`], a network, each [`Cached`] if it repeats itself. Which
//! actions are likely good comes from an [`Ordering`]. How long it may take is a
//! [`Budget`]; who reads along or stops it is a [`Control`].
//!
//! ```
//! use meeple_game::{Game, Player, Turn, View};
//! use meeple_games::small::ConnectFour;
//! use meeple_search::{Budget, Mcts, MctsOptions, Rollout, Search};
//!
//! let mut game = ConnectFour::new(&Default::default());
//! let mut search = Mcts::new(&MctsOptions::default(), Rollout::default())?;
//! while let Turn::Player(seat) = game.turn() {
//!     let report = search.search(&View::new(&game, seat), &Budget::iterations(100), 1)?;
//!     game.apply(report.best);
//!     search.advance(&[report.best]); // what is known of what follows is kept
//! }
//! # Ok::<_, meeple_search::SearchError>(())
//! ```

pub mod solve;

mod budget;
mod cache;
mod ensemble;
mod error;
mod evaluate;
mod focused;
mod graph;
mod gumbel;
mod ismcts;
mod machine;
mod mcts;
mod merge;
mod noise;
mod options;
mod ordering;
mod pace;
mod parallel;
mod report;
mod reuse;
mod room;
mod search;
mod select;
mod tree;
mod tree_search;
mod walk;

pub use budget::{Budget, Control, Ended, Progress, StopFlag};
pub use cache::Cached;
pub use ensemble::{Combine, Ensemble, EnsembleOptions};
pub use error::SearchError;
pub use evaluate::{Evaluator, Heuristic, Rollout};
pub use focused::Focused;
pub use graph::{GraphMcts, GraphOptions};
pub use ismcts::{InfoTreeSearch, IsMcts, IsMctsOptions, Knower};
pub use mcts::Mcts;
pub use options::{
    FirstPlay, GumbelOptions, MctsOptions, RootNoise, RootRule, Selection, Widening,
};
pub use ordering::{History, Killers, OneStep, Ordering, Priorities};
pub use parallel::{RootParallel, SharedTree, TreeParallel};
pub use report::{ActionReport, SearchReport, TableReport};
pub use search::Search;
pub use tree_search::TreeSearch;
