//! Tables: which decks meet, with which cards, by which switches.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, LazyLock};

use meeple_game::Forced;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::did_you_mean;
use crate::magic::actions::USES;
use crate::magic::decks::{self, Deck, MATCHUPS};
use crate::magic::evaluation::weights::Weights;
use crate::magic::language::{Card, Keyword, Static, Type, Zone};
use crate::magic::state::seat::{BySeat, Seat};
use crate::magic::state::{Rules, TableRef};
use crate::magic::table::arena::TABLES;
use crate::magic::table::card::{ByCard, ByDeckCard, CardId, DECK, DeckCards, KINDS};
use crate::magic::table::{DeckTable, Def, Table};
use crate::magic::{cards, state};

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
struct Spec {
    #[serde(skip_serializing_if = "Option::is_none")]
    matchup: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decks: Option<[DeckSpec; 2]>,
    /// Card files to use besides the built-in ones: name and text.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    cards: BTreeMap<String, String>,
    /// The evaluation weights of each seat.
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<[Weights; 2]>,
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
    pub(super) fn build(&self) -> Result<Table, String> {
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

/// The built-in cards, compiled once for all tables.
static BUILTIN: LazyLock<Vec<Arc<Def>>> =
    LazyLock::new(|| cards::builtin().iter().map(|card| Arc::new(Def::new(card))).collect());

/// Stands where a deck has no card.
static BLANK: LazyLock<Arc<Def>> = LazyLock::new(|| Arc::new(Def::blank()));

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

    fn table(&self) -> Result<Table, String> {
        let files: Vec<_> =
            self.cards.iter().map(|(name, text)| (name.clone(), text.clone())).collect();
        let own = cards::load(&files).map_err(|faults| {
            faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        })?;
        let pool: Vec<&Card> = cards::builtin().iter().chain(&own).collect();
        let decks = self.both_decks(&pool)?;
        let own = own.iter().map(|card| Arc::new(Def::new(card)));
        let defs: Vec<Arc<Def>> = BUILTIN.iter().cloned().chain(own).collect();
        let tokens: Vec<&Arc<Def>> =
            pool.iter().zip(&defs).filter(|(card, _)| card.token).map(|(_, def)| def).collect();
        if tokens.len() > DECK {
            return Err(format!("{} kinds of tokens, expected at most {DECK}", tokens.len()));
        }
        let mut cards = ByCard(std::array::from_fn(|_| BLANK.clone()));
        let decks = BySeat(decks);
        let decks = BySeat(Seat::BOTH.map(|seat| compile(&decks[seat], &defs, seat, &mut cards)));
        for seat in Seat::BOTH {
            for (number, &token) in (0..).zip(&tokens) {
                cards[CardId::token(number, seat)] = Arc::clone(token);
            }
        }
        check_abilities(&cards.0)?;
        let any = |fits: fn(&Def) -> bool| cards.0.iter().any(|card| fits(card));
        let has =
            |like: fn(&Static) -> bool| cards.0.iter().any(|card| card.statics.iter().any(like));
        let weights = BySeat(self.weights.clone().unwrap_or_default());
        Ok(Table {
            legends: any(|card| card.legendary),
            adds_subtypes: has(
                |rule| matches!(rule, Static::Becomes { into, .. } if !into.subtypes.is_empty()),
            ),
            surcharges: has(|rule| matches!(rule, Static::CostsMore { .. })),
            spends_as_any: has(|rule| matches!(rule, Static::SpendAsAny(_))),
            extra_lands: has(|rule| matches!(rule, Static::ExtraLands(_))),
            reveals_hands: has(|rule| matches!(rule, Static::HandsRevealed)),
            grants_abilities: has(
                |rule| matches!(rule, Static::Gets { abilities, .. } if !abilities.is_empty()),
            ),
            replaces: has(|rule| matches!(rule, Static::Instead(_))),
            replaces_deaths: has(|rule| {
                use crate::magic::language::Replacement::{DiesToTop, GraveyardToExile};
                matches!(rule, Static::Instead(DiesToTop | GraveyardToExile))
            }),
            costly_mana: any(|card| card.mana.iter().any(|ability| !ability.free)),
            cards,
            decks,
            weights,
        })
    }

    fn both_decks(&self, pool: &[&Card]) -> Result<[Deck; 2], String> {
        match (&self.matchup, &self.decks) {
            (Some(_), Some(_)) => Err("both `matchup` and `decks`, expected one of them".into()),
            (Some(name), None) => {
                let names: Vec<&str> = MATCHUPS.iter().map(|(name, _)| *name).collect();
                let both = decks::matchup(name);
                let both = both.ok_or_else(|| {
                    format!("no matchup {name:?}, expected one of {}", names.join(", "))
                })?;
                Ok(both.map(Clone::clone))
            }
            (None, Some([first, second])) => Ok([first.deck(pool)?, second.deck(pool)?]),
            (None, None) => Ok([
                DeckSpec::Named("red-burn".into()).deck(pool)?,
                DeckSpec::Named("green-midrange".into()).deck(pool)?,
            ]),
        }
    }
}

impl DeckSpec {
    fn deck(&self, pool: &[&Card]) -> Result<Deck, String> {
        match self {
            Self::Named(name) => decks::find(name).cloned().ok_or_else(|| {
                let names = decks::builtin().iter().map(|deck| &*deck.name);
                match did_you_mean(name, names.clone()) {
                    Some(near) => format!("no deck {name:?}, {near}"),
                    None => format!(
                        "no deck {name:?}, expected one of {}",
                        names.collect::<Vec<_>>().join(", ")
                    ),
                }
            }),
            Self::Listed { name, cards, sideboard } => {
                let pool: Vec<Card> = pool.iter().map(|&card| card.clone()).collect();
                decks::of_counts(name, counts(cards), counts(sideboard), &pool)
            }
        }
    }
}

fn counts(cards: &BTreeMap<String, u64>) -> impl Iterator<Item = (&str, u64)> {
    cards.iter().map(|(name, &count)| (&**name, count))
}

/// Writes the cards of the deck of `seat` into `cards`; `defs` has all there are.
fn compile(deck: &Deck, defs: &[Arc<Def>], seat: Seat, cards: &mut ByCard<Arc<Def>>) -> DeckTable {
    let mut table = DeckTable {
        counts: ByDeckCard([0; KINDS]),
        name: deck.name.clone(),
        lands: DeckCards::EMPTY,
        instants: DeckCards::EMPTY,
        hasty: DeckCards::EMPTY,
        counterspells: DeckCards::EMPTY,
        up_to_value: Default::default(),
        from_graveyard: DeckCards::EMPTY,
    };
    for (card, (name, count)) in DeckCards::KINDS.iter().zip(&deck.cards) {
        let def = defs.iter().find(|def| def.name == *name).expect("decks hold cards of the pool");
        let bit = card.bit();
        if def.is(Type::Land) {
            table.lands |= bit;
        }
        if def.is(Type::Instant) || def.keywords.has(Keyword::Flash) {
            table.instants |= bit;
        }
        if def.keywords.has(Keyword::Haste) {
            table.hasty |= bit;
        }
        if def.needs_spell {
            table.counterspells |= bit;
        }
        for cards in table.up_to_value.iter_mut().skip(def.mana_value as usize) {
            *cards |= bit;
        }
        if def.activated.iter().any(|ability| ability.from == Zone::Graveyard) {
            table.from_graveyard |= bit;
        }
        table.counts[card] = *count;
        cards[card.of(seat)] = Arc::clone(def);
    }
    table
}

/// Refuses cards that together could give one permanent more abilities than
/// there are action ids.
fn check_abilities(cards: &[Arc<Def>]) -> Result<(), String> {
    let mut givers: Vec<&Def> = Vec::new();
    for def in cards.iter().filter(|def| def.activated.iter().any(|ability| !ability.own)) {
        if !givers.iter().any(|giver| std::ptr::eq(*giver, &**def)) {
            givers.push(def);
        }
    }
    let granted = |def: &&Def| def.activated.iter().filter(|ability| !ability.own).count();
    let own = cards.iter().map(|def| def.uses()).max().unwrap_or(0);
    let most = own + givers.iter().map(granted).sum::<usize>();
    if most <= USES as usize {
        return Ok(());
    }
    let names: Vec<&str> = givers.iter().map(|def| &*def.name).collect();
    Err(format!(
        "with {} a permanent could have {most} abilities, expected at most {USES}",
        names.join(", ")
    ))
}

const _: () = assert!(KINDS <= DECK, "every card must have a number");
const _: () = assert!(size_of::<state::Magic>() <= 5184, "a state must stay small");
