//! Exact solvers for small games, as references for searches.

mod cfr;
mod negamax;

pub use cfr::Cfr;
pub use negamax::Negamax;

/// Why a game cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The solver supports two players only.
    #[error("{game} has {players} players, expected 2")]
    Seats {
        /// The game's name.
        game: &'static str,
        /// The number of players found.
        players: usize,
    },
    /// The solver supports deterministic games with perfect information only.
    #[error("{game} has chance events or hidden information, which the solver does not support")]
    NotPerfect {
        /// The game's name.
        game: &'static str,
    },
    /// The game has more states than allowed.
    #[error("{game} has more than the {limit} states allowed")]
    TooLarge {
        /// The game's name.
        game: &'static str,
        /// The maximum number of states.
        limit: usize,
    },
}
