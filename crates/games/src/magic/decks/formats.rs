//! The deck formats people have: plain lists, MTG Arena, MTGO text, `.dec`, Forge and
//! XMage `.dck`.
//!
//! One grammar reads them all, because they agree on `4 Shock` and differ in what
//! surrounds it: printings (`(6ED) 12`, `[6ED:12]`, `|6ED`), headings (`Sideboard`,
//! `[Sideboard]`), prefixes (`SB:`) and remarks (`#`, `//`).

/// A line of a deck file that lists copies of a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    /// The line, from 1.
    pub(super) line: usize,
    pub(super) count: u64,
    pub(super) name: &'a str,
    pub(super) part: Part,
}

/// The part of a deck that a card belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Main,
    Sideboard,
}

/// A deck file, read but not yet looked up in a pool of cards.
#[derive(Debug, Default)]
pub(super) struct Listing<'a> {
    /// The name that the file gives the deck.
    pub(super) name: Option<&'a str>,
    pub(super) entries: Vec<Entry<'a>>,
    /// Lines that cannot be read, and why.
    pub(super) faults: Vec<(usize, String)>,
}

/// A heading of a file and what follows it.
enum Section {
    Cards(Part),
    /// Arena's `About` and Forge's `[metadata]`: facts such as the deck's name.
    About,
    /// Cards for other variants of the game: commanders, planes, schemes.
    Foreign(String),
}

/// Reads `text`; `is_plain_text` says that the file ends in `.txt`, as MTGO's export does.
pub(super) fn parse(text: &str, is_plain_text: bool) -> Listing<'_> {
    let mut listing = Listing::default();
    let mut section = Section::Cards(Part::Main);
    let mut has_headings = false;
    let mut blocks = vec![0];
    for (line, raw) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let content = without_remark(raw);
        if content.is_empty() {
            if raw.trim().is_empty() {
                blocks.push(listing.entries.len());
            }
            listing.name = listing.name.or_else(|| name_in_remark(raw));
            continue;
        }
        if content.starts_with('<') {
            let problem = "an XML deck, expected text: export the deck as text or as .dec";
            listing.faults.push((line, problem.into()));
            return listing;
        }
        if let Some(next) = heading(content) {
            section = next;
            has_headings = true;
            continue;
        }
        if let Some(name) = named(content, &section) {
            listing.name = listing.name.or(Some(name)).filter(|name| !name.is_empty());
            continue;
        }
        if content.starts_with("LAYOUT ") {
            continue; // XMage's arrangement of the cards on the screen
        }
        let (part, content) = match (prefix(content), &section) {
            (Some(rest), _) => {
                has_headings = true;
                (Part::Sideboard, rest)
            }
            (None, Section::Cards(part)) => (*part, content),
            (None, Section::About) => continue,
            (None, Section::Foreign(heading)) => {
                let problem = format!(
                    "{content:?} under {heading:?}, expected cards of the deck or its sideboard"
                );
                listing.faults.push((line, problem));
                continue;
            }
        };
        match counted(content) {
            Ok((count, name)) => listing.entries.push(Entry { line, count, name, part }),
            Err(problem) => listing.faults.push((line, problem)),
        }
    }
    if is_plain_text && !has_headings {
        mark_sideboard(&mut listing.entries, &blocks);
    }
    listing
}

/// The most cards in a sideboard of a tournament (100.4a).
const SIDEBOARD: u64 = 15;
/// The fewest cards in a deck of a tournament (100.2b).
const LIMITED_DECK: u64 = 40;

/// Marks the sideboard of MTGO's text export, which stands behind a blank line without
/// a heading.
///
/// People put blank lines between lands and spells too, so the second of exactly two
/// blocks is a sideboard only if both have the sizes of a deck and of a sideboard.
fn mark_sideboard(entries: &mut [Entry<'_>], blocks: &[usize]) {
    let inner = |at: &&usize| **at > 0 && **at < entries.len();
    let mut starts: Vec<usize> = blocks.iter().filter(inner).copied().collect();
    starts.dedup();
    let [start] = starts[..] else { return };
    let (main, rest) = entries.split_at_mut(start);
    let size = |entries: &[Entry<'_>]| {
        entries.iter().fold(0_u64, |sum, entry| sum.saturating_add(entry.count))
    };
    if size(main) >= LIMITED_DECK && size(rest) <= SIDEBOARD {
        rest.iter_mut().for_each(|entry| entry.part = Part::Sideboard);
    }
}

/// The line without what follows a `#`, or empty if it begins with `//`.
fn without_remark(line: &str) -> &str {
    let content = line.split('#').next().unwrap_or_default().trim();
    if content.starts_with("//") { "" } else { content }
}

/// The name in Magic Workstation's `// NAME : Mine`.
fn name_in_remark(line: &str) -> Option<&str> {
    let (key, value) = line.trim().strip_prefix("//")?.split_once(':')?;
    let value = value.trim();
    (key.trim().eq_ignore_ascii_case("name") && !value.is_empty()).then_some(value)
}

/// The section that a line begins, if it is a heading.
fn heading(content: &str) -> Option<Section> {
    let inner = content.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let title = inner.unwrap_or(content).trim().trim_end_matches(':');
    match title.to_lowercase().as_str() {
        "deck" | "main" | "maindeck" | "main deck" | "mainboard" => {
            Some(Section::Cards(Part::Main))
        }
        "sideboard" | "side" => Some(Section::Cards(Part::Sideboard)),
        "about" | "metadata" | "general" => Some(Section::About),
        "commander" | "companion" | "avatar" | "planes" | "schemes" | "conspiracy" | "dungeon" => {
            Some(Section::Foreign(title.into()))
        }
        _ if inner.is_some() => Some(Section::Foreign(title.into())),
        _ => None,
    }
}

/// The deck's name in `Name=Mine` (Forge), `NAME:Mine` (XMage) and `Name Mine` (Arena).
fn named<'a>(content: &'a str, section: &Section) -> Option<&'a str> {
    let rest = content.get(..4).filter(|key| key.eq_ignore_ascii_case("name"))?;
    let rest = &content[rest.len()..];
    let is_about = matches!(section, Section::About);
    let value = match rest.chars().next() {
        Some('=' | ':') => &rest[1..],
        Some(' ' | '\t') if is_about => rest,
        _ => return None,
    };
    Some(value.trim())
}

/// What follows the prefix of a sideboard's card, `SB:`.
fn prefix(content: &str) -> Option<&str> {
    let key = content.get(..3).filter(|key| key.eq_ignore_ascii_case("sb:"))?;
    Some(content[key.len()..].trim_start())
}

/// A number of copies and the name of a card without its printing.
fn counted(content: &str) -> Result<(u64, &str), String> {
    let shape = || format!("{content:?}, expected a number and a card such as \"20 Mountain\"");
    let digits = content.len() - content.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = content.split_at(digits);
    if number.is_empty() {
        return Err(shape());
    }
    // A number too large for its type is refused as a number of cards, not as a word.
    let count = number.parse().unwrap_or(u64::MAX);
    // `4x Shock`, and `4 x Shock`: no card has the name X.
    let rest = match rest.trim_start().strip_prefix(['x', 'X']) {
        Some(rest) if rest.starts_with(char::is_whitespace) => rest,
        _ => rest,
    };
    let name = if rest.starts_with(char::is_whitespace) { card_name(rest) } else { "" };
    if name.is_empty() { Err(shape()) } else { Ok((count, name)) }
}

/// The name in `[6ED:12] Shock`, `Shock (6ED) 12`, `Shock|6ED|1` and `Shock *F*`.
fn card_name(text: &str) -> &str {
    let text = text.trim();
    let text = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((_, rest)) => rest,
        None => text,
    };
    let text = text.split('|').next().unwrap_or_default().trim();
    // No name of a card has a parenthesis behind a space, except on joke cards.
    let text = text.split(" (").next().unwrap_or_default();
    let text = text.split(" *").next().unwrap_or_default();
    text.trim().trim_end_matches('+').trim()
}
