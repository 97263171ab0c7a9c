//! Solves heads-up hold'em after the flop: strategies of bounded exploitability, for two
//! ranges, a board, stacks and bet sizes.

mod boards;
mod cell;
mod error;
mod flops;
mod kernel;
mod line;
mod lock;
mod passes;
mod plan;
mod query;
mod save;
mod size;
mod solver;
mod spot;
mod spot_text;
mod store;
mod streets;
mod terminal;
mod tree;
mod tree_options;
mod walk;

pub use error::Error;
pub use flops::{WeightedFlop, canonical_flops, parse_flops};
pub use plan::MemoryPlan;
pub use query::{GroupReport, HandReport, NodeReport};
pub use size::{ParseSizeError, Size, parse_sizes};
pub use solver::{Progress, Solver, Stop};
pub use spot::{ParseScheduleError, Schedule, SolverOptions, Spot};
pub use spot_text::{LockText, SizesText, SpotText, StreetText};
pub use tree::{Action, Seat, Street};
pub use tree_options::{StreetSizes, TreeOptions};
