//! Matches between a search with and without an option: each opening or deal is played
//! twice with swapped seats, and the statistics are over pairs.

use std::sync::Arc;

use meeple_game::{Game, Rng, Turn, View};
use meeple_games::small::{ConnectFour, KnockoutWhist};
use meeple_search::{
    Budget, Combine, Ensemble, EnsembleOptions, FirstPlay, GraphMcts, GraphOptions, GumbelOptions,
    Heuristic, History, IsMcts, IsMctsOptions, Killers, Mcts, MctsOptions, MoveOrdering, Observer,
    OneStepLookahead, Priorities, ProgressiveWidening, Rollout, RootParallel, RootPolicy, Search,
    Selection, SharedTree,
};

/// A factory of searches.
type Make<G> = Box<dyn Fn() -> Box<dyn Search<G>>>;

/// A match between two searches.
pub(crate) struct Ablation<G> {
    pub(crate) name: &'static str,
    pub(crate) simulations: [u64; 2],
    make: [Make<G>; 2],
    /// Whether each side reuses its tree.
    reuses_tree: [bool; 2],
    /// The lower bound of the first side's score, which the lower end of the interval must
    /// reach.
    pub(crate) lower_bound: f64,
}

/// The mean score of the first side over pairs of games, and half the width of its 95 %
/// interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Score {
    pub(crate) mean: f64,
    pub(crate) margin: f64,
}

/// Plays `pairs` pairs of games.
pub(crate) fn play<G: Game>(ablation: &Ablation<G>, config: &G::Config, pairs: u64) -> Score {
    let scores: Vec<f64> = (0..pairs)
        .map(|pair| {
            // Trees are not shared between games.
            let game = |first| {
                let mut sides = [(ablation.make[0])(), (ablation.make[1])()];
                play_game(ablation, config, &mut sides, pair, first)
            };
            [0, 1].map(game).iter().sum::<f64>() / 2.0
        })
        .collect();
    let mean = scores.iter().sum::<f64>() / pairs as f64;
    let variance =
        scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (pairs - 1).max(1) as f64;
    Score { mean, margin: 1.96 * (variance / pairs as f64).sqrt() }
}

/// Plays one game, in which side `first` has the first seat; returns the score of the first
/// side, from 0 to 1.
fn play_game<G: Game>(
    ablation: &Ablation<G>,
    config: &G::Config,
    sides: &mut [Box<dyn Search<G>>; 2],
    pair: u64,
    first: usize,
) -> f64 {
    let root = Rng::new(pair);
    let (mut chance_rng, mut seeds) = (root.split(0), root.split(1 + first as u64));
    let mut game = G::new(config);
    let mut scratch = meeple_game::ActionList::new();
    let mut decisions = 0;
    while game.turn() != Turn::Over {
        let action = match game.turn() {
            // Games without chance start with two random actions, the same in both games of
            // a pair.
            Turn::Player(_) if !game.has_chance() && decisions < 2 => {
                decisions += 1;
                game.sample_action(&mut chance_rng, &mut scratch)
            }
            Turn::Player(seat) => {
                let side = (seat.index() + first) % 2;
                let budget = Budget::simulations(ablation.simulations[side]);
                let view = View::new(&game, seat);
                if ablation.reuses_tree[side] {
                    sides[side].follow(&view);
                }
                sides[side].search(&view, &budget, seeds.bits()).expect("it may run").best
            }
            _ => game.sample_chance(&mut chance_rng),
        };
        game.apply(action);
    }
    f64::from(game.payoffs()[first] + 1.0) / 2.0
}

/// A match at equal simulations without tree reuse.
fn ablation<G: Game, A: Search<G> + 'static, B: Search<G> + 'static>(
    name: &'static str,
    lower_bound: f64,
    simulations: u64,
    one: impl Fn() -> A + 'static,
    other: impl Fn() -> B + 'static,
) -> Ablation<G> {
    let make: [Make<G>; 2] =
        [Box::new(move || Box::new(one())), Box::new(move || Box::new(other()))];
    Ablation {
        name,
        simulations: [simulations, simulations],
        make,
        reuses_tree: [false, false],
        lower_bound,
    }
}

type Four = Mcts<ConnectFour, Rollout>;

fn mcts(options: MctsOptions) -> impl Fn() -> Four {
    move || Mcts::new(&options, Rollout::default()).expect("good options")
}

fn guided<O: MoveOrdering<ConnectFour> + 'static>(
    options: MctsOptions,
    ordering: impl Fn() -> O,
) -> impl Fn() -> Four {
    move || {
        let ordering = Some(Arc::new(ordering()) as _);
        Mcts::with_ordering(&options, Rollout::default(), ordering).expect("good options")
    }
}

fn ordered(options: MctsOptions) -> impl Fn() -> Four {
    guided(options, OneStepLookahead::default)
}

/// The heuristic evaluation for values and for priors: no noise at all.
fn heuristic_search(options: MctsOptions) -> impl Fn() -> Mcts<ConnectFour, Heuristic> {
    move || {
        let ordering = Some(Arc::new(OneStepLookahead::default()) as _);
        Mcts::with_ordering(&options, Heuristic, ordering).expect("good options")
    }
}

fn graph(share: bool) -> impl Fn() -> GraphMcts<ConnectFour, Rollout> {
    move || {
        let options = GraphOptions { share, ..GraphOptions::default() };
        GraphMcts::new(&options, Rollout::default(), None).expect("good options")
    }
}

fn info(options: IsMctsOptions) -> impl Fn() -> IsMcts<KnockoutWhist, Rollout> {
    move || IsMcts::new(&options, Rollout::default()).expect("good options")
}

fn ensemble(
    determinizations: usize,
    combine: Combine,
) -> impl Fn() -> Ensemble<KnockoutWhist, Rollout> {
    move || {
        let options = EnsembleOptions { determinizations, combine, ..EnsembleOptions::default() };
        Ensemble::new(&options, Rollout::default()).expect("good options")
    }
}

/// Options of searches with perfect information, on connect four.
pub(crate) fn connect_four() -> Vec<Ablation<ConnectFour>> {
    let uct = MctsOptions::default();
    let puct = MctsOptions::puct();
    let parent = MctsOptions { first_play: FirstPlay::ParentMinus(0.2), ..uct };
    let bias = MctsOptions { selection: Selection::Uct { exploration: 1.0, bias: 1.0 }, ..uct };
    let wide = MctsOptions { widening: Some(ProgressiveWidening::default()), ..puct };
    let unsolved = MctsOptions { solve: false, ..uct };
    let constant =
        |exploration| MctsOptions { selection: Selection::Uct { exploration, bias: 0.0 }, ..uct };
    let history = || History::new(2.0, ConnectFour::ACTIONS);
    let killers = || Killers::new(3.0);
    let more = ablation("four times the simulations", 0.7, 100, mcts(uct), mcts(uct));
    let reuse = ablation("tree reuse", 0.5, 200, mcts(uct), mcts(uct));
    let heuristic_name = "tree reuse, PUCT with the heuristic";
    let heuristic_reuse =
        ablation(heuristic_name, 0.4, 200, heuristic_search(puct), heuristic_search(puct));
    let graph_reuse = ablation("graph reuse", 0.45, 500, graph(true), graph(true));
    let truncated = || {
        Mcts::<ConnectFour, _>::new(&MctsOptions::default(), Rollout::new(Some(8)))
            .expect("good options")
    };
    let heuristic =
        || Mcts::<ConnectFour, _>::new(&MctsOptions::puct(), Heuristic).expect("good options");
    vec![
        Ablation { simulations: [400, 100], ..more },
        Ablation { reuses_tree: [true, false], ..reuse },
        Ablation { reuses_tree: [true, false], ..heuristic_reuse },
        Ablation { reuses_tree: [true, false], ..graph_reuse },
        ablation("MCTS-Solver", 0.45, 200, mcts(uct), mcts(unsolved)),
        ablation("exploration 0.7 instead of 1", 0.4, 200, mcts(constant(0.7)), mcts(uct)),
        ablation("exploration 1.4 instead of 1", 0.4, 200, mcts(constant(1.4)), mcts(uct)),
        ablation("FPU: the parent's value - 0.2", 0.4, 200, mcts(parent), mcts(uct)),
        ablation("PUCT with uniform priors", 0.3, 200, mcts(puct), mcts(uct)),
        ablation("PUCT with one-step priors", 0.5, 200, ordered(puct), mcts(uct)),
        ablation(
            "PUCT with one-step priors and progressive widening",
            0.5,
            200,
            ordered(wide),
            mcts(uct),
        ),
        ablation(
            "PUCT with the game's action priorities",
            0.5,
            200,
            guided(puct, || Priorities),
            mcts(puct),
        ),
        ablation("PUCT with history priors", 0.45, 200, guided(puct, history), mcts(puct)),
        ablation("PUCT with killer priors", 0.45, 200, guided(puct, killers), mcts(puct)),
        ablation("UCT with progressive bias", 0.45, 200, ordered(bias), mcts(uct)),
        ablation("transpositions", 0.45, 500, graph(true), graph(false)),
        ablation("rollouts truncated after 8 actions", 0.5, 200, truncated, mcts(uct)),
        ablation("heuristic evaluation instead of rollouts", 0.55, 200, heuristic, mcts(uct)),
    ]
}

/// The Gumbel root against PUCT at few simulations.
pub(crate) fn gumbel() -> Vec<Ablation<ConnectFour>> {
    let puct = MctsOptions::puct();
    let gumbel = |considered, below| {
        let options = GumbelOptions { considered, below, ..GumbelOptions::default() };
        MctsOptions { root: RootPolicy::Gumbel(options), ..puct }
    };
    let (half, all, above) = (gumbel(4, true), gumbel(16, true), gumbel(4, false));
    let heuristic_name = "Gumbel root over 4 actions, heuristic";
    let rollout_name = "Gumbel root over 4 actions, rollouts";
    let rollout_root_only = "Gumbel root over 4 actions, PUCT at interior nodes, rollouts";
    let over_all = "Gumbel root over all actions, heuristic";
    let root_only = "Gumbel root over 4 actions, PUCT at interior nodes, heuristic";
    vec![
        ablation(heuristic_name, 0.65, 16, heuristic_search(half), heuristic_search(puct)),
        // The mixed value of the paper weights a raw evaluation more than the searched
        // mean, which costs strength if evaluations are rough and visits are few.
        ablation(heuristic_name, 0.35, 32, heuristic_search(half), heuristic_search(puct)),
        ablation(heuristic_name, 0.55, 64, heuristic_search(half), heuristic_search(puct)),
        ablation(over_all, 0.6, 16, heuristic_search(all), heuristic_search(puct)),
        ablation(over_all, 0.25, 32, heuristic_search(all), heuristic_search(puct)),
        ablation(over_all, 0.4, 64, heuristic_search(all), heuristic_search(puct)),
        ablation(root_only, 0.4, 64, heuristic_search(above), heuristic_search(puct)),
        ablation(rollout_name, 0.35, 16, ordered(half), ordered(puct)),
        ablation(rollout_name, 0.35, 32, ordered(half), ordered(puct)),
        ablation(rollout_name, 0.35, 64, ordered(half), ordered(puct)),
        ablation(rollout_root_only, 0.35, 64, ordered(above), ordered(puct)),
    ]
}

/// Parallelization at equal total simulations.
pub(crate) fn parallel() -> Vec<Ablation<ConnectFour>> {
    let uct = MctsOptions::default();
    let batch = MctsOptions { batch: 8, ..uct };
    let root = move || RootParallel::new((0..4).map(|_| mcts(uct)()).collect(), 1).expect("some");
    let unsolved = MctsOptions { solve: false, ..uct };
    let shared = move || SharedTree::new(&uct, &Rollout::default(), None, 1).expect("good options");
    vec![
        ablation("batches of 8 with virtual loss", 0.42, 200, mcts(batch), mcts(uct)),
        ablation("root parallelization, 4 workers", 0.3, 400, root, mcts(uct)),
        ablation("tree parallelization, one thread", 0.4, 200, shared, mcts(unsolved)),
    ]
}

/// Searches with hidden information, on two-player Knockout Whist.
pub(crate) fn knockout_whist() -> Vec<Ablation<KnockoutWhist>> {
    let plain = IsMctsOptions::default();
    let multiple = IsMctsOptions { observer: Observer::Multiple, ..plain };
    let parallel =
        move || RootParallel::new((0..4).map(|_| info(plain)()).collect(), 1).expect("workers");
    let history = move || {
        let ordering = Some(Arc::new(History::new(2.0, KnockoutWhist::ACTIONS)) as _);
        IsMcts::with_ordering(&IsMctsOptions::puct(), Rollout::default(), ordering)
            .expect("good options")
    };
    let kept = ablation("tree reuse", 0.44, 500, info(plain), info(plain));
    let summed = "SO-ISMCTS over 10 determinizations, sum";
    let average = "SO-ISMCTS over 10 determinizations, average";
    let majority = "SO-ISMCTS over 10 determinizations, majority";
    vec![
        ablation(
            "SO-ISMCTS over 1 determinization",
            0.53,
            500,
            info(plain),
            ensemble(1, Combine::Sum),
        ),
        ablation(summed, 0.48, 500, info(plain), ensemble(10, Combine::Sum)),
        ablation(average, 0.45, 500, info(plain), ensemble(10, Combine::Average)),
        ablation(majority, 0.48, 500, info(plain), ensemble(10, Combine::Majority)),
        ablation("MO-ISMCTS over SO-ISMCTS", 0.45, 500, info(multiple), info(plain)),
        ablation("root parallelization, 4 workers", 0.44, 500, parallel, info(plain)),
        Ablation { reuses_tree: [true, false], ..kept },
        ablation("PUCT with history priors over UCT", 0.38, 500, history, info(plain)),
    ]
}
