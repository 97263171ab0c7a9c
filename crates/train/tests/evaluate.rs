//! `evaluate` counts what `run` counts.

use std::fs;
use std::path::Path;

use meeple_arena::{RunOptions, RunProgress, conduct, read_experiment};
use meeple_game::Game;
use meeple_games::small::TicTacToe;
use meeple_net::{Network, Shape};
use meeple_report::experiment_page;
use meeple_train::{EvaluateOptions, TrainProgress, evaluate};
use serde_json::json;

const SHAPE: Shape = Shape { width: 8, blocks: 0, bottleneck: 4, value_hidden: 4 };

fn options(model: &Path, opponent: &str) -> EvaluateOptions {
    EvaluateOptions {
        game: "tic-tac-toe".into(),
        table: json!({}),
        model: model.to_owned(),
        bot: "puct:sims=3000".parse().expect("a bot"),
        opponents: vec![opponent.parse().expect("a bot")],
        games: 30,
        openings: 0,
        sprt: None,
        seed: 1,
        threads: 2,
    }
}

/// Both play well enough that every game is a draw, the result whose payoffs are both 0.
#[test]
fn draws_are_draws_by_evaluate_and_by_run() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("model.safetensors");
    let info = TicTacToe::new(&Default::default()).info();
    Network::new(&info, SHAPE, 2, 1).unwrap().save(&model).unwrap();
    let evaluated =
        evaluate(&options(&model, "mcts:sims=3000"), &TrainProgress::default()).unwrap();
    let against = &evaluated.against[0];

    let experiment = json!({
        "name": "same", "tables": ["tic-tac-toe"],
        "bots": [format!("puct:sims=3000,model={}", model.display()), "mcts:sims=3000"],
        "task": {"tournament": {"games": 30}},
    });
    let experiment = read_experiment("same.json".as_ref(), &experiment.to_string()).unwrap();
    let out = RunOptions { folder: Some(folder.path().join("run")), ..RunOptions::default() };
    let conducted = conduct(&experiment, &out, &RunProgress::default(), experiment_page).unwrap();
    let pairing = &conducted.summary.tables[0].pairings[0];

    let by_evaluate = (against.wins, against.draws, against.losses);
    assert_eq!(by_evaluate, (pairing.wins, pairing.draws, pairing.losses));
    assert_eq!(by_evaluate, (0, 30, 0));
    assert_eq!((against.score, pairing.result.score), (0.5, 0.5));
    let games = fs::read_to_string(folder.path().join("run/games.jsonl")).unwrap();
    assert!(!games.contains("-0.0"), "a draw is 0, not -0");
}
