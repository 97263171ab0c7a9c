//! The bots: built-in ones, registered ones and their options.

mod engine;
mod flat;
mod greedy;
mod make;
mod models;
mod options;
mod random;
mod registered;
mod search;
mod size;
mod weighted;
mod written;

pub use engine::ChessSearch;
pub(crate) use flat::Flat;
pub(crate) use greedy::Greedy;
pub(crate) use options::Options;
pub(crate) use random::Random;
pub(crate) use registered::registered_names;
pub(crate) use registered::seat_view;
pub use registered::{
    BotNameTaken, MakeBot, RegisteredBot, RegisteredSpec, SeatView, register_bot,
};
pub use search::{Eval, Prior, Reuse, SearchKind, SearchSpec, Sharing};
pub use size::Size;
pub(crate) use weighted::Weighted;
