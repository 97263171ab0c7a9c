//! Self-play training, after AlphaZero (Silver et al. 2018): a network plays itself, learns
//! from the results of its searches, and is measured against a fixed ladder of opponents.
//!
//! [`train`] runs a [`TrainConfig`] in a folder, [`resume`] continues an interrupted run, and
//! [`evaluate`] measures a network. [`train_td`] learns a value network from positions after each
//! turn instead (Tesauro 1995). Results depend neither on time nor on the number of
//! threads: the same configuration gives the same games and the same weights.

mod any_game;
mod check;
mod config;
mod dashboard;
mod evaluate;
mod events;
mod folder;
mod games;
mod journal;
mod ladder;
mod learn;
mod measure;
mod processor;
mod progress;
mod replay;
mod report;
mod run;
mod self_play;
mod start;
mod state;
mod td;

mod error;

pub use any_game::register;
pub use check::read_config;
pub use config::{
    BufferConfig, Dirichlet, EvaluationConfig, Gate, Gumbel, LearningConfig, Limit, NetworkConfig,
    Precision, Rate, Root, SelfPlayConfig, SelfPlayOpponent, ShareGate, SprtGate, Temperature,
    TrainConfig,
};
pub use dashboard::show as show_dashboard;
pub use error::TrainError;
pub use evaluate::{Against, EvaluateOptions, Evaluated, evaluate};
pub use events::EventFile;
#[doc(hidden)]
pub use journal::{
    frame as journal_frame, read_games as read_journal, write_game as write_journal,
};
pub use ladder::{LadderRating, MatchResult, network_name, ratings};
pub use learn::LearningReport;
pub use processor::processor_seconds;
pub use progress::{Board, TrainProgress};
pub use replay::Buffer;
pub use run::{Ended, Trained};
pub use self_play::{Counters, PlayedGame, SelfPlay};
pub use start::{TrainOptions, resume, saved_config, train};
pub use state::{IterationReport, State, TRAIN_VERSION};
pub use td::{
    LearningRate, Method, TdConfig, TdReport, TdTrained, TrainingFile, is_td_run, read_training,
    resume_td, saved_td_config, train_td,
};
