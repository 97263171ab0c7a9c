//! Games described in `.game` text files, run without compiling anything.
//!
//! A file is read into lines and tokens ([`lexer`]), parsed into a syntax tree ([`parser`]),
//! checked and lowered to flat register code over bitsets, one program for each seat
//! ([`lower`], [`emit`]), and run by an interpreter ([`machine`]).

mod board;
mod code;
mod config;
mod cursor;
mod effects;
mod emit;
mod errors;
mod expression;
mod game;
mod games;
mod hidden;
mod lexer;
mod lower;
mod machine;
mod observe;
mod ops;
mod parser;
mod program;
mod set;
mod state;
mod syntax;
mod text;
mod tree;

pub use config::Config;
pub use errors::FileError;
pub use games::{BUILTIN, builtin};
pub use program::Program;
pub use state::FileGame;
