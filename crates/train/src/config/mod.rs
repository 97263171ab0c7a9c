//! The configuration of a training run: a JSON file with the settings of self-play, learning
//! and measurements.

mod measuring;

use std::path::{Path, PathBuf};

use meeple_bots::BotSpec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use measuring::{EvaluationConfig, Gate, ShareGate, SprtGate};

/// The configuration of a training run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrainConfig {
    /// The location of the schema of this file, for editors.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The game, as `meeple games` lists it.
    pub game: String,
    /// The configuration of the game, such as `{"players": 2}`; the game's default unless
    /// given.
    #[serde(default = "no_fields")]
    pub table: Value,
    /// The random seed: the same seed gives the same games and the same network.
    #[serde(default)]
    pub seed: u64,
    /// The folder of the run; `runs/train-GAME` unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// The size of the network.
    #[serde(default)]
    pub network: NetworkConfig,
    /// The settings of self-play.
    #[serde(default)]
    pub self_play: SelfPlayConfig,
    /// The replay buffer.
    #[serde(default)]
    pub buffer: BufferConfig,
    /// The settings of learning.
    #[serde(default)]
    pub learning: LearningConfig,
    /// Gating: the condition that a new network must meet before it generates games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
    /// The measurements of strength.
    #[serde(default)]
    pub evaluation: EvaluationConfig,
    /// The limits of the run.
    #[serde(default)]
    pub limit: Limit,
}

fn no_fields() -> Value {
    Value::Object(serde_json::Map::new())
}

/// The sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkConfig {
    /// Units of the trunk.
    pub width: usize,
    /// Residual blocks of the trunk.
    pub blocks: usize,
    /// Units of the neck, the layer before both heads.
    pub neck: usize,
    /// Hidden units of the value head.
    pub value: usize,
}

impl Default for NetworkConfig {
    fn default() -> Self {
        Self { width: 128, blocks: 2, neck: 128, value: 64 }
    }
}

/// The settings of self-play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SelfPlayConfig {
    /// Games per iteration, all by one network.
    pub games: u64,
    /// Games that a thread plays concurrently; their leaves are evaluated in one batch.
    pub at_once: usize,
    /// Action selection at the root.
    pub root: Root,
    /// Simulations for a decision that is trained on.
    pub simulations: u32,
    /// Simulations for the other decisions.
    pub fast_simulations: u32,
    /// The share of decisions that are searched with the full number of simulations and
    /// trained on: playout cap randomization (Wu 2019).
    pub full_share: f64,
    /// The exploration constant of PUCT.
    pub exploration: f32,
    /// The maximum number of random opening decisions; each game draws its number. They are
    /// not trained on, but they lead to positions that the network would not reach by itself.
    pub openings: u32,
    /// Opponent mixing: a bot that takes a seat in some of the games; none unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent: Option<SelfPlayOpponent>,
    /// The temperature schedule, by the number of decisions. Actions are sampled in proportion
    /// to the search policy at temperature 1, and the best action is played at 0.
    pub temperatures: Vec<Temperature>,
    /// The number of decisions after which a game is cut off.
    pub longest: u32,
    /// The precision of weights in self-play: bytes are faster in wide networks, with nearly
    /// the same results.
    pub precision: Precision,
}

/// The precision of weights for inference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// As trained.
    #[default]
    Float,
    /// Quantized to 8 bits.
    Byte,
}

impl Default for SelfPlayConfig {
    fn default() -> Self {
        Self {
            games: 256,
            at_once: 64,
            root: Root::default(),
            simulations: 48,
            fast_simulations: 12,
            full_share: 0.5,
            exploration: 1.25,
            openings: 0,
            opponent: None,
            temperatures: vec![Temperature { from: 0, temperature: 1.0 }],
            longest: 2_000,
            precision: Precision::Float,
        }
    }
}

/// A bot that takes one random seat in a share of the games, so that the network sees play
/// that is not its own. The bot's decisions are not trained on; the results of its games are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SelfPlayOpponent {
    /// The bot, such as `greedy`.
    #[schemars(with = "String")]
    pub bot: BotSpec,
    /// The share of games with the bot.
    pub share: f64,
}

/// A step of the temperature schedule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Temperature {
    /// The number of decisions from which on it applies.
    pub from: u32,
    /// The temperature.
    pub temperature: f32,
}

/// Action selection at the root of searches in self-play.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Root {
    /// Sequential halving with Gumbel noise (Danihelka et al. 2022); needs few simulations.
    Gumbel(Gumbel),
    /// PUCT with Dirichlet noise on the priors (Silver et al. 2017); needs some hundred
    /// simulations.
    Puct(Dirichlet),
}

impl Default for Root {
    fn default() -> Self {
        Self::Gumbel(Gumbel::default())
    }
}

/// The parameters of sequential halving with Gumbel noise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Gumbel {
    /// The number of actions in the first round.
    pub considered: usize,
    /// The offset of the visit count in the scale of values (c_visit of Danihelka et al.
    /// 2022).
    pub visit_offset: f32,
    /// The weight of values relative to prior logits (c_scale of Danihelka et al. 2022).
    pub value_scale: f32,
    /// Whether interior nodes also follow the improved policy.
    pub below: bool,
}

impl Default for Gumbel {
    fn default() -> Self {
        Self { considered: 16, visit_offset: 50.0, value_scale: 0.2, below: false }
    }
}

/// The parameters of Dirichlet noise on the priors of the root.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Dirichlet {
    /// The concentration of the noise; about 10 / number of actions.
    pub alpha: f32,
    /// The share of the noise in the noisy prior.
    pub share: f32,
}

impl Default for Dirichlet {
    fn default() -> Self {
        Self { alpha: 0.3, share: 0.25 }
    }
}

/// The settings of the replay buffer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BufferConfig {
    /// The initial size of the window, in decisions.
    pub first: u64,
    /// The maximum size of the window, in decisions.
    pub last: u64,
    /// The growth of the window per decision played.
    pub growth: f64,
    /// The mean number of times that a decision is trained on.
    pub trainings: f64,
    /// The maximum number of times that a decision is trained on.
    pub most_trainings: u8,
}

impl Default for BufferConfig {
    fn default() -> Self {
        Self { first: 20_000, last: 400_000, growth: 0.5, trainings: 3.0, most_trainings: 8 }
    }
}

/// The settings of learning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LearningConfig {
    /// The batch size, in decisions.
    pub batch: usize,
    /// The learning rate schedule, by iteration.
    pub rates: Vec<Rate>,
    /// Decoupled weight decay: a step shrinks weights by this times the learning rate.
    pub weight_decay: f32,
    /// The weight of the value loss relative to the policy loss.
    pub value_weight: f32,
    /// The share of the root value of the search in the value target; the rest is the outcome
    /// of the game.
    pub search_share: f32,
    /// The maximum norm of the gradient, above which it is clipped.
    pub largest_gradient: f32,
    /// Whether each example is transformed by a random symmetry of the game, where it has any.
    pub symmetries: bool,
}

impl Default for LearningConfig {
    fn default() -> Self {
        Self {
            batch: 256,
            rates: vec![Rate { from: 0, rate: 1e-3 }],
            weight_decay: 1e-2,
            value_weight: 1.0,
            search_share: 0.25,
            largest_gradient: 1.0,
            symmetries: true,
        }
    }
}

/// A step of the learning rate schedule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// The number of iterations from which on it applies.
    pub from: u64,
    /// The learning rate.
    pub rate: f32,
}

/// The limits of a run; the first one reached ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limit {
    /// The maximum number of iterations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u64>,
    /// The maximum wall-clock time in minutes, over all parts of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minutes: Option<f64>,
}

impl TrainConfig {
    /// Returns the JSON Schema of training files, for editors.
    #[must_use]
    pub fn json_schema() -> Value {
        let mut schema = schemars::schema_for!(Self).to_value();
        schema["title"] = "A training run of Meeple".into();
        schema
    }

    /// Returns the default settings for a game.
    #[must_use]
    pub fn of(game: &str) -> Self {
        Self {
            schema: None,
            game: game.to_owned(),
            table: no_fields(),
            seed: 0,
            folder: None,
            network: NetworkConfig::default(),
            self_play: SelfPlayConfig::default(),
            buffer: BufferConfig::default(),
            learning: LearningConfig::default(),
            gate: None,
            evaluation: EvaluationConfig::default(),
            limit: Limit::default(),
        }
    }

    /// Returns the folder of the run.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        // The game may be the path of a file.
        let name = Path::new(&self.game).file_stem().unwrap_or_default().to_string_lossy();
        let usual = || PathBuf::from("runs").join(format!("train-{name}"));
        self.folder.clone().unwrap_or_else(usual)
    }
}

impl SelfPlayConfig {
    /// Returns the temperature after this many decisions.
    #[must_use]
    pub fn temperature(&self, decisions: u64) -> f32 {
        let reached = self.temperatures.iter().rfind(|step| u64::from(step.from) <= decisions);
        reached.map_or(1.0, |step| step.temperature)
    }
}

impl LearningConfig {
    /// Returns the learning rate after this many iterations.
    #[must_use]
    pub fn rate(&self, iterations: u64) -> f32 {
        let reached = self.rates.iter().rfind(|step| step.from <= iterations);
        reached.map_or(1e-3, |step| step.rate)
    }
}

impl BufferConfig {
    /// Returns the size of the window after this many decisions.
    #[must_use]
    pub fn window(&self, played: u64) -> u64 {
        let beyond = played.saturating_sub(self.first) as f64;
        (self.first + (beyond * self.growth) as u64).min(self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_hold_from_their_step_on() {
        let step = |from, temperature| Temperature { from, temperature };
        let temperatures = vec![step(0, 1.0), step(10, 0.5), step(20, 0.0)];
        let config = SelfPlayConfig { temperatures, ..SelfPlayConfig::default() };
        assert_eq!(
            [0, 9, 10, 19, 20, 99].map(|at| config.temperature(at)),
            [1.0, 1.0, 0.5, 0.5, 0.0, 0.0]
        );
    }

    #[test]
    fn windows_grow_to_their_bound() {
        let buffer = BufferConfig { first: 100, last: 200, growth: 0.5, ..Default::default() };
        assert_eq!(
            [0, 100, 150, 300, 9_999].map(|played| buffer.window(played)),
            [100, 100, 125, 200, 200]
        );
    }
}
