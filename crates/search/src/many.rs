//! Many searches whose leaves fill the batches of one evaluator.

use std::time::Instant;

use meeple_game::{Game, Payoffs, Rng, Turn, View};

use crate::mcts::forced_report;
use crate::options::expect;
use crate::{
    BatchedSearch, Budget, Evaluator, RootNoise, RootPolicy, SearchError, SearchReport, StopFlag,
};

/// The settings of [`search_many`].
#[derive(Clone, Copy, Debug)]
pub struct ManyOptions {
    /// The number of simulations of each search.
    pub simulations: u64,
    /// How simulations are allocated at the roots.
    pub root: RootPolicy,
    /// Dirichlet noise on the root priors.
    pub noise: Option<RootNoise>,
    /// The largest batch of leaves.
    pub batch: usize,
    /// Leaves per search in a batch. More than one costs strength, since leaves of one tree are
    /// selected without the values of the others; it fills batches where there are few searches.
    pub leaves: usize,
    /// The random seed of the first search; each search adds 1.
    pub seed: u64,
}

impl Default for ManyOptions {
    fn default() -> Self {
        let root = RootPolicy::Same;
        Self { simulations: 800, root, noise: None, batch: 256, leaves: 1, seed: 0 }
    }
}

/// Searches every state, with batches of leaves from as many trees as they take.
///
/// `new_search` makes a search; each serves many states, one after the other. With an evaluator
/// that draws no random numbers, the result of a search does not depend on the others, on their
/// number or on the size of the batches. Where there is only one legal action, the report has it
/// and nothing is evaluated.
///
/// ```
/// use meeple_game::{Action, Game, Player};
/// use meeple_games::small::ConnectFour;
/// use meeple_search::{
///     BatchedMcts, ManyOptions, MctsOptions, Rollout, StopFlag, search_many,
/// };
///
/// let start = ConnectFour::new(&Default::default());
/// let states: Vec<ConnectFour> = (0..7)
///     .map(|column| {
///         let mut state = start;
///         state.apply(Action(column));
///         state
///     })
///     .collect();
/// let options = ManyOptions { simulations: 100, ..ManyOptions::default() };
/// let new_search = || Ok(Box::new(BatchedMcts::new(&MctsOptions::default(), false, None)?) as _);
/// let mut evaluator = Rollout::default();
/// let reports =
///     search_many(&states, &options, &new_search, &mut evaluator, &StopFlag::default())?;
/// assert!(reports.iter().all(|report| report.simulations == 100));
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
///
/// # Errors
///
/// When an option is out of range, no player decides in a state, or the evaluator returns
/// invalid numbers. A search that is stopped ends with [`SearchError::Stopped`].
pub fn search_many<G: Game, E: Evaluator<G>>(
    states: &[G],
    options: &ManyOptions,
    new_search: &dyn Fn() -> Result<Box<dyn BatchedSearch<G>>, SearchError>,
    evaluator: &mut E,
    stop: &StopFlag,
) -> Result<Vec<SearchReport>, SearchError> {
    let ManyOptions { batch, leaves, .. } = *options;
    expect(leaves > 0, "leaves", leaves as f32, "at least 1")?;
    expect(batch >= leaves, "batch", batch as f32, "at least the leaves of one search")?;
    if let Some(first) = states.first() {
        evaluator.check(first)?;
    }
    let mut queue = Queue { states, options, new_search, next: 0, started: Instant::now() };
    let mut reports = vec![SearchReport::default(); states.len()];
    let mut running: Vec<Running<'_, G>> = Vec::new();
    while running.len() < batch / leaves
        && let Some(started) = queue.start(&mut reports, None)?
    {
        running.push(started);
    }
    let mut buffers = Buffers::default();
    while !running.is_empty() {
        if stop.is_stopped() {
            return Err(SearchError::Stopped);
        }
        buffers.leaves.clear();
        let mut at = 0;
        while let Some(search) = running.get_mut(at) {
            if search.gather(options)? {
                buffers.leaves.extend_from_slice(search.tree.leaves());
                at += 1;
                continue;
            }
            let Running { index, tree, .. } = running.swap_remove(at);
            reports[index] = tree.report();
            reports[index].set_time(queue.started.elapsed());
            if let Some(started) = queue.start(&mut reports, Some(tree))? {
                running.push(started);
            }
        }
        buffers.evaluate(evaluator);
        buffers.apply(&mut running)?;
    }
    Ok(reports)
}

/// The states that are not searched yet.
struct Queue<'a, G: Game> {
    states: &'a [G],
    options: &'a ManyOptions,
    new_search: &'a dyn Fn() -> Result<Box<dyn BatchedSearch<G>>, SearchError>,
    next: usize,
    started: Instant,
}

impl<'a, G: Game> Queue<'a, G> {
    /// Starts the next search, with the tree of a finished one if there is one. `None` if all
    /// have been started.
    fn start(
        &mut self,
        reports: &mut [SearchReport],
        mut tree: Option<Box<dyn BatchedSearch<G>>>,
    ) -> Result<Option<Running<'a, G>>, SearchError> {
        while let Some(state) = self.states.get(self.next) {
            let index = self.next;
            self.next += 1;
            if let Some(report) = forced_report(state) {
                reports[index] = report;
                continue;
            }
            let Turn::Player(seat) = state.turn() else {
                return Err(SearchError::NoDecision(index));
            };
            let view = View::new(state, seat);
            let mut tree = match tree.take() {
                Some(tree) => tree,
                None => (self.new_search)()?,
            };
            let ManyOptions { root, noise, simulations, seed, .. } = *self.options;
            let (budget, seed) =
                (Budget::simulations(simulations), seed.wrapping_add(index as u64));
            tree.begin(&view, root, noise, &budget, seed)?;
            return Ok(Some(Running { index, view, tree }));
        }
        Ok(None)
    }
}

/// A search in progress.
struct Running<'a, G: Game> {
    index: usize,
    view: View<'a, G>,
    tree: Box<dyn BatchedSearch<G>>,
}

impl<G: Game> Running<'_, G> {
    /// Simulates until leaves wait for evaluation. Returns false when the search is over.
    fn gather(&mut self, options: &ManyOptions) -> Result<bool, SearchError> {
        loop {
            let done = self.tree.simulations();
            if done >= options.simulations || self.tree.is_solved() {
                return Ok(false);
            }
            let left = usize::try_from(options.simulations - done).unwrap_or(usize::MAX);
            self.tree.gather(&self.view, options.leaves.min(left))?;
            if !self.tree.leaves().is_empty() {
                return Ok(true);
            }
            if self.tree.simulations() == done {
                // The tree is full: the simulations so far decide.
                return Ok(false);
            }
        }
    }
}

/// The leaves of all searches, and their evaluations.
struct Buffers<G> {
    leaves: Vec<G>,
    values: Vec<Payoffs>,
    logits: Vec<f32>,
    width: usize,
    rng: Rng,
}

impl<G> Default for Buffers<G> {
    fn default() -> Self {
        // Evaluators that draw numbers have a stream of their own.
        let rng = Rng::new(0);
        Self { leaves: Vec::new(), values: Vec::new(), logits: Vec::new(), width: 0, rng }
    }
}

impl<G: Game> Buffers<G> {
    fn evaluate<E: Evaluator<G>>(&mut self, evaluator: &mut E) {
        let Some(first) = self.leaves.first() else { return };
        self.width = if evaluator.has_policy() { first.actions() } else { 0 };
        self.values.resize(self.leaves.len(), Payoffs::default());
        self.logits.resize(self.leaves.len() * self.width, 0.0);
        evaluator.evaluate(&self.leaves, &mut self.rng, &mut self.values, &mut self.logits);
    }

    fn apply(&self, running: &mut [Running<'_, G>]) -> Result<(), SearchError> {
        let mut first = 0;
        for search in running {
            let end = first + search.tree.leaves().len();
            let logits = &self.logits[first * self.width..end * self.width];
            search.tree.apply(&self.values[first..end], logits)?;
            first = end;
        }
        Ok(())
    }
}
