//! Games that exist twice, by hand and as a file, are played side by side.

use std::collections::BTreeMap;

use meeple_game::{Action, Game, Rng, Turn, choices};
use meeple_games::backgammon::Backgammon;
use meeple_games::described::Breakthrough;
use meeple_games::small::{ConnectFour, KnockoutWhist, Kuhn, Leduc, Pig, TicTacToe};
use meeple_rules::{Config, FileGame, builtin};

type Table = FileGame<15>;

const GAMES: u64 = 1000;

/// Plays random games of both; `file_name` is the file's name for a choice of the other game.
/// At every step both have the same turn, the same choices and, over, the same payoffs.
#[track_caller]
fn check<G: Game>(
    config: &G::Config,
    file: &str,
    file_name: impl Fn(&G, &Table, Action) -> String,
) {
    check_with(config, file, &[], file_name);
}

/// The same at a table with options.
#[track_caller]
fn check_with<G: Game>(
    config: &G::Config,
    file: &str,
    options: &[(&str, i64)],
    file_name: impl Fn(&G, &Table, Action) -> String,
) {
    let text = builtin(file).expect("a built-in file");
    let options = options.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    let table: Config<15> = Config::new(file, text, options).expect("a valid file");
    let root = Rng::new(7);
    for number in 0..GAMES {
        let mut rng = root.split(number);
        let (mut one, mut other) = (G::new(config), Table::new(&table));
        loop {
            assert_eq!(one.turn(), other.turn(), "{file}\n{one}\n{other}");
            assert_eq!(one.payoffs(), other.payoffs(), "{file}\n{one}\n{other}");
            if one.turn() == Turn::Over {
                break;
            }
            let offered = choices(&one);
            let mut expected: Vec<String> =
                offered.iter().map(|&action| file_name(&one, &other, action)).collect();
            let mut names: Vec<String> =
                choices(&other).iter().map(|&action| other.action_name(action)).collect();
            expected.sort();
            names.sort();
            assert_eq!(expected, names, "{file}\n{one}\n{other}");
            let action = *rng.pick(&offered);
            let name = file_name(&one, &other, action);
            one.apply(action);
            other.apply(other.parse_action(&name).expect("a choice of the file"));
        }
    }
}

#[test]
fn tic_tac_toe() {
    check::<TicTacToe>(&Default::default(), "tic-tac-toe", |game, _, action| {
        game.action_name(action)
    });
}

#[test]
fn connect_four() {
    // The hand-written game names columns, the file names the sites where stones land.
    check::<ConnectFour>(&Default::default(), "connect-four", |game, other, action| {
        let column = game.action_name(action);
        let lands = choices(other).into_iter().map(|action| other.action_name(action));
        lands.into_iter().find(|site| site.starts_with(&column)).unwrap_or(column)
    });
}

#[test]
fn breakthrough() {
    check::<Breakthrough>(&Default::default(), "breakthrough", |game, _, action| {
        game.action_name(action)
    });
}

#[test]
fn pig() {
    check::<Pig>(&Default::default(), "pig", |game, _, action| {
        game.action_name(action).trim_start_matches("rolled ").to_owned()
    });
}

#[test]
fn kuhn() {
    check::<Kuhn>(&Default::default(), "kuhn-poker", |game, _, action| {
        game.action_name(action).trim_start_matches("deal ").to_owned()
    });
}

/// Leduc's file deals cards with suits, the hand-written game deals ranks: a rank stands for
/// the first suit of it that is left.
#[test]
fn leduc() {
    let text = builtin("leduc-poker").expect("a built-in file");
    let table: Config<15> = Config::new("leduc", text, BTreeMap::new()).expect("a valid file");
    let root = Rng::new(7);
    for number in 0..GAMES {
        let mut rng = root.split(number);
        let (mut one, mut other) = (Leduc::new(&Default::default()), Table::new(&table));
        while one.turn() != Turn::Over {
            assert_eq!(one.turn(), other.turn(), "{one}\n{other}");
            let offered = choices(&one);
            let others = choices(&other);
            let action = *rng.pick(&offered);
            let file_name = |action| match one.action_name(action).as_str() {
                "check" => "call".to_owned(),
                "bet" => "raise".to_owned(),
                name => name.trim_start_matches("deal ").to_owned(),
            };
            let is_chance = one.turn() == Turn::Chance;
            let matches = |other_action: &Action, name: &str| {
                let other_name = other.action_name(*other_action);
                if is_chance { other_name.starts_with(name) } else { other_name == name }
            };
            for &action in &offered {
                let name = file_name(action);
                assert!(others.iter().any(|other| matches(other, &name)), "{name}\n{other}");
            }
            if !is_chance {
                assert_eq!(offered.len(), others.len(), "{one}\n{other}");
            }
            let name = file_name(action);
            let same = *others.iter().find(|other| matches(other, &name)).expect("the same");
            one.apply(action);
            other.apply(same);
        }
        assert_eq!((other.turn(), one.payoffs()), (Turn::Over, other.payoffs()), "{one}\n{other}");
    }
}

/// The hand-written game names the trumps, the file numbers them.
#[test]
fn knockout_whist() {
    for players in 2..=4 {
        let config = serde_json::from_value(serde_json::json!({ "players": players }));
        let config = config.expect("a table");
        let options = [("players", players)];
        check_with::<KnockoutWhist>(&config, "knockout-whist", &options, |game, _, action| {
            let name = game.action_name(action);
            match name.strip_suffix(" are trumps") {
                Some(_) => (action.0 + 1).to_string(),
                None => name,
            }
        });
    }
}

/// The sites of a player's way from the bar on: white's, then black's.
const WAYS: [&str; 2] = [
    "g1 m2 l2 k2 j2 i2 h2 f2 e2 d2 c2 b2 a2 a1 b1 c1 d1 e1 f1 h1 i1 j1 k1 l1 m1",
    "g1 m1 l1 k1 j1 i1 h1 f1 e1 d1 c1 b1 a1 a2 b2 c2 d2 e2 f2 h2 i2 j2 k2 l2 m2",
];

/// Both games move one checker by one die at a time. The hand-written one numbers the moves of the
/// player to move by point and die, and passes by itself where the file has an action for that.
#[test]
fn backgammon() {
    let text = builtin("backgammon").expect("a built-in file");
    let table: Config<15> = Config::new("backgammon", text, BTreeMap::new()).expect("a valid file");
    let apply = |game: &mut Table, name: &str| {
        game.apply(game.parse_action(name).unwrap_or_else(|| panic!("{name}\n{game}")));
    };
    let root = Rng::new(7);
    for number in 0..GAMES {
        let mut rng = root.split(number);
        let (mut one, mut other) = (Backgammon::new(&Default::default()), Table::new(&table));
        let opening = one.sample_chance(&mut rng);
        let name = one.action_name(opening);
        let roll = name.rsplit(' ').next().expect("a roll");
        apply(&mut other, if name.starts_with("seat 0") { "1" } else { "2" });
        apply(&mut other, roll);
        one.apply(opening);
        loop {
            let passes = |game: &Table| {
                matches!(game.turn(), Turn::Player(_))
                    && choices(game).iter().all(|&action| game.action_name(action) == "pass")
            };
            if passes(&other) {
                apply(&mut other, "pass");
            }
            assert_eq!(one.turn(), other.turn(), "{one}\n{other}");
            let Turn::Player(mover) = one.turn() else {
                if one.turn() == Turn::Over {
                    break;
                }
                let roll = one.sample_chance(&mut rng);
                apply(&mut other, &one.action_name(roll));
                one.apply(roll);
                continue;
            };
            let way: Vec<&str> = WAYS[mover.index()].split_whitespace().collect();
            // Points are counted from 0 where the player bears off; the bar is the 24th.
            let file_name = |action: Action| {
                let (point, die) = (action.index() / 6, action.index() % 6 + 1);
                let from = 24 - point;
                match way.get(from + die) {
                    Some(to) => format!("{}-{to}", way[from]),
                    None => format!("off by {die} {}", way[from]),
                }
            };
            let offered = choices(&one);
            let mut expected: Vec<String> =
                offered.iter().map(|&action| file_name(action)).collect();
            let mut names: Vec<String> =
                choices(&other).iter().map(|&action| other.action_name(action)).collect();
            expected.sort();
            names.sort();
            assert_eq!(expected, names, "{one}\n{other}");
            let action = *rng.pick(&offered);
            apply(&mut other, &file_name(action));
            one.apply(action);
        }
        assert_eq!(one.payoffs(), other.payoffs(), "{one}\n{other}");
    }
}
