//! Networks and trainings in files: kept to the last bit, or refused.

use std::fs;
use std::path::PathBuf;

use meeple_game::{Action, ActionList, Game, Rng, Turn};
use meeple_games::small::{ConnectFour, KnockoutWhist, TicTacToe};
use meeple_net::{Batch, Example, NetError, Network, Shape, TrainOptions, Trainer};

const SHAPE: Shape = Shape { width: 48, blocks: 1, neck: 32, value: 16 };

/// Positions of random games, each with a random thing to learn.
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
    let network = Network::new::<ConnectFour>(SHAPE, 2, 1).expect("tests have what they need");
    let mut trainer = Trainer::new(network, TrainOptions::default());
    (0..5)
        .for_each(|seed| _ = trainer.train_batch(&batch(seed)).expect("tests have what they need"));
    trainer
}

/// What a network says of a few positions, to the last bit.
fn says(network: &Network) -> Vec<u32> {
    let batch = batch(99);
    let mut said = Vec::new();
    for observation in batch.observations.chunks_exact(43) {
        let (mut values, mut logits) = ([0.0; 2], [0.0; 7]);
        network.predict(observation, &mut values, &mut logits);
        said.extend(values.iter().chain(&logits).map(|number: &f32| number.to_bits()));
    }
    said
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
fn a_network_is_kept_to_the_last_bit() {
    let (place, trainer) = (Place::new(), trained());
    let (first, second) = (place.file("a"), place.file("b"));
    trainer.network().save(&first).unwrap();
    let loaded = Network::load::<ConnectFour>(&first).unwrap();
    assert_eq!(says(&loaded), says(trainer.network()));
    assert_eq!((loaded.shape(), loaded.purpose()), (SHAPE, trainer.network().purpose()));
    loaded.save(&second).unwrap();
    assert_eq!(fs::read(first).unwrap(), fs::read(second).unwrap());
    assert_eq!(fs::read_dir(place.0.path()).unwrap().count(), 2, "nothing else is left");
}

#[test]
fn training_goes_on_as_if_nothing_had_happened() {
    let (place, mut trainer) = (Place::new(), trained());
    trainer.note = "where the games are".to_owned();
    trainer.options.learning_rate = 0.002;
    let path = place.file("training");
    trainer.save(&path).unwrap();
    let mut resumed = Trainer::load::<ConnectFour>(&path).unwrap();
    assert_eq!((resumed.note.as_str(), resumed.steps()), ("where the games are", 5));
    assert_eq!(resumed.options, trainer.options);
    for seed in 10..15 {
        let losses = trainer.train_batch(&batch(seed)).unwrap();
        assert_eq!(resumed.train_batch(&batch(seed)).unwrap(), losses);
    }
    assert_eq!(says(resumed.network()), says(trainer.network()));
    assert!(Network::load::<ConnectFour>(&path).is_ok(), "a training holds a network");
}

#[test]
fn weights_are_copied_to_the_like_alone() {
    let trainer = trained();
    let mut other = Network::new::<ConnectFour>(SHAPE, 2, 5).unwrap();
    assert_ne!(says(&other), says(trainer.network()));
    trainer.network().copy_weights_to(&mut other).unwrap();
    assert_eq!(says(&other), says(trainer.network()));
    let mut wider = Network::new::<ConnectFour>(Shape { width: 64, ..SHAPE }, 2, 5).unwrap();
    let refused = trainer.network().copy_weights_to(&mut wider).unwrap_err();
    assert!(matches!(refused, NetError::Mismatch { what: "shape", .. }), "{refused}");
    let mut foreign = Network::new::<TicTacToe>(SHAPE, 2, 5).unwrap();
    let refused = trainer.network().copy_weights_to(&mut foreign).unwrap_err();
    assert_eq!(refused.to_string(), "game is tic-tac-toe, expected connect-four");
}

#[test]
fn files_for_something_else_are_refused() {
    let (place, trainer) = (Place::new(), trained());
    let path = place.file("four");
    trainer.network().save(&path).unwrap();
    let refused = Network::load::<TicTacToe>(&path).unwrap_err().to_string();
    assert!(refused.ends_with("its game is connect-four, expected tic-tac-toe"), "{refused}");
    assert!(refused.contains("four: "), "{refused}");
    let refused = Trainer::load::<ConnectFour>(&path).unwrap_err().to_string();
    assert!(refused.ends_with("holds weights alone, without the state of training"), "{refused}");
    let missing = Network::load::<ConnectFour>(&place.file("nothing")).unwrap_err();
    assert!(missing.to_string().starts_with("cannot read"), "{missing}");
    let unwritable = trainer.save(&place.file("no/such/folder")).unwrap_err();
    assert!(unwritable.to_string().starts_with("cannot write"), "{unwritable}");
    assert!(Network::new::<ConnectFour>(SHAPE, 3, 1).is_err(), "connect four is for two");
}

/// Rewrites words of the metadata by others of the same length.
#[test]
fn files_that_say_something_else_are_refused() {
    let place = Place::new();
    let network = Network::new::<KnockoutWhist>(SHAPE, 4, 1).unwrap();
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
        let refused = Network::load::<KnockoutWhist>(&path).unwrap_err().to_string();
        assert!(refused.contains(message), "{refused}");
    };
    let cells = KnockoutWhist::observation().len();
    let other = cells - 1;
    check(r#"version\":1"#, r#"version\":9"#, "has version 9, expected 1 or earlier");
    check("meeple-network", "meeple-samples", r#"it is a "meeple-samples", expected"#);
    check(
        &format!(r#"cells\":{cells}"#),
        &format!(r#"cells\":{other}"#),
        &format!("its observation length is {other}, expected {cells}"),
    );
    check(r#"actions\":52"#, r#"actions\":51"#, "its number of actions is 51, expected 52");
    check(r#"seats\":4"#, r#"seats\":9"#, "its number of seats is 9, expected 4");
    check(r#"observation_version\":1"#, r#"observation_version\":2"#, "its observation version");
    let layout = &network.purpose().layout;
    let turned: String = layout.chars().rev().collect();
    check(layout, &turned, "its observation layout is");
    check(r#"width\":48"#, r#"width\":99"#, "which it does not hold");
    check(r#"width\":48"#, r#"width\":40"#, "expected F32");
    check("policy.bias", "policy.bits", "policy.bias");
}

#[test]
fn damaged_files_are_refused() {
    let (place, trainer) = (Place::new(), trained());
    let path = place.file("damaged");
    trainer.save(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    let mut rng = Rng::new(1);
    let lengths = (0..40).map(|_| rng.below(bytes.len())).chain([0, 1, 8, bytes.len() - 1]);
    for length in lengths {
        fs::write(&path, &bytes[..length]).unwrap();
        let refused = Trainer::load::<ConnectFour>(&path).unwrap_err();
        assert!(matches!(refused, NetError::Damaged { .. }), "{length}: {refused}");
    }
    // Whatever a byte of the header becomes, nothing worse than an error is.
    let header = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    for _ in 0..2000 {
        let mut damaged = bytes.clone();
        damaged[rng.below(header)] = rng.below(256) as u8;
        fs::write(&path, damaged).unwrap();
        let _ = Trainer::load::<ConnectFour>(&path);
    }
    let mut infinite = bytes.clone();
    infinite[header..header + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    fs::write(&path, infinite).unwrap();
    let refused = Network::load::<ConnectFour>(&path)
        .and_then(|_| Trainer::load::<ConnectFour>(&path).map(drop))
        .unwrap_err();
    assert!(refused.to_string().contains("expected finite numbers"), "{refused}");
}
