//! Writes a network as an ONNX model, and its predictions for some positions as
//! JSON: `cargo run -p meeple-net --example onnx -- FOLDER`.

use std::path::Path;

use anyhow::Context;
use meeple_game::{ActionList, Game, Rng, Turn};
use meeple_games::small::KnockoutWhist;
use meeple_net::{Network, Shape};
use serde_json::json;

fn main() -> anyhow::Result<()> {
    let folder = std::env::args().nth(1).context("expected a folder to write to")?;
    let folder = Path::new(&folder);
    let shape = Shape { width: 96, blocks: 2, bottleneck: 48, value_hidden: 24 };
    let mut game = KnockoutWhist::new(&Default::default());
    let network = Network::new(&game.info(), shape, 4, 1)?;
    network.export_onnx(&folder.join("model.onnx"))?;

    let (mut observations, mut policies, mut all_values) = (vec![], vec![], vec![]);
    let (mut rng, mut list) = (Rng::new(2), ActionList::new());
    while observations.len() < 50 {
        match game.turn() {
            Turn::Over => game = KnockoutWhist::new(&Default::default()),
            Turn::Chance => game.apply(game.sample_chance(&mut rng)),
            Turn::Player(player) => {
                let mut observation = vec![0; game.observation().len()];
                game.observe(player, &mut observation);
                let (mut values, mut logits) = (vec![0.0; 4], vec![0.0; game.actions()]);
                network.predict(&observation, &mut values, &mut logits);
                observations.push(observation);
                policies.push(logits);
                all_values.push(values);
                game.apply_sampled(&mut rng, &mut list);
            }
        }
    }
    let predictions = json!({"observation": observations, "policy": policies, "value": all_values});
    std::fs::write(folder.join("said.json"), predictions.to_string())
        .context("cannot write said.json")
}
