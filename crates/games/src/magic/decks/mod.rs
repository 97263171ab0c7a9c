//! Decks: lists of cards in plain text, those that come with the game, and which
//! of them meet.
//!
//! A deck file has a line for each card, `20 Mountain`; what follows a `#` is a
//! remark. Exports of MTG Arena, MTGO (text), Forge, XMage and Magic Workstation are
//! read as they are: printings are ignored, lines of the same card are added up, and a
//! sideboard is kept beside the deck.
//!
//! ```
//! use meeple_games::magic::{cards, decks};
//!
//! let deck = decks::read("mine.deck", "20 Mountain\n4 Shock  # to begin with", cards::builtin())?;
//! assert_eq!((deck.name.as_str(), deck.size()), ("mine", 24));
//!
//! let arena = "Deck\n20 Mountain (6ED) 343\n4 Shock (6ED) 206\n\nSideboard\n2 Shatter (6ED) 205\n";
//! let deck = decks::read("mine.txt", arena, cards::builtin())?;
//! assert_eq!((deck.size(), deck.sideboard), (24, vec![("Shatter".into(), 2)]));
//!
//! let error = decks::read("mine.deck", "4 Shok", cards::builtin()).unwrap_err();
//! assert_eq!(error.to_string(), "mine.deck:1: no card \"Shok\", did you mean Shock?");
//! # Ok::<_, decks::DeckError>(())
//! ```

mod formats;

use std::fmt;
use std::sync::LazyLock;

use self::formats::{Entry, Part};
use crate::did_you_mean;
use crate::magic::cards;
use crate::magic::language::Card;

/// The most cards in a deck, and in a sideboard.
pub const MOST_CARDS: usize = 100;

/// The most different cards in a deck.
pub const MOST_DIFFERENT: usize = 60;

/// Names of different cards and how many of each, in the order of the file.
pub type CardCounts = Vec<(String, u8)>;

/// A list of cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deck {
    /// Its name: what the file calls it, or the file's name without the ending.
    pub name: String,
    /// The cards that are played.
    pub cards: CardCounts,
    /// The cards beside the deck; no game plays them.
    pub sideboard: CardCounts,
}

impl Deck {
    /// How many cards it has, without the sideboard.
    #[must_use]
    pub fn size(&self) -> usize {
        size(&self.cards)
    }
}

fn size(cards: &CardCounts) -> usize {
    cards.iter().map(|&(_, count)| usize::from(count)).sum()
}

/// Everything that is wrong with a deck file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeckError {
    /// The file.
    pub file: String,
    /// Lines, from 1, with what is wrong and what was expected.
    pub faults: Vec<(usize, String)>,
}

impl std::error::Error for DeckError {}

impl fmt::Display for DeckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (line, problem)) in self.faults.iter().enumerate() {
            let newline = if at == 0 { "" } else { "\n" };
            write!(f, "{newline}{}:{line}: {problem}", self.file)?;
        }
        Ok(())
    }
}

/// Reads a deck of cards that are among `pool`, in any of the formats above.
///
/// A `.txt` file without headings is MTGO's export: what follows its only blank line is
/// a sideboard if it has at most 15 cards behind a deck of at least 40.
///
/// # Errors
///
/// All lines that name no card or no number, and decks that are empty or too large.
pub fn read(file: &str, text: &str, pool: &[Card]) -> Result<Deck, DeckError> {
    let is_plain_text = file.to_lowercase().ends_with(".txt");
    let listing = formats::parse(text, is_plain_text);
    let name = listing.name.unwrap_or_else(|| stem(file));
    collect(name, &listing.entries, listing.faults, pool)
        .map_err(|faults| DeckError { file: file.into(), faults })
}

/// A deck of `cards` and `sideboard`, each a name and how many copies.
///
/// # Errors
///
/// As for [`read`], in one sentence that names the deck.
pub(in crate::magic) fn of_counts<'a>(
    name: &str,
    cards: impl IntoIterator<Item = (&'a str, u64)>,
    sideboard: impl IntoIterator<Item = (&'a str, u64)>,
    pool: &[Card],
) -> Result<Deck, String> {
    let cards = cards.into_iter().map(|card| (card, Part::Main));
    let sideboard = sideboard.into_iter().map(|card| (card, Part::Sideboard));
    let entries: Vec<Entry<'_>> = (1..)
        .zip(cards.chain(sideboard))
        .map(|(line, ((name, count), part))| Entry { line, count, name, part })
        .collect();
    collect(name, &entries, Vec::new(), pool).map_err(|faults| {
        let faults: Vec<String> = faults.into_iter().map(|(_, problem)| problem).collect();
        format!("deck {name:?}: {}", faults.join("; "))
    })
}

/// Looks the entries up and adds them up.
fn collect(
    name: &str,
    entries: &[Entry<'_>],
    mut faults: Vec<(usize, String)>,
    pool: &[Card],
) -> Result<Deck, Vec<(usize, String)>> {
    let mut deck = Deck { name: name.into(), cards: Vec::new(), sideboard: Vec::new() };
    for entry in entries {
        let part = match entry.part {
            Part::Main => &mut deck.cards,
            Part::Sideboard => &mut deck.sideboard,
        };
        let added = card_named(entry.name, pool).and_then(|card| add(part, card, entry.count));
        if let Err(problem) = added {
            faults.push((entry.line, problem));
        }
    }
    if deck.cards.is_empty() && faults.is_empty() {
        let line = entries.first().map_or(1, |entry| entry.line);
        faults.push((line, "a deck without cards, expected lines such as \"20 Mountain\"".into()));
    }
    faults.sort_by_key(|&(line, _)| line);
    if faults.is_empty() { Ok(deck) } else { Err(faults) }
}

/// Adds copies of a card to a deck or a sideboard.
fn add(cards: &mut CardCounts, card: &Card, count: u64) -> Result<(), String> {
    if !(1..=MOST_CARDS as u64).contains(&count) {
        return Err(format!("{count} copies of {}, expected 1 to {MOST_CARDS}", card.name));
    }
    let known = cards.iter().position(|(name, _)| *name == card.name);
    let (copies, different) =
        (size(cards) + count as usize, cards.len() + usize::from(known.is_none()));
    if copies > MOST_CARDS || different > MOST_DIFFERENT {
        return Err(format!(
            "with {} it has {copies} cards, {different} different, \
             expected at most {MOST_CARDS}, {MOST_DIFFERENT} different",
            card.name
        ));
    }
    match known {
        Some(at) => cards[at].1 += count as u8,
        None => cards.push((card.name.clone(), count as u8)),
    }
    Ok(())
}

/// The name of a file without its folder and ending.
fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn card_named<'a>(name: &str, pool: &'a [Card]) -> Result<&'a Card, String> {
    match cards::find(pool, name) {
        Some(card) if card.token => Err(format!("{} is a token, which no deck holds", card.name)),
        Some(card) => Ok(card),
        None => {
            let real = pool.iter().filter(|card| !card.token).map(|card| &*card.name);
            let near = did_you_mean(name, real).map(|near| format!(", {near}"));
            Err(format!("no card {name:?}{}", near.unwrap_or_default()))
        }
    }
}

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

    #[track_caller]
    fn check_refused(text: &str, expected: &str) {
        let error = read("some/mine.deck", text, cards::builtin()).expect_err("it is wrong");
        assert_eq!(error.to_string(), format!("some/mine.deck:{expected}"));
    }

    fn counts(cards: &[(&str, u8)]) -> CardCounts {
        cards.iter().map(|&(name, count)| (name.into(), count)).collect()
    }

    #[track_caller]
    fn check_read(file: &str, text: &str, name: &str, main: &[(&str, u8)], side: &[(&str, u8)]) {
        let deck = read(file, text, cards::builtin()).unwrap_or_else(|error| panic!("{error}"));
        let expected = Deck { name: name.into(), cards: counts(main), sideboard: counts(side) };
        assert_eq!(deck, expected);
    }

    const MAIN: &[(&str, u8)] = &[("Mountain", 20), ("Shock", 4)];
    const SIDE: &[(&str, u8)] = &[("Shatter", 2)];

    #[test]
    fn plain_lists_are_read() {
        let text = "# Mine\n\n20 mountain\n  4\tShock # burn\r\n";
        check_read("some/mine.deck", text, "mine", MAIN, &[]);
        check_read("mine", "\u{feff}20x Mountain\n4X Shock\n", "mine", MAIN, &[]);
        check_read("mine", "10 Mountain\n2 Shock\n10 MOUNTAIN\n2 shock\n", "mine", MAIN, &[]);
    }

    #[test]
    fn arena_exports_are_read() {
        let text = "About\nName Red, mostly\n\nDeck\n20 Mountain (6ED) 343\n4 Shock (M19) 156\n\n\
                    Sideboard\n2 Shatter (6ED) 205p *F*\n";
        check_read("x.txt", text, "Red, mostly", MAIN, SIDE);
    }

    #[test]
    fn mtgo_exports_keep_the_sideboard_behind_the_blank_line() {
        let text = "40 Mountain\n4 Shock\n\n2 Shatter\n";
        let main = [("Mountain", 40), ("Shock", 4)];
        check_read("red.txt", text, "red", &main, SIDE);
        check_read("red.txt", "20 Mountain\n4 Shock\nSideboard\n2 Shatter", "red", MAIN, SIDE);
        // In our own format, and where a block has not the size of a deck, it is one list.
        let all = [("Mountain", 40), ("Shock", 4), ("Shatter", 2)];
        check_read("red.deck", text, "red", &all, &[]);
        check_read("red.txt", "20 Mountain\n\n4 Shock\n", "red", MAIN, &[]);
        check_read("red.txt", "40 Mountain\n\n4 Shock\n\n2 Shatter\n", "red", &all, &[]);
    }

    #[test]
    fn dec_files_are_read() {
        let text = "// NAME : Red, mostly\n// Lands\n    20 [6ED] Mountain\n    4 Shock\n\
                    SB:  2 [6ED] Shatter\n";
        check_read("x.dec", text, "Red, mostly", MAIN, SIDE);
    }

    #[test]
    fn forge_and_xmage_files_are_read() {
        let forge = "[metadata]\nName=Red, mostly\nDeck Type=Constructed\n[Main]\n\
                     20 Mountain|6ED|1\n4 Shock+|6ED\n[Sideboard]\n2 Shatter|6ED\n";
        check_read("x.dck", forge, "Red, mostly", MAIN, SIDE);
        let xmage = "NAME:Red, mostly\n20 [6ED:343] Mountain\n4 [6ED:206] Shock\n\
                     SB: 2 [6ED:205] Shatter\nLAYOUT MAIN:(1,2)(NONE,false,50)|([6ED:206])\n";
        check_read("x.dck", xmage, "Red, mostly", MAIN, SIDE);
    }

    #[test]
    fn faults_name_the_line_and_the_card() {
        check_refused("", "1: a deck without cards, expected lines such as \"20 Mountain\"");
        check_refused(
            "\nSideboard\n2 Shock",
            "3: a deck without cards, expected lines such as \"20 Mountain\"",
        );
        check_refused(
            "Mountain",
            "1: \"Mountain\", expected a number and a card such as \"20 Mountain\"",
        );
        check_refused("4x", "1: \"4x\", expected a number and a card such as \"20 Mountain\"");
        check_refused("0 Shock", "1: 0 copies of Shock, expected 1 to 100");
        check_refused("\n300 Shock", "2: 300 copies of Shock, expected 1 to 100");
        check_refused(
            "97 Forest\n4 Shock",
            "2: with Shock it has 101 cards, 2 different, expected at most 100, 60 different",
        );
        check_refused("1 Serf", "1: Serf is a token, which no deck holds");
        check_refused("1 Sera Angle", "1: no card \"Sera Angle\", did you mean Serra Angel?");
        check_refused(
            "1 Qwertyuiop\n4 Shock\n1 Zxcvbnm (ABC) 1",
            "1: no card \"Qwertyuiop\"\nsome/mine.deck:3: no card \"Zxcvbnm\"",
        );
        check_refused(
            "Commander\n1 Shock",
            "2: \"1 Shock\" under \"Commander\", expected cards of the deck or its sideboard",
        );
        check_refused(
            "<?xml version=\"1.0\"?>\n<Deck>",
            "1: an XML deck, expected text: export the deck as text or as .dec",
        );
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
