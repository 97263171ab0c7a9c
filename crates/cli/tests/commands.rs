//! The command line: output, errors, exit codes.

mod program;

use program::{check_failure, json, meeple, refused, succeeds};
use serde_json::Value;

#[test]
fn games_are_listed() {
    let table = succeeds(&["games"]);
    assert!(table.starts_with("game "), "{table}");
    assert!(!table.contains('\u{1b}'), "colour without a terminal: {table}");
    let games = json(&["games", "--json"]);
    assert_eq!(games[0]["name"], "tic-tac-toe");
    assert_eq!(games[0]["actions"], 9);
    assert_eq!(table.lines().count(), 1 + games.as_array().expect("a list").len());
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    for game in games.as_array().expect("a list") {
        let name = game["name"].as_str().expect("a name");
        let described = succeeds(&["games", name]);
        for part in ["Rules", "Moves", "Configuration", "Bots", "random"] {
            assert!(described.contains(part), "{part} in {described}");
        }
        assert!(described.lines().all(|line| line.chars().count() <= 80), "{described}");
    }
    let described = succeeds(&["games", "Pig"]);
    assert!(
        described.contains("goal     points needed to win, 10 to 200; default 100"),
        "{described}"
    );
    let described = json(&["games", "chess", "--json"]);
    assert_eq!(described["guide"]["table"][0]["name"], "fen");
    let bots = described["bots"].as_array().expect("a list");
    assert!(bots.contains(&"greedy".into()) && bots.contains(&"uci".into()), "{described}");
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
fn simulations_accept_bots_and_configurations() {
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
fn invalid_arguments_are_rejected_with_what_was_expected() {
    refused(
        &["simulate", "shogi"],
        "unknown game \"shogi\", expected one of tic-tac-toe, connect-four",
    );
    refused(&["play", "shogi"], "unknown game \"shogi\"");
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
    refused(&["simulate", "pig", "--seed", "x"], "expected a whole number from 0 to");
    refused(&["simulate", "pig", "--games", "-1"], "invalid value '-1' for '--games <N>'");
    refused(&["simulate", "pig", "--threads", "0"], "0 is not in 1..=1024");
    refused(&["simulate", "pig", "--turbo"], "unexpected argument '--turbo'");
    refused(&["simulate", "pig", "--config", "{"], "--config: ");
    refused(
        &["simulate", "pig", "--config", "{players:3}"],
        "--config: expected JSON such as '{\"players\":3}' with its keys in double quotes",
    );
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
    refused(&["play", "kuhn", "--seat", "2"], "--seat 2: expected a seat from 0 to 1");
    refused(
        &["play", "chess", "--seat", "red"],
        "--seat red: expected a seat from 0 to 1, or white or black",
    );
    refused(&["play", "ches"], "did you mean chess?");
    refused(&["games", "ches"], "did you mean chess?");
    refused(&["simulate", "pig", "--bots", "rndom"], "did you mean random?");
    refused(&["play", "pig", "--vs", "mcts:sim=3"], "did you mean sims?");
    refused(&["play", "magic", "--decks", "red-brn,red-burn"], "did you mean red-burn?");
    refused(
        &["equity", "AhAs KdKc"],
        "found 1 with 2 hands in it: give each player as a separate argument",
    );
    refused(
        &["play", "pig", "--config", r#"{"players":4}"#, "--vs", "random,random"],
        "--vs: found 2 opponents, expected one for all or one for each of the 3 other seats",
    );
    refused(&["play", "--load", "no-such-file"], "cannot read the replay no-such-file");
    refused(&["bench", "games", "--only", "xyz"], "--only xyz: no row has a name that contains it");
    refused(&["bench", "games", "--baseline", "no-such-file"], "cannot read the baseline");
    refused(&["evaluate", "pig", "no-such-file", "--sprt", "-30,30"], "cannot read no-such-file");
    refused(&["bench", "--strict"], "--baseline");
    refused(&["perft", "8/8 w - -", "3"], "FEN: expected 8 ranks separated by '/', found 2");
    refused(&["perft", "start", "0"], "0 is not in 1..=20");
    refused(&["fly"], "unrecognized subcommand 'fly'");
}

#[test]
fn positions_are_solved() {
    let three = ["solve", "connect-four", "--after", "d,a,e,a", "--memory", "1"];
    let solved = json(&[&three[..], &["--json", "--threads", "1"]].concat());
    assert_eq!((&solved["outcome"], &solved["plies"]), (&"win".into(), &3.into()), "{solved}");
    assert_eq!(solved["line"].as_array().expect("a line").len(), 3);
    let best = &solved["actions"][0];
    assert_eq!((&best["name"], &best["plies"]), (&"c".into(), &3.into()), "{solved}");
    assert_eq!(solved["actions"].as_array().expect("a list").len(), 7);
    let table = succeeds(&["solve", "tic-tac-toe", "--after", "b2", "--after", "a2"]);
    assert!(table.contains("seat 0 to move: win in 5"), "{table}");
    refused(&["solve", "pig"], "pig has chance events or hidden information");
    refused(&["solve", "connect-four", "--after", "d,z"], "--after \"z\"");
    refused(&["solve", "tic-tac-toe", "--after", "a1,b1,a2,b2,a3"], "the game is over");
}

/// Nuts and air against a bluff catcher, who is to be indifferent.
const BLUFFS: [&str; 14] = [
    "solve",
    "holdem",
    "--board",
    "3s3h3d2s2h",
    "--oop",
    "AA,QQ",
    "--ip",
    "KK",
    "--pot",
    "100",
    "--stack",
    "100",
    "--bets",
    "100%",
];

#[test]
fn holdem_is_solved() {
    let run = |more: &[&str]| json(&[&BLUFFS[..], &["--target", "0.05", "--json"], more].concat());
    let solved = run(&[]);
    assert!(solved["exploitability_percent"].as_f64().expect("a number") <= 0.05, "{solved}");
    assert!((solved["ev"][0].as_f64().expect("a number") - 75.0).abs() < 0.2, "{solved}");
    assert_eq!(solved["node"]["actions"], serde_json::json!(["check", "all-in 100"]));
    assert_eq!(solved["node"]["oop"]["hands"].as_array().expect("a list").len(), 12);
    let call = run(&["--line", "all-in 100", "--threads", "1"]);
    assert_eq!(call["node"]["player"], "ip");
    assert!((call["node"]["ip"]["strategy"][1].as_f64().expect("a number") - 0.5).abs() < 0.05);
    let table = succeeds(&[&BLUFFS[..], &["--hands"]].concat());
    assert!(table.contains("OOP to act") && table.contains("AAB"), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    let plan = succeeds(&[&BLUFFS[..], &["--plan"]].concat());
    assert!(plan.contains("on 1 boards, 12 and 6 hands"), "{plan}");
}

#[test]
fn holdem_solutions_are_saved_resumed_and_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    let (saved, csv) = (path("spot.solution"), path("flops.csv"));
    succeeds(
        &[&BLUFFS[..], &["--iterations", "10", "--target", "1e-6", "--save", &saved]].concat(),
    );
    let on = json(&["solve", "holdem", "--resume", &saved, "--target", "0.05", "--json"]);
    assert!(on["iterations"].as_u64().expect("a number") > 10, "{on}");
    let flops = ["solve", "holdem", "--oop", "AA,QQ", "--ip", "KK", "--pot", "10", "--stack", "5"];
    let report =
        [&flops[..], &["--bets", "a", "--flops", "9s8s2s:2 AhKd2c", "--csv", &csv]].concat();
    assert!(succeeds(&report).contains("mean"));
    let rows = std::fs::read_to_string(&csv).expect("a file");
    assert!(rows.starts_with("flop,weight,") && rows.lines().count() == 3, "{rows}");
    refused(&["solve", "holdem", "--board", "3s3h3d"], "pot is missing: give --pot");
    let without = |word: &str, by: &str| {
        BLUFFS.iter().map(|arg| if *arg == word { by } else { *arg }.to_owned()).collect::<Vec<_>>()
    };
    for (word, by, message) in [
        ("KK", "3s3h", "the range of IP is empty: each of its hands has a card of the board"),
        ("100%", "50q", "bets: unknown size '50q'"),
        ("3s3h3d2s2h", "3s3h", "expected a board of three to five cards, found 2"),
        ("KK", "KX", "ip: unknown item 'KX' at character 1"),
    ] {
        let arguments = without(word, by);
        refused(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), message);
    }
    refused(&[&BLUFFS[..], &["--line", "bet 7"]].concat(), "expected one of check, all-in 100");
    refused(&[&BLUFFS[..], &["--memory", "0"]].concat(), "0 is not in 1..");
}

#[test]
fn perft_counts_positions() {
    let report = json(&["perft", "start", "4", "--json"]);
    assert_eq!(report["nodes"], 197_281);
    assert_eq!(report["moves"].as_array().expect("a list").len(), 20);
    let table = succeeds(&["perft", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "3"]);
    assert!(table.contains("2,812 nodes at depth 3"), "{table}");
}

#[test]
fn every_command_has_help_with_an_example() {
    for command in [
        "games", "simulate", "run", "play", "analyze", "solve", "replay", "export", "perft",
        "plan", "equity", "rank", "range", "bench", "assess",
    ] {
        let help = succeeds(&[command, "--help"]);
        assert!(help.contains("Example: meeple "), "{help}");
    }
}

#[test]
fn a_closed_pipe_does_not_panic() {
    let arguments = ["simulate", "tic-tac-toe", "--games", "10"];
    // Closed before the program starts, so that there is no race.
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = meeple(&arguments).stdout(writer).output().expect("the program ends");
    check_failure(&arguments, &output, 1, "stdout was closed before all results were written");
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_partial_results() {
    let shown = program::interrupted(&["simulate", "pig", "--games", "1e14"]);
    assert!(shown.contains("games/s"), "{shown}");
    let shown = program::interrupted(&["equity", "AhAs", "KdKc", "--sims", "1e12"]);
    assert!(shown.contains("deals sampled") && shown.contains("95 % interval"), "{shown}");
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

    // Against an impossibly fast baseline every measurement is a regression.
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
