//! Interior nodes: fail-soft negamax with principal variation search and the prunings.
//!
//! Negamax with alpha-beta: Knuth and Moore, "An Analysis of Alpha-Beta Pruning", 1975. Fail-soft:
//! Fishburn 1983. Principal variation search: Marsland and Campbell 1982; Reinefeld, "An
//! Improvement to the Scout Tree Search Algorithm" (NegaScout), 1983. Null move: Beal 1989;
//! Donninger, "Null Move and Deep Search", 1993; adaptive: Heinz, "Adaptive Null-Move Pruning",
//! 1999. Futility pruning: Heinz, "Extended Futility Pruning", 1998. Late move reductions follow
//! the engines Fruit and Stockfish.

use meeple_game::{Action, Game, Turn, heuristic};

use super::order::Picked;
use super::score::{PROVEN, WIN, from_table, is_proven, to_table};
use super::table::{Bound, COMPLETE, Entry, NO_EVALUATION};
use super::worker::{FREE, MAX_PLY, Shared, Value, Worker};

/// The rank of an action after which the evaluation is a win, below the ranks of other kinds.
const MOST_RANK: f32 = 800_000.0;

/// The window and depth of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) depth: i32,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// Whether the node may be on the principal variation.
    pub(super) is_pv: bool,
}

impl Task {
    /// The same search with a null window just above `alpha`.
    fn scout(self, depth: i32, alpha: i32) -> Self {
        Self { depth, alpha, beta: alpha + 1, is_pv: false }
    }
}

/// What is known about a node before its actions are searched.
#[derive(Clone, Copy, Debug)]
struct Outlook {
    key: u64,
    table_move: Option<Action>,
    /// The static evaluation, or `NO_EVALUATION` in check or without tactics.
    evaluation: i32,
    /// Whether the evaluation is better than at the player's turn before.
    is_improving: bool,
}

impl<G: Game> Worker<G> {
    /// Searches the child that [`enter`](Self::enter) reached from `ply`, in the view of the
    /// player at `ply`.
    #[inline]
    pub(super) fn child(&mut self, shared: &Shared<'_>, ply: usize, task: Task) -> Value {
        if self.is_same_seat(ply) {
            return self.search(shared, ply + 1, task);
        }
        let task = Task { alpha: -task.beta, beta: -task.alpha, ..task };
        let value = self.search(shared, ply + 1, task);
        Value { score: -value.score, ..value }
    }

    /// Searches the node at `ply`. The value is meaningless once the search is halted.
    pub(super) fn search(&mut self, shared: &Shared<'_>, ply: usize, task: Task) -> Value {
        self.frames[ply].line.clear();
        if self.is_halted(shared) {
            return Value::heuristic(0);
        }
        if let Some(value) = self.ended(ply) {
            return value;
        }
        if task.depth <= 0 {
            return self.quiesce(shared, ply, task, 0);
        }
        if ply >= MAX_PLY {
            return Value::heuristic(self.evaluate(ply));
        }
        if G::CHANCE && self.frames[ply].state.turn() == Turn::Chance {
            return self.search_chance(shared, ply, task);
        }
        let mut task = task;
        if self.options.distance_pruning {
            // Not even a win with the next action beats a shorter one found before.
            task.alpha = task.alpha.max(ply as i32 - WIN);
            task.beta = task.beta.min(WIN - ply as i32 - 1);
            if task.alpha >= task.beta {
                return Value::exact(task.alpha);
            }
        }
        let key = self.key(ply);
        let entry = self.look_up(shared, key);
        if let Some(value) = entry.and_then(|entry| usable(&entry, ply, task))
            && !task.is_pv
        {
            return value;
        }
        let outlook = self.outlook(ply, key, entry);
        if let Some(value) = self.prune_node(shared, ply, task, &outlook) {
            return value;
        }
        // A node without a table move is likely to be ordered badly: internal iterative
        // reduction, the cheap form of internal iterative deepening.
        if self.options.late_move_reductions && outlook.table_move.is_none() && task.depth >= 5 {
            task.depth -= 1;
        }
        self.search_actions(shared, ply, task, &outlook)
    }

    pub(super) fn look_up(&mut self, shared: &Shared<'_>, key: u64) -> Option<Entry> {
        if !self.options.table {
            return None;
        }
        let entry = shared.table.get(key);
        self.counters.lookups += 1;
        self.counters.hits += u64::from(entry.is_some());
        entry
    }

    fn outlook(&mut self, ply: usize, key: u64, entry: Option<Entry>) -> Outlook {
        let has_evaluation = self.tactics.is_some() && !self.frames[ply].is_in_check;
        let mut evaluation = match entry.map(|entry| entry.evaluation) {
            _ if !has_evaluation => NO_EVALUATION,
            Some(known) if known != NO_EVALUATION => known,
            _ => self.evaluate(ply),
        };
        self.frames[ply].evaluation = evaluation;
        let before = if ply >= 2 { self.frames[ply - 2].evaluation } else { NO_EVALUATION };
        let is_improving = has_evaluation && (before == NO_EVALUATION || evaluation > before);
        // A searched bound is a better estimate than the evaluation.
        if let Some(Entry { score, bound, .. }) = entry
            && has_evaluation
            && score.abs() <= PROVEN
        {
            let is_better = match bound {
                Bound::None => false,
                Bound::Upper => score < evaluation,
                Bound::Lower => score > evaluation,
                Bound::Exact => true,
            };
            evaluation = if is_better { score } else { evaluation };
        }
        Outlook { key, table_move: entry.and_then(|entry| entry.action), evaluation, is_improving }
    }

    /// Prunes the whole node by its evaluation: futility and null move.
    fn prune_node(
        &mut self,
        shared: &Shared<'_>,
        ply: usize,
        task: Task,
        outlook: &Outlook,
    ) -> Option<Value> {
        let tactics = self.tactics?;
        let Task { depth, alpha, beta, is_pv } = task;
        let evaluation = outlook.evaluation;
        if is_pv || evaluation == NO_EVALUATION || is_proven(alpha) || is_proven(beta) {
            return None;
        }
        let unit = tactics.unit;
        if self.options.futility {
            let margin = (depth - i32::from(outlook.is_improving)) * unit * 4 / 5;
            if depth <= 8 && evaluation - margin >= beta {
                return Some(Value::heuristic(evaluation));
            }
            // Razoring: only the noisy actions could still help, and they do not.
            if depth <= 2 && evaluation + 3 * unit * depth <= alpha {
                let value = self.quiesce(shared, ply, task.scout(0, alpha), 0);
                if value.score <= alpha {
                    return Some(Value { complete: false, ..value });
                }
            }
        }
        let is_after_null = ply == 0 || self.frames[ply - 1].action.is_none();
        if !self.options.null_move || depth < 3 || evaluation < beta || is_after_null {
            return None;
        }
        let passed = (tactics.null_move)(&self.frames[ply].state)?;
        self.enter_null(ply, &passed);
        let reduced = depth - 4 - depth / 4 - ((evaluation - beta) / (2 * unit)).min(3);
        let value = self.child(shared, ply, task.scout(reduced, beta - 1));
        if self.halt.is_some() || value.score < beta {
            return None;
        }
        // A win after a pass proves nothing.
        let score = if is_proven(value.score) { beta } else { value.score };
        Some(Value { score, complete: false, ..value })
    }

    /// Searches the actions of a node and stores the result.
    fn search_actions(
        &mut self,
        shared: &Shared<'_>,
        ply: usize,
        task: Task,
        outlook: &Outlook,
    ) -> Value {
        self.order(ply, task.depth, outlook.table_move);
        let mut best = Value::NONE;
        let (mut path, mut complete, mut alpha) = (FREE, true, task.alpha);
        let mut best_action = None;
        let mut count = 0;
        while let Some(picked) = self.frames[ply].ordered.pick() {
            count += 1;
            if count > 1 && self.is_pruned(ply, task, alpha, count, picked, outlook, best.score) {
                complete = false;
                continue;
            }
            self.enter(ply, picked.action);
            let value = self.search_child(shared, ply, task, alpha, count, picked, outlook);
            if self.halt.is_some() {
                return Value::heuristic(0);
            }
            if value.score >= task.beta {
                // The cutoff rests on this action alone.
                (path, complete) = (value.path, value.complete);
                (best, best_action) = (value, Some(picked.action));
                // Distance pruning cuts the last action of a shortest win.
                self.extend_line(ply, picked.action);
                self.learn(ply, task.depth, picked);
                break;
            }
            path = path.min(value.path);
            complete &= value.complete;
            if value.score > best.score {
                best = value;
                if value.score > alpha {
                    alpha = value.score;
                    best_action = Some(picked.action);
                    self.extend_line(ply, picked.action);
                }
            }
        }
        let bound = if best.score >= task.beta {
            Bound::Lower
        } else if best.score > task.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let value = Value { score: best.score, path, complete };
        self.store(shared, ply, task.depth, bound, best_action, value, outlook.key)
    }

    /// Writes a result to the table, and returns it as the parent sees it.
    #[allow(clippy::too_many_arguments, reason = "the fields of an entry and where it belongs")]
    pub(super) fn store(
        &mut self,
        shared: &Shared<'_>,
        ply: usize,
        depth: i32,
        bound: Bound,
        action: Option<Action>,
        value: Value,
        key: u64,
    ) -> Value {
        // Repetitions within the subtree are part of its value; those of positions before it are
        // not, and would poison the table (the graph-history interaction problem: Campbell 1985).
        let depends = value.path < ply as i32;
        if self.options.table {
            let entry = Entry {
                action,
                score: to_table(value.score, ply),
                evaluation: self.frames[ply].evaluation,
                depth: if value.complete { COMPLETE } else { depth },
                bound,
            };
            let entry =
                if depends { Entry { bound: Bound::None, depth: 0, ..entry } } else { entry };
            shared.table.put(key, entry);
        }
        Value { path: if depends { value.path } else { FREE }, ..value }
    }

    /// Lists and ranks the legal actions of the node, which is searched to `depth`.
    pub(super) fn order(&mut self, ply: usize, depth: i32, table_move: Option<Action>) {
        let last = if ply == 0 { None } else { self.frames[ply - 1].action };
        let frame = &mut self.frames[ply];
        let (state, options, seat) = (&frame.state, &self.options, frame.seat);
        state.legal_actions(&mut self.scratch);
        let tactics = self.tactics.filter(|_| options.exchanges);
        frame.ordered.start(&self.scratch, |actions, exchanges| {
            tactics.is_some_and(|tactics| {
                (tactics.exchanges)(state, actions, exchanges);
                true
            })
        });
        if options.one_step && depth >= 2 && self.has_chance && G::COMPANIONS.evaluation.is_some() {
            let nodes = &mut self.counters.nodes;
            frame.ordered.rank(table_move, [None; 2], None, |action| {
                *nodes += 1;
                let mut next = *state;
                next.apply(action);
                heuristic(&next).map_or(0, |payoffs| (payoffs[seat] * MOST_RANK) as i32)
            });
            return;
        }
        let killers = if options.killers { frame.killers } else { [None; 2] };
        let learned = &self.learned;
        let counter = if options.counter_moves { learned.counter(seat, last) } else { None };
        frame.ordered.rank(table_move, killers, counter, |action| {
            if options.history { learned.history(seat, action) } else { 0 }
        });
    }

    /// Whether an action near the horizon is not worth a search.
    #[allow(clippy::too_many_arguments, reason = "all that decides about an action")]
    fn is_pruned(
        &self,
        ply: usize,
        task: Task,
        alpha: i32,
        count: i32,
        picked: Picked,
        outlook: &Outlook,
        best: i32,
    ) -> bool {
        let Some(tactics) = self.tactics else { return false };
        // While everything loses, every action is searched.
        if task.is_pv || self.frames[ply].is_in_check || best <= -PROVEN {
            return false;
        }
        let (depth, unit) = (task.depth, tactics.unit);
        if picked.is_quiet() {
            let most = (3 + depth * depth) / if outlook.is_improving { 1 } else { 2 };
            let is_late = self.options.late_move_pruning && depth <= 7 && count > most;
            let is_futile = self.options.futility
                && depth <= 6
                && outlook.evaluation + unit * (depth + 1) <= alpha;
            is_late || is_futile
        } else {
            self.options.late_move_pruning && depth <= 5 && picked.exchange < -unit * depth
        }
    }

    /// Searches one action: late ones with reduced depth and a null window first.
    #[allow(clippy::too_many_arguments, reason = "all that decides about an action")]
    fn search_child(
        &mut self,
        shared: &Shared<'_>,
        ply: usize,
        task: Task,
        alpha: i32,
        count: i32,
        picked: Picked,
        outlook: &Outlook,
    ) -> Value {
        let gives_check = self.frames[ply + 1].is_in_check;
        let extends = self.options.extensions && gives_check && picked.loses_nothing();
        let depth = task.depth - self.cost(ply) + i32::from(extends);
        let full = Task { depth, alpha, ..task };
        if count == 1 {
            return self.child(shared, ply, full);
        }
        let reduction = self.reduction(ply, task, count, picked, outlook, gives_check);
        if reduction > 0 {
            let value = self.child(shared, ply, task.scout((depth - reduction).max(1), alpha));
            if value.score <= alpha || self.halt.is_some() {
                return value;
            }
        }
        if !self.options.principal_variation {
            return self.child(shared, ply, Task { is_pv: false, ..full });
        }
        let value = self.child(shared, ply, task.scout(depth, alpha));
        // Below chance nodes windows are open off the principal variation.
        let is_open = task.is_pv || value.score < task.beta;
        if value.score > alpha && is_open && self.halt.is_none() {
            return self.child(shared, ply, full);
        }
        value
    }

    /// The plies by which a late action is searched less deep.
    fn reduction(
        &self,
        ply: usize,
        task: Task,
        count: i32,
        picked: Picked,
        outlook: &Outlook,
        gives_check: bool,
    ) -> i32 {
        let is_early = count < if task.is_pv { 4 } else { 3 };
        if !self.options.late_move_reductions || task.depth < 3 || is_early {
            return 0;
        }
        let frame = &self.frames[ply];
        if frame.is_in_check || gives_check || picked.is_good_exchange() {
            return 0;
        }
        let log = |number: i32| (number as f32).ln();
        let mut reduction = (0.75 + log(task.depth) * log(count) / 2.25) as i32;
        reduction -= i32::from(task.is_pv);
        reduction -= i32::from(frame.killers.contains(&Some(picked.action)));
        if picked.is_quiet() && self.options.history {
            reduction -= self.learned.history(frame.seat, picked.action) / 6000;
        }
        if self.tactics.is_some() {
            reduction += i32::from(!outlook.is_improving);
        }
        reduction.clamp(0, task.depth - 2)
    }

    /// Remembers a quiet action that caused a cutoff.
    pub(super) fn learn(&mut self, ply: usize, depth: i32, picked: Picked) {
        if !picked.is_quiet() {
            return;
        }
        let last = if ply == 0 { None } else { self.frames[ply - 1].action };
        let frame = &mut self.frames[ply];
        if frame.killers[0] != Some(picked.action) {
            frame.killers = [Some(picked.action), frame.killers[0]];
        }
        self.learned.set_counter(frame.seat, last, picked.action);
        self.learned.reward(frame.seat, picked.action, &frame.ordered, depth);
    }

    /// Puts `action` before the line of the child.
    pub(super) fn extend_line(&mut self, ply: usize, action: Action) {
        let [frame, next] = &mut self.frames[ply..ply + 2] else { return };
        frame.line.set(action, &next.line);
    }
}

/// The value of a node by its table entry, if that decides it.
pub(super) fn usable(entry: &Entry, ply: usize, task: Task) -> Option<Value> {
    let score = from_table(entry.score, ply);
    // A proven result holds at every depth.
    if entry.depth < task.depth && !is_proven(score) {
        return None;
    }
    let decides = match entry.bound {
        Bound::None => false,
        Bound::Exact => entry.depth >= task.depth || score >= task.beta || score <= task.alpha,
        Bound::Lower => score >= task.beta,
        Bound::Upper => score <= task.alpha,
    };
    decides.then_some(Value { score, path: FREE, complete: entry.depth == COMPLETE })
}
