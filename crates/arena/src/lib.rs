//! Bots by name, games between them, and what the results are worth.
//!
//! ```
//! use meeple_arena::{Simulation, simulate};
//! use meeple_games::small::ConnectFour;
//!
//! let simulation = Simulation {
//!     games: 200,
//!     seed: 1,
//!     bots: vec!["greedy".parse()?, "random".parse()?],
//!     ..Simulation::default()
//! };
//! let tally = simulate::<ConnectFour>(&Default::default(), &simulation, &Default::default())?;
//! assert!(tally.seats[0].wins > 150);
//! # Ok::<_, meeple_arena::Error>(())
//! ```

mod any_game;
mod bot;
mod bots;
mod conduct;
mod error;
mod experiment;
mod export;
mod external;
mod import;
mod number;
mod play;
mod position;
mod replay;
mod report;
mod run;
mod samples;
mod simulate;
mod summary;
mod table;
mod tally;
mod winnings;

pub use any_game::register;
pub use bot::{Bot, BotSpec};
pub use bots::{BotNameTaken, MakeBot, RegisteredBot, RegisteredSpec, SeatView, register_bot};
pub use bots::{Eval, Keep, Prior, SearchKind, SearchSpec, Sharing, Size};
pub use conduct::{Conducted, conduct};
pub use error::{BotError, Error};
pub use experiment::{
    Benchmark, BotEntry, Collect, Draw, Experiment, Method, Mistake, Model, Output, Parameter,
    Schedule, Scoring, SimulateTask, SprtTask, Table, Task, Tournament, Tune, read_checked,
    read_experiment,
};
pub use export::{ExportError, Format, export, import_pgn};
pub use external::{Cause, ExternalSpec, Forfeit, Protocol};
pub use import::{ImportError, import, import_mat, import_phh};
pub use meeple_stats::{
    Duel, Interval, Pairing, Rating, Ratings, Scores, Sprt, Verdict, duel, elo_of_score,
    expected_score, needed_games, normal_cdf, normal_quantile, rate, superiority, wilson,
};
pub use number::{payoff_text, signed};
pub use play::{Contender, Match, Played, Watch, play_game};
pub use position::{
    LeafBatch, ObservationEvaluator, OpenError, Position, SeatBot, choices_of, open, read_config,
};
pub use replay::{Candidate, Frame, REPLAY_VERSION, Replay, ReplayError, SeatForfeit, Thought};
pub use report::{escape as escape_html, report_page};
pub use run::{
    BotTiming, DecisionTimes, Record, RunError, RunOptions, Timing, Tuned, TunedCandidate,
};
pub use samples::{SAMPLES_VERSION, Sample, SampleError, Samples};
pub use simulate::{Progress, Simulation, simulate};
pub use summary::{
    BotSummary, DuelSummary, ForfeitSummary, LengthBar, SUMMARY_VERSION, Summary, TableSummary,
    Tallied, TestSummary, TunedSummary,
};
pub use tally::{MatchTally, SeatTally, Tally};
pub use winnings::{Winnings, WinningsUnit};
