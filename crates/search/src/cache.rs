//! An evaluation cache: 4-way set-associative with LRU replacement.

use meeple_game::{Game, Payoffs, Rng};

use crate::SearchError;
use crate::evaluate::Evaluator;
use crate::report::TableReport;

/// Slots per set.
const WAYS: usize = 4;

/// An evaluator with a cache in front of it, keyed by state.
///
/// For deterministic evaluators such as heuristics and networks, not for rollouts. Each set
/// of four slots evicts the least recently used one.
///
/// ```
/// use meeple_search::{Cached, Heuristic};
///
/// let evaluator = Cached::new(Heuristic, 1 << 16)?;
/// # Ok::<_, meeple_search::SearchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cached<E> {
    inner: E,
    /// The key of each slot; 0 if empty.
    keys: Vec<u64>,
    values: Vec<Payoffs>,
    /// `[slots, actions]` logits, if the evaluator has a policy.
    logits: Vec<f32>,
    /// The last use of each slot, on `clock`.
    used: Vec<u32>,
    clock: u32,
    report: TableReport,
    /// The indices of the states of a batch that missed, and buffers for their evaluation.
    misses: Vec<usize>,
    new_values: Vec<Payoffs>,
    new_logits: Vec<f32>,
}

impl<E> Cached<E> {
    /// Creates a cache of `capacity` states, rounded up to a power of two.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::BadOption`] if `capacity` is 0.
    pub fn new(inner: E, capacity: usize) -> Result<Self, SearchError> {
        crate::options::expect(capacity > 0, "cache capacity", 0.0, "at least 1")?;
        let slots = capacity.next_power_of_two().max(WAYS);
        Ok(Self {
            inner,
            keys: vec![0; slots],
            values: vec![Payoffs::default(); slots],
            logits: Vec::new(),
            used: vec![0; slots],
            clock: 0,
            report: TableReport { capacity: slots as u64, ..TableReport::default() },
            misses: Vec::new(),
            new_values: Vec::new(),
            new_logits: Vec::new(),
        })
    }

    fn set_of(&self, key: u64) -> usize {
        key as usize & (self.keys.len() - 1) & !(WAYS - 1)
    }

    fn find(&mut self, key: u64) -> Option<usize> {
        self.report.lookups += 1;
        self.clock += 1;
        let first = self.set_of(key);
        let slot = (first..first + WAYS).find(|&slot| self.keys[slot] == key)?;
        self.used[slot] = self.clock;
        self.report.hits += 1;
        Some(slot)
    }

    /// Allocates a slot for `key`: an empty one, or the least recently used of its set.
    fn allocate(&mut self, key: u64) -> usize {
        let first = self.set_of(key);
        let age = |slot: &usize| (self.keys[*slot] != 0, self.used[*slot]);
        let slot = (first..first + WAYS).min_by_key(age).unwrap_or(first);
        if self.keys[slot] == 0 {
            self.report.used += 1;
        } else {
            self.report.evicted += 1;
        }
        self.keys[slot] = key;
        self.used[slot] = self.clock;
        slot
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Cached<E> {
    fn is_rollout(&self) -> bool {
        self.inner.is_rollout()
    }

    fn has_policy(&self) -> bool {
        self.inner.has_policy()
    }

    fn check(&self, root: &G) -> Result<(), SearchError> {
        self.inner.check(root)
    }

    fn cache_report(&self) -> Option<TableReport> {
        Some(self.report)
    }

    fn evaluate(
        &mut self,
        states: &[G],
        rng: &mut Rng,
        values: &mut [Payoffs],
        logits: &mut [f32],
    ) {
        if states.is_empty() {
            return;
        }
        let width = logits.len() / states.len();
        if self.logits.len() != self.keys.len() * width {
            // The first states, or those of another table, whose rows have another width.
            self.keys.fill(0);
            self.report.used = 0;
            self.logits.resize(self.keys.len() * width, 0.0);
        }
        self.misses.clear();
        for (at, state) in states.iter().enumerate() {
            match self.find(key_of(state)) {
                Some(slot) => {
                    values[at] = self.values[slot];
                    logits[at * width..(at + 1) * width]
                        .copy_from_slice(&self.logits[slot * width..(slot + 1) * width]);
                }
                None => self.misses.push(at),
            }
        }
        if self.misses.len() == states.len() {
            // All states missed, which is the rule for single leaves: evaluate them in
            // place.
            self.inner.evaluate(states, rng, values, logits);
        } else if !self.misses.is_empty() {
            self.evaluate_misses(states, rng, values, logits);
        }
        for number in 0..self.misses.len() {
            let at = self.misses[number];
            let slot = self.allocate(key_of(&states[at]));
            self.values[slot] = values[at];
            self.logits[slot * width..(slot + 1) * width]
                .copy_from_slice(&logits[at * width..(at + 1) * width]);
        }
    }
}

impl<E> Cached<E> {
    /// Evaluates the states that missed as one batch.
    fn evaluate_misses<G: Game>(
        &mut self,
        states: &[G],
        rng: &mut Rng,
        values: &mut [Payoffs],
        logits: &mut [f32],
    ) where
        E: Evaluator<G>,
    {
        let width = logits.len() / states.len();
        let missed: Vec<G> = self.misses.iter().map(|&at| states[at]).collect();
        self.new_values.clear();
        self.new_values.resize(missed.len(), Payoffs::default());
        self.new_logits.clear();
        self.new_logits.resize(missed.len() * width, 0.0);
        self.inner.evaluate(&missed, rng, &mut self.new_values, &mut self.new_logits);
        for (number, &at) in self.misses.iter().enumerate() {
            values[at] = self.new_values[number];
            logits[at * width..(at + 1) * width]
                .copy_from_slice(&self.new_logits[number * width..(number + 1) * width]);
        }
    }
}

/// The key of a state; 0 marks an empty slot.
fn key_of<G: Game>(state: &G) -> u64 {
    state.key().max(1)
}
