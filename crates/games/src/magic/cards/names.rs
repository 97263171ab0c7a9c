//! Cards by name.

use crate::magic::language::Card;

/// The card of this name, whatever its capitals.
#[must_use]
pub fn find<'a>(cards: &'a [Card], name: &str) -> Option<&'a Card> {
    let name = name.trim();
    let same = |card: &&Card| card.name == name || card.name.to_lowercase() == name.to_lowercase();
    cards.iter().find(same)
}
