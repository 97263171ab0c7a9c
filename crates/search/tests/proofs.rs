//! What is said to be proven is true, by an exact solver.

use meeple_game::{Action, ActionList, Game, Rng, Turn, View};
use meeple_games::small::{ConnectFour, Pig, TicTacToe};
use meeple_search::solve::Negamax;
use meeple_search::{
    Budget, Ended, Mcts, MctsOptions, Rollout, RootParallel, Search, SearchReport,
};

fn search<G: Game>(options: &MctsOptions, game: &G, iterations: u64, seed: u64) -> SearchReport {
    let Turn::Player(seat) = game.turn() else { panic!("nobody decides in {game}") };
    let mut search = Mcts::new(options, Rollout::default()).expect("good options");
    search.search(&View::new(game, seat), &Budget::iterations(iterations), seed).expect("it runs")
}

/// The same by four workers, each with a tree of its own.
fn search_in_parallel<G: Game>(game: &G, iterations: u64, seed: u64) -> SearchReport {
    let Turn::Player(seat) = game.turn() else { panic!("nobody decides in {game}") };
    let worker = |_| Mcts::new(&MctsOptions::default(), Rollout::default()).expect("good options");
    let mut search = RootParallel::new((0..4).map(worker).collect(), 1).expect("four workers");
    search.search(&View::new(game, seat), &Budget::iterations(iterations), seed).expect("it runs")
}

fn all_ways() -> [MctsOptions; 3] {
    let uct = MctsOptions::default();
    [uct, MctsOptions::puct(), MctsOptions { batch: 8, ..uct }]
}

#[test]
fn tic_tac_toe_is_proven_to_be_a_draw() {
    let game = TicTacToe::new(&Default::default());
    for (options, seed) in all_ways().iter().zip(1..) {
        let report = search(options, &game, 100_000, seed);
        assert_eq!((report.ended, report.values[0]), (Ended::Solved, 0.0), "{options:?}");
        assert!(report.iterations < 50_000, "{}", report.iterations);
    }
    let unproven = MctsOptions { solve: false, ..MctsOptions::default() };
    assert_eq!(search(&unproven, &game, 50_000, 1).ended, Ended::Iterations);
}

/// Plays `plies` at random; nothing if the game ends before.
fn random_position<G: Game>(plies: usize, rng: &mut Rng) -> Option<G> {
    let mut game = G::new(&G::Config::default());
    let mut scratch = ActionList::new();
    for _ in 0..plies {
        if game.turn() != Turn::Over {
            game.apply(game.sample_action(rng, &mut scratch));
        }
    }
    (game.turn() != Turn::Over).then_some(game)
}

/// Every action that is said to be proven has the value that the solver found.
fn check_solved<G: Game>(game: &G, values: &[(Action, f32)], report: &SearchReport) {
    let Turn::Player(seat) = game.turn() else { panic!("nobody decides in {game}") };
    for entry in report.actions.iter().filter(|entry| entry.solved) {
        let (_, expected) = (values.iter().find(|(action, _)| *action == entry.action))
            .expect("every action has a value");
        assert_eq!(entry.values[seat.index()], *expected, "{game}\n{report:?}");
    }
}

/// Of four workers one proves an action to be lost that the others do not.
#[test]
fn a_proof_of_one_worker_is_no_average() {
    let mut game = ConnectFour::new(&Default::default());
    for column in b"51452544631220255446120" {
        game.apply(Action(u16::from(column - b'0')));
    }
    let values = Negamax::new(5_000_000).actions(&game).expect("small enough");
    let report = search_in_parallel(&game, 5000, 7);
    check_solved(&game, &values, &report);
    assert!(report.actions[0].solved && report.ended == Ended::Iterations, "{report:?}");
}

/// Proofs of random positions hold, and the action played is worth as much;
/// how many were proven to be lost, drawn and won.
fn proofs_hold<G: Game>(plies: &[usize], positions: u64, iterations: u64) -> [u64; 3] {
    let mut solver = Negamax::new(5_000_000);
    let mut proven = [0; 3];
    for number in 0..positions {
        let plies = plies[number as usize % plies.len()];
        let Some(game) = random_position::<G>(plies, &mut Rng::new(number)) else { continue };
        let Turn::Player(seat) = game.turn() else { continue };
        let values = solver.actions(&game).expect("small enough");
        let best = values.iter().map(|&(_, value)| value).fold(f32::NEG_INFINITY, f32::max);
        let alone = all_ways().map(|options| search(&options, &game, iterations, number));
        let together = search_in_parallel(&game, iterations, number);
        for report in alone.into_iter().chain([together]) {
            let value_of = |action| {
                values.iter().find(|(other, _)| *other == action).expect("a legal action").1
            };
            check_solved(&game, &values, &report);
            if report.ended == Ended::Solved {
                assert_eq!(report.values[seat.index()], best, "{game}\n{report:?}");
                assert_eq!(value_of(report.best), best, "{game}\n{report:?}");
                proven[(best + 1.0) as usize] += 1;
            }
        }
    }
    proven
}

#[test]
fn proofs_agree_with_the_exact_solver() {
    let [lost, drawn, won] = proofs_hold::<TicTacToe>(&[1, 2, 3, 4, 5, 6], 300, 20_000);
    assert!(lost > 20 && drawn > 100 && won > 100, "{lost} {drawn} {won}");
    let [lost, drawn, won] = proofs_hold::<ConnectFour>(&[30, 34, 38], 1500, 5000);
    assert!(lost > 20 && drawn > 10 && won > 100, "{lost} {drawn} {won}");
}

/// What was proven is still so after a move, and needs no search.
#[test]
fn proofs_are_kept_between_moves() {
    let mut game = TicTacToe::new(&Default::default());
    let mut search = Mcts::new(&MctsOptions::default(), Rollout::default()).unwrap();
    let budget = Budget::iterations(100_000);
    let mut spent = Vec::new();
    while let Turn::Player(seat) = game.turn() {
        let report = search.search(&View::new(&game, seat), &budget, 3).unwrap();
        assert!(matches!(report.ended, Ended::Solved | Ended::Forced), "{report:?}");
        spent.push(report.iterations);
        game.apply(report.best);
        search.advance(&[report.best]);
    }
    assert_eq!(game.payoffs()[0], 0.0);
    assert!(spent[1..].iter().sum::<u64>() < spent[0], "{spent:?}");
}

/// Luck proves nothing but what every outcome agrees on.
#[test]
fn luck_is_not_taken_for_proof() {
    let mut game = Pig::new(&Default::default());
    game.apply(meeple_game::Action(3));
    assert_eq!(search(&MctsOptions::default(), &game, 5000, 1).ended, Ended::Iterations);
}
