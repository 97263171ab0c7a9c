//! Whole runs: they learn, they repeat, and they go on after anything.

use std::fs;
use std::path::Path;

use meeple_train::{
    BufferConfig, Ended, EvaluationConfig, Gate, Limit, NetworkConfig, Rate, SelfPlayConfig,
    ShareGate, SprtGate, TrainConfig, TrainError, TrainOptions, TrainProgress, Trained, resume,
    train,
};

/// Tic-tac-toe with a tiny network.
fn config(iterations: u64) -> TrainConfig {
    let mut config = TrainConfig::of("tic-tac-toe");
    config.seed = 3;
    config.network = NetworkConfig { width: 32, blocks: 1, neck: 32, value: 16 };
    config.self_play =
        SelfPlayConfig { games: 20, at_once: 8, simulations: 16, ..SelfPlayConfig::default() };
    config.buffer =
        BufferConfig { first: 200, last: 400, growth: 0.5, trainings: 2.0, most_trainings: 4 };
    config.learning.batch = 32;
    config.evaluation = EvaluationConfig {
        every: 3,
        games: 10,
        bot: "puct:sims=16".parse().expect("a bot"),
        ladder: vec!["random".parse().expect("a bot"), "mcts:sims=20".parse().expect("a bot")],
        checkpoints: 1,
        openings: 2,
    };
    config.limit = Limit { iterations: Some(iterations), minutes: None };
    config
}

fn options(folder: &Path, threads: usize) -> TrainOptions {
    TrainOptions { folder: Some(folder.to_owned()), threads }
}

fn run(config: &TrainConfig, folder: &Path, threads: usize) -> Trained {
    train(config, &options(folder, threads), &TrainProgress::default()).expect("it runs")
}

/// What must be the same in two folders of one run.
fn results(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for inside in ["samples", "learners", "networks"] {
        for entry in fs::read_dir(folder.join(inside)).expect("a folder") {
            let path = entry.expect("an entry").path();
            files.push((
                format!("{inside}/{:?}", path.file_name()),
                fs::read(&path).expect("a file"),
            ));
        }
    }
    files.push(("model".into(), fs::read(folder.join("model.safetensors")).expect("a model")));
    files.sort();
    files
}

#[test]
fn the_same_seed_gives_the_same_network_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let [one, three, other] = ["one", "three", "other"].map(|name| folder.path().join(name));
    let trained = run(&config(4), &one, 1);
    assert_eq!(trained.ended, Ended::Finished);
    assert_eq!((trained.state.iterations, trained.state.games), (4, 80));
    assert_eq!(trained.state.measured, [3]);
    run(&config(4), &three, 3);
    assert!(results(&one) == results(&three), "threads changed what came out");
    run(&TrainConfig { seed: 4, ..config(4) }, &other, 2);
    assert!(results(&one) != results(&other), "another seed is another run");
    for file in ["report.html", "history.jsonl", "config.json", "tensorboard"] {
        assert!(one.join(file).exists(), "{file}");
    }
    assert!(!one.join("games.journal").exists());
}

#[test]
fn a_run_in_parts_comes_to_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(name));
    run(&config(6), &whole, 2);
    run(&config(2), &parts, 1);
    for iterations in [3, 6] {
        let progress = TrainProgress::default();
        let config = config(iterations);
        let trained = resume(&parts, Some(&config), &options(&parts, 2), &progress).unwrap();
        assert_eq!(trained.state.iterations, iterations);
    }
    assert!(results(&whole) == results(&parts));
}

#[test]
fn a_stopped_run_keeps_its_finished_games() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, stopped] = ["whole", "stopped"].map(|name| folder.path().join(name));
    run(&config(3), &whole, 1);
    let progress = TrainProgress::default();
    let trained = std::thread::scope(|scope| {
        scope.spawn(|| {
            let games = &progress.counters.games;
            while games.load(std::sync::atomic::Ordering::Relaxed) < 30 {
                std::thread::yield_now();
            }
            progress.stop();
        });
        train(&config(3), &options(&stopped, 1), &progress).unwrap()
    });
    if trained.ended == Ended::Stopped {
        assert!(trained.state.iterations < 3);
    }
    // Leftovers of something that was killed are swept away.
    fs::write(stopped.join("learners/.writing-x"), b"torn").unwrap();
    fs::write(stopped.join("samples/000099.safetensors"), b"torn").unwrap();
    let trained = resume(&stopped, None, &options(&stopped, 2), &TrainProgress::default()).unwrap();
    assert_eq!(trained.state.iterations, 3);
    assert!(results(&whole) == results(&stopped));
}

#[test]
fn networks_learn_tic_tac_toe() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let mut config = config(40);
    config.self_play.games = 60;
    config.buffer = BufferConfig { first: 2_000, last: 6_000, ..config.buffer };
    config.learning.rates = vec![Rate { from: 0, rate: 3e-3 }];
    config.evaluation.every = 40;
    config.evaluation.games = 60;
    let trained = run(&config, &path, 2);
    let result = trained.state.matches.iter().find(|result| result.opponent == "random").unwrap();
    assert!(result.points >= 51.0, "{result:?}");
    let first = trained.latest.unwrap();
    assert!(first.learning.policy_loss < 1.6, "{first:?}");
}

#[test]
fn gates_let_better_networks_through() {
    let folder = tempfile::tempdir().unwrap();
    for (name, gate) in [
        ("share", Gate::Share(ShareGate { share: 0.0, games: 4 })),
        ("never", Gate::Share(ShareGate { share: 1.0, games: 20 })),
        ("sprt", Gate::Sprt(SprtGate { most_games: 8, ..SprtGate::default() })),
    ] {
        let config = TrainConfig { gate: Some(gate), ..config(2) };
        let trained = run(&config, &folder.path().join(name), 2);
        assert_eq!(trained.state.gated, 2);
        let expected = if name == "share" { 2 } else { 0 };
        assert_eq!(trained.state.actor, expected, "{name}");
    }
}

#[test]
fn what_cannot_be_gone_on_with_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let nothing = TrainProgress::default();
    let refused = resume(&path, None, &options(&path, 1), &nothing).unwrap_err();
    assert!(matches!(refused, TrainError::NoRun { .. }), "{refused}");
    run(&config(1), &path, 1);
    let refused = train(&config(1), &options(&path, 1), &nothing).unwrap_err();
    assert!(refused.to_string().contains("--resume"), "{refused}");
    let changed = TrainConfig { seed: 9, ..config(1) };
    let refused = resume(&path, Some(&changed), &options(&path, 1), &nothing).unwrap_err();
    assert!(refused.to_string().starts_with("seed differs from that of the run in"), "{refused}");
    let wrong = TrainConfig { game: "shogi".into(), ..config(1) };
    let refused = train(&wrong, &options(&path, 1), &nothing).unwrap_err();
    assert!(refused.to_string().starts_with("game: unknown game \"shogi\""), "{refused}");
    let learner = path.join("learners/000001.safetensors");
    let bytes = fs::read(&learner).unwrap();
    fs::write(&learner, &bytes[..bytes.len() / 2]).unwrap();
    let refused = resume(&path, Some(&config(2)), &options(&path, 1), &nothing).unwrap_err();
    assert!(refused.to_string().contains("learners/000001.safetensors"), "{refused}");
    let other = folder.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("letter.txt"), "dear").unwrap();
    let refused = train(&config(1), &options(&other, 1), &nothing).unwrap_err();
    assert!(matches!(refused, TrainError::Occupied { .. }), "{refused}");
}

/// Files that would still be read, but as something else.
#[test]
fn a_flipped_bit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let gate = Some(Gate::Share(ShareGate { share: 1.0, games: 20 }));
    run(&TrainConfig { gate, ..config(2) }, &path, 1);
    let changed = TrainConfig { gate, ..config(3) };
    for file in [
        "learners/000002.safetensors",
        "learners/000002.trainings",
        "samples/000001.safetensors",
        "networks/000000.safetensors",
    ] {
        let file = path.join(file);
        let bytes = fs::read(&file).unwrap();
        let mut damaged = bytes.clone();
        *damaged.last_mut().unwrap() ^= 1;
        fs::write(&file, damaged).unwrap();
        let refused = resume(&path, Some(&changed), &options(&path, 1), &TrainProgress::default());
        let refused = refused.unwrap_err().to_string();
        let expected = format!(
            "cannot read {}: it is damaged: its checksum differs from the one in state.json",
            file.display()
        );
        assert_eq!(refused, expected);
        fs::write(&file, bytes).unwrap();
    }
    let state = path.join("state.json");
    let text = fs::read_to_string(&state).unwrap();
    fs::write(&state, text.replacen("\"iterations\": 2", "\"iterations\": 1", 1)).unwrap();
    let refused = resume(&path, Some(&changed), &options(&path, 1), &TrainProgress::default());
    let expected = format!("cannot read {}: it is damaged: its checksum differs", state.display());
    assert_eq!(refused.unwrap_err().to_string(), expected);
    fs::write(&state, text).unwrap();
    let resumed = resume(&path, Some(&changed), &options(&path, 1), &TrainProgress::default());
    assert_eq!(resumed.unwrap().state.iterations, 3);
}

#[test]
fn networks_that_diverge_end_the_run_and_say_where_the_last_good_one_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    // Behind a gate the first network goes on playing, however the learner fares.
    let gate = Some(Gate::Share(ShareGate { share: 1.0, games: 20 }));
    run(&TrainConfig { gate, ..config(1) }, &path, 1);
    let learner = path.join("learners/000001.safetensors");
    let mut bytes = fs::read(&learner).unwrap();
    let header = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    for weight in bytes[header..].chunks_exact_mut(4) {
        weight.copy_from_slice(&1e30f32.to_le_bytes());
    }
    fs::write(&learner, bytes).unwrap();
    // As if an earlier version had written the folder: without checksums.
    let state = path.join("state.json");
    let mut text: serde_json::Value = serde_json::from_slice(&fs::read(&state).unwrap()).unwrap();
    for sums in ["checksums", "checksum"] {
        text.as_object_mut().unwrap().remove(sums).unwrap();
    }
    fs::write(&state, text.to_string()).unwrap();
    let changed = TrainConfig { gate, ..config(3) };
    let failed = resume(&path, Some(&changed), &options(&path, 1), &TrainProgress::default());
    match failed.unwrap_err() {
        TrainError::Diverged { iteration, checkpoint, .. } => {
            assert_eq!((iteration, checkpoint), (2, learner));
        }
        other => panic!("{other}"),
    }
}
