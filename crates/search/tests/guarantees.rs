//! Guarantees of all searches: reproducibility for a seed on any number of threads, limits,
//! tree reuse and an unchanged root.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use meeple_game::{Action, ActionList, Game, Payoffs, Player, Rng, Turn, View, heuristic};
use meeple_games::small::{ConnectFour, KnockoutWhist, Pig, TicTacToe, pig};
use meeple_search::{
    Budget, Cached, Control, Ensemble, EnsembleOptions, Evaluator, GraphMcts, GraphOptions,
    GumbelOptions, Heuristic, IsMcts, IsMctsOptions, Mcts, MctsOptions, OneStepLookahead, Rollout,
    RootNoise, RootParallel, RootPolicy, Search, SearchProgress, SearchReport, StopFlag,
    StopReason,
};

fn connect_four() -> ConnectFour {
    ConnectFour::new(&Default::default())
}

fn whist() -> (KnockoutWhist, Player) {
    let mut game = KnockoutWhist::new(&Default::default());
    let mut rng = Rng::new(4);
    loop {
        match game.turn() {
            Turn::Player(player) => return (game, player),
            _ => game.apply(game.sample_chance(&mut rng)),
        }
    }
}

fn report<G: Game>(search: &mut dyn Search<G>, game: &G, simulations: u64) -> SearchReport {
    let Turn::Player(seat) = game.turn() else { panic!("no player is to move in {game}") };
    let before = *game;
    let budget = Budget::simulations(simulations);
    let report = search.search(&View::new(game, seat), &budget, 11).expect("it may run");
    assert_eq!(*game, before, "searching never changes the root");
    report.without_clock()
}

fn mcts(options: MctsOptions) -> Mcts<ConnectFour, Rollout> {
    Mcts::new(&options, Rollout::default()).expect("good options")
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let game = connect_four();
    let noise = Some(RootNoise::default());
    let gumbel = RootPolicy::Gumbel(GumbelOptions::default());
    let all = [
        MctsOptions::default(),
        MctsOptions::puct(),
        MctsOptions { noise, ..MctsOptions::puct() },
        MctsOptions { root: gumbel, ..MctsOptions::puct() },
        MctsOptions { batch: 16, ..MctsOptions::puct() },
    ];
    for options in all {
        let one = report(&mut mcts(options), &game, 1000);
        let mut used = mcts(options);
        report(&mut used, &game, 300);
        used.advance(&[Action(0), Action(0), Action(0), Action(0), Action(0), Action(0)]);
        assert_eq!(report(&mut used, &game, 1000), one, "earlier searches have no effect");
        assert_eq!(one.simulations, 1000);
        assert_eq!(one.actions.iter().map(|entry| entry.visits).sum::<u64>(), 1000);
    }
    let (game, _) = whist();
    let search = || IsMcts::new(&IsMctsOptions::default(), Rollout::default()).unwrap();
    assert_eq!(report(&mut search(), &game, 1000), report(&mut search(), &game, 1000));
}

/// The survivors of sequential halving have equal visits, so merging must rank them by
/// policy.
#[test]
fn merging_one_report_changes_nothing() {
    let options =
        MctsOptions { root: RootPolicy::Gumbel(GumbelOptions::default()), ..MctsOptions::puct() };
    let policy = |report: &SearchReport| -> Vec<f32> {
        report.actions.iter().map(|entry| entry.policy).collect()
    };
    let mut rng = Rng::new(5);
    let mut tied = 0;
    for _ in 0..20 {
        let mut game = connect_four();
        (0..6).for_each(|_| _ = game.apply_sampled(&mut rng, &mut ActionList::new()));
        let view = View::new(&game, Player(0));
        let budget = Budget::simulations(64);
        let seed_of_first = Rng::new(1).split(0).bits();
        let alone = mcts(options).search(&view, &budget, seed_of_first).unwrap();
        let most = alone.actions.iter().map(|entry| entry.visits).max();
        tied += usize::from(
            alone.actions.iter().filter(|entry| Some(entry.visits) == most).count() > 1,
        );

        let workers = RootParallel::new(vec![mcts(options)], 1).unwrap();
        let search = EnsembleOptions { determinizations: 1, search: options, ..Default::default() };
        let ensemble = Ensemble::new(&search, Rollout::default()).unwrap();
        let merging: [Box<dyn Search<ConnectFour>>; 2] = [Box::new(workers), Box::new(ensemble)];
        for mut search in merging {
            let merged = search.search(&view, &budget, 1).unwrap();
            assert_eq!(merged.best, alone.best);
            assert_eq!(policy(&merged), policy(&alone));
        }
    }
    assert!(tied > 10, "ties are common");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let game = connect_four();
    let on_threads = |threads| {
        let workers = (0..4).map(|_| mcts(MctsOptions::default())).collect();
        report(&mut RootParallel::new(workers, threads).unwrap(), &game, 4001)
    };
    let one = on_threads(1);
    assert_eq!(one.simulations, 4001);
    assert_eq!(one, on_threads(2));
    assert_eq!(one, on_threads(4));

    let (game, _) = whist();
    let on_threads = |threads| {
        let worker = |_| IsMcts::new(&IsMctsOptions::default(), Rollout::default()).unwrap();
        let workers = (0..4).map(worker).collect();
        report(&mut RootParallel::new(workers, threads).unwrap(), &game, 4000)
    };
    let one = on_threads(1);
    assert_eq!(one, on_threads(2));
    assert_eq!(one, on_threads(4));
}

#[test]
fn a_full_tree_is_still_searched() {
    let game = connect_four();
    let memory = 1 << 16;
    let capped = report(&mut mcts(MctsOptions { memory, ..Default::default() }), &game, 20_000);
    assert!(capped.bytes <= memory as u64, "{} bytes", capped.bytes);
    assert_eq!((capped.simulations, capped.best), (20_000, Action(3)));

    let (game, _) = whist();
    let options = IsMctsOptions { memory, ..Default::default() };
    let mut search = IsMcts::new(&options, Rollout::default()).unwrap();
    let capped = report(&mut search, &game, 20_000);
    assert!(capped.bytes <= memory as u64, "{} bytes, with the table", capped.bytes);
    assert_eq!(capped.simulations, 20_000);

    let game = connect_four();
    let options = GraphOptions { capacity: 500, ..Default::default() };
    let mut search = GraphMcts::new(&options, Rollout::default(), None).unwrap();
    let capped = report(&mut search, &game, 20_000);
    assert_eq!((capped.nodes, capped.simulations), (500, 20_000));
    let search = MctsOptions { memory, ..Default::default() };
    let options = GraphOptions { search, ..Default::default() };
    let mut search = GraphMcts::new(&options, Rollout::default(), None).unwrap();
    let capped = report(&mut search, &game, 20_000);
    assert!(capped.bytes <= memory as u64, "{} bytes", capped.bytes);
    assert!(capped.nodes > 100 && capped.simulations == 20_000, "{} nodes", capped.nodes);
    // Half of the capacity is reserved for what is found after the next move.
    search.advance(&[]);
    let kept = report(&mut search, &game, 1).bytes;
    assert!(kept <= memory as u64 * 3 / 5, "{kept} bytes are kept");
}

#[test]
fn budgets_stop_a_search() {
    let game = connect_four();
    let view = View::new(&game, Player(0));
    let mut search = mcts(MctsOptions::default());
    let nodes = Budget { nodes: Some(300), ..Budget::default() };
    let report = search.search(&view, &nodes, 1).unwrap();
    assert_eq!(report.stop_reason, StopReason::Nodes);
    assert!((300..=310).contains(&report.nodes), "{}", report.nodes);
    let time = Budget::time(Duration::from_millis(20));
    let report = mcts(MctsOptions::default()).search(&view, &time, 1).unwrap();
    assert_eq!(report.stop_reason, StopReason::Time);
    assert!(report.simulations > 0 && report.simulations_per_second > 0.0);
}

#[test]
fn a_stopped_search_has_an_answer() {
    let game = connect_four();
    let view = View::new(&game, Player(0));
    let stop = StopFlag::default();
    let switch = stop.clone();
    let mut seen = 0u64;
    let mut watch = |report: &SearchReport| {
        assert!(report.simulations > seen, "progress reports advance");
        assert_eq!(report.stop_reason, StopReason::Running);
        seen = report.simulations;
        if seen >= 3000 {
            switch.stop();
        }
    };
    let progress = Some(SearchProgress { every: 1000, report: &mut watch });
    let mut control = Control { stop, progress };
    let budget = Budget::simulations(u64::MAX);
    let report = mcts(MctsOptions::default()).search_with(&view, &budget, 1, &mut control).unwrap();
    assert_eq!(report.stop_reason, StopReason::Stopped);
    assert!((3000..4000).contains(&report.simulations));
    assert_eq!(report.best, Action(3));
    // With the flag already set there is no time to search, and still an answer.
    let mut control = Control { stop: control.stop.clone(), progress: None };
    let workers = (0..2).map(|_| mcts(MctsOptions::default())).collect();
    let mut parallel = RootParallel::new(workers, 2).unwrap();
    let report = parallel.search_with(&view, &budget, 1, &mut control).unwrap();
    assert_eq!((report.stop_reason, report.simulations), (StopReason::Stopped, 0));
}

#[test]
fn trees_are_reused() {
    let mut game = connect_four();
    let mut search = mcts(MctsOptions::default());
    report(&mut search, &game, 5000);
    search.advance(&[Action(3), Action(3)]);
    game.apply(Action(3));
    game.apply(Action(3));
    let again = report(&mut search, &game, 1000);
    let visits: u64 = again.actions.iter().map(|entry| entry.visits).sum();
    assert!(visits > 1200, "{visits}");
    // The path includes the chance outcome.
    let mut game = Pig::new(&Default::default());
    game.apply(Action(5));
    let mut search = Mcts::new(&MctsOptions::default(), Rollout::default()).unwrap();
    report(&mut search, &game, 2000);
    search.advance(&[Action(1), Action(4)]);
    game.apply(Action(1));
    game.apply(Action(4));
    let again = report(&mut search, &game, 100);
    assert!(again.actions.iter().map(|entry| entry.visits).sum::<u64>() > 150);
    // The graph keeps what is still reachable.
    let mut game = connect_four();
    let mut search = GraphMcts::new(&GraphOptions::default(), Rollout::default(), None).unwrap();
    report(&mut search, &game, 5000);
    search.advance(&[Action(3), Action(3)]);
    game.apply(Action(3));
    game.apply(Action(3));
    let again = report(&mut search, &game, 100);
    assert!(again.nodes > 200 && again.table.unwrap().evicted > 0);
}

#[test]
fn forced_moves_need_no_search() {
    let mut game = TicTacToe::new(&Default::default());
    // Eight squares are taken without a win.
    for action in [4, 0, 1, 7, 6, 2, 5, 3] {
        game.apply(Action(action));
    }
    let mut search = Mcts::new(&MctsOptions::default(), Rollout::default()).unwrap();
    let found = report(&mut search, &game, 1000);
    assert_eq!(
        (found.best, found.stop_reason, found.simulations),
        (Action(8), StopReason::Forced, 0)
    );
}

#[test]
fn reports_survive_serialization() {
    let found = report(&mut mcts(MctsOptions::default()), &connect_four(), 500);
    let written = serde_json::to_string(&found).unwrap();
    let read: SearchReport = serde_json::from_str(&written).unwrap();
    assert_eq!(read, found);
    assert_eq!(found.actions.len(), 7);
    assert!(found.variations[0].len() > 1 && found.variations[0][0] == found.best);
    assert!(found.depth > 2 && found.mean_depth > 1.0);
}

/// Leaves are evaluated in batches of the configured size.
#[test]
fn information_sets_are_evaluated_in_batches() {
    /// Evaluates everything to 0 and records the largest batch.
    struct Even<'a>(&'a AtomicUsize);

    impl<G: Game> Evaluator<G> for Even<'_> {
        fn evaluate(&mut self, states: &[G], _: &mut Rng, values: &mut [Payoffs], _: &mut [f32]) {
            self.0.fetch_max(states.len(), Ordering::Relaxed);
            values.fill(Payoffs::default());
        }
    }

    let (game, seat) = whist();
    for batch in [1, 8] {
        let most = AtomicUsize::new(0);
        let search = || {
            let options = IsMctsOptions { batch, ..Default::default() };
            let mut search = IsMcts::new(&options, Even(&most)).unwrap();
            search.search(&View::new(&game, seat), &Budget::simulations(100), 1).unwrap()
        };
        let report = search();
        assert_eq!((report.simulations, most.load(Ordering::Relaxed)), (100, batch));
        assert_eq!(report.actions.iter().map(|entry| entry.visits).sum::<u64>(), 100);
        assert_eq!(report.actions, search().actions);
    }
}

#[test]
fn batches_with_priors_are_searched() {
    #[derive(Clone)]
    struct ColumnNet;
    impl meeple_search::Evaluator<ConnectFour> for ColumnNet {
        fn has_policy(&self) -> bool {
            true
        }

        fn evaluate(
            &mut self,
            states: &[ConnectFour],
            _: &mut Rng,
            values: &mut [meeple_game::Payoffs],
            logits: &mut [f32],
        ) {
            assert_eq!((values.len(), logits.len()), (states.len(), 7 * states.len()));
            for (at, state) in states.iter().enumerate() {
                values[at] = heuristic(state).unwrap();
                for column in 0..7 {
                    logits[7 * at + column] = -(column as f32 - 3.0).abs();
                }
            }
        }
    }
    let game = connect_four();
    for batch in [1, 8] {
        let options = MctsOptions { batch, ..MctsOptions::puct() };
        let plain = report(&mut Mcts::new(&options, ColumnNet).unwrap(), &game, 2000);
        assert_eq!((plain.best, plain.simulations), (Action(3), 2000));
        assert!(plain.actions[3].prior > plain.actions[0].prior);
        let cached = Cached::new(ColumnNet, 1 << 12).unwrap();
        let with_cache = report(&mut Mcts::new(&options, cached).unwrap(), &game, 2000);
        let used = with_cache.cache.unwrap();
        assert!(used.hits > 100, "{used:?}");
        assert_eq!(with_cache.actions, plain.actions, "a cache changes nothing but the time");
    }
}

#[test]
fn six_players_with_a_move_ordering_are_searched() {
    let options = pig::Options { players: 6.try_into().unwrap(), ..Default::default() };
    let mut game = Pig::new(&options);
    game.apply(Action(6));
    let ordering = Arc::new(OneStepLookahead::default());
    let mut search =
        Mcts::with_ordering(&MctsOptions::puct(), Rollout::default(), Some(ordering)).unwrap();
    let found = report(&mut search, &game, 2000);
    let sum: f32 = found.values.iter().sum();
    assert!(sum.abs() < 1e-3, "{:?}", found.values);
}

#[test]
fn whole_games_are_searched() {
    // Games against random play, each decision by a search: nothing panics.
    let mut rng = Rng::new(8);
    let mut scratch = ActionList::new();
    let mut game = KnockoutWhist::new(&Default::default());
    let mut search = IsMcts::new(&IsMctsOptions::default(), Rollout::default()).unwrap();
    while game.turn() != Turn::Over {
        let action = match game.turn() {
            Turn::Player(Player(0)) => report(&mut search, &game, 50).best,
            Turn::Player(_) => game.sample_action(&mut rng, &mut scratch),
            _ => game.sample_chance(&mut rng),
        };
        game.try_apply(action).expect("a legal action");
    }
    let mut game = connect_four();
    let mut search = Mcts::new(&MctsOptions::puct(), Heuristic).unwrap();
    while game.turn() != Turn::Over {
        let action = report(&mut search, &game, 50).best;
        search.advance(&[action]);
        game.try_apply(action).expect("a legal action");
    }
}

/// Early stopping with a share of 1 gives the same answer, sometimes with fewer
/// simulations.
#[test]
fn early_stopping_at_1_changes_no_answer() {
    let (game, seat) = whist();
    let view = View::new(&game, seat);
    let mut saved = 0;
    for options in [IsMctsOptions::default(), IsMctsOptions::puct()] {
        for seed in 0..20 {
            let mut search = IsMcts::new(&options, Rollout::default()).expect("good options");
            let whole = search.search(&view, &Budget::simulations(300), seed).expect("it may run");
            assert_eq!((whole.stop_reason, whole.simulations), (StopReason::Simulations, 300));
            let budget = Budget { early_stopping: Some(1.0), ..Budget::simulations(300) };
            let short = search.search(&view, &budget, seed).expect("it may run");
            assert_eq!(short.best, whole.best, "{options:?}, seed {seed}");
            assert_eq!(short.simulations < 300, short.stop_reason == StopReason::EarlyStop);
            saved += 300 - short.simulations;
        }
    }
    assert!(saved > 0, "some search stops early");
    assert!(
        Budget { early_stopping: Some(1.0), ..Budget::default() }.check().is_err(),
        "no limit at all"
    );
}

/// The smaller the required lead, the sooner the search stops.
#[test]
fn a_lower_early_stopping_share_stops_sooner() {
    let (game, seat) = whist();
    let view = View::new(&game, seat);
    let simulations = |share| -> u64 {
        let budget = Budget { early_stopping: Some(share), ..Budget::simulations(300) };
        let one = |seed| {
            let mut search = IsMcts::new(&IsMctsOptions::puct(), Rollout::default()).unwrap();
            search.search(&view, &budget, seed).expect("it may run").simulations
        };
        (0..20).map(one).sum()
    };
    assert!(simulations(0.3) < simulations(1.0));
    for share in [0.0, -1.0, 1.5, f32::NAN] {
        let error =
            Budget { early_stopping: Some(share), ..Budget::simulations(9) }.check().unwrap_err();
        assert!(error.to_string().contains("above 0 and at most 1"), "{error}");
    }
}

/// Reused visits count as simulations, but never for the whole budget.
#[test]
fn reused_visits_count_as_simulations_on_request() {
    let (mut game, seat) = whist();
    let budget = Budget { count_reused_visits: true, ..Budget::simulations(400) };
    let mut search = IsMcts::new(&IsMctsOptions::default(), Rollout::default()).unwrap();
    let mut made = Vec::new();
    let mut rng = Rng::new(3);
    while made.len() < 3 {
        match game.turn() {
            Turn::Over => break,
            Turn::Chance => game.apply(game.sample_chance(&mut rng)),
            Turn::Player(mover) if mover == seat => {
                let view = View::new(&game, seat);
                search.follow(&view);
                let report = search.search(&view, &budget, 7).expect("it may run");
                if report.stop_reason != StopReason::Forced {
                    made.push(report.simulations);
                }
                game.apply(report.best);
            }
            Turn::Player(_) => {
                let mut legal = ActionList::new();
                game.legal_actions(&mut legal);
                game.apply(legal[0]);
            }
        }
    }
    assert_eq!(made[0], 400, "the first search has no tree to reuse");
    assert!(made[1..].iter().all(|&count| (100..=400).contains(&count)), "{made:?}");
    assert!(made[1..].iter().any(|&count| count < 400), "{made:?}");
}
