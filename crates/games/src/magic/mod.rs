//! Magic: the Gathering, two players, by the Comprehensive Rules.
//!
//! A [`Magic`] state is one plain value. `machine` carries it from one decision to the
//! next; each other folder has one part of the rules or one use of a state.

mod actions;
pub mod cards;
mod combat;
mod damage;
pub mod decks;
mod evaluation;
mod game;
mod layers;
mod machine;
mod mana;
#[cfg(test)]
mod scenario;
mod stack;
mod state;
mod stats;
mod table;
mod text;
mod turn;
mod view;
mod zones;

pub use evaluation::weights::Weights;
pub use machine::{Event, Note, Watch};
pub use meeple_card_language as language;
pub use state::Magic;
pub use state::bounds::Usage;
pub use stats::{SeatStats, Stats};
pub use table::config::Config;
pub use text::english;
pub use text::story::Story;
pub use view::scene::{Face, Permanent, Scene, Side, Spell};
