//! The search of the chess engine `meeple uci`.

use std::sync::Arc;

use meeple_games::chess::Chess;
use meeple_search::{
    AnyEvaluator, Heuristic, Mcts, MctsOptions, OneStepLookahead, Search, SearchError,
};

/// Returns a search of chess by the heuristic evaluation, with priors from looking one action
/// ahead.
///
/// The command line is compiled with little optimization, so the search is made here.
///
/// # Errors
///
/// When an option is out of range.
pub fn chess_search(options: &MctsOptions) -> Result<Box<dyn Search<Chess> + Send>, SearchError> {
    let ordering = Arc::new(OneStepLookahead::default());
    Ok(Box::new(Mcts::with_ordering(options, AnyEvaluator::new(Heuristic), Some(ordering))?))
}
