//! Conformance of every game to the contract of `Game`, in many configurations.

use meeple_game::{Game, conform};
use meeple_games::registry::{BUILT_IN, Of, find};

/// For each game, the number of games per configuration and the configurations in JSON.
/// Long games are few; Stone Age and Magic have more configurations in their own tests.
const TABLES: &[(&str, usize, &[&str])] = &[
    ("tic-tac-toe", 200, &["{}"]),
    ("connect-four", 200, &["{}"]),
    ("kuhn", 200, &["{}"]),
    ("leduc", 200, &["{}"]),
    (
        "pig",
        200,
        &[
            "{}",
            r#"{"players": 3}"#,
            r#"{"players": 4, "goal": 10}"#,
            r#"{"players": 5}"#,
            r#"{"players": 6, "goal": 200}"#,
        ],
    ),
    ("knockout-whist", 200, &["{}", r#"{"players": 3}"#, r#"{"players": 4}"#]),
    ("breakthrough", 50, &["{}"]),
    ("chess", 100, &["{}"]),
    ("backgammon", 50, &["{}", r#"{"cube": 64}"#]),
    ("stone-age", 4, &["{}", r#"{"players": 3}"#, r#"{"players": 4}"#]),
    (
        "magic",
        2,
        &[
            "{}",
            r#"{"matchup": "mix"}"#,
            r#"{"decks": ["azorius-deck", "uncovered-deck"], "forced": "ask"}"#,
            r#"{"decks": ["gruul-deck", "dimir-deck"], "payment": "manual"}"#,
        ],
    ),
    (
        "holdem",
        60,
        &[
            "{}",
            r#"{"players": 3, "betting": "limit"}"#,
            r#"{"players": 6, "betting": "fcpa", "ante": 10, "stacks": 700}"#,
            r#"{"players": 4, "stacks": [30, 1000, 75, 400], "bets": [25, 33], "amounts": [300]}"#,
            r#"{"players": 5, "betting": "limit", "ante": 5, "stacks": [90, 1000, 3, 400, 640]}"#,
        ],
    ),
];

trait Checked: Sync {
    fn conforms(&self, table: &str, games: usize);
    fn shows_what_actions_mean(&self, table: &str);
    fn refusal(&self, table: &str) -> String;
}

meeple_games::family!(Checking, Checked);

impl<G: Game> Checked for Of<G> {
    fn conforms(&self, table: &str, games: usize) {
        let config: G::Config = serde_json::from_str(table).expect("a table of this game");
        let walk = conform::check::<G>(&config, games, 1);
        assert_eq!(walk.games, games);
        let written = serde_json::to_string(&config).expect("a configuration can be written");
        let read: G::Config =
            serde_json::from_str(&written).expect("the written configuration is valid");
        assert_eq!(G::new(&read), G::new(&config), "{written}");
    }

    fn shows_what_actions_mean(&self, table: &str) {
        let config: G::Config = serde_json::from_str(table).expect("a table of this game");
        conform::check_action_names::<G>(&config, 3, 1);
    }

    fn refusal(&self, table: &str) -> String {
        serde_json::from_str::<G::Config>(table).expect_err("an impossible table").to_string()
    }
}

#[test]
fn every_game_conforms() {
    for &(name, games, tables) in TABLES {
        for table in tables {
            find::<Checking>(name).expect("a listed game").conforms(table, games);
        }
    }
}

#[test]
fn legal_actions_follow_from_observations() {
    for &(name, _, tables) in TABLES {
        for table in tables {
            find::<Checking>(name).expect("a listed game").shows_what_actions_mean(table);
        }
    }
}

#[test]
fn every_registered_game_is_checked() {
    let checked: Vec<&str> = TABLES.iter().map(|&(name, ..)| name).collect();
    assert_eq!(checked, BUILT_IN);
}

#[test]
fn invalid_configurations_are_rejected_with_what_was_expected() {
    for (game, config, expected) in [
        ("pig", r#"{"players": 7}"#, "expected 2 to 6 players, got 7"),
        ("pig", r#"{"players": 1}"#, "expected 2 to 6 players, got 1"),
        ("pig", r#"{"goal": 5}"#, "expected a goal of 10 to 200 points, got 5"),
        ("pig", r#"{"goals": 5}"#, "unknown field `goals`, expected `players` or `goal`"),
        ("knockout-whist", r#"{"players": 5}"#, "expected 2 to 4 players, got 5"),
        ("stone-age", r#"{"players": 5}"#, "expected 2 to 4 players, got 5"),
        ("stone-age", r#"{"must_pay": true}"#, "unknown field `must_pay`, expected one of"),
        ("holdem", r#"{"stacks": [1, 2, 3]}"#, "stacks: expected one for each of 2 seats, got 3"),
        ("holdem", r#"{"stacks": "many"}"#, "expected a number of chips, or a list"),
        ("holdem", r#"{"stacks": 0}"#, "stacks: expected 1 to 100000000 chips, got 0"),
        ("holdem", r#"{"small_blind": 100}"#, "big_blind above small_blind"),
        ("holdem", r#"{"betting": "pot"}"#, "expected one of `limit`, `no-limit`, `fcpa`"),
        ("holdem", r#"{"betting": "limit", "bets": [50]}"#, "bets: allowed only with betting"),
        ("holdem", r#"{"bets": [100, 50]}"#, "bets: expected ascending percentages"),
        ("holdem", r#"{"amounts": [5, 5]}"#, "amounts: expected ascending numbers of chips"),
        ("kuhn", r#"{"players": 2}"#, "unknown field `players`, there are no fields"),
    ] {
        let error = find::<Checking>(game).expect("a listed game").refusal(config);
        assert!(error.contains(expected), "{error}");
    }
}
