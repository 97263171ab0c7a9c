//! The suite `scale`: how cost grows with threads, tree size, range size and network width.

use std::hint::black_box;
use std::thread;

use meeple_game::{ActionList, Game, Player, Rng, View, play_out};
use meeple_games::chess::Chess;
use meeple_games::small::ConnectFour;
use meeple_net::{Shape, Workload};
use meeple_poker::{CardSet, EquityOptions, Holding, Method, Variant, equity};
use meeple_search::{Budget, Mcts, MctsOptions, Rollout, RootParallel, Search, SharedTree};

use crate::search::{HashEvaluator, first_action, uct};
use crate::{Bench, Unit};

/// Nodes of the measured trees.
const NODES: [u64; 5] = [1_000, 10_000, 100_000, 1_000_000, 10_000_000];
/// The largest tree, with 7.2 GB: offsets of nodes have 31 bits, so none of 100 million fits.
const MOST_NODES: u64 = 50_000_000;
/// Bytes that allow for the nodes of connect four with what belongs to them.
const BYTES_PER_NODE: u64 = 170;
/// Shares of all hands, in percent, with their numbers of combos.
const RANGES: [(&str, u32); 5] =
    [("top 1%", 12), ("top 5%", 72), ("top 20%", 264), ("top 50%", 658), ("random", 1326)];
/// Units of the trunk.
const WIDTHS: [usize; 5] = [64, 128, 256, 512, 1024];
/// Examples of a training step.
const EXAMPLES: usize = 256;

pub(crate) fn measure(bench: &mut Bench<'_>, all: bool) {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    // Powers of two, then all cores.
    let mut counts: Vec<usize> = (0..).map(|power| 1 << power).take_while(|&n| n < cores).collect();
    counts.push(cores);
    let four = ConnectFour::new(&Default::default());
    let chess = Chess::new(&Default::default());
    for threads in counts {
        games(bench, threads, &four, 100_000);
        games(bench, threads, &chess, 200);
        // A tree of its own for each thread, then one tree of the same size for all.
        let count = threads as u64;
        searches(bench, threads, "root_parallel", &four, 400_000 * count, || {
            root_parallel(threads)
        });
        searches(bench, threads, "root_parallel", &chess, 2_000 * count, || root_parallel(threads));
        searches(bench, threads, "shared_tree", &four, 400_000, || {
            SharedTree::new(&uct(), &Rollout::default(), None, threads).expect("valid options")
        });
    }
    for nodes in NODES.into_iter().chain(all.then_some(MOST_NODES)) {
        tree(bench, &four, nodes);
    }
    for (range, combos) in RANGES {
        for (street, board) in [("flop", "2c7h9d"), ("turn", "2c7h9d3s")] {
            exact_equity(bench, street, board, range, combos);
        }
    }
    WIDTHS.into_iter().for_each(|width| training(bench, width));
}

/// Random games per second on `threads` threads, which share nothing.
fn games<G: Game>(bench: &mut Bench<'_>, threads: usize, start: &G, each: u64) {
    let name = format!("scale/threads_{threads}/random_games/{}", start.name());
    bench.add(name, Unit::GamesPerSecond, &mut |bench| {
        let play = |seed: u64, games: u64| {
            let (mut rng, mut scratch) = (Rng::new(seed), ActionList::new());
            for _ in 0..games {
                let mut game = *start;
                play_out(&mut game, &mut rng, &mut scratch);
                black_box(&game);
            }
        };
        let ns = bench.ns_per_op(&mut |times| {
            thread::scope(|scope| {
                for seed in 0..threads as u64 {
                    scope.spawn(move || play(seed, times * each));
                }
            });
        });
        (threads as u64 * each) as f64 * 1e9 / ns
    });
}

/// As many workers as threads.
fn root_parallel<G: Game>(threads: usize) -> RootParallel<Mcts<G, Rollout>> {
    let worker = |_| Mcts::new(&uct(), Rollout::default()).expect("valid options");
    RootParallel::new((0..threads).map(worker).collect(), threads).expect("at least one thread")
}

/// Simulations per second of a search with this many.
fn searches<G: Game, S: Search<G>>(
    bench: &mut Bench<'_>,
    threads: usize,
    kind: &str,
    game: &G,
    simulations: u64,
    make: impl Fn() -> S,
) {
    let name = format!("scale/threads_{threads}/{kind}/{}", game.name());
    bench.add(name, Unit::IterationsPerSecond, &mut |bench| {
        let (mut search, mut seed) = (make(), 0);
        let ns = bench.ns_per_op(&mut |times| {
            for _ in 0..times {
                seed += 1;
                black_box(new_tree(&mut search, game, &Budget::simulations(simulations), seed));
            }
        });
        simulations as f64 * 1e9 / ns
    });
}

/// Searches with a new tree; returns the number of simulations.
fn new_tree<G: Game>(search: &mut dyn Search<G>, game: &G, budget: &Budget, seed: u64) -> u64 {
    search.advance(&first_action(game, Player(0)));
    let report = search.search(&View::new(game, Player(0)), budget, seed);
    report.expect("the first player is to move").simulations
}

/// Nanoseconds per simulation while a tree grows from half of `nodes` to all of them, and its
/// memory at the end.
fn tree(bench: &mut Bench<'_>, game: &ConnectFour, nodes: u64) {
    let name = format!("scale/tree/{nodes}_nodes");
    if !bench.is_wanted(&name) {
        return;
    }
    let memory = (nodes * BYTES_PER_NODE).max(1 << 20) as usize;
    let options = MctsOptions { memory, ..uct() };
    let mut search = Mcts::new(&options, HashEvaluator).expect("valid options");
    let mut bytes = 0;
    // As many rounds as take a few seconds.
    let rounds = (10_000_000 / nodes).clamp(1, 2_000);
    let mut each: Vec<f64> = (0..rounds)
        .map(|seed| {
            new_tree(
                &mut search,
                game,
                &Budget { nodes: Some(nodes / 2), ..Budget::default() },
                seed,
            );
            let view = View::new(game, Player(0));
            let rest = Budget { nodes: Some(nodes), ..Budget::default() };
            let report = search.search(&view, &rest, seed).expect("the first player is to move");
            bytes = report.bytes;
            report.elapsed.as_nanos() as f64 / report.simulations.max(1) as f64
        })
        .collect();
    each.sort_by(f64::total_cmp);
    bench.push(name.clone(), Unit::NsPerOp, each[each.len() / 2]);
    bench.push(format!("{name}/memory"), Unit::Bytes, bytes as f64);
}

/// Nanoseconds of one exact equity between two equal ranges.
fn exact_equity(bench: &mut Bench<'_>, street: &str, board: &str, range: &str, combos: u32) {
    let name = format!("scale/equity/{street}/{combos}_combos");
    bench.add(name, Unit::NsPerOp, &mut |bench| {
        let range = Holding::parse(range, Variant::Holdem).expect("a valid range");
        let players = [range.clone(), range];
        let board: CardSet = board.parse().expect("a valid board");
        let options = EquityOptions { method: Method::Exact, threads: 1, ..Default::default() };
        bench.ns_per_op(&mut |times| {
            for _ in 0..times {
                black_box(equity(black_box(&players), board, &options).expect("a valid question"));
            }
        })
    });
}

/// Training examples per second of a network with a trunk of `width` units.
fn training(bench: &mut Bench<'_>, width: usize) {
    let name = format!("scale/training/width_{width}");
    bench.add(name, Unit::ExamplesPerSecond, &mut |bench| {
        let shape = Shape { width, ..Shape::default() };
        let (mut trainer, batch) = Workload::with_shape(EXAMPLES, shape).training();
        let ns = bench.ns_per_op(&mut |times| {
            for _ in 0..times {
                black_box(trainer.train_batch(&batch).expect("a valid training batch"));
            }
        });
        EXAMPLES as f64 * 1e9 / ns
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_the_combos_of_their_names() {
        for (range, combos) in RANGES {
            let range: meeple_poker::Range = range.parse().unwrap();
            assert_eq!(range.combos().count(), combos as usize);
        }
    }
}
