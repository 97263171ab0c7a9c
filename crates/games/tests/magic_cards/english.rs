//! Cards in English: some of them as they were read by eye, and of all of them
//! what makes a sentence. `UPDATE=1` rewrites what was read.

use std::fs;

use meeple_games::magic::{cards, english};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/magic_cards/english.txt");

/// The descriptions are separated by empty lines, and each begins with the name.
#[test]
fn cards_are_described() {
    let golden = fs::read_to_string(GOLDEN).expect("the golden descriptions");
    let name = |text: &str| {
        let line = text.lines().next().unwrap_or_default();
        line.split_once(" {").map_or(line, |(name, _)| name).to_owned()
    };
    let names: Vec<String> = golden.split("\n\n").map(name).collect();
    assert!(names.len() > 50, "{names:?}");
    let described = names.iter().map(|name| {
        let card = cards::find(cards::builtin(), name);
        english::describe(card.unwrap_or_else(|| panic!("no card {name}")))
    });
    let text = described.collect::<Vec<_>>().join("\n");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(GOLDEN, text).expect("a writable golden file");
    } else {
        assert_eq!(text, golden, "UPDATE=1 rewrites it");
    }
}

#[test]
fn all_cards_are_sentences() {
    for card in cards::builtin() {
        let text = english::describe(card);
        for line in text.lines() {
            let wrong = ["  ", "..", " .", " ,", "{}", "()", ". ,", ": ."];
            assert!(wrong.iter().all(|part| !line.contains(part)), "{}: {line:?}", card.name);
            assert_eq!(line, line.trim(), "{}", card.name);
            let lower = line.starts_with(char::is_lowercase);
            assert!(!lower, "{}: {line:?} begins small", card.name);
        }
        let rules = card.effects.len() + card.modes.len() + card.abilities.len();
        assert!(rules == 0 || text.trim_end().ends_with(['.', '"']), "{text}");
    }
}
