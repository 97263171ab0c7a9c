//! Checks that event handling, move generation and random games do not allocate.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use meeple_game::{ActionList, Game, Rng, Turn, choices, playout};
use meeple_games::backgammon::{Backgammon, BackgammonRules};
use meeple_games::chess::ChessRules;
use meeple_games::described::{
    BreakthroughRules, ConnectFourRules, Described, DescribedGame, TicTacToeRules,
};
use meeple_games::holdem::Holdem;
use meeple_plan::{Handled, Stages};

/// The system allocator with a count of allocations per thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    ALLOCATIONS.with(|allocations| allocations.set(allocations.get() + 1));
}

// SAFETY: every call goes to the system's allocator unchanged; counting neither
// allocates nor unwinds.
#[expect(unsafe_code, reason = "a global allocator cannot be written without")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the promises of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the promises of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the promises of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The number of allocations of this thread during `work`.
fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

#[test]
fn an_allocation_is_counted() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);
}

/// Collects states and legal events of a few random games.
fn events<R: Described>() -> Vec<(R::State, R::Event)> {
    let root = Rng::new(11);
    let mut events = Vec::new();
    for index in 0..3 {
        let (mut game, mut rng) =
            (DescribedGame::<R>::new(&R::Config::default()), root.split(index));
        while game.turn() != Turn::Over {
            let action = *rng.pick(&choices(&game));
            events.push((*game.state(), R::event_of(game.state(), action)));
            game.apply(action);
        }
    }
    events
}

fn rules_allocate_nothing<R: Described>() {
    let plans = Stages::combinations().map(|stages| R::plan().with_stages(stages));
    let events = events::<R>();
    let handled = allocations(|| {
        for (state, event) in &events {
            for plan in &plans {
                assert!(matches!(plan.handle(state, event), Handled::Applied(_)));
            }
        }
    });
    assert_eq!(handled, 0, "{}: handling {} events", R::NAME, events.len());
    let generated = allocations(|| {
        for (state, _) in &events {
            let facts = R::facts(state);
            let mut seen = 0;
            R::plan().visit_legal(state, &facts, |_| seen += 1);
            assert_eq!(R::plan().count_legal(state, &facts), seen);
            R::plan().visit_outcomes(state, |_, _| {});
        }
    });
    assert_eq!(generated, 0, "{}: generating", R::NAME);
    games_allocate_nothing::<DescribedGame<R>>();
}

fn games_allocate_nothing<G: Game>() {
    let start = G::new(&G::Config::default());
    let (mut rng, mut scratch) = (Rng::new(2), ActionList::new());
    let played = allocations(|| {
        for _ in 0..3 {
            let mut game = start;
            playout(&mut game, &mut rng, &mut scratch);
        }
    });
    assert_eq!(played, 0, "{}: random games", start.name());
    let listed = allocations(|| {
        let mut game = start;
        while game.turn() != Turn::Over {
            let action = match game.turn() {
                Turn::Chance => game.sample_chance(&mut rng),
                _ => {
                    game.legal_actions(&mut scratch);
                    *rng.pick(&scratch)
                }
            };
            game.apply(action);
        }
    });
    assert_eq!(listed, 0, "{}: games by legal actions", start.name());
}

#[test]
fn chess_allocates_nothing() {
    rules_allocate_nothing::<ChessRules>();
}

#[test]
fn backgammon_allocates_nothing() {
    rules_allocate_nothing::<BackgammonRules>();
    games_allocate_nothing::<Backgammon>();
}

#[test]
fn holdem_allocates_nothing() {
    games_allocate_nothing::<Holdem>();
}

#[test]
fn small_games_allocate_nothing() {
    rules_allocate_nothing::<TicTacToeRules>();
    rules_allocate_nothing::<ConnectFourRules>();
    rules_allocate_nothing::<BreakthroughRules>();
}
