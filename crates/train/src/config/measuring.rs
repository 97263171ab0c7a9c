//! What a training file says about measuring: gates and the ladder.

use meeple_bots::BotSpec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a network must do before it plays the games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Gate {
    /// Take a share of the points in a number of games. A network that is no
    /// stronger takes 55 % of 40 games in 32 % of cases, and more than that in
    /// 21 %.
    Share(ShareGate),
    /// Pass a sequential test.
    Sprt(SprtGate),
}

/// A share of the points to take.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ShareGate {
    /// The share.
    pub share: f64,
    /// The games, in pairs with the same luck and swapped seats.
    pub games: u64,
}

impl Default for ShareGate {
    fn default() -> Self {
        Self { share: 0.55, games: 40 }
    }
}

/// A sequential test to pass.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SprtGate {
    /// The strength, in Elo, at which the network is refused.
    pub elo0: f64,
    /// The strength at which it is taken.
    pub elo1: f64,
    /// How often a network of the first strength may be taken.
    pub alpha: f64,
    /// How often one of the second strength may be refused.
    pub beta: f64,
    /// Games after which it is refused for want of a decision.
    pub most_games: u64,
}

impl Default for SprtGate {
    fn default() -> Self {
        Self { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05, most_games: 400 }
    }
}

/// How strength is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct EvaluationConfig {
    /// Iterations from one measurement to the next; 0 means none.
    pub every: u64,
    /// Games against each opponent, in blocks with the same luck in which the
    /// network sits at every seat.
    pub games: u64,
    /// How the network plays: `puct` with its options, but for the model.
    #[schemars(with = "String")]
    pub bot: BotSpec,
    /// The opponents, from the weakest; the first is where Elo counts from.
    #[schemars(with = "Vec<String>")]
    pub ladder: Vec<BotSpec>,
    /// Earlier measured networks that it plays too.
    pub checkpoints: usize,
    /// Random decisions with which games between networks begin where there is
    /// no luck, the same at both seats: networks draw nothing, and would play
    /// one game again and again.
    pub openings: u32,
}

impl Default for EvaluationConfig {
    fn default() -> Self {
        let bot = |text: &str| text.parse().expect("these bots exist");
        Self {
            every: 10,
            games: 20,
            bot: bot("puct:sims=64"),
            ladder: vec![bot("random"), bot("mcts:sims=100"), bot("mcts:sims=1000")],
            checkpoints: 2,
            openings: 4,
        }
    }
}
