//! Tests of reading and writing PHH.

use meeple_game::{ActionList, Game, Rng, Turn};

use super::super::{Config, Holdem};
use super::{parse_phh, phh};

/// Plays a random hand; returns its end and its actions.
fn random_hand(config: &Config, rng: &mut Rng) -> (Holdem, Vec<meeple_game::Action>) {
    let (mut game, mut actions) = (Holdem::new(config), Vec::new());
    let mut scratch = ActionList::new();
    while game.turn() != Turn::Over {
        let action = match game.turn() {
            Turn::Chance => game.sample_chance(rng),
            _ => game.sample_action(rng, &mut scratch),
        };
        game.apply(action);
        actions.push(action);
    }
    (game, actions)
}

#[test]
fn random_hands_round_trip() {
    let mut rng = Rng::new(8);
    for table in [
        "{}",
        r#"{"betting": "fcpa", "amounts": [240], "stacks": [700, 900]}"#,
        r#"{"players": 6, "bets": [33], "ante": 10, "stacks": [20, 130, 900, 60, 1000, 5]}"#,
        r#"{"players": 4, "betting": "limit", "stacks": 450}"#,
    ] {
        let config: Config = serde_json::from_str(table).unwrap();
        for _ in 0..100 {
            let (end, actions) = random_hand(&config, &mut rng);
            let names: Vec<String> =
                (0..end.players()).map(|seat| format!("a \"quoted\\{seat}\" name")).collect();
            let text = phh(&config, &actions, &names).unwrap();
            let read = parse_phh(&text).unwrap_or_else(|error| panic!("{error}\n{text}")).remove(0);
            assert_eq!((&read.config, &read.actions, &read.names), (&config, &actions, &names));
            // Without our own fields the bets are found among the amounts.
            let foreign: String = text
                .lines()
                .filter(|line| !line.starts_with('_'))
                .map(|l| format!("{l}\n"))
                .collect();
            let other =
                parse_phh(&foreign).unwrap_or_else(|error| panic!("{error}\n{text}")).remove(0);
            let mut game = Holdem::new(&other.config);
            other.actions.iter().for_each(|&action| game.apply(action));
            assert_eq!(game.chips(), end.chips(), "{text}");
        }
    }
}

/// Hands as other programs write them: comments, shown cards, a list of hands.
const FOREIGN: &str = r#"
[1]
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [1000, 1000, 1000]
actions = [
  "d dh p1 2s3s", "d dh p2 AsKd", "d dh p3 QhQd",
  "p3 cbr 225 # a raise", "p1 f", "p2 cc",
  "d db 4s4d4h", "p2 cc", "p3 cc", "d db 9c", "p2 cc", "p3 cc", "d db Ts", "p2 cc", "p3 cc",
  "p2 sm AsKd", "p3 sm QhQd",
]
event = "some event"

[2]
variant = "FT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
small_bet = 2
big_bet = 4
starting_stacks = [100, 100]
actions = ["d dh p1 2s3s", "d dh p2 AsKd", "p2 cbr 4", "p1 f"]
"#;

#[test]
fn hands_of_other_programs_are_read() {
    let hands = parse_phh(FOREIGN).unwrap();
    let ends: Vec<Vec<u32>> = hands
        .iter()
        .map(|hand| {
            let mut game = Holdem::new(&hand.config);
            hand.actions.iter().for_each(|&action| game.apply(action));
            assert_eq!(game.turn(), Turn::Over);
            game.chips().to_vec()
        })
        .collect();
    assert_eq!(ends, [vec![950, 775, 1275], vec![98, 102]]);
    assert_eq!(hands[0].config.options().amounts, [225]);
}

#[test]
fn errors_have_reason_and_line() {
    for (from, to, line, expected) in [
        ("\"NT\"", "\"PO\"", 3, "expected variant NT or FT"),
        ("[50, 100, 0]", "[50, 100, 200]", 5, "blinds_or_straddles: expected a small and a big"),
        ("min_bet = 100", "min_bet = 50", 6, "min_bet: expected 100 at these blinds, got 50"),
        ("min_bet = 100", "", 3, "min_bet is missing"),
        ("[0, 0, 0]", "[0, 5, 0]", 4, "antes: expected the same ante"),
        ("[0, 0, 0]", "[5, 5]", 4, "antes: expected the same ante"),
        ("[1000, 1000, 1000]", "[1000]", 7, "expected 2 to 6 players, got 1"),
        ("[1000, 1000, 1000]", "[1000, 0.5, 2]", 7, "floating point"),
        ("p3 QhQd", "p3 ????", 9, "expected known cards"),
        ("p3 QhQd", "p4 QhQd", 9, "expected a player from p1 to p3, got \"p4\""),
        ("p3 QhQd", "p3 AsQd", 3, "a card is dealt twice"),
        ("cbr 225", "cbr 150", 10, "no bet of this size is legal"),
        ("cbr 225", "cbr 1.5", 10, "expected a whole number of chips"),
        ("p1 f", "p2 f", 10, "expected p1 to act"),
        ("db 9c", "db 4s", 11, "not legal in this state"),
        ("p2 cc\"", "p2 calls\"", 10, "expected d dh, d db, f, cc, cbr or sm"),
        ("min_bet = 100", "min_bet = ", 6, ""),
    ] {
        let error = parse_phh(&FOREIGN.replacen(from, to, 1)).unwrap_err();
        assert!(error.reason.contains(expected), "{error}");
        assert_eq!(error.line, line, "{error}");
    }
}
