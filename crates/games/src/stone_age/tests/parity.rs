//! Recorded games of the C engine, replayed step by step.
//!
//! `tests/data/stone-age` holds one random game for each number of players: the order of
//! deck and stacks, then every action and roll, each with a checksum of the engine's legal
//! actions and observation before it.

use meeple_game::{Action, ActionList, Game, Player, Turn};

use super::config;
use crate::stone_age::{Step, StoneAge};

/// The checksum of the records: FNV-1a over little-endian 32-bit numbers.
fn checksum(numbers: impl Iterator<Item = i32>) -> u32 {
    let bytes = numbers.flat_map(i32::to_le_bytes);
    bytes.fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The checksum of what the engine shows its active player: legal actions, then
/// observation.
fn shown(game: &StoneAge) -> u32 {
    let mut legal = ActionList::new();
    game.legal_actions(&mut legal);
    let mut cells = vec![0; game.observation().len()];
    game.observe(Player(game.active), &mut cells);
    checksum(legal.iter().map(|action| i32::from(action.0)).chain(cells[..424].iter().copied()))
}

fn numbers<T: std::str::FromStr>(words: &str) -> Vec<T> {
    words.split_whitespace().map(|word| word.parse().ok().expect("a number")).collect()
}

/// Reveals the next card or tile of the recorded order.
fn reveal(game: &mut StoneAge, deck: &mut Vec<u16>, stacks: &mut [Vec<u16>]) {
    loop {
        let next = match game.step {
            Step::RevealCard => deck.remove(0),
            Step::RevealTile => stacks[game.open_stack().expect("a tile is missing")].remove(0),
            _ => return,
        };
        game.apply(Action(next));
    }
}

fn replay(players: usize, record: &str) {
    let json = format!(r#"{{"players": {players}, "rules": "document", "forced": "ask"}}"#);
    let mut game = StoneAge::new(&config(&json));
    let mut lines = record.lines().filter(|line| !line.starts_with('#'));
    let mut deck = numbers(lines.next().unwrap().strip_prefix("deck").unwrap());
    let mut stacks: Vec<Vec<u16>> = (0..players)
        .map(|_| numbers(lines.next().unwrap().strip_prefix("stack").unwrap()))
        .collect();
    let mut steps = 0;
    for line in lines {
        reveal(&mut game, &mut deck, &mut stacks);
        let words: Vec<&str> = line.split(' ').collect();
        let sum = u32::from_str_radix(words[words.len() - 1], 16).unwrap();
        assert_eq!(shown(&game), sum, "step {steps}, before {line}: {game}");
        match words[0] {
            "scores" => {
                let scores: Vec<i32> = numbers(&words[1..=players].join(" "));
                let ours: Vec<i32> = Player::all(players).map(|seat| game.score(seat)).collect();
                assert_eq!((game.turn(), ours), (Turn::Over, scores));
                return;
            }
            what => {
                assert_eq!(game.turn() == Turn::Chance, what == "roll", "step {steps}");
                game.apply(Action(words[1].parse().unwrap()));
                steps += 1;
            }
        }
    }
    panic!("the record has no end");
}

#[test]
fn two_players() {
    replay(2, include_str!("../../../../../tests/data/stone-age/document-2.txt"));
}

#[test]
fn three_players() {
    replay(3, include_str!("../../../../../tests/data/stone-age/document-3.txt"));
}

#[test]
fn four_players() {
    replay(4, include_str!("../../../../../tests/data/stone-age/document-4.txt"));
}
