//! Temporal-difference learning of a value network by self-play on the positions after each turn
//! (TD-Gammon, Tesauro 1995).
//!
//! A run depends on its configuration alone: games are numbered and seeded by number, those of a
//! batch are played by one network, and the network learns from them in their order.

mod config;
mod run;
mod state;

pub use config::{LearningRate, Method, TdConfig, TrainingFile, read_training};
pub use run::{TdTrained, resume_td, train_td};
pub use state::{TdReport, is_td_run, saved_td_config};
