//! The driver of matches: one game, blocks of games with the same chance events, and
//! the threads that play them.

mod block;
mod executor;
mod game;
mod matches;

pub(crate) use block::{Block, Idle, Roster, one_among};
pub(crate) use executor::{cores, in_order};
pub use game::{Played, Watch, play_game};
pub use matches::{Contender, Match};
pub(crate) use matches::{check_contenders, play_match};
