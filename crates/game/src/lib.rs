//! The game interface, independent of search and learning.
//!
//! A game is one type: a small [`Copy`] state that implements [`Game`]. Everything else in
//! Meeple simulates, searches, trains, plays and draws games through that trait. [`conform`]
//! holds the conformance suite that every game passes, and [`View`] is all that a bot may see
//! of a state.
//!
//! # A whole game
//!
//! Twenty-one stones: the player to move takes one, two or three, and the player who takes the
//! last one wins.
//!
//! ```
//! use std::fmt;
//! use std::ops::RangeInclusive;
//!
//! use meeple_game::{
//!     Action, ActionList, Field, Game, MAX_PLAYERS, ObservationSpec, Payoffs, Player, Turn,
//!     conform, mix,
//! };
//!
//! #[derive(Clone, Copy, Debug, PartialEq, Eq)]
//! struct Stones {
//!     left: u8,
//!     mover: Player,
//! }
//!
//! static OBSERVATION: ObservationSpec = ObservationSpec::new(1, &[Field::count("left", 21)]);
//!
//! impl Game for Stones {
//!     type Config = ();
//!     const NAME: &'static str = "stones";
//!     const SEATS: RangeInclusive<usize> = 2..=2;
//!     const ACTIONS: usize = 4; // the id is the number taken
//!     const CHANCE: bool = false;
//!     const IMPERFECT_INFORMATION: bool = false;
//!
//!     fn new((): &()) -> Self {
//!         Self { left: 21, mover: Player(0) }
//!     }
//!
//!     fn players(&self) -> usize {
//!         2
//!     }
//!
//!     fn turn(&self) -> Turn {
//!         if self.left == 0 { Turn::Over } else { Turn::Player(self.mover) }
//!     }
//!
//!     fn legal_actions(&self, out: &mut ActionList) {
//!         out.clear();
//!         out.extend((1..=self.left.min(3)).map(|taken| Action(u16::from(taken))));
//!     }
//!
//!     fn apply(&mut self, action: Action) {
//!         self.left -= action.0 as u8;
//!         self.mover = self.mover.after(1, 2);
//!     }
//!
//!     fn payoffs(&self) -> Payoffs {
//!         let mut payoffs = [0.0; MAX_PLAYERS];
//!         if self.left == 0 {
//!             payoffs[self.mover.index()] = -1.0;
//!             payoffs[1 - self.mover.index()] = 1.0;
//!         }
//!         payoffs
//!     }
//!
//!     fn observation(&self) -> &'static ObservationSpec {
//!         &OBSERVATION
//!     }
//!
//!     fn observe(&self, _player: Player, out: &mut [i32]) {
//!         out[0] = i32::from(self.left);
//!     }
//!
//!     fn key(&self) -> u64 {
//!         mix(u64::from(self.left) << 8 | u64::from(self.mover.0))
//!     }
//!
//!     fn action_name(&self, action: Action) -> String {
//!         format!("take {}", action.0)
//!     }
//!
//!     fn is_consistent(&self) -> bool {
//!         self.left <= 21
//!     }
//! }
//!
//! impl fmt::Display for Stones {
//!     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
//!         write!(f, "{} stones, {} to move", self.left, self.mover)
//!     }
//! }
//!
//! conform::check::<Stones>(&(), 100, 1);
//!
//! let mut game = Stones::new(&());
//! game.apply(game.parse_action("take 1").expect("it is legal"));
//! assert_eq!(game.to_string(), "20 stones, seat 1 to move");
//! assert!(game.try_apply(Action(4)).is_err());
//! ```

pub mod conform;

mod companions;
mod contract;
mod driver;
mod exact;
mod info;
mod list;
mod observation;
mod perft;
mod picture;
mod playout;
mod seat;
mod symmetry;
mod tactics;
mod view;

pub use companions::{
    Companions, DrawPicture, PlayOut, RuleBook, RuleLine, SetWeights, Weights, WritePriorities,
    adopt_weights, focus, heuristic, play_out, priorities, set_weights, symmetries,
};
pub use contract::{Game, IllegalAction, choices};
pub use driver::{ChanceStream, Driver, End, Event, Playable};
pub use exact::{Bounds, ListCandidates, Score, SolverHints};
pub use info::{GameInfo, Utility};
pub use list::{Action, ActionList, List, MAX_ACTIONS, MAX_OUTCOMES, Outcome, OutcomeList};
pub use meeple_rng::{Rng, mix};
pub use observation::{Field, Kind, ObservationSpec};
pub use perft::perft;
pub use picture::{BoardPiece, CardPile, Cell, CellShape, Counter, Label, Picture};
pub use playout::{Steps, playout};
pub use seat::{Forced, MAX_PLAYERS, Payoffs, Player, Seats, Stakes, Turn, WrongSeats};
pub use symmetry::Symmetry;
pub use tactics::{QUIET, Tactics};
pub use view::View;
