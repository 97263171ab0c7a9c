//! The search of the chess engine `meeple uci`.

use std::time::Duration;

use meeple_game::Action;
use meeple_games::chess::Chess;
use meeple_search::{
    AlphaBeta, AlphaBetaOptions, Iteration, Limits, LineReport, SearchError, StopFlag,
};

/// Alpha-beta search of chess.
///
/// The command line is compiled with little optimization, so the search is compiled here.
#[derive(Debug)]
pub struct ChessSearch(AlphaBeta<Chess>);

impl ChessSearch {
    /// Creates a search with an empty transposition table.
    ///
    /// # Errors
    ///
    /// When an option is out of range.
    pub fn new(options: &AlphaBetaOptions) -> Result<Self, SearchError> {
        AlphaBeta::new(options).map(Self)
    }

    /// Searches `root`; see [`AlphaBeta::run`].
    ///
    /// # Errors
    ///
    /// When the game is over, or none of `limits.actions` is legal.
    pub fn run(
        &mut self,
        root: &Chess,
        limits: &Limits<'_>,
        stop: &StopFlag,
        progress: &mut dyn FnMut(&Iteration<'_>),
    ) -> Result<Action, SearchError> {
        self.0.run(root, limits, stop, progress)
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns up to `most` lines of the last search, the best first.
    pub fn lines(&self, most: usize) -> impl Iterator<Item = LineReport<'_>> {
        self.0.lines(most)
    }

    /// The nodes of the last search, of all threads.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.0.nodes()
    }

    /// The time of the last search.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    /// The share of the transposition table in use, in thousandths, from a sample.
    #[must_use]
    pub fn fullness(&self) -> u32 {
        self.0.fullness()
    }
}
