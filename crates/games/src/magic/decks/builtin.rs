//! The decks that come with the game, and the pairs of them that have a name.

use std::sync::LazyLock;

use super::{Deck, read};
use crate::magic::cards;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$((
            concat!($name, ".deck"),
            include_str!(concat!("../../../magic/decks/", $name, ".deck")),
        )),*]
    };
}

/// The built-in deck files: name and text.
pub const FILES: &[(&str, &str)] = files![
    "artifact-deck",
    "artifacts-deck2",
    "azorius-deck",
    "black-aggro",
    "black-deck",
    "blue-control",
    "blue-deck",
    "boros-deck",
    "cli-green",
    "cli-red",
    "color-hate-deck",
    "creatures-deck",
    "default",
    "dimir-deck",
    "golgari-deck",
    "green-deck",
    "green-midrange",
    "gruul-deck",
    "izzet-deck",
    "mix-a",
    "mix-b",
    "ogre",
    "orzhov-deck",
    "rakdos-deck",
    "red-burn",
    "red-deck",
    "selesnya-deck",
    "simic-deck",
    "spells-deck",
    "uncovered-deck",
    "white-deck",
    "white-weenie",
];

static DECKS: LazyLock<Vec<Deck>> = LazyLock::new(|| {
    let read = |&(file, text): &(&str, &str)| {
        read(file, text, cards::builtin()).unwrap_or_else(|error| panic!("{error}"))
    };
    FILES.iter().map(read).collect()
});

/// The decks that come with the game, read once.
#[must_use]
pub fn builtin() -> &'static [Deck] {
    &DECKS
}

/// The built-in deck of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Deck> {
    builtin().iter().find(|deck| deck.name == name)
}

/// Pairs of built-in decks that have a name.
pub const MATCHUPS: &[(&str, [&str; 2])] = &[
    ("ogre", ["ogre", "ogre"]),
    ("default", ["default", "default"]),
    ("cli", ["cli-red", "cli-green"]),
    ("mix", ["mix-a", "mix-b"]),
];

/// The two decks of a matchup.
#[must_use]
pub fn matchup(name: &str) -> Option<[&'static Deck; 2]> {
    let (_, [first, second]) = MATCHUPS.iter().find(|(known, _)| *known == name)?;
    Some([find(first)?, find(second)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_decks_are_whole() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/magic/decks");
        let files = std::fs::read_dir(folder).expect("a folder of decks");
        let mut files: Vec<String> = files
            .map(|file| file.expect("a file").file_name().into_string().expect("a plain name"))
            .collect();
        files.sort();
        assert_eq!(files, FILES.iter().map(|(file, _)| *file).collect::<Vec<_>>());
        let of_matchups: Vec<&str> = MATCHUPS.iter().flat_map(|(_, pair)| *pair).collect();
        let rest = builtin().iter().filter(|deck| !of_matchups.contains(&&*deck.name));
        let sizes: Vec<usize> = rest.map(Deck::size).collect();
        assert_eq!(sizes, [60; 26]);
    }

    #[test]
    fn matchups_have_decks() {
        let sizes = |name| matchup(name).expect("a matchup").map(Deck::size);
        assert_eq!(
            MATCHUPS.iter().map(|(name, _)| sizes(name)).collect::<Vec<_>>(),
            [[40, 40], [60, 60], [20, 20], [60, 60]]
        );
        assert_eq!(matchup("chess"), None);
    }
}
