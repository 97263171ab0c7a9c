//! A measured number and its unit.

use serde::{Deserialize, Serialize};

/// The unit of a row, with its name in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Nanoseconds per operation: less is better.
    NsPerOp,
    /// Games per second: more is better.
    GamesPerSecond,
    /// Decisions per second: more is better.
    DecisionsPerSecond,
    /// Card deals per second: more is better.
    DealsPerSecond,
    /// Simulations of a search per second: more is better.
    IterationsPerSecond,
    /// Nodes of a search to a depth per second: more is better.
    NodesPerSecond,
    /// The nodes of a depth for each node of the depth before: less is better.
    BranchingFactor,
    /// The share of lookups that a table answers: more is better.
    HitRate,
    /// Network evaluations per second: more is better.
    EvaluationsPerSecond,
    /// Training examples per second: more is better.
    ExamplesPerSecond,
    /// Tree memory in bytes per simulation: less is better.
    BytesPerIteration,
    /// Memory in bytes: less is better.
    Bytes,
}

impl Unit {
    /// The key in JSON.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::NsPerOp => "ns_per_op",
            Self::GamesPerSecond => "games_per_second",
            Self::DecisionsPerSecond => "decisions_per_second",
            Self::DealsPerSecond => "deals_per_second",
            Self::IterationsPerSecond => "iterations_per_second",
            Self::NodesPerSecond => "nodes_per_second",
            Self::BranchingFactor => "branching_factor",
            Self::HitRate => "hit_rate",
            Self::EvaluationsPerSecond => "evaluations_per_second",
            Self::ExamplesPerSecond => "examples_per_second",
            Self::BytesPerIteration => "bytes_per_iteration",
            Self::Bytes => "bytes",
        }
    }

    /// The label in tables.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::NsPerOp => "ns",
            Self::GamesPerSecond => "games/s",
            Self::DecisionsPerSecond => "decisions/s",
            Self::DealsPerSecond => "deals/s",
            Self::IterationsPerSecond => "simulations/s",
            Self::NodesPerSecond => "nodes/s",
            Self::BranchingFactor => "nodes/node",
            Self::HitRate => "hits/lookup",
            Self::EvaluationsPerSecond => "evaluations/s",
            Self::ExamplesPerSecond => "examples/s",
            Self::BytesPerIteration => "bytes/simulation",
            Self::Bytes => "bytes",
        }
    }

    /// Returns the speedup of `now` over `before`.
    #[must_use]
    pub fn speedup(self, now: f64, before: f64) -> f64 {
        match self {
            Self::NsPerOp | Self::BytesPerIteration | Self::Bytes | Self::BranchingFactor => {
                before / now
            }
            Self::GamesPerSecond
            | Self::DecisionsPerSecond
            | Self::DealsPerSecond
            | Self::IterationsPerSecond
            | Self::NodesPerSecond
            | Self::HitRate
            | Self::EvaluationsPerSecond
            | Self::ExamplesPerSecond => now / before,
        }
    }
}

/// One measured number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The name: suite or game, and what is measured.
    pub name: String,
    /// The unit of the value.
    pub unit: Unit,
    /// The measured value.
    pub value: f64,
}
