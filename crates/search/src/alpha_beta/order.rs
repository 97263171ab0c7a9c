//! Move ordering: table move, exchanges, killer moves (Akl and Newborn 1977), counter moves
//! (Uiterwijk 1992) and the history heuristic (Schaeffer, "The History Heuristic and Alpha-Beta
//! Search Enhancements in Practice", 1989).

use meeple_game::{Action, MAX_ACTIONS};

/// The rank of the table move; all others are below.
const TABLE_MOVE: i32 = i32::MAX;
/// The rank of a noisy action that loses nothing, to which its exchange is added.
const GOOD_EXCHANGE: i32 = 1_000_000;
const KILLERS: [i32; 2] = [900_000, 890_000];
const COUNTER: i32 = 880_000;
/// The rank of a losing exchange, to which its loss is added.
const BAD_EXCHANGE: i32 = -1_000_000;
/// The bound of history values.
const MOST_HISTORY: i32 = 16_384;

/// The actions of a node, picked in the order of their ranks.
#[derive(Clone, Debug)]
pub(super) struct Ordered {
    actions: [Action; MAX_ACTIONS],
    ranks: [i32; MAX_ACTIONS],
    /// The rank of the exchange, or `QUIET`.
    exchanges: [i32; MAX_ACTIONS],
    len: usize,
    next: usize,
}

/// An action that is picked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picked {
    pub(super) action: Action,
    pub(super) exchange: i32,
}

impl Picked {
    pub(super) fn is_quiet(self) -> bool {
        self.exchange == meeple_game::QUIET
    }

    pub(super) fn is_good_exchange(self) -> bool {
        self.exchange >= 0
    }

    /// Whether the action loses no material by an exchange.
    pub(super) fn loses_nothing(self) -> bool {
        self.is_quiet() || self.is_good_exchange()
    }
}

impl Ordered {
    pub(super) fn new() -> Self {
        Self {
            actions: [Action(0); MAX_ACTIONS],
            ranks: [0; MAX_ACTIONS],
            exchanges: [meeple_game::QUIET; MAX_ACTIONS],
            len: 0,
            next: 0,
        }
    }

    /// Starts again with `actions`, all of them quiet; `write` replaces their exchanges.
    #[inline]
    pub(super) fn start(
        &mut self,
        actions: &[Action],
        write: impl FnOnce(&[Action], &mut [i32]) -> bool,
    ) {
        (self.len, self.next) = (actions.len(), 0);
        self.actions[..self.len].copy_from_slice(actions);
        let exchanges = &mut self.exchanges[..self.len];
        if !write(actions, exchanges) {
            exchanges.fill(meeple_game::QUIET);
        }
    }

    /// Ranks all actions.
    #[inline]
    pub(super) fn rank(
        &mut self,
        table_move: Option<Action>,
        killers: [Option<Action>; 2],
        counter: Option<Action>,
        mut history: impl FnMut(Action) -> i32,
    ) {
        for at in 0..self.len {
            let (action, exchange) = (self.actions[at], self.exchanges[at]);
            let is = |other: Option<Action>| other == Some(action);
            self.ranks[at] = if is(table_move) {
                TABLE_MOVE
            } else if exchange != meeple_game::QUIET {
                if exchange >= 0 { GOOD_EXCHANGE + exchange } else { BAD_EXCHANGE + exchange }
            } else if is(killers[0]) {
                KILLERS[0]
            } else if is(killers[1]) {
                KILLERS[1]
            } else if is(counter) {
                COUNTER
            } else {
                history(action)
            };
        }
    }

    /// Picks the action of the highest rank among the rest; the first of equals.
    #[inline]
    pub(super) fn pick(&mut self) -> Option<Picked> {
        let from = self.next;
        if from >= self.len {
            return None;
        }
        let mut best = from;
        for at in from + 1..self.len {
            if self.ranks[at] > self.ranks[best] {
                best = at;
            }
        }
        let picked = Picked { action: self.actions[best], exchange: self.exchanges[best] };
        // Rotating instead of swapping would keep equals in order; the first of equals is enough
        // for a reproducible order.
        self.actions.swap(from, best);
        self.ranks.swap(from, best);
        self.exchanges.swap(from, best);
        self.next += 1;
        Some(picked)
    }

    /// The actions picked so far that are quiet, without the last one.
    fn earlier_quiet(&self) -> impl Iterator<Item = Action> + '_ {
        let picked = 0..self.next.saturating_sub(1);
        let quiet = picked.filter(|&at| self.exchanges[at] == meeple_game::QUIET);
        quiet.map(|at| self.actions[at])
    }
}

/// What a search has learned about actions, apart from where they were played.
#[derive(Clone, Debug)]
pub(super) struct Learned {
    /// Values by seat and action, within [`MOST_HISTORY`].
    history: Vec<i16>,
    /// The best answer to an action, by the seat that answers.
    counters: Vec<Option<Action>>,
    actions: usize,
}

impl Learned {
    pub(super) fn new(actions: usize) -> Self {
        Self { history: vec![0; 2 * actions], counters: vec![None; 2 * actions], actions }
    }

    pub(super) fn clear(&mut self) {
        self.history.fill(0);
        self.counters.fill(None);
    }

    /// Halves what earlier searches have learned.
    pub(super) fn fade(&mut self) {
        self.history.iter_mut().for_each(|value| *value /= 2);
    }

    #[inline]
    pub(super) fn history(&self, seat: usize, action: Action) -> i32 {
        self.history[seat * self.actions + action.index()].into()
    }

    #[inline]
    pub(super) fn counter(&self, seat: usize, last: Option<Action>) -> Option<Action> {
        self.counters[seat * self.actions + last?.index()]
    }

    pub(super) fn set_counter(&mut self, seat: usize, last: Option<Action>, answer: Action) {
        if let Some(last) = last {
            self.counters[seat * self.actions + last.index()] = Some(answer);
        }
    }

    /// Rewards the quiet action that caused a cutoff at `depth`, and punishes those that were
    /// tried before it.
    pub(super) fn reward(&mut self, seat: usize, best: Action, tried: &Ordered, depth: i32) {
        let bonus = (depth * depth * 8 + 32 * depth).min(1600);
        self.change(seat, best, bonus);
        for action in tried.earlier_quiet() {
            self.change(seat, action, -bonus);
        }
    }

    /// Moves a value towards a bound that it never passes.
    fn change(&mut self, seat: usize, action: Action, bonus: i32) {
        let value = &mut self.history[seat * self.actions + action.index()];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / MOST_HISTORY) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meeple_game::QUIET;

    #[test]
    fn actions_are_picked_by_rank() {
        let mut ordered = Ordered::new();
        let actions: Vec<Action> = (0..7).map(Action).collect();
        ordered.start(&actions, |_, exchanges| {
            exchanges.copy_from_slice(&[QUIET, -50, 300, QUIET, QUIET, QUIET, QUIET]);
            true
        });
        let killers = [Some(Action(4)), None];
        ordered.rank(Some(Action(5)), killers, Some(Action(3)), |action| i32::from(action.0 == 6));
        let mut order = vec![];
        while let Some(picked) = ordered.pick() {
            order.push(picked.action.0);
        }
        assert_eq!(order, [5, 2, 4, 3, 6, 0, 1]);
    }

    #[test]
    fn history_stays_within_its_bound() {
        let mut learned = Learned::new(3);
        let mut ordered = Ordered::new();
        ordered.start(&[Action(0), Action(1), Action(2)], |_, _| false);
        ordered.rank(None, [None; 2], None, |action| -i32::from(action.0));
        ordered.pick();
        ordered.pick();
        for _ in 0..1000 {
            learned.reward(1, Action(1), &ordered, 20);
        }
        assert!((15_000..=MOST_HISTORY).contains(&learned.history(1, Action(1))));
        assert!((-MOST_HISTORY..=-15_000).contains(&learned.history(1, Action(0))));
        assert_eq!(learned.history(1, Action(2)), 0);
        assert_eq!(learned.history(0, Action(1)), 0);
    }
}
