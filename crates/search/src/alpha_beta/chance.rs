//! Chance nodes: expectiminimax with the cutoffs Star1 and Star2.
//!
//! Ballard, "The *-Minimax Search Procedure for Trees Containing Chance Nodes", 1983; Hauk, Buro
//! and Schaeffer, "*-Minimax Performance in Backgammon", 2004. Star1 derives the window of an
//! outcome from the bounds of all others. Star2 first probes every outcome with the most promising
//! action alone, which bounds its value from one side.
//!
//! Values are whole units, so that every cutoff keeps the value of plain expectiminimax exactly.

use meeple_game::{Game, MAX_OUTCOMES, OutcomeList, Turn};

use super::node::{Task, usable};
use super::score::PAYOFF_UNITS;
use super::table::{Bound, NO_EVALUATION};
use super::worker::{FREE, MAX_PLY, Shared, Value, Worker};

/// The outcomes of a chance node, with bounds of their values for seat 0.
#[derive(Clone, Debug)]
pub(super) struct Outcomes {
    list: OutcomeList,
    low: [i32; MAX_OUTCOMES],
    high: [i32; MAX_OUTCOMES],
}

impl Outcomes {
    pub(super) fn new() -> Self {
        Self { list: OutcomeList::new(), low: [0; MAX_OUTCOMES], high: [0; MAX_OUTCOMES] }
    }

    fn start(&mut self) {
        self.low[..self.list.len()].fill(-PAYOFF_UNITS);
        self.high[..self.list.len()].fill(PAYOFF_UNITS);
    }

    fn probability(&self, number: usize) -> f64 {
        self.list[number].probability
    }

    /// The sum of all probabilities, which is 1 but for rounding.
    fn total(&self) -> f64 {
        (0..self.list.len()).map(|number| self.probability(number)).sum()
    }

    fn sum(&self, bounds: &[i32; MAX_OUTCOMES]) -> f64 {
        (0..self.list.len())
            .map(|number| self.probability(number) * f64::from(bounds[number]))
            .sum()
    }

    fn is_known(&self, number: usize) -> bool {
        self.low[number] == self.high[number]
    }

    /// The window of an outcome outside which its value alone decides that the node fails low or
    /// high.
    fn window(&self, number: usize, task: Task, sums: Sums) -> (i32, i32) {
        let probability = self.probability(number);
        let (low, high) = (self.low[number], self.high[number]);
        let rest_high = sums.high - probability * f64::from(high);
        let rest_low = sums.low - probability * f64::from(low);
        let alpha = (f64::from(task.alpha) * sums.total - rest_high) / probability;
        let beta = (f64::from(task.beta) * sums.total - rest_low) / probability;
        // Casts saturate. A value outside the bounds is impossible.
        let alpha = (alpha.floor() as i32).max(low - 1);
        let beta = (beta.ceil() as i32).min(high + 1);
        (alpha.min(beta - 1), beta)
    }
}

/// The probable sums of the bounds of a chance node.
#[derive(Clone, Copy, Debug)]
struct Sums {
    low: f64,
    high: f64,
    total: f64,
}

impl Sums {
    fn low(self) -> i32 {
        (self.low / self.total).round() as i32
    }

    fn high(self) -> i32 {
        (self.high / self.total).round() as i32
    }
}

/// A result of a chance node in the making.
struct Progress {
    sums: Sums,
    path: i32,
    complete: bool,
}

impl<G: Game> Worker<G> {
    /// Searches the chance node at `ply`, in the view of seat 0.
    pub(super) fn search_chance(&mut self, shared: &Shared<'_>, ply: usize, task: Task) -> Value {
        let key = self.key(ply);
        let entry = self.look_up(shared, key);
        if let Some(value) = entry.and_then(|entry| usable(&entry, ply, task)) {
            return value;
        }
        self.frames[ply].evaluation = NO_EVALUATION;
        let outcomes = &mut self.outcomes[ply];
        self.frames[ply].state.chance_outcomes(&mut outcomes.list);
        outcomes.start();
        let total = outcomes.total();
        let sums =
            Sums { low: outcomes.sum(&outcomes.low), high: outcomes.sum(&outcomes.high), total };
        let mut progress = Progress { sums, path: FREE, complete: true };
        let has_probes = self.options.star2 && !task.is_pv;
        for is_probe in [true, false] {
            if is_probe && !has_probes {
                continue;
            }
            for number in 0..self.outcomes[ply].list.len() {
                if self.outcomes[ply].is_known(number) {
                    continue;
                }
                self.search_outcome(shared, ply, task, number, is_probe, &mut progress);
                if self.halt.is_some() {
                    return Value::heuristic(0);
                }
                let Progress { sums, path, complete } = progress;
                let (low, high) = (sums.low(), sums.high());
                let (bound, score) = match () {
                    () if !has_probes && !self.options.star1 => continue,
                    () if high <= task.alpha => (Bound::Upper, high),
                    () if low >= task.beta => (Bound::Lower, low),
                    () => continue,
                };
                let value = Value { score, path, complete };
                return self.store(shared, ply, task.depth, bound, None, value, key);
            }
        }
        // The sum in the order of the outcomes does not depend on what was probed.
        let outcomes = &self.outcomes[ply];
        let score = (outcomes.sum(&outcomes.low) / total).round() as i32;
        let value = Value { score, path: progress.path, complete: progress.complete };
        self.store(shared, ply, task.depth, Bound::Exact, None, value, key)
    }

    /// Searches or probes an outcome, and narrows its bounds.
    fn search_outcome(
        &mut self,
        shared: &Shared<'_>,
        ply: usize,
        task: Task,
        number: usize,
        is_probe: bool,
        progress: &mut Progress,
    ) {
        let outcomes = &self.outcomes[ply];
        let (low, high) = (outcomes.low[number], outcomes.high[number]);
        let (alpha, beta) = if self.options.star1 {
            outcomes.window(number, task, progress.sums)
        } else {
            (low - 1, high + 1)
        };
        let action = outcomes.list[number].action;
        self.enter(ply, action);
        // An outcome is no action that a counter move answers.
        self.frames[ply].action = None;
        let depth = task.depth - self.cost(ply);
        let task = Task { depth, alpha, beta, is_pv: false };
        let value = if is_probe {
            let Some(value) = self.probe_child(shared, ply, task) else { return };
            value
        } else {
            self.child(shared, ply, task)
        };
        if self.halt.is_some() {
            return;
        }
        let is_first_seat = self.frames[ply + 1].seat == 0;
        let outcomes = &mut self.outcomes[ply];
        let probability = outcomes.probability(number);
        let score = value.score.clamp(low, high);
        // A probe says nothing about the side that other actions may improve.
        let (raises, lowers) = match is_probe {
            true => (is_first_seat && value.score > alpha, !is_first_seat && value.score < beta),
            false => (value.score > alpha, value.score < beta),
        };
        if raises {
            outcomes.low[number] = score;
            progress.sums.low += probability * f64::from(score - low);
        }
        if lowers {
            outcomes.high[number] = score;
            progress.sums.high += probability * f64::from(score - high);
        }
        if raises || lowers {
            progress.path = progress.path.min(value.path);
            progress.complete &= value.complete;
        }
    }

    /// Probes the decision node that [`enter`](Self::enter) reached from the chance node at `ply`:
    /// searches the most promising action of each decision of the turn. Returns the value for seat
    /// 0, a bound from the side of the player to move.
    fn probe_child(&mut self, shared: &Shared<'_>, ply: usize, task: Task) -> Option<Value> {
        if !matches!(self.frames[ply + 1].state.turn(), Turn::Player(_)) || task.depth <= 0 {
            // Searched at once in the second pass.
            return None;
        }
        if self.is_same_seat(ply) {
            return Some(self.probe(shared, ply + 1, task));
        }
        let task = Task { alpha: -task.beta, beta: -task.alpha, ..task };
        let value = self.probe(shared, ply + 1, task);
        Some(Value { score: -value.score, ..value })
    }

    /// Searches the most promising action of the decision node at `ply`.
    fn probe(&mut self, shared: &Shared<'_>, ply: usize, task: Task) -> Value {
        if self.is_halted(shared) || ply >= MAX_PLY {
            return Value::heuristic(task.alpha);
        }
        let key = self.key(ply);
        let entry = self.look_up(shared, key);
        if let Some(value) = entry.and_then(|entry| usable(&entry, ply, task)) {
            return value;
        }
        self.order(ply, task.depth, entry.and_then(|entry| entry.action));
        let Some(picked) = self.frames[ply].ordered.pick() else { return Value::heuristic(0) };
        self.enter(ply, picked.action);
        let cost = self.cost(ply);
        if cost == 0 && ply + 1 < MAX_PLY {
            return self.probe(shared, ply + 1, task);
        }
        self.child(shared, ply, Task { depth: task.depth - cost, ..task })
    }
}
