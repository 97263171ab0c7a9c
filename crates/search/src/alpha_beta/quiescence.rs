//! Quiescence search: noisy actions alone, until the evaluation can be trusted (Turing 1953;
//! Harris 1975; with delta pruning, Hyatt).

use meeple_game::Game;

use super::node::{Task, usable};
use super::score::PROVEN;
use super::table::{Bound, NO_EVALUATION};
use super::worker::{FREE, MAX_PLY, Shared, Value, Worker};

/// Plies of quiescence in which checks are answered by every action.
const CHECKED_PLIES: i32 = 6;

impl<G: Game> Worker<G> {
    /// Searches the noisy actions of the node at `ply`, which is no finished game; in check, all
    /// actions. `plies` is the number of plies since the horizon.
    pub(super) fn quiesce(
        &mut self,
        shared: &Shared<'_>,
        ply: usize,
        task: Task,
        plies: i32,
    ) -> Value {
        let Some(tactics) = self.tactics.filter(|_| self.options.quiescence && ply < MAX_PLY)
        else {
            return Value::heuristic(self.evaluate(ply));
        };
        if self.is_halted(shared) {
            return Value::heuristic(0);
        }
        let key = self.key(ply);
        let entry = self.look_up(shared, key);
        let task = Task { depth: 0, ..task };
        if let Some(value) = entry.and_then(|entry| usable(&entry, ply, task))
            && !task.is_pv
        {
            return value;
        }
        let answers_check = self.frames[ply].is_in_check && plies < CHECKED_PLIES;
        let mut best = Value { complete: false, ..Value::NONE };
        let mut alpha = task.alpha;
        let mut evaluation = NO_EVALUATION;
        if !answers_check {
            evaluation = match entry.map(|entry| entry.evaluation) {
                Some(known) if known != NO_EVALUATION => known,
                _ => self.evaluate(ply),
            };
            self.frames[ply].evaluation = evaluation;
            best.score = evaluation;
            if evaluation >= task.beta {
                return best;
            }
            alpha = alpha.max(evaluation);
        } else {
            self.frames[ply].evaluation = NO_EVALUATION;
        }
        let table_move = entry.and_then(|entry| entry.action);
        if answers_check {
            self.order(ply, 0, table_move);
        } else {
            let frame = &mut self.frames[ply];
            (tactics.noisy_actions)(&frame.state, &mut self.scratch);
            let state = &frame.state;
            frame.ordered.start(&self.scratch, |actions, exchanges| {
                (tactics.exchanges)(state, actions, exchanges);
                true
            });
            frame.ordered.rank(table_move, [None; 2], None, |_| 0);
        }
        let (mut path, mut best_action) = (FREE, None);
        while let Some(picked) = self.frames[ply].ordered.pick() {
            if best.score > -PROVEN && !picked.is_quiet() {
                if picked.exchange < 0 {
                    continue;
                }
                if !answers_check {
                    // Delta pruning: not even what the action takes lifts the score to the window.
                    let gain = (tactics.gain)(&self.frames[ply].state, picked.action);
                    let most = evaluation + gain + 2 * tactics.unit;
                    if self.options.futility && most <= alpha {
                        best.score = best.score.max(most);
                        continue;
                    }
                }
            }
            self.enter(ply, picked.action);
            let value = self.quiesce_child(shared, ply, Task { alpha, ..task }, plies);
            if self.halt.is_some() {
                return Value::heuristic(0);
            }
            path = path.min(value.path);
            if value.score > best.score {
                best.score = value.score;
                if value.score > alpha {
                    alpha = value.score;
                    best_action = Some(picked.action);
                    self.extend_line(ply, picked.action);
                }
                if value.score >= task.beta {
                    path = value.path;
                    break;
                }
            }
        }
        let bound = if best.score >= task.beta { Bound::Lower } else { Bound::Upper };
        let value = Value { path, ..best };
        self.store(shared, ply, 0, bound, best_action, value, key)
    }

    fn quiesce_child(&mut self, shared: &Shared<'_>, ply: usize, task: Task, plies: i32) -> Value {
        self.frames[ply + 1].line.clear();
        let is_same = self.is_same_seat(ply);
        let value = match self.ended(ply + 1) {
            Some(value) => value,
            None if is_same => self.quiesce(shared, ply + 1, task, plies + 1),
            None => {
                let task = Task { alpha: -task.beta, beta: -task.alpha, ..task };
                self.quiesce(shared, ply + 1, task, plies + 1)
            }
        };
        Value { score: if is_same { value.score } else { -value.score }, ..value }
    }
}
