//! Assessments of games whose answers are known.

use std::fs;
use std::path::Path;

use meeple_arena::{AssessOptions, Assessment, Figure, RunProgress, assess};
use meeple_bots::{Position, open, open_value};
use serde_json::{Value, json};

/// The first player wins with the first stone.
const FIRST_WINS: &str = "\
game First
players 2
board square 3
piece stone
turn
  place stone on empty
end
  count of mine > 0: mover wins
  board full: draw
";

/// Both players call; a coin decides, whatever they called.
const COIN: &str = "\
game Coin
players 2
number calls 0..2
number result 0..2
phase calling
  say heads
    add 1 to calls
    if calls = 2: go to tossing
  say tails
    add 1 to calls
    if calls = 2: go to tossing
  say edge if calls > 5: add 1 to calls
phase tossing
  roll coin 1..2
    set result to coin
end
  result = 1: mover wins
  result = 2: mover loses
";

fn file(text: &str) -> Box<dyn Position> {
    open_value("my", &json!({ "file": text })).unwrap_or_else(|error| panic!("{error}"))
}

fn assessed(table: &dyn Position, change: impl Fn(&mut AssessOptions)) -> Assessment {
    let mut options = AssessOptions {
        games: 40,
        random_games: 50,
        doublings: 2,
        seed: 1,
        threads: 2,
        ..AssessOptions::new(table)
    };
    options.bot.sims = 100;
    change(&mut options);
    assess(table, &options, &RunProgress::default()).expect("it can be played")
}

#[track_caller]
fn value(figure: &Figure) -> f64 {
    figure.value().unwrap_or_else(|| panic!("{figure:?}"))
}

#[track_caller]
fn contains(figure: &Figure, expected: f64) -> bool {
    let bounds = figure.interval().unwrap_or_else(|| panic!("{figure:?}"));
    (bounds.ci_low..=bounds.ci_high).contains(&expected)
}

#[test]
fn tic_tac_toe_is_drawn_and_fair() {
    let found = assessed(&*open("tic-tac-toe", None).unwrap(), |options| {
        options.bot.sims = 2000;
        options.doublings = 0;
        options.random_games = 2000;
    });
    assert!(value(&found.outcomes.drawn_share) > 0.95, "{found:?}");
    assert_eq!(found.outcomes.decisions_quartiles[4], 9);
    assert!(contains(&found.outcomes.seats[0].win_share, 0.5));
    // Nine fields and less with every stone: 5 actions on average, the last one forced.
    assert!((value(&found.decisions.legal_actions_per_decision) - 5.0).abs() < 0.2, "{found:?}");
    assert!((value(&found.decisions.forced_share) - 1.0 / 9.0).abs() < 0.02, "{found:?}");
    assert_eq!(value(&found.chance_share), 0.0);
    assert_eq!(found.chance_share.interval(), None);
    assert_eq!(found.skill.elo_per_doubling.reason(), Some("no doubling was asked for"));
    // Of random games, the first player wins 58.5 %, the second 28.8 %.
    let first = &found.random_outcomes.seats[0].win_share;
    assert!(contains(first, 0.585 + 0.127 / 2.0), "{first:?}");
    assert_eq!((found.actions.action_ids, found.actions.legal_ids), (9, 9));
}

#[test]
fn a_game_that_the_first_player_wins_says_so() {
    let found = assessed(&*file(FIRST_WINS), |_| ());
    let [first, second] = &found.outcomes.seats[..] else { panic!("two seats") };
    assert_eq!((value(&first.win_share), value(&second.win_share)), (1.0, 0.0));
    assert!(first.win_share.interval().unwrap().ci_low > 0.9);
    assert_eq!(value(&found.outcomes.decided_share), 1.0);
    assert_eq!(found.outcomes.decisions_quartiles, [1; 5]);
    // Nothing depends on the choice, and the same seat wins both games of a pair.
    assert_eq!(value(&found.decisions.important_share), 0.0);
    assert!(contains(&found.skill.elo_per_doubling, 0.0), "{:?}", found.skill);
    let warnings: Vec<&str> = found.findings.iter().map(|finding| finding.text.as_str()).collect();
    assert!(warnings[0].starts_with("Seat 0 has an advantage: it wins 100.0 %"), "{warnings:?}");
    assert!(warnings.contains(&"Line 9 never applied: board full: draw"), "{warnings:?}");
}

#[test]
fn a_coin_decides_everything_and_no_skill_helps() {
    let found = assessed(&*file(COIN), |options| options.games = 100);
    assert!(value(&found.chance_share) > 0.95, "{:?}", found.chance_share);
    assert!(found.chance_share.interval().unwrap().ci_low > 0.9, "{:?}", found.chance_share);
    assert!(contains(&found.skill.elo_per_doubling, 0.0), "{:?}", found.skill);
    assert_eq!((found.skill.doublings, found.skill.matches[0].high_sims), (2, 50));
    assert!(contains(&found.outcomes.seats[0].win_share, 0.5));
    assert!(value(&found.decisions.important_share) < 0.1, "{:?}", found.decisions);
    assert_eq!(value(&found.course.lead_changes_per_game), 0.0);

    // Every rule applies, except for the action that is never legal.
    let dead: Vec<usize> =
        found.rules.iter().filter(|rule| rule.is_dead()).map(|rule| rule.line).collect();
    assert_eq!(dead, [12], "{:?}", found.rules);
    let by_line = |line| found.rules.iter().find(|rule| rule.line == line).expect("a rule");
    assert_eq!(by_line(14).text, "roll coin 1..2");
    assert_eq!(by_line(14).applied, found.outcomes.games);
    assert_eq!(by_line(17).applied + by_line(18).applied, found.outcomes.games);
    assert_eq!(by_line(6).offered_decisions, 2 * found.outcomes.games);
    assert_eq!((found.actions.action_ids, found.actions.legal_ids), (3, 2));
}

/// Between equal players, dice decide a race of dice, and cards a game of cards.
#[test]
fn dice_and_cards_decide_between_equals() {
    let config = Some(r#"{"goal": 30}"#);
    for (game, config) in [("pig", config), ("kuhn", None), ("leduc-poker", None)] {
        let table = open(game, config).unwrap();
        let found = assessed(&*table, |options| (options.games, options.doublings) = (100, 0));
        assert!(value(&found.chance_share) > 0.5, "{game}: {:?}", found.chance_share);
        assert!(value(&found.outcomes.chance_events_per_game) > 1.0);
    }
}

#[test]
fn imperfect_information_and_more_seats_are_assessed() {
    for (game, config, bot) in [
        ("leduc", None, "mcts-ismcts"),
        ("knockout-whist", Some(r#"{"players": 3}"#), "mcts-ismcts"),
        ("pig", Some(r#"{"players": 6, "goal": 20}"#), "mcts:"),
    ] {
        let table = open(game, config).unwrap();
        let found = assessed(&*table, |options| {
            (options.games, options.random_games) = (6, 20);
            options.bot.sims = 16;
        });
        assert!(found.bot.starts_with(bot), "{game}: {}", found.bot);
        assert_eq!(found.outcomes.seats.len(), table.players());
        let shares: f64 = found.outcomes.seats.iter().map(|seat| value(&seat.win_share)).sum();
        assert!((shares - 1.0).abs() < 1e-9, "{game}: the shares of the seats are {shares}");
        assert!(value(&found.course.lead_changes_per_game) >= 0.0);
        assert!(found.chance_share.value().is_some(), "{game}");
    }
}

/// Nothing is searched where random games do not end, since rollouts would not either.
#[test]
fn games_without_end_are_not_searched() {
    let endless =
        "game Endless\nplayers 2\nnumber turns 0..1\nturn\n  say on\nend\n  turns = 1: draw\n";
    let found = assessed(&*file(endless), |options| {
        (options.max_decisions, options.random_games) = (100, 5);
    });
    assert_eq!(value(&found.random_outcomes.unfinished_share), 1.0);
    assert_eq!((found.outcomes.games, found.skill.doublings), (0, 0));
    assert_eq!(found.outcomes.decided_share.reason(), Some("too few games were played"));
    let reason = found.skill.elo_per_doubling.reason();
    assert_eq!(reason, Some("random games do not end, so searches would not"));
    let first = &found.findings[0].text;
    assert!(first.contains("of random players did not end within 100 decisions"), "{first}");
}

#[test]
fn threads_do_not_change_the_assessment() {
    for (game, config) in [("connect-four", None), ("leduc", None)] {
        let table = open(game, config).unwrap();
        let with = |threads| {
            assessed(&*table, |options| {
                (options.threads, options.games) = (threads, 10);
                options.bot.sims = 32;
            })
        };
        assert_eq!(with(1), with(3), "{game}");
    }
}

/// A stopped assessment is about the games that were played until then.
#[test]
fn a_stopped_assessment_keeps_what_is_known() {
    let table = open("tic-tac-toe", None).unwrap();
    let options = AssessOptions { random_games: 20, threads: 1, ..AssessOptions::new(&*table) };
    // Random games weigh 1, those of the bot as much as its simulations.
    let progress = RunProgress::stopping_after(20 + 5 * u64::from(options.bot.sims));
    let found = assess(&*table, &options, &progress).unwrap();
    assert!(!found.finished);
    assert_eq!((found.random_outcomes.games, found.outcomes.games), (20, 5));
    assert!(found.outcomes.decided_share.interval().is_some());
    assert_eq!(found.skill.elo_per_doubling.reason(), Some("too few games were played"));
}

#[test]
fn options_without_sense_are_named() {
    let table = open("tic-tac-toe", None).unwrap();
    let mut options = AssessOptions::new(&*table);
    assert_eq!(options.problem(), None);
    options.bot.sims = 7;
    let problem = options.problem().expect("too few simulations");
    assert_eq!(problem, "7 simulations cannot be halved 3 times, expected at least 8");
    (options.bot.sims, options.bot.ms) = (1000, Some(10));
    assert!(options.problem().expect("a clock").contains("is not repeatable"));
}

/// The whole JSON form, so that changes of the form or of a figure are seen.
#[test]
fn the_json_of_a_small_game_is_as_recorded() {
    let found = assessed(&*file(COIN), |options| (options.games, options.random_games) = (8, 10));
    let text = serde_json::to_string_pretty(&found).expect("plain data") + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/assess-coin.json");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &text).expect("the file can be written");
    }
    let recorded = fs::read_to_string(&path).expect("a recorded assessment");
    assert_eq!(text, recorded, "UPDATE=1 rewrites {}", path.display());
    let value: Value = serde_json::from_str(&text).expect("JSON");
    assert_keys(&value);
}

/// Keys are snake_case.
fn assert_keys(value: &Value) {
    match value {
        Value::Object(keys) => {
            for (key, value) in keys {
                let is_snake = key.chars().all(|letter| {
                    letter.is_ascii_lowercase() || letter == '_' || letter.is_ascii_digit()
                });
                assert!(is_snake, "{key}");
                assert_keys(value);
            }
        }
        Value::Array(values) => values.iter().for_each(assert_keys),
        _ => {}
    }
}
