//! Checkpoint files: exact round trips, and rejection of anything else.

use std::fs;
use std::path::PathBuf;

use meeple_game::{Action, ActionList, Game, GameInfo, Rng, Turn};
use meeple_games::small::{ConnectFour, KnockoutWhist, TicTacToe};
use meeple_net::{Batch, Example, NetError, Network, Shape, TrainOptions, Trainer};

const SHAPE: Shape = Shape { width: 48, blocks: 1, bottleneck: 32, value_hidden: 16 };

/// The properties of the default table of `G`.
fn info<G: Game>() -> GameInfo {
    G::new(&Default::default()).info()
}

/// Returns positions of random games, each with random targets.
fn batch(seed: u64) -> Batch {
    let mut rng = Rng::new(seed);
    let (mut list, mut batch) = (ActionList::new(), Batch::default());
    let mut game = ConnectFour::new(&Default::default());
    while batch.len() < 32 {
        let Turn::Player(player) = game.turn() else {
            game = ConnectFour::new(&Default::default());
            continue;
        };
        let mut observation = [0; 43];
        game.observe(player, &mut observation);
        game.legal_actions(&mut list);
        let mut policy = vec![0.0; list.len()];
        policy[rng.below(list.len())] = 1.0;
        let value = if rng.below(2) == 0 { 1.0 } else { -1.0 };
        let example = Example {
            observation: &observation,
            legal: &list,
            policy: &policy,
            values: &[value, -value],
            policy_weight: 1.0,
            value_weight: 1.0,
        };
        batch.push(&example, 2);
        let action: Action = *rng.pick(&list);
        game.apply(action);
    }
    batch
}

fn trained() -> Trainer {
    let network =
        Network::new(&info::<ConnectFour>(), SHAPE, 2, 1).expect("tests have what they need");
    let mut trainer = Trainer::new(network, TrainOptions::default());
    (0..5)
        .for_each(|seed| _ = trainer.train_batch(&batch(seed)).expect("tests have what they need"));
    trainer
}

/// Returns the bits of a network's predictions for a few positions.
fn prediction_bits(network: &Network) -> Vec<u32> {
    let batch = batch(99);
    let mut bits = Vec::new();
    for observation in batch.observations.chunks_exact(43) {
        let (mut values, mut logits) = ([0.0; 2], [0.0; 7]);
        network.predict(observation, &mut values, &mut logits);
        bits.extend(values.iter().chain(&logits).map(|number: &f32| number.to_bits()));
    }
    bits
}

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("tests have what they need"))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

#[test]
fn a_saved_network_loads_bit_by_bit() {
    let (place, trainer) = (Place::new(), trained());
    let (first, second) = (place.file("a"), place.file("b"));
    trainer.network().save(&first).unwrap();
    let loaded = Network::load(&info::<ConnectFour>(), &first).unwrap();
    assert_eq!(prediction_bits(&loaded), prediction_bits(trainer.network()));
    assert_eq!((loaded.shape(), loaded.signature()), (SHAPE, trainer.network().signature()));
    loaded.save(&second).unwrap();
    assert_eq!(fs::read(first).unwrap(), fs::read(second).unwrap());
    assert_eq!(fs::read_dir(place.0.path()).unwrap().count(), 2, "no temporary file is left");
}

#[test]
fn resumed_training_is_bit_identical() {
    let (place, mut trainer) = (Place::new(), trained());
    trainer.note = "where the games are".to_owned();
    trainer.options.learning_rate = 0.002;
    let path = place.file("training");
    trainer.save(&path).unwrap();
    let mut resumed = Trainer::load(&info::<ConnectFour>(), &path).unwrap();
    assert_eq!((resumed.note.as_str(), resumed.steps()), ("where the games are", 5));
    assert_eq!(resumed.options, trainer.options);
    for seed in 10..15 {
        let losses = trainer.train_batch(&batch(seed)).unwrap();
        assert_eq!(resumed.train_batch(&batch(seed)).unwrap(), losses);
    }
    assert_eq!(prediction_bits(resumed.network()), prediction_bits(trainer.network()));
    assert!(
        Network::load(&info::<ConnectFour>(), &path).is_ok(),
        "a trainer's checkpoint holds a network"
    );
}

#[test]
fn weights_are_copied_between_identical_shapes_only() {
    let trainer = trained();
    let mut other = Network::new(&info::<ConnectFour>(), SHAPE, 2, 5).unwrap();
    assert_ne!(prediction_bits(&other), prediction_bits(trainer.network()));
    trainer.network().copy_weights_to(&mut other).unwrap();
    assert_eq!(prediction_bits(&other), prediction_bits(trainer.network()));
    let mut wider =
        Network::new(&info::<ConnectFour>(), Shape { width: 64, ..SHAPE }, 2, 5).unwrap();
    let error = trainer.network().copy_weights_to(&mut wider).unwrap_err();
    assert!(matches!(error, NetError::Mismatch { what: "shape", .. }), "{error}");
    let mut foreign = Network::new(&info::<TicTacToe>(), SHAPE, 2, 5).unwrap();
    let error = trainer.network().copy_weights_to(&mut foreign).unwrap_err();
    assert_eq!(error.to_string(), "game is tic-tac-toe, expected connect-four");
}

#[test]
fn files_with_another_signature_are_rejected() {
    let (place, trainer) = (Place::new(), trained());
    let path = place.file("four");
    trainer.network().save(&path).unwrap();
    let error = Network::load(&info::<TicTacToe>(), &path).unwrap_err().to_string();
    assert!(error.ends_with("its game is connect-four, expected tic-tac-toe"), "{error}");
    assert!(error.contains("four: "), "{error}");
    let error = Trainer::load(&info::<ConnectFour>(), &path).unwrap_err().to_string();
    assert!(
        error.ends_with("holds weights only, expected a checkpoint with optimizer state"),
        "{error}"
    );
    let missing = Network::load(&info::<ConnectFour>(), &place.file("nothing")).unwrap_err();
    assert!(missing.to_string().starts_with("cannot read"), "{missing}");
    let unwritable = trainer.save(&place.file("no/such/folder")).unwrap_err();
    assert!(unwritable.to_string().starts_with("cannot write"), "{unwritable}");
    assert!(Network::new(&info::<ConnectFour>(), SHAPE, 3, 1).is_err(), "connect four is for two");
}

/// Replaces words of the metadata by others of the same length.
#[test]
fn files_with_other_metadata_are_rejected() {
    let place = Place::new();
    let network = Network::new(&info::<KnockoutWhist>(), SHAPE, 4, 1).unwrap();
    let path = place.file("whist");
    network.save(&path).unwrap();
    let original = fs::read(&path).unwrap();
    let check = |from: &str, to: &str, message: &str| {
        assert_eq!(from.len(), to.len());
        let at = original.windows(from.len()).position(|bytes| bytes == from.as_bytes());
        let at = at.unwrap_or_else(|| panic!("the file has no {from}"));
        let mut bytes = original.clone();
        bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        fs::write(&path, bytes).unwrap();
        let error = Network::load(&info::<KnockoutWhist>(), &path).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    };
    let cells = info::<KnockoutWhist>().observation.len();
    let other = cells - 1;
    check(r#"version\":1"#, r#"version\":9"#, "has version 9, expected 1 or earlier");
    check("meeple-network", "meeple-samples", r#"its format is "meeple-samples", expected"#);
    check(
        &format!(r#"cells\":{cells}"#),
        &format!(r#"cells\":{other}"#),
        &format!("its observation length is {other}, expected {cells}"),
    );
    check(r#"actions\":52"#, r#"actions\":51"#, "its number of actions is 51, expected 52");
    check(r#"seats\":4"#, r#"seats\":9"#, "its number of seats is 9, expected 4");
    check(r#"observation_version\":1"#, r#"observation_version\":2"#, "its observation version");
    let layout = &network.signature().layout;
    let reversed: String = layout.chars().rev().collect();
    check(layout, &reversed, "its observation layout is");
    check(r#"width\":48"#, r#"width\":99"#, "more than the file holds");
    check(r#"width\":48"#, r#"width\":40"#, "expected F32");
    check("policy.bias", "policy.bits", "policy.bias");
}

#[test]
fn damaged_files_are_rejected() {
    let (place, trainer) = (Place::new(), trained());
    let path = place.file("damaged");
    trainer.save(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    let mut rng = Rng::new(1);
    let lengths = (0..40).map(|_| rng.below(bytes.len())).chain([0, 1, 8, bytes.len() - 1]);
    for length in lengths {
        fs::write(&path, &bytes[..length]).unwrap();
        let error = Trainer::load(&info::<ConnectFour>(), &path).unwrap_err();
        assert!(matches!(error, NetError::Damaged { .. }), "{length}: {error}");
    }
    // A corrupt byte of the header causes an error at worst, never a panic.
    let header = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    for _ in 0..2000 {
        let mut damaged = bytes.clone();
        damaged[rng.below(header)] = rng.below(256) as u8;
        fs::write(&path, damaged).unwrap();
        let _ = Trainer::load(&info::<ConnectFour>(), &path);
    }
    let mut not_finite = bytes.clone();
    not_finite[header..header + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    fs::write(&path, not_finite).unwrap();
    let error = Network::load(&info::<ConnectFour>(), &path)
        .and_then(|_| Trainer::load(&info::<ConnectFour>(), &path).map(drop))
        .unwrap_err();
    assert!(error.to_string().contains("expected finite numbers"), "{error}");
}
