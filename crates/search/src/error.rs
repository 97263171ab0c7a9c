//! What a search refuses, and why.

/// Why a search did not run, or stopped without an answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SearchError {
    /// The budget allows nothing, or does not end.
    #[error("the budget is empty: allow at least one iteration, node or moment, got {0}")]
    EmptyBudget(&'static str),
    /// Sequential halving divides a number of iterations, and none is given.
    #[error("the Gumbel root needs a budget in iterations")]
    GumbelNeedsIterations,
    /// Nothing has been gathered that could be applied, or the search was not
    /// begun.
    #[error("the search has not begun: call begin first")]
    NotBegun,
    /// An option has a value that makes no sense.
    #[error("{option} is {value}, expected {expected}")]
    BadOption {
        /// The option's name.
        option: &'static str,
        /// What it was set to.
        value: f64,
        /// What it may be.
        expected: &'static str,
    },
    /// An evaluator returned something that is no value.
    #[error("the evaluator returned {value} for seat {seat}, expected a value from -1 to 1")]
    BadValue {
        /// The seat it was for.
        seat: usize,
        /// What it returned.
        value: f32,
    },
    /// An evaluator returned something that is no judgement of an action.
    #[error("the evaluator returned {value} for action {action}, expected a finite number")]
    BadLogit {
        /// The action it was for.
        action: u16,
        /// What it returned.
        value: f32,
    },
    /// A buffer does not fit the leaves that were gathered.
    #[error("{what} has {got} entries, expected {expected}")]
    WrongLength {
        /// The buffer's name.
        what: &'static str,
        /// How many entries fit.
        expected: usize,
        /// How many there are.
        got: usize,
    },
    /// The seat that looks is not to decide.
    #[error("{0} is not to decide here")]
    NotToDecide(meeple_game::Player),
    /// The game hides something, and this search takes it for granted.
    #[error("{game} has hidden information: search it with IsMcts or an Ensemble")]
    Hidden {
        /// The game's name.
        game: &'static str,
    },
    /// The evaluator asks the game for an estimate, and it has none.
    #[error("{game} has no estimate of its own: use full rollouts")]
    NoEstimate {
        /// The game's name.
        game: &'static str,
    },
}
