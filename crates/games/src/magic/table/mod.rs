//! The cards of one table, compiled once from the card language.

mod arena;
mod build;
pub(super) mod card;
pub(super) mod config;
mod def;
pub(super) mod program;

use std::fmt;
use std::sync::Arc;

use card::{ByCard, ByDeckCard, DeckCards};

use crate::magic::evaluation::weights::Weights;
use crate::magic::state::seat::{BySeat, Seat};

pub(super) use def::{Activated, Def, ManaAbility, Trigger, listen};

/// All cards that can turn up at one table.
pub(super) struct Table {
    pub(super) cards: ByCard<Arc<Def>>,
    pub(super) decks: BySeat<DeckTable>,
    /// Whether any card is legendary.
    pub(super) legends: bool,
    /// Whether a static ability of any card gives subtypes.
    pub(super) adds_subtypes: bool,
    /// Whether any makes spells cost more.
    pub(super) surcharges: bool,
    /// Whether any lets mana be spent as another kind.
    pub(super) spends_as_any: bool,
    /// Whether any lets players play more lands.
    pub(super) extra_lands: bool,
    /// Whether any has everybody play with their hand revealed.
    pub(super) reveals_hands: bool,
    /// Whether any grants abilities to use.
    pub(super) grants_abilities: bool,
    /// Whether any says that something else happens instead.
    pub(super) replaces: bool,
    /// Whether something else can happen when a permanent would die.
    pub(super) replaces_deaths: bool,
    /// Whether any mana ability costs more than tapping its source.
    pub(super) costly_mana: bool,
    /// The evaluation weights of each seat.
    pub(super) weights: BySeat<Weights>,
}

/// How many mana values are told apart; all greater ones are as the last.
const VALUES: usize = 16;

/// What is known of one deck beforehand.
#[derive(Clone, Debug)]
pub(super) struct DeckTable {
    /// How many of each card.
    pub(super) counts: ByDeckCard<u8>,
    /// The name of the deck.
    pub(super) name: String,
    pub(super) lands: DeckCards,
    /// Cards that can be cast whenever their owner has priority.
    pub(super) instants: DeckCards,
    pub(super) hasty: DeckCards,
    /// Cards that can be cast only while there is a spell to aim at.
    pub(super) counterspells: DeckCards,
    /// Cards whose mana value, with `X` as 0, is no more than this index.
    pub(super) up_to_value: [DeckCards; VALUES],
    /// Cards with abilities to use from the graveyard.
    pub(super) from_graveyard: DeckCards,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} against {}", self.decks[Seat::First].name, self.decks[Seat::Second].name)
    }
}

impl DeckTable {
    /// The cards that so much mana could pay for, of whatever kind it is.
    #[inline]
    pub(super) fn payable_with(&self, mana: u8) -> DeckCards {
        self.up_to_value.get(mana as usize).copied().unwrap_or(DeckCards::ALL)
    }
}
