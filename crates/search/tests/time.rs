//! A budget in time is the most that a search takes, whatever its simulations
//! cost.
//!
//! Evaluations here sleep, which takes at least as long as it is told: so no more
//! of them can be made than fit the budget, however slow the machine is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use meeple_game::{Game, Payoffs, Rng, Turn, View};
use meeple_games::small::{ConnectFour, KnockoutWhist};
use meeple_search::{
    Budget, Ended, Ensemble, EnsembleOptions, Evaluator, GraphMcts, GraphOptions, IsMcts,
    IsMctsOptions, Mcts, MctsOptions, RootParallel, Search, SharedTree, TreeParallel,
};

const EACH: Duration = Duration::from_millis(2);
/// Enough for ten evaluations one after the other.
const TIME: Duration = Duration::from_millis(20);

/// An evaluator that takes its time, and counts what it was asked.
#[derive(Clone, Default)]
struct Slow(Arc<AtomicU64>);

impl<G: Game> Evaluator<G> for Slow {
    fn evaluate(&mut self, states: &[G], _: &mut Rng, values: &mut [Payoffs], _: &mut [f32]) {
        self.0.fetch_add(states.len() as u64, Ordering::Relaxed);
        states.iter().for_each(|_| thread::sleep(EACH));
        values.fill(Payoffs::default());
    }
}

/// Searches for `TIME` and expects at most ten evaluations on each of `threads`
/// threads, and one more for each of `parts` that may begin when time is up.
fn check<G: Game, S: Search<G>>(
    game: &G,
    threads: u64,
    parts: u64,
    make: impl FnOnce(&Slow) -> Result<S, meeple_search::SearchError>,
) {
    let Turn::Player(seat) = game.turn() else { panic!("nobody decides in {game}") };
    let slow = Slow::default();
    let mut search = make(&slow).expect("good options");
    let report = search.search(&View::new(game, seat), &Budget::time(TIME), 1).expect("it runs");
    let asked = slow.0.load(Ordering::Relaxed);
    assert!(report.iterations > 0 && report.ended == Ended::Time, "{report:?}");
    assert!(asked <= 10 * threads + parts, "{asked} evaluations");
}

#[test]
fn no_search_takes_more_than_its_time() {
    let game = ConnectFour::new(&Default::default());
    let uct = MctsOptions::default();
    check(&game, 1, 1, |slow| Mcts::new(&uct, slow.clone()));
    check(&game, 1, 4, |slow| Mcts::new(&MctsOptions { batch: 4, ..uct }, slow.clone()));
    check(&game, 1, 1, |slow| GraphMcts::new(&GraphOptions::default(), slow.clone(), None));
    check(&game, 1, 10, |slow| Ensemble::new(&EnsembleOptions::default(), slow.clone()));
    check(&game, 2, 2, |slow| SharedTree::new(&uct, slow, None, 2));
    let batch = MctsOptions { batch: 8, ..uct };
    check(&game, 2, 8, |slow| TreeParallel::new(&batch, slow, None, 2));
    for threads in [1, 2] {
        check(&game, threads, 4, |slow| {
            let workers = (0..4).map(|_| Mcts::new(&uct, slow.clone()));
            RootParallel::new(workers.collect::<Result<_, _>>()?, threads as usize)
        });
    }
}

#[test]
fn no_search_of_information_sets_takes_more_than_its_time() {
    let mut game = KnockoutWhist::new(&Default::default());
    while game.turn() == Turn::Chance {
        game.apply(game.sample_chance(&mut Rng::new(4)));
    }
    for walks in [1, 16] {
        let options = IsMctsOptions { walks, ..Default::default() };
        check(&game, 1, 1, |slow| IsMcts::new(&options, slow.clone()));
    }
    check(&game, 1, 10, |slow| Ensemble::new(&EnsembleOptions::default(), slow.clone()));
}
