//! Training through the command line: killed, stopped, resumed.

mod program;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use meeple_game::Game;
use meeple_games::small::TicTacToe;
use meeple_net::{Network, Shape};
use program::{check_failure, json, meeple, refused, succeeds, text};

/// Tic-tac-toe with a tiny network.
const CONFIG: &str = r#"{
  "game": "tic-tac-toe",
  "seed": 3,
  "network": {"width": 32, "blocks": 1, "neck": 32, "value": 16},
  "self_play": {"games": 60, "at_once": 8, "simulations": 32},
  "buffer": {"first": 500, "last": 2000},
  "learning": {"batch": 64},
  "evaluation": {"every": 4, "games": 10, "bot": "puct:sims=16", "ladder": ["random", "mcts:sims=20"]},
  "limit": {"iterations": 8}
}"#;

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().expect("a folder"));
        fs::write(place.0.path().join("config.json"), CONFIG).expect("a file");
        place
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a path that is text").to_owned()
    }
}

/// Returns the files that must not depend on interruptions.
fn results(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for inside in ["samples", "learners", "networks"] {
        for entry in fs::read_dir(Path::new(folder).join(inside)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let bytes = fs::read(&path).expect("a file");
            files.push((path.strip_prefix(folder).expect("inside").to_owned(), bytes));
        }
    }
    files.sort();
    files
}

#[test]
fn a_run_that_is_killed_repeatedly_gives_the_same_results() {
    let place = Place::new();
    let (config, whole, killed) = (place.path("config.json"), place.path("a"), place.path("b"));
    succeeds(&["train", "--config", &config, "--out", &whole, "--threads", "2"]);
    let mut kills = 0;
    for attempt in 0u64.. {
        let arguments: &[&str] = if Path::new(&killed).join("state.json").exists() {
            &["train", "--resume", &killed, "--threads", "1"]
        } else {
            &["train", "--config", &config, "--out", &killed, "--threads", "1"]
        };
        let spawned = meeple(arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let mut child = spawned.expect("the program runs");
        // At a different moment each time; later attempts run longer, so that the run finishes.
        thread::sleep(Duration::from_millis(40 + 35 * attempt));
        if child.try_wait().expect("it can be asked").is_none() {
            child.kill().expect("it can be killed");
            kills += 1;
        }
        let output = child.wait_with_output().expect("it ends");
        if output.status.success() {
            break;
        }
        assert_eq!(output.status.code(), None, "{}", text(&output.stderr));
    }
    assert!(kills > 0, "the run was never killed");
    assert!(results(&whole) == results(&killed), "killing changed the results");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_finished_iterations() {
    let place = Place::new();
    let (config, out) = (place.path("config.json"), place.path("out"));
    let arguments =
        ["train", "--config", &config, "--out", &out, "--threads", "1", "--iterations", "100000"];
    let spawned = meeple(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = spawned.expect("the program runs");
    while !Path::new(&out).join("history.jsonl").exists() {
        thread::sleep(Duration::from_millis(20));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    check_failure(&arguments, &output, 130, "stopped: meeple train --resume");
    let said = text(&output.stdout);
    assert!(said.contains("iteration 1: 60 games"), "{said}");
    let done = json(&["train", "--resume", &out, "--iterations", "1", "--json"]);
    assert_eq!(done["ended"], "finished");
    assert!(done["state"]["iterations"].as_u64() >= Some(1), "{done}");
}

/// A file size limit stands for a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_is_reported() {
    let place = Place::new();
    let (config, whole, full) = (place.path("more.json"), place.path("a"), place.path("b"));
    // Enough games that the journal is larger than any other file.
    let more = CONFIG.replace("\"games\": 60", "\"games\": 400").replace(": 8}", ": 2}");
    fs::write(&config, more).expect("a file");
    succeeds(&["train", "--config", &config, "--out", &whole]);
    let program = meeple(&[]).get_program().to_owned();
    let limited = "trap '' XFSZ; ulimit -f 200; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", limited]).arg(program);
    let output = command.args(["train", "--config", &config, "--out", &full]).output();
    let output = output.expect("the program runs");
    check_failure(&["train"], &output, 1, "--resume goes on from there");
    assert!(text(&output.stderr).contains("cannot write"), "{}", text(&output.stderr));
    succeeds(&["train", "--resume", &full]);
    assert!(results(&whole) == results(&full));
}

#[test]
fn networks_are_measured_and_play() {
    let place = Place::new();
    let (config, out) = (place.path("config.json"), place.path("out"));
    let said = succeeds(&["train", "--config", &config, "--out", &out]);
    for expected in
        ["training tic-tac-toe", "iteration 8: 480 games", "network 8:", "Elo", "report"]
    {
        assert!(said.contains(expected), "{expected} in {said}");
    }
    let page = fs::read_to_string(Path::new(&out).join("report.html")).expect("a report");
    assert!(page.contains("<svg") && !page.contains("src=") && !page.contains("href="));
    let model = format!("{out}/model.safetensors");
    let arguments = ["evaluate", "tic-tac-toe", &model, "--against", "random", "--games", "40"];
    let found = json(&[&arguments[..], &["--bot", "puct:sims=32", "--json"]].concat());
    assert_eq!(found["against"][0]["games"], 40);
    assert!(found["against"][0]["score"].as_f64() > Some(0.6), "{found}");
    let bots = format!("puct:model={model},sims=32,random");
    let played = json(&["simulate", "tic-tac-toe", "--bots", &bots, "--games", "40", "--json"]);
    assert!(played["seats"][0]["win"].as_f64() > Some(0.6), "{played}");
    let wrong = format!("puct:model={model}");
    refused(&["simulate", "connect-four", "--bots", &wrong], "its game is tic-tac-toe");
    refused(&["simulate", "pig", "--bots", "puct:model=none"], "cannot read none");
    refused(&["evaluate", "connect-four", &model], "its game is tic-tac-toe");
    for other in ["random", "mcts:sims=10", &format!("puct:model={model}")] {
        let arguments = ["evaluate", "tic-tac-toe", &model, "--bot", other];
        refused(&arguments, "does not play by the network, expected puct without a model");
    }
}

/// Finite weights whose products overflow.
#[test]
fn networks_that_overflow_are_reported() {
    let place = Place::new();
    let model = place.path("huge.safetensors");
    let shape = Shape { width: 8, blocks: 0, bottleneck: 4, value_hidden: 4 };
    let info = TicTacToe::new(&Default::default()).info();
    let network = Network::new(&info, shape, 2, 1).expect("a network");
    network.save(Path::new(&model)).expect("a file");
    let mut bytes = fs::read(&model).expect("a file");
    let header = 8 + u64::from_le_bytes(bytes[..8].try_into().expect("8 bytes")) as usize;
    for weight in bytes[header..].chunks_exact_mut(4) {
        weight.copy_from_slice(&1e30f32.to_le_bytes());
    }
    fs::write(&model, bytes).expect("a file");

    let bot = format!("puct:model={model},sims=8");
    let experiment = place.path("huge.json");
    let task = r#""task": {"simulate": {"games": 2}}"#;
    let text =
        format!(r#"{{"name": "huge", "tables": ["tic-tac-toe"], "bots": ["{bot}"], {task}}}"#);
    fs::write(&experiment, text).expect("a file");
    let training = place.path("training.json");
    let text = CONFIG.replace(
        "\"at_once\"",
        &format!(r#""opponent": {{"bot": "{bot}", "share": 1}}, "at_once""#),
    );
    fs::write(&training, text).expect("a file");
    let (out, run) = (place.path("out"), place.path("run"));
    for arguments in [
        &["evaluate", "tic-tac-toe", &model, "--against", "random", "--games", "2"][..],
        &["evaluate", "tic-tac-toe", &model, "--bot", "puct", "--against", &bot, "--games", "2"],
        &["simulate", "tic-tac-toe", "--bots", &bot, "--games", "2"],
        &["run", &experiment, "--out", &run],
        &["train", "--config", &training, "--out", &out],
    ] {
        let output = meeple(arguments).output().expect("the program runs");
        check_failure(arguments, &output, 1, "the evaluator returned");
    }
}

#[test]
fn errors_show_their_location() {
    let place = Place::new();
    let write = |text: &str| {
        let path = place.path("wrong.json");
        fs::write(&path, text).expect("a file");
        path
    };
    let wrong = write("{\n  \"game\": \"connect-four\",\n  \"self_play\": {\"gmes\": 3}\n}");
    refused(&["train", "--config", &wrong], "wrong.json:3:");
    let wrong = write("{\n  \"game\": \"connect-four\",\n  \"learning\": {\"batch\": 0}\n}");
    refused(&["train", "--config", &wrong], "wrong.json:3:25: learning.batch: 0 is not from 1 to");
    let wrong = write("{\"game\": \"pig\", \"evaluation\": {\"ladder\": [\"greedy\"]}}");
    refused(&["train", "--config", &wrong], "evaluation.ladder[0]: bot greedy cannot play pig");
    let wrong = write("{\"game\": \"stone-age\", \"table\": {\"players\": 7}}");
    refused(&["train", "--config", &wrong], "table: ");
    refused(&["train", "--resume", &place.path("nothing")], "holds no training run");
    refused(&["train", "chequers"], "unknown game \"chequers\"");
    let config = place.path("config.json");
    assert!(succeeds(&["train", "--config", &config, "--check"]).ends_with("can be run\n"));
    let schema = json(&["train", "--schema"]);
    assert_eq!(schema["title"], "A training run of Meeple");
}
