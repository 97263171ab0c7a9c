//! Temporal-difference runs give the same network however they are run.

use std::path::Path;
use std::thread;
use std::time::Duration;

use meeple_games::backgammon::ValueNetwork;
use meeple_train::{
    Ended, TdConfig, TdTrained, TrainError, TrainOptions, TrainProgress, TrainingFile, is_td_run,
    read_training, resume_td, train_td,
};

fn config(games: u64) -> TdConfig {
    let text = format!(
        r#"{{"method": "td", "game": "backgammon", "seed": 3, "games": {games}, "at_once": 8,
             "average": 32, "report": 64, "pairs": 2}}"#
    );
    match read_training("a.json".as_ref(), &text).expect("it can be run") {
        TrainingFile::Td(config) => config,
        TrainingFile::SelfPlay(_) => panic!("it has a method"),
    }
}

fn options(folder: &Path, threads: usize) -> TrainOptions {
    TrainOptions { folder: Some(folder.to_owned()), threads }
}

fn trained(folder: &Path, threads: usize) -> TdTrained {
    train_td(&config(100), &options(folder, threads), &TrainProgress::default())
        .expect("it can be run")
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let place = tempfile::tempdir().unwrap();
    let one = trained(&place.path().join("one"), 1);
    assert_eq!((one.ended, one.games), (Ended::Finished, 100));
    assert_eq!(one.latest.as_ref().map(|report| report.games), Some(100));
    let bytes = std::fs::read(&one.network).unwrap();
    let network = ValueNetwork::from_bytes(&bytes).unwrap();
    assert_eq!(format!("{:016x}", network.hash()), one.hash);
    assert_eq!(trained(&place.path().join("three"), 3).hash, one.hash);

    let stopped = place.path().join("stopped");
    let progress = TrainProgress::default();
    let result = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(30));
            progress.stop();
        });
        train_td(&config(100), &options(&stopped, 1), &progress).unwrap()
    });
    assert!(is_td_run(&stopped));
    assert!(result.ended == Ended::Stopped || result.games == 100);
    let resumed = resume_td(&stopped, &options(&stopped, 2), &TrainProgress::default()).unwrap();
    assert_eq!((resumed.ended, resumed.hash), (Ended::Finished, one.hash));
    let again = train_td(&config(100), &options(&stopped, 1), &TrainProgress::default());
    assert!(matches!(again, Err(TrainError::Exists { .. })));
}

/// The network of the first hundred games of the settings of experiments/train-backgammon.json, which
/// is the same on every machine.
#[test]
fn the_network_is_the_same_everywhere() {
    let text = r#"{"method": "td", "game": "backgammon", "seed": 1, "games": 100, "pairs": 0}"#;
    let Ok(TrainingFile::Td(config)) = read_training("a.json".as_ref(), text) else {
        panic!("it is a file of this method")
    };
    let place = tempfile::tempdir().unwrap();
    let options = options(&place.path().join("run"), 2);
    let trained = train_td(&config, &options, &TrainProgress::default()).unwrap();
    assert_eq!(trained.hash, "dd9b4408e25364de");
}

#[test]
fn damaged_networks_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    trained(&folder, 1);
    let learner = std::fs::read_dir(folder.join("learners")).unwrap().next().unwrap().unwrap();
    let mut bytes = std::fs::read(learner.path()).unwrap();
    bytes[500] ^= 1;
    std::fs::write(learner.path(), &bytes).unwrap();
    let refused = resume_td(&folder, &options(&folder, 1), &TrainProgress::default());
    assert!(refused.unwrap_err().to_string().contains("damaged"));
}
