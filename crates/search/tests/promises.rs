//! What a search promises whatever it searches: the same answer from the same
//! seed, on any number of threads; limits kept; the root left alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use meeple_game::{Action, ActionList, Game, Payoffs, Player, Rng, Turn, View};
use meeple_games::small::{ConnectFour, KnockoutWhist, Pig, TicTacToe, pig};
use meeple_search::{
    Budget, Cached, Control, Ended, Ensemble, EnsembleOptions, Evaluator, GraphMcts, GraphOptions,
    GumbelOptions, Heuristic, IsMcts, IsMctsOptions, Mcts, MctsOptions, OneStep, Progress, Rollout,
    RootNoise, RootParallel, RootRule, Search, SearchReport, StopFlag, TreeParallel,
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

fn report<G: Game>(search: &mut dyn Search<G>, game: &G, iterations: u64) -> SearchReport {
    let Turn::Player(seat) = game.turn() else { panic!("nobody decides in {game}") };
    let before = *game;
    let budget = Budget::iterations(iterations);
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
    let gumbel = RootRule::Gumbel(GumbelOptions::default());
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
        assert_eq!(report(&mut used, &game, 1000), one, "what was searched before is forgotten");
        assert_eq!(one.iterations, 1000);
        assert_eq!(one.actions.iter().map(|entry| entry.visits).sum::<u64>(), 1000);
    }
    let (game, _) = whist();
    let search = || IsMcts::new(&IsMctsOptions::default(), Rollout::default()).unwrap();
    assert_eq!(report(&mut search(), &game, 1000), report(&mut search(), &game, 1000));
}

/// The survivors of sequential halving are visited alike, so visits do not tell
/// which of them it chose: whoever merges reports goes by their policies.
#[test]
fn a_search_alone_among_merged_ones_is_heeded() {
    let options =
        MctsOptions { root: RootRule::Gumbel(GumbelOptions::default()), ..MctsOptions::puct() };
    let policy = |report: &SearchReport| -> Vec<f32> {
        report.actions.iter().map(|entry| entry.policy).collect()
    };
    let mut rng = Rng::new(5);
    let mut tied = 0;
    for _ in 0..20 {
        let mut game = connect_four();
        (0..6).for_each(|_| _ = game.apply_sampled(&mut rng, &mut ActionList::new()));
        let view = View::new(&game, Player(0));
        let budget = Budget::iterations(64);
        let seed_of_first = Rng::new(1).split(0).bits();
        let alone = mcts(options).search(&view, &budget, seed_of_first).unwrap();
        let most = alone.actions.iter().map(|entry| entry.visits).max();
        tied += usize::from(
            alone.actions.iter().filter(|entry| Some(entry.visits) == most).count() > 1,
        );

        let workers = RootParallel::new(vec![mcts(options)], 1).unwrap();
        let search = EnsembleOptions { worlds: 1, search: options, ..Default::default() };
        let world = Ensemble::new(&search, Rollout::default()).unwrap();
        let merging: [Box<dyn Search<ConnectFour>>; 2] = [Box::new(workers), Box::new(world)];
        for mut search in merging {
            let merged = search.search(&view, &budget, 1).unwrap();
            assert_eq!(merged.best, alone.best);
            assert_eq!(policy(&merged), policy(&alone));
        }
    }
    assert!(tied > 10, "visits alone would do");
}

#[test]
fn threads_change_nothing() {
    let game = connect_four();
    let on_threads = |threads| {
        let workers = (0..4).map(|_| mcts(MctsOptions::default())).collect();
        report(&mut RootParallel::new(workers, threads).unwrap(), &game, 4001)
    };
    let one = on_threads(1);
    assert_eq!(one.iterations, 4001);
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

    let game = connect_four();
    let on_threads = |threads| {
        let options = MctsOptions { batch: 32, ..MctsOptions::default() };
        let search = TreeParallel::new(&options, &Rollout::default(), None, threads);
        report(&mut search.unwrap(), &game, 3000)
    };
    let one = on_threads(1);
    assert_eq!((one.iterations, one.best), (3000, Action(3)));
    assert_eq!(one, on_threads(2));
    assert_eq!(one, on_threads(4));
}

#[test]
fn memory_is_capped_and_the_search_goes_on() {
    let game = connect_four();
    let memory = 1 << 16;
    let capped = report(&mut mcts(MctsOptions { memory, ..Default::default() }), &game, 20_000);
    assert!(capped.bytes <= memory as u64, "{} bytes", capped.bytes);
    assert_eq!((capped.iterations, capped.best), (20_000, Action(3)));

    let (game, _) = whist();
    let options = IsMctsOptions { memory, ..Default::default() };
    let mut search = IsMcts::new(&options, Rollout::default()).unwrap();
    let capped = report(&mut search, &game, 20_000);
    assert!(capped.bytes <= memory as u64, "{} bytes, with the table", capped.bytes);
    assert_eq!(capped.iterations, 20_000);

    let game = connect_four();
    let options = GraphOptions { capacity: 500, ..Default::default() };
    let mut search = GraphMcts::new(&options, Rollout::default(), None).unwrap();
    let capped = report(&mut search, &game, 20_000);
    assert_eq!((capped.nodes, capped.iterations), (500, 20_000));
    let search = MctsOptions { memory, ..Default::default() };
    let options = GraphOptions { search, ..Default::default() };
    let mut search = GraphMcts::new(&options, Rollout::default(), None).unwrap();
    let capped = report(&mut search, &game, 20_000);
    assert!(capped.bytes <= memory as u64, "{} bytes", capped.bytes);
    assert!(capped.nodes > 100 && capped.iterations == 20_000, "{} nodes", capped.nodes);
    // Half of the room is for what is found after the next move.
    search.advance(&[]);
    let kept = report(&mut search, &game, 1).bytes;
    assert!(kept <= memory as u64 * 3 / 5, "{kept} bytes are kept");
}

#[test]
fn budgets_end_a_search() {
    let game = connect_four();
    let view = View::new(&game, Player(0));
    let mut search = mcts(MctsOptions::default());
    let nodes = Budget { nodes: Some(300), ..Budget::default() };
    let report = search.search(&view, &nodes, 1).unwrap();
    assert_eq!(report.ended, Ended::Nodes);
    assert!((300..=310).contains(&report.nodes), "{}", report.nodes);
    let time = Budget::time(Duration::from_millis(20));
    let report = mcts(MctsOptions::default()).search(&view, &time, 1).unwrap();
    assert_eq!(report.ended, Ended::Time);
    assert!(report.iterations > 0 && report.iterations_per_second > 0.0);
}

#[test]
fn a_search_is_stopped_from_outside_and_has_an_answer() {
    let game = connect_four();
    let view = View::new(&game, Player(0));
    let stop = StopFlag::default();
    let switch = stop.clone();
    let mut seen = 0u64;
    let mut watch = |report: &SearchReport| {
        assert!(report.iterations > seen, "reports go on");
        assert_eq!(report.ended, Ended::Running);
        seen = report.iterations;
        if seen >= 3000 {
            switch.stop();
        }
    };
    let progress = Some(Progress { every: 1000, report: &mut watch });
    let mut control = Control { stop, progress };
    let budget = Budget::iterations(u64::MAX);
    let report = mcts(MctsOptions::default()).search_with(&view, &budget, 1, &mut control).unwrap();
    assert_eq!(report.ended, Ended::Stopped);
    assert!((3000..4000).contains(&report.iterations));
    assert_eq!(report.best, Action(3));
    // A flag already set leaves no time at all, and still there is an answer.
    let mut control = Control { stop: control.stop.clone(), progress: None };
    let workers = (0..2).map(|_| mcts(MctsOptions::default())).collect();
    let mut parallel = RootParallel::new(workers, 2).unwrap();
    let report = parallel.search_with(&view, &budget, 1, &mut control).unwrap();
    assert_eq!((report.ended, report.iterations), (Ended::Stopped, 0));
}

#[test]
fn what_was_searched_is_used_again() {
    let mut game = connect_four();
    let mut search = mcts(MctsOptions::default());
    report(&mut search, &game, 5000);
    search.advance(&[Action(3), Action(3)]);
    game.apply(Action(3));
    game.apply(Action(3));
    let again = report(&mut search, &game, 1000);
    let visits: u64 = again.actions.iter().map(|entry| entry.visits).sum();
    assert!(visits > 1200, "{visits}");
    // Luck in between: the outcome is part of the way.
    let mut game = Pig::new(&Default::default());
    game.apply(Action(5));
    let mut search = Mcts::new(&MctsOptions::default(), Rollout::default()).unwrap();
    report(&mut search, &game, 2000);
    search.advance(&[Action(1), Action(4)]);
    game.apply(Action(1));
    game.apply(Action(4));
    let again = report(&mut search, &game, 100);
    assert!(again.actions.iter().map(|entry| entry.visits).sum::<u64>() > 150);
    // The graph keeps what can still be reached.
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
    // Eight squares are taken, and nobody has won.
    for action in [4, 0, 1, 7, 6, 2, 5, 3] {
        game.apply(Action(action));
    }
    let mut search = Mcts::new(&MctsOptions::default(), Rollout::default()).unwrap();
    let found = report(&mut search, &game, 1000);
    assert_eq!((found.best, found.ended, found.iterations), (Action(8), Ended::Forced, 0));
}

#[test]
fn reports_can_be_written_and_read() {
    let found = report(&mut mcts(MctsOptions::default()), &connect_four(), 500);
    let written = serde_json::to_string(&found).unwrap();
    let read: SearchReport = serde_json::from_str(&written).unwrap();
    assert_eq!(read, found);
    assert_eq!(found.actions.len(), 7);
    assert!(found.variations[0].len() > 1 && found.variations[0][0] == found.best);
    assert!(found.depth > 2 && found.mean_depth > 1.0);
}

/// Gathered leaves with a policy, as a network would be used.
#[test]
fn information_sets_are_judged_in_batches() {
    /// Finds everything even, and remembers the most it was shown at a time.
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
            search.search(&View::new(&game, seat), &Budget::iterations(100), 1).unwrap()
        };
        let report = search();
        assert_eq!((report.iterations, most.load(Ordering::Relaxed)), (100, batch));
        assert_eq!(report.actions.iter().map(|entry| entry.visits).sum::<u64>(), 100);
        assert_eq!(report.actions, search().actions);
    }
}

#[test]
fn batches_with_priors_are_searched() {
    #[derive(Clone)]
    struct Judge;
    impl meeple_search::Evaluator<ConnectFour> for Judge {
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
                values[at] = state.estimate().unwrap();
                for column in 0..7 {
                    logits[7 * at + column] = -(column as f32 - 3.0).abs();
                }
            }
        }
    }
    let game = connect_four();
    for batch in [1, 8] {
        let options = MctsOptions { batch, ..MctsOptions::puct() };
        let plain = report(&mut Mcts::new(&options, Judge).unwrap(), &game, 2000);
        assert_eq!((plain.best, plain.iterations), (Action(3), 2000));
        assert!(plain.actions[3].prior > plain.actions[0].prior);
        let cached = Cached::new(Judge, 1 << 12).unwrap();
        let with_cache = report(&mut Mcts::new(&options, cached).unwrap(), &game, 2000);
        let used = with_cache.cache.unwrap();
        assert!(used.hits > 100, "{used:?}");
        assert_eq!(with_cache.actions, plain.actions, "a cache changes nothing but the time");
    }
}

#[test]
fn six_seats_and_orderings_are_searched() {
    let options = pig::Options { players: 6.try_into().unwrap(), ..Default::default() };
    let mut game = Pig::new(&options);
    game.apply(Action(6));
    let ordering = Arc::new(OneStep::default());
    let mut search =
        Mcts::with_ordering(&MctsOptions::puct(), Rollout::default(), Some(ordering)).unwrap();
    let found = report(&mut search, &game, 2000);
    let sum: f32 = found.values.iter().sum();
    assert!(sum.abs() < 1e-3, "{:?}", found.values);
}

#[test]
fn a_world_of_one_action_is_searched_on() {
    // Random play, each decision by a search: nothing panics on the way.
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

/// A search that ends once it is decided says the same as one that goes on, and
/// sooner at least now and then.
#[test]
fn what_is_decided_stays_so() {
    let (game, seat) = whist();
    let view = View::new(&game, seat);
    let mut saved = 0;
    for options in [IsMctsOptions::default(), IsMctsOptions::puct()] {
        for seed in 0..20 {
            let mut search = IsMcts::new(&options, Rollout::default()).expect("good options");
            let whole = search.search(&view, &Budget::iterations(300), seed).expect("it may run");
            assert_eq!((whole.ended, whole.iterations), (Ended::Iterations, 300));
            let budget = Budget { decided: Some(1.0), ..Budget::iterations(300) };
            let short = search.search(&view, &budget, seed).expect("it may run");
            assert_eq!(short.best, whole.best, "{options:?}, seed {seed}");
            assert_eq!(short.iterations < 300, short.ended == Ended::Decided);
            saved += 300 - short.iterations;
        }
    }
    assert!(saved > 0, "something is decided early");
    assert!(Budget { decided: Some(1.0), ..Budget::default() }.check().is_err(), "no limit at all");
}

/// The less of what is left an action must be ahead by, the sooner it is chosen.
#[test]
fn what_is_likely_decided_ends_sooner() {
    let (game, seat) = whist();
    let view = View::new(&game, seat);
    let iterations = |share| -> u64 {
        let budget = Budget { decided: Some(share), ..Budget::iterations(300) };
        let one = |seed| {
            let mut search = IsMcts::new(&IsMctsOptions::puct(), Rollout::default()).unwrap();
            search.search(&view, &budget, seed).expect("it may run").iterations
        };
        (0..20).map(one).sum()
    };
    assert!(iterations(0.3) < iterations(1.0));
    for share in [0.0, -1.0, 1.5, f32::NAN] {
        let error = Budget { decided: Some(share), ..Budget::iterations(9) }.check().unwrap_err();
        assert!(error.to_string().contains("above 0 and at most 1"), "{error}");
    }
}

/// Visits that are brought along count, but never for all of a search.
#[test]
fn kept_visits_count_where_they_are_asked_to() {
    let (mut game, seat) = whist();
    let budget = Budget { counts_kept: true, ..Budget::iterations(400) };
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
                if report.ended != Ended::Forced {
                    made.push(report.iterations);
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
    assert_eq!(made[0], 400, "the first search brings nothing along");
    assert!(made[1..].iter().all(|&count| (100..=400).contains(&count)), "{made:?}");
    assert!(made[1..].iter().any(|&count| count < 400), "{made:?}");
}
