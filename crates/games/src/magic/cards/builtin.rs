//! The cards that come with the game.

use std::sync::LazyLock;

use super::read;
use crate::magic::language::Card;

macro_rules! files {
    ($($file:literal),* $(,)?) => {
        &[$(($file, include_str!(concat!("../../../magic/cards/", $file)))),*]
    };
}

/// The built-in card files: name and text.
pub const FILES: &[(&str, &str)] = files![
    "white.ron",
    "blue.ron",
    "black.ron",
    "red.ron",
    "green.ron",
    "artifacts.ron",
    "lands.ron",
    "tokens.ron",
    "peers.ron",
];

static CARDS: LazyLock<Vec<Card>> = LazyLock::new(|| {
    let read = |&(file, text): &(&str, &str)| read(file, text).unwrap_or_else(|e| panic!("{e}"));
    FILES.iter().flat_map(read).collect()
});

/// The cards that come with the game, tokens included, read once.
#[must_use]
pub fn builtin() -> &'static [Card] {
    &CARDS
}
