//! Search for games with luck, hidden cards and many players.

pub mod solve;

mod budget;
mod cache;
mod ensemble;
mod error;
mod evaluate;
mod graph;
mod gumbel;
mod ismcts;
mod machine;
mod mcts;
mod merge;
mod noise;
mod options;
mod ordering;
mod parallel;
mod report;
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
pub use graph::{GraphMcts, GraphOptions};
pub use ismcts::{IsMcts, IsMctsOptions, Knower};
pub use mcts::Mcts;
pub use options::{
    FirstPlay, GumbelOptions, MctsOptions, RootNoise, RootRule, Selection, Widening,
};
pub use ordering::{OneStep, Ordering};
pub use parallel::{RootParallel, TreeParallel};
pub use report::{ActionReport, SearchReport, TableReport};
pub use search::Search;
pub use tree_search::TreeSearch;
