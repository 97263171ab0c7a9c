//! Errors of searches.

/// Why a search could not run or failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SearchError {
    /// The budget allows nothing or is unlimited.
    #[error(
        "invalid budget: expected a positive number of simulations, nodes or seconds, found {0}"
    )]
    EmptyBudget(&'static str),
    /// Sequential halving needs a number of simulations to divide.
    #[error("the Gumbel root needs a budget in simulations")]
    GumbelNeedsSimulations,
    /// `gather` or `apply` was called before `begin`.
    #[error("the search has not begun: call begin first")]
    NotBegun,
    /// An option is out of range.
    #[error("{option} is {value}, expected {expected}")]
    BadOption {
        /// The option's name.
        option: &'static str,
        /// The value found.
        value: f64,
        /// The values allowed.
        expected: &'static str,
    },
    /// An evaluator returned a value outside -1 to 1.
    #[error("the evaluator returned {value} for seat {seat}, expected a value from -1 to 1")]
    BadValue {
        /// The seat of the value.
        seat: usize,
        /// The value returned.
        value: f32,
    },
    /// An evaluator returned a logit that is not finite.
    #[error("the evaluator returned {value} for action {action}, expected a finite number")]
    BadLogit {
        /// The action of the logit.
        action: u16,
        /// The logit returned.
        value: f32,
    },
    /// A buffer does not match the leaves.
    #[error("{what} has {got} entries, expected {expected}")]
    WrongLength {
        /// The buffer's name.
        what: &'static str,
        /// The expected number of entries.
        expected: usize,
        /// The number of entries found.
        got: usize,
    },
    /// The observing seat is not to move.
    #[error("{0} is not to move")]
    NotToDecide(meeple_game::Player),
    /// One of many states, by its index, is a chance node or terminal.
    #[error("no player is to move in state {0}")]
    NoDecision(usize),
    /// The search was stopped before it had a result.
    #[error("the search was stopped")]
    Stopped,
    /// The game has hidden information, which this search does not support.
    #[error(
        "{game} has hidden information, which this search does not support: use IsMcts or Ensemble"
    )]
    Hidden {
        /// The game's name.
        game: &'static str,
    },
    /// The game has other than two seats, which alpha-beta does not support.
    #[error("{game} has more than two seats, which alpha-beta does not support: use Mcts")]
    NotTwoPlayers {
        /// The game's name.
        game: &'static str,
    },
    /// The evaluator needs a heuristic evaluation, which the game does not have.
    #[error("{game} has no heuristic evaluation: use rollouts to the end of the game")]
    NoHeuristic {
        /// The game's name.
        game: &'static str,
    },
}
