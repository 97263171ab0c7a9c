//! The lab: a page to play any game, watch bots think and read results, and the
//! server behind it.
//!
//! [`serve`] answers until it is told to stop. [`router`] is the same without a socket,
//! for tests and for whoever has a server already:
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
//! The API is described by what `/api/openapi.json` answers, and in `docs/src/reference/lab.md`.

mod api;
mod assets;
mod board;
mod cards;
mod commands;
mod endpoints;
mod files;
mod games;
mod gate;
mod guard;
mod impatient;
mod keys;
mod lab;
#[cfg(test)]
mod leaks;
mod openapi;
mod options;
mod permits;
mod poker;
mod refusal;
mod replays;
mod restore;
mod runs;
mod seats;
mod secrets;
mod serve;
mod session;
mod socket;
mod store;
mod table;
mod thinking;
mod thoughts;
mod training;
mod view;

pub use api::router;
pub use lab::{Lab, LabError};
pub use options::{Limits, Options};
pub use secrets::new_token;
pub use serve::{Serving, link, serve};
