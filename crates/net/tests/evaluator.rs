//! Networks as evaluators in searches: seat rotation, signatures, determinism.

use meeple_game::{Game, Payoffs, Player, Rng, Seats, Turn, View};
use meeple_games::small::{ConnectFour, KnockoutWhist, TicTacToe, knockout_whist};
use meeple_net::{NetError, NetEvaluator, Network, Precision, Shape};
use meeple_search::{
    Budget, Cached, Evaluator, IsMcts, IsMctsOptions, Mcts, MctsOptions, Search, SearchError,
};

const SHAPE: Shape = Shape { width: 64, blocks: 1, bottleneck: 32, value_hidden: 32 };

fn whist(players: usize, moves: usize) -> KnockoutWhist {
    let options = knockout_whist::Options {
        players: Seats::new(players).expect("tests have what they need"),
    };
    let mut game = KnockoutWhist::new(&options);
    let mut rng = Rng::new(3);
    let mut moves_left = moves;
    loop {
        match game.turn() {
            Turn::Chance => game.apply(game.sample_chance(&mut rng)),
            Turn::Player(_) if moves_left == 0 => return game,
            _ => {
                game.apply_sampled(&mut rng, &mut Default::default());
                moves_left -= 1;
            }
        }
    }
}

#[test]
fn values_are_rotated_to_seats_and_logits_are_the_movers() {
    let network = Network::new(&whist(4, 0).info(), SHAPE, 4, 1).unwrap();
    let mut evaluator = NetEvaluator::new(&whist(4, 0), network.compile(Precision::Float)).unwrap();
    for (players, moves) in [(4, 0), (4, 1), (4, 2), (3, 1), (2, 1)] {
        let state = whist(players, moves);
        let Turn::Player(mover) = state.turn() else { panic!("expected a decision") };
        let mut observation = vec![0; state.observation().len()];
        state.observe(mover, &mut observation);
        let (mut predicted, mut expected) = ([0.0; 4], [0.0; 52]);
        network.predict(&observation, &mut predicted, &mut expected);
        let (mut values, mut logits) = ([Payoffs::default()], [0.0; 52]);
        evaluator.evaluate(&[state], &mut Rng::new(0), &mut values, &mut logits);
        for (offset, &value) in predicted.iter().take(players).enumerate() {
            let seat = (mover.index() + offset) % players;
            assert_eq!(values[0][seat], value, "{players} players after {moves}");
        }
        assert!(values[0][players..].iter().all(|&value| value == 0.0));
        assert_eq!(logits, expected);
    }
}

#[test]
fn networks_with_another_signature_are_rejected() {
    let game = TicTacToe::new(&Default::default());
    let network = Network::new(&game.info(), SHAPE, 2, 1).unwrap();
    let other = ConnectFour::new(&Default::default());
    let error = NetEvaluator::new(&other, network.compile(Precision::Float)).unwrap_err();
    assert!(matches!(error, NetError::Mismatch { what: "game", .. }), "{error}");
    let network = Network::new(&whist(4, 0).info(), SHAPE, 2, 1).unwrap();
    let evaluator = NetEvaluator::new(&whist(2, 0), network.compile(Precision::Float)).unwrap();
    let error = Evaluator::check(&evaluator, &whist(4, 0)).unwrap_err();
    assert!(matches!(error, SearchError::WrongLength { expected: 4, got: 2, .. }));
    assert_eq!(Evaluator::check(&evaluator, &whist(2, 0)), Ok(()));
}

#[test]
fn searches_evaluate_leaves_by_networks() {
    let game = ConnectFour::new(&Default::default());
    let network = Network::new(&game.info(), SHAPE, 2, 1).unwrap();
    let view = View::new(&game, Player(0));
    let budget = Budget::simulations(200);
    let evaluator = || NetEvaluator::new(&game, network.compile(Precision::Int8)).unwrap();
    let mut plain = Mcts::new(&MctsOptions::puct(), evaluator()).unwrap();
    let cached = Cached::new(evaluator(), 1 << 12).unwrap();
    let mut cached = Mcts::new(&MctsOptions::puct(), cached).unwrap();
    let report = plain.search(&view, &budget, 1).unwrap();
    let again = cached.search(&view, &budget, 1).unwrap();
    assert_eq!(report.actions, again.actions);
    assert_eq!(report.actions.iter().map(|entry| entry.visits).sum::<u64>(), report.simulations);

    let network = Network::new(&whist(4, 0).info(), SHAPE, 4, 1).unwrap();
    let evaluator = NetEvaluator::new(&whist(2, 0), network.compile(Precision::Float)).unwrap();
    let mut search = IsMcts::new(&IsMctsOptions::default(), evaluator).unwrap();
    let game = whist(3, 2);
    let Turn::Player(seat) = game.turn() else { panic!("expected a decision") };
    let report = search.search(&View::new(&game, seat), &budget, 1).unwrap();
    assert!(report.simulations >= 200);
}
