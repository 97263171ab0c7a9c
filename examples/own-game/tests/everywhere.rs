//! The game goes wherever a built-in game goes.

use std::fs;
use std::process::Command;

use meeple_game::{Game, conform};
use own_game::{Config, Nim};
use serde_json::Value;

/// Runs the command; yields what it prints.
#[track_caller]
fn run(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_own-game")).args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn refused(arguments: &[&str], expected: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_own-game")).args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains(expected), "{errors}");
}

#[test]
fn it_conforms() {
    conform::check::<Nim>(&Config::default(), 200, 1);
    conform::check_action_names::<Nim>(&Config::default(), 20, 1);
}

#[test]
fn it_is_listed_simulated_and_analyzed() {
    assert!(run(&["games"]).contains("nim"));
    let games = run(&["games", "nim"]);
    assert!(games.contains("bouton") && games.contains("meeple play nim"), "{games}");
    let bots = ["simulate", "nim", "--bots", "mcts:sims=300,random", "--games", "50", "--json"];
    let tally: Value = serde_json::from_str(&run(&bots)).unwrap();
    assert!(tally["seats"][0]["win"].as_f64() > Some(0.8), "{tally}");
    let best = run(&["analyze", "nim", "--bot", "mcts:sims=3000", "--seed", "1"]);
    // 3, 4, 5 is won by taking two from the first heap alone.
    assert!(best.contains("a2"), "{best}");
    refused(&["simulate", "nim", "--config", r#"{"heaps": [99]}"#], "1 to 6 heaps of up to 15");
    refused(&["simulate", "pig", "--bots", "bouton"], "it plays nim alone");
    refused(&["simulate", "nim", "--bots", "bouton:depth=3"], "no option \"depth\"");
}

#[test]
fn it_is_measured_and_trained() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let experiment = r#"{
        "name": "nim", "tables": ["nim"], "bots": ["bouton", "random"],
        "task": {"tournament": {"games": 40}}
    }"#;
    fs::write(path("nim.json"), experiment).unwrap();
    run(&["run", &path("nim.json"), "--out", &path("run")]);
    let text = fs::read_to_string(path("run/summary.json")).unwrap();
    let summary: Value = serde_json::from_str(&text).unwrap();
    let best = &summary["tables"][0]["bots"][0];
    assert_eq!(best["bot"], "bouton", "{summary}");

    let training = r#"{
        "game": "nim",
        "network": {"width": 16, "blocks": 1, "neck": 16, "value": 8},
        "self_play": {"games": 20, "at_once": 4, "simulations": 16},
        "buffer": {"first": 100, "last": 1000},
        "learning": {"batch": 32},
        "evaluation": {"every": 2, "games": 10, "bot": "puct:sims=8", "ladder": ["random", "bouton"]},
        "limit": {"iterations": 2}
    }"#;
    fs::write(path("train.json"), training).unwrap();
    run(&["train", "--config", &path("train.json"), "--out", &path("training"), "--threads", "1"]);
    let model = path("training/model.safetensors");
    run(&["evaluate", "nim", &model, "--against", "bouton", "--games", "10"]);
}

#[test]
fn it_is_stepped_by_the_thousand() {
    own_game::register();
    let options = meeple_vector::VectorOptions { tables: 100, ..Default::default() };
    let env = meeple_vector::open("nim", None, &options).unwrap();
    assert_eq!((env.shape().tables, env.shape().actions), (100, Nim::ACTIONS));
    let position = meeple_bots::open("Nim", Some(r#"{"heaps": [1, 2]}"#)).unwrap();
    assert_eq!(position.to_string(), "a o\nb oo\nc \nd \ne \nf \n");
    let taken = meeple_bots::register::<Nim>();
    assert_eq!(taken, Ok(()), "the same game may be registered again");
}
