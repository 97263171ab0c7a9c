//! The language of Magic card files: what a card is, in a few regular words.
//!
//! A card file is a list of [`Card`] in RON, which [`read`] reads and [`write()`] writes. Nothing
//! here knows a card by name; whatever a card does is put together from [`Effect`], [`Cost`],
//! [`Target`], [`Event`], [`Static`], [`Condition`] and [`Lasts`].
//!
//! It is a crate of its own because serialization is a lot of code that runs once: the game
//! beside it is optimized in full.

mod ability;
mod effect;
mod filter;
mod mana;
mod read;
mod reference;
mod words;

pub use ability::{
    Ability, Change, Cost, Event, Produce, Replacement, Rule, Static, Target, Timing,
};
pub use effect::Effect;
pub use filter::{CombatRole, Filter, Side};
pub use mana::{BadCost, ManaCost};
pub use read::{CardError, read, write};
pub use reference::{Amount, Condition, Instead, Lasts, Ref, When};
use serde::{Deserialize, Serialize};
pub use words::{
    Colour, Colours, Keyword, Keywords, LandType, LandTypes, Mana, Manas, Moment, Place, Subtype,
    Type, Types, Zone,
};

/// One card, or one kind of token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// Its name.
    pub name: String,
    /// What it costs; lands and tokens have no cost.
    #[serde(default)]
    pub cost: Option<ManaCost>,
    /// Its types.
    pub types: Types,
    /// Its subtypes.
    #[serde(default)]
    pub subtypes: Vec<Subtype>,
    /// Whether it is basic.
    #[serde(default)]
    pub basic: bool,
    /// Whether it is legendary.
    #[serde(default)]
    pub legendary: bool,
    /// Whether it is a token, which no deck can hold.
    #[serde(default)]
    pub token: bool,
    /// Its colours, if its cost does not tell.
    #[serde(default)]
    pub colours: Option<Colours>,
    /// Its power.
    #[serde(default)]
    pub power: Amount,
    /// Its toughness.
    #[serde(default)]
    pub toughness: Amount,
    /// Its keywords.
    #[serde(default)]
    pub keywords: Keywords,
    /// What an Aura enchants.
    #[serde(default)]
    pub enchant: Option<Filter>,
    /// What the targets of an instant or sorcery are.
    #[serde(default)]
    pub targets: Vec<Target>,
    /// What an instant or sorcery does.
    #[serde(default)]
    pub effects: Vec<Effect>,
    /// 700.2: or its modes, one of which is chosen when it is cast.
    #[serde(default)]
    pub modes: Vec<Mode>,
    /// Its abilities.
    #[serde(default)]
    pub abilities: Vec<Ability>,
}

impl Card {
    /// Its colours: those given, or those of its cost.
    #[must_use]
    pub fn colours(&self) -> Colours {
        let of_cost = || self.cost.map(|cost| cost.colours()).unwrap_or_default();
        self.colours.unwrap_or_else(of_cost)
    }
}

/// One of several things that a spell can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mode {
    /// What it is aimed at.
    #[serde(default)]
    pub targets: Vec<Target>,
    /// What it does.
    pub effects: Vec<Effect>,
}
