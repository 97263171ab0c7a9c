//! Tables and bots in experiment files: short forms as text, full forms as objects.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::pool::Pool;
use meeple_bots::BotSpec;

/// A game with one or more configurations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// The game.
    pub game: String,
    /// The configurations; at least one.
    pub configs: Vec<Value>,
    /// How the configuration of each block of games is chosen.
    pub draw: Draw,
    /// The maximum number of decisions of a game, after which it is a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// The bots of this table, if not those of the experiment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bots: Option<Vec<BotEntry>>,
    /// The field that the pool fills in, if there is a pool.
    #[serde(skip)]
    pub(super) pooled: Option<String>,
}

/// How the configuration of each block of games is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Draw {
    /// In turn, so that all are played equally often.
    #[default]
    InTurn,
    /// At random, from the seed.
    BySeed,
}

/// A table, as an object.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FullTable {
    /// The game, as `meeple games` lists it.
    game: String,
    /// The configuration, or the common part of the configurations of a pool.
    #[serde(default)]
    config: Option<Map<String, Value>>,
    /// The configurations.
    #[serde(default)]
    configs: Option<Vec<Map<String, Value>>>,
    /// Values for the two seats, such as decks, that are paired into configurations.
    #[serde(default)]
    pool: Option<Pool>,
    /// How the configuration of each block of games is chosen.
    #[serde(default)]
    draw: Draw,
    /// The maximum number of decisions of a game, after which it is a draw. Unlimited by default.
    #[serde(default)]
    limit: Option<u64>,
    /// The bots of this table, if not those of the experiment.
    #[serde(default)]
    bots: Option<Vec<BotEntry>>,
}

impl<'de> Deserialize<'de> for Table {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TableVisitor)
    }
}

struct TableVisitor;

impl<'de> Visitor<'de> for TableVisitor {
    type Value = Table;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a game, or an object with game, config, configs or pool")
    }

    fn visit_str<E: serde::de::Error>(self, game: &str) -> Result<Table, E> {
        let configs = vec![Value::Object(Map::new())];
        let game = game.to_owned();
        let draw = Draw::InTurn;
        Ok(Table { game, configs, draw, limit: None, bots: None, pooled: None })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Table, A::Error> {
        let FullTable { game, config, configs, pool, draw, limit, bots } =
            FullTable::deserialize(MapAccessDeserializer::new(map))?;
        let configs = match (config, configs, &pool) {
            (config, None, None) => vec![config.unwrap_or_default()],
            (config, None, Some(pool)) => {
                pool.configs(&config.unwrap_or_default()).map_err(A::Error::custom)?
            }
            (None, Some(configs), None) if !configs.is_empty() => configs,
            (None, Some(_), None) => {
                return Err(A::Error::custom("configs: expected at least one"));
            }
            (Some(_), Some(_), _) => {
                return Err(A::Error::custom("expected config or configs, not both"));
            }
            (None, Some(_), Some(_)) => {
                return Err(A::Error::custom("expected configs or a pool, not both"));
            }
        };
        let configs = configs.into_iter().map(Value::Object).collect();
        let pooled = pool.map(|pool| pool.field);
        Ok(Table { game, configs, draw, limit, bots, pooled })
    }
}

impl JsonSchema for Table {
    fn schema_name() -> Cow<'static, str> {
        "Table".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let full = generator.subschema_for::<FullTable>();
        schemars::json_schema!({
            "description": "The name of a game, or a game with its configurations.",
            "anyOf": [{"type": "string"}, full],
        })
    }
}

/// A bot with its label.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BotEntry {
    /// The name of the bot in results.
    pub label: String,
    /// The bot.
    pub bot: BotSpec,
}

/// A bot, as an object.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FullBot {
    /// The bot, with or without options: `mcts` or `mcts:sims=100`.
    bot: String,
    /// Its options, such as `{"sims": 100}`.
    #[serde(default)]
    options: Map<String, Value>,
    /// The name of the bot in results. By default the bot with its options.
    #[serde(default)]
    label: Option<String>,
}

impl<'de> Deserialize<'de> for BotEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BotVisitor)
    }
}

struct BotVisitor;

impl<'de> Visitor<'de> for BotVisitor {
    type Value = BotEntry;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a bot such as \"mcts:sims=100\", or an object with bot, options and label")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<BotEntry, E> {
        let bot: BotSpec = text.parse().map_err(E::custom)?;
        Ok(BotEntry { label: text.trim().to_owned(), bot })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<BotEntry, A::Error> {
        let full = FullBot::deserialize(MapAccessDeserializer::new(map))?;
        let bot = if full.options.is_empty() {
            full.bot.parse()
        } else if full.bot.contains(':') {
            return Err(A::Error::custom("expected options in bot or in options, not in both"));
        } else {
            let pairs: Vec<(String, String)> =
                full.options.iter().map(|(name, value)| (name.clone(), plain(value))).collect();
            BotSpec::with_options(&full.bot, &pairs)
        };
        let bot = bot.map_err(A::Error::custom)?;
        Ok(BotEntry { label: full.label.unwrap_or_else(|| bot.to_string()), bot })
    }
}

/// Formats a JSON value as in the text form of a bot.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        _ => value.to_string(),
    }
}

impl JsonSchema for BotEntry {
    fn schema_name() -> Cow<'static, str> {
        "Bot".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let full = generator.subschema_for::<FullBot>();
        schemars::json_schema!({
            "description": "A bot by name with options, such as mcts:sims=100, or as an object.",
            "anyOf": [{"type": "string"}, full],
        })
    }
}
