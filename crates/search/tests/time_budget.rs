//! A time budget is an upper limit, whatever a simulation costs.
//!
//! The evaluators sleep for at least a fixed time, so the number of evaluations is bounded
//! by the budget on any machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use meeple_game::{Game, Payoffs, Rng, Turn, View};
use meeple_games::small::{ConnectFour, KnockoutWhist};
use meeple_search::{
    Budget, Ensemble, EnsembleOptions, Evaluator, GraphMcts, GraphOptions, IsMcts, IsMctsOptions,
    Mcts, MctsOptions, RootParallel, Search, SharedTree, StopReason,
};

const EACH: Duration = Duration::from_millis(2);
/// Enough for ten evaluations in sequence.
const TIME: Duration = Duration::from_millis(20);

/// A slow evaluator that counts its evaluations.
#[derive(Clone, Default)]
struct Slow(Arc<AtomicU64>);

impl<G: Game> Evaluator<G> for Slow {
    fn evaluate(&mut self, states: &[G], _: &mut Rng, values: &mut [Payoffs], _: &mut [f32]) {
        self.0.fetch_add(states.len() as u64, Ordering::Relaxed);
        states.iter().for_each(|_| thread::sleep(EACH));
        values.fill(Payoffs::default());
    }
}

/// Searches for `TIME` and expects at most ten evaluations per thread, plus one for each of
/// `parts` that may start when time is up.
fn check<G: Game, S: Search<G>>(
    game: &G,
    threads: u64,
    parts: u64,
    make: impl FnOnce(&Slow) -> Result<S, meeple_search::SearchError>,
) {
    let Turn::Player(seat) = game.turn() else { panic!("no player is to move in {game}") };
    let slow = Slow::default();
    let mut search = make(&slow).expect("good options");
    let report = search.search(&View::new(game, seat), &Budget::time(TIME), 1).expect("it runs");
    let asked = slow.0.load(Ordering::Relaxed);
    assert!(report.simulations > 0 && report.stop_reason == StopReason::Time, "{report:?}");
    assert!(asked <= 10 * threads + parts, "{asked} evaluations");
}

#[test]
fn searches_stay_within_their_time() {
    let game = ConnectFour::new(&Default::default());
    let uct = MctsOptions::default();
    check(&game, 1, 1, |slow| Mcts::new(&uct, slow.clone()));
    check(&game, 1, 4, |slow| Mcts::new(&MctsOptions { batch: 4, ..uct }, slow.clone()));
    check(&game, 1, 1, |slow| GraphMcts::new(&GraphOptions::default(), slow.clone(), None));
    check(&game, 1, 10, |slow| Ensemble::new(&EnsembleOptions::default(), slow.clone()));
    check(&game, 2, 2, |slow| SharedTree::new(&uct, slow, None, 2));
    for threads in [1, 2] {
        check(&game, threads, 4, |slow| {
            let workers = (0..4).map(|_| Mcts::new(&uct, slow.clone()));
            RootParallel::new(workers.collect::<Result<_, _>>()?, threads as usize)
        });
    }
}

#[test]
fn information_set_searches_stay_within_their_time() {
    let mut game = KnockoutWhist::new(&Default::default());
    while game.turn() == Turn::Chance {
        game.apply(game.sample_chance(&mut Rng::new(4)));
    }
    for simulations_per_determinization in [1, 16] {
        let options = IsMctsOptions { simulations_per_determinization, ..Default::default() };
        check(&game, 1, 1, |slow| IsMcts::new(&options, slow.clone()));
    }
    check(&game, 1, 10, |slow| Ensemble::new(&EnsembleOptions::default(), slow.clone()));
}
