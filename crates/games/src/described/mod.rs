//! Small games as rules for the rule engine: how to describe one, and twins of
//! the hand-written games to hold them against.

pub mod breakthrough;
mod connect_four;
mod tic_tac_toe;

pub use breakthrough::{Breakthrough, BreakthroughRules};
pub use connect_four::{ConnectFourRules, RuledConnectFour};
pub use tic_tac_toe::{RuledTicTacToe, TicTacToeRules};

use meeple_plan::{Artifact, RuleSet, SeenBy, Values};

/// An artifact of squares: empty, own or the opponent's.
const fn squares<R: RuleSet>(
    cells: usize,
    read: fn(&R::State, usize, usize) -> i32,
) -> Artifact<R> {
    Artifact { name: "squares", cells, read, values: Values::OneOf(3), seen_by: SeenBy::All }
}

/// An artifact for the player to move.
const fn to_move<R: RuleSet>(read: fn(&R::State, usize, usize) -> i32) -> Artifact<R> {
    Artifact { name: "to_move", cells: 1, read, values: Values::Flag, seen_by: SeenBy::All }
}
