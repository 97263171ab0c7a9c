//! The training files and the document that come with the project hold what they promise.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use meeple_train::{
    Ended, Limit, TrainConfig, TrainOptions, TrainProgress, TrainingFile, read_config,
    read_training, train,
};
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn every_ready_file_can_be_run() {
    let mut games = BTreeSet::new();
    for entry in fs::read_dir(root().join("experiments")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if let Some(game) = name.strip_prefix("train-") {
            let text = fs::read_to_string(&path).unwrap();
            let file = read_training(&path, &text).unwrap_or_else(|mistake| panic!("{mistake}"));
            let named = match file {
                TrainingFile::SelfPlay(config) => config.game,
                TrainingFile::Td(config) => config.game,
            };
            assert_eq!(named, game);
            games.insert(named);
        }
    }
    assert!(games.contains("connect-four") && games.contains("stone-age"), "{games:?}");
}

/// One iteration of each training file of a game file, with few games and a small network.
#[test]
fn training_files_of_game_files_start() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["ataxx", "knightthrough", "surakarta"] {
        let path = root().join(format!("experiments/train-{game}.json"));
        let text = fs::read_to_string(&path).unwrap();
        let mut config = read_config(&path, &text).unwrap_or_else(|mistake| panic!("{mistake}"));
        config.network.width = 16;
        (config.self_play.games, config.self_play.at_once) = (2, 2);
        (config.self_play.simulations, config.self_play.fast_simulations) = (4, 2);
        config.limit = Limit { iterations: Some(1), minutes: None };
        let out = folder.path().join(game);
        let options = TrainOptions { folder: Some(out.clone()), threads: 1 };
        let trained = train(&config, &options, &TrainProgress::default()).unwrap();
        assert_eq!(trained.ended, Ended::Finished, "{game}");
        assert_eq!((trained.state.iterations, trained.state.games), (1, 2), "{game}");
        assert!(trained.state.samples > 0, "{game}");
        assert!(out.join("model.safetensors").exists(), "{game}");
    }
}

/// The keys of every object of the schema.
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

#[test]
fn the_document_names_every_key() {
    let text = fs::read_to_string(root().join("docs/src/reference/training.md")).unwrap();
    let mut expected = BTreeSet::new();
    keys(&TrainConfig::json_schema(), &mut expected);
    expected.remove("$schema");
    assert!(expected.len() > 40, "{expected:?}");
    for key in expected {
        let forms =
            [format!("`{key}`"), format!("`{key}."), format!(".{key}`"), format!("\"{key}\"")];
        assert!(
            forms.iter().any(|form| text.contains(form)),
            "docs/src/reference/training.md: no {key}"
        );
    }
}
