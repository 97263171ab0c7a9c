//! Searches find known solutions.

use meeple_game::{Action, ActionList, Game, OutcomeList, Player, Rng, Turn, View};
use meeple_games::small::{ConnectFour, Kuhn, Leduc, Pig, TicTacToe, pig};
use meeple_search::solve::{Cfr, Negamax};
use meeple_search::{
    Budget, FirstPlay, GraphMcts, GraphOptions, GumbelOptions, Heuristic, IsMcts, IsMctsOptions,
    Mcts, MctsOptions, Observer, OneStepLookahead, ProgressiveWidening, Rollout, RootPolicy,
    Search, SearchReport, Selection, StopReason,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

fn mover<G: Game>(game: &G) -> Player {
    match game.turn() {
        Turn::Player(player) => player,
        turn => panic!("{turn:?} in {game}"),
    }
}

fn run<G: Game>(search: &mut dyn Search<G>, game: &G, simulations: u64) -> SearchReport {
    let view = View::new(game, mover(game));
    search.search(&view, &Budget::simulations(simulations), 7).expect("a search that may run")
}

fn uct() -> MctsOptions {
    MctsOptions::default()
}

fn gumbel() -> MctsOptions {
    MctsOptions { root: RootPolicy::Gumbel(GumbelOptions::default()), ..MctsOptions::puct() }
}

#[test]
fn tic_tac_toe_is_a_draw_between_searches() {
    let start = TicTacToe::new(&Default::default());
    for options in [uct(), MctsOptions::puct(), gumbel()] {
        let mut search = Mcts::new(&options, Rollout::default()).unwrap();
        let report = run(&mut search, &start, 50_000);
        assert!(report.values[0].abs() < 0.1, "{:?}", report.values);
        let mut game = start;
        while game.turn() != Turn::Over {
            let best = run(&mut search, &game, 3000).best;
            search.advance(&[best]);
            game.apply(best);
        }
        assert_eq!(game.payoffs()[0], 0.0, "{game}");
    }
}

#[test]
fn wins_and_losses_are_proven() {
    // Two in a row and to move: a win. Two threats and not to move: a loss.
    let start = TicTacToe::new(&Default::default());
    for (actions, value) in [(&[0, 3, 1, 4][..], 1.0), (&[0, 1, 4, 8, 3], -1.0)] {
        let game = after(start, actions);
        let report = run(&mut Mcts::new(&uct(), Rollout::default()).unwrap(), &game, 10_000);
        assert_eq!(report.stop_reason, StopReason::Solved);
        assert_eq!(report.values[mover(&game).index()], value, "{game}");
        assert!(report.simulations < 1000);
    }
}

#[test]
fn connect_four_opens_in_the_middle() {
    let game = ConnectFour::new(&Default::default());
    let ordered =
        MctsOptions { widening: Some(ProgressiveWidening::default()), ..MctsOptions::puct() };
    let searches: Vec<Box<dyn Search<ConnectFour>>> = vec![
        Box::new(Mcts::new(&uct(), Rollout::default()).unwrap()),
        Box::new(Mcts::new(&MctsOptions::puct(), Rollout::default()).unwrap()),
        Box::new(Mcts::new(&gumbel(), Rollout::default()).unwrap()),
        Box::new(Mcts::new(&MctsOptions { batch: 8, ..uct() }, Rollout::default()).unwrap()),
        Box::new(
            Mcts::with_ordering(
                &ordered,
                Rollout::default(),
                Some(Arc::new(OneStepLookahead::default())),
            )
            .unwrap(),
        ),
        Box::new(GraphMcts::new(&GraphOptions::default(), Rollout::default(), None).unwrap()),
    ];
    for (number, mut search) in searches.into_iter().enumerate() {
        let report = run(&mut *search, &game, 20_000);
        assert_eq!(report.best, Action(3), "search {number}: {report:?}");
        assert!(report.values[0] > 0.0, "the first player wins");
    }
}

/// Late connect four positions in which actions have different values.
fn positions(count: usize, plies: usize) -> Vec<ConnectFour> {
    let (mut rng, mut scratch) = (Rng::new(5), ActionList::new());
    let mut found = Vec::new();
    let mut solver = Negamax::new(2_000_000);
    while found.len() < count {
        let mut game = ConnectFour::new(&Default::default());
        for _ in 0..plies {
            if game.turn() != Turn::Over {
                game.apply(game.sample_action(&mut rng, &mut scratch));
            }
        }
        if game.turn() == Turn::Over {
            continue;
        }
        let values = solver.actions(&game).expect("small enough");
        if values.iter().any(|value| value.1 != values[0].1) {
            found.push(game);
        }
    }
    found
}

/// The number of `positions` in which a search plays an optimal action.
fn solved_count<E: meeple_search::Evaluator<ConnectFour>>(
    positions: &[ConnectFour],
    simulations: u64,
    mut search: Mcts<ConnectFour, E>,
) -> usize {
    let mut solver = Negamax::new(2_000_000);
    let is_right = |game: &&ConnectFour| {
        let report = run(&mut search, *game, simulations);
        let values = solver.actions(*game).expect("small enough");
        let best = values.iter().map(|value| value.1).fold(f32::NEG_INFINITY, f32::max);
        values.iter().any(|&(action, value)| action == report.best && value == best)
    };
    positions.iter().filter(is_right).count()
}

#[test]
fn more_simulations_agree_better_with_the_solver() {
    let positions = positions(60, 26);
    for options in [uct(), MctsOptions::puct(), gumbel()] {
        let count = |simulations| {
            solved_count(&positions, simulations, Mcts::new(&options, Rollout::default()).unwrap())
        };
        let (few, many) = (count(30), count(10_000));
        assert!(few <= many, "{few} of 60, then {many}, with {options:?}");
        assert!(many >= 59, "{many} of 60 with {options:?}");
    }
    let heuristic = Mcts::new(&MctsOptions::puct(), Heuristic).unwrap();
    assert!(solved_count(&positions, 10_000, heuristic) >= 59);
}

/// The probability that the first player wins, for every state of two-player Pig, by value
/// iteration.
fn pig_values(start: &Pig) -> FxHashMap<u64, f64> {
    let mut states = vec![*start];
    let mut known: FxHashMap<u64, f64> = [(start.key(), 0.5)].into_iter().collect();
    let mut next = 0;
    while next < states.len() {
        let state = states[next];
        next += 1;
        for action in meeple_game::choices(&state) {
            let mut after = state;
            after.apply(action);
            if known.insert(after.key(), 0.5).is_none() {
                states.push(after);
            }
        }
    }
    loop {
        let mut change = 0.0f64;
        for state in states.iter().rev() {
            let value = |action| {
                let mut after = *state;
                after.apply(action);
                known[&after.key()]
            };
            let mut outcomes = OutcomeList::new();
            state.chance_outcomes(&mut outcomes);
            let values = meeple_game::choices(state).into_iter().map(value);
            let new = match state.turn() {
                Turn::Over => f64::from(state.payoffs()[0] + 1.0) / 2.0,
                Turn::Chance => values.sum::<f64>() / outcomes.len() as f64,
                Turn::Player(Player(0)) => values.fold(0.0, f64::max),
                Turn::Player(_) => values.fold(1.0, f64::min),
            };
            change = change.max((new - known[&state.key()]).abs());
            known.insert(state.key(), new);
        }
        if change < 1e-9 {
            return known;
        }
    }
}

#[test]
fn pig_is_played_and_valued_well() {
    let options = pig::Options { goal: 20.try_into().unwrap(), ..Default::default() };
    let mut game = Pig::new(&options);
    let exact = pig_values(&game);
    game.apply(Action(3));
    let chance = exact[&game.key()];
    for searched in [
        run(&mut Mcts::new(&uct(), Rollout::default()).unwrap(), &game, 200_000),
        run(
            &mut GraphMcts::new(&GraphOptions::default(), Rollout::default(), None).unwrap(),
            &game,
            100_000,
        ),
    ] {
        let found = f64::from(searched.values[0] + 1.0) / 2.0;
        assert!((found - chance).abs() < 0.04, "{found} instead of {chance}");
        let mut best = game;
        best.apply(searched.best);
        assert!((exact[&best.key()] - chance).abs() < 1e-6, "a mistake: {searched:?}");
    }
}

/// Each of three players maximizes the own component of the value vector.
#[test]
fn three_players_maximize_their_own_value() {
    let options = pig::Options { players: 3.try_into().unwrap(), goal: 10.try_into().unwrap() };
    let mut game = Pig::new(&options);
    // Rolling 6 and then 4 makes ten, which wins when held.
    for action in [6, 1, 4] {
        game.apply(Action(action));
    }
    let report = run(&mut Mcts::new(&uct(), Rollout::default()).unwrap(), &game, 500);
    assert_eq!(game.action_name(report.best), "hold");
    let hold = report.best_entry().unwrap();
    assert_eq!(hold.values[..3], [1.0, -0.5, -0.5]);
}

fn after<G: Game + Copy>(mut game: G, actions: &[u16]) -> G {
    actions.iter().for_each(|&action| game.apply(Action(action)));
    game
}

#[test]
fn kuhn_avoids_dominated_actions() {
    let start = Kuhn::new(&Default::default());
    // Cards and actions, and a dominated action: folding the king or calling with the jack.
    let cases: [(&[u16], u16); 3] = [(&[0, 2, 1], 0), (&[2, 0, 1], 1), (&[2, 0, 0, 1], 0)];
    for (actions, dominated) in cases {
        let game = after(start, actions);
        let options = IsMctsOptions { observer: Observer::Multiple, ..Default::default() };
        let report = run(&mut IsMcts::new(&options, Rollout::default()).unwrap(), &game, 30_000);
        assert_ne!(report.best, Action(dominated), "{game}: {report:?}");
        let mut cfr = Cfr::new(&start, 1000).unwrap();
        cfr.run(500);
        let seat = mover(&game);
        let plan = cfr.strategy(seat, game.info_key(seat)).unwrap();
        assert!(plan[usize::from(dominated)].1 < 0.01, "{plan:?}");
    }
}

#[test]
fn leduc_raises_a_pair_and_never_folds_it() {
    // King against jack, checked through, and a king on the board.
    let game = after(Leduc::new(&Default::default()), &[2, 0, 1, 1, 2, 1, 2]);
    let facing = after(Leduc::new(&Default::default()), &[0, 2, 1, 1, 2, 2]);
    for (observer, simulations_per_determinization) in
        [(Observer::Single, 1), (Observer::Multiple, 1), (Observer::Single, 8)]
    {
        let options =
            IsMctsOptions { observer, simulations_per_determinization, ..Default::default() };
        let mut search = IsMcts::new(&options, Rollout::default()).unwrap();
        for game in [game, facing] {
            let report = run(&mut search, &game, 20_000);
            assert_ne!(report.best, Action(0), "folded the best hand: {game}");
            assert!(report.values[mover(&game).index()] > 0.0);
        }
    }
}

#[test]
fn finite_fpu_and_progressive_bias_find_the_win() {
    // Three in a row, open on the right: e wins at once.
    let game = after(ConnectFour::new(&Default::default()), &[1, 1, 2, 2, 3, 3]);
    for options in [
        MctsOptions { first_play: FirstPlay::Value(0.0), ..uct() },
        MctsOptions { selection: Selection::Uct { exploration: 0.5, bias: 2.0 }, ..uct() },
    ] {
        let ordering = Arc::new(OneStepLookahead::default());
        let mut search = Mcts::with_ordering(&options, Rollout::default(), Some(ordering)).unwrap();
        let report = run(&mut search, &game, 200);
        assert!([Action(4), Action(0)].contains(&report.best));
        assert_eq!((report.stop_reason, report.values[0]), (StopReason::Solved, 1.0));
    }
}
