//! Exact solvers for small games.

mod cfr;
mod exact;
mod negamax;

pub use cfr::Cfr;
pub use exact::{ExactControl, ExactOptions, ExactSolver, Solution};
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
    /// The game can go on for longer than the solver looks ahead.
    #[error("{game} has lines of more than {plies} plies, which the solver does not follow")]
    TooDeep {
        /// The game's name.
        game: &'static str,
        /// The greatest number of plies.
        plies: usize,
    },
    /// The game pays more than wins, draws and losses.
    #[error("{game} has payoffs other than -1, 0 and 1, which the solver does not support")]
    Payoffs {
        /// The game's name.
        game: &'static str,
    },
    /// No player decides in the position.
    #[error("the game is over")]
    Over,
    /// The caller stopped the solver.
    #[error("stopped")]
    Stopped,
}
