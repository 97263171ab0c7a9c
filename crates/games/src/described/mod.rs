//! Games described by rules.
//!
//! A game implements [`Described`] on top of its `RuleSet` (`meeple_plan`), and
//! [`DescribedGame`] makes a `Game` of it. [`with_rules`] finds rules by name, as the
//! registry finds games. [`Lockstep`] plays a compiled plan and its rule tree side by side.
//! The folder also holds the small described games: breakthrough, and twins of the
//! hand-written tic-tac-toe and connect four to test against; chess and backgammon are
//! described in their own folders.

pub mod breakthrough;
mod connect_four;
mod game;
mod lockstep;
mod lookup;
mod tic_tac_toe;

pub use breakthrough::{Breakthrough, BreakthroughRules};
pub use connect_four::{ConnectFourRules, DescribedConnectFour};
pub use game::{Described, DescribedGame, Engine, observation_of};
pub use lockstep::{Compared, Lockstep};
pub use lookup::{NAMES, UnknownRules, VisitRules, state_of, with_rules};
pub use tic_tac_toe::{DescribedTicTacToe, TicTacToeRules};

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
