//! Experiments, replays, analysis and external programs through the command line.

mod program;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use program::{check_failure, json, meeple, refused, succeeds, text};
use serde_json::Value;

const EXPERIMENT: &str = r#"{
  "name": "small",
  "seed": 3,
  "tables": ["connect-four", {"game": "pig", "config": {"players": 3}, "bots": ["random", "flat:playouts=2"]}],
  "bots": ["greedy", "random", "mcts:sims=20"],
  "task": {"tournament": {"games": 10}},
  "output": {"analysis": true}
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

#[test]
fn an_experiment_writes_its_result_folder() {
    let place = Place::new();
    let (file, out) = (place.write("small.json", EXPERIMENT), place.path("out"));
    let shown = succeeds(&["run", &file, "--out", &out]);
    for expected in ["small: 42 games", "connect-four: 30 games", "greedy", "Elo", "results in "] {
        assert!(shown.contains(expected), "{expected} in {shown}");
    }
    let is_narrow = |line: &str| line.chars().count() <= 80 || line.starts_with("results in ");
    assert!(shown.lines().all(is_narrow), "tables fit a terminal: {shown}");
    for name in ["experiment.json", "games.jsonl", "summary.json", "timing.json", "games.csv"] {
        assert!(Path::new(&out).join(name).exists(), "{name}");
    }
    let page = fs::read_to_string(Path::new(&out).join("report.html")).expect("a report");
    for expected in ["<!doctype html>", "Cross-table", "<svg", "class=\"game\"", "Wins by seat"] {
        assert!(page.contains(expected), "{expected}");
    }
    let links = |start: &str| page.matches(start).count();
    assert!(
        links("src=") == 0 && links("href=") == links("href=\"#"),
        "the page is self-contained"
    );
    for part in page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().expect("text")) {
        assert!(page.contains(&format!("id=\"{part}\"")), "the table of contents links to {part}");
    }
    let again = json(&["run", &file, "--out", &out, "--json", "--threads", "1"]);
    assert_eq!(again["resumed_games"], 42);
    assert_eq!(again["summary"]["finished"], true);
    assert_eq!(again["summary"]["tables"][0]["bots"].as_array().expect("a list").len(), 3);
    assert_eq!(succeeds(&["run", &file, "--check"]).trim_end().rsplit(' ').next(), Some("valid"));
    let schema = json(&["run", "--schema"]);
    assert_eq!(schema["properties"]["tables"]["type"], "array");
}

/// An SPRT shows LLR, Elo and pentanomial; poker results are in chips and big blinds, never -0.00.
#[test]
fn sprt_and_stakes_are_shown_on_the_console() {
    let place = Place::new();
    let tested = r#"{"name": "tested", "tables": ["tic-tac-toe"], "bots": ["mcts:sims=30", "random"],
        "task": {"sprt": {"elo0": 0, "elo1": 100, "games": 400}}}"#;
    let (file, out) = (place.write("tested.json", tested), place.path("tested"));
    let shown = succeeds(&["run", &file, "--out", &out]);
    for expected in
        ["H1 accepted", "LLR +", "LLR by games  ", "Elo +", " 95 %), LOS ", "pairs with 0 / ½ / 1"]
    {
        assert!(shown.contains(expected), "{expected} in {shown}");
    }
    let page = fs::read_to_string(Path::new(&out).join("report.html")).expect("a report");
    for expected in ["class=\"curve\"", "pentanomial", "likelihood of superiority", " UTC, Meeple "]
    {
        assert!(page.contains(expected), "{expected}");
    }
    let staked = r#"{"name": "staked", "tables": ["holdem", "kuhn"], "bots": ["random", "flat:playouts=5"],
        "task": {"tournament": {"games": 40}}}"#;
    let (file, out) = (place.write("staked.json", staked), place.path("staked"));
    let shown = succeeds(&["run", &file, "--out", &out]);
    assert!(shown.contains("bb/100") && shown.contains("chips/game"), "{shown}");
    let page = fs::read_to_string(Path::new(&out).join("report.html")).expect("a report");
    assert!(page.contains("<th>bb/100</th>") && page.contains("Elo is normalized"), "{page}");
    let shown = succeeds(&["simulate", "holdem", "--games", "200"]);
    assert!(shown.contains("bb/100") && !shown.contains("-0.0 "), "{shown}");
}

#[test]
fn invalid_experiments_are_rejected() {
    let place = Place::new();
    let wrong = place.write("wrong.json", &EXPERIMENT.replace("\"greedy\"", "\"greddy\""));
    refused(&["run", &wrong], "wrong.json:5:12: bots[0]: unknown bot \"greddy\"");
    refused(&["run", &wrong], "5 |   \"bots\": [\"greddy\"");
    refused(&["run", &place.path("none.json")], "cannot read the experiment");
    refused(&["run"], "<FILE>");
    let long = EXPERIMENT.replace("\"greedy\"", &format!("\"{}\"", "g".repeat(100_000)));
    let long = place.write("long.json", &long);
    refused(&["run", &long], ", expected one of random");
    let said = meeple(&["run", &long]).output().expect("the program runs").stderr;
    assert!(said.len() < 2000, "names of any length are shortened: {} bytes", said.len());
    let (file, out) = (place.write("small.json", EXPERIMENT), place.path("out"));
    succeeds(&["run", &file, "--out", &out]);
    let other = place.write("other.json", &EXPERIMENT.replace("\"seed\": 3", "\"seed\": 4"));
    refused(&["run", &other, "--out", &out], "holds the results of another experiment");
    succeeds(&["run", &other, "--out", &out, "--fresh"]);
    let about = Path::new(&out).join("experiment.json");
    let whole = fs::read(&about).expect("a file");
    fs::write(&about, &whole[..whole.len() / 2]).expect("a file");
    let arguments = ["run", &other, "--out", &out];
    let output = meeple(&arguments).output().expect("the program runs");
    check_failure(&arguments, &output, 1, "is damaged: restore the file, or start over with");
    succeeds(&[&arguments[..], &["--fresh"]].concat());
    assert_eq!(fs::read(&about).expect("a file"), whole);
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_finished_games() {
    let place = Place::new();
    let long = EXPERIMENT.replace("\"games\": 10", "\"games\": 100000");
    let (file, out) = (place.write("long.json", &long), place.path("out"));
    let arguments = ["run", &file, "--out", &out];
    let shown = program::interrupted(&arguments);
    assert!(shown.contains("results in "), "{shown}");
    let shown = program::interrupted(&arguments);
    assert!(shown.contains(" of them from an earlier run"), "{shown}");
}

/// A file size limit stands for a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let place = Place::new();
    let long = EXPERIMENT.replace("\"games\": 10", "\"games\": 300");
    let (file, out) = (place.write("long.json", &long), place.path("out"));
    let command = format!(
        "trap '' XFSZ; ulimit -f 32; exec '{}' run '{file}' --out '{out}'",
        env!("CARGO_BIN_EXE_meeple")
    );
    let output = Command::new("sh").args(["-c", &command]).output().expect("a shell");
    check_failure(&["run"], &output, 1, "cannot write");
    assert!(text(&output.stderr).contains("the same command goes on from there"));
    let resumed = json(&["run", &file, "--out", &out, "--json"]);
    assert!(resumed["resumed_games"].as_u64().expect("a number") > 10);
    let whole = place.path("whole");
    succeeds(&["run", &file, "--out", &whole]);
    for name in ["games.jsonl", "summary.json", "games.csv"] {
        let read = |folder: &str| fs::read(Path::new(folder).join(name)).expect("a file");
        assert!(read(&out) == read(&whole), "{name}");
    }
}

#[test]
fn replays_are_stepped_through() {
    let place = Place::new();
    let (file, out) = (place.write("small.json", EXPERIMENT), place.path("out"));
    succeeds(&["run", &file, "--out", &out]);
    let replay = format!("{out}/replays/0000002.json");
    let states = json(&["replay", &replay, "--json"]);
    let states = states.as_array().expect("a list");
    assert_eq!(states[0]["by"], "seat 0");
    assert!(
        states.iter().any(|state| !state["analysis"].is_null()),
        "search statistics are recorded"
    );
    let last = states.len() - 1;
    let shown = succeeds(&["replay", &replay, "--at", &last.to_string()]);
    assert!(shown.contains("the end: "), "{shown}");
    assert!(succeeds(&["replay", &replay, "--all"]).contains(&format!("{last} of {last}")));
    refused(&["replay", &replay, "--at", "9999"], "the replay has the steps 0 to");
    let resigned = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n";
    let shown = succeeds(&["replay", &place.write("resigned.pgn", resigned), "--at", "3"]);
    assert!(shown.contains("the game was left here: a +1, b -1"), "{shown}");
    // Where the loss is the negative of the win, a draw has a payoff of -0.
    let drawn = serde_json::json!({
        "meeple_replay": 1, "game": "tic-tac-toe", "config": {}, "seed": 1, "bots": ["a", "b"],
        "actions": [4, 0, 1, 7, 2, 6, 3, 5, 8], "payoffs": [0.0, -0.0],
    });
    let shown = succeeds(&["replay", &place.write("drawn.json", &drawn.to_string()), "--at", "9"]);
    assert!(shown.contains("the end: a 0, b 0\n"), "{shown}");

    let mut child = meeple(&["replay", &replay])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let typed = b"n\np\nlast\n3\nt\n\n77777\n\xff\nfirst\nq\n";
    child.stdin.take().expect("stdin is piped").write_all(typed).expect("it listens");
    let output = child.wait_with_output().expect("the program ends");
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}");
    let places = [format!("1 of {last}"), format!("{last} of {last}"), format!("3 of {last}")];
    for expected in
        places.iter().map(String::as_str).chain(["simulations", "expected a step from 0"])
    {
        assert!(shown.contains(expected), "{expected} in {shown}");
    }

    let steps = json(&["export", &replay, "--to", "json"]);
    assert_eq!(steps["steps"].as_array().expect("a list").len(), last);
    refused(&["export", &replay, "--to", "pgn"], "PGN is a format of chess");
    refused(&["export", &replay, "--to", "phh"], "json is for every game");
    let damaged = fs::read_to_string(&replay).expect("a replay").replace("connect-four", "pig");
    let damaged = place.write("damaged.json", &damaged);
    refused(&["replay", &damaged], "damaged.json: ");
    refused(&["replay", &place.write("junk", "what?")], "neither a replay nor PGN");
}

#[test]
fn games_of_humans_are_saved() {
    let place = Place::new();
    let saved = place.path("game.json");
    let play = |arguments: &[&str], typed: &[u8]| {
        let mut child = meeple(&[&["play"], arguments].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let _ = child.stdin.take().expect("stdin is piped").write_all(typed);
        child.wait_with_output().expect("the program ends")
    };
    let typed = b"e4\nd4\nundo\nNf3\nresign\n";
    let output = play(&["chess", "--vs", "random", "--save", &saved], typed);
    assert!(text(&output.stderr).contains("saved to "), "{}", text(&output.stderr));
    let pgn = succeeds(&["export", &saved, "--to", "pgn"]);
    assert!(pgn.contains("[White \"a person\"]") && pgn.contains("1. e4 "), "{pgn}");
    assert!(
        pgn.contains("2. Nf3 ") && !pgn.contains("2. d4"),
        "actions taken back are not saved: {pgn}"
    );
    let file = place.write("game.pgn", &pgn);
    assert_eq!(json(&["replay", &file, "--json"])[0]["name"], "e2e4");
    let back = place.write("back.json", &succeeds(&["export", &file, "--to", "replay"]));
    assert_eq!(succeeds(&["export", &back, "--to", "pgn"]), pgn);

    let output = play(&["backgammon", "--vs", "random", "--save", &saved], b"1\n1\n1\n1\nresign\n");
    assert!(output.status.success());
    assert!(succeeds(&["export", &saved, "--to", "mat"]).contains(" Game 1\n"));
    let mat = place.write("game.mat", &succeeds(&["export", &saved, "--to", "mat"]));
    assert!(succeeds(&["export", &mat, "--to", "mat"]).contains(" Game 1\n"));

    let output = play(&["holdem", "--vs", "random", "--save", &saved], b"call\nresign\n");
    assert!(output.status.success());
    let phh = succeeds(&["export", &saved, "--to", "phh"]);
    let back = place.write("hand.phh", &phh);
    assert_eq!(succeeds(&["export", &back, "--to", "phh"]), phh);
    let nowhere = place.path("no/such/game.json");
    let output = play(&["kuhn", "--save", &nowhere], b"resign\n");
    check_failure(&["play"], &output, 2, "--save: expected a file in a folder that exists");
}

#[test]
fn positions_are_analyzed() {
    let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let found =
        json(&["analyze", "chess", "--position", mate, "--bot", "mcts:sims=2000", "--json"]);
    assert_eq!(found["best"], "a1a8");
    assert_eq!(found["candidates"][0]["name"], "a1a8");
    assert_eq!(found["variation"][0], "a1a8");
    let visits = |value: &Value| value["visits"].as_u64().expect("a number");
    let candidates = found["candidates"].as_array().expect("a list");
    assert!(candidates.windows(2).skip(1).all(|pair| visits(&pair[0]) >= visits(&pair[1])));
    let shown = succeeds(&["analyze", "connect-four", "--after", "d", "--after", "d"]);
    for expected in ["seat 0: ", "visits", "prior", "principal variation: "] {
        assert!(shown.contains(expected), "{expected} in {shown}");
    }
    // Chance events come first, hidden cards stay hidden, three seats have three values.
    let shown = succeeds(&["analyze", "leduc", "--bot", "mcts-ismcts:sims=200", "--seed", "4"]);
    assert!(shown.contains("chance outcomes: "), "{shown}");
    let three = json(&["analyze", "pig", "--config", r#"{"players":3}"#, "--json"]);
    assert_eq!(three["values"].as_array().expect("a list").len(), 3);

    refused(&["analyze", "pig", "--position", "x"], "pig has no position notation");
    refused(&["analyze", "chess", "--position", "x"], "--position \"x\": ");
    refused(&["analyze", "connect-four", "--after", "z9"], "--after \"z9\": expected ");
    refused(&["analyze", "pig", "--bot", "random"], "this bot does not search");
    refused(&["analyze", "kuhn", "--bot", "puct"], "bot puct cannot play kuhn");
}

/// Our own engine as a bot, and Stockfish if it is installed.
#[cfg(unix)]
#[test]
fn chess_engines_play() {
    let ours = format!("uci:nodes=30,command={} uci", env!("CARGO_BIN_EXE_meeple"));
    let arguments = ["simulate", "chess", "--games", "2", "--json", "--bots"];
    let report = json(&[&arguments[..], &[&format!("{ours},random")]].concat());
    assert_eq!((&report["games"], &report["forfeits"]), (&Value::from(2), &Value::from(0)));
    let stockfish = ["/usr/games/stockfish", "/usr/bin/stockfish"];
    if let Some(stockfish) = stockfish.into_iter().find(|path| Path::new(path).exists()) {
        let bots = format!("uci:depth=4,command={stockfish},greedy");
        let report = json(&[&arguments[..], &[&bots]].concat());
        assert_eq!(
            (&report["seats"][0]["wins"], &report["forfeits"]),
            (&Value::from(2), &Value::from(0))
        );
    }
    refused(&["simulate", "pig", "--bots", &ours], "UCI is the protocol of chess engines");
    refused(&["simulate", "chess", "--bots", "uci:command=no-such-engine"], "does not start");
    refused(&["simulate", "chess", "--bots", "uci:nodes=3"], "command= is not a program");
}

/// GNU Backgammon if it is installed.
#[test]
fn gnubg_plays() {
    if Path::new("/usr/games/gnubg").exists() {
        let bots = "gnubg:plies=0,random";
        let report = json(&["simulate", "backgammon", "--games", "2", "--json", "--bots", bots]);
        assert_eq!(
            (&report["seats"][0]["wins"], &report["forfeits"]),
            (&Value::from(2), &Value::from(0))
        );
    }
    refused(&["simulate", "chess", "--bots", "gnubg"], "GNU Backgammon plays backgammon");
    refused(&["simulate", "backgammon", "--bots", "gnubg:plies=8"], "from 0 to 7");
    let missing = "gnubg:command=no-such-gnubg,random";
    refused(&["simulate", "backgammon", "--bots", missing], "does not start");
    let cube = r#"{"cube":64}"#;
    let with_cube = ["simulate", "backgammon", "--config", cube, "--bots", "gnubg"];
    refused(&with_cube, "expected a table without the cube");
}

/// The cube and whole turns.
#[test]
fn backgammon_is_analyzed_as_people_think_of_it() {
    let quick = ["--bot", "mcts:sims=20"];
    let position = ["analyze", "backgammon", "--position", "4HPwATDgc/ABMA"];
    let shown = succeeds(&[&position[..], &["--after", "3-1"], &quick].concat());
    assert!(shown.contains("8/5 6/5"), "{shown}");
    assert!(!shown.contains("cube:"), "{shown}");
    let shown = succeeds(&[&position[..], &quick].concat());
    assert!(shown.contains("cube: no double, take (points"), "{shown}");
    let shown = succeeds(&[&position[..], &quick, &["--away", "2,1"]].concat());
    assert!(shown.contains("(probability"), "{shown}");
    let shown = succeeds(&[&position[..], &quick, &["--after", "3-1,8/5 6/5"]].concat());
    assert!(shown.contains("seat 1"), "{shown}");
    refused(&[&position[..], &["--away", "0,3"]].concat(), "expected 1 to 25");
    refused(&["analyze", "chess", "--away", "2,3"], "chess has no cube");
}
