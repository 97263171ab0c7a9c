//! Matches between bots, experiments, tuning, assessments, data collection and replays.
//!
//! This crate is not generic over games: it uses the type-erased positions and bots of
//! `meeple-bots`.
//!
//! ```
//! use meeple_arena::{Simulation, simulate};
//! use meeple_bots::open;
//!
//! let simulation = Simulation {
//!     games: 200,
//!     seed: 1,
//!     bots: vec!["greedy".parse()?, "random".parse()?],
//!     ..Simulation::default()
//! };
//! let table = open("connect-four", None)?;
//! let tally = simulate(&*table, &simulation, &Default::default())?;
//! assert!(tally.seats[0].wins > 150);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod assess;
mod conduct;
mod experiment;
mod export;
mod import;
mod number;
mod play;
mod replay;
mod run;
mod samples;
mod simulate;
mod summary;
mod table;
mod tally;
mod winnings;

pub use assess::{
    ASSESSMENT_VERSION, ActionCoverage, AssessOptions, Assessment, Course, CurveStep, DeadAction,
    Decisions, Doubling, Figure, Finding, FindingKind, LEAD_MARGIN, Outcomes, RuleCoverage,
    STAKE_MARGIN, SeatOutcome, Skill, assess,
};
pub use conduct::{Conducted, MakeReport, conduct};
pub use experiment::{
    Benchmark, BotEntry, Collect, Draw, Experiment, Method, Mistake, Model, Output, Parameter,
    Schedule, Scoring, SimulateTask, SprtTask, Table, Task, Tournament, Tune, beside, read_checked,
    read_experiment,
};
pub use export::{ExportError, Format, export};
pub use import::{ImportError, import};
pub use meeple_bots::Error;
pub use number::{payoff_text, signed};
pub use play::Match;
pub use replay::{Analysis, Candidate, Frame, REPLAY_VERSION, Replay, ReplayError, SeatForfeit};
pub use run::{
    BotTiming, DecisionTimes, Record, RunError, RunOptions, Timing, Tuned, TunedCandidate,
};
pub use samples::{SAMPLES_VERSION, Sample, SampleError, SampleLayout, Samples};
pub use simulate::{RunProgress, Simulation, record, simulate};
pub use summary::{
    BotSummary, ForfeitSummary, LengthBar, PairingSummary, SUMMARY_VERSION, Summary, TableSummary,
    Tallied, TestSummary, TunedSummary,
};
pub use tally::{MatchTally, SeatTally, Tally};
pub use winnings::{Winnings, WinningsUnit};
