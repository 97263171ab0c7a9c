//! What an experiment is: a JSON file that says who plays what, how often, and what for.

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
pub use read::{Mistake, read_checked, read_experiment};
pub use task::{
    Benchmark, Collect, Method, Model, Parameter, Schedule, SimulateTask, SprtTask, Task,
    Tournament, Tune,
};

/// An experiment, as its file says it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Where the schema of this file is, for editors.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Its name, which also names the folder of its results: letters, digits
    /// and hyphens.
    pub name: String,
    /// What it is to find out, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Where all luck comes from: the same seed gives the same games.
    #[serde(default)]
    pub seed: u64,
    /// What is played: the name of a game, or a game with its configurations.
    pub tables: Vec<Table>,
    /// Who plays, unless a table says otherwise.
    #[serde(default)]
    pub bots: Vec<BotEntry>,
    /// What is done with them.
    pub task: Task,
    /// What a game is worth to two bots that are compared; unless given, payoffs in
    /// games for stakes (poker), and wins in all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scoring: Option<Scoring>,
    /// What is written besides the results.
    #[serde(default)]
    pub output: Output,
}

/// What a game is worth to two bots that are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Scoring {
    /// A point to whoever got more, half a point to both if they got the same.
    #[default]
    Wins,
    /// Half a point to both, and a quarter of what one got more than the other:
    /// for games in which it matters how much is won.
    Payoff,
}

impl Scoring {
    /// How a game is scored unless an experiment says it: by payoff where it is played
    /// for stakes.
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

    /// Whether it is by wins.
    pub(crate) fn is_wins(&self) -> bool {
        *self == Self::Wins
    }
}

/// What an experiment writes, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Output {
    /// The folder; `runs/` and the name of the experiment unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// Replays to keep of each match: those of its first games.
    pub replays: u64,
    /// Whether replays contain the analysis of the bots' searches.
    pub analysis: bool,
    /// Games of each table that the report can step through.
    pub samples: usize,
    /// Whether `games.csv` is written.
    pub csv: bool,
    /// Whether `games.parquet` is written; needs a program built with it.
    pub parquet: bool,
    /// Whether `report.html` is written.
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

    /// The folder of the results.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.output.folder.clone().unwrap_or_else(|| PathBuf::from("runs").join(&self.name))
    }

    /// The JSON Schema of experiment files, for editors.
    #[must_use]
    pub fn json_schema() -> serde_json::Value {
        let mut schema = schemars::schema_for!(Self).to_value();
        schema["title"] = "An experiment of Meeple".into();
        schema
    }
}
