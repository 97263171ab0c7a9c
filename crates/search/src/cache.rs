//! A cache of evaluations: what was judged once is not judged again.

use meeple_game::{Game, Payoffs, Rng};

use crate::SearchError;
use crate::evaluate::Evaluator;
use crate::report::TableReport;

/// Places a state may be kept in.
const WAYS: usize = 4;

/// An evaluator that remembers what another one said, by the states' keys.
///
/// For evaluators that say the same of the same state each time: estimates and
/// networks, not rollouts. Every set of four places forgets the one used
/// longest ago.
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
    /// The key in each place, 0 for none.
    keys: Vec<u64>,
    values: Vec<Payoffs>,
    /// `[places, ACTIONS]`, if the evaluator has a policy.
    logits: Vec<f32>,
    /// When each place was used last.
    used: Vec<u32>,
    clock: u32,
    report: TableReport,
    /// States of a batch that are not known, and what is said of them.
    missing: Vec<usize>,
    new_values: Vec<Payoffs>,
    new_logits: Vec<f32>,
}

impl<E> Cached<E> {
    /// Remembers up to about `capacity` states, rounded to a power of two.
    ///
    /// # Errors
    ///
    /// When `capacity` is 0.
    pub fn new(inner: E, capacity: usize) -> Result<Self, SearchError> {
        crate::options::expect(capacity > 0, "cache capacity", 0.0, "at least 1")?;
        let places = capacity.next_power_of_two().max(WAYS);
        Ok(Self {
            inner,
            keys: vec![0; places],
            values: vec![Payoffs::default(); places],
            logits: Vec::new(),
            used: vec![0; places],
            clock: 0,
            report: TableReport { capacity: places as u64, ..TableReport::default() },
            missing: Vec::new(),
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
        let place = (first..first + WAYS).find(|&place| self.keys[place] == key)?;
        self.used[place] = self.clock;
        self.report.hits += 1;
        Some(place)
    }

    /// A place for `key`: an empty one, or the one used longest ago.
    fn make_room(&mut self, key: u64) -> usize {
        let first = self.set_of(key);
        let age = |place: &usize| (self.keys[*place] != 0, self.used[*place]);
        let place = (first..first + WAYS).min_by_key(age).unwrap_or(first);
        if self.keys[place] == 0 {
            self.report.used += 1;
        } else {
            self.report.evicted += 1;
        }
        self.keys[place] = key;
        self.used[place] = self.clock;
        place
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Cached<E> {
    const PLAYS_ON: bool = E::PLAYS_ON;

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
        let width = if logits.is_empty() { 0 } else { G::ACTIONS };
        self.logits.resize(self.keys.len() * width, 0.0);
        self.missing.clear();
        for (at, state) in states.iter().enumerate() {
            match self.find(key_of(state)) {
                Some(place) => {
                    values[at] = self.values[place];
                    logits[at * width..(at + 1) * width]
                        .copy_from_slice(&self.logits[place * width..(place + 1) * width]);
                }
                None => self.missing.push(at),
            }
        }
        if self.missing.len() == states.len() {
            // Nothing is known, as ever when leaves come one at a time: they
            // are judged where they are.
            self.inner.evaluate(states, rng, values, logits);
        } else if !self.missing.is_empty() {
            self.judge_missing(states, rng, values, logits);
        }
        for number in 0..self.missing.len() {
            let at = self.missing[number];
            let place = self.make_room(key_of(&states[at]));
            self.values[place] = values[at];
            self.logits[place * width..(place + 1) * width]
                .copy_from_slice(&logits[at * width..(at + 1) * width]);
        }
    }
}

impl<E> Cached<E> {
    /// States not known are judged together, as they came.
    fn judge_missing<G: Game>(
        &mut self,
        states: &[G],
        rng: &mut Rng,
        values: &mut [Payoffs],
        logits: &mut [f32],
    ) where
        E: Evaluator<G>,
    {
        let width = logits.len() / states.len();
        let unknown: Vec<G> = self.missing.iter().map(|&at| states[at]).collect();
        self.new_values.clear();
        self.new_values.resize(unknown.len(), Payoffs::default());
        self.new_logits.clear();
        self.new_logits.resize(unknown.len() * width, 0.0);
        self.inner.evaluate(&unknown, rng, &mut self.new_values, &mut self.new_logits);
        for (number, &at) in self.missing.iter().enumerate() {
            values[at] = self.new_values[number];
            logits[at * width..(at + 1) * width]
                .copy_from_slice(&self.new_logits[number * width..(number + 1) * width]);
        }
    }
}

/// The key of a state; 0 marks an empty place.
fn key_of<G: Game>(state: &G) -> u64 {
    state.key().max(1)
}
