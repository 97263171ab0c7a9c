//! Lock-free tree parallelization.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use meeple_game::{Action, Game, Rng, View};

use super::atomic_tree::{AtomicTree, Edge};
use super::hot_nodes::HotNodes;
use super::worker::{SharedSearch, Worker};
use super::{OwnLine, run_all};
use crate::budget::{Budget, Control, Meter, StopReason};
use crate::evaluate::Evaluator;
use crate::mcts::{forced_report, root_state};
use crate::options::{MctsOptions, RootPolicy, expect};
use crate::ordering::MoveOrdering;
use crate::report::ActionReport;
use crate::search::Search;
use crate::select::Selector;
use crate::tree::ROOT;
use crate::{SearchError, SearchReport};

/// Tree parallelization: several threads share one tree without locks.
///
/// A visit is counted when it starts, which spreads the threads over the tree, but has no
/// value until it completes (compare Liu and others, 2020, "Watch the unobserved"). Nodes with
/// many visits are copied by every thread and exchanged at intervals. The
/// tree depends on the timing of the threads, so reports with more than one thread are not
/// reproducible. Those of [`RootParallel`](crate::RootParallel) are.
///
/// The options `batch`, `noise`, `widening`, `solve` and a Gumbel root are only supported
/// by [`Mcts`](crate::Mcts). Trees are not reused between moves.
///
/// ```
/// use meeple_game::{Game, Player, View};
/// use meeple_games::small::ConnectFour;
/// use meeple_search::{Budget, MctsOptions, Rollout, Search, SharedTree};
///
/// let game = ConnectFour::new(&Default::default());
/// let mut search = SharedTree::new(&MctsOptions::default(), &Rollout::default(), None, 2)?;
/// let report = search.search(&View::new(&game, Player(0)), &Budget::simulations(5000), 1)?;
/// assert_eq!((report.simulations, report.actions.len()), (5000, 7));
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
pub struct SharedTree<G: Game, E> {
    options: MctsOptions,
    evaluators: Vec<E>,
    ordering: Option<Arc<dyn MoveOrdering<G>>>,
    tree: AtomicTree,
    selector: Selector,
}

/// The copies of hot nodes take at most 1 / `HOT_SHARE` of the memory.
const HOT_SHARE: usize = 16;
/// Exploration weights that are precomputed for a search without a limit of simulations.
const PRECOMPUTED: u64 = 1 << 16;

impl<G: Game, E> std::fmt::Debug for SharedTree<G, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedTree").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<G: Game, E: Evaluator<G> + Clone + Send> SharedTree<G, E> {
    /// Creates a search with `threads` threads, each with a copy of an evaluator without a
    /// policy.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::BadOption`] if an option is out of range or not supported by
    /// this search.
    pub fn new(
        options: &MctsOptions,
        evaluator: &E,
        ordering: Option<Arc<dyn MoveOrdering<G>>>,
        threads: usize,
    ) -> Result<Self, SearchError> {
        options.check()?;
        expect(threads > 0, "threads", 0.0, "at least 1")?;
        let is_plain = matches!(options.root, RootPolicy::Same);
        expect(is_plain, "root", 1.0, "the in-tree selection rule")?;
        let has_policy = f32::from(u8::from(evaluator.has_policy()));
        expect(
            has_policy == 0.0,
            "evaluator.has_policy",
            has_policy,
            "0: an evaluator without a policy",
        )?;
        let selector = Selector::new(options);
        let memory = options.memory - selector.max_bytes() - options.memory / HOT_SHARE;
        Ok(Self {
            options: *options,
            evaluators: vec![evaluator.clone(); threads],
            ordering,
            tree: AtomicTree::new(memory),
            selector,
        })
    }
}

/// The report on the tree and these workers.
fn report<G: Game>(shared: &SharedSearch<'_, G>, workers: &[Worker]) -> SearchReport {
    let (tree, players) = (shared.tree, shared.root.players());
    let mut bytes = tree.bytes() + shared.selector.bytes() as u64;
    let (mut simulations, mut depth_sum, mut max_depth, mut evaluations) = (0u64, 0u64, 0, 0);
    for worker in workers {
        bytes += worker.bytes() as u64;
        simulations += worker.simulations;
        depth_sum += worker.depth_sum;
        max_depth = max_depth.max(worker.max_depth);
        evaluations += worker.evaluations;
    }
    let node = tree.node(ROOT);
    let edges = (0..node.edge_count).map(|edge| node.edge(edge));
    let available = edges.clone().map(|edge| u64::from(edge.counts().1)).sum();
    let mut report = SearchReport {
        simulations: available,
        nodes: shared.nodes.0.load(Relaxed),
        bytes,
        depth: max_depth as u32,
        mean_depth: depth_sum as f32 / simulations.max(1) as f32,
        evaluations,
        ..SearchReport::default()
    };
    let entry = |edge: Edge<'_>| ActionReport {
        action: edge.action(),
        visits: u64::from(edge.counts().1),
        available,
        values: edge.values(players),
        prior: f32::from(edge.prior()) / 65_535.0,
        ..ActionReport::default()
    };
    report.actions = edges.map(entry).collect();
    report.finish();
    report.variations = vec![principal_variation(tree)];
    report
}

/// The most visited edges from the root.
fn principal_variation(tree: &AtomicTree) -> Vec<Action> {
    let mut principal_variation = Vec::new();
    let mut at = ROOT;
    while at != 0 {
        let node = tree.node(at);
        let edges = (0..node.edge_count).map(|edge| node.edge(edge));
        let most =
            edges.reduce(|best, edge| if edge.counts().1 > best.counts().1 { edge } else { best });
        let Some(edge) = most.filter(|edge| edge.counts().1 > 0) else { break };
        principal_variation.push(edge.action());
        at = edge.child();
    }
    principal_variation
}

impl<G: Game, E: Evaluator<G> + Clone + Send> Search<G> for SharedTree<G, E> {
    fn search_with(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
    ) -> Result<SearchReport, SearchError> {
        let root = root_state(view)?;
        budget.check()?;
        let meter = Meter::start(budget);
        self.evaluators[0].check(&root)?;
        if let Some(report) = forced_report(&root) {
            return Ok(report);
        }
        self.tree.clear(root.players());
        let rng = Rng::new(seed);
        self.selector.precompute(budget.simulations.unwrap_or(PRECOMPUTED));
        let Self { options, evaluators, ordering, tree, selector } = self;
        let hot_limit = options.memory / HOT_SHARE / evaluators.len();
        let mut workers: Vec<Worker> = (0..evaluators.len() as u64)
            .map(|number| Worker::new(rng.split(number), HotNodes::new(hot_limit, tree.planes())))
            .collect();
        let shared = SharedSearch {
            options,
            ordering: ordering.as_deref(),
            tree,
            selector,
            root: &root,
            budget,
            meter: &meter,
            stop: &control.stop,
            claimed: OwnLine::default(),
            nodes: OwnLine::default(),
            failed: AtomicBool::new(false),
            failure: Mutex::new(None),
        };
        shared.expand(&root, &mut workers[0]).expect("the minimum memory limit fits the root");
        let mut progress_meter = Meter::start(budget);
        let progress = &mut control.progress;
        let mut on_chunk = |worker: &mut Worker| {
            let Some(progress) = progress else { return };
            progress_meter.done = shared.claimed.0.load(Relaxed);
            if progress_meter.is_due(progress.every) {
                shared.flush(worker);
                let mut so_far = report(&shared, std::slice::from_ref(worker));
                so_far.set_time(meter.elapsed());
                (progress.report)(&so_far);
            }
        };
        let mut stop_reason = StopReason::Simulations;
        {
            let shared = &shared;
            let mut assignments = workers.iter_mut().zip(evaluators);
            let mut own = assignments.next();
            let jobs = assignments.map(|(worker, evaluator)| {
                let run = move || {
                    shared.run(worker, evaluator, |_| {});
                };
                Box::new(run) as Box<dyn FnOnce() + Send>
            });
            run_all(jobs.collect(), &mut || {
                if let Some((worker, evaluator)) = own.take() {
                    stop_reason = shared.run(worker, evaluator, &mut on_chunk);
                }
            });
        }
        let mut report = report(&shared, &workers);
        let failure = shared.failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = failure {
            return Err(error);
        }
        report.set_time(meter.elapsed());
        report.stop_reason = stop_reason;
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FirstPlay, ProgressiveWidening, Rollout};
    use meeple_game::{Player, Turn};
    use meeple_games::small::{ConnectFour, Pig, pig};
    use std::sync::atomic::{AtomicI64, AtomicU64};

    /// Sums the values of the root actions over all simulations.
    #[derive(Default)]
    struct RootValueSum {
        simulations: AtomicU64,
        /// In halves: all payoffs here are multiples of 0.5.
        value_sum: AtomicI64,
    }

    impl<G: Game> MoveOrdering<G> for RootValueSum {
        fn weights(&self, _: &G, _: usize, _: &[Action], weights: &mut [f32]) {
            weights.fill(1.0);
        }

        fn needs_updates(&self) -> bool {
            true
        }

        fn update(&self, _: Player, depth: usize, _: Action, value: f32) {
            if depth == 0 {
                self.simulations.fetch_add(1, Relaxed);
                self.value_sum.fetch_add((2.0 * value) as i64, Relaxed);
            }
        }
    }

    /// Checks that no visit is in flight and that no node has more visits than its edge; returns the number of nodes.
    fn check_counts(tree: &AtomicTree, at: u32) -> u64 {
        let node = tree.node(at);
        let mut states = 1;
        for edge in (0..node.edge_count).map(|edge| node.edge(edge)) {
            let (started, done) = edge.counts();
            assert_eq!(started, done, "a visit was lost on its way");
            if edge.child() != 0 {
                // Even the first visitor may descend, if another thread overtook it and
                // expanded the node.
                assert!(tree.node(edge.child()).started() <= started);
                states += check_counts(tree, edge.child());
            }
        }
        states
    }

    fn check_shared_tree<G: Game>(game: &G, options: &MctsOptions, simulations: u64) {
        let Turn::Player(seat) = game.turn() else { panic!("no player is to move in {game}") };
        for threads in [1, 2, 8] {
            let recorded = Arc::new(RootValueSum::default());
            let ordering = Some(Arc::clone(&recorded) as Arc<dyn MoveOrdering<G>>);
            let mut search = SharedTree::new(options, &Rollout::default(), ordering, threads)
                .expect("good options");
            let budget = Budget::simulations(simulations);
            let report = search.search(&View::new(game, seat), &budget, 3).expect("it runs");
            let states = check_counts(&search.tree, ROOT);
            // Nodes of threads that expanded second are lost; there are few.
            assert!(states <= report.nodes && report.nodes - states < 2000, "{states}");
            assert_eq!(
                (report.simulations, recorded.simulations.load(Relaxed)),
                (simulations, simulations)
            );
            let root = search.tree.node(ROOT);
            let value_sum: f64 = (0..root.edge_count)
                .map(|edge| {
                    let edge = root.edge(edge);
                    let values = edge.values(game.players());
                    f64::from(values[seat.index()]) * f64::from(edge.counts().1)
                })
                .sum();
            let expected = recorded.value_sum.load(Relaxed) as f64 / 2.0;
            assert!((value_sum - expected).abs() < 1e-2, "{value_sum}, not {expected}");
            assert!(report.bytes <= options.memory as u64);
        }
    }

    #[test]
    fn no_visit_or_value_is_lost() {
        let four = ConnectFour::new(&Default::default());
        let uct = MctsOptions::default();
        check_shared_tree(&four, &uct, 40_000);
        check_shared_tree(&four, &MctsOptions { memory: 1 << 17, ..uct }, 20_000);
        check_shared_tree(&four, &MctsOptions::puct(), 20_000);
        let options = pig::Options { players: 3.try_into().expect("2 to 6"), ..Default::default() };
        let mut pig = Pig::new(&options);
        pig.apply(Action(4));
        check_shared_tree(&pig, &MctsOptions { first_play: FirstPlay::Value(0.0), ..uct }, 20_000);
    }

    #[test]
    fn unsupported_options_are_rejected() {
        let make = |options: &MctsOptions, threads| {
            SharedTree::<ConnectFour, _>::new(options, &Rollout::default(), None, threads).err()
        };
        let uct = MctsOptions::default();
        assert!(make(&uct, 0).is_some_and(|error| error.to_string().starts_with("threads is 0")));
        let root = RootPolicy::Gumbel(Default::default());
        assert!(make(&MctsOptions { root, ..uct }, 1).is_some());
        let widening = Some(ProgressiveWidening { factor: -1.0, exponent: 1.0 });
        assert!(make(&MctsOptions { widening, ..uct }, 1).is_some());
    }
}
