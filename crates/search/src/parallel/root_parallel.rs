//! Root parallelization with results that do not depend on the number of threads.

use std::sync::{Mutex, PoisonError};

use meeple_game::{Action, Game, Rng, View};

use super::run_all;
use crate::budget::{Budget, Control, Meter, SearchProgress};
use crate::merge::merge;
use crate::options::expect;
use crate::search::Search;
use crate::{SearchError, SearchReport};

/// Root parallelization: independent searches of the same root, merged at the end.
///
/// Budget and seed are divided among the workers. The number of workers affects the result;
/// the number of threads that run them only affects the time.
///
/// ```
/// use meeple_game::{Game, Player, View};
/// use meeple_games::small::ConnectFour;
/// use meeple_search::{Budget, Mcts, MctsOptions, Rollout, RootParallel, Search};
///
/// let game = ConnectFour::new(&Default::default());
/// let workers = (0..4).map(|_| Mcts::new(&MctsOptions::default(), Rollout::default()));
/// let mut search = RootParallel::new(workers.collect::<Result<_, _>>()?, 2)?;
/// let report = search.search(&View::new(&game, Player(0)), &Budget::simulations(4000), 1)?;
/// assert_eq!(report.simulations, 4000);
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
#[derive(Debug)]
pub struct RootParallel<S> {
    workers: Vec<S>,
    threads: usize,
}

impl<S> RootParallel<S> {
    /// Creates a search with `workers` that run on `threads` threads.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::BadOption`] if there are no workers or no threads.
    pub fn new(workers: Vec<S>, threads: usize) -> Result<Self, SearchError> {
        expect(!workers.is_empty(), "workers", 0.0, "at least 1")?;
        expect(threads > 0, "threads", 0.0, "at least 1")?;
        Ok(Self { workers, threads })
    }
}

type Slot = Mutex<Option<Result<SearchReport, SearchError>>>;

fn put(slot: &Slot, report: Result<SearchReport, SearchError>) {
    *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(report);
}

fn take(slots: &[Slot]) -> Result<Vec<SearchReport>, SearchError> {
    let cloned = |slot: &Slot| slot.lock().unwrap_or_else(PoisonError::into_inner).clone();
    slots.iter().filter_map(cloned).collect()
}

/// The workers of one thread, each with the number of workers still to run. The first one
/// always runs, the others only while there is time.
fn countdown<W>(assigned: Vec<W>, meter: &Meter) -> impl Iterator<Item = (usize, W)> {
    let count = assigned.len();
    let has_time = move |at: usize| at == 0 || !meter.is_time_up();
    let numbered = assigned.into_iter().enumerate();
    numbered.take_while(move |(at, _)| has_time(*at)).map(move |(at, work)| (count - at, work))
}

impl<G: Game, S: Search<G> + Send> Search<G> for RootParallel<S> {
    fn search_with(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
    ) -> Result<SearchReport, SearchError> {
        budget.check()?;
        let meter = Meter::start(budget);
        let rng = Rng::new(seed);
        let wanted = self.workers.len();
        // At most one worker per simulation: an empty share is not a valid budget.
        let count = budget.simulations.map_or(wanted, |all| wanted.min(all as usize));
        let slots: Vec<Slot> = (0..count).map(|_| Mutex::new(None)).collect();
        let (stop, slots, meter) = (&control.stop, &slots[..], &meter);
        // `left` is the number of workers of this thread that are still to run, including
        // this one.
        let work =
            |number: usize, left: usize, worker: &mut S, progress: Option<SearchProgress<'_>>| {
                let mut control = Control { stop: stop.clone(), progress };
                let share = budget.share(number, count, meter.time_share(left));
                let seed = rng.split(number as u64).bits();
                put(&slots[number], worker.search_with(view, &share, seed, &mut control));
            };
        let mut assignments: Vec<Vec<(usize, &mut S)>> =
            (0..self.threads).map(|_| Vec::new()).collect();
        for (number, worker) in self.workers.iter_mut().take(count).enumerate() {
            assignments[number % self.threads].push((number, worker));
        }
        let mut assignments = assignments.into_iter().filter(|assigned| !assigned.is_empty());
        let own = assignments.next().unwrap_or_default();
        let work = &work;
        let jobs = assignments.map(|assigned| {
            Box::new(move || {
                for (left, (number, worker)) in countdown(assigned, meter) {
                    work(number, left, worker, None);
                }
            }) as Box<dyn FnOnce() + Send>
        });
        let mut own = Some(own);
        run_all(jobs.collect(), &mut || {
            for (left, (number, worker)) in countdown(own.take().unwrap_or_default(), meter) {
                let every = control.progress.as_ref().map(|progress| progress.every);
                let every = every.map(|every| (every / count as u64).max(1));
                let mut relay = |report: &SearchReport| {
                    put(&slots[number], Ok(report.clone()));
                    if let (Some(progress), Ok(reports)) = (&mut control.progress, take(slots)) {
                        (progress.report)(&merge(&reports, view.seat()));
                    }
                };
                let progress = every.map(|every| SearchProgress { every, report: &mut relay });
                work(number, left, worker, progress);
            }
        });
        let mut merged = merge(&take(slots)?, view.seat());
        merged.set_time(meter.elapsed());
        Ok(merged)
    }

    fn advance(&mut self, actions: &[Action]) {
        self.workers.iter_mut().for_each(|worker| worker.advance(actions));
    }

    fn follow(&mut self, view: &View<'_, G>) {
        self.workers.iter_mut().for_each(|worker| worker.follow(view));
    }
}
