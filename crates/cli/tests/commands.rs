//! The command line as people and scripts use it: output, errors, exit codes.

mod program;

use std::io::Write;
use std::process::{Output, Stdio};

use program::{check_failure, json, meeple, refused, succeeds, text};
use serde_json::Value;

/// Plays with `typed` as the lines that a person types.
fn play(arguments: &[&str], typed: &[u8]) -> Output {
    let mut command = meeple(&[&["play"], arguments].concat());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    // The game may be over before everything typed is read.
    let _ = child.stdin.take().expect("stdin is piped").write_all(typed);
    child.wait_with_output().expect("the program ends")
}

#[test]
fn games_are_listed() {
    let table = succeeds(&["games"]);
    assert!(table.starts_with("game "), "{table}");
    assert!(!table.contains('\u{1b}'), "colour without a terminal: {table}");
    let games = json(&["games", "--json"]);
    assert_eq!(games[0]["name"], "tic-tac-toe");
    assert_eq!(games[0]["actions"], 9);
    assert_eq!(table.lines().count(), 1 + games.as_array().expect("a list").len());
}

#[test]
fn simulations_do_not_depend_on_threads() {
    let run = |threads| {
        let arguments =
            ["simulate", "pig", "--games", "3000", "--seed", "7", "--json", "--threads", threads];
        let mut report = json(&[&arguments[..], &["--config", r#"{"players":3}"#]].concat());
        for changing in ["seconds", "games_per_second", "decisions_per_second"] {
            assert!(report[changing].as_f64().expect("a number") > 0.0);
            report[changing] = Value::Null;
        }
        report
    };
    let report = run("1");
    assert_eq!(report, run("2"));
    assert_eq!(report["games"], 3000);
    assert_eq!(report["seats"].as_array().expect("a list").len(), 3);
    let seat = &report["seats"][0];
    let [low, win, high] = ["ci_low", "win", "ci_high"].map(|key| seat[key].as_f64().expect(key));
    assert!(low < win && win < high);
}

#[test]
fn simulations_take_bots_and_tables() {
    let report =
        succeeds(&["simulate", "connect_four", "--games", "50", "--bots", "greedy,random"]);
    assert!(report.contains("connect-four: 50 games") && report.contains("greedy"), "{report}");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("table.json");
    std::fs::write(&file, r#"{"players": 6}"#).expect("a file");
    let file = file.to_str().expect("a path that is text");
    let report = json(&["simulate", "pig", "--games", "10", "--config", file, "--json"]);
    assert_eq!(report["config"]["players"], 6);
}

#[test]
fn nonsense_is_refused_with_what_was_expected() {
    refused(&["simulate", "go"], "unknown game \"go\", expected one of tic-tac-toe, connect-four");
    refused(&["play", "go"], "unknown game \"go\"");
    refused(&["simulate", "pig", "--bots", "mcst"], "unknown bot \"mcst\", expected one of random");
    refused(&["simulate", "pig", "--bots", "flat:depth=2"], "has no option \"depth\"");
    refused(&["simulate", "pig", "--bots", "greedy"], "bot greedy cannot play pig");
    refused(&["simulate", "kuhn", "--bots", "random,random,random"], "3 bots cannot fill 2 seats");
    for games in ["-5", "0", "1e30", "many", "1.5"] {
        refused(
            &["simulate", "pig", &format!("--games={games}")],
            "expected a whole number from 1",
        );
    }
    refused(&["simulate", "pig", "--seed", "x"], "invalid digit");
    refused(&["simulate", "pig", "--threads", "0"], "0 is not in 1..=1024");
    refused(&["simulate", "pig", "--turbo"], "unexpected argument '--turbo'");
    refused(&["simulate", "pig", "--config", "{"], "--config: ");
    refused(
        &["simulate", "pig", "--config", r#"{"players":9}"#],
        "--config: players: expected 2 to 6 players, got 9 at line 1 column 13",
    );
    refused(&["simulate", "pig", "--config", r#"{"dice":2}"#], "unknown field `dice`");
    refused(&["simulate", "pig", "--config", "{} x"], "trailing characters");
    refused(
        &["simulate", "pig", "--config", "no-such-file"],
        "cannot read the file \"no-such-file\"",
    );
    refused(&["play", "kuhn", "--seat", "2"], "--seat 2: the seats of this table are 0 to 1");
    refused(&["bench", "games", "--only", "xyz"], "--only xyz: no row has this in its name");
    refused(&["bench", "games", "--baseline", "no-such-file"], "cannot read the baseline");
    refused(&["bench", "--strict"], "--baseline");
    refused(&["perft", "8/8 w - -", "3"], "FEN: expected 8 ranks parted by '/', found 2");
    refused(&["perft", "start", "0"], "0 is not in 1..=20");
    refused(&["fly"], "unrecognized subcommand 'fly'");
}

#[test]
fn positions_are_counted() {
    let report = json(&["perft", "start", "4", "--json"]);
    assert_eq!(report["nodes"], 197_281);
    assert_eq!(report["moves"].as_array().expect("a list").len(), 20);
    let table = succeeds(&["perft", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "3"]);
    assert!(table.contains("2,812 nodes at depth 3"), "{table}");
}

#[test]
fn every_command_has_help_with_an_example() {
    for command in [
        "games", "simulate", "run", "play", "analyze", "replay", "export", "perft", "plan",
        "equity", "rank", "range", "bench",
    ] {
        let help = succeeds(&[command, "--help"]);
        assert!(help.contains("Example: meeple "), "{help}");
    }
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let arguments = ["simulate", "tic-tac-toe", "--games", "10"];
    let mut child = meeple(&arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    check_failure(&arguments, &output, 1, "stdout was closed before all results were written");
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_what_was_done() {
    let shown = program::interrupted(&["simulate", "pig", "--games", "1e14"]);
    assert!(shown.contains("games/s"), "{shown}");
    let shown = program::interrupted(&["equity", "AhAs", "KdKc", "--sims", "1e12"]);
    assert!(shown.contains("deals sampled") && shown.contains("95 % interval"), "{shown}");
}

#[test]
fn a_person_plays_to_the_end() {
    let typed = "help\nhint\nb2\nundo\nboard\nb2\n".to_owned() + &"1\n".repeat(9);
    let output = play(&["tic-tac-toe", "--vs", "random"], typed.as_bytes());
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}");
    for expected in ["You are seat 0", "take back your last", "hint: ", "seat 1: ", "  a b c"] {
        assert!(shown.contains(expected), "{expected} in {shown}");
    }
    assert!(["You win", "You lose", "A draw"].iter().any(|end| shown.contains(end)), "{shown}");
}

#[test]
fn taking_back_does_not_change_the_luck() {
    let typed = "roll\nundo\nroll\nundo\nroll\nresign\n";
    let output = play(&["pig", "--seed", "3"], typed.as_bytes());
    let shown = text(&output.stdout);
    let after_typing = |line: &&str| line.starts_with("> chance: rolled");
    let rolls: Vec<&str> = shown.lines().filter(after_typing).collect();
    assert!(rolls.len() == 3 && rolls[0] == rolls[1] && rolls[1] == rolls[2], "{shown}");
}

#[test]
fn whatever_is_typed_play_goes_on() {
    let typed = b"\n99\n0\n-1\nzz\n\xff\xfe\n18446744073709551616\nundo\na\nresign\n";
    let output = play(&["tic-tac-toe"], typed);
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}");
    assert!(shown.contains("expected a number from 1 to 9"), "{shown}");
    assert!(shown.contains("\"zz\" is no action here"), "{shown}");
    assert!(shown.contains("\"a\" could be 3 actions"), "{shown}");
    assert!(shown.contains("nothing to take back"), "{shown}");
}

#[test]
fn input_that_ends_leaves_the_game_with_a_sentence() {
    let output = play(&["kuhn"], b"");
    check_failure(&["play", "kuhn"], &output, 1, "the input ended before the game did");
}

/// The card of the other seat is dealt unseen and never drawn before a showdown.
#[test]
fn play_shows_no_hidden_card() {
    for seed in 0..20 {
        let output = play(&["kuhn", "--seed", &seed.to_string()], b"resign\n");
        let shown = text(&output.stdout);
        let dealt = shown.matches("chance: deal ").count();
        assert_eq!((dealt, shown.matches("(hidden from you)").count()), (1, 1), "{shown}");
        assert!(shown.contains("seat 1: ?"), "{shown}");
    }
}

#[test]
fn speed_is_measured_saved_and_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("speed.json");
    let path = file.to_str().expect("a path that is text");
    let measure = ["bench", "games", "--only", "tic-tac-toe/key"];
    let report = json(&[&measure[..], &["--json", "--save", path]].concat());
    assert_eq!(report["rows"][0]["name"], "tic-tac-toe/key");
    assert!(report["rows"][0]["ns_per_op"].as_f64().expect("a number") > 0.0);

    // Against a baseline that was impossibly fast, every measurement is slow.
    let saved = std::fs::read_to_string(&file).expect("the file was saved");
    let mut saved: Value = serde_json::from_str(&saved).expect("it is JSON");
    saved["rows"][0]["value"] = 1e-6.into();
    std::fs::write(&file, saved.to_string()).expect("it can be written");
    let arguments = [&measure[..], &["--baseline", path, "--strict"]].concat();
    let output = meeple(&arguments).output().expect("the program runs");
    check_failure(&arguments, &output, 1, "slower than the baseline: tic-tac-toe/key at");
    succeeds(&[&measure[..], &["--baseline", path]].concat());

    std::fs::write(&file, r#"{"version":9,"rows":[]}"#).expect("it can be written");
    refused(&[&measure[..], &["--baseline", path]].concat(), "has version 9");
    let nowhere = folder.path().join("no/such/folder.json");
    let arguments = [&measure[..], &["--save", nowhere.to_str().expect("text")]].concat();
    let output = meeple(&arguments).output().expect("the program runs");
    check_failure(&arguments, &output, 1, "cannot save to");
}
