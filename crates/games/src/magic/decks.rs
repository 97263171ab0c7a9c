//! Decks: lists of cards in plain text, those that come with the game, and which
//! of them meet.
//!
//! A deck file has a line for each card, `20 Mountain`; what follows a `#` is a
//! remark.
//!
//! ```
//! use meeple_games::magic::{cards, decks};
//!
//! let deck = decks::read("mine.deck", "20 Mountain\n4 Shock  # to begin with", cards::builtin())?;
//! assert_eq!((deck.name.as_str(), deck.size()), ("mine", 24));
//!
//! let error = decks::read("mine.deck", "4 Shok", cards::builtin()).unwrap_err();
//! assert_eq!(error.to_string(), "mine.deck:1: no card \"Shok\", did you mean Shock?");
//! # Ok::<_, decks::DeckError>(())
//! ```

use std::sync::LazyLock;

use super::cards;
use super::language::Card;

/// The most cards in a deck.
pub const MOST_CARDS: usize = 60;

/// The most different cards in a deck.
pub const MOST_DIFFERENT: usize = 60;

/// A list of cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck {
    /// Its name: the file's, without the ending.
    pub name: String,
    /// Names of different cards and how many of each, in the order of the file.
    pub cards: Vec<(String, u8)>,
}

impl Deck {
    /// How many cards it has.
    #[must_use]
    pub fn size(&self) -> usize {
        self.cards.iter().map(|&(_, count)| usize::from(count)).sum()
    }
}

/// What is wrong with a deck file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct DeckError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong and what was expected.
    pub problem: String,
}

/// Reads a deck of cards that are among `pool`.
///
/// # Errors
///
/// The first line that names no card or no number, and decks that are empty or
/// too large.
pub fn read(file: &str, text: &str, pool: &[Card]) -> Result<Deck, DeckError> {
    let fault = |line: usize, problem: String| DeckError { file: file.into(), line, problem };
    let mut deck = Deck { name: stem(file).into(), cards: Vec::new() };
    for (line, content) in text.lines().enumerate().map(|(at, line)| (at + 1, line)) {
        let content = content.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let (count, name) = entry(content).map_err(|problem| fault(line, problem))?;
        let card = card_named(name, pool).map_err(|problem| fault(line, problem))?;
        if deck.cards.iter().any(|(name, _)| *name == card.name) {
            return Err(fault(line, format!("{} is listed twice", card.name)));
        }
        deck.cards.push((card.name.clone(), count));
        if deck.size() > MOST_CARDS || deck.cards.len() > MOST_DIFFERENT {
            let size = format!("{} cards, {} different", deck.size(), deck.cards.len());
            let limits = format!("at most {MOST_CARDS}, {MOST_DIFFERENT} different");
            return Err(fault(
                line,
                format!("with {} it has {size}, expected {limits}", card.name),
            ));
        }
    }
    if deck.cards.is_empty() {
        return Err(fault(
            1,
            "a deck without cards, expected lines such as \"20 Mountain\"".into(),
        ));
    }
    Ok(deck)
}

/// The name of a file without its folder and ending.
fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// A number and a name.
fn entry(content: &str) -> Result<(u8, &str), String> {
    let shape = || format!("{content:?}, expected a number and a card such as \"20 Mountain\"");
    let (count, name) = content.split_once(char::is_whitespace).ok_or_else(shape)?;
    let number = count.parse::<u64>().map_err(|_| shape())?;
    let count = u8::try_from(number).ok().filter(|&n| (1..=MOST_CARDS).contains(&n.into()));
    let count = count.ok_or_else(|| format!("{number} cards, expected 1 to {MOST_CARDS}"))?;
    Ok((count, name.trim()))
}

fn card_named<'a>(name: &str, pool: &'a [Card]) -> Result<&'a Card, String> {
    match cards::find(pool, name) {
        Some(card) if card.token => Err(format!("{} is a token, which no deck holds", card.name)),
        Some(card) => Ok(card),
        None => {
            let real = pool.iter().filter(|card| !card.token).map(|card| &*card.name);
            let meant = match cards::nearest(name, real).join(", ") {
                near if near.is_empty() => String::new(),
                near => format!(", did you mean {near}?"),
            };
            Err(format!("no card {name:?}{meant}"))
        }
    }
}

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$((
            concat!($name, ".deck"),
            include_str!(concat!("../../magic/decks/", $name, ".deck")),
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

    #[track_caller]
    fn check_refused(text: &str, expected: &str) {
        let error = read("some/mine.deck", text, cards::builtin()).expect_err("it is wrong");
        assert_eq!(error.to_string(), format!("some/mine.deck:{expected}"));
    }

    #[test]
    fn decks_are_read() {
        let text = "# Mine\n\n20 mountain\n  4\tShock # burn\r\n";
        let deck = read("some/mine.deck", text, cards::builtin()).expect("it is right");
        assert_eq!(deck.name, "mine");
        assert_eq!(deck.cards, [("Mountain".into(), 20), ("Shock".into(), 4)]);
    }

    #[test]
    fn faults_name_the_line_and_the_card() {
        check_refused("", "1: a deck without cards, expected lines such as \"20 Mountain\"");
        check_refused("4 Shock\n4 shock", "2: Shock is listed twice");
        check_refused(
            "Mountain",
            "1: \"Mountain\", expected a number and a card such as \"20 Mountain\"",
        );
        check_refused("0 Shock", "1: 0 cards, expected 1 to 60");
        check_refused("\n300 Shock", "2: 300 cards, expected 1 to 60");
        check_refused(
            "60 Forest\n5 Shock",
            "2: with Shock it has 65 cards, 2 different, expected at most 60, 60 different",
        );
        check_refused("1 Serf", "1: Serf is a token, which no deck holds");
        check_refused("1 Sera Angle", "1: no card \"Sera Angle\", did you mean Serra Angel?");
        check_refused("1 Qwertyuiop", "1: no card \"Qwertyuiop\"");
    }

    #[test]
    fn too_many_different_cards_are_refused() {
        let lines = cards::builtin().iter().filter(|card| !card.token).take(61);
        let text: String = lines.map(|card| format!("1 {}\n", card.name)).collect();
        let error = read("many.deck", &text, cards::builtin()).expect_err("it is wrong");
        assert!(error.to_string().contains("61 different"), "{error}");
    }

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
