//! Many threads on one root, with the same answer on any number of them.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use meeple_game::{Action, Game, Payoffs, Rng, Turn, View};

use crate::budget::{Budget, Control, Ended, Meter, Progress};
use crate::evaluate::Evaluator;
use crate::mcts::forced;
use crate::merge::merge;
use crate::options::{MctsOptions, expect};
use crate::ordering::Ordering;
use crate::search::Search;
use crate::tree_search::TreeSearch;
use crate::{SearchError, SearchReport};

/// Independent searches of the same root, added up at the end.
///
/// The budget and the seed are divided among the workers, whose number is part
/// of the question; how many threads run them is not, and changes nothing but
/// the time.
///
/// ```
/// use meeple_game::{Game, Player, View};
/// use meeple_games::small::ConnectFour;
/// use meeple_search::{Budget, Mcts, MctsOptions, Rollout, RootParallel, Search};
///
/// let game = ConnectFour::new(&Default::default());
/// let workers = (0..4).map(|_| Mcts::new(&MctsOptions::default(), Rollout::default()));
/// let mut search = RootParallel::new(workers.collect::<Result<_, _>>()?, 2)?;
/// let report = search.search(&View::new(&game, Player(0)), &Budget::iterations(4000), 1)?;
/// assert_eq!(report.iterations, 4000);
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
#[derive(Debug)]
pub struct RootParallel<S> {
    workers: Vec<S>,
    threads: usize,
}

impl<S> RootParallel<S> {
    /// Searches by `workers` on `threads` threads.
    ///
    /// # Errors
    ///
    /// When there are no workers or no threads.
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
        // Never more workers than iterations: an empty share is no budget.
        let count = budget.iterations.map_or(wanted, |all| wanted.min(all as usize));
        let rounds = count.div_ceil(self.threads);
        let slots: Vec<Slot> = (0..count).map(|_| Mutex::new(None)).collect();
        let (stop, slots) = (&control.stop, &slots[..]);
        let work = |number: usize, worker: &mut S, progress: Option<Progress<'_>>| {
            let mut control = Control { stop: stop.clone(), progress };
            let share = budget.share(number, count, rounds);
            let seed = rng.split(number as u64).bits();
            put(&slots[number], worker.search_with(view, &share, seed, &mut control));
        };
        let mut lots: Vec<Vec<(usize, &mut S)>> = (0..self.threads).map(|_| Vec::new()).collect();
        for (number, worker) in self.workers.iter_mut().take(count).enumerate() {
            lots[number % self.threads].push((number, worker));
        }
        let mut lots = lots.into_iter().filter(|lot| !lot.is_empty());
        let own = lots.next().unwrap_or_default();
        thread::scope(|scope| {
            let work = &work;
            for lot in lots {
                scope.spawn(move || {
                    lot.into_iter().for_each(|(number, worker)| work(number, worker, None));
                });
            }
            for (number, worker) in own {
                let every = control.progress.as_ref().map(|progress| progress.every);
                let every = every.map(|every| (every / count as u64).max(1));
                let mut relay = |report: &SearchReport| {
                    put(&slots[number], Ok(report.clone()));
                    if let (Some(progress), Ok(reports)) = (&mut control.progress, take(slots)) {
                        (progress.report)(&merge(&reports));
                    }
                };
                let progress = every.map(|every| Progress { every, report: &mut relay });
                work(number, worker, progress);
            }
        });
        let mut merged = merge(&take(slots)?);
        merged.clock(meter.elapsed());
        Ok(merged)
    }

    fn advance(&mut self, actions: &[Action]) {
        self.workers.iter_mut().for_each(|worker| worker.advance(actions));
    }

    fn follow(&mut self, view: &View<'_, G>) {
        self.workers.iter_mut().for_each(|worker| worker.follow(view));
    }
}

/// One tree, whose leaves are judged by many threads at a time.
///
/// A batch of leaves is gathered with virtual losses, judged, and applied in
/// the order in which it was gathered; each leaf draws from a stream of its
/// own. So the batch is part of the question, and the threads change nothing
/// but the time. It pays when judging a leaf takes some microseconds;
/// for quicker ones take [`RootParallel`].
#[derive(Debug)]
pub struct TreeParallel<G: Game, E> {
    tree: TreeSearch<G>,
    evaluators: Vec<E>,
}

/// How a helper is reached.
struct Helper<G> {
    outbound: Sender<Parcel<G>>,
    inbound: Receiver<Parcel<G>>,
}

/// Leaves on their way to a thread and back.
struct Parcel<G> {
    first: usize,
    leaves: Vec<G>,
    values: Vec<Payoffs>,
    /// The number of the first leaf in the whole search: its stream.
    stream: u64,
    rng: Rng,
}

impl<G: Game> Parcel<G> {
    fn judge(&mut self, evaluator: &mut impl Evaluator<G>) {
        self.values.clear();
        self.values.resize(self.leaves.len(), Payoffs::default());
        for (at, (leaf, value)) in self.leaves.iter().zip(&mut self.values).enumerate() {
            let mut rng = self.rng.split(self.stream + at as u64);
            let (leaf, value) = (std::slice::from_ref(leaf), std::slice::from_mut(value));
            evaluator.evaluate(leaf, &mut rng, value, &mut []);
        }
    }
}

impl<G: Game, E: Evaluator<G> + Clone + Send> TreeParallel<G, E> {
    /// A search with `threads` copies of an evaluator without a policy;
    /// `options.batch` leaves are judged at a time.
    ///
    /// # Errors
    ///
    /// When an option makes no sense.
    pub fn new(
        options: &MctsOptions,
        evaluator: &E,
        ordering: Option<Arc<dyn Ordering<G>>>,
        threads: usize,
    ) -> Result<Self, SearchError> {
        expect(threads > 0, "threads", 0.0, "at least 1")?;
        let has_policy = f32::from(u8::from(evaluator.has_policy()));
        expect(has_policy == 0.0, "evaluator.has_policy", has_policy, "0: one without")?;
        let mut tree = TreeSearch::new(options, false, ordering)?;
        tree.walker.passes_forced = !E::PLAYS_ON;
        Ok(Self { tree, evaluators: vec![evaluator.clone(); threads] })
    }
}

impl<G: Game, E: Evaluator<G> + Clone + Send> Search<G> for TreeParallel<G, E> {
    fn search_with(
        &mut self,
        view: &View<'_, G>,
        budget: &Budget,
        seed: u64,
        control: &mut Control<'_>,
    ) -> Result<SearchReport, SearchError> {
        let mut meter = Meter::start(budget);
        self.tree.begin(view, budget, seed)?;
        let root = view.sample(&mut Rng::new(0));
        debug_assert_eq!(root.turn(), Turn::Player(view.seat()));
        if let Some(report) = forced(&root) {
            return Ok(report);
        }
        let Self { tree, evaluators } = self;
        let (own, others) = evaluators.split_at_mut(1);
        own[0].check(&root)?;
        thread::scope(|scope| {
            let mut helpers: Vec<Helper<G>> = Vec::new();
            for evaluator in others {
                let (outbound, inbox) = channel::<Parcel<G>>();
                let (outbox, inbound) = channel();
                helpers.push(Helper { outbound, inbound });
                scope.spawn(move || {
                    while let Ok(mut parcel) = inbox.recv() {
                        parcel.judge(evaluator);
                        if outbox.send(parcel).is_err() {
                            break;
                        }
                    }
                });
            }
            let mut parcels = Parcels::new(helpers.len() + 1, &Rng::new(seed).split(1));
            let ended = loop {
                if tree.is_solved() {
                    break Ended::Solved;
                }
                let batch = match meter.allowance(tree.nodes(), &control.stop) {
                    Err(ended) => break ended,
                    Ok(count) => (tree.walker.options.batch as u64).min(count) as usize,
                };
                let before = tree.walker.walks;
                tree.gather(batch)?;
                parcels.judge(&tree.leaves, &mut own[0], &helpers);
                tree.apply(&parcels.values, &[])?;
                meter.done += tree.walker.walks - before;
                if meter.is_report_due(control)
                    && let Some(progress) = &mut control.progress
                {
                    (progress.report)(&tree.report());
                }
            };
            let mut report = tree.report();
            report.ended = ended;
            report.clock(meter.elapsed());
            Ok(report)
        })
    }

    fn advance(&mut self, actions: &[Action]) {
        self.tree.advance(actions);
    }

    fn follow(&mut self, view: &View<'_, G>) {
        self.tree.follow(view);
    }
}

/// What travels between the threads, kept from batch to batch.
struct Parcels<G> {
    idle: Vec<Parcel<G>>,
    values: Vec<Payoffs>,
    judged: u64,
}

impl<G: Game> Parcels<G> {
    fn new(count: usize, rng: &Rng) -> Self {
        let parcel = || Parcel {
            first: 0,
            leaves: Vec::new(),
            values: Vec::new(),
            stream: 0,
            rng: rng.clone(),
        };
        Self { idle: (0..count).map(|_| parcel()).collect(), values: Vec::new(), judged: 0 }
    }

    /// Has `leaves` judged by everybody, and puts the values in their order.
    fn judge(&mut self, leaves: &[G], own: &mut impl Evaluator<G>, helpers: &[Helper<G>]) {
        self.values.clear();
        self.values.resize(leaves.len(), Payoffs::default());
        let size = leaves.len().div_ceil(self.idle.len()).max(1);
        let mut sent = Vec::new();
        let mut mine = None;
        for (number, chunk) in leaves.chunks(size).enumerate() {
            let Some(mut parcel) = self.idle.pop() else { break };
            parcel.first = number * size;
            parcel.stream = self.judged + parcel.first as u64;
            parcel.leaves.clear();
            parcel.leaves.extend_from_slice(chunk);
            match helpers.get(number) {
                Some(helper) => {
                    helper.outbound.send(parcel).expect("a helper waits until the search ends");
                    sent.push(helper);
                }
                None => mine = Some(parcel),
            }
        }
        let judged = mine.map(|mut parcel| {
            parcel.judge(own);
            parcel
        });
        let returned = sent.iter().map(|helper| helper.inbound.recv().expect("a helper answers"));
        for parcel in judged.into_iter().chain(returned) {
            let places = parcel.first..parcel.first + parcel.values.len();
            self.values[places].copy_from_slice(&parcel.values);
            self.idle.push(parcel);
        }
        self.judged += leaves.len() as u64;
    }
}
