//! Experiments: JSON files that define games, bots and a task.

mod check;
mod entry;
mod limits;
mod locate;
mod pool;
mod read;
mod task;

use std::path::PathBuf;

use meeple_bots::Position;
use meeple_stats::EloScale;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use check::check;
pub(crate) use entry::plain;
pub use entry::{BotEntry, Draw, Table};
pub use read::{Mistake, beside, read_checked, read_experiment};
pub use task::{
    Benchmark, Collect, Method, Model, Parameter, Schedule, SimulateTask, SprtTask, Task,
    Tournament, Tune,
};

/// An experiment, as read from its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// The path of the JSON Schema of this file, for editors.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The name of the experiment and, by default, of its result folder: letters, digits and
    /// hyphens.
    pub name: String,
    /// A description, for the report.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Random seed. The same seed gives the same games.
    #[serde(default)]
    pub seed: u64,
    /// The games to play: names of games, or games with configurations.
    pub tables: Vec<Table>,
    /// The bots, unless a table has its own.
    #[serde(default)]
    pub bots: Vec<BotEntry>,
    /// What to do with the bots.
    pub task: Task,
    /// How games between two bots are scored. By default payoffs in games for stakes (poker), and
    /// wins in all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scoring: Option<Scoring>,
    /// What to write besides the results.
    #[serde(default)]
    pub output: Output,
}

/// How games between two bots are scored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scoring {
    /// One point for the higher payoff, half a point each for equal payoffs.
    #[default]
    Wins,
    /// Half a point each, plus a quarter of the difference of payoffs, for games in which the
    /// margin matters.
    Payoff,
}

impl Scoring {
    /// The default scoring of a game: payoffs in games for stakes, otherwise wins.
    #[must_use]
    pub fn of_table(table: &dyn Position) -> Self {
        if table.stakes().is_some() { Self::Payoff } else { Self::Wins }
    }

    /// The Elo scale of these scores.
    pub(crate) const fn elo_scale(self) -> EloScale {
        match self {
            Self::Wins => EloScale::Logistic,
            Self::Payoff => EloScale::Normalized,
        }
    }

    /// Whether games are scored by wins.
    pub(crate) fn is_wins(&self) -> bool {
        *self == Self::Wins
    }
}

/// The output of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Output {
    /// The result folder. By default `runs/` and the name of the experiment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// The number of replays to keep of each match, from its first game on.
    pub replays: u64,
    /// Whether replays contain search statistics.
    pub analysis: bool,
    /// The number of replays of each table in the report.
    pub samples: usize,
    /// Whether to write `games.csv`.
    pub csv: bool,
    /// Whether to write `games.parquet`. Requires a build with Parquet support.
    pub parquet: bool,
    /// Whether to write `report.html`.
    pub report: bool,
}

impl Default for Output {
    fn default() -> Self {
        Self {
            folder: None,
            replays: 2,
            analysis: false,
            samples: 2,
            csv: true,
            parquet: false,
            report: true,
        }
    }
}

impl Experiment {
    /// The bots of a table.
    #[must_use]
    pub fn bots_of(&self, table: usize) -> &[BotEntry] {
        self.tables[table].bots.as_deref().unwrap_or(&self.bots)
    }

    /// The result folder.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.output.folder.clone().unwrap_or_else(|| PathBuf::from("runs").join(&self.name))
    }

    /// Returns the JSON Schema of experiment files, for editors.
    #[must_use]
    pub fn json_schema() -> serde_json::Value {
        let mut schema = schemars::schema_for!(Self).to_value();
        schema["title"] = "An experiment of Meeple".into();
        schema
    }
}
