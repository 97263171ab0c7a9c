//! End-to-end tests of games in files: every command takes a path where it takes a name.

mod program;

use std::fs;
use std::path::Path;

use program::{json, refused, succeeds};
use serde_json::json;

/// A game that does not come with the program: a line of three loses.
const MISERE: &str = "# Three in a row loses.
game Misere
players 2
option size = 3 in 3..6
board square size
piece stone
turn
  place stone on empty
end
  line of 3: next player wins
  board full: draw
";

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().expect("a folder"));
        place.write("misere.game", MISERE);
        place
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a readable path").to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).expect("it can be written");
        self.path(name)
    }
}

#[test]
fn a_file_is_checked_and_played() {
    let place = Place::new();
    let report = json(&["check", &place.path("misere.game"), "--games", "200", "--json"]);
    assert_eq!((&report["game"], &report["games"]), (&json!("misere"), &json!(200)));
    let wins: u64 = report["wins"].as_array().unwrap().iter().filter_map(|won| won.as_u64()).sum();
    assert_eq!(wins + report["draws"].as_u64().unwrap(), 200);
    assert_eq!(report, json(&["check", &place.path("misere.game"), "--games", "200", "--json"]));
    let large = json(&["check", &place.path("misere.game"), "--config", "{\"size\":5}", "--json"]);
    assert_eq!((&large["actions"], &large["options"]), (&json!(25), &json!({"size": 5})));
    let said = succeeds(&["check", &place.path("misere.game")]);
    assert!(said.contains("no errors") && said.contains("1000 random games"), "{said}");
}

#[test]
fn errors_show_the_line() {
    let place = Place::new();
    let bad = place.write("bad.game", &MISERE.replace("piece stone", "peace stone"));
    for command in ["check", "simulate", "play", "analyze"] {
        refused(&[command, &bad], "bad.game:6:1\n");
        refused(&[command, &bad], "did you mean `piece`?");
    }
    refused(&["check", &place.path("none.game")], "cannot read the game file");
    refused(&["check", &place.path("misere.game"), "--config", "{\"size\":9}"], "size");
    refused(&["check", &place.path("misere.game"), "--config", "{\"sizes\":4}"], "sizes");
    refused(&["simulate", &place.path("misere.game"), "--config", "{\"size\":\"x\"}"], "size");
    let unreadable = place.path("bytes.game");
    fs::write(&unreadable, [b'g', 0xff, 0xfe]).unwrap();
    refused(&["check", &unreadable], "not UTF-8");
}

#[test]
fn commands_take_paths() {
    let place = Place::new();
    let file = place.path("misere.game");
    let bots = ["--bots", "mcts:sims=100,random", "--games", "60", "--json"];
    let played = json(&[&["simulate", &file][..], &bots].concat());
    assert_eq!(played["game"], "misere", "{played}");
    let analysis = json(&["analyze", &file, "--json", "--bot", "mcts:sims=200"]);
    assert_eq!(analysis["game"], "misere", "{analysis}");
    let shipped = json(&["simulate", "hex", "--config", "{\"size\":4}", "--games", "10", "--json"]);
    assert_eq!(shipped["game"], "hex", "{shipped}");
    assert!(succeeds(&["games", "hex"]).contains("mine joins my goals"));
    assert!(succeeds(&["games"]).contains("english-draughts"));
}

#[test]
fn positions_of_every_game_are_counted() {
    let place = Place::new();
    let nodes = |game: &str, depth: &str, config: &str| {
        json(&["perft", game, depth, "--config", config, "--json"])["nodes"].as_u64().unwrap()
    };
    assert_eq!(nodes(&place.path("misere.game"), "4", "{}"), 9 * 8 * 7 * 6);
    assert_eq!(nodes("hex", "3", r#"{"size":4}"#), 16 * 15 * 14);
    assert_eq!(nodes("tic-tac-toe", "9", "{}"), 127_872, "games that fill the board");
    // Two cards are dealt one by one; only a pass and a bet leave a third decision.
    let kuhn = [1, 2, 3, 4, 5].map(|depth| nodes("kuhn", &depth.to_string(), "{}"));
    assert_eq!(kuhn, [3, 6, 12, 24, 12]);
    // A turn may end by a roll, and the next one begin by a roll.
    assert!(nodes("pig", "6", "{}") > 0);
    refused(&["perft", "chees", "2"], "did you mean chess?");
    refused(&["perft", "8/8/8 w - - 0 1", "2"], "expected");
}

/// The text of the file is part of the run: it can be removed afterwards.
#[test]
fn experiments_carry_the_file() {
    let place = Place::new();
    let experiment = json!({"name": "misere", "seed": 3,
        "tables": [{"game": "misere.game", "configs": [{}, {"size": 4}]}],
        "bots": ["mcts:sims=30", "random"],
        "task": {"tournament": {"games": 20}}, "output": {"replays": 2}});
    let file = place.write("experiment.json", &experiment.to_string());
    let out = place.path("out");
    succeeds(&["run", &file, "--out", &out]);
    fs::remove_file(place.path("misere.game")).unwrap();
    let replay = Path::new(&out).join("replays/0000000.json");
    let shown = succeeds(&["replay", replay.to_str().unwrap()]);
    assert!(shown.contains("misere"), "{shown}");
    refused(&["run", &file, "--out", &place.path("other")], "cannot read the game file");
}

#[test]
fn a_network_is_trained_for_a_file() {
    let place = Place::new();
    let config = json!({"game": "misere.game", "seed": 1,
        "network": {"width": 8, "blocks": 1, "neck": 8, "value": 4},
        "self_play": {"games": 20, "at_once": 4, "simulations": 8},
        "buffer": {"first": 100, "last": 500}, "learning": {"batch": 32},
        "evaluation": {"every": 1, "games": 4, "bot": "puct:sims=4", "ladder": ["random"]},
        "limit": {"iterations": 1}});
    let file = place.write("train.json", &config.to_string());
    let out = place.path("out");
    succeeds(&["train", "--config", &file, "--out", &out]);
    let model = format!("{out}/model.safetensors");
    let path = place.path("misere.game");
    let told = ["evaluate", &path, &model, "--against", "random", "--games", "8", "--json"];
    assert_eq!(json(&told)["game"], "misere");
}
