//! Symmetries of game files: as many as the rules have, and none that they do not have.

use std::collections::BTreeMap;

use meeple_game::{Game, conform, symmetries};
use meeple_rules::{BUILTIN, Config, FileGame, builtin};

type Table = FileGame<511>;

fn config(name: &str, text: &str) -> Config<511> {
    Config::new(name, text, BTreeMap::new()).unwrap_or_else(|error| panic!("{error}"))
}

/// The numbers follow from the shape of the board, the initial position, and what the rules name.
/// That each of them maps games to games is tested for every file by the conformance suite.
#[test]
fn files_have_the_symmetries_of_their_rules() {
    let expected = [
        ("tic-tac-toe", 7),
        ("ultimate-tic-tac-toe", 7),
        ("gomoku", 7),
        ("go", 7),
        ("dots-and-boxes", 7),
        ("phantom-tic-tac-toe", 7),
        // The sides of a player are opposite each other.
        ("hex", 1),
        ("dark-hex", 1),
        // The stones fall.
        ("connect-four", 1),
        ("yavalath", 11),
        // The pieces of a player begin on one side of the board.
        ("breakthrough", 1),
        ("knightthrough", 1),
        ("surakarta", 1),
        // Turned by a quarter, dark and light squares change places; turned by half, they do not.
        ("clobber", 3),
        ("ataxx", 3),
        ("reversi", 3),
        // The initial position is not its own image, or kings and queens are not.
        ("alquerque", 0),
        ("fox-and-hounds", 0),
        ("gardner-minichess", 0),
        // Nothing but cards and heaps.
        ("oware", 0),
        ("kuhn-poker", 0),
    ];
    let found = expected.map(|(name, _)| {
        let text = builtin(name).expect("a built-in file");
        (name, symmetries(&Table::new(&config(name, text))).len())
    });
    assert_eq!(found, expected);
    for (name, text) in BUILTIN {
        let found = symmetries(&Table::new(&config(name, text)));
        for (number, symmetry) in found.iter().enumerate() {
            assert!(!found[..number].contains(symmetry), "{name}: two are the same");
        }
    }
}

/// A game on a square board in which stones are placed, with other rules, ends and regions.
fn game(things: &str, rules: &str, ends: &str) -> String {
    format!(
        "game Test\nplayers 2\nboard square 4\npiece stone, king\nnumber moves 0..90\n\
         {things}turn\n{rules}end\n{ends}  board full: draw\n  moves = 90: draw\n"
    )
}

#[test]
fn one_rule_can_break_a_symmetry() {
    let place = "  place stone on empty: add 1 to moves\n";
    let cases = [
        ("", place, "", 7),
        ("", place, "  line of 3: mover wins\n", 7),
        ("", place, "  mine on corners: mover wins\n", 7),
        ("", place, "  mine on a1: mover wins\n", 1),
        ("", place, "  mine on row 1: mover wins\n", 1),
        ("", place, "  mine on rising: mover wins\n", 3),
        // Turned by half, this means the same in other words, which is not recognized.
        ("", place, "  north of mine and mine: mover wins\n", 1),
        (
            "",
            place,
            "  north of mine and mine: mover wins\n  south of mine and mine: mover loses\n",
            1,
        ),
        ("start\n  each player: put stone on nothing\n", place, "", 7),
    ];
    for (things, rules, ends, count) in cases {
        let text = game(things, rules, ends);
        let config = config("test.game", &text);
        assert_eq!(symmetries(&Table::new(&config)).len(), count, "{text}");
        conform::check::<Table>(&config, 5, 1);
    }
}
