//! Move counts by depth against an oracle that this project did not write.

use std::collections::BTreeMap;

use meeple_game::{ActionList, Turn};

use crate::{FileGame, Program, builtin};

type Game = FileGame<63>;

fn game(name: &str, options: &[(&str, i64)]) -> Game {
    let options: BTreeMap<String, i64> =
        options.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    let text = builtin(name).expect("a built-in file");
    match Program::load(&format!("{name}.game"), text, &options) {
        Ok(program) => Game::start(program),
        Err(error) => panic!("{error}"),
    }
}

/// Counts sequences of `depth` turns, or of single actions.
fn perft(state: &Game, depth: usize, turns: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    let Turn::Player(mover) = state.turn_now() else { return 0 };
    let mut actions = ActionList::new();
    state.list_actions(&mut actions);
    if depth == 1 && !turns {
        return actions.len() as u64;
    }
    let mut sum = 0;
    for &action in actions.iter() {
        let mut next = *state;
        next.play(action);
        let goes_on = turns && next.turn_now() == Turn::Player(mover);
        sum += perft(&next, if goes_on { depth } else { depth - 1 }, turns);
    }
    sum
}

#[track_caller]
fn check(name: &str, options: &[(&str, i64)], turns: bool, expected: &[u64]) {
    let first = game(name, options);
    let counts: Vec<u64> = (1..=expected.len()).map(|depth| perft(&first, depth, turns)).collect();
    assert_eq!(counts, expected, "{name}");
}

#[test]
fn counts() {
    let mut all = Vec::new();
    let mut run = |name: &str, options: &[(&str, i64)], turns: bool, expected: &[u64]| {
        let Ok(first) = std::panic::catch_unwind(|| game(name, options)) else { return };
        let counts: Vec<u64> =
            (1..=expected.len()).map(|depth| perft(&first, depth, turns)).collect();
        if counts != expected {
            all.push(format!("{name} {counts:?} expected {expected:?}"));
        }
    };
    run("tic-tac-toe", &[], true, &[9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]);
    run("connect-four", &[], true, &[7, 49, 343, 2401, 16807, 117649]);
    run("gomoku", &[], true, &[225, 50400]);
    run("hex", &[("size", 5)], true, &[25, 600, 13800]);
    run("hex", &[], true, &[121, 14520]);
    run("reversi", &[], true, &[4, 12, 56, 244, 1396, 8200]);
    run("reversi", &[("size", 4)], true, &[4, 12, 44, 128, 424, 1256, 3624, 9112, 20032]);
    run("breakthrough", &[], true, &[22, 484, 11132, 256036]);
    run("breakthrough", &[("size", 5)], true, &[13, 156, 1924, 23084, 289828]);
    run("knightthrough", &[], true, &[40, 1600, 63520]);
    run("english-draughts", &[], true, &[7, 49, 302, 1469, 7361, 36768, 179740]);
    run("clobber", &[], true, &[180, 31252]);
    run("fox-and-hounds", &[], false, &[4, 7, 49, 182, 1118, 3096, 18792, 70174, 424568]);
    run("amazons", &[], true, &[2176]);
    run("yavalath", &[], true, &[61, 3660, 215940]);
    run("nine-mens-morris", &[], true, &[24, 552, 12144, 255024]);
    run("alquerque", &[], true, &[4, 5, 6, 12, 29, 109, 541, 2730, 14375]);
    run("oware", &[], true, &[6, 36, 190, 1014, 5219, 27332]);
    assert!(all.is_empty(), "{}", all.join("\n"));
    check("kalah", &[], false, &[6]);
}
