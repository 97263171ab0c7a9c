//! MCTS-Solver: proven values agree with an exact solver.

use meeple_game::{Action, ActionList, Game, Rng, Turn, View};
use meeple_games::small::{ConnectFour, Pig, TicTacToe};
use meeple_search::solve::Negamax;
use meeple_search::{
    Budget, Mcts, MctsOptions, Rollout, RootParallel, Search, SearchReport, StopReason,
};

fn search<G: Game>(options: &MctsOptions, game: &G, simulations: u64, seed: u64) -> SearchReport {
    let Turn::Player(seat) = game.turn() else { panic!("no player is to move in {game}") };
    let mut search = Mcts::new(options, Rollout::default()).expect("good options");
    search.search(&View::new(game, seat), &Budget::simulations(simulations), seed).expect("it runs")
}

/// Root parallelization with four workers.
fn search_in_parallel<G: Game>(game: &G, simulations: u64, seed: u64) -> SearchReport {
    let Turn::Player(seat) = game.turn() else { panic!("no player is to move in {game}") };
    let worker = |_| Mcts::new(&MctsOptions::default(), Rollout::default()).expect("good options");
    let mut search = RootParallel::new((0..4).map(worker).collect(), 1).expect("four workers");
    search.search(&View::new(game, seat), &Budget::simulations(simulations), seed).expect("it runs")
}

fn option_variants() -> [MctsOptions; 3] {
    let uct = MctsOptions::default();
    [uct, MctsOptions::puct(), MctsOptions { batch: 8, ..uct }]
}

#[test]
fn tic_tac_toe_is_proven_to_be_a_draw() {
    let game = TicTacToe::new(&Default::default());
    for (options, seed) in option_variants().iter().zip(1..) {
        let report = search(options, &game, 100_000, seed);
        assert_eq!(
            (report.stop_reason, report.values[0]),
            (StopReason::Solved, 0.0),
            "{options:?}"
        );
        assert!(report.simulations < 50_000, "{}", report.simulations);
    }
    let unproven = MctsOptions { solve: false, ..MctsOptions::default() };
    assert_eq!(search(&unproven, &game, 50_000, 1).stop_reason, StopReason::Simulations);
}

/// A position after `plies` random actions; `None` if the game ends before.
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

/// Every action reported as proven has its exact value.
fn check_solved<G: Game>(game: &G, values: &[(Action, f32)], report: &SearchReport) {
    let Turn::Player(seat) = game.turn() else { panic!("no player is to move in {game}") };
    for entry in report.actions.iter().filter(|entry| entry.solved) {
        let (_, expected) = (values.iter().find(|(action, _)| *action == entry.action))
            .expect("every action has a value");
        assert_eq!(entry.values[seat.index()], *expected, "{game}\n{report:?}");
    }
}

/// One of four workers proves an action lost, the others do not.
#[test]
fn a_proof_of_one_worker_is_not_averaged() {
    let mut game = ConnectFour::new(&Default::default());
    for column in b"51452544631220255446120" {
        game.apply(Action(u16::from(column - b'0')));
    }
    let values = Negamax::new(5_000_000).actions(&game).expect("small enough");
    let report = search_in_parallel(&game, 5000, 7);
    check_solved(&game, &values, &report);
    assert!(
        report.actions[0].solved && report.stop_reason == StopReason::Simulations,
        "{report:?}"
    );
}

/// Checks proofs in random positions and that the best action is optimal; returns how many
/// positions were proven lost, drawn and won.
fn check_proofs<G: Game>(plies: &[usize], positions: u64, simulations: u64) -> [u64; 3] {
    let mut solver = Negamax::new(5_000_000);
    let mut proven = [0; 3];
    for number in 0..positions {
        let plies = plies[number as usize % plies.len()];
        let Some(game) = random_position::<G>(plies, &mut Rng::new(number)) else { continue };
        let Turn::Player(seat) = game.turn() else { continue };
        let values = solver.actions(&game).expect("small enough");
        let best = values.iter().map(|&(_, value)| value).fold(f32::NEG_INFINITY, f32::max);
        let alone = option_variants().map(|options| search(&options, &game, simulations, number));
        let together = search_in_parallel(&game, simulations, number);
        for report in alone.into_iter().chain([together]) {
            let value_of = |action| {
                values.iter().find(|(other, _)| *other == action).expect("a legal action").1
            };
            check_solved(&game, &values, &report);
            if report.stop_reason == StopReason::Solved {
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
    let [lost, drawn, won] = check_proofs::<TicTacToe>(&[1, 2, 3, 4, 5, 6], 300, 20_000);
    assert!(lost > 20 && drawn > 100 && won > 100, "{lost} {drawn} {won}");
    let [lost, drawn, won] = check_proofs::<ConnectFour>(&[30, 34, 38], 1500, 5000);
    assert!(lost > 20 && drawn > 10 && won > 100, "{lost} {drawn} {won}");
}

/// A proven value holds after a move without another search.
#[test]
fn proofs_are_reused_between_moves() {
    let mut game = TicTacToe::new(&Default::default());
    let mut search = Mcts::new(&MctsOptions::default(), Rollout::default()).unwrap();
    let budget = Budget::simulations(100_000);
    let mut spent = Vec::new();
    while let Turn::Player(seat) = game.turn() {
        let report = search.search(&View::new(&game, seat), &budget, 3).unwrap();
        assert!(
            matches!(report.stop_reason, StopReason::Solved | StopReason::Forced),
            "{report:?}"
        );
        spent.push(report.simulations);
        game.apply(report.best);
        search.advance(&[report.best]);
    }
    assert_eq!(game.payoffs()[0], 0.0);
    assert!(spent[1..].iter().sum::<u64>() < spent[0], "{spent:?}");
}

/// A chance node is only proven if all outcomes have the same value.
#[test]
fn chance_nodes_are_not_proven_by_one_outcome() {
    let mut game = Pig::new(&Default::default());
    game.apply(meeple_game::Action(3));
    assert_eq!(
        search(&MctsOptions::default(), &game, 5000, 1).stop_reason,
        StopReason::Simulations
    );
}
