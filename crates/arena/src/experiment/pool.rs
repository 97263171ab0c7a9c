//! Pools: configurations by what their two seats may have, such as decks.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

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
    /// `rest` with the field filled in, once for each meeting.
    pub(super) fn configs(
        &self,
        rest: &Map<String, Value>,
    ) -> Result<Vec<Map<String, Value>>, String> {
        if rest.contains_key(&self.field) {
            return Err(format!("expected {} in config or in a pool, not in both", self.field));
        }
        let meetings: Vec<[&Value; 2]> = match self.meet {
            Meet::Themselves => self.of.iter().map(|one| [one, one]).collect(),
            Meet::EachOther => (self.of.iter().enumerate())
                .flat_map(|(at, one)| self.of[at + 1..].iter().map(move |other| [one, other]))
                .collect(),
        };
        if meetings.is_empty() {
            return Err(format!("pool: expected more {} for anybody to meet", self.field));
        }
        let config = |seats: [&Value; 2]| {
            let mut config = rest.clone();
            config.insert(self.field.clone(), seats.into_iter().cloned().collect());
            config
        };
        Ok(meetings.into_iter().map(config).collect())
    }
}
