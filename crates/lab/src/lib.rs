//! The lab: a web page to play any game, watch searches and read results, and its server.
//!
//! [`serve`] runs the server until Ctrl-C. [`router`] is the application without a socket, for
//! tests and for embedding in another server:
//!
//! ```
//! use meeple_lab::{Lab, Options, router};
//!
//! let folder = std::env::temp_dir().join("meeple-lab-example");
//! let options = Options { store: folder.clone(), ..Options::default() };
//! let app = router(Lab::open(options)?);
//! # drop(app);
//! # std::fs::remove_dir_all(folder).ok();
//! # Ok::<_, meeple_lab::LabError>(())
//! ```
//!
//! The API is documented by `/api/openapi.json` and in `docs/src/reference/lab.md`.

mod agents;
mod analysis;
mod api;
mod assets;
mod board;
mod cards;
mod commands;
mod endpoints;
mod error;
mod files;
mod game_session;
mod games;
mod guard;
mod json_body;
mod keys;
mod lab;
#[cfg(test)]
mod leaks;
mod openapi;
mod options;
mod pause;
mod poker;
mod replays;
mod restore;
mod runs;
mod searches;
mod seats;
mod secrets;
mod serve;
mod session;
mod slots;
mod socket;
mod store;
mod training;
mod view;
mod write_timeout;

pub use agents::{AgentError, OpenedTable, SeatState, Status, TableRequest, Ticket};
pub use api::router;
pub use lab::{Lab, LabError};
pub use options::{Limits, Options};
pub use secrets::{constant_time_eq, new_token};
pub use serve::{Server, link, serve};
pub use view::LogEntry;
