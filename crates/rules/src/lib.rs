//! Games described in `.game` text files, run without compiling anything.
//!
//! A file is read into lines and tokens (`lexer`), parsed into a syntax tree (`parser`), checked
//! and lowered to flat register code over bitsets, one program for each seat (`lower`, `emit`), and
//! run by an interpreter (`machine`). `docs/src/reference/game-files.md` lists every word.
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use meeple_game::{Game, Turn, choices};
//! use meeple_rules::{Config, FileGame};
//!
//! let text = "\
//! game Race
//! players 2 facing
//! board square 3
//! piece runner
//! start
//!   each player: put runner on row 1
//! turn
//!   move runner step ahead to empty
//!   otherwise pass
//! end
//!   everybody stuck: draw
//!   mine on row 3: mover wins
//! ";
//! let config: Config<15> = Config::new("race.game", text, BTreeMap::new())?;
//! let mut game = FileGame::<15>::new(&config);
//! assert_eq!((game.name(), choices(&game).len()), ("race", 3));
//! game.apply(game.parse_action("b1-b2").expect("a legal action"));
//! assert!(matches!(game.turn(), Turn::Player(_)));
//! # Ok::<_, meeple_rules::FileError>(())
//! ```

mod arena;
mod board;
mod code;
mod config;
mod cpu;
mod cursor;
mod dice;
mod effects;
mod emit;
mod errors;
mod expression;
mod game;
mod games;
mod hidden;
mod lanes;
mod layout;
mod lexer;
mod lines;
mod link;
mod lower;
mod machine;
mod names;
mod observe;
mod ops;
mod parser;
mod picture;
mod play;
mod program;
mod rule_book;
mod set;
mod star;
mod state;
mod symmetry;
mod syntax;
mod text;
mod tree;
mod warnings;

pub use config::Config;
pub use errors::{FileError, Warnings};
pub use games::{BUILTIN, builtin};
pub use program::Program;
pub use state::FileGame;
