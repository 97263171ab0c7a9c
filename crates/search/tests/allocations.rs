//! Searching allocates nothing once a search has been warmed up: what is left
//! is the report, whatever the number of simulations. And it takes no more memory
//! than it is allowed.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

use meeple_game::{ActionList, Game, Payoffs, Player, Rng, Turn, View, playout};
use meeple_games::small::{ConnectFour, KnockoutWhist};
use meeple_search::{
    Budget, Cached, Evaluator, GraphMcts, GraphOptions, GumbelOptions, Heuristic, History, IsMcts,
    IsMctsOptions, Killers, Knower, Mcts, MctsOptions, OneStep, Rollout, RootRule, Search,
    TreeSearch, Widening,
};

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    /// Bytes that this thread holds, and the most it has held.
    static HELD: Cell<[i64; 2]> = const { Cell::new([0; 2]) };
}

fn hold(bytes: i64) {
    HELD.with(|held| {
        let [now, most] = held.get();
        held.set([now + bytes, most.max(now + bytes)]);
    });
}

/// Counts what a thread asks for.
struct Counting;

#[allow(unsafe_code, reason = "an allocator can be written in no other way")]
// SAFETY: everything is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        hold(layout.size() as i64);
        // SAFETY: the caller's promises are those that the system asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        hold(-(layout.size() as i64));
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        hold(size as i64 - layout.size() as i64);
        // SAFETY: as above.
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How often memory is asked for while `work` runs.
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

/// The most bytes that are held while `work` runs, beyond those from before.
fn most_held(work: impl FnOnce()) -> i64 {
    let [before, _] = HELD.with(Cell::get);
    HELD.with(|held| held.set([before; 2]));
    work();
    HELD.with(Cell::get)[1] - before
}

/// What a report and the beginning of a search may ask for.
const REPORT: u64 = 60;

/// Searches twice with one seed, the second time with everything at hand.
#[track_caller]
fn is_frugal<G: Game>(what: &str, game: &G, mut search: impl Search<G>) {
    let Turn::Player(seat) = game.turn() else { panic!("nobody decides in {game}") };
    let view = View::new(game, seat);
    let elsewhere = {
        let mut actions = ActionList::new();
        game.legal_actions(&mut actions);
        [actions[0]]
    };
    let mut run = || {
        search.search(&view, &Budget::iterations(5000), 5).expect("it runs");
    };
    let first = allocations(&mut run);
    let again = allocations(&mut run);
    assert!(first > 0, "the counter counts");
    assert!(again <= REPORT, "{what}: {again} allocations, {first} at first");
    // A tree kept for the same root has nothing to grow, so it is left; twice,
    // since trees move from one place to another.
    let mut anew = 0;
    for _ in 0..2 {
        search.advance(&elsewhere);
        anew = allocations(|| {
            search.search(&view, &Budget::iterations(5000), 5).expect("it runs");
        });
    }
    assert!(anew <= REPORT, "{what}: {anew} allocations for a tree that grows anew");
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
fn open_searches_allocate_nothing() {
    let (uct, puct) = (MctsOptions::default(), MctsOptions::puct());
    let root = RootRule::Gumbel(GumbelOptions { below: true, ..GumbelOptions::default() });
    let wide = MctsOptions { widening: Some(Widening::default()), ..puct };
    let rollouts = |options| Mcts::new(&options, Rollout::default()).expect("good options");
    is_frugal("UCT", &four(), rollouts(uct));
    is_frugal("PUCT", &four(), rollouts(puct));
    is_frugal("batches", &four(), rollouts(MctsOptions { batch: 8, ..uct }));
    is_frugal("a Gumbel root", &four(), rollouts(MctsOptions { root, ..puct }));
    let estimates = Mcts::new(&puct, Cached::new(Heuristic, 1 << 12).expect("some"));
    is_frugal("a cache of estimates", &four(), estimates.expect("good options"));
    let ordered = Mcts::with_ordering(&wide, Heuristic, Some(Arc::new(OneStep::default())));
    is_frugal("an ordering and widening", &four(), ordered.expect("good options"));
    let killers = Mcts::with_ordering(&puct, Heuristic, Some(Arc::new(Killers::new(3.0))));
    is_frugal("killers", &four(), killers.expect("good options"));
    let graph = GraphMcts::new(&GraphOptions::default(), Rollout::default(), None);
    is_frugal("a graph", &four(), graph.expect("good options"));
}

#[test]
fn searches_of_hidden_games_allocate_nothing() {
    let (uct, puct) = (IsMctsOptions::default(), IsMctsOptions::puct());
    let mover = IsMctsOptions { knower: Knower::Mover, ..uct };
    let root = RootRule::Gumbel(GumbelOptions { below: true, ..GumbelOptions::default() });
    for (what, options) in [
        ("information sets", uct),
        ("information sets by mover", mover),
        ("information sets with PUCT", puct),
        ("worlds walked often", IsMctsOptions { walks: 16, ..uct }),
        ("information sets under a Gumbel root", IsMctsOptions { root, ..puct }),
    ] {
        let history = Arc::new(History::new::<KnockoutWhist>(2.0));
        is_frugal(what, &whist(), IsMcts::new(&options, Rollout::default()).expect("good"));
        let with = IsMcts::with_ordering(&options, Rollout::default(), Some(history));
        is_frugal(what, &whist(), with.expect("good options"));
        is_frugal(what, &whist(), IsMcts::new(&options, Zero).expect("good options"));
    }
    let often = IsMctsOptions { walks: 16, ..puct };
    let ahead = IsMcts::with_ordering(&often, Heuristic, Some(Arc::new(OneStep::default())));
    is_frugal("worlds looked ahead in", &four(), ahead.expect("good options"));
}

/// A network that knows nothing.
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

/// The steps by themselves: none at all.
#[test]
fn gathering_and_applying_allocates_nothing() {
    let game = four();
    let view = View::new(&game, Player(0));
    let budget = Budget::iterations(1 << 20);
    let mut search = TreeSearch::new(&MctsOptions::puct(), true, None).expect("good options");
    let (values, logits) = (vec![Payoffs::default(); 16], vec![0.0; 16 * ConnectFour::ACTIONS]);
    let mut run = || {
        let mut counted = 0;
        search.begin(&view, &budget, 1).expect("it begins");
        for _ in 0..1000 {
            counted += allocations(|| {
                search.gather(16).expect("it has begun");
                let count = search.leaves().len();
                let logits = &logits[..count * ConnectFour::ACTIONS];
                search.apply(&values[..count], logits).expect("as many as leaves");
            });
        }
        search.advance(&[meeple_game::Action(0)]);
        counted
    };
    assert!(run() > 0, "it grows at first");
    // Trees move from one place to another between moves, so there are two.
    run();
    assert_eq!(run(), 0);
}

/// Searches for long with a tree that is soon full, keeps it and searches on.
#[track_caller]
fn keeps_to<G: Game>(
    what: &str,
    memory: usize,
    game: &G,
    make: impl FnOnce() -> Box<dyn Search<G>>,
) {
    let Turn::Player(seat) = game.turn() else { panic!("nobody decides in {game}") };
    let most = most_held(|| {
        let mut search = make();
        let (mut game, mut seat) = (*game, seat);
        for _ in 0..2 {
            let budget = Budget::iterations(50_000);
            let report = search.search(&View::new(&game, seat), &budget, 5).expect("it runs");
            assert!(report.bytes <= memory as u64, "{what}: {} bytes reported", report.bytes);
            assert!(report.bytes >= memory as u64 / 2, "{what}: {} bytes are few", report.bytes);
            // What is hidden is searched again as it is, by the same seat.
            if G::HIDDEN {
                search.advance(&[]);
                continue;
            }
            game.apply(report.best);
            search.advance(&[report.best]);
            let Turn::Player(next) = game.turn() else { panic!("nobody decides in {game}") };
            seat = next;
        }
    });
    // Lists may be an eighth longer than what is in them; paths and reports.
    let allowed = (memory + memory / 8) as i64 + (48 << 10);
    assert!(most <= allowed, "{what}: {most} bytes held, {allowed} allowed");
}

#[test]
fn memory_is_all_that_is_allowed() {
    let memory = 1 << 17;
    let rollouts = |options: MctsOptions| -> Box<dyn Search<ConnectFour>> {
        let options = MctsOptions { memory, ..options };
        Box::new(Mcts::new(&options, Rollout::default()).expect("good options"))
    };
    keeps_to("UCT", memory, &four(), || rollouts(MctsOptions::default()));
    keeps_to("PUCT", memory, &four(), || rollouts(MctsOptions::puct()));
    keeps_to("information sets", memory, &whist(), || {
        let options = IsMctsOptions { memory, ..IsMctsOptions::default() };
        Box::new(IsMcts::new(&options, Rollout::default()).expect("good options"))
    });
}
