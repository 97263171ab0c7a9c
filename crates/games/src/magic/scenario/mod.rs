//! Scenarios: puzzles in plain text that prove rules and cards.
//!
//! The files and their grammar are in `tests/data/magic`.

mod expect;
mod play;
mod read;
mod setup;
mod words;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use play::Play;
use read::{Scenario, Step};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/magic")
}

fn text_of(file: &str) -> String {
    fs::read_to_string(folder().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Plays every scenario of a text; all that fail, with their lines.
fn faults(file: &str, text: &str) -> Vec<String> {
    let (definitions, scenarios) = match read::file(text) {
        Ok(read) => read,
        Err((line, problem)) => return vec![format!("{file}:{line}: {problem}")],
    };
    let fault = |scenario: &Scenario| {
        let (line, problem) = play(scenario, &definitions).err()?;
        Some(format!("{file}:{line}: {}: {problem}", scenario.title))
    };
    scenarios.iter().filter_map(fault).collect()
}

fn play(scenario: &Scenario, definitions: &str) -> Result<(), (usize, String)> {
    let at_start = |problem| (scenario.line, problem);
    let start = setup::state(scenario, definitions).map_err(at_start)?;
    let mut play = Play::new(start);
    for (line, step) in &scenario.steps {
        play.follow(step).map_err(|problem| (*line, problem))?;
    }
    if !scenario.steps.iter().any(|(_, step)| matches!(step, Step::Expect(_) | Step::Cannot(_))) {
        return Err(at_start("it expects nothing".into()));
    }
    play.check_skipping(start).map_err(at_start)
}

macro_rules! files {
    ($($test:ident: $file:literal,)*) => {
        const FILES: &[&str] = &[$($file,)*];

        $(#[test]
        fn $test() {
            let faults = faults($file, &text_of($file));
            assert!(faults.is_empty(), "{} fail:\n{}", faults.len(), faults.join("\n"));
        })*
    };
}

files! {
    bounds: "bounds.txt",
    cards_artifacts: "cards-artifacts.txt",
    cards_black: "cards-black.txt",
    cards_blue: "cards-blue.txt",
    cards_green: "cards-green.txt",
    cards_lands: "cards-lands.txt",
    cards_later: "cards-later.txt",
    cards_peers: "cards-peers.txt",
    cards_red: "cards-red.txt",
    cards_white: "cards-white.txt",
    defects_of_others: "defects-of-others.txt",
    interactions: "interactions.txt",
    primitives: "primitives.txt",
    rules_103_start: "rules-103-start.txt",
    rules_106_mana: "rules-106-mana.txt",
    rules_117_priority: "rules-117-priority.txt",
    rules_500_turn: "rules-500-turn.txt",
    rules_506_combat: "rules-506-combat.txt",
    rules_601_casting: "rules-601-casting.txt",
    rules_603_triggers: "rules-603-triggers.txt",
    rules_608_resolving: "rules-608-resolving.txt",
    rules_613_layers: "rules-613-layers.txt",
    rules_614_instead: "rules-614-instead.txt",
    rules_702_keywords: "rules-702-keywords.txt",
    rules_704_state: "rules-704-state.txt",
    stops: "stops.txt",
}

#[test]
fn every_file_is_played() {
    let entries = fs::read_dir(folder()).expect("a folder of scenarios");
    let names = entries.map(|entry| entry.expect("a readable folder").file_name());
    let names = names.filter_map(|name| name.into_string().ok());
    let there: BTreeSet<String> = names.filter(|name| name.ends_with(".txt")).collect();
    assert_eq!(there, FILES.iter().map(|file| (*file).to_owned()).collect());
}

/// Every built-in card is cast or played by a line that succeeds.
#[test]
fn every_card_is_played() {
    let mut played = BTreeSet::new();
    for file in FILES {
        let (_, scenarios) = read::file(&text_of(file)).unwrap_or_default();
        for (_, step) in scenarios.iter().flat_map(|scenario| &scenario.steps) {
            if let Step::Answer(Some(_), answers) = step {
                let acts = answers.iter().filter_map(|answer| {
                    answer.strip_prefix("cast ").or(answer.strip_prefix("play "))
                });
                played.extend(acts.map(str::to_owned));
            }
        }
    }
    let all = crate::magic::cards::builtin().iter().filter(|card| !card.token);
    let missing: Vec<&str> =
        all.map(|card| &*card.name).filter(|name| !played.contains(*name)).collect();
    assert!(
        missing.is_empty(),
        "{} cards no scenario plays: {}",
        missing.len(),
        missing.join(", ")
    );
}

/// A scenario that fails does so in the line that is wrong.
#[test]
fn faults_name_their_line() {
    let shock = "scenario Shock\nyou: hand Shock; battlefield Mountain\n> cast Shock; target opponent\nresolve\n";
    let fails = |rest: &str, line: usize, problem: &str| {
        let faults = faults("test.txt", &format!("{shock}{rest}"));
        let expected = format!("test.txt:{line}: ");
        assert!(
            matches!(&*faults, [fault] if fault.starts_with(&expected) && fault.contains(problem)),
            "{rest:?} gives {faults:?}, expected {expected}{problem}"
        );
    };
    assert_eq!(faults("test.txt", &format!("{shock}expect opponent life 18")), [""; 0]);
    fails("", 1, "it expects nothing");
    fails("expect opponent life 17", 5, "18, expected 17");
    fails("expect you hand Shock", 5, "expected {\"Shock\": 1}");
    fails("expect you controls Plains", 5, "no Plains");
    fails("expect Mountain is not tapped", 5, "Mountain is tapped");
    fails("expect Mountain is purple", 5, "expected N/N");
    fails("expect you wins", 5, "the game goes on");
    fails("expect stack Shock", 5, "[], expected [\"Shock\"]");
    fails("> cast Shock", 5, "0 choices begin with \"cast Shock\"");
    fails("cannot > pass", 5, "this is possible");
    fails("cannot > cast Black Lotus", 5, "there is no \"Black Lotus\"");
    fails("attack with Mountain", 5, "nobody was asked");
    fails("resolve", 5, "the stack is empty");
    fails("until teatime", 5, "no part of a turn \"teatime\"");
    fails("expext you life 3", 5, "\"expext\", expected");
    fails("you: hands Shock", 5, "\"hands\", expected");
    fails("expect you life 20\nscenario Other\nyou: hand Shok", 6, "did you mean Shock?");
}
