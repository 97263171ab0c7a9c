//! One tree that several threads walk at once.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use meeple_game::{Action, Game, Rng, View};

use super::arena::{Arena, Edge};
use super::trip::{Common, Trip};
use crate::budget::{Budget, Control, Ended, Meter};
use crate::evaluate::Evaluator;
use crate::mcts::{forced, root_of};
use crate::options::{MctsOptions, RootRule, expect};
use crate::ordering::Ordering;
use crate::report::ActionReport;
use crate::search::Search;
use crate::tree::ROOT;
use crate::{SearchError, SearchReport};

/// One tree that several threads walk at once, without locks.
///
/// A visit counts from its beginning, so that threads spread over the tree, but
/// has no value until it is done. Which thread is faster changes the tree: with
/// more than one thread, reports do not repeat. Where they must, take
/// [`TreeParallel`](crate::TreeParallel); where one tree is not needed,
/// [`RootParallel`](crate::RootParallel), which is faster.
///
/// Of the options, `batch`, `noise`, `widening`, `solve` and a Gumbel root are
/// for [`Mcts`](crate::Mcts), and no tree is kept between moves.
///
/// ```
/// use meeple_game::{Game, Player, View};
/// use meeple_games::small::ConnectFour;
/// use meeple_search::{Budget, MctsOptions, Rollout, Search, SharedTree};
///
/// let game = ConnectFour::new(&Default::default());
/// let mut search = SharedTree::new(&MctsOptions::default(), &Rollout::default(), None, 2)?;
/// let report = search.search(&View::new(&game, Player(0)), &Budget::iterations(5000), 1)?;
/// assert_eq!((report.iterations, report.actions.len()), (5000, 7));
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
pub struct SharedTree<G: Game, E> {
    options: MctsOptions,
    evaluators: Vec<E>,
    ordering: Option<Arc<dyn Ordering<G>>>,
    arena: Arena,
}

impl<G: Game, E> std::fmt::Debug for SharedTree<G, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedTree").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<G: Game, E: Evaluator<G> + Clone + Send> SharedTree<G, E> {
    /// A search by `threads` threads, each with a copy of an evaluator without
    /// a policy.
    ///
    /// # Errors
    ///
    /// When an option makes no sense, or is not for this search.
    pub fn new(
        options: &MctsOptions,
        evaluator: &E,
        ordering: Option<Arc<dyn Ordering<G>>>,
        threads: usize,
    ) -> Result<Self, SearchError> {
        options.check()?;
        expect(threads > 0, "threads", 0.0, "at least 1")?;
        let is_plain = matches!(options.root, RootRule::Same);
        expect(is_plain, "root", 1.0, "the same rule as everywhere else")?;
        let has_policy = f32::from(u8::from(evaluator.has_policy()));
        expect(has_policy == 0.0, "evaluator.has_policy", has_policy, "0: one without")?;
        Ok(Self {
            options: *options,
            evaluators: vec![evaluator.clone(); threads],
            ordering,
            arena: Arena::new(options.memory),
        })
    }
}

/// What has been found out by these.
fn report<'t>(
    arena: &Arena,
    players: usize,
    trips: impl Iterator<Item = &'t Trip>,
) -> SearchReport {
    let (mut walks, mut steps, mut deepest, mut evaluations) = (0u64, 0u64, 0, 0);
    for trip in trips {
        walks += trip.walks;
        steps += trip.steps;
        deepest = deepest.max(trip.deepest);
        evaluations += trip.evaluations;
    }
    let block = arena.block(ROOT);
    let edges = (0..block.count).map(|edge| block.edge(edge));
    let available = edges.clone().map(|edge| u64::from(edge.counts().1)).sum();
    let mut report = SearchReport {
        iterations: available,
        nodes: arena.nodes(),
        bytes: arena.bytes(),
        depth: deepest as u32,
        mean_depth: steps as f32 / walks.max(1) as f32,
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
    report.conclude();
    report.variations = vec![line(arena)];
    report
}

/// What is visited most.
fn line(arena: &Arena) -> Vec<Action> {
    let mut line = Vec::new();
    let mut at = ROOT;
    while at != 0 {
        let block = arena.block(at);
        let edges = (0..block.count).map(|edge| block.edge(edge));
        let most =
            edges.reduce(|best, edge| if edge.counts().1 > best.counts().1 { edge } else { best });
        let Some(edge) = most.filter(|edge| edge.counts().1 > 0) else { break };
        line.push(edge.action());
        at = edge.child();
    }
    line
}

impl<G: Game, E: Evaluator<G> + Clone + Send> Search<G> for SharedTree<G, E> {
    fn search_with(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
    ) -> Result<SearchReport, SearchError> {
        if G::HIDDEN {
            return Err(SearchError::Hidden { game: G::NAME });
        }
        budget.check()?;
        let meter = Meter::start(budget);
        let root = root_of(view)?;
        self.evaluators[0].check(&root)?;
        if let Some(report) = forced(&root) {
            return Ok(report);
        }
        self.arena.clear(root.players());
        let rng = Rng::new(seed);
        let mut trips: Vec<Trip> =
            (0..self.evaluators.len()).map(|number| Trip::new(rng.split(number as u64))).collect();
        let Self { options, evaluators, ordering, arena } = self;
        let common = Common {
            options,
            ordering: ordering.as_deref(),
            arena,
            root: &root,
            budget,
            meter: &meter,
            stop: &control.stop,
            taken: AtomicU64::new(0),
            failed: AtomicBool::new(false),
            failure: Mutex::new(None),
        };
        common.expand(&root, &mut trips[0]).expect("the least memory allowed holds the root");
        let mut watching = Meter::start(budget);
        let progress = &mut control.progress;
        let mut watch = |trip: &Trip| {
            let Some(progress) = progress else { return };
            watching.done = common.taken.load(Relaxed);
            if watching.is_due(progress.every) {
                let mut so_far = report(common.arena, common.root.players(), [trip].into_iter());
                so_far.clock(meter.elapsed());
                (progress.report)(&so_far);
            }
        };
        let mut ended = Ended::Iterations;
        thread::scope(|scope| {
            let common = &common;
            let mut workers = trips.iter_mut().zip(evaluators);
            let own = workers.next();
            for (trip, evaluator) in workers {
                scope.spawn(move || common.run(trip, evaluator, |_| {}));
            }
            if let Some((trip, evaluator)) = own {
                ended = common.run(trip, evaluator, &mut watch);
            }
        });
        let failure = common.failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = failure {
            return Err(error);
        }
        let mut report = report(&self.arena, root.players(), trips.iter());
        report.clock(meter.elapsed());
        report.ended = ended;
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FirstPlay, Rollout, Widening};
    use meeple_game::{Player, Turn};
    use meeple_games::small::{ConnectFour, Pig, pig};
    use std::sync::atomic::AtomicI64;

    /// Adds up what the first decision of every walk was worth.
    #[derive(Default)]
    struct Ledger {
        walks: AtomicU64,
        /// In halves, which all payoffs here are multiples of.
        worth: AtomicI64,
    }

    impl<G: Game> Ordering<G> for Ledger {
        fn weigh(&self, _: &G, _: usize, _: &[Action], weights: &mut [f32]) {
            weights.fill(1.0);
        }

        fn learns(&self) -> bool {
            true
        }

        fn learn(&self, _: Player, depth: usize, _: Action, value: f32) {
            if depth == 0 {
                self.walks.fetch_add(1, Relaxed);
                self.worth.fetch_add((2.0 * value) as i64, Relaxed);
            }
        }
    }

    /// Nothing is on its way, every visit went on through one edge, and no
    /// state has more visits than lead to it; how many states there are.
    fn check_counts(arena: &Arena, at: u32) -> u64 {
        let block = arena.block(at);
        let mut states = 1;
        let mut sum = 0;
        for edge in (0..block.count).map(|edge| block.edge(edge)) {
            let (begun, done) = edge.counts();
            assert_eq!(begun, done, "a visit was lost on its way");
            sum += u64::from(begun);
            if edge.child() != 0 {
                // Even the first visitor may go on, if another overtook it and made
                // the block.
                assert!(arena.block(edge.child()).begun() <= u64::from(begun));
                states += check_counts(arena, edge.child());
            }
        }
        assert_eq!(sum, block.begun());
        states
    }

    fn hammer<G: Game>(game: &G, options: &MctsOptions, iterations: u64) {
        let Turn::Player(seat) = game.turn() else { panic!("nobody decides in {game}") };
        for threads in [1, 2, 8] {
            let ledger = Arc::new(Ledger::default());
            let ordering = Some(Arc::clone(&ledger) as Arc<dyn Ordering<G>>);
            let mut search = SharedTree::new(options, &Rollout::default(), ordering, threads)
                .expect("good options");
            let budget = Budget::iterations(iterations);
            let report = search.search(&View::new(game, seat), &budget, 3).expect("it runs");
            let states = check_counts(&search.arena, ROOT);
            // Blocks of those who came second are lost, and few.
            assert!(states <= report.nodes && report.nodes - states < 2000, "{states}");
            assert_eq!((report.iterations, ledger.walks.load(Relaxed)), (iterations, iterations));
            let root = search.arena.block(ROOT);
            let worth: f64 = (0..root.count)
                .map(|edge| {
                    let edge = root.edge(edge);
                    let values = edge.values(game.players());
                    f64::from(values[seat.index()]) * f64::from(edge.counts().1)
                })
                .sum();
            let expected = ledger.worth.load(Relaxed) as f64 / 2.0;
            assert!((worth - expected).abs() < 1e-2, "{worth}, not {expected}");
            assert!(report.bytes <= options.memory as u64);
        }
    }

    #[test]
    fn no_visit_and_no_value_is_lost() {
        let four = ConnectFour::new(&Default::default());
        let uct = MctsOptions::default();
        hammer(&four, &uct, 40_000);
        hammer(&four, &MctsOptions { memory: 1 << 17, ..uct }, 20_000);
        hammer(&four, &MctsOptions::puct(), 20_000);
        let options = pig::Options { players: 3.try_into().expect("2 to 6"), ..Default::default() };
        let mut pig = Pig::new(&options);
        pig.apply(Action(4));
        hammer(&pig, &MctsOptions { first_play: FirstPlay::Value(0.0), ..uct }, 20_000);
    }

    #[test]
    fn what_is_not_for_it_is_refused() {
        let make = |options: &MctsOptions, threads| {
            SharedTree::<ConnectFour, _>::new(options, &Rollout::default(), None, threads).err()
        };
        let uct = MctsOptions::default();
        assert!(make(&uct, 0).is_some_and(|error| error.to_string().starts_with("threads is 0")));
        let root = RootRule::Gumbel(Default::default());
        assert!(make(&MctsOptions { root, ..uct }, 1).is_some());
        let widening = Some(Widening { factor: -1.0, exponent: 1.0 });
        assert!(make(&MctsOptions { widening, ..uct }, 1).is_some());
    }
}
