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

mod builtin;
mod formats;
#[cfg(test)]
mod tests;

use std::fmt;

pub use self::builtin::{FILES, MATCHUPS, builtin, find, matchup};
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
