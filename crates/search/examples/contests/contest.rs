//! Contests between two searches: each deal is played twice with the seats
//! changed, and pairs are what is counted.

use std::sync::Arc;

use meeple_game::{Game, Rng, Turn, View};
use meeple_games::small::{ConnectFour, KnockoutWhist};
use meeple_search::{
    Budget, Combine, Ensemble, EnsembleOptions, FirstPlay, GraphMcts, GraphOptions, GumbelOptions,
    Heuristic, History, IsMcts, IsMctsOptions, Knower, Mcts, MctsOptions, OneStep, Rollout,
    RootParallel, RootRule, Search, Selection, TreeParallel, Widening,
};

/// A search to be made.
type Make<G> = Box<dyn Fn() -> Box<dyn Search<G>>>;

/// Who plays whom, and how much each may think.
pub(crate) struct Contest<G> {
    pub(crate) name: &'static str,
    pub(crate) sims: [u64; 2],
    make: [Make<G>; 2],
    /// Whether each is told what was played, to keep its tree.
    keeps: [bool; 2],
}

/// The mean score of the first side in pairs of games, and half the width of
/// its 95 % interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Score {
    pub(crate) mean: f64,
    pub(crate) margin: f64,
}

/// Plays `pairs` pairs of games.
pub(crate) fn play<G: Game>(contest: &Contest<G>, config: &G::Config, pairs: u64) -> Score {
    let mut sides = [(contest.make[0])(), (contest.make[1])()];
    let scores: Vec<f64> = (0..pairs)
        .map(|pair| {
            let game = |first| play_game(contest, config, &mut sides, pair, first);
            [0, 1].map(game).iter().sum::<f64>() / 2.0
        })
        .collect();
    let mean = scores.iter().sum::<f64>() / pairs as f64;
    let variance =
        scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (pairs - 1).max(1) as f64;
    Score { mean, margin: 1.96 * (variance / pairs as f64).sqrt() }
}

/// One game, `first` saying which side has the first seat; what the first side
/// scored, from 0 to 1.
fn play_game<G: Game>(
    contest: &Contest<G>,
    config: &G::Config,
    sides: &mut [Box<dyn Search<G>>; 2],
    pair: u64,
    first: usize,
) -> f64 {
    let root = Rng::new(pair);
    let (mut luck, mut seeds) = (root.split(0), root.split(1 + first as u64));
    let mut game = G::new(config);
    let mut scratch = meeple_game::ActionList::new();
    let mut decisions = 0;
    let mut played: [Vec<meeple_game::Action>; 2] = Default::default();
    while game.turn() != Turn::Over {
        let action = match game.turn() {
            // Games without luck start with two random moves, the same for
            // both games of a pair.
            Turn::Player(_) if !G::LUCK && decisions < 2 => {
                decisions += 1;
                game.sample_action(&mut luck, &mut scratch)
            }
            Turn::Player(seat) => {
                let side = (seat.index() + first) % 2;
                if contest.keeps[side] {
                    sides[side].advance(&played[side]);
                    played[side].clear();
                }
                let budget = Budget::iterations(contest.sims[side]);
                let view = View::new(&game, seat);
                sides[side].search(&view, &budget, seeds.bits()).expect("it may run").best
            }
            _ => game.sample_chance(&mut luck),
        };
        played.iter_mut().for_each(|played| played.push(action));
        game.apply(action);
    }
    // What is left in the trees belongs to this game.
    played.iter_mut().zip(sides).for_each(|(played, side)| side.advance(played));
    f64::from(game.payoffs()[first] + 1.0) / 2.0
}

fn contest<G: Game, A: Search<G> + 'static, B: Search<G> + 'static>(
    name: &'static str,
    sims: u64,
    one: impl Fn() -> A + 'static,
    other: impl Fn() -> B + 'static,
) -> Contest<G> {
    let make: [Make<G>; 2] =
        [Box::new(move || Box::new(one())), Box::new(move || Box::new(other()))];
    Contest { name, sims: [sims, sims], make, keeps: [false, false] }
}

type Four = Mcts<ConnectFour, Rollout>;

fn mcts(options: MctsOptions) -> impl Fn() -> Four {
    move || Mcts::new(&options, Rollout::default()).expect("good options")
}

fn ordered(options: MctsOptions) -> impl Fn() -> Four {
    move || {
        let ordering = Some(Arc::new(OneStep::default()) as _);
        Mcts::with_ordering(&options, Rollout::default(), ordering).expect("good options")
    }
}

fn remembering(options: MctsOptions) -> impl Fn() -> Four {
    move || {
        let ordering = Some(Arc::new(History::new::<ConnectFour>(2.0)) as _);
        Mcts::with_ordering(&options, Rollout::default(), ordering).expect("good options")
    }
}

/// The game's own estimate for values and for the ordering: no noise at all.
fn estimated(options: MctsOptions) -> impl Fn() -> Mcts<ConnectFour, Heuristic> {
    move || {
        let ordering = Some(Arc::new(OneStep::default()) as _);
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

fn worlds(worlds: usize, combine: Combine) -> impl Fn() -> Ensemble<KnockoutWhist, Rollout> {
    move || {
        let options = EnsembleOptions { worlds, combine, ..EnsembleOptions::default() };
        Ensemble::new(&options, Rollout::default()).expect("good options")
    }
}

/// The options against going without, on connect four.
pub(crate) fn connect_four() -> Vec<Contest<ConnectFour>> {
    let uct = MctsOptions::default();
    let puct = MctsOptions::puct();
    let gumbel = MctsOptions { root: RootRule::Gumbel(GumbelOptions::default()), ..puct };
    let parent = MctsOptions { first_play: FirstPlay::ParentMinus(0.2), ..uct };
    let bias = MctsOptions { selection: Selection::Uct { exploration: 1.0, bias: 1.0 }, ..uct };
    let wide = MctsOptions { widening: Some(Widening::default()), ..puct };
    let batch = MctsOptions { batch: 8, ..uct };
    let constant =
        |exploration| MctsOptions { selection: Selection::Uct { exploration, bias: 0.0 }, ..uct };
    let more = contest("four times the simulations", 100, mcts(uct), mcts(uct));
    let reuse = contest("tree kept between moves", 200, mcts(uct), mcts(uct));
    let cut_off = || {
        Mcts::<ConnectFour, _>::new(&MctsOptions::default(), Rollout::new(Some(8)))
            .expect("good options")
    };
    let heuristic =
        || Mcts::<ConnectFour, _>::new(&MctsOptions::puct(), Heuristic).expect("good options");
    let parallel =
        move || RootParallel::new((0..4).map(|_| mcts(uct)()).collect(), 1).expect("workers");
    let shared = || {
        let options = MctsOptions { batch: 8, ..MctsOptions::default() };
        TreeParallel::new(&options, &Rollout::default(), None, 1).expect("good options")
    };
    vec![
        Contest { sims: [400, 100], ..more },
        Contest { keeps: [true, false], ..reuse },
        contest(
            "proven wins and losses",
            200,
            mcts(uct),
            mcts(MctsOptions { solve: false, ..uct }),
        ),
        contest("exploration 0.7 instead of 1", 200, mcts(constant(0.7)), mcts(uct)),
        contest("exploration 1.4 instead of 1", 200, mcts(constant(1.4)), mcts(uct)),
        contest("first play at the parent's value - 0.2", 200, mcts(parent), mcts(uct)),
        contest("PUCT with even priors", 200, mcts(puct), mcts(uct)),
        contest("PUCT with an ordering", 200, ordered(puct), mcts(uct)),
        contest("PUCT with an ordering and widening", 200, ordered(wide), mcts(uct)),
        contest("PUCT with a history", 200, remembering(puct), mcts(puct)),
        contest("UCT with the ordering as a bias", 200, ordered(bias), mcts(uct)),
        contest("Gumbel root over PUCT, by estimates", 16, estimated(gumbel), estimated(puct)),
        contest("Gumbel root over PUCT, by estimates", 64, estimated(gumbel), estimated(puct)),
        contest("Gumbel root over PUCT, by rollouts", 16, ordered(gumbel), ordered(puct)),
        contest("transpositions", 500, graph(true), graph(false)),
        contest("rollouts cut off after 8 steps", 200, cut_off, mcts(uct)),
        contest("the game's estimate instead of rollouts", 200, heuristic, mcts(uct)),
        contest("batches of 8 with virtual loss", 200, mcts(batch), mcts(uct)),
        contest("tree-parallel, batches of 8", 200, shared, mcts(uct)),
        contest("root-parallel, 4 workers", 400, parallel, mcts(uct)),
    ]
}

/// The ways to search what is hidden, on Knockout Whist for two.
pub(crate) fn knockout_whist() -> Vec<Contest<KnockoutWhist>> {
    let plain = IsMctsOptions::default();
    let mover = IsMctsOptions { knower: Knower::Mover, ..plain };
    let parallel = || {
        RootParallel::new((0..4).map(|_| info(IsMctsOptions::default())()).collect(), 1)
            .expect("workers")
    };
    vec![
        contest("information sets over one world", 500, info(plain), worlds(1, Combine::Sum)),
        contest("information sets over 10 worlds, sum", 500, info(plain), worlds(10, Combine::Sum)),
        contest(
            "information sets over 10 worlds, average",
            500,
            info(plain),
            worlds(10, Combine::Average),
        ),
        contest(
            "information sets over 10 worlds, majority",
            500,
            info(plain),
            worlds(10, Combine::Majority),
        ),
        contest("by the mover's knowledge, not the searcher's", 500, info(mover), info(plain)),
        contest("root-parallel, 4 workers", 500, parallel, info(plain)),
    ]
}
