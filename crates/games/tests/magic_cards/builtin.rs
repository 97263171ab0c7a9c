//! The built-in Magic cards: read, checked, written and read again, and damaged.

use meeple_game::Rng;
use meeple_games::magic::cards::{self, FILES};
use meeple_games::magic::language::Type;

/// Damaged copies of each card file that are read.
const COPIES: u64 = 150;

#[test]
fn all_cards_are_there() {
    let all = cards::builtin();
    let count = |file: &str| {
        let (_, text) = FILES.iter().find(|(name, _)| *name == file).expect("a card file");
        cards::read(file, text).expect("it is right").len()
    };
    let pool = ["white", "blue", "black", "red", "green", "artifacts", "lands"];
    assert_eq!(pool.map(|file| count(&format!("{file}.ron"))).iter().sum::<usize>(), 335);
    assert_eq!(count("peers.ron"), 13);
    assert_eq!(all.iter().filter(|card| card.token).count(), count("tokens.ron"));
    assert_eq!(all.iter().filter(|card| card.basic).count(), 5);
    assert_eq!(all.iter().filter(|card| card.types.has(Type::Land)).count(), 17);
}

#[test]
fn the_built_in_cards_make_sense() {
    let files: Vec<(String, String)> =
        FILES.iter().map(|&(file, text)| (file.into(), text.into())).collect();
    match cards::load(&files) {
        Ok(read) => assert_eq!(read, cards::builtin()),
        Err(faults) => {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            panic!("{}", faults.join("\n"))
        }
    }
}

#[test]
fn files_are_in_order() {
    for (file, text) in FILES {
        let cards = cards::read(file, text).expect("it is right");
        let names: Vec<&str> = cards.iter().map(|card| &*card.name).collect();
        assert!(names.is_sorted(), "{file}: {names:?}");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{file}: long lines");
    }
}

#[test]
fn what_is_written_reads_back() {
    let all = cards::builtin();
    assert_eq!(cards::read("again.ron", &cards::write(all)).expect("written by us"), all);
    for card in all {
        let alone = std::slice::from_ref(card);
        assert_eq!(cards::read("one.ron", &cards::write(alone)).expect("written by us"), alone);
    }
}

/// Damaged files are refused at a place that exists, or still make sense; words
/// are damaged as well as letters, so that some get past the reader.
#[test]
fn damaged_files_do_no_harm() {
    let root = Rng::new(8);
    let (mut refused, mut senseless, mut fine) = (0, 0, 0);
    for (index, (file, text)) in FILES.iter().enumerate() {
        for copy in 0..COPIES {
            let mut rng = root.split(index as u64 * COPIES + copy);
            let mut damaged = text.to_string();
            for _ in 0..1 + rng.below(3) {
                damage(&mut damaged, &mut rng);
            }
            let lines = damaged.lines().count() + 1;
            let faults = match cards::read(file, &damaged) {
                Ok(read) => {
                    let faults = cards::check(file, &damaged, &read, cards::builtin());
                    *if faults.is_empty() { &mut fine } else { &mut senseless } += 1;
                    faults
                }
                Err(fault) => {
                    refused += 1;
                    vec![fault]
                }
            };
            for fault in faults {
                assert!((1..=lines).contains(&fault.line), "{fault:?}");
                assert!(fault.to_string().starts_with(&format!("{file}:{}:", fault.line)));
            }
        }
    }
    assert!(refused > 0 && senseless > 0 && fine > 0, "{refused} {senseless} {fine}");
}

/// Changes, drops or repeats a letter or a word.
fn damage(text: &mut String, rng: &mut Rng) {
    let words: Vec<(usize, &str)> = text
        .match_indices(|c: char| c.is_alphabetic())
        .map(|(at, _)| at)
        .filter(|&at| at == 0 || !text[..at].ends_with(char::is_alphabetic))
        .map(|at| {
            let rest = &text[at..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            (at, &rest[..end])
        })
        .collect();
    let letters: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    if words.is_empty() {
        return;
    }
    let (at, word) = *rng.pick(&words);
    let (range, new) = match rng.below(3) {
        0 => (at..at + word.len(), rng.pick(&words).1.to_owned()),
        1 => {
            let at = *rng.pick(&letters);
            let letter = text[at..].chars().next().map_or(0, char::len_utf8);
            let other = *rng.pick(&letters);
            let new = text[other..].chars().next().map(String::from).unwrap_or_default();
            (at..at + letter, new)
        }
        _ => {
            let at = *rng.pick(&letters);
            let letter = text[at..].chars().next().map_or(0, char::len_utf8);
            (at..at + letter, String::new())
        }
    };
    text.replace_range(range, &new);
}
