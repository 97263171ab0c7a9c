//! Pools: configurations from pairs of values, such as decks, for two seats.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::limits::MOST_CONFIGS;

/// Values for the two seats, and how they are paired.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Pool {
    /// The field of the configuration that holds the values of both seats, such as `decks`.
    pub(super) field: String,
    /// The values.
    of: Vec<Value>,
    /// How the values are paired.
    meet: Meet,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Meet {
    /// Each value with itself, for both seats (mirror matches).
    Themselves,
    /// Each value with every other.
    EachOther,
}

impl Pool {
    /// Returns the configurations: `rest` with the field filled in, once for each pair.
    pub(super) fn configs(
        &self,
        rest: &Map<String, Value>,
    ) -> Result<Vec<Map<String, Value>>, String> {
        if rest.contains_key(&self.field) {
            return Err(format!("expected {} in config or in a pool, not in both", self.field));
        }
        let count = self.of.len();
        let pairs = match self.meet {
            Meet::Themselves => count,
            Meet::EachOther => count * count.saturating_sub(1) / 2,
        };
        if pairs > MOST_CONFIGS {
            let meet = match self.meet {
                Meet::Themselves => "",
                Meet::EachOther => " that meet each other",
            };
            return Err(format!(
                "pool.of: {count} {}{meet} make {pairs} configurations, expected up to {MOST_CONFIGS}",
                self.field
            ));
        }
        let pairs: Vec<[&Value; 2]> = match self.meet {
            Meet::Themselves => self.of.iter().map(|one| [one, one]).collect(),
            Meet::EachOther => (self.of.iter().enumerate())
                .flat_map(|(at, one)| self.of[at + 1..].iter().map(move |other| [one, other]))
                .collect(),
        };
        if pairs.is_empty() {
            return Err(format!("pool: expected more {} for anybody to meet", self.field));
        }
        let config = |seats: [&Value; 2]| {
            let mut config = rest.clone();
            config.insert(self.field.clone(), seats.into_iter().cloned().collect());
            config
        };
        Ok(pairs.into_iter().map(config).collect())
    }
}
