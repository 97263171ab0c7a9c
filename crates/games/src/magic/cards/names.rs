//! Cards by name.

use crate::magic::language::Card;

/// The card of this name, whatever its capitals, apostrophes and ligatures: lists from the time
/// of the cards have `Æther Flash`, and word processors curl the apostrophe of `Ashnod’s Altar`.
#[must_use]
pub fn find<'a>(cards: &'a [Card], name: &str) -> Option<&'a Card> {
    let name = name.trim();
    let plain = plain(name);
    cards.iter().find(|card| card.name == name || card.name.to_lowercase() == plain)
}

/// The name in lower case, as card files spell it.
fn plain(name: &str) -> String {
    name.to_lowercase().replace('’', "'").replace('æ', "ae")
}
