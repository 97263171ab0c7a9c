//! From the text of a card file to cards, and where a fault lies.

use std::fmt;

use ron::extensions::Extensions;
use ron::ser::PrettyConfig;

use crate::Card;

/// What is wrong in a card file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The card's name, as far as it is known.
    pub card: Option<String>,
    /// What is wrong and what was expected.
    pub problem: String,
    /// The text of the line.
    source_line: String,
}

impl fmt::Display for CardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, card, problem, source_line } = self;
        write!(f, "{file}:{line}:{column}: ")?;
        if let Some(card) = card {
            write!(f, "{card}: ")?;
        }
        let (margin, blank) = (line.to_string().len(), "");
        write!(f, "{problem}\n {line} | {source_line}\n {blank:margin$} | ")?;
        write!(f, "{blank:column$}^", column = column - 1)
    }
}

impl std::error::Error for CardError {}

impl CardError {
    fn new(file: &str, text: &str, (line, column): (usize, usize), problem: String) -> Self {
        let source_line = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
        // A damaged file may have lines of any length and any content.
        let shown: String = source_line.chars().take(200).map(plain).collect();
        let column = column.clamp(1, shown.chars().count() + 1);
        Self { file: file.into(), line, column, card: None, problem, source_line: shown }
    }

    /// A fault of the card with this number in the file.
    #[must_use]
    pub fn at_card(file: &str, text: &str, at: usize, problem: String) -> Self {
        let places = places(text);
        let Some(place) = places.get(at) else { return Self::new(file, text, (1, 1), problem) };
        let position = (place.line, place.column);
        Self { card: place.name.clone(), ..Self::new(file, text, position, problem) }
    }
}

/// Control characters would spoil a terminal.
fn plain(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

/// How card files are written: RON, in which what is given needs no `Some`.
fn options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}

/// Reads a card file, whether or not its cards make sense.
///
/// # Errors
///
/// The first place that is not written as cards are, with what was expected.
pub fn read(file: &str, text: &str) -> Result<Vec<Card>, CardError> {
    options().from_str(text).map_err(|error| {
        let position = (error.span.start.line, error.span.start.col);
        let place = places(text).into_iter().rfind(|place| (place.line, place.column) <= position);
        let problem = lower_first(&error.code.to_string());
        CardError {
            card: place.and_then(|place| place.name),
            ..CardError::new(file, text, position, problem)
        }
    })
}

/// Writes cards as a card file.
///
/// ```
/// use meeple_card_language::{read, write};
///
/// let cards = read("bear.ron", r#"[(name: "Bear", cost: "1G", types: [Creature])]"#)?;
/// assert_eq!(read("again.ron", &write(&cards))?, cards);
/// # Ok::<_, meeple_card_language::CardError>(())
/// ```
#[must_use]
pub fn write(cards: &[Card]) -> String {
    let config = PrettyConfig::new().extensions(Extensions::IMPLICIT_SOME);
    options().to_string_pretty(cards, config).expect("cards are plain values")
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Where a card begins.
struct Place {
    line: usize,
    column: usize,
    name: Option<String>,
}

/// Where each card of a file begins and what its name is, found by brackets and
/// quotes alone, so that it works in files with faults too.
fn places(text: &str) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    let (mut depth, mut line, mut column) = (0_usize, 1, 0);
    let mut letters = text.char_indices().peekable();
    let mut field_is_name = false;
    while let Some((at, letter)) = letters.next() {
        column += 1;
        match letter {
            '\n' => (line, column) = (line + 1, 0),
            '/' if letters.peek().is_some_and(|&(_, next)| next == '/') => {
                while letters.next_if(|&(_, c)| c != '\n').is_some() {}
            }
            '"' => {
                let start = at + 1;
                let mut end = start;
                let mut escaped = false;
                for (at, letter) in letters.by_ref() {
                    column += 1;
                    end = at;
                    if letter == '\n' {
                        (line, column) = (line + 1, 0);
                    }
                    if letter == '"' && !escaped {
                        break;
                    }
                    escaped = letter == '\\' && !escaped;
                }
                if let Some(place) = places.last_mut().filter(|_| field_is_name && depth == 2) {
                    let name = text[start..end].chars().map(plain).take(100).collect();
                    place.name.get_or_insert(name);
                }
                field_is_name = false;
            }
            '(' | '[' => {
                if depth == 1 {
                    places.push(Place { line, column, name: None });
                }
                depth += 1;
            }
            ')' | ']' => depth = depth.saturating_sub(1),
            ':' => field_is_name = text[..at].trim_end().ends_with("name"),
            _ => {}
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"// Two.
[
    (name: "Bear", cost: "1G", types: [Creature], power: N(2), toughness: N(2)),
    (
        name: "Shock", cost: "R", types: [Instant], targets: [Any],
        effects: [Damage(amount: N(2), to: Target(0))],
    ),
]
"#;

    #[track_caller]
    fn fault(from: &str, to: &str) -> CardError {
        assert!(FILE.contains(from));
        read("two.ron", &FILE.replace(from, to)).expect_err("it is wrong")
    }

    #[test]
    fn cards_are_read() {
        let cards = read("two.ron", FILE).expect("it is right");
        assert_eq!(cards.len(), 2);
        assert_eq!(read("again.ron", &write(&cards)).expect("written by us"), cards);
    }

    #[test]
    fn faults_name_the_place_and_what_was_expected() {
        let error = fault("Damage(", "Burn(");
        assert_eq!((error.line, error.card.as_deref()), (6, Some("Shock")));
        assert!(error.problem.contains("`Burn` in enum `Effect`, expected one of `Damage`"));
        let shown = error.to_string();
        assert!(shown.starts_with("two.ron:6:"), "{shown}");
        assert!(shown.contains("\n 6 |         effects: [Burn(amount: N(2), to"), "{shown}");

        let error = fault("types: [Creature], power", "type: [Creature], power");
        assert_eq!((error.line, error.card.as_deref()), (3, Some("Bear")));
        assert!(error.problem.contains("`type` in `Card`, expected one of `name`, `cost`"));

        let error = fault("\"1G\"", "\"1Q\"");
        assert!(error.problem.contains("`1Q` is no mana cost, expected"), "{error}");

        let error = fault(", types: [Instant]", "");
        assert!(error.problem.contains("missing field named `types`"), "{error}");
        assert_eq!(error.card.as_deref(), Some("Shock"));

        assert_eq!(fault("// Two.\n[", "").card, None);
    }

    #[test]
    fn long_costs_are_no_overflow() {
        assert!(fault("\"1G\"", &format!("\"{}\"", "G".repeat(300))).problem.contains("mana cost"));
    }
}
