//! Tables: which decks meet, with which cards, by which switches.

use std::collections::BTreeMap;
use std::fmt;

use meeple_game::Forced;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::magic::evaluation::weights::Weights;
use crate::magic::state::seat::Seat;
use crate::magic::state::{Rules, TableRef};
use crate::magic::table::arena::TABLES;

/// A table of Magic: two decks and the switches of the game.
///
/// Decks are named, or listed with their cards; a matchup names both. What is
/// left out is as tournaments play it, but matchups are played as the peers'
/// benchmarks do: without mulligans and without a limit to the hand.
///
/// ```
/// use meeple_games::magic::Config;
///
/// let table: Config = serde_json::from_str(r#"{"decks": ["red-burn", "white-weenie"]}"#)?;
/// assert_eq!(table.decks(), ["red-burn", "white-weenie"]);
/// let own = r#"{"decks": [{"name": "mine", "cards": {"Mountain": 20, "Shock": 20}}, "red-burn"]}"#;
/// assert!(serde_json::from_str::<Config>(own).is_ok());
///
/// let error = serde_json::from_str::<Config>(r#"{"decks": ["red-bun", "red-burn"]}"#).unwrap_err();
/// assert!(error.to_string().contains("did you mean red-burn?"));
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Spec", into = "Spec")]
pub struct Config {
    spec: Spec,
    pub(in crate::magic) table: TableRef,
}

/// What a configuration says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Spec {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) matchup: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) decks: Option<[DeckSpec; 2]>,
    /// Card files to use besides the built-in ones: name and text.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) cards: BTreeMap<String, String>,
    /// The evaluation weights of each seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) weights: Option<[Weights; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    forced: Option<Forced>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payment: Option<Payment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mulligan: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hand_limit: Option<u8>,
    /// Whether players are asked only where people would stop to think.
    #[serde(skip_serializing_if = "Option::is_none")]
    stops: Option<bool>,
}

/// Who chooses what to tap for mana.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Payment {
    /// The game does.
    Auto,
    /// The player does.
    Manual,
}

/// A deck by name, or card by card.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub(super) enum DeckSpec {
    Named(String),
    Listed {
        name: String,
        cards: BTreeMap<String, u64>,
        /// Kept with the deck; no game plays it.
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        sideboard: BTreeMap<String, u64>,
    },
}

impl<'de> Deserialize<'de> for DeckSpec {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(DeckVisitor)
    }
}

struct DeckVisitor;

impl<'de> Visitor<'de> for DeckVisitor {
    type Value = DeckSpec;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(r#"the name of a deck, or {"name": "mine", "cards": {"Mountain": 20}}"#)
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<DeckSpec, E> {
        Ok(DeckSpec::Named(name.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<DeckSpec, A::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Listed {
            name: String,
            cards: BTreeMap<String, u64>,
            #[serde(default)]
            sideboard: BTreeMap<String, u64>,
        }
        let Listed { name, cards, sideboard } =
            Listed::deserialize(de::value::MapAccessDeserializer::new(map))?;
        Ok(DeckSpec::Listed { name, cards, sideboard })
    }
}

impl Config {
    /// A named pair of decks, as the peers' benchmarks play it.
    ///
    /// # Errors
    ///
    /// When no matchup has this name.
    pub fn matchup(name: &str) -> Result<Self, String> {
        Spec { matchup: Some(name.into()), ..Spec::default() }.try_into()
    }

    /// Two built-in decks.
    ///
    /// # Errors
    ///
    /// When no deck has one of the names.
    pub fn of_decks(first: &str, second: &str) -> Result<Self, String> {
        let decks = [DeckSpec::Named(first.into()), DeckSpec::Named(second.into())];
        Spec { decks: Some(decks), ..Spec::default() }.try_into()
    }

    /// The same table with other questions asked.
    #[must_use]
    pub fn forced(mut self, forced: Forced) -> Self {
        self.spec.forced = Some(forced);
        self
    }

    /// The same table with some evaluation weights changed for both seats.
    pub(in crate::magic) fn reweighed(&self, changes: &[(String, f32)]) -> Result<Self, String> {
        let [first, second] = &self.table.0.weights.0;
        let weights = Some([first.with(changes)?, second.with(changes)?]);
        Spec { weights, ..self.spec.clone() }.try_into()
    }

    /// The names of the two decks.
    #[must_use]
    pub fn decks(&self) -> [&str; 2] {
        Seat::BOTH.map(|seat| &*self.table.0.decks[seat].name)
    }

    #[cfg(test)]
    pub(super) fn key(&self) -> TableKey {
        self.spec.key()
    }

    #[cfg(test)]
    pub(super) fn build(&self) -> Result<crate::magic::table::Table, String> {
        self.spec.table()
    }

    pub(in crate::magic) fn rules(&self) -> Rules {
        let plain = self.spec.matchup.is_some();
        Rules {
            forced: self.spec.forced.unwrap_or(Forced::Skip),
            manual_payment: self.spec.payment == Some(Payment::Manual),
            mulligans: self.spec.mulligan.unwrap_or(!plain),
            stops: self.spec.stops.unwrap_or(false),
            hand_limit: self.spec.hand_limit.unwrap_or(if plain { u8::MAX } else { 7 }),
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::of_decks("red-burn", "green-midrange").expect("these decks are built in")
    }
}

impl From<Config> for Spec {
    fn from(config: Config) -> Self {
        config.spec
    }
}

impl TryFrom<Spec> for Config {
    type Error = String;

    fn try_from(spec: Spec) -> Result<Self, String> {
        let table = TABLES.table(spec.key(), || spec.table())?;
        Ok(Self { spec, table: TableRef(table) })
    }
}

/// What a table depends on; equal configurations have equal keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TableKey {
    matchup: Option<String>,
    decks: Option<[DeckSpec; 2]>,
    cards: BTreeMap<String, String>,
    weights: Option<[Vec<u32>; 2]>,
}

impl TableKey {
    /// Whether there is more to it than built-in decks.
    pub(super) fn is_custom(&self) -> bool {
        let listed = |deck: &DeckSpec| matches!(deck, DeckSpec::Listed { .. });
        self.weights.is_some()
            || !self.cards.is_empty()
            || self.decks.as_ref().is_some_and(|decks| decks.iter().any(listed))
    }
}

impl Spec {
    fn key(&self) -> TableKey {
        TableKey {
            matchup: self.matchup.clone(),
            decks: self.decks.clone(),
            cards: self.cards.clone(),
            weights: self.weights.as_ref().map(|both| both.each_ref().map(Weights::bits)),
        }
    }
}
