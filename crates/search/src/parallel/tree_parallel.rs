//! Leaf parallelization in batches, with results that do not depend on the number of
//! threads.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use meeple_game::{Action, Game, Payoffs, Rng, Turn, View};

use crate::batched::BatchedMcts;
use crate::budget::{Budget, Control, Meter, StopReason};
use crate::evaluate::Evaluator;
use crate::mcts::forced_report;
use crate::options::{MctsOptions, expect};
use crate::ordering::MoveOrdering;
use crate::search::Search;
use crate::{SearchError, SearchReport};

/// One tree whose leaves are evaluated by several threads.
///
/// A batch of leaves is gathered with virtual losses, evaluated, and backed up in the order
/// of gathering; each leaf has its own random stream. The batch size affects the result;
/// the number of threads only affects the time. This pays off if an evaluation takes at
/// least a few microseconds; for faster ones use [`RootParallel`](super::RootParallel).
#[derive(Debug)]
pub struct TreeParallel<G: Game, E> {
    tree: BatchedMcts<G>,
    evaluators: Vec<E>,
}

/// The channels to an evaluation thread.
struct EvaluatorThread<G> {
    requests: Sender<LeafBatch<G>>,
    results: Receiver<LeafBatch<G>>,
}

/// Leaves that are sent to a thread and back.
struct LeafBatch<G> {
    first: usize,
    leaves: Vec<G>,
    values: Vec<Payoffs>,
    /// The index of the first leaf within the search, which selects its random stream.
    stream: u64,
    rng: Rng,
}

impl<G: Game> LeafBatch<G> {
    fn evaluate(&mut self, evaluator: &mut impl Evaluator<G>) {
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
    /// Creates a search with `threads` copies of an evaluator without a policy;
    /// `options.batch` leaves are evaluated at a time.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::BadOption`] if an option is out of range.
    pub fn new(
        options: &MctsOptions,
        evaluator: &E,
        ordering: Option<Arc<dyn MoveOrdering<G>>>,
        threads: usize,
    ) -> Result<Self, SearchError> {
        expect(threads > 0, "threads", 0.0, "at least 1")?;
        let has_policy = f32::from(u8::from(evaluator.has_policy()));
        expect(
            has_policy == 0.0,
            "evaluator.has_policy",
            has_policy,
            "0: an evaluator without a policy",
        )?;
        let mut tree = BatchedMcts::new(options, false, ordering)?;
        tree.simulator.skips_forced = !E::IS_ROLLOUT;
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
        if let Some(report) = forced_report(&root) {
            return Ok(report);
        }
        let Self { tree, evaluators } = self;
        let (own, others) = evaluators.split_at_mut(1);
        own[0].check(&root)?;
        thread::scope(|scope| {
            let mut threads: Vec<EvaluatorThread<G>> = Vec::new();
            for evaluator in others {
                let (requests, received) = channel::<LeafBatch<G>>();
                let (finished, results) = channel();
                threads.push(EvaluatorThread { requests, results });
                scope.spawn(move || {
                    while let Ok(mut batch) = received.recv() {
                        batch.evaluate(evaluator);
                        if finished.send(batch).is_err() {
                            break;
                        }
                    }
                });
            }
            let mut pool = BatchPool::new(threads.len() + 1, &Rng::new(seed).split(1));
            let stop_reason = loop {
                if tree.is_solved() {
                    break StopReason::Solved;
                }
                let batch = match meter.allowance(tree.nodes(), &control.stop) {
                    Err(stop_reason) => break stop_reason,
                    Ok(count) => (tree.simulator.options.batch as u64).min(count) as usize,
                };
                let before = tree.simulator.simulations;
                tree.gather(batch)?;
                pool.evaluate(&tree.leaves, &mut own[0], &threads);
                tree.apply(&pool.values, &[])?;
                meter.done += tree.simulator.simulations - before;
                if meter.is_report_due(control)
                    && let Some(progress) = &mut control.progress
                {
                    (progress.report)(&tree.report());
                }
            };
            let mut report = tree.report();
            report.stop_reason = stop_reason;
            report.set_time(meter.elapsed());
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

/// The buffers sent between threads, reused from batch to batch.
struct BatchPool<G> {
    idle: Vec<LeafBatch<G>>,
    values: Vec<Payoffs>,
    evaluated: u64,
}

impl<G: Game> BatchPool<G> {
    fn new(count: usize, rng: &Rng) -> Self {
        let batch = || LeafBatch {
            first: 0,
            leaves: Vec::new(),
            values: Vec::new(),
            stream: 0,
            rng: rng.clone(),
        };
        Self { idle: (0..count).map(|_| batch()).collect(), values: Vec::new(), evaluated: 0 }
    }

    /// Evaluates `leaves` on all threads and collects the values in order.
    fn evaluate(
        &mut self,
        leaves: &[G],
        own: &mut impl Evaluator<G>,
        threads: &[EvaluatorThread<G>],
    ) {
        self.values.clear();
        self.values.resize(leaves.len(), Payoffs::default());
        let size = leaves.len().div_ceil(self.idle.len()).max(1);
        let mut sent = Vec::new();
        let mut mine = None;
        for (number, chunk) in leaves.chunks(size).enumerate() {
            let Some(mut batch) = self.idle.pop() else { break };
            batch.first = number * size;
            batch.stream = self.evaluated + batch.first as u64;
            batch.leaves.clear();
            batch.leaves.extend_from_slice(chunk);
            match threads.get(number) {
                Some(thread) => {
                    thread.requests.send(batch).expect("the thread runs until the search ends");
                    sent.push(thread);
                }
                None => mine = Some(batch),
            }
        }
        let evaluated = mine.map(|mut batch| {
            batch.evaluate(own);
            batch
        });
        let returned = sent
            .iter()
            .map(|thread| thread.results.recv().expect("the thread returns every batch"));
        for batch in evaluated.into_iter().chain(returned) {
            let places = batch.first..batch.first + batch.values.len();
            self.values[places].copy_from_slice(&batch.values);
            self.idle.push(batch);
        }
        self.evaluated += leaves.len() as u64;
    }
}
