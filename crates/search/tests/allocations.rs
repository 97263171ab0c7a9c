//! A warm search allocates nothing but its report, whatever the number of simulations, and
//! stays within its memory limit.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

use meeple_game::{ActionList, Game, Payoffs, Player, Rng, Turn, View, playout};
use meeple_games::small::{ConnectFour, KnockoutWhist};
use meeple_search::{
    AlphaBeta, AlphaBetaOptions, BatchedMcts, Budget, Cached, Evaluator, GraphMcts, GraphOptions,
    GumbelOptions, Heuristic, History, IsMcts, IsMctsOptions, Killers, Mcts, MctsOptions, Observer,
    OneStepLookahead, ProgressiveWidening, Rollout, RootPolicy, Search,
};

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    /// Bytes that this thread holds, and their peak.
    static HELD: Cell<[i64; 2]> = const { Cell::new([0; 2]) };
}

fn track(bytes: i64) {
    HELD.with(|held| {
        let [now, most] = held.get();
        held.set([now + bytes, most.max(now + bytes)]);
    });
}

/// Counts the allocations of a thread.
struct Counting;

#[allow(unsafe_code, reason = "an allocator can be written in no other way")]
// SAFETY: every call is passed on unchanged to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        track(layout.size() as i64);
        // SAFETY: the caller upholds the requirements of the system allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        track(-(layout.size() as i64));
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        track(size as i64 - layout.size() as i64);
        // SAFETY: as above.
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The number of allocations while `work` runs.
fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

fn four() -> ConnectFour {
    ConnectFour::new(&Default::default())
}

fn whist() -> KnockoutWhist {
    let mut game = KnockoutWhist::new(&Default::default());
    let mut rng = Rng::new(4);
    while game.turn() == Turn::Chance {
        game.apply(game.sample_chance(&mut rng));
    }
    game
}

/// The peak of additional bytes held while `work` runs.
fn peak_bytes(work: impl FnOnce()) -> i64 {
    let [before, _] = HELD.with(Cell::get);
    HELD.with(|held| held.set([before; 2]));
    work();
    HELD.with(Cell::get)[1] - before
}

/// Allocations allowed for the report and the start of a search.
const REPORT: u64 = 60;

/// Searches twice with one seed: the second search is warm.
#[track_caller]
fn allocates_nothing_once_warm<G: Game>(what: &str, game: &G, mut search: impl Search<G>) {
    let Turn::Player(seat) = game.turn() else { panic!("no player is to move in {game}") };
    let view = View::new(game, seat);
    let elsewhere = {
        let mut actions = ActionList::new();
        game.legal_actions(&mut actions);
        [actions[0]]
    };
    let mut run = || {
        search.search(&view, &Budget::simulations(5000), 5).expect("it runs");
    };
    let first = allocations(&mut run);
    let again = allocations(&mut run);
    assert!(first > 0, "the counter counts");
    assert!(again <= REPORT, "{what}: {again} allocations, {first} at first");
    // A reused tree of the same root does not grow, so another root comes between; twice,
    // since trees alternate between two buffers.
    let mut fresh = 0;
    for _ in 0..2 {
        search.advance(&elsewhere);
        fresh = allocations(|| {
            search.search(&view, &Budget::simulations(5000), 5).expect("it runs");
        });
    }
    assert!(fresh <= REPORT, "{what}: {fresh} allocations for a new tree");
}

#[test]
fn alpha_beta_allocates_nothing() {
    let search = AlphaBeta::new(&AlphaBetaOptions::default()).expect("valid options");
    allocates_nothing_once_warm("alpha-beta", &four(), search);
}

#[test]
fn playouts_allocate_nothing() {
    let (mut rng, mut scratch) = (Rng::new(1), ActionList::new());
    let count = allocations(|| {
        for _ in 0..100 {
            playout(&mut four(), &mut rng, &mut scratch);
            playout(&mut whist(), &mut rng, &mut scratch);
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn perfect_information_searches_allocate_nothing() {
    let (uct, puct) = (MctsOptions::default(), MctsOptions::puct());
    let root = RootPolicy::Gumbel(GumbelOptions { below: true, ..GumbelOptions::default() });
    let wide = MctsOptions { widening: Some(ProgressiveWidening::default()), ..puct };
    let rollouts = |options| Mcts::new(&options, Rollout::default()).expect("good options");
    allocates_nothing_once_warm("UCT", &four(), rollouts(uct));
    allocates_nothing_once_warm("PUCT", &four(), rollouts(puct));
    allocates_nothing_once_warm("batches", &four(), rollouts(MctsOptions { batch: 8, ..uct }));
    allocates_nothing_once_warm("a Gumbel root", &four(), rollouts(MctsOptions { root, ..puct }));
    let cached = Mcts::new(&puct, Cached::new(Heuristic, 1 << 12).expect("some"));
    allocates_nothing_once_warm("an evaluation cache", &four(), cached.expect("good options"));
    let ordered =
        Mcts::with_ordering(&wide, Heuristic, Some(Arc::new(OneStepLookahead::default())));
    allocates_nothing_once_warm(
        "move ordering and progressive widening",
        &four(),
        ordered.expect("good options"),
    );
    let killers = Mcts::with_ordering(&puct, Heuristic, Some(Arc::new(Killers::new(3.0))));
    allocates_nothing_once_warm("killers", &four(), killers.expect("good options"));
    let graph = GraphMcts::new(&GraphOptions::default(), Rollout::default(), None);
    allocates_nothing_once_warm("a graph", &four(), graph.expect("good options"));
}

#[test]
fn information_set_searches_allocate_nothing() {
    let (uct, puct) = (IsMctsOptions::default(), IsMctsOptions::puct());
    let mover = IsMctsOptions { observer: Observer::Multiple, ..uct };
    let root = RootPolicy::Gumbel(GumbelOptions { below: true, ..GumbelOptions::default() });
    for (what, options) in [
        ("SO-ISMCTS", uct),
        ("MO-ISMCTS", mover),
        ("ISMCTS with PUCT", puct),
        (
            "16 simulations per determinization",
            IsMctsOptions { simulations_per_determinization: 16, ..uct },
        ),
        ("ISMCTS with a Gumbel root", IsMctsOptions { root, ..puct }),
    ] {
        let history = Arc::new(History::new(2.0, whist().actions()));
        allocates_nothing_once_warm(
            what,
            &whist(),
            IsMcts::new(&options, Rollout::default()).expect("good"),
        );
        let with = IsMcts::with_ordering(&options, Rollout::default(), Some(history));
        allocates_nothing_once_warm(what, &whist(), with.expect("good options"));
        allocates_nothing_once_warm(
            what,
            &whist(),
            IsMcts::new(&options, Zero).expect("good options"),
        );
    }
    let often = IsMctsOptions { simulations_per_determinization: 16, ..puct };
    let ahead =
        IsMcts::with_ordering(&often, Heuristic, Some(Arc::new(OneStepLookahead::default())));
    allocates_nothing_once_warm("cached successor states", &four(), ahead.expect("good options"));
}

/// A network with uniform policies and zero values.
#[derive(Clone, Copy)]
struct Zero;

impl<G: Game> Evaluator<G> for Zero {
    fn has_policy(&self) -> bool {
        true
    }

    fn evaluate(&mut self, _: &[G], _: &mut Rng, values: &mut [Payoffs], logits: &mut [f32]) {
        values.fill(Payoffs::default());
        logits.fill(0.0);
    }
}

/// The steps alone allocate nothing at all.
#[test]
fn gathering_and_applying_allocates_nothing() {
    let game = four();
    let view = View::new(&game, Player(0));
    let budget = Budget::simulations(1 << 20);
    let mut search = BatchedMcts::new(&MctsOptions::puct(), true, None).expect("good options");
    let (values, logits) = (vec![Payoffs::default(); 16], vec![0.0; 16 * game.actions()]);
    let mut run = || {
        let mut counted = 0;
        search.begin(&view, &budget, 1).expect("it begins");
        for _ in 0..1000 {
            counted += allocations(|| {
                search.gather(16).expect("it has begun");
                let count = search.leaves().len();
                let logits = &logits[..count * game.actions()];
                search.apply(&values[..count], logits).expect("as many as leaves");
            });
        }
        search.advance(&[meeple_game::Action(0)]);
        counted
    };
    assert!(run() > 0, "it grows at first");
    // Trees alternate between two buffers from move to move.
    run();
    assert_eq!(run(), 0);
}

/// Searches with a tree that is soon full, reuses it and searches again.
#[track_caller]
fn stays_within<G: Game>(
    what: &str,
    memory: usize,
    game: &G,
    make: impl FnOnce() -> Box<dyn Search<G>>,
) {
    let Turn::Player(seat) = game.turn() else { panic!("no player is to move in {game}") };
    let most = peak_bytes(|| {
        let mut search = make();
        let (mut game, mut seat) = (*game, seat);
        for _ in 0..2 {
            let budget = Budget::simulations(50_000);
            let report = search.search(&View::new(&game, seat), &budget, 5).expect("it runs");
            assert!(report.bytes <= memory as u64, "{what}: {} bytes reported", report.bytes);
            assert!(report.bytes >= memory as u64 / 2, "{what}: {} bytes are few", report.bytes);
            // With hidden information the same root is searched again.
            if game.has_imperfect_information() {
                search.advance(&[]);
                continue;
            }
            game.apply(report.best);
            search.advance(&[report.best]);
            let Turn::Player(next) = game.turn() else { panic!("no player is to move in {game}") };
            seat = next;
        }
    });
    // Vectors may have an eighth of spare capacity; paths and reports come on top.
    let allowed = (memory + memory / 8) as i64 + (48 << 10);
    assert!(most <= allowed, "{what}: {most} bytes held, {allowed} allowed");
}

#[test]
fn memory_limits_hold() {
    let memory = 1 << 17;
    let rollouts = |options: MctsOptions| -> Box<dyn Search<ConnectFour>> {
        let options = MctsOptions { memory, ..options };
        Box::new(Mcts::new(&options, Rollout::default()).expect("good options"))
    };
    stays_within("UCT", memory, &four(), || rollouts(MctsOptions::default()));
    stays_within("PUCT", memory, &four(), || rollouts(MctsOptions::puct()));
    stays_within("information sets", memory, &whist(), || {
        let options = IsMctsOptions { memory, ..IsMctsOptions::default() };
        Box::new(IsMcts::new(&options, Rollout::default()).expect("good options"))
    });
}
