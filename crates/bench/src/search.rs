//! The suite `search`: simulations per second, mostly on games cheap enough that the search
//! itself dominates.

use std::hint::black_box;

use meeple_game::{Action, Game, Payoffs, Player, Rng, Turn, View};
use meeple_games::backgammon::Backgammon;
use meeple_games::chess::Chess;
use meeple_games::small::{ConnectFour, KnockoutWhist, Leduc, knockout_whist};
use meeple_search::{
    AlphaBeta, AlphaBetaOptions, Budget, Evaluator, FirstPlay, GraphMcts, GraphOptions, IsMcts,
    IsMctsOptions, Mcts, MctsOptions, Observer, Rollout, RootParallel, Search, SearchReport,
    Selection, SharedTree,
};

use crate::wide::Wide;
use crate::{Bench, Unit, files};

/// Simulations of a large tree, as in the published numbers of other libraries.
const LARGE: u64 = 200_000;
/// Simulations of a tree that fits in the cache.
const SMALL: u64 = 800;

/// UCT with the exploration constant √2 that other libraries are measured with.
pub(crate) fn uct() -> MctsOptions {
    let exploration = std::f32::consts::SQRT_2;
    MctsOptions { selection: Selection::Uct { exploration, bias: 0.0 }, ..MctsOptions::default() }
}

/// An evaluator that derives a value from the hash of a state: as cheap as possible.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HashEvaluator;

impl<G: Game> Evaluator<G> for HashEvaluator {
    #[inline]
    fn is_rollout(&self) -> bool {
        true
    }

    #[inline(always)]
    fn evaluate(&mut self, states: &[G], _: &mut Rng, values: &mut [Payoffs], _: &mut [f32]) {
        for (state, value) in states.iter().zip(values) {
            let first = (state.key() >> 40) as f32 * (1.0 / (1 << 23) as f32) - 1.0;
            value[..2].copy_from_slice(&[first, -first]);
        }
    }
}

pub(crate) fn measure(bench: &mut Bench<'_>) {
    let four = ConnectFour::new(&Default::default());
    search(bench, "connect-four/uct", &four, LARGE, || rollouts(&uct()));
    search(bench, "connect-four/uct_two_threads", &four, LARGE, || {
        RootParallel::new(vec![rollouts(&uct()), rollouts(&uct())], 2).expect("two of each")
    });
    for threads in [1, 2] {
        search(bench, &format!("connect-four/shared_tree_{threads}_threads"), &four, LARGE, || {
            SharedTree::new(&uct(), &Rollout::default(), None, threads).expect("valid options")
        });
    }
    search(bench, "connect-four/graph", &four, LARGE, || {
        let options = GraphOptions { search: uct(), ..GraphOptions::default() };
        GraphMcts::new(&options, Rollout::default(), None).expect("valid options")
    });
    search(bench, "connect-four/uct_no_rollout", &four, SMALL, || {
        Mcts::new(&uct(), HashEvaluator).expect("valid options")
    });
    search(bench, "wide/puct_no_rollout", &Wide::new(&()), SMALL, || {
        // A first-play urgency of 0 gives a tree as flat as in the published numbers.
        let selection = Selection::Puct { exploration: 1.5, base: 19_652.0 };
        let first_play = FirstPlay::Value(0.0);
        let options = MctsOptions { selection, first_play, ..MctsOptions::default() };
        Mcts::new(&options, HashEvaluator).expect("valid options")
    });
    for players in [2, 4] {
        let options = knockout_whist::Options { players: players.try_into().expect("2 or 4") };
        let game: KnockoutWhist = dealt(&options);
        search(bench, &format!("knockout-whist/{players}_players"), &game, LARGE, || {
            IsMcts::new(&IsMctsOptions::default(), Rollout::default()).expect("valid options")
        });
    }
    let mut leduc = Leduc::new(&Default::default());
    [Action(1), Action(0)].into_iter().for_each(|card| leduc.apply(card));
    for (name, observer) in [("searcher", Observer::Single), ("mover", Observer::Multiple)] {
        search(bench, &format!("leduc/by_{name}"), &leduc, LARGE, || {
            let options = IsMctsOptions { observer, ..IsMctsOptions::default() };
            IsMcts::new(&options, Rollout::default()).expect("valid options")
        });
    }
    search(bench, "chess/uct", &Chess::new(&Default::default()), 2000, || rollouts(&uct()));
    search(bench, "backgammon/uct", &dealt::<Backgammon>(&Default::default()), 2000, || {
        rollouts(&uct())
    });
    alpha_beta(bench, "chess", &middlegame(), 10);
    alpha_beta(bench, "backgammon", &dealt::<Backgammon>(&Default::default()), 2);
    files::measure_searches(bench);
}

/// A position of the Italian game.
fn middlegame() -> Chess {
    let fen = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
    Chess::new(&meeple_games::chess::Options { fen: fen.parse().expect("a legal position") })
}

/// Measures alpha-beta to a depth with an empty table: nodes per second, the growth of the tree
/// from the depth before, and how often the table knows a position.
fn alpha_beta<G: Game>(bench: &mut Bench<'_>, name: &str, game: &G, depth: u32) {
    let name = format!("search/{name}/alpha_beta");
    if !bench.is_wanted(&name) {
        return;
    }
    let Turn::Player(seat) = game.turn() else { return };
    let view = View::new(game, seat);
    let make = |depth| {
        let options = AlphaBetaOptions { depth, ..AlphaBetaOptions::default() };
        AlphaBeta::<G>::new(&options).expect("valid options")
    };
    let run = |search: &mut AlphaBeta<G>| -> SearchReport {
        search.reset();
        search.search(&view, &Budget::default(), 0).expect("the seat is to move")
    };
    let (report, before) = (run(&mut make(depth)), run(&mut make(depth - 1)));
    let mut search = make(depth);
    let ns = bench.ns_per_op(&mut |repetitions| {
        for _ in 0..repetitions {
            black_box(run(&mut search));
        }
    });
    bench.push(name.clone(), Unit::NodesPerSecond, report.nodes as f64 * 1e9 / ns);
    let growth = report.nodes as f64 / before.nodes as f64;
    bench.push(format!("{name}/branching"), Unit::BranchingFactor, growth);
    if let Some(table) = report.table {
        let share = table.hits as f64 / table.lookups.max(1) as f64;
        bench.push(format!("{name}/table"), Unit::HitRate, share);
    }
}

pub(crate) fn rollouts<G: Game>(options: &MctsOptions) -> Mcts<G, Rollout> {
    Mcts::new(options, Rollout::default()).expect("valid options")
}

/// Returns the first decision state, after sampling chance events.
fn dealt<G: Game>(config: &G::Config) -> G {
    let mut game = G::new(config);
    let mut rng = Rng::new(3);
    while game.turn() == Turn::Chance {
        game.apply(game.sample_chance(&mut rng));
    }
    game
}

/// Measures searches of `game` that each build a new tree.
pub(crate) fn search<G: Game, S: Search<G>>(
    bench: &mut Bench<'_>,
    name: &str,
    game: &G,
    simulations: u64,
    make: impl Fn() -> S,
) {
    let name = format!("search/{name}");
    if !bench.is_wanted(&name) {
        return;
    }
    let Turn::Player(seat) = game.turn() else { return };
    let view = View::new(game, seat);
    let budget = Budget::simulations(simulations);
    let run = |search: &mut S, seed| -> SearchReport {
        search.search(&view, &budget, seed).expect("the seat is to move")
    };
    let bytes = run(&mut make(), 1).bytes;
    let mut search = make();
    let mut seed = 0;
    let ns = bench.ns_per_op(&mut |repetitions| {
        for _ in 0..repetitions {
            // Tree reuse would keep the tree of the same root: advancing discards it.
            search.advance(&first_action(game, seat));
            seed += 1;
            black_box(run(&mut search, seed));
        }
    });
    bench.push(name.clone(), Unit::IterationsPerSecond, simulations as f64 * 1e9 / ns);
    let bytes = bytes as f64 / simulations as f64;
    bench.push(format!("{name}/memory"), Unit::BytesPerIteration, bytes);
}

/// Returns the first legal action, which leads away from the root.
pub(crate) fn first_action<G: Game>(game: &G, seat: Player) -> Vec<Action> {
    let mut actions = meeple_game::ActionList::new();
    View::new(game, seat).legal_actions(&mut actions);
    actions.iter().copied().take(1).collect()
}
