//! Tests of the experiments and documents shipped with the project.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use meeple_arena::{Experiment, read_experiment};
use serde_json::{Value, json};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn every_ready_experiment_can_be_run() {
    let mut names = Vec::new();
    let files = |folder: &str| fs::read_dir(root().join(folder)).unwrap();
    for entry in files("experiments").chain(files("experiments/levels")) {
        let path = entry.unwrap().path();
        let is_training =
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("train-"));
        if is_training || path.is_dir() {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let experiment =
            read_experiment(&path, &text).unwrap_or_else(|mistake| panic!("{mistake}"));
        assert_eq!(path.file_stem().unwrap().to_str(), Some(experiment.name.as_str()));
        assert!(!experiment.description.is_empty(), "{}", experiment.name);
        names.push(experiment.name);
    }
    assert!(names.contains(&"quickstart".to_owned()) && names.len() >= 20, "{names:?}");
}

/// Collects the keys of every object of the schema.
fn keys(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(object) => {
            if let Some(properties) = object.get("properties").and_then(Value::as_object) {
                found.extend(properties.keys().cloned());
            }
            object.values().for_each(|value| keys(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| keys(value, found)),
        _ => {}
    }
}

/// The tables of the reference list exactly the keys of the schema.
#[test]
fn the_document_names_every_key() {
    let text = fs::read_to_string(root().join("docs/src/reference/experiments.md")).unwrap();
    let mut expected = BTreeSet::new();
    keys(&Experiment::json_schema(), &mut expected);
    let mut found = BTreeSet::new();
    let mut in_keys = false;
    for line in text.lines() {
        if line.starts_with("| key |") {
            in_keys = true;
        } else if !line.starts_with('|') {
            in_keys = false;
        } else if let (true, Some((key, _))) = (in_keys, line[1..].split_once('|')) {
            let key = key.trim().trim_matches('`');
            if !key.starts_with("---") {
                found.insert(key.to_owned());
            }
        }
        // Tasks are headings, and the forms of parameters are in the text.
        if let Some(task) = line.strip_prefix("**`").and_then(|rest| rest.split('`').next()) {
            found.insert(task.to_owned());
        }
    }
    for form in ["values", "range"] {
        assert!(text.contains(&format!("{{\"{form}\": ")), "{form}");
        found.insert(form.to_owned());
    }
    assert_eq!(found, expected);
}

/// Mistakes are shown at their location, with the expected value.
#[test]
fn mistakes_are_shown_where_they_stand() {
    let good = "{\n  \"name\": \"x\",\n  \"tables\": [{\"game\": \"pig\", \"config\": {\"players\": 3}}],\n  \
                \"bots\": [\"random\", {\"bot\": \"mcts\", \"options\": {\"sims\": 5}}],\n  \
                \"task\": {\"tournament\": {\"games\": 4}}\n}";
    assert!(read_experiment("x.json".as_ref(), good).is_ok());
    for (from, to, line, field, message) in [
        ("\"name\"", "\"nam\"", 2, "", "unknown field `nam`, expected one of `$schema`, `name`"),
        ("\"x\"", "\"../x\"", 2, "name", "expected up to 100 letters, digits"),
        ("\"x\"", "7", 2, "name", "invalid type: integer `7`, expected a string"),
        (
            "\"pig\"",
            "\"shogi\"",
            3,
            "tables[0].game",
            "unknown game \"shogi\", expected one of tic-tac-toe",
        ),
        (
            "\"players\": 3",
            "\"players\": 9",
            3,
            "tables[0].config.players",
            "expected 2 to 6 players, got 9",
        ),
        (
            "\"game\": \"pig\"",
            "\"limit\": 0, \"game\": \"pig\"",
            3,
            "tables[0].limit",
            "expected a number from 1 to 1000000000, got 0",
        ),
        ("\"players\": 3", "\"dice\": 3", 3, "tables[0].config", "unknown field `dice`"),
        (
            "\"game\": \"pig\"",
            "\"gam\": \"pig\"",
            3,
            "tables[0]",
            "unknown field `gam`, expected one of `game`",
        ),
        ("\"random\"", "\"mcst\"", 4, "bots[0]", "unknown bot \"mcst\", expected one of random"),
        ("\"random\"", "\"greedy\"", 4, "bots[0]", "bot greedy cannot play pig"),
        ("\"random\"", "7", 4, "bots[0]", "expected a bot such as \"mcts:sims=100\""),
        ("\"sims\": 5", "\"sims\": -5", 4, "bots[1]", "sims=-5 is not a whole number"),
        ("\"sims\": 5", "\"sim\": 5", 4, "bots[1]", "bot mcts has no option \"sim\""),
        ("\"random\", ", "", 4, "bots", "expected at least two bots, got 1"),
        (
            "\"random\"",
            "{\"bot\": \"mcts:sims=5\", \"label\": \"mcts:sims=5,c=1,determinizations=10\"}",
            4,
            "bots[1]",
            "is taken",
        ),
        (
            "\"tournament\"",
            "\"turnament\"",
            5,
            "task",
            "unknown variant `turnament`, expected one of `simulate`",
        ),
        ("\"games\": 4", "\"games\": 0", 5, "task.tournament.games", "expected a number from 1"),
        (
            "\"games\": 4",
            "\"games\": \"4\"",
            5,
            "task.tournament.games",
            "invalid type: string \"4\", expected u64",
        ),
        (
            "\"games\": 4",
            "\"games\": 4, \"anchor\": \"z\"",
            5,
            "task.tournament.anchor",
            "no bot has this label, expected one of random",
        ),
        (
            "{\"tournament\": {\"games\": 4}}",
            "{\"sprt\": {\"games\": 4, \"elo1\": -1}}",
            5,
            "task.sprt.elo1",
            "expected elo0 below elo1",
        ),
        ("\"games\": 4}}\n}", "\"games\": 4}}", 5, "", "EOF while parsing"),
    ] {
        let text = good.replacen(from, to, 1);
        let mistake = read_experiment("x.json".as_ref(), &text).unwrap_err();
        let shown = mistake.to_string();
        assert!(mistake.message.contains(message), "{to}: {shown}");
        assert_eq!(mistake.line, line, "{to}: {shown}");
        assert!(mistake.field.starts_with(field), "{to}: {shown}");
        assert!(shown.starts_with(&format!("x.json:{line}:")) && shown.ends_with('^'), "{shown}");
    }
}

/// A pool is shorthand for its configurations.
#[test]
fn pools_stand_for_configurations() {
    let configs = |table: &str| {
        let text = format!(
            r#"{{"name": "x", "tables": [{{"game": "magic", {table}}}],
                "bots": ["random"], "task": {{"simulate": {{"games": 2}}}}}}"#
        );
        let read = read_experiment("x.json".as_ref(), &text);
        read.map(|experiment| experiment.tables[0].configs.clone())
    };
    let pooled = |rest: &str, meet: &str, of: &str| {
        let pool = format!(r#"{{"field": "decks", "meet": "{meet}", "of": {of}}}"#);
        configs(&format!(r#"{rest}, "pool": {pool}"#))
    };
    let pool = |meet: &str, of: &str| pooled(r#""config": {"stops": true}"#, meet, of);
    let beside = |rest: &str| pooled(rest, "themselves", r#"["ogre"]"#);
    let decks = |decks: [[&str; 2]; 3]| {
        Vec::from(decks.map(|decks| json!({"stops": true, "decks": decks})))
    };
    let three = r#"["ogre", "red-deck", "mix-a"]"#;
    assert_eq!(
        pool("themselves", three).unwrap(),
        decks([["ogre", "ogre"], ["red-deck", "red-deck"], ["mix-a", "mix-a"]])
    );
    assert_eq!(
        pool("each-other", three).unwrap(),
        decks([["ogre", "red-deck"], ["ogre", "mix-a"], ["red-deck", "mix-a"]])
    );
    for (read, field, message) in [
        (pool("each-other", r#"["ogre"]"#), "tables[0]", "pool: expected more decks"),
        (pool("themselves", "[]"), "tables[0]", "pool: expected more decks"),
        (pool("twice", three), "tables[0].pool.meet", "expected `themselves` or `each-other`"),
        (pool("themselves", r#"["nodeck"]"#), "tables[0].pool.of", "no deck \"nodeck\""),
        (pool("themselves", "[7]"), "tables[0].pool.of", "invalid type: integer `7`"),
        (
            beside(r#""config": {"stops": 3}"#),
            "tables[0].config.stops",
            "invalid type: integer `3`, expected a boolean",
        ),
        (
            beside(r#""config": {"decks": []}"#),
            "tables[0]",
            "expected decks in config or in a pool, not in both",
        ),
        (beside(r#""configs": []"#), "tables[0]", "expected configs or a pool, not both"),
    ] {
        let mistake = read.unwrap_err();
        assert!(mistake.message.contains(message), "{mistake}");
        assert!(mistake.field.starts_with(field), "{mistake}");
    }
}

/// Tuned weights are checked against those of the game's heuristic evaluation.
#[test]
fn weights_to_tune_are_checked() {
    let file = root().join("experiments/magic-tune-weights.json");
    let good = fs::read_to_string(&file).unwrap();
    let wrong = good.replace("weights.land", "weights.lands");
    let mistake = read_experiment(&file, &wrong).unwrap_err();
    assert!(mistake.field.starts_with("task.tune.parameters"), "{mistake}");
    assert!(mistake.message.contains("no weight \"lands\", expected one of"), "{mistake}");
}
