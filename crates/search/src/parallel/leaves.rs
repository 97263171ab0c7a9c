//! One tree whose leaves are judged side by side, with the same answer on any
//! number of threads.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use meeple_game::{Action, Game, Payoffs, Rng, Turn, View};

use crate::budget::{Budget, Control, Ended, Meter};
use crate::evaluate::Evaluator;
use crate::mcts::forced;
use crate::options::{MctsOptions, expect};
use crate::ordering::Ordering;
use crate::search::Search;
use crate::tree_search::TreeSearch;
use crate::{SearchError, SearchReport};

/// One tree, whose leaves are judged by many threads at a time.
///
/// A batch of leaves is gathered with virtual losses, judged, and applied in
/// the order in which it was gathered; each leaf draws from a stream of its
/// own. So the batch is part of the question, and the threads change nothing
/// but the time. It pays when judging a leaf takes some microseconds;
/// for quicker ones take [`RootParallel`](super::RootParallel).
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
