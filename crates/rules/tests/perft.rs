//! Move counts by depth against numbers that another system counted.

use std::collections::BTreeMap;

use meeple_game::{ActionList, Game, Turn};
use meeple_rules::{Config, FileGame, builtin};

/// Large boards with a history need more than 15 words.
type Table = FileGame<511>;

/// Counts sequences of `depth` turns, or of single actions.
fn perft(state: &Table, depth: usize, turns: bool) -> u64 {
    let Turn::Player(mover) = state.turn() else { return 0 };
    let mut actions = ActionList::new();
    state.legal_actions(&mut actions);
    if depth == 1 && !turns {
        return actions.len() as u64;
    }
    let mut sum = 0;
    for &action in actions.iter() {
        let mut next = *state;
        next.apply(action);
        sum += match (depth, turns && next.turn() == Turn::Player(mover)) {
            (_, true) => perft(&next, depth, turns),
            (1, false) => 1,
            (_, false) => perft(&next, depth - 1, turns),
        };
    }
    sum
}

#[test]
fn move_counts_agree_with_another_system() {
    let mut checked = 0;
    for line in include_str!("perft.txt").lines().filter(|line| !line.starts_with('#')) {
        let [name, options, unit, counts] =
            line.split('|').map(str::trim).collect::<Vec<_>>().try_into().expect("four columns");
        let options: BTreeMap<String, i64> = options
            .split_whitespace()
            .filter_map(|option| option.split_once('='))
            .map(|(name, value)| (name.to_owned(), value.parse().expect("a number")))
            .collect();
        let text = builtin(name).expect("a built-in file");
        let config = Config::new(name, text, options).expect("a valid file");
        let first = Table::new(&config);
        for (depth, expected) in counts.split_whitespace().enumerate() {
            // The source does not say.
            if expected == "-" {
                continue;
            }
            let expected: u64 = expected.parse().expect("a number");
            assert_eq!(perft(&first, depth + 1, unit == "turns"), expected, "{line}");
            checked += 1;
        }
    }
    assert!(checked >= 70, "{checked} counts checked");
}
