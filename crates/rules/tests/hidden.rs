//! What players do not see: determinizations keep to everything that a player knows.

use std::collections::BTreeMap;

use meeple_game::{ActionList, Game, Player, Rng, Turn};
use meeple_rules::{Config, FileGame, builtin};

type Table = FileGame<15>;

fn shipped(name: &str) -> Table {
    let text = builtin(name).expect("a built-in file");
    let config = Config::new(name, text, BTreeMap::new()).unwrap_or_else(|error| panic!("{error}"));
    Table::new(&config)
}

/// Returns the words after `label` in the whole text of a state.
fn line(game: &Table, label: &str) -> Vec<String> {
    let text = game.to_string();
    let found = text.lines().find_map(|line| line.strip_prefix(label));
    let words = found.unwrap_or_else(|| panic!("no {label} in {text}")).split_whitespace();
    words.filter(|word| *word != "-").map(str::to_owned).collect()
}

fn step(game: &mut Table, rng: &mut Rng) {
    let mut scratch = ActionList::new();
    let action = match game.turn() {
        Turn::Player(_) => game.sample_action(rng, &mut scratch),
        _ => game.sample_chance(rng),
    };
    game.apply(action);
}

#[track_caller]
fn play(game: &mut Table, name: &str) {
    let action = game.parse_action(name).unwrap_or_else(|| panic!("{name}\n{game}"));
    game.apply(action);
}

/// Whoever did not follow suit has none of it in any determinization of another player.
#[test]
fn a_player_who_does_not_follow_lacks_the_suit() {
    let mut checked = 0;
    for seed in 0..20 {
        let (mut game, mut rng) = (shipped("black-maria"), Rng::new(seed));
        while game.turn() != Turn::Over {
            step(&mut game, &mut rng);
            let (Turn::Player(mover), led) = (game.turn(), line(&game, "led:")) else { continue };
            let Some(suit) = led.first().and_then(|card| card.chars().last()) else { continue };
            for seat in (0..4).filter(|&seat| seat != mover.index()) {
                let trick = line(&game, &format!("trick of seat {seat}:"));
                if trick.is_empty() || trick[0].ends_with(suit) {
                    continue;
                }
                let other = game.determinize(mover, &mut rng);
                let hand = line(&other, &format!("hand of seat {seat}:"));
                assert!(!hand.iter().any(|card| card.ends_with(suit)), "{game}\n{other}");
                checked += 1;
            }
        }
    }
    assert!(checked > 50, "{checked}");
}

/// Cards that can never be in a hand are never dealt to it.
#[test]
fn hands_keep_to_the_cards_that_can_get_there() {
    let (mut game, mut rng) = (shipped("goofspiel"), Rng::new(3));
    let mut others = std::collections::BTreeSet::new();
    for _ in 0..9 {
        step(&mut game, &mut rng);
        for _ in 0..5 {
            let other = game.determinize(Player(1), &mut rng);
            let hidden = [line(&other, "hand of one:"), line(&other, "bids of one:")].concat();
            assert!(hidden.iter().all(|card| card.ends_with('h')), "{other}");
            assert_eq!(line(&other, "hand of two:"), line(&game, "hand of two:"));
            others.insert(line(&other, "bids of one:"));
        }
    }
    assert!(others.len() > 3, "{others:?}");
}

/// A named letter that the opponent does not hold is not dealt to them.
#[test]
fn an_answer_is_remembered() {
    let mut checked = 0;
    for seed in 0..200 {
        let (mut game, mut rng) = (shipped("sealed-letters"), Rng::new(seed));
        while !matches!(game.turn(), Turn::Player(_)) {
            step(&mut game, &mut rng);
        }
        let guards = line(&game, "hand of seat 0:");
        let Some(guard) = guards.iter().find(|card| card.starts_with('1')) else { continue };
        play(&mut game, guard);
        if line(&game, "hand of seat 1:")[0].starts_with('8') {
            continue;
        }
        play(&mut game, "eight");
        assert_ne!(game.turn(), Turn::Over);
        for _ in 0..20 {
            let other = game.determinize(Player(0), &mut rng);
            assert!(!line(&other, "hand of seat 1:")[0].starts_with('8'), "{other}");
            checked += 1;
        }
    }
    assert!(checked > 500, "{checked}");
}

/// A stone that was found stays where it is; the others may be anywhere that is not known.
#[test]
fn found_stones_stay() {
    let mut game = shipped("phantom-tic-tac-toe");
    play(&mut game, "b2");
    play(&mut game, "b2");
    assert_eq!(game.turn(), Turn::Player(Player(1)), "a taken site is tried again");
    play(&mut game, "a1");
    let mut rng = Rng::new(5);
    let (mut corners, mut known) = (0, 0);
    for _ in 0..200 {
        let other = game.determinize(Player(1), &mut rng);
        assert!(other.to_string().contains(" 2 . X ."), "{other}");
        let first = game.determinize(Player(0), &mut rng).to_string();
        corners += u32::from(first.contains(" 3 O"));
        known += u32::from(game.determinize(Player(0), &mut rng) != game);
    }
    // Eight sites are equally likely for the stone of the second player.
    assert!((10..45).contains(&corners), "{corners}");
    assert!(known > 150, "{known}");
}

/// Hits and misses stay, and ships keep their shape.
#[test]
fn ships_agree_with_the_shots() {
    let (mut game, mut rng) = (shipped("battleships"), Rng::new(7));
    for _ in 0..60 {
        step(&mut game, &mut rng);
    }
    let before = game.text(Player(0));
    let mut moved = 0;
    for _ in 0..50 {
        let other = game.determinize(Player(0), &mut rng);
        assert_eq!(other.text(Player(0)), before);
        assert!(other.is_consistent());
        let boards = other.to_string();
        let count = |letter: char| boards.matches(letter).count();
        // Five parts of the carrier, three of the cruiser, four, three and two.
        assert!(count('b') >= 4 && count('d') >= 2, "{other}");
        moved += u32::from(other != game);
    }
    assert!(moved > 40, "{moved}");
}

/// A hidden die is rolled again; the own one stays.
#[test]
fn hidden_dice_are_rolled_again() {
    let (mut game, mut rng) = (shipped("liars-dice"), Rng::new(9));
    play(&mut game, "3");
    play(&mut game, "5");
    let mut faces = [0; 7];
    for _ in 0..600 {
        let other = game.determinize(Player(0), &mut rng);
        let dice = line(&other, "die:");
        assert_eq!(dice[0], "3");
        faces[dice[1].parse::<usize>().expect("a face")] += 1;
    }
    assert!(faces[0] == 0 && faces[1..].iter().all(|&count| count > 60), "{faces:?}");
    step(&mut game, &mut rng);
}
