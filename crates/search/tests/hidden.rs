//! Information-set search guided by priors, halving and what was found before.

use meeple_game::{Action, ActionList, Game, Payoffs, Player, Rng, Turn, View};
use meeple_games::magic::{self, Magic};
use meeple_games::small::{ConnectFour, KnockoutWhist, Kuhn, knockout_whist};
use meeple_search::{
    Budget, Evaluator, FirstPlay, GumbelOptions, Heuristic, InfoTreeSearch, IsMcts, IsMctsOptions,
    Knower, OneStep, Ordering, Rollout, RootNoise, RootRule, Search, SearchError, SearchReport,
};
use std::sync::Arc;
use std::time::Duration;

/// A state of Knockout Whist at which somebody decides, `plies` random steps
/// after the deal.
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

/// Judges nothing, but likes the actions with higher numbers.
#[derive(Clone, Copy)]
struct Likes(f32);

impl<G: Game> Evaluator<G> for Likes {
    fn has_policy(&self) -> bool {
        true
    }

    fn evaluate(&mut self, states: &[G], _: &mut Rng, values: &mut [Payoffs], logits: &mut [f32]) {
        assert_eq!((states.len(), logits.len()), (1, G::ACTIONS));
        let mut actions = ActionList::new();
        states[0].legal_actions(&mut actions);
        assert!(actions.len() > 1, "asked without a choice: {}", states[0]);
        values.fill(Payoffs::default());
        logits.iter_mut().zip(0u16..).for_each(|(logit, at)| *logit = self.0 * f32::from(at));
    }
}

fn ways() -> Vec<IsMctsOptions> {
    let puct = IsMctsOptions::puct();
    let gumbel = |below| RootRule::Gumbel(GumbelOptions { below, ..GumbelOptions::default() });
    let mut ways = Vec::new();
    for knower in [Knower::Searcher, Knower::Mover] {
        ways.push(IsMctsOptions { knower, ..puct });
        ways.push(IsMctsOptions { knower, root: gumbel(false), ..puct });
        ways.push(IsMctsOptions { knower, root: gumbel(true), ..puct });
        ways.push(IsMctsOptions { knower, first_play: FirstPlay::Infinite, ..puct });
    }
    ways
}

#[test]
fn priors_guide_the_search() {
    let game = whist(2, 0, 4);
    let view = View::new(&game, mover(&game));
    let mut legal = ActionList::new();
    view.legal_actions(&mut legal);
    let likeliest = *legal.iter().max().unwrap();
    let mut search = IsMcts::new(&IsMctsOptions::puct(), Likes(1.0)).unwrap();
    // One look is the policy itself.
    let one = search.search(&view, &Budget::iterations(1), 1).unwrap();
    assert_eq!((one.best, one.evaluations), (likeliest, 2), "the root and what follows");
    let many = search.search(&view, &Budget::iterations(500), 1).unwrap();
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
        &Budget::iterations(5),
        1,
    );
    assert!(matches!(refused, Err(SearchError::BadLogit { .. })), "{refused:?}");
}

/// Every visit is counted once, whatever guides the search, and a tree without
/// room is still searched.
#[test]
fn visits_add_up() {
    for players in [2, 4] {
        let game = whist(players, 3, 9);
        let view = View::new(&game, mover(&game));
        for options in ways() {
            for memory in [1 << 16, 1 << 24] {
                let options = IsMctsOptions { memory, ..options };
                let mut search = IsMcts::new(&options, Likes(0.1)).unwrap();
                let report = search.search(&view, &Budget::iterations(2000), 1).unwrap();
                let visits: u64 = report.actions.iter().map(|entry| entry.visits).sum();
                assert_eq!((visits, report.iterations), (2000, 2000), "{options:?}");
                assert!(report.bytes <= memory as u64);
                assert!(report.actions.iter().all(|entry| entry.available >= entry.visits));
                let policy: f32 = report.actions.iter().map(|entry| entry.policy).sum();
                assert!((policy - 1.0).abs() < 1e-3);
            }
        }
    }
}

/// Plays some searches one after the other, each going on with what the last
/// one found, as a player would; `hide` deals anew what the player cannot see.
fn played(options: &IsMctsOptions, hide: bool) -> Vec<SearchReport> {
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
                let report = search.search(&view, &Budget::iterations(4000), 5).expect("it runs");
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
fn what_was_found_out_is_used_again_and_tells_nothing_hidden() {
    for options in [IsMctsOptions::default()].into_iter().chain(ways()) {
        let reports = played(&options, false);
        let visits = |report: &SearchReport| -> u64 {
            report.actions.iter().map(|entry| entry.visits).sum()
        };
        let kept = reports.iter().any(|report| visits(report) > 4020);
        assert!(kept, "{:?}", reports.iter().map(visits).collect::<Vec<_>>());
        assert_eq!(reports, played(&options, true), "the same whatever others hold");
    }
}

#[test]
fn halving_finds_what_nobody_folds() {
    // The second seat holds the king and faces a bet.
    let mut game = Kuhn::new(&Default::default());
    [0, 2, 1].into_iter().for_each(|action| game.apply(Action(action)));
    let view = View::new(&game, Player(1));
    let root = RootRule::Gumbel(GumbelOptions::default());
    let options = IsMctsOptions { root, ..IsMctsOptions::puct() };
    for seed in 0..20 {
        let mut search = IsMcts::new(&options, Rollout::default()).unwrap();
        let report = search.search(&view, &Budget::iterations(16), seed).unwrap();
        assert_eq!(game.action_name(report.best), "bet", "which calls");
    }
    let mut search = IsMcts::new(&options, Rollout::default()).unwrap();
    let refused = search.search(&view, &Budget::time(Duration::from_millis(1)), 1);
    assert_eq!(refused, Err(SearchError::GumbelNeedsIterations));
}

/// Where nothing is hidden and nothing left to luck all worlds are one, so it
/// does not matter how often each is walked.
#[test]
fn worlds_that_are_all_alike_may_be_walked_again() {
    let game = ConnectFour::new(&Default::default());
    let view = View::new(&game, Player(0));
    let [once, twice, often, always] = [1, 2, 16, 100_000].map(|walks| {
        let options = IsMctsOptions { walks, ..IsMctsOptions::puct() };
        let ordering = Some(Arc::new(OneStep::default()) as _);
        let mut search = IsMcts::with_ordering(&options, Heuristic, ordering).unwrap();
        search.search(&view, &Budget::iterations(8000), 1).unwrap().without_clock()
    });
    assert!(once.nodes > 2500, "more than are kept of one world: {once:?}");
    assert_eq!(once, twice);
    assert_eq!(once, often);
    assert_eq!(once, always);
}

/// Looks one step ahead and leaves nothing behind.
struct Tidy(OneStep);

impl<G: Game> Ordering<G> for Tidy {
    fn weigh(&self, state: &G, depth: usize, actions: &[Action], weights: &mut [f32]) {
        self.0.weigh(state, depth, actions, weights);
    }
}

/// Whether states that an ordering has looked at are come to again or made
/// again, a search finds the same.
#[test]
fn states_left_behind_are_those_that_follow() {
    let config = magic::Config::of_decks("red-deck", "green-deck").unwrap();
    let mut game = Magic::new(&config);
    let (mut rng, mut scratch) = (Rng::new(3), ActionList::new());
    let halving = RootRule::Gumbel(GumbelOptions::default());
    let mut searched = 0;
    while game.turn() != Turn::Over && searched < 40 {
        let Turn::Player(player) = game.turn() else {
            game.apply(game.sample_chance(&mut rng));
            continue;
        };
        for (walks, root) in [(8, RootRule::Same), (3, halving)] {
            let options = IsMctsOptions { walks, root, ..IsMctsOptions::puct() };
            let tidy: Arc<dyn Ordering<Magic>> = Arc::new(Tidy(OneStep::default()));
            let [left, made] = [Arc::new(OneStep::default()) as _, tidy].map(|ordering| {
                let mut search =
                    IsMcts::with_ordering(&options, Heuristic, Some(ordering)).unwrap();
                let budget = Budget::iterations(60);
                search.search(&View::new(&game, player), &budget, 5).unwrap().without_clock()
            });
            assert_eq!(left, made);
        }
        searched += 1;
        game.apply(game.sample_action(&mut rng, &mut scratch));
    }
}

/// Worlds that are walked often are counted as any others, with room or
/// without, and searches repeat.
#[test]
fn visits_add_up_in_worlds_walked_again() {
    for players in [2, 4] {
        let game = whist(players, 3, 9);
        let view = View::new(&game, mover(&game));
        for memory in [1 << 16, 1 << 24] {
            let options = IsMctsOptions { walks: 7, memory, ..IsMctsOptions::default() };
            let [first, second] = [(); 2].map(|()| {
                let mut search = IsMcts::new(&options, Rollout::default()).unwrap();
                search.search(&view, &Budget::iterations(2000), 1).unwrap().without_clock()
            });
            let visits: u64 = first.actions.iter().map(|entry| entry.visits).sum();
            assert_eq!(visits, 2000);
            assert_eq!(first, second);
        }
    }
}

/// Values and logits that depend on all of a world.
struct Scattered;

impl Scattered {
    fn judge<G: Game>(state: &G, values: &mut Payoffs, logits: &mut [f32]) {
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
            let row = &mut logits[at * G::ACTIONS..(at + 1) * G::ACTIONS];
            Self::judge(state, &mut values[at], row);
        }
    }
}

/// Drives a tree to its end, `most` leaves at a time.
fn drive<G: Game>(
    search: &mut InfoTreeSearch<G>,
    view: &View<'_, G>,
    iterations: u64,
    most: usize,
) -> SearchReport {
    search.begin(view, &Budget::iterations(iterations), 9).expect("it is to decide");
    while search.iterations() < iterations {
        let left = (iterations - search.iterations()) as usize;
        search.gather(view, most.min(left)).expect("it has begun");
        let mut values = vec![Payoffs::default(); search.leaves().len()];
        let mut logits = vec![0.0; search.leaves().len() * G::ACTIONS];
        Scattered.evaluate(search.leaves(), &mut Rng::new(0), &mut values, &mut logits);
        search.apply(&values, &logits).expect("these are values");
    }
    search.report()
}

#[test]
fn gathered_leaf_by_leaf_it_is_the_same_search() {
    let noise = Some(RootNoise::default());
    let noisy = IsMctsOptions { noise, ..IsMctsOptions::puct() };
    for options in ways().into_iter().chain([noisy]) {
        for seed in 0..4 {
            let game = whist(2 + (seed % 3) as i64, seed as usize, seed);
            let view = View::new(&game, mover(&game));
            let mut legal = ActionList::new();
            view.legal_actions(&mut legal);
            if legal.len() == 1 {
                continue;
            }
            let mut whole = IsMcts::new(&options, Scattered).unwrap();
            let whole = whole.search(&view, &Budget::iterations(150), 9).unwrap();
            let mut parts = InfoTreeSearch::new(&options, true, None).unwrap();
            let parts = drive(&mut parts, &view, 150, 1);
            let expected = SearchReport { ended: parts.ended, ..whole.without_clock() };
            let values = |report: &SearchReport| -> Vec<f32> {
                report.actions.iter().flat_map(|entry| entry.values).collect()
            };
            // Lending and repaying rounds otherwise than adding at once.
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
fn batches_of_one_tree_lose_nothing() {
    for options in ways() {
        let game = whist(3, 2, 5);
        let view = View::new(&game, mover(&game));
        let mut search = InfoTreeSearch::new(&options, true, None).unwrap();
        let report = drive(&mut search, &view, 400, 16);
        assert_eq!(report.iterations, 400);
        assert_eq!(report.actions.iter().map(|entry| entry.visits).sum::<u64>(), 400);
        // Whatever was lent has been given back: means are within what was judged.
        for entry in report.actions.iter().filter(|entry| entry.visits > 0) {
            assert!(entry.values[..3].iter().all(|value| value.abs() <= 1.0), "{entry:?}");
        }
        let again = drive(&mut search, &view, 400, 16);
        assert_eq!(again, report, "the same seed gives the same search");
    }
}

#[test]
fn trees_that_have_not_begun_are_refused() {
    let game = whist(2, 0, 1);
    let view = View::new(&game, mover(&game));
    let mut search =
        InfoTreeSearch::<KnockoutWhist>::new(&IsMctsOptions::puct(), true, None).unwrap();
    assert_eq!(search.gather(&view, 1), Err(SearchError::NotBegun));
    search.begin(&view, &Budget::iterations(4), 1).unwrap();
    search.gather(&view, 1).unwrap();
    let expected =
        SearchError::WrongLength { what: "logits", expected: KnockoutWhist::ACTIONS, got: 1 };
    assert_eq!(search.apply(&[Payoffs::default()], &[0.0]), Err(expected));
}
