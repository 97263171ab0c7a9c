//! The root: iterative deepening with aspiration windows and several lines (multi-PV).
//!
//! Iterative deepening: Slate and Atkin, "Chess 4.5", 1977. Aspiration windows: Brudno 1963; Gillogly
//! 1972.

use std::sync::atomic::Ordering;
use std::time::Duration;

use meeple_game::{Action, Game};

use super::node::Task;
use super::score::{INFINITE, PAYOFF_UNITS, Score, WIN, is_proven};
use super::table::Bound;
use super::worker::{Halt, Line, Shared, Value, Worker};
use super::{Iteration, Limits, LineReport, MAX_DEPTH};

/// A root action with what is known about it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) action: Action,
    /// The score of the last depth; `-INFINITE` for actions that are no line.
    pub(super) score: i32,
    /// The last bound of the score.
    pub(super) bound: i32,
    /// The score of the depth before.
    previous: i32,
    pub(super) nodes: u64,
    pub(super) is_complete: bool,
    pub(super) depth: u32,
    pub(super) line: Line,
}

/// How iterative deepening ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The depth limit is reached.
    Depth,
    /// The value of the root cannot change any more.
    Solved,
    /// No time for another depth, or the win that was looked for.
    Enough,
    /// Interrupted within a depth.
    Halted(Halt),
}

impl<G: Game> Worker<G> {
    /// Lists the root actions, restricted to `allowed` unless that is empty.
    pub(super) fn list_root(&mut self, allowed: &[Action]) {
        self.order(0, MAX_DEPTH as i32, None);
        self.root_moves.clear();
        while let Some(picked) = self.frames[0].ordered.pick() {
            if allowed.is_empty() || allowed.contains(&picked.action) {
                let mut line = Line::new();
                line.set(picked.action, &Line::new());
                self.root_moves.push(RootMove {
                    action: picked.action,
                    score: -INFINITE,
                    bound: INFINITE,
                    previous: -INFINITE,
                    nodes: 0,
                    is_complete: false,
                    depth: 0,
                    line,
                });
            }
        }
    }

    /// Deepens until a limit is reached. `first` says whether this is the thread that reports and
    /// manages time.
    pub(super) fn deepen(
        &mut self,
        shared: &Shared<'_>,
        limits: &Limits<'_>,
        thread: usize,
        progress: &mut dyn FnMut(&Iteration<'_>),
    ) -> Ending {
        let most = limits.depth.unwrap_or(self.options.depth).min(self.options.depth);
        let lines = limits.lines.clamp(1, self.root_moves.len().max(1));
        let mut stable_depths = 0;
        for depth in 1..=most {
            // Helper threads search other depths than the first (lazy SMP).
            if thread > 0 && (depth + thread as u32).is_multiple_of(3) && depth > 3 && depth < most
            {
                continue;
            }
            let best_before = self.root_moves[0].action;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
            }
            for line in 0..lines {
                self.counters.deepest = self.counters.deepest.max(1);
                self.search_line(shared, depth, line);
                // Sorting by insertion is stable and needs no memory.
                sort(&mut self.root_moves[line..]);
                if let Some(halt) = self.halt {
                    sort(&mut self.root_moves[..=line]);
                    return Ending::Halted(halt);
                }
            }
            sort(&mut self.root_moves[..lines]);
            self.tell_nodes(shared);
            if thread == 0 {
                let elapsed = shared.started.elapsed();
                self.report(shared, depth, lines, elapsed, progress);
                let is_stable = self.root_moves[0].action == best_before;
                stable_depths = if is_stable { stable_depths + 1 } else { 0 };
                if let Some(ending) = self.has_enough(limits, depth, lines, elapsed, stable_depths)
                {
                    return ending;
                }
            }
        }
        Ending::Depth
    }

    /// Whether another depth is useless, or there is no time for it.
    fn has_enough(
        &self,
        limits: &Limits<'_>,
        depth: u32,
        lines: usize,
        elapsed: Duration,
        stable_depths: u32,
    ) -> Option<Ending> {
        let best = &self.root_moves[0];
        // A win within the searched depth is the shortest, apart from reductions.
        let is_shortest = is_proven(best.score) && WIN - best.score.abs() <= depth as i32;
        if self.root_moves[..lines].iter().all(|line| line.is_complete) || lines == 1 && is_shortest
        {
            return Some(Ending::Solved);
        }
        if let (Some(plies), Score::Win(found)) = (limits.win_in, Score::of(best.score))
            && found <= plies
        {
            return Some(Ending::Enough);
        }
        let soft = limits.soft_time?;
        // A single action needs no thought; a best action that has just changed needs more.
        let soft = match stable_depths {
            _ if self.root_moves.len() == 1 => return Some(Ending::Enough),
            0 => soft * 2,
            1..=4 => soft,
            _ => soft * 3 / 4,
        };
        (elapsed >= soft).then_some(Ending::Enough)
    }

    fn report(
        &self,
        shared: &Shared<'_>,
        depth: u32,
        lines: usize,
        elapsed: Duration,
        progress: &mut dyn FnMut(&Iteration<'_>),
    ) {
        for (number, line) in self.root_moves[..lines].iter().enumerate() {
            progress(&Iteration {
                depth,
                selective_depth: self.counters.deepest as u32,
                number,
                line: LineReport {
                    score: Score::of(line.score),
                    depth,
                    actions: line.line.actions(),
                },
                nodes: shared.nodes.load(Ordering::Relaxed),
                elapsed,
                fullness: shared.table.fullness(),
            });
        }
    }

    /// Searches the line of the given number at `depth`, widening the aspiration window until the
    /// score is inside.
    fn search_line(&mut self, shared: &Shared<'_>, depth: u32, line: usize) {
        let unit = self.tactics.map_or(PAYOFF_UNITS / 25, |tactics| tactics.unit);
        let before = self.root_moves[line].previous;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        let mut delta = unit / 4;
        if self.options.aspiration && depth >= 5 && before != -INFINITE && !is_proven(before) {
            (alpha, beta) = (before - delta, before + delta);
        }
        loop {
            let task = Task { depth: depth as i32, alpha, beta, is_pv: true };
            let value = self.search_root(shared, task, line);
            if self.halt.is_some() {
                return;
            }
            if value.score <= alpha && alpha > -INFINITE {
                alpha = (value.score - delta).max(-INFINITE);
            } else if value.score >= beta && beta < INFINITE {
                beta = (value.score + delta).min(INFINITE);
                // The action that failed high is searched first with the wider window.
                sort(&mut self.root_moves[line..]);
            } else {
                return;
            }
            delta *= 3;
            if delta > 10 * unit {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Searches the root actions from number `line` on.
    fn search_root(&mut self, shared: &Shared<'_>, task: Task, line: usize) -> Value {
        let mut best = Value::NONE;
        let (mut alpha, mut complete) = (task.alpha, true);
        let mut path = super::worker::FREE;
        let mut best_action = None;
        for number in line..self.root_moves.len() {
            let action = self.root_moves[number].action;
            let nodes_before = self.counters.nodes;
            self.enter(0, action);
            let full = Task { depth: task.depth - self.cost(0), alpha, ..task };
            let scout = Task { beta: alpha + 1, is_pv: false, ..full };
            let is_first = number == line;
            let mut value = if is_first || !self.options.principal_variation {
                self.child(shared, 0, full)
            } else {
                self.child(shared, 0, scout)
            };
            if !is_first
                && self.options.principal_variation
                && value.score > alpha
                && self.halt.is_none()
            {
                value = self.child(shared, 0, full);
            }
            if self.halt.is_some() {
                return Value::heuristic(0);
            }
            let root_move = &mut self.root_moves[number];
            root_move.nodes += self.counters.nodes - nodes_before;
            root_move.bound = value.score;
            complete &= value.complete;
            path = path.min(value.path);
            if is_first || value.score > alpha {
                root_move.score = value.score;
                root_move.depth = task.depth as u32;
                root_move.line.set(action, &self.frames[1].line);
                if value.score > alpha {
                    best_action = Some(action);
                }
            } else {
                root_move.score = -INFINITE;
            }
            if value.score > best.score {
                best = value;
            }
            alpha = alpha.max(value.score);
            if alpha >= task.beta {
                complete = value.complete;
                path = value.path;
                break;
            }
        }
        for root_move in &mut self.root_moves[line..] {
            root_move.is_complete = complete;
        }
        let value = Value { score: best.score, path, complete };
        // The table describes the root with all of its actions.
        if line == 0 && task.alpha < best.score && best.score < task.beta {
            let key = self.key(0);
            self.frames[0].evaluation = super::table::NO_EVALUATION;
            self.store(shared, 0, task.depth, Bound::Exact, best_action, value, key);
        }
        value
    }
}

/// Sorts by descending score, stable.
fn sort(root_moves: &mut [RootMove]) {
    for end in 1..root_moves.len() {
        let mut at = end;
        while at > 0 && root_moves[at].score > root_moves[at - 1].score {
            root_moves.swap(at, at - 1);
            at -= 1;
        }
    }
}
