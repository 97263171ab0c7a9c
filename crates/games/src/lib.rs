//! The games, one folder each, and a registry that finds them by name.
//!
//! ```
//! use meeple_game::{ActionList, Game, Rng, playout};
//! use meeple_games::small::ConnectFour;
//!
//! let mut game = ConnectFour::new(&Default::default());
//! let steps = playout(&mut game, &mut Rng::new(1), &mut ActionList::new());
//! assert!((7..=42).contains(&steps.decisions));
//! ```

pub mod backgammon;
pub mod chess;
pub mod described;
pub mod files;
mod guide;
pub mod holdem;
pub mod magic;
mod near;
mod recorded;
pub mod registry;
pub mod small;
pub mod stone_age;

pub use guide::{Guide, Key, guide};
pub use near::{did_you_mean, nearest};
pub use recorded::RecordedGame;
