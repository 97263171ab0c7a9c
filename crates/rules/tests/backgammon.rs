//! Backgammon: the positions after a roll, against numbers that other programs count.

use std::collections::BTreeMap;

use meeple_game::{Game, Player, Turn, choices};
use meeple_rules::{Config, FileGame, builtin};

type Table = FileGame<15>;

/// The cells of an observation that say where checkers are.
const CHECKERS: usize = 2 * 25;

fn first() -> Table {
    let text = builtin("backgammon").expect("a built-in file");
    Table::new(&Config::new("backgammon", text, BTreeMap::new()).expect("a valid file"))
}

#[track_caller]
fn play(game: &mut Table, name: &str) {
    game.apply(game.parse_action(name).unwrap_or_else(|| panic!("{name}\n{game}")));
}

/// Returns where all checkers are.
fn position(game: &Table) -> Vec<i32> {
    let mut cells = vec![0; game.observation().len()];
    game.observe(Player(0), &mut cells);
    cells.truncate(CHECKERS);
    cells
}

/// Returns the states after the turn of the player to move, one for each position.
fn turns(game: Table) -> BTreeMap<Vec<i32>, Table> {
    let mover = game.turn();
    let (mut open, mut found) = (vec![game], BTreeMap::new());
    while let Some(game) = open.pop() {
        for action in choices(&game) {
            let mut next = game;
            next.apply(action);
            if next.turn() == mover {
                open.push(next);
            } else {
                found.insert(position(&next), next);
            }
        }
    }
    found
}

/// The numbers of GNU Backgammon and of an independent generator, which agree.
#[test]
fn rolls_lead_to_the_known_numbers_of_positions() {
    let known = "1-1 42, 2-1 15, 3-1 16, 4-1 14, 5-1 8, 6-1 10, 2-2 75, 3-2 17, 4-2 18, 5-2 8, \
                 6-2 14, 3-3 73, 4-3 17, 5-3 9, 6-3 14, 4-4 52, 5-4 9, 6-4 14, 5-5 4, 6-5 7, 6-6 11";
    let rolls: Vec<(&str, &str)> =
        known.split(", ").filter_map(|entry| entry.trim().split_once(' ')).collect();
    // The numbers are about any roll, and doubles do not open.
    let text = builtin("backgammon").expect("a built-in file");
    let text = text
        .replace("    if doubles: go to opening\n    otherwise: go to moving", "    go to moving");
    let config = Config::new("backgammon", &text, BTreeMap::new()).expect("a valid file");
    let (mut first, mut second) = (0, 0);
    for (roll, expected) in &rolls {
        let mut game = Table::new(&config);
        play(&mut game, "1");
        play(&mut game, roll);
        let states = turns(game);
        assert_eq!(states.len(), expected.parse::<usize>().expect("a number"), "{roll}");
        first += states.len();
        for state in states.into_values() {
            for (roll, _) in &rolls {
                let mut next = state;
                play(&mut next, roll);
                second += turns(next).len();
            }
        }
    }
    assert_eq!((first, second), (447, 202_782));
}

#[test]
fn doubles_do_not_open() {
    let mut game = first();
    play(&mut game, "2");
    play(&mut game, "3-3");
    assert_eq!(game.turn(), Turn::Chance, "{game}");
    play(&mut game, "3-1");
    assert_eq!(game.turn(), Turn::Player(Player(1)), "{game}");
}
