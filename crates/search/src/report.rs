//! What a search has found out, for people, pages and learners.

use std::time::Duration;

use meeple_game::{Action, MAX_PLAYERS, Payoffs, Rng};
use serde::{Deserialize, Serialize};

use crate::budget::Ended;

/// What is known of one action of the root.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ActionReport {
    /// The action.
    pub action: Action,
    /// Simulations that went through it.
    pub visits: u64,
    /// Simulations in which it could have been chosen; as many as all of them
    /// but for searches over many worlds.
    pub available: u64,
    /// What it has been worth to each seat on average; 0 if never tried.
    pub values: Payoffs,
    /// How likely it was thought to be good beforehand.
    pub prior: f32,
    /// How likely it should be played: the target of learning.
    pub policy: f32,
    /// Whether `values` is proven.
    pub solved: bool,
}

/// What a table of states has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableReport {
    /// Slots.
    pub capacity: u64,
    /// Slots in use.
    pub used: u64,
    /// Times a state was looked for.
    pub lookups: u64,
    /// Times it was there.
    pub hits: u64,
    /// States forgotten to make room.
    pub evicted: u64,
}

/// What a search has found out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchReport {
    /// The action to play.
    pub best: Action,
    /// Every legal action, in the order of the game.
    pub actions: Vec<ActionReport>,
    /// What the root has been worth to each seat.
    pub values: Payoffs,
    /// What is expected to follow, best first: the actions of each line, with
    /// the outcomes of luck in between.
    pub variations: Vec<Vec<Action>>,
    /// Simulations of this search.
    pub iterations: u64,
    /// States in the tree.
    pub nodes: u64,
    /// Bytes of the tree.
    pub bytes: u64,
    /// The longest way from the root, in steps.
    pub depth: u32,
    /// The average way from the root, in steps.
    pub mean_depth: f32,
    /// Calls for a value.
    pub evaluations: u64,
    /// The table of states, where there is one.
    pub table: Option<TableReport>,
    /// The cache of evaluations, where there is one.
    pub cache: Option<TableReport>,
    /// The time it took; not part of what repeats exactly.
    pub elapsed: Duration,
    /// Simulations a second.
    pub iterations_per_second: f64,
    /// Why it ended.
    pub ended: Ended,
    /// Whether visits were given out by sequential halving: its survivors are
    /// visited alike, so it is the policy that tells them apart.
    pub halved: bool,
}

impl SearchReport {
    /// The same report without what the clock says, to compare two runs.
    #[must_use]
    pub fn without_clock(&self) -> Self {
        Self { elapsed: Duration::ZERO, iterations_per_second: 0.0, ..self.clone() }
    }

    /// Draws an action by its visits to the power of `1 / temperature`; the
    /// best one at 0.
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

    /// The entry of the action to play.
    #[must_use]
    pub fn best_entry(&self) -> Option<&ActionReport> {
        self.actions.iter().find(|entry| entry.action == self.best)
    }

    /// The most visited of the actions that are `allowed`.
    pub(crate) fn most_visited(
        &self,
        allowed: impl Fn(&ActionReport) -> bool,
    ) -> Option<&ActionReport> {
        let entries = self.actions.iter().filter(|entry| allowed(entry));
        entries.reduce(|best, entry| if entry.visits > best.visits { entry } else { best })
    }

    /// Has the best action heed what is proven whatever the visits: a loss is
    /// not played, and a draw is where nothing that `is_open` looks better to
    /// `seat`.
    pub(crate) fn prefer(
        &mut self,
        seat: usize,
        is_open: impl Fn(&ActionReport) -> bool,
        has_draw: impl Fn(&ActionReport) -> bool,
    ) {
        let chosen = self.best_entry().filter(|entry| is_open(entry));
        let open = chosen.or_else(|| self.most_visited(&is_open));
        let is_better = open.is_some_and(|entry| entry.values[seat] > 0.0);
        let best = if is_better { open } else { self.most_visited(has_draw).or(open) };
        self.best = best.map_or(self.best, |entry| entry.action);
    }

    /// The report on a state with one action.
    pub(crate) fn forced(action: Action) -> Self {
        let only = ActionReport { action, prior: 1.0, policy: 1.0, ..ActionReport::default() };
        Self {
            best: action,
            actions: vec![only],
            variations: vec![vec![action]],
            ended: Ended::Forced,
            ..Self::default()
        }
    }

    pub(crate) fn clock(&mut self, elapsed: Duration) {
        self.elapsed = elapsed;
        let seconds = elapsed.as_secs_f64();
        self.iterations_per_second =
            if seconds > 0.0 { self.iterations as f64 / seconds } else { 0.0 };
    }

    /// Fills what follows from the actions: the best one by visits, policies
    /// in proportion to visits, and the value of the root.
    pub(crate) fn conclude(&mut self) {
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
