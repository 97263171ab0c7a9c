//! Agreement of `int8` and `f32` inference on the best action: trains a network of
//! the default shape on searches of Stone Age, then compares both precisions on
//! other positions. `cargo run --release -p meeple-net --example agreement`; with
//! the file of a network for Stone Age, compares that network.
#![allow(clippy::print_stdout, reason = "a program that prints")]

use meeple_game::{ActionList, Game, GameInfo, Rng, Turn, View};
use meeple_games::stone_age::StoneAge;
use meeple_net::{Batch, Example, Network, Precision, Shape, TrainOptions, Trainer};
use meeple_search::{Budget, Heuristic, IsMcts, IsMctsOptions, Search};

/// Positions to train on, and others to compare on.
const TRAINED: usize = 6000;
const COMPARED: usize = 2000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (network, positions) = match std::env::args().nth(1) {
        Some(file) => (Network::load(&info(), file.as_ref())?, play(COMPARED)?),
        None => {
            let mut examples = play(TRAINED + COMPARED)?;
            let positions = examples.split_off(TRAINED);
            (train(&examples)?, positions)
        }
    };
    let seats = network.signature().seats;
    let mut forms = [Precision::Float, Precision::Int8].map(|form| network.compile(form));
    let (mut same, mut max_difference) = (0, 0.0f32);
    for position in &positions {
        let [float, int8] = forms.each_mut().map(|form| {
            let (mut values, mut logits) =
                (vec![0.0; seats], vec![0.0; network.signature().actions]);
            form.predict(&position.observation, &mut values, &mut logits);
            (values, logits)
        });
        let best = |logits: &[f32]| {
            let by_logit = |a: &usize, b: &usize| logits[*a].total_cmp(&logits[*b]);
            position.legal.iter().map(|action| action.index()).max_by(by_logit)
        };
        same += usize::from(best(&float.1) == best(&int8.1));
        let differences = float.0.iter().zip(&int8.0).map(|(a, b)| (a - b).abs());
        max_difference = differences.fold(max_difference, f32::max);
    }
    let share = 100.0 * same as f64 / COMPARED as f64;
    println!("same best action in {share:.2} % of {COMPARED} positions");
    println!("largest difference of values: {max_difference:.4}");
    Ok(())
}

fn info() -> GameInfo {
    StoneAge::new(&Default::default()).info()
}

/// Trains a network of the default shape on these positions.
fn train(examples: &[Position]) -> Result<Network, Box<dyn std::error::Error>> {
    let seats = info().max_players;
    let network = Network::new(&info(), Shape::default(), seats, 1)?;
    let mut trainer = Trainer::new(network, TrainOptions::default());
    let mut rng = Rng::new(5);
    for step in 0..200 {
        let mut batch = Batch::default();
        for _ in 0..128 {
            rng.pick(examples).push(&mut batch, seats);
        }
        let losses = trainer.train_batch(&batch)?;
        if step % 50 == 0 || step == 199 {
            println!("step {step}: policy {:.3}, value {:.3}", losses.policy, losses.value);
        }
    }
    Ok(trainer.network().clone())
}

/// A position, with the policy and the values of a search.
struct Position {
    observation: Vec<i32>,
    legal: ActionList,
    policy: Vec<f32>,
    values: Vec<f32>,
}

impl Position {
    fn push(&self, batch: &mut Batch, seats: usize) {
        let example = Example {
            observation: &self.observation,
            legal: &self.legal,
            policy: &self.policy,
            values: &self.values,
            policy_weight: 1.0,
            value_weight: 1.0,
        };
        batch.push(&example, seats);
    }
}

/// Collects positions from games between searches, without forced moves.
fn play(count: usize) -> Result<Vec<Position>, Box<dyn std::error::Error>> {
    let mut search = IsMcts::new(&IsMctsOptions::default(), Heuristic)?;
    let mut rng = Rng::new(3);
    let mut positions = Vec::new();
    let mut game = StoneAge::new(&Default::default());
    while positions.len() < count {
        let player = match game.turn() {
            Turn::Over => {
                game = StoneAge::new(&Default::default());
                continue;
            }
            Turn::Chance => {
                game.apply(game.sample_chance(&mut rng));
                continue;
            }
            Turn::Player(player) => player,
        };
        let mut legal = ActionList::new();
        game.legal_actions(&mut legal);
        if legal.len() == 1 {
            game.apply(legal[0]);
            continue;
        }
        let view = View::new(&game, player);
        let report = search.search(&view, &Budget::simulations(64), rng.bits())?;
        let mut observation = vec![0; game.observation().len()];
        view.observe(&mut observation);
        let entry = |action| report.actions.iter().find(|entry| entry.action == action);
        let policy: Vec<f32> =
            legal.iter().map(|&action| entry(action).map_or(0.0, |entry| entry.policy)).collect();
        let players = game.players();
        let rotated =
            (0..players).map(|offset| report.values[player.after(offset, players).index()]);
        let values = rotated.map(|value| value.clamp(-1.0, 1.0)).collect();
        positions.push(Position { observation, legal: legal.clone(), policy, values });
        // Some random moves, so that games differ.
        let chosen = if rng.below(4) == 0 { *rng.pick(&legal) } else { report.best };
        game.apply(chosen);
    }
    Ok(positions)
}
