//! Bots by name, external programs, and games chosen at run time.
//!
//! This is the topmost crate that is generic over games. It compiles the game loop, the searches
//! and the bots once for each game, behind [`Position`]: a type-erased state, whose calls are
//! coarse (a decision, a batch of leaves or a [`Block`] of games), so that dynamic dispatch costs
//! little.
//!
//! ```
//! use meeple_bots::{BotSpec, open};
//! use meeple_game::{Player, Rng};
//!
//! let position = open("connect-four", None)?;
//! let bot: BotSpec = "mcts:sims=50".parse()?;
//! let action = position.bot(&bot)?.choose(&*position, Player(0), &mut Rng::new(1))?;
//! assert!(action.index() < 7);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod any_game;
mod bot;
mod bots;
mod error;
mod external;
mod levels;
mod play;
mod position;
mod renamed;
mod spec;

pub use any_game::register;
pub use bot::Bot;
pub use bots::{BotNameTaken, MakeBot, RegisteredBot, RegisteredSpec, SeatView, register_bot};
pub use bots::{ChessSearch, Eval, Prior, Reuse, SearchKind, SearchSpec, Sharing, Size};
pub use error::{BotError, Error};
pub use external::{Cause, ExternalSpec, Forfeit, Protocol};
pub use levels::Level;
pub use play::{Block, BlockObserver, Entrant, IdlePrograms, Played, Watch, one_among, play_game};
pub use position::{
    ConfigError, LeafBatch, ObservationEvaluator, OpenError, Position, SeatBot, ValueError,
    choices_of, open, open_value, read_config, resolve,
};
pub use renamed::{NameKind, on_old_name, read_renamed, rename_keys};
pub use spec::BotSpec;
