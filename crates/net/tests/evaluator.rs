//! Networks in searches: the right seats, the right games, the same answers.

use meeple_game::{Game, Payoffs, Player, Rng, Seats, Turn, View};
use meeple_games::small::{ConnectFour, KnockoutWhist, TicTacToe, knockout_whist};
use meeple_net::{NetError, NetEvaluator, Network, Precision, Shape};
use meeple_search::{
    Budget, Cached, Evaluator, IsMcts, IsMctsOptions, Mcts, MctsOptions, Search, SearchError,
};

const SHAPE: Shape = Shape { width: 64, blocks: 1, neck: 32, value: 32 };

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
fn values_are_those_of_the_seats_and_logits_of_the_mover() {
    let network = Network::new::<KnockoutWhist>(SHAPE, 4, 1).unwrap();
    let mut evaluator =
        NetEvaluator::<KnockoutWhist>::new(network.compile(Precision::Float)).unwrap();
    for (players, moves) in [(4, 0), (4, 1), (4, 2), (3, 1), (2, 1)] {
        let state = whist(players, moves);
        let Turn::Player(mover) = state.turn() else { panic!("somebody decides") };
        let mut observation = vec![0; KnockoutWhist::observation().len()];
        state.observe(mover, &mut observation);
        let (mut said, mut expected) = ([0.0; 4], [0.0; 52]);
        network.predict(&observation, &mut said, &mut expected);
        let (mut values, mut logits) = ([Payoffs::default()], [0.0; 52]);
        evaluator.evaluate(&[state], &mut Rng::new(0), &mut values, &mut logits);
        for (place, &value) in said.iter().take(players).enumerate() {
            let seat = (mover.index() + place) % players;
            assert_eq!(values[0][seat], value, "{players} players after {moves}");
        }
        assert!(values[0][players..].iter().all(|&value| value == 0.0));
        assert_eq!(logits, expected);
    }
}

#[test]
fn networks_for_something_else_are_refused() {
    let network = Network::new::<TicTacToe>(SHAPE, 2, 1).unwrap();
    let refused = NetEvaluator::<ConnectFour>::new(network.compile(Precision::Float)).unwrap_err();
    assert!(matches!(refused, NetError::Mismatch { what: "game", .. }), "{refused}");
    let network = Network::new::<KnockoutWhist>(SHAPE, 2, 1).unwrap();
    let evaluator = NetEvaluator::new(network.compile(Precision::Float)).unwrap();
    let refused = Evaluator::check(&evaluator, &whist(4, 0)).unwrap_err();
    assert!(matches!(refused, SearchError::WrongLength { expected: 4, got: 2, .. }));
    assert_eq!(Evaluator::check(&evaluator, &whist(2, 0)), Ok(()));
}

#[test]
fn searches_ask_networks() {
    let network = Network::new::<ConnectFour>(SHAPE, 2, 1).unwrap();
    let game = ConnectFour::new(&Default::default());
    let view = View::new(&game, Player(0));
    let budget = Budget::simulations(200);
    let evaluator = || NetEvaluator::<ConnectFour>::new(network.compile(Precision::Byte)).unwrap();
    let mut plain = Mcts::new(&MctsOptions::puct(), evaluator()).unwrap();
    let cached = Cached::new(evaluator(), 1 << 12).unwrap();
    let mut cached = Mcts::new(&MctsOptions::puct(), cached).unwrap();
    let report = plain.search(&view, &budget, 1).unwrap();
    let again = cached.search(&view, &budget, 1).unwrap();
    assert_eq!(report.actions, again.actions);
    assert_eq!(report.actions.iter().map(|entry| entry.visits).sum::<u64>(), report.simulations);

    let network = Network::new::<KnockoutWhist>(SHAPE, 4, 1).unwrap();
    let evaluator = NetEvaluator::new(network.compile(Precision::Float)).unwrap();
    let mut search = IsMcts::new(&IsMctsOptions::default(), evaluator).unwrap();
    let game = whist(3, 2);
    let Turn::Player(seat) = game.turn() else { panic!("somebody decides") };
    let report = search.search(&View::new(&game, seat), &budget, 1).unwrap();
    assert!(report.simulations >= 200);
}
