//! Games between bots: one game, and blocks of games with the same chance events.

mod block;
mod game;

pub use block::{Block, BlockObserver, Entrant, IdlePrograms, one_among};
pub(crate) use block::{play_block, play_random};
pub use game::{Played, Watch, play_game};
