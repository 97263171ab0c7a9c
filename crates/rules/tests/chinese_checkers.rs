//! Chinese checkers against move counts of another system, for six players.

use std::collections::BTreeSet;

use meeple_game::{Game, Turn, choices};
use meeple_rules::{Config, FileGame, builtin};

/// Six players need more than 15 words.
type Table = FileGame<511>;

fn table(text: &str, players: i64) -> Table {
    let options = [("players".to_owned(), players)].into();
    Table::new(&Config::new("chinese-checkers", text, options).expect("a valid file"))
}

fn file() -> &'static str {
    builtin("chinese-checkers").expect("a built-in file")
}

/// Returns the states after whole turns in which a marble moves, each once, and the state after
/// a turn in which none does.
fn turns(state: &Table) -> (Vec<Table>, Option<Table>) {
    let Turn::Player(mover) = state.turn() else { return (Vec::new(), None) };
    let (mut open, mut stays) = (vec![*state], None);
    let (mut seen, mut ends) = (BTreeSet::new(), Vec::new());
    while let Some(state) = open.pop() {
        for action in choices(&state) {
            let mut next = state;
            next.apply(action);
            if state.action_name(action) == "pass" {
                stays = Some(next);
            } else if next.turn() == Turn::Player(mover) {
                open.push(next);
            } else if seen.insert(next.key()) {
                ends.push(next);
            }
        }
    }
    (ends, stays)
}

/// Counts sequences of turns; each of the ten marbles of a player may stay where it is.
fn perft(state: &Table, depth: usize) -> u64 {
    let (moves, stays) = turns(state);
    if depth == 1 {
        return moves.len() as u64 + if stays.is_some() { 10 } else { 0 };
    }
    let moved: u64 = moves.iter().map(|next| perft(next, depth - 1)).sum();
    moved + 10 * stays.map_or(0, |next| perft(&next, depth - 1))
}

#[test]
fn six_players_have_the_moves_that_another_system_counts() {
    // There, a marble that jumps as often as never stays.
    let start = table(&file().replace("  otherwise pass\n", "  pass\n"), 6);
    for (depth, expected) in [(1, 24), (2, 579), (3, 13_968)] {
        assert_eq!(perft(&start, depth), expected, "depth {depth}");
    }
}

/// Steps into the hexagon, and jumps of the second row over the first.
#[test]
fn every_number_of_players_begins_alike() {
    for players in 2..=6 {
        let (moves, stays) = turns(&table(file(), players));
        assert_eq!((moves.len(), stays.is_some()), (14, false), "{players} players");
    }
}
