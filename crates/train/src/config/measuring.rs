//! The settings of measurements: gating and the ladder.

use meeple_bots::BotSpec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The condition that a network must meet to become the actor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Gate {
    /// A minimum score in a fixed number of games. A network of equal strength scores at least
    /// 55 % of 40 games in 32 % of cases, and more than that in 21 %.
    Share(ShareGate),
    /// A sequential probability ratio test (SPRT).
    Sprt(SprtGate),
}

/// A minimum score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ShareGate {
    /// The score to reach, between 0 and 1.
    pub share: f64,
    /// The number of games, in pairs with the same chance events and swapped seats.
    pub games: u64,
}

impl Default for ShareGate {
    fn default() -> Self {
        Self { share: 0.55, games: 40 }
    }
}

/// A sequential probability ratio test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SprtGate {
    /// The Elo difference of H0, under which the network is rejected.
    pub elo0: f64,
    /// The Elo difference of H1, under which it is accepted.
    pub elo1: f64,
    /// The probability of accepting a network at `elo0`.
    pub alpha: f64,
    /// The probability of rejecting a network at `elo1`.
    pub beta: f64,
    /// The number of games after which an undecided network is rejected.
    pub most_games: u64,
}

impl Default for SprtGate {
    fn default() -> Self {
        Self { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05, most_games: 400 }
    }
}

/// The settings of measurements on the ladder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct EvaluationConfig {
    /// The number of iterations between measurements; 0 means none.
    pub every: u64,
    /// Games against each opponent, in blocks with the same chance events in which the network
    /// plays every seat.
    pub games: u64,
    /// How the network plays: `puct` with its options, without the model.
    #[schemars(with = "String")]
    pub bot: BotSpec,
    /// The opponents, weakest first; the first one is the zero of the Elo scale.
    #[schemars(with = "Vec<String>")]
    pub ladder: Vec<BotSpec>,
    /// The number of earlier checkpoints that it also plays.
    pub checkpoints: usize,
    /// The number of random opening decisions in games between networks where the game has no
    /// chance events, the same for both seatings. Networks play deterministically, so without
    /// openings every game would be the same.
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
