//! Result folders under adverse conditions: concurrent processes, a full disk.
#![cfg(unix)]

#[allow(dead_code, reason = "not every test needs all of it")]
mod program;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use program::{check_failure, meeple, succeeds, text};

/// Short games, so that the files grow in many small steps.
const EXPERIMENT: &str = r#"{
  "name": "small",
  "tables": ["tic-tac-toe"],
  "bots": ["flat:playouts=2", "random"],
  "task": {"tournament": {"games": 60}}
}"#;

const TRAINING: &str = r#"{
  "game": "tic-tac-toe",
  "network": {"width": 16, "blocks": 1, "neck": 16, "value": 8},
  "self_play": {"games": 4, "at_once": 4, "simulations": 4},
  "buffer": {"first": 20, "last": 40},
  "learning": {"batch": 8},
  "evaluation": {"every": 5, "games": 2, "bot": "puct:sims=2", "ladder": ["random"]},
  "limit": {"iterations": 1}
}"#;

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a path that is text").to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.0.path().join(name), text).expect("a file");
        self.path(name)
    }
}

/// Returns all files of a folder, except those that contain times.
fn files(folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut open) = (BTreeMap::new(), vec![PathBuf::from(folder)]);
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(&at).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if !path.ends_with("timing.json") && !path.ends_with("report.html") {
                let bytes = fs::read(&path).expect("a file");
                found.insert(path.strip_prefix(folder).expect("inside").to_owned(), bytes);
            }
        }
    }
    found
}

/// Runs the program with a file size limit in blocks of the shell: a write beyond it fails,
/// as on a full disk.
fn with_file_limit(blocks: u32, arguments: &[&str]) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_meeple")]).args(arguments);
    shell.stdin(Stdio::null()).output().expect("the program runs")
}

/// Waits until the process has created `path`.
fn wait_for(path: &str, process: &mut Child) {
    while !Path::new(path).exists() {
        let ended = process.try_wait().expect("it can be asked");
        assert_eq!(ended, None, "it ended before creating {path}");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_run_in_use_by_another_process_is_not_discarded() {
    let place = Place::new();
    let (waiting, go) = (place.path("waiting"), place.path("go"));
    // A bot that waits for the file `go` and then plays the first legal action.
    let bot = format!(
        "read hello\ntouch '{waiting}'\nwhile [ ! -e '{go}' ]; do sleep 0.01; done\n\
         echo '{{\"type\":\"ready\"}}'\n\
         while read line; do case \"$line\" in *decide*) \
         action=${{line#*\\\"action\\\":}}; echo \"{{\\\"action\\\":${{action%%,*}}}}\";; esac; done\n"
    );
    let bot = place.write("bot.sh", &bot);
    let experiment = serde_json::json!({
        "name": "slow",
        "tables": ["tic-tac-toe"],
        "bots": ["random", {"bot": "program", "label": "slow", "options": {"command": format!("sh '{bot}'")}}],
        "task": {"tournament": {"games": 4}},
    });
    let file = place.write("slow.json", &experiment.to_string());
    let out = place.path("out");
    let arguments = ["run", &file, "--out", &out, "--threads", "1"];
    let first = meeple(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut first = first.expect("the program runs");
    wait_for(&waiting, &mut first);
    let expected = format!("is in use by process {}", first.id());
    for more in [&[][..], &["--fresh"]] {
        let arguments = [&arguments[..], more].concat();
        let second = meeple(&arguments).output().expect("the program runs");
        check_failure(&arguments, &second, 1, &expected);
    }
    assert!(Path::new(&out).join("experiment.json").exists());
    fs::write(&go, "").expect("a file");
    let output = first.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let games = fs::read_to_string(Path::new(&out).join("games.jsonl")).expect("its games");
    assert_eq!(games.lines().count(), 4, "no game was lost");
    assert!(!games.contains("forfeit"), "{games}");
    succeeds(&[&arguments[..], &["--fresh"]].concat());
}

#[test]
fn a_training_folder_is_locked_by_one_process() {
    let place = Place::new();
    let (file, out) = (place.write("training.json", TRAINING), place.path("out"));
    let arguments = ["train", "--config", &file, "--out", &out, "--iterations", "1000000"];
    let mut first = meeple(&arguments).stdout(Stdio::null()).spawn().expect("the program runs");
    wait_for(&format!("{out}/state.json"), &mut first);
    let expected = format!("is in use by process {}", first.id());
    let resume = ["train", "--resume", &out];
    let second = meeple(&resume).output().expect("the program runs");
    first.kill().expect("it can be killed");
    first.wait().expect("it ends");
    check_failure(&resume, &second, 1, &expected);
}

/// Wherever the disk was full, the same command starts or resumes once there is space.
#[test]
fn a_run_recovers_from_a_full_disk() {
    let place = Place::new();
    let (file, whole) = (place.write("small.json", EXPERIMENT), place.path("whole"));
    succeeds(&["run", &file, "--out", &whole]);
    let mut failures = 0;
    for blocks in [0, 1, 2, 4, 8, 16] {
        for fresh in [&[][..], &["--fresh"]] {
            let out = place.path(&format!("out-{blocks}-{}", fresh.len()));
            let arguments = [&["run", &file, "--out", &out][..], fresh].concat();
            let output = with_file_limit(blocks, &arguments);
            if !output.status.success() {
                check_failure(&arguments, &output, 1, "cannot write");
                failures += 1;
            }
            succeeds(&arguments);
            assert!(files(&whole) == files(&out), "{blocks} blocks {fresh:?}");
        }
    }
    assert!(failures >= 6, "only {failures} runs hit the limit");
}

#[test]
fn training_recovers_from_a_full_disk() {
    let place = Place::new();
    let file = place.write("training.json", TRAINING);
    let mut failures = 0;
    for blocks in [0, 1, 2, 4, 8, 16, 32, 64] {
        let out = place.path(&format!("out-{blocks}"));
        let begin = ["train", "--config", &file, "--out", &out];
        let output = with_file_limit(blocks, &begin);
        if output.status.success() {
            continue;
        }
        failures += 1;
        if Path::new(&out).join("state.json").exists() {
            check_failure(&begin, &output, 1, "--resume goes on from there");
            succeeds(&["train", "--resume", &out]);
        } else {
            check_failure(&begin, &output, 1, "the same command starts it again");
            succeeds(&begin);
        }
    }
    assert!(failures >= 4, "only {failures} trainings hit the limit");
}
