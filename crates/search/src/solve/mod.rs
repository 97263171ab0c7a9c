//! Exact solvers for small games: what searches are measured against.

mod cfr;
mod negamax;

pub use cfr::Cfr;
pub use negamax::Negamax;

/// Why a game cannot be solved exactly.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The solver knows only games for two.
    #[error("{game} has {players} seats here, the solver takes two")]
    Seats {
        /// The game's name.
        game: &'static str,
        /// The seats at this table.
        players: usize,
    },
    /// The solver knows only games without luck or hidden information.
    #[error("{game} has luck or hidden information, the solver takes neither")]
    NotPerfect {
        /// The game's name.
        game: &'static str,
    },
    /// The game has more states than the solver may look at.
    #[error("{game} has more than the {limit} states allowed")]
    TooLarge {
        /// The game's name.
        game: &'static str,
        /// The states allowed.
        limit: usize,
    },
}
