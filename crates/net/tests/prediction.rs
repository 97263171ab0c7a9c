//! Compiled networks against the reference forward pass, on positions of real games.

use meeple_game::{ActionList, Game, GameInfo, Player, Rng, Turn};
use meeple_games::small::{ConnectFour, KnockoutWhist};
use meeple_games::stone_age::StoneAge;
use meeple_net::{Network, Precision, Shape};

/// Returns observations of the player to act in random games.
fn observations<G: Game>(config: &G::Config, count: usize) -> Vec<Vec<i32>> {
    let mut rng = Rng::new(1);
    let mut list = ActionList::new();
    let mut found = Vec::new();
    let mut game = G::new(config);
    while found.len() < count {
        match game.turn() {
            Turn::Over => game = G::new(config),
            Turn::Chance => game.apply(game.sample_chance(&mut rng)),
            Turn::Player(player) => {
                let mut observation = vec![0; game.observation().len()];
                game.observe(player, &mut observation);
                found.push(observation);
                game.apply_sampled(&mut rng, &mut list);
            }
        }
    }
    found
}

/// Returns a network with noise on all weights: residual blocks of a new network
/// are zero-initialized and would test nothing.
fn perturbed(info: &GameInfo, shape: Shape, seats: usize) -> Network {
    let network = Network::new(info, shape, seats, 4).expect("tests have what they need");
    let folder = tempfile::tempdir().expect("tests have what they need");
    let path = folder.path().join("perturbed");
    network.save(&path).expect("tests have what they need");
    let mut bytes = std::fs::read(&path).expect("tests have what they need");
    let start =
        8 + u64::from_le_bytes(bytes[..8].try_into().expect("tests have what they need")) as usize;
    let mut rng = Rng::new(9);
    for number in bytes[start..].chunks_exact_mut(4) {
        let value = f32::from_le_bytes(number.try_into().expect("tests have what they need"));
        let noise = (rng.unit() as f32 - 0.5) * 0.1;
        number.copy_from_slice(&(value + noise).to_le_bytes());
    }
    std::fs::write(&path, bytes).expect("tests have what they need");
    Network::load(info, &path).expect("tests have what they need")
}

/// Checks that `f32` predictions equal the reference bit by bit, in batches of any
/// size, and that `int8` predictions are epilogue and do not depend on the batch.
fn check<G: Game>(config: &G::Config, shape: Shape, seats: usize) {
    let info = G::new(config).info();
    let network = perturbed(&info, shape, seats);
    let observations = observations::<G>(config, 70);
    let (rows, actions) = (observations.len(), info.actions);
    let flat: Vec<i32> = observations.concat();
    let (mut values, mut logits) = (vec![0.0; rows * seats], vec![0.0; rows * actions]);
    for (row, observation) in observations.iter().enumerate() {
        let values = &mut values[row * seats..(row + 1) * seats];
        network.predict(observation, values, &mut logits[row * actions..(row + 1) * actions]);
    }
    let spread = logits.iter().fold(0.0f32, |most, logit| most.max(logit.abs()));
    for precision in [Precision::Float, Precision::Int8] {
        let mut predictor = network.compile(precision);
        let mut all = (vec![9.0; rows * seats], vec![9.0; rows * actions]);
        predictor.predict_batch(&flat, &mut all.0, &mut all.1);
        let pairs = logits.iter().zip(&all.1).chain(values.iter().zip(&all.0));
        let error = pairs.fold(0.0f32, |most, (a, b)| most.max((a - b).abs()));
        let allowed = if precision == Precision::Float { 0.0 } else { 0.1 * spread };
        assert!(error <= allowed, "{}: {precision:?} is off by {error} of {spread}", info.name);
        for size in [1, 2, 3, 5, 11, 13, 33] {
            let (mut few, mut some) = (vec![9.0; size * seats], vec![9.0; size * actions]);
            let cells = observations[0].len();
            predictor.predict_batch(&flat[..size * cells], &mut few, &mut some);
            assert_eq!(few, all.0[..size * seats], "{}: batch of {size}", info.name);
            assert_eq!(some, all.1[..size * actions], "{}: batch of {size}", info.name);
        }
    }
}

#[test]
fn compiled_networks_match_the_reference() {
    let default = Shape::default();
    let odd = Shape { width: 70, blocks: 2, bottleneck: 45, value_hidden: 17 };
    check::<ConnectFour>(&Default::default(), odd, 2);
    check::<ConnectFour>(&Default::default(), Shape { blocks: 0, ..odd }, 2);
    check::<KnockoutWhist>(&Default::default(), odd, 4);
    check::<StoneAge>(&Default::default(), default, 4);
}

#[test]
fn an_empty_batch_is_allowed() {
    let shape = Shape { width: 32, blocks: 1, bottleneck: 32, value_hidden: 16 };
    let network = Network::new(&ConnectFour::new(&Default::default()).info(), shape, 2, 1).unwrap();
    network.compile(Precision::Int8).predict_batch(&[], &mut [], &mut []);
}

#[test]
#[should_panic(expected = "43 cells per row")]
fn a_short_observation_panics() {
    let shape = Shape { width: 32, blocks: 1, bottleneck: 32, value_hidden: 16 };
    let network = Network::new(&ConnectFour::new(&Default::default()).info(), shape, 2, 1).unwrap();
    let mut observation = vec![0; 42];
    ConnectFour::new(&Default::default()).observe(Player(0), &mut [0; 43]);
    observation[0] = 1;
    network.compile(Precision::Float).predict(&observation, &mut [0.0; 2], &mut [0.0; 7]);
}
