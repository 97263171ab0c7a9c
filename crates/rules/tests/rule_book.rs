//! Which rules offer actions and end games, in random games by every file.

use std::collections::{BTreeMap, BTreeSet};

use meeple_game::{Action, Game, Rng, Turn, choices};
use meeple_rules::{BUILTIN, Config};

type FileGame = meeple_rules::FileGame<511>;

/// Plays a random game; calls `see` with each state and the event that follows.
fn play(start: FileGame, seed: u64, mut see: impl FnMut(&FileGame, Action)) -> FileGame {
    let (mut state, mut rng) = (start, Rng::new(seed));
    for _ in 0..5_000 {
        let event = match state.turn() {
            Turn::Over => break,
            Turn::Chance => state.sample_chance(&mut rng),
            Turn::Player(_) => {
                let actions = choices(&state);
                actions[rng.below(actions.len())]
            }
        };
        see(&state, event);
        state.apply(event);
    }
    state
}

fn start(text: &str) -> FileGame {
    let config: Config<511> =
        Config::new("test.game", text, BTreeMap::new()).expect("a valid file");
    FileGame::new(&config)
}

#[test]
fn every_action_is_offered_by_a_rule_and_every_end_has_a_line() {
    let book = FileGame::COMPANIONS.rule_book.expect("files have rules");
    for (name, text) in BUILTIN {
        let start = start(text);
        let rules = (book.rules)(&start);
        let lines: Vec<&str> = text.lines().collect();
        for rule in &rules {
            assert_eq!(rule.text, lines[rule.line - 1].trim(), "{name}");
        }
        let first_end = lines.iter().position(|line| *line == "end").expect("a block") + 1;
        let mut applied = BTreeSet::new();
        for seed in 0..20 {
            let over = play(start, seed, |state, event| {
                let offered = (book.offers)(state, event).expect("a rule offers it");
                assert!(rules[offered].line < first_end, "{name}: {:?}", rules[offered]);
                applied.insert(offered);
                let mut after = *state;
                after.apply(event);
                let end = (book.ends)(state, event);
                assert!(after.turn() == Turn::Over || end.is_none(), "{name}");
                if let Some(end) = end {
                    assert!(rules[end].line > first_end, "{name}: {:?}", rules[end]);
                    applied.insert(end);
                }
            });
            assert!(over.turn() == Turn::Over || over.fault().is_none(), "{name}");
        }
        assert!(applied.len() > 1, "{name}: {applied:?}");
    }
}

/// In tic-tac-toe a full board is a draw unless the last stone makes a line.
#[test]
fn the_end_that_applies_is_the_first_that_holds() {
    let book = FileGame::COMPANIONS.rule_book.expect("files have rules");
    let start = start(meeple_rules::builtin("tic-tac-toe").expect("it comes with the crate"));
    let rules = (book.rules)(&start);
    let mut seen = BTreeMap::new();
    for seed in 0..200 {
        let mut last = None;
        let over = play(start, seed, |state, event| last = (book.ends)(state, event));
        let text = &rules[last.expect("an end applies")].text;
        *seen.entry((text.clone(), over.payoffs()[0] == 0.0)).or_insert(0) += 1;
    }
    let found: Vec<(&str, bool)> =
        seen.keys().map(|(text, is_drawn)| (text.as_str(), *is_drawn)).collect();
    assert_eq!(found, [("board full: draw", true), ("line of length: mover wins", false)]);
}
