//! Playing a file allocates nothing: neither its actions nor its effects.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::collections::BTreeMap;

use meeple_game::{ActionList, Game, Rng, Turn};
use meeple_rules::{BUILTIN, Config, FileGame};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged; counting neither allocates nor
// unwinds.
#[expect(unsafe_code, reason = "a global allocator cannot be written without")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_game_is_played_without_allocation() {
    for (name, text) in BUILTIN {
        let config: Config<511> = Config::new(name, text, BTreeMap::new()).expect("a valid file");
        let mut game = FileGame::<511>::new(&config);
        let mut actions = ActionList::new();
        let mut rng = Rng::new(1);
        let mut cells = vec![0; game.observation().len()];
        let before = ALLOCATIONS.with(Cell::get);
        while game.turn() != Turn::Over {
            let action = match game.turn() {
                Turn::Player(player) => {
                    game.observe(player, &mut cells);
                    game.sample_action(&mut rng, &mut actions)
                }
                _ => game.sample_chance(&mut rng),
            };
            game.apply(action);
            let _ = (game.key(), game.payoffs());
        }
        assert_eq!(ALLOCATIONS.with(Cell::get), before, "{name}");
    }
}
