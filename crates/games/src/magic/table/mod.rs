//! The cards of one table, compiled once from the card language.

mod arena;
pub(super) mod config;
mod def;
pub(super) mod program;

use std::fmt;
use std::sync::Arc;

pub(super) use def::{Activated, Def, ManaAbility, Trigger, listen};

/// How many numbers the cards of one deck have.
pub(super) const DECK: usize = 64;
/// The most different cards in one deck.
pub(super) const KINDS: usize = crate::magic::decks::MOST_DIFFERENT;
/// The first number of a token; cards of the second deck start at [`DECK`].
///
/// Tokens of the second seat follow [`DECK`] after those of the first.
pub(super) const TOKENS: usize = 2 * DECK;

/// How many numbers there are: as many as a byte can hold.
pub(super) const CARDS: usize = TOKENS + 2 * DECK;

/// Who owns a card or token with this number.
#[inline]
pub(super) const fn owner(card: u8) -> u8 {
    (card / DECK as u8) & 1
}

/// All cards that can turn up at one table, by number: the first deck's from 0,
/// the second deck's from [`DECK`], tokens from [`TOKENS`], first those of the
/// first seat.
pub(super) struct Table {
    pub(super) cards: [Arc<Def>; CARDS],
    pub(super) decks: [DeckTable; 2],
    /// Whether any card is legendary.
    pub(super) legends: bool,
    /// Whether a static ability of any card gives subtypes.
    pub(super) adds_subtypes: bool,
    /// Whether something else can happen when a permanent would die.
    pub(super) replaces_deaths: bool,
    /// Whether any mana ability costs more than tapping its source.
    pub(super) costly_mana: bool,
    /// The evaluation weights of each seat.
    pub(super) weights: [crate::magic::evaluation::weights::Weights; 2],
}

/// What is known of one deck beforehand, one bit a card.
#[derive(Clone, Debug)]
pub(super) struct DeckTable {
    /// How many of each card.
    pub(super) counts: [u8; KINDS],
    /// The name of the deck.
    pub(super) name: String,
    pub(super) lands: u64,
    /// Cards that can be cast whenever their owner has priority.
    pub(super) instants: u64,
    pub(super) hasty: u64,
    /// Cards with abilities to use from the graveyard.
    pub(super) from_graveyard: u64,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} against {}", self.decks[0].name, self.decks[1].name)
    }
}
