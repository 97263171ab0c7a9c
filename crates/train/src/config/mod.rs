//! What a training run is: a JSON file that says what is played, learned and measured.

mod measuring;

use std::path::PathBuf;

use meeple_bots::BotSpec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use measuring::{EvaluationConfig, Gate, ShareGate, SprtGate};

/// A training run, as its file says it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrainConfig {
    /// Where the schema of this file is, for editors.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The game, as `meeple games` lists it.
    pub game: String,
    /// The table, such as `{"players": 2}`; the usual one unless given.
    #[serde(default = "no_fields")]
    pub table: Value,
    /// Where all luck comes from: the same seed gives the same games and the
    /// same network.
    #[serde(default)]
    pub seed: u64,
    /// The folder of the run; `runs/train-GAME` unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// How wide and deep the network is.
    #[serde(default)]
    pub network: NetworkConfig,
    /// How games are played.
    #[serde(default)]
    pub self_play: SelfPlayConfig,
    /// Which decisions are learned from, and how often.
    #[serde(default)]
    pub buffer: BufferConfig,
    /// How the network learns.
    #[serde(default)]
    pub learning: LearningConfig,
    /// Whether a network must beat the one that plays before it takes over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
    /// How strength is measured.
    #[serde(default)]
    pub evaluation: EvaluationConfig,
    /// When the run is over.
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
    /// Units from which both heads start.
    pub neck: usize,
    /// Hidden units of the value head.
    pub value: usize,
}

impl Default for NetworkConfig {
    fn default() -> Self {
        Self { width: 128, blocks: 2, neck: 128, value: 64 }
    }
}

/// How games are played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SelfPlayConfig {
    /// Games of an iteration, all by one network.
    pub games: u64,
    /// Games that a thread plays at once, whose leaves are judged together.
    pub at_once: usize,
    /// How the root is searched.
    pub root: Root,
    /// Simulations for a decision that is learned from.
    pub simulations: u32,
    /// Simulations for the other decisions.
    pub fast_simulations: u32,
    /// The share of decisions that are searched in full and learned from.
    pub full_share: f64,
    /// The exploration constant of PUCT.
    pub exploration: f32,
    /// The most random decisions with which a game begins; each game draws how
    /// many. They are not learned from, but what follows shows the network
    /// positions that it would not come to by itself.
    pub openings: u32,
    /// Who takes a seat in some of the games; nobody unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent: Option<SelfPlayOpponent>,
    /// From which decision of a game on, which temperature: how freely actions
    /// are drawn, 1 as the search says, 0 always its best.
    pub temperatures: Vec<Temperature>,
    /// Decisions after which a game is cut off.
    pub longest: u32,
    /// How weights are kept while games are played: bytes are faster in wide
    /// networks, and nearly the same.
    pub precision: Precision,
}

/// How weights are kept for prediction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// As they are trained.
    #[default]
    Float,
    /// Rounded to bytes.
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

/// A bot that takes one seat, drawn by lot, in a share of the games: the
/// network then meets play that is not its own. Nothing is learned from the
/// bot's decisions but how the game went for the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SelfPlayOpponent {
    /// The bot, such as `greedy`.
    #[schemars(with = "String")]
    pub bot: BotSpec,
    /// The share of the games.
    pub share: f64,
}

/// A temperature, and from when on it holds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Temperature {
    /// The number of decisions before.
    pub from: u32,
    /// The temperature.
    pub temperature: f32,
}

/// How the root of a search is searched in self-play.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Root {
    /// Sequential halving with Gumbel noise: good with few simulations.
    Gumbel(Gumbel),
    /// As everywhere else, with Dirichlet noise on the priors: takes some
    /// hundred simulations.
    Puct(Dirichlet),
}

impl Default for Root {
    fn default() -> Self {
        Self::Gumbel(Gumbel::default())
    }
}

/// Sequential halving with Gumbel noise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Gumbel {
    /// How many actions enter the first round.
    pub considered: usize,
    /// Visits at which a value counts as much as a prior.
    pub visit_offset: f32,
    /// How much values count beside priors.
    pub value_scale: f32,
    /// Whether states below the root follow the improved policy too.
    pub below: bool,
}

impl Default for Gumbel {
    fn default() -> Self {
        Self { considered: 16, visit_offset: 50.0, value_scale: 0.2, below: false }
    }
}

/// Dirichlet noise on the priors of the root.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Dirichlet {
    /// How even the noise is; about 10 / actions.
    pub alpha: f32,
    /// The share of the noise in the prior.
    pub share: f32,
}

impl Default for Dirichlet {
    fn default() -> Self {
        Self { alpha: 0.3, share: 0.25 }
    }
}

/// Which decisions are learned from, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BufferConfig {
    /// Decisions of the window at first.
    pub first: u64,
    /// Decisions that the window grows to.
    pub last: u64,
    /// How much the window grows with every decision that is played.
    pub growth: f64,
    /// How often a decision is learned from on average.
    pub trainings: f64,
    /// How often a decision is learned from at most.
    pub most_trainings: u8,
}

impl Default for BufferConfig {
    fn default() -> Self {
        Self { first: 20_000, last: 400_000, growth: 0.5, trainings: 3.0, most_trainings: 8 }
    }
}

/// How the network learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LearningConfig {
    /// Decisions of a step.
    pub batch: usize,
    /// From which iteration on, which rate of learning.
    pub rates: Vec<Rate>,
    /// How strongly weights are pulled towards 0: a step shrinks them by this
    /// times the rate.
    pub weight_decay: f32,
    /// How much errors of values count beside those of policies.
    pub value_weight: f32,
    /// The share of what the search expected in the values learned, beside how
    /// the game went.
    pub search_share: f32,
    /// The most that gradients may amount to.
    pub largest_gradient: f32,
    /// Whether each example is learned under a random symmetry of the game, where it has
    /// any.
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

/// A rate of learning, and from when on it holds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// The number of iterations before.
    pub from: u64,
    /// The rate.
    pub rate: f32,
}

/// When the run is over; whatever comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limit {
    /// Iterations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u64>,
    /// Minutes on the clock, over all parts of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minutes: Option<f64>,
}

impl TrainConfig {
    /// The JSON Schema of these files, for editors.
    #[must_use]
    pub fn json_schema() -> Value {
        let mut schema = schemars::schema_for!(Self).to_value();
        schema["title"] = "A training run of Meeple".into();
        schema
    }

    /// The usual settings for a game.
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

    /// The folder of the run.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        let usual = || PathBuf::from("runs").join(format!("train-{}", self.game));
        self.folder.clone().unwrap_or_else(usual)
    }
}

impl SelfPlayConfig {
    /// The temperature after so many decisions.
    #[must_use]
    pub fn temperature(&self, decisions: u64) -> f32 {
        let reached = self.temperatures.iter().rfind(|step| u64::from(step.from) <= decisions);
        reached.map_or(1.0, |step| step.temperature)
    }
}

impl LearningConfig {
    /// The rate of learning after so many iterations.
    #[must_use]
    pub fn rate(&self, iterations: u64) -> f32 {
        let reached = self.rates.iter().rfind(|step| step.from <= iterations);
        reached.map_or(1e-3, |step| step.rate)
    }
}

impl BufferConfig {
    /// Decisions of the window when so many have been played.
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
