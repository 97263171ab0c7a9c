//! The documents about Magic cards are those that the cards and the sources of
//! their language make. `UPDATE=1` rewrites them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use meeple_game::Game as _;
use meeple_games::magic::language::Card;
use meeple_games::magic::{Config, Magic, cards};

use crate::recorder::words_of;
use crate::snippets;
use crate::source::{self, Field, Word, Words};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[track_caller]
fn check_document(path: &str, expected: &str) {
    let path = root().join(path);
    if std::env::var_os("UPDATE").is_some() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a writable folder");
        fs::write(&path, expected).expect("a writable document");
        return;
    }
    let text = fs::read_to_string(&path).unwrap_or_default();
    assert!(text == expected, "{}: UPDATE=1 rewrites it", path.display());
}

const INTRODUCTION: &str = r#"# The card language

A card file is a list of cards in [RON](https://github.com/ron-rs/ron). What is not
given is left out; nothing needs `Some`. `meeple cards check mine.ron` checks a file,
and `meeple cards show NAME --cards mine.ron` says in English what a card does.

```ron
[
    (
        name: "Ember Hound", cost: "2R", types: [Creature], subtypes: ["Dog"],
        power: N(3), toughness: N(2), keywords: [Haste],
        abilities: [
            Triggered(
                on: Enters(This),
                targets: [Any],
                effects: [Damage(amount: N(1), to: Target(0))],
            ),
        ],
    ),
]
```

Costs are texts: X's, a number, and letters of `WUBRGC`, such as `"2UU"`, `"XR"` or
`"0"`. Subtypes are texts of one capitalized word. A basic land type among the
subtypes of a land brings its mana ability along.

Everything else is put together from the words below, each with a card that uses it.
This page is made from the types themselves.
"#;

#[test]
fn the_language_is_documented() {
    let users = users();
    let (mut text, mut missing) = (INTRODUCTION.to_owned(), Vec::new());
    for words in source::types() {
        write!(text, "\n## {}\n\n{}\n\n", words.name, words.doc).expect("a String takes it");
        for word in &words.words {
            match example(&words, word, &users) {
                Some(example) => describe_word(&mut text, &words, word, &example),
                None => missing.push(key(&words, word)),
            }
        }
    }
    assert_eq!(missing, [""; 0], "words without a card, and without a snippet in snippets.rs");
    check_document("docs/src/magic/card-language.md", &text);
}

/// The example in the introduction is a card that can be used.
#[test]
fn the_introduction_is_right() {
    let (_, rest) = INTRODUCTION.split_once("```ron\n").expect("an example");
    let (example, _) = rest.split_once("```").expect("its end");
    let read = cards::load(&[("example.ron".into(), example.into())]).expect("it is right");
    assert_eq!(read[0].name, "Ember Hound");
}

/// The built-in cards by the words they use, and the example of the rest.
fn users() -> BTreeMap<String, &'static Card> {
    let mut users = BTreeMap::new();
    for card in cards::builtin() {
        for word in words_of(card) {
            // The simplest card that shows a word is the one with the fewest words.
            let simpler = |other: &&Card| words_of(card).len() < words_of(*other).len();
            if users.get(&word).is_none_or(simpler) {
                users.insert(word, card);
            }
        }
    }
    users
}

/// How a word is called among the words of all types.
fn key(words: &Words, word: &Word) -> String {
    format!("{}{}{}", words.name, if words.is_struct { "." } else { "::" }, word.name)
}

/// A card that uses a word, and how.
fn example(words: &Words, word: &Word, users: &BTreeMap<String, &Card>) -> Option<String> {
    let key = key(words, word);
    if let Some(card) = users.get(&key) {
        return Some(match snippet(&source_of(card), words, word) {
            Some(snippet) => format!("{}: `{snippet}`", card.name),
            None => card.name.clone(),
        });
    }
    let snippet = snippet(snippets::card_for(&key)?, words, word)?;
    Some(format!("no built-in card: `{snippet}`"))
}

fn describe_word(text: &mut String, words: &Words, word: &Word, example: &str) {
    let form = match (words.is_struct, word.holds.is_empty(), word.fields.is_empty()) {
        (true, ..) => format!("{}: {}", word.name, word.holds),
        (false, true, true) => word.name.clone(),
        (false, false, _) => format!("{}({})", word.name, word.holds),
        (false, true, false) => {
            let fields: Vec<String> = word
                .fields
                .iter()
                .map(|Field { name, holds, .. }| format!("{name}: {holds}"))
                .collect();
            format!("{}({})", word.name, fields.join(", "))
        }
    };
    writeln!(text, "- `{form}`: {} _{example}_", word.doc).expect("a String takes it");
    for Field { name, doc, optional, .. } in &word.fields {
        let optional = if *optional { " (may be left out)" } else { "" };
        writeln!(text, "  - `{name}`: {doc}{optional}").expect("a String takes it");
    }
}

/// How a card is written in its file, on one line.
fn source_of(card: &Card) -> String {
    let start = format!("name: {:?},", card.name);
    let (text, at) = cards::FILES
        .iter()
        .find_map(|(_, text)| Some((text, text.find(&start)?)))
        .expect("a built-in card");
    let rest = &text[at..];
    let end = rest.find("\n    (").unwrap_or(rest.len());
    one_line(&rest[..end])
}

/// Without line breaks, and without the commas before closing brackets.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut line = words.join(" ");
    for (from, to) in [("( ", "("), ("[ ", "["), (", )", ")"), (", ]", "]")] {
        line = line.replace(from, to);
    }
    line
}

/// The place of a card's text that shows a word, if it is short.
fn snippet(card: &str, words: &Words, word: &Word) -> Option<String> {
    let line = one_line(card.trim_start_matches('('));
    let starts = line.match_indices(&word.name).map(|(at, _)| at);
    let mut found = starts.filter_map(|at| shown_at(&line, at, words, word));
    found.find(|snippet| snippet.chars().count() <= 120)
}

/// The word at this place with what it holds, if it is that word and not a
/// namesake of another type.
fn shown_at(line: &str, at: usize, words: &Words, word: &Word) -> Option<String> {
    let joins = |c: char| c.is_alphanumeric() || c == '_' || c == '"';
    let rest = &line[at + word.name.len()..];
    if line[..at].ends_with(joins) || rest.starts_with(joins) {
        return None;
    }
    let named = |rest: &str| {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        end.is_some_and(|end| end > 0 && rest[end..].starts_with(": "))
    };
    let length = if words.is_struct {
        let value = rest.strip_prefix(": ").filter(|_| is_field_of(&words.name, &line[..at]))?;
        2 + value_length(value)
    } else if !word.fields.is_empty() {
        rest.strip_prefix('(').filter(|inner| named(inner))?;
        value_length(rest)
    } else if !word.holds.is_empty() {
        rest.strip_prefix('(').filter(|inner| !named(inner))?;
        value_length(rest)
    } else if rest.starts_with('(') || rest.starts_with(':') {
        return None;
    } else {
        0
    };
    Some(line[at..at + word.name.len() + length].to_owned())
}

/// Whether a field after this text is one of that struct: of the card itself, of
/// what something changes into, or of a filter.
fn is_field_of(name: &str, before: &str) -> bool {
    let mut depth = 0_usize;
    let opened = before.char_indices().rev().find(|(_, letter)| match letter {
        ')' => {
            depth += 1;
            false
        }
        '(' if depth > 0 => {
            depth -= 1;
            false
        }
        '(' => true,
        _ => false,
    });
    let opener = opened.map(|(at, _)| &before[..at]);
    match (name, opener) {
        ("Card", opener) => opener.is_none(),
        (_, None) => false,
        ("Change", Some(opener)) => opener.ends_with("into: "),
        (_, Some(opener)) => {
            !opener.ends_with(char::is_alphanumeric) && !opener.ends_with("into: ")
        }
    }
}

/// How long a value is: to its closing bracket, or to the next comma.
fn value_length(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut quoted = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' => depth += 1,
            ')' | ']' | ',' if depth == 0 => return at,
            ')' | ']' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// The words that tell what a card does, rather than what it is.
const TELLING: [&str; 9] =
    ["Keyword", "Ability", "Static", "Rule", "Replacement", "Event", "Target", "Cost", "Effect"];

#[test]
fn the_cards_are_listed() {
    let tests = tests_by_card();
    let mut text =
        "# The cards\n\nEvery built-in card, what it is made of, and how many scenarios in \
                    `tests/data/magic` name it.\n\n| card | primitives | tests |\n|---|---|---|\n"
            .to_owned();
    let mut all: Vec<&Card> = cards::builtin().iter().filter(|card| !card.token).collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    for card in all {
        let words: BTreeSet<String> = words_of(card);
        let telling =
            |word: &String| word.split_once("::").is_some_and(|(kind, _)| TELLING.contains(&kind));
        let words: Vec<String> = words.into_iter().filter(telling).collect();
        let count = tests.get(&*card.name).copied().unwrap_or(0);
        writeln!(text, "| {} | {} | {count} |", card.name, words.join(", "))
            .expect("a String takes it");
    }
    check_document("docs/src/magic/cards.md", &text);
}

/// How many scenarios name each card. Long names first: a Fog Elemental is no
/// Fog.
fn tests_by_card() -> BTreeMap<&'static str, usize> {
    let mut names: Vec<&str> = cards::builtin().iter().map(|card| &*card.name).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let mut counts = BTreeMap::new();
    for mut scenario in scenarios() {
        for &name in &names {
            if take_out(&mut scenario, name) {
                *counts.entry(name).or_insert(0) += 1;
            }
        }
    }
    counts
}

/// All scenarios, without the word that begins them.
fn scenarios() -> Vec<String> {
    let folder = fs::read_dir(root().join("tests/data/magic")).expect("a folder of scenarios");
    let paths = folder.map(|entry| entry.expect("a readable folder").path());
    let mut all = Vec::new();
    for path in paths.filter(|path| path.extension().is_some_and(|ending| ending == "txt")) {
        let text = fs::read_to_string(&path).expect("a scenario is text");
        all.extend(text.split("\nscenario ").skip(1).map(str::to_owned));
    }
    all
}

/// Every rule that a scenario proves is listed, and what is listed is proved or
/// has a remark why not.
#[test]
fn the_rules_are_listed() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for scenario in scenarios() {
        let number = scenario.split(' ').next().unwrap_or_default();
        if number.starts_with(|c: char| c.is_ascii_digit()) {
            *counts.entry(number.to_owned()).or_insert(0) += 1;
        }
    }
    let list = fs::read_to_string(root().join("tests/data/magic/rules.tsv")).expect("a list");
    let mut text = "# The rules\n\nRules of the Comprehensive Rules, by number, and the scenarios \
                    in `tests/data/magic` that prove\nthem. This page is made from \
                    `tests/data/magic/rules.tsv` and the scenarios.\n\n\
                    | rule | about | scenarios | status |\n|---|---|---|---|\n"
        .to_owned();
    for line in list.lines() {
        let mut fields = line.split('\t');
        let (number, title) = (fields.next().unwrap_or_default(), fields.next());
        let title = title.unwrap_or_else(|| panic!("rules.tsv: {number} has no title"));
        let remark = fields.next();
        let count = counts.remove(number).unwrap_or(0);
        let status = match (count, remark) {
            (0, None) => panic!("rules.tsv: {number} has neither a scenario nor a remark"),
            (0, Some(remark)) => format!("not tested: {remark}"),
            (_, None) => "tested".to_owned(),
            (_, Some(remark)) => format!("tested: {remark}"),
        };
        writeln!(text, "| {number} | {title} | {count} | {status} |").expect("a String takes it");
    }
    assert_eq!(counts.into_keys().collect::<Vec<_>>(), [""; 0], "rules that rules.tsv lacks");
    text.push_str(&bounds());
    check_document("docs/src/magic/rules.md", &text);
}

/// What a state has room for, and the most that games were seen to need.
fn bounds() -> String {
    let list = fs::read_to_string(root().join("tests/data/magic/bounds.md")).expect("a text");
    let game = Magic::new(&Config::default());
    let rows: Vec<Vec<&str>> = (list.lines().filter(|line| line.starts_with("| ")).skip(1))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let told: Vec<(&str, usize)> =
        rows.iter().map(|row| (row[0], row[1].parse().expect("a number"))).collect();
    let there: Vec<(&str, usize)> =
        game.usage().iter().map(|usage| (usage.what, usage.most)).collect();
    assert_eq!(told, there, "bounds.md");
    for row in &rows {
        let room: usize = row[1].parse().expect("a number");
        for most in &row[2..] {
            let most: usize = most.parse().expect("a number");
            assert!(most < room || row[0] == "groups of events", "bounds.md: {row:?}");
        }
    }
    list
}

/// Takes a name out of a text; tells whether it was there.
fn take_out(text: &mut String, name: &str) -> bool {
    let whole = |at: usize, text: &str| {
        !text[..at].ends_with(char::is_alphanumeric)
            && !text[at + name.len()..].starts_with(char::is_alphanumeric)
    };
    let places: Vec<usize> =
        text.match_indices(name).map(|(at, _)| at).filter(|&at| whole(at, text)).collect();
    for &at in places.iter().rev() {
        text.replace_range(at..at + name.len(), "");
    }
    !places.is_empty()
}

#[test]
fn names_are_taken_out_whole() {
    let mut text = "Fog Elemental blocks. Foggy. Fog resolves.".to_owned();
    assert!(take_out(&mut text, "Fog Elemental"));
    assert!(take_out(&mut text, "Fog"));
    assert_eq!(text, " blocks. Foggy.  resolves.");
    assert!(!take_out(&mut text, "Fog"));
}

#[test]
fn snippets_are_cards_that_use_their_word() {
    let users = users();
    for (key, card) in snippets::SNIPPETS {
        let read = cards::load(&[("snippet.ron".into(), format!("[{card}]"))]);
        let read = read.unwrap_or_else(|faults| panic!("{key}: {}", faults[0]));
        assert!(words_of(&read[0]).contains(*key), "{card} does not use {key}");
        assert!(!users.contains_key(*key), "{key}: a built-in card uses it");
    }
}
