//! Magic: a duel by the comprehensive rules, as one flat machine over one plain state.

pub mod cards;
pub mod decks;
pub mod english;
pub mod language;
