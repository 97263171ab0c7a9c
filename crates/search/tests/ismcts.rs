//! ISMCTS with priors, sequential halving, tree reuse, determinization reuse and batches.

use meeple_game::{Action, ActionList, Game, Payoffs, Player, Rng, Turn, View};
use meeple_games::magic::{self, Magic};
use meeple_games::small::{ConnectFour, KnockoutWhist, Kuhn, knockout_whist};
use meeple_search::{
    BatchedIsMcts, Budget, Evaluator, FirstPlay, GumbelOptions, Heuristic, IsMcts, IsMctsOptions,
    MoveOrdering, Observer, OneStepLookahead, Rollout, RootNoise, RootPolicy, Search, SearchError,
    SearchReport,
};
use std::sync::Arc;
use std::time::Duration;

/// A decision in Knockout Whist, `plies` random actions after the deal.
fn whist(players: i64, plies: usize, seed: u64) -> KnockoutWhist {
    let options = knockout_whist::Options { players: players.try_into().expect("2 to 4") };
    let mut game = KnockoutWhist::new(&options);
    let (mut rng, mut scratch) = (Rng::new(seed), ActionList::new());
    let mut left = plies;
    loop {
        match game.turn() {
            Turn::Player(_) if left == 0 => return game,
            Turn::Player(_) => {
                left -= 1;
                game.apply(game.sample_action(&mut rng, &mut scratch));
            }
            _ => game.apply(game.sample_chance(&mut rng)),
        }
    }
}

fn mover<G: Game>(game: &G) -> Player {
    match game.turn() {
        Turn::Player(player) => player,
        turn => panic!("{turn:?} in {game}"),
    }
}

/// Evaluates everything to 0, with logits that increase with the action id.
#[derive(Clone, Copy)]
struct Likes(f32);

impl<G: Game> Evaluator<G> for Likes {
    fn has_policy(&self) -> bool {
        true
    }

    fn evaluate(&mut self, states: &[G], _: &mut Rng, values: &mut [Payoffs], logits: &mut [f32]) {
        assert_eq!((states.len(), logits.len()), (1, states[0].actions()));
        let mut actions = ActionList::new();
        states[0].legal_actions(&mut actions);
        assert!(actions.len() > 1, "evaluated without a choice: {}", states[0]);
        values.fill(Payoffs::default());
        logits.iter_mut().zip(0u16..).for_each(|(logit, at)| *logit = self.0 * f32::from(at));
    }
}

fn option_variants() -> Vec<IsMctsOptions> {
    let puct = IsMctsOptions::puct();
    let gumbel = |below| RootPolicy::Gumbel(GumbelOptions { below, ..GumbelOptions::default() });
    let mut option_variants = Vec::new();
    for observer in [Observer::Single, Observer::Multiple] {
        option_variants.push(IsMctsOptions { observer, ..puct });
        option_variants.push(IsMctsOptions { observer, root: gumbel(false), ..puct });
        option_variants.push(IsMctsOptions { observer, root: gumbel(true), ..puct });
        option_variants.push(IsMctsOptions { observer, first_play: FirstPlay::Infinite, ..puct });
    }
    option_variants
}

#[test]
fn priors_guide_the_search() {
    let game = whist(2, 0, 4);
    let view = View::new(&game, mover(&game));
    let mut legal = ActionList::new();
    view.legal_actions(&mut legal);
    let likeliest = *legal.iter().max().unwrap();
    let mut search = IsMcts::new(&IsMctsOptions::puct(), Likes(1.0)).unwrap();
    // A single simulation follows the policy.
    let one = search.search(&view, &Budget::simulations(1), 1).unwrap();
    assert_eq!((one.best, one.evaluations), (likeliest, 2), "the root and what follows");
    let many = search.search(&view, &Budget::simulations(500), 1).unwrap();
    let weights: Vec<f32> = many.actions.iter().map(|entry| f32::from(entry.action.0)).collect();
    let most = weights.iter().copied().fold(0.0, f32::max);
    let sum: f32 = weights.iter().map(|weight| (weight - most).exp()).sum();
    for (entry, weight) in many.actions.iter().zip(weights) {
        let expected = (weight - most).exp() / sum;
        assert!((entry.prior - expected).abs() < 1e-3, "{entry:?}, not {expected}");
    }
    let visits = |action: Action| many.actions.iter().find(|e| e.action == action).unwrap().visits;
    assert!(visits(likeliest) > 250, "{many:?}");
    let refused = IsMcts::new(&IsMctsOptions::puct(), Likes(f32::NAN)).unwrap().search(
        &view,
        &Budget::simulations(5),
        1,
    );
    assert!(matches!(refused, Err(SearchError::BadLogit { .. })), "{refused:?}");
}

/// Every simulation is counted once under all options, even if the tree is full.
#[test]
fn visits_sum_to_the_simulations() {
    for players in [2, 4] {
        let game = whist(players, 3, 9);
        let view = View::new(&game, mover(&game));
        for options in option_variants() {
            for memory in [1 << 16, 1 << 24] {
                let options = IsMctsOptions { memory, ..options };
                let mut search = IsMcts::new(&options, Likes(0.1)).unwrap();
                let report = search.search(&view, &Budget::simulations(2000), 1).unwrap();
                let visits: u64 = report.actions.iter().map(|entry| entry.visits).sum();
                assert_eq!((visits, report.simulations), (2000, 2000), "{options:?}");
                assert!(report.bytes <= memory as u64);
                assert!(report.actions.iter().all(|entry| entry.available >= entry.visits));
                let policy: f32 = report.actions.iter().map(|entry| entry.policy).sum();
                assert!((policy - 1.0).abs() < 1e-3);
            }
        }
    }
}

/// Searches the decisions of one player in one game with tree reuse; `hide` resamples
/// hidden information before each search.
fn search_one_game(options: &IsMctsOptions, hide: bool) -> Vec<SearchReport> {
    let mut search = IsMcts::new(options, Rollout::default()).expect("good options");
    let mut game = whist(2, 0, 4);
    let seat = mover(&game);
    let (mut rng, mut other, mut scratch) = (Rng::new(1), Rng::new(2), ActionList::new());
    let mut reports = Vec::new();
    while reports.len() < 6 && game.turn() != Turn::Over {
        let action = match game.turn() {
            Turn::Player(player) if player == seat => {
                let shown = if hide { game.determinize(seat, &mut other) } else { game };
                let view = View::new(&shown, seat);
                search.follow(&view);
                let report = search.search(&view, &Budget::simulations(4000), 5).expect("it runs");
                let best = report.best;
                reports.push(report.without_clock());
                best
            }
            Turn::Player(_) => game.sample_action(&mut rng, &mut scratch),
            _ => game.sample_chance(&mut rng),
        };
        game.apply(action);
    }
    reports
}

#[test]
fn trees_are_reused_without_leaking_hidden_information() {
    for options in [IsMctsOptions::default()].into_iter().chain(option_variants()) {
        let reports = search_one_game(&options, false);
        let visits = |report: &SearchReport| -> u64 {
            report.actions.iter().map(|entry| entry.visits).sum()
        };
        let kept = reports.iter().any(|report| visits(report) > 4020);
        assert!(kept, "{:?}", reports.iter().map(visits).collect::<Vec<_>>());
        assert_eq!(reports, search_one_game(&options, true), "the same whatever others hold");
    }
}

#[test]
fn sequential_halving_calls_with_the_king() {
    // The second player holds the king and faces a bet.
    let mut game = Kuhn::new(&Default::default());
    [0, 2, 1].into_iter().for_each(|action| game.apply(Action(action)));
    let view = View::new(&game, Player(1));
    let root = RootPolicy::Gumbel(GumbelOptions::default());
    let options = IsMctsOptions { root, ..IsMctsOptions::puct() };
    for seed in 0..20 {
        let mut search = IsMcts::new(&options, Rollout::default()).unwrap();
        let report = search.search(&view, &Budget::simulations(16), seed).unwrap();
        assert_eq!(game.action_name(report.best), "bet", "which calls");
    }
    let mut search = IsMcts::new(&options, Rollout::default()).unwrap();
    let refused = search.search(&view, &Budget::time(Duration::from_millis(1)), 1);
    assert_eq!(refused, Err(SearchError::GumbelNeedsSimulations));
}

/// Without chance and hidden information all determinizations are equal, so it does not
/// matter how many simulations each one gets.
#[test]
fn simulations_per_determinization_do_not_matter_without_chance() {
    let game = ConnectFour::new(&Default::default());
    let view = View::new(&game, Player(0));
    let [once, twice, often, always] = [1, 2, 16, 100_000].map(|simulations_per_determinization| {
        let options = IsMctsOptions { simulations_per_determinization, ..IsMctsOptions::puct() };
        let ordering = Some(Arc::new(OneStepLookahead::default()) as _);
        let mut search = IsMcts::with_ordering(&options, Heuristic, ordering).unwrap();
        search.search(&view, &Budget::simulations(8000), 1).unwrap().without_clock()
    });
    assert!(once.nodes > 2500, "more nodes than cached states: {once:?}");
    assert_eq!(once, twice);
    assert_eq!(once, often);
    assert_eq!(once, always);
}

/// A one-step lookahead that leaves no successor states to the search.
struct Tidy(OneStepLookahead);

impl<G: Game> MoveOrdering<G> for Tidy {
    fn weights(&self, state: &G, depth: usize, actions: &[Action], weights: &mut [f32]) {
        self.0.weights(state, depth, actions, weights);
    }
}

/// The report is the same whether successor states come from the move ordering or are
/// computed again.
#[test]
fn cached_successors_equal_recomputed_states() {
    let config = magic::Config::of_decks("red-deck", "green-deck").unwrap();
    let mut game = Magic::new(&config);
    let (mut rng, mut scratch) = (Rng::new(3), ActionList::new());
    let halving = RootPolicy::Gumbel(GumbelOptions::default());
    let mut searched = 0;
    while game.turn() != Turn::Over && searched < 40 {
        let Turn::Player(player) = game.turn() else {
            game.apply(game.sample_chance(&mut rng));
            continue;
        };
        for (simulations_per_determinization, root) in [(8, RootPolicy::Same), (3, halving)] {
            let options =
                IsMctsOptions { simulations_per_determinization, root, ..IsMctsOptions::puct() };
            let tidy: Arc<dyn MoveOrdering<Magic>> = Arc::new(Tidy(OneStepLookahead::default()));
            let [left, made] = [Arc::new(OneStepLookahead::default()) as _, tidy].map(|ordering| {
                let mut search =
                    IsMcts::with_ordering(&options, Heuristic, Some(ordering)).unwrap();
                let budget = Budget::simulations(60);
                search.search(&View::new(&game, player), &budget, 5).unwrap().without_clock()
            });
            assert_eq!(left, made);
        }
        searched += 1;
        game.apply(game.sample_action(&mut rng, &mut scratch));
    }
}

/// With several simulations per determinization, visits sum up even if the tree is full,
/// and reports are reproducible.
#[test]
fn visits_sum_up_with_several_simulations_per_determinization() {
    for players in [2, 4] {
        let game = whist(players, 3, 9);
        let view = View::new(&game, mover(&game));
        for memory in [1 << 16, 1 << 24] {
            let options = IsMctsOptions {
                simulations_per_determinization: 7,
                memory,
                ..IsMctsOptions::default()
            };
            let [first, second] = [(); 2].map(|()| {
                let mut search = IsMcts::new(&options, Rollout::default()).unwrap();
                search.search(&view, &Budget::simulations(2000), 1).unwrap().without_clock()
            });
            let visits: u64 = first.actions.iter().map(|entry| entry.visits).sum();
            assert_eq!(visits, 2000);
            assert_eq!(first, second);
        }
    }
}

/// Pseudo-random values and logits that depend on the whole state.
struct Scattered;

impl Scattered {
    fn evaluate_one<G: Game>(state: &G, values: &mut Payoffs, logits: &mut [f32]) {
        let mut rng = Rng::new(state.key());
        values.iter_mut().for_each(|value| *value = rng.unit() as f32 - 0.5);
        logits.iter_mut().for_each(|logit| *logit = 2.0 * rng.unit() as f32);
    }
}

impl<G: Game> Evaluator<G> for Scattered {
    fn has_policy(&self) -> bool {
        true
    }

    fn evaluate(&mut self, states: &[G], _: &mut Rng, values: &mut [Payoffs], logits: &mut [f32]) {
        for (at, state) in states.iter().enumerate() {
            let row = &mut logits[at * state.actions()..(at + 1) * state.actions()];
            Self::evaluate_one(state, &mut values[at], row);
        }
    }
}

/// Runs a batched search to its end, `most` leaves at a time.
fn drive<G: Game>(
    search: &mut BatchedIsMcts<G>,
    view: &View<'_, G>,
    simulations: u64,
    most: usize,
) -> SearchReport {
    search.begin(view, &Budget::simulations(simulations), 9).expect("it is to decide");
    while search.simulations() < simulations {
        let left = (simulations - search.simulations()) as usize;
        search.gather(view, most.min(left)).expect("it has begun");
        let mut values = vec![Payoffs::default(); search.leaves().len()];
        let mut logits = vec![0.0; search.leaves().iter().map(Game::actions).sum()];
        Scattered.evaluate(search.leaves(), &mut Rng::new(0), &mut values, &mut logits);
        search.apply(&values, &logits).expect("these are values");
    }
    search.report()
}

#[test]
fn batches_of_one_equal_the_sequential_search() {
    let noise = Some(RootNoise::default());
    let noisy = IsMctsOptions { noise, ..IsMctsOptions::puct() };
    for options in option_variants().into_iter().chain([noisy]) {
        for seed in 0..4 {
            let game = whist(2 + (seed % 3) as i64, seed as usize, seed);
            let view = View::new(&game, mover(&game));
            let mut legal = ActionList::new();
            view.legal_actions(&mut legal);
            if legal.len() == 1 {
                continue;
            }
            let mut whole = IsMcts::new(&options, Scattered).unwrap();
            let whole = whole.search(&view, &Budget::simulations(150), 9).unwrap();
            let mut parts = BatchedIsMcts::new(&options, true, None).unwrap();
            let parts = drive(&mut parts, &view, 150, 1);
            let expected = SearchReport { stop_reason: parts.stop_reason, ..whole.without_clock() };
            let values = |report: &SearchReport| -> Vec<f32> {
                report.actions.iter().flat_map(|entry| entry.values).collect()
            };
            // Adding and removing virtual losses rounds differently from a single addition.
            for (one, other) in values(&parts).into_iter().zip(values(&expected)) {
                assert!((one - other).abs() < 1e-3, "{one} is not {other}");
            }
            let visits = |report: &SearchReport| -> Vec<u64> {
                report.actions.iter().map(|entry| entry.visits).collect()
            };
            assert_eq!(visits(&parts), visits(&expected), "{options:?}");
            assert_eq!((parts.nodes, parts.evaluations), (expected.nodes, expected.evaluations));
        }
    }
}

#[test]
fn virtual_losses_are_removed() {
    for options in option_variants() {
        let game = whist(3, 2, 5);
        let view = View::new(&game, mover(&game));
        let mut search = BatchedIsMcts::new(&options, true, None).unwrap();
        let report = drive(&mut search, &view, 400, 16);
        assert_eq!(report.simulations, 400);
        assert_eq!(report.actions.iter().map(|entry| entry.visits).sum::<u64>(), 400);
        // All virtual losses are removed: means are within the range of the evaluations.
        for entry in report.actions.iter().filter(|entry| entry.visits > 0) {
            assert!(entry.values[..3].iter().all(|value| value.abs() <= 1.0), "{entry:?}");
        }
        let again = drive(&mut search, &view, 400, 16);
        assert_eq!(again, report, "the same seed gives the same search");
    }
}

#[test]
fn gathering_before_begin_is_rejected() {
    let game = whist(2, 0, 1);
    let view = View::new(&game, mover(&game));
    let mut search =
        BatchedIsMcts::<KnockoutWhist>::new(&IsMctsOptions::puct(), true, None).unwrap();
    assert_eq!(search.gather(&view, 1), Err(SearchError::NotBegun));
    search.begin(&view, &Budget::simulations(4), 1).unwrap();
    search.gather(&view, 1).unwrap();
    let expected = SearchError::WrongLength { what: "logits", expected: game.actions(), got: 1 };
    assert_eq!(search.apply(&[Payoffs::default()], &[0.0]), Err(expected));
}
