//! Prediction allocates nothing once the largest batch has been seen.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use meeple_game::{Game, Payoffs, Player, Rng};
use meeple_games::small::ConnectFour;
use meeple_net::{NetEvaluator, Network, Precision, Shape};
use meeple_search::Evaluator;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// An allocator that counts the allocations of each thread.
struct Counting;

#[allow(unsafe_code, reason = "implementing an allocator is unsafe")]
// SAFETY: every call is forwarded to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller upholds the same contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn a_warm_network_allocates_nothing() {
    let shape = Shape { width: 96, blocks: 2, bottleneck: 48, value_hidden: 24 };
    let game = ConnectFour::new(&Default::default());
    let network = Network::new(&game.info(), shape, 2, 1).unwrap();
    for precision in [Precision::Float, Precision::Int8] {
        let mut predictor = network.compile(precision);
        let mut observations = [0; 20 * 43];
        for row in observations.chunks_exact_mut(43) {
            game.observe(Player(0), row);
        }
        let (mut values, mut logits) = ([0.0; 40], [0.0; 140]);
        let mut evaluator = NetEvaluator::new(&game, predictor.clone()).unwrap();
        let (states, mut payoffs) = ([game; 20], [Payoffs::default(); 20]);
        let mut work = || {
            for rows in [20, 1, 7] {
                let (values, logits) = (&mut values[..rows * 2], &mut logits[..rows * 7]);
                predictor.predict_batch(&observations[..rows * 43], values, logits);
                let (states, payoffs) = (&states[..rows], &mut payoffs[..rows]);
                evaluator.evaluate(states, &mut Rng::new(0), payoffs, logits);
            }
        };
        work();
        let before = ALLOCATIONS.with(Cell::get);
        work();
        assert_eq!(ALLOCATIONS.with(Cell::get), before, "{precision:?}");
    }
}
