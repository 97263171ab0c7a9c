//! Pools: configurations by what their two seats may have, such as decks.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::limits::MOST_CONFIGS;

/// What two seats may have, and who meets whom.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Pool {
    /// The field of the configuration that says what each of them has: `decks`.
    pub(super) field: String,
    /// What they may have.
    of: Vec<Value>,
    /// Who meets whom.
    meet: Meet,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Meet {
    /// Both seats have the same: one configuration for each.
    Themselves,
    /// The seats have different ones: one configuration for every two.
    EachOther,
}

impl Pool {
    /// `rest` with the field filled in, once for each pair.
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
