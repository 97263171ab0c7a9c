//! Search reports: root statistics, principal variations and tree statistics.

use std::time::Duration;

use meeple_game::{Action, MAX_PLAYERS, Payoffs, Player, Rng};
use serde::{Deserialize, Serialize};

use crate::alpha_beta::Score;
use crate::budget::StopReason;
use crate::softmax;

/// Statistics of one root action.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ActionReport {
    /// The action.
    pub action: Action,
    /// Simulations through this action.
    pub visits: u64,
    /// Simulations in which the action was legal. In ISMCTS this is the availability count;
    /// elsewhere it equals the root visits.
    pub available: u64,
    /// The mean value for each seat; 0 without visits.
    pub values: Payoffs,
    /// The prior probability.
    pub prior: f32,
    /// The search policy: the policy target for learning.
    pub policy: f32,
    /// Whether `values` is proven.
    pub solved: bool,
}

/// Statistics of a hash table of states: a transposition table or an evaluation cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableReport {
    /// The number of slots.
    pub capacity: u64,
    /// Slots in use.
    pub used: u64,
    /// Lookups.
    pub lookups: u64,
    /// Lookups that found the state.
    pub hits: u64,
    /// Entries evicted.
    pub evicted: u64,
}

/// The number of principal variations in a report.
pub(crate) const VARIATIONS: usize = 3;

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchReport {
    /// The action to play.
    pub best: Action,
    /// Every legal action, in the order of the game.
    pub actions: Vec<ActionReport>,
    /// The root value for each seat.
    pub values: Payoffs,
    /// Principal variations, best first: the actions of each line, including chance
    /// outcomes.
    pub variations: Vec<Vec<Action>>,
    /// The scores of the variations, for the player to move, in searches that know units or
    /// distances; else empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<Score>,
    /// Simulations of this search.
    #[serde(rename = "iterations")]
    pub simulations: u64,
    /// Nodes in the tree.
    pub nodes: u64,
    /// Size of the tree in bytes.
    pub bytes: u64,
    /// The maximum depth of a simulation.
    pub depth: u32,
    /// The mean depth of the simulations.
    pub mean_depth: f32,
    /// Leaf evaluations.
    pub evaluations: u64,
    /// The transposition table, if there is one.
    pub table: Option<TableReport>,
    /// The evaluation cache, if there is one.
    pub cache: Option<TableReport>,
    /// Wall-clock time; not reproducible.
    pub elapsed: Duration,
    /// Simulations per second.
    #[serde(rename = "iterations_per_second")]
    pub simulations_per_second: f64,
    /// Why the search stopped.
    #[serde(rename = "ended")]
    pub stop_reason: StopReason,
    /// Whether the root used sequential halving. Its survivors have equal visits, so
    /// `policy` ranks actions, not `visits`.
    pub halved: bool,
}

impl SearchReport {
    /// A copy without timings, to compare two runs.
    #[must_use]
    pub fn without_clock(&self) -> Self {
        Self { elapsed: Duration::ZERO, simulations_per_second: 0.0, ..self.clone() }
    }

    /// The visited actions: the best one first, then by descending visits.
    pub(crate) fn most_visited_actions(&self) -> Vec<Action> {
        let mut visited: Vec<_> = self.actions.iter().filter(|entry| entry.visits > 0).collect();
        visited.sort_by_key(|entry| (entry.action != self.best, std::cmp::Reverse(entry.visits)));
        visited.iter().map(|entry| entry.action).collect()
    }

    /// Samples an action with probability proportional to `visits ^ (1 / temperature)`; at
    /// 0 returns the best action.
    ///
    /// ```
    /// # use meeple_game::{Action, Rng};
    /// # use meeple_search::{ActionReport, SearchReport};
    /// let visited = |action, visits| ActionReport { action: Action(action), visits, ..Default::default() };
    /// let report = SearchReport {
    ///     best: Action(3),
    ///     actions: vec![visited(2, 10), visited(3, 90)],
    ///     ..Default::default()
    /// };
    /// let mut rng = Rng::new(1);
    /// assert_eq!(report.sample(0.0, &mut rng), Action(3));
    /// let drawn = (0..1000).filter(|_| report.sample(1.0, &mut rng) == Action(2)).count();
    /// assert!((70..130).contains(&drawn));
    /// ```
    #[must_use]
    pub fn sample(&self, temperature: f32, rng: &mut Rng) -> Action {
        let most = self.actions.iter().map(|action| action.visits).max().unwrap_or(0);
        if temperature <= 0.0 || most == 0 {
            return self.best;
        }
        let weight = |action: &ActionReport| {
            (action.visits as f64 / most as f64).powf(1.0 / f64::from(temperature))
        };
        let sum: f64 = self.actions.iter().map(weight).sum();
        let mut left = rng.unit() * sum;
        for action in &self.actions {
            left -= weight(action);
            if left < 0.0 {
                return action.action;
            }
        }
        self.best
    }

    /// Samples a visited action by a [`softmax`] over the values for `seat`; at temperature 0
    /// returns the best action.
    #[must_use]
    pub fn sample_by_value(&self, seat: Player, temperature: f32, rng: &mut Rng) -> Action {
        let visited = self.actions.iter().filter(|entry| entry.visits > 0);
        let (actions, values): (Vec<Action>, Vec<f64>) =
            visited.map(|entry| (entry.action, f64::from(entry.values[seat.index()]))).unzip();
        if temperature <= 0.0 || values.is_empty() {
            return self.best;
        }
        actions[softmax(&values, temperature.into(), rng)]
    }

    /// The entry of the best action.
    #[must_use]
    pub fn best_entry(&self) -> Option<&ActionReport> {
        self.actions.iter().find(|entry| entry.action == self.best)
    }

    /// The most visited action that is `allowed`.
    pub(crate) fn most_visited(
        &self,
        allowed: impl Fn(&ActionReport) -> bool,
    ) -> Option<&ActionReport> {
        let entries = self.actions.iter().filter(|entry| allowed(entry));
        entries.reduce(|best, entry| if entry.visits > best.visits { entry } else { best })
    }

    /// Corrects the best action by what is proven, regardless of visits: proven losses are
    /// avoided, and a draw is taken if no unproven action has a positive value for `seat`.
    pub(crate) fn respect_proofs(
        &mut self,
        seat: usize,
        is_unproven: impl Fn(&ActionReport) -> bool,
        is_at_least_draw: impl Fn(&ActionReport) -> bool,
    ) {
        let chosen = self.best_entry().filter(|entry| is_unproven(entry));
        let open = chosen.or_else(|| self.most_visited(&is_unproven));
        let is_better = open.is_some_and(|entry| entry.values[seat] > 0.0);
        let best = if is_better { open } else { self.most_visited(is_at_least_draw).or(open) };
        self.best = best.map_or(self.best, |entry| entry.action);
    }

    /// The report on a state with one legal action.
    pub(crate) fn forced(action: Action) -> Self {
        let only = ActionReport { action, prior: 1.0, policy: 1.0, ..ActionReport::default() };
        Self {
            best: action,
            actions: vec![only],
            variations: vec![vec![action]],
            stop_reason: StopReason::Forced,
            ..Self::default()
        }
    }

    pub(crate) fn set_time(&mut self, elapsed: Duration) {
        self.elapsed = elapsed;
        let seconds = elapsed.as_secs_f64();
        self.simulations_per_second =
            if seconds > 0.0 { self.simulations as f64 / seconds } else { 0.0 };
    }

    /// Derives the best action, the policy and the root value from the visits of the
    /// actions.
    pub(crate) fn finish(&mut self) {
        let sum: u64 = self.actions.iter().map(|action| action.visits).sum();
        let mut values = [0.0f64; MAX_PLAYERS];
        for action in &mut self.actions {
            let share = action.visits as f64 / sum.max(1) as f64;
            action.policy = share as f32;
            for (value, &part) in values.iter_mut().zip(&action.values) {
                *value += share * f64::from(part);
            }
        }
        self.values = values.map(|value| value as f32);
        let best = self
            .actions
            .iter()
            .reduce(|best, action| if action.visits > best.visits { action } else { best });
        self.best = best.map_or(Action(0), |action| action.action);
    }
}
