//! Alpha-beta on exact scores: the loop of one thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use meeple_game::{Action, ActionList, Bounds, Game, Player, Score, SolverHints, Turn};

use super::table::Table;
use crate::StopFlag;

/// Nodes between two looks at the stop flags.
const PATIENCE: u64 = 4096;
/// The depth of recursion that fits a thread's stack with room to spare.
pub(super) const MAX_DEPTH: usize = 600;

/// Why a search returned without a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// The caller stopped it, or another thread has the answer.
    Stopped,
    /// A line is longer than [`MAX_DEPTH`].
    TooDeep,
    /// A game ended with a payoff other than -1, 0 and 1.
    Payoff,
}

/// What the threads of one search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a Table,
    /// The caller's flag.
    pub(super) stop: &'a StopFlag,
    /// Set when a thread has the answer.
    pub(super) answered: &'a AtomicBool,
    /// Nodes searched by all threads.
    pub(super) nodes: &'a AtomicU64,
}

/// A position one ply ahead.
#[derive(Clone, Copy)]
struct Child<G> {
    weight: i32,
    state: G,
    key: u64,
    /// Whether the same player moves again.
    same_player: bool,
}

/// One thread of the solver.
pub(super) struct Worker<'a, G: Game> {
    shared: &'a Shared<'a>,
    hints: Option<SolverHints<G>>,
    /// The children of all positions on the current line, innermost last.
    children: Vec<Child<G>>,
    candidates: Vec<(Action, i32)>,
    legal: Box<ActionList>,
    nodes: u64,
    /// The number of the thread. Each searches candidates of equal weight in an order of its
    /// own, so that the threads fill the table with different positions.
    number: usize,
}

impl<'a, G: Game> Worker<'a, G> {
    pub(super) fn new(shared: &'a Shared<'a>, number: usize) -> Self {
        Self {
            shared,
            hints: G::COMPANIONS.solver,
            children: Vec::new(),
            candidates: Vec::new(),
            legal: Box::default(),
            nodes: 0,
            number,
        }
    }

    /// Searches a position where a player decides. The result is exact between `alpha` and
    /// `beta`, a lower bound at `beta` or above, and an upper bound at `alpha` or below.
    pub(super) fn search(&mut self, state: &G, alpha: Score, beta: Score) -> Result<Score, Halt> {
        let key = self.key_of(state);
        let result = self.visit(state, key, alpha, beta, 0);
        self.shared.nodes.fetch_add(self.nodes % PATIENCE, Relaxed);
        self.children.clear();
        result
    }

    fn visit(
        &mut self,
        state: &G,
        key: u64,
        mut alpha: Score,
        beta: Score,
        depth: usize,
    ) -> Result<Score, Halt> {
        self.count_node(depth)?;
        let Turn::Player(mover) = state.turn() else { unreachable!("a player decides") };
        let mut bounds = self.list_candidates(state);
        if bounds.low != bounds.high
            && let Some(known) = self.shared.table.get(key)
        {
            let (low, high) = (bounds.low.max(known.low), bounds.high.min(known.high));
            // Bounds that contradict each other are of another position with the same key.
            if low <= high {
                bounds = Bounds { low, high };
            }
        }
        if bounds.low >= beta || bounds.low == bounds.high {
            return Ok(bounds.low);
        }
        if bounds.high <= alpha {
            return Ok(bounds.high);
        }
        alpha = alpha.max(bounds.low);
        // A score above what is possible cuts nothing off.
        let ceiling = beta.min(bounds.high);

        let base = self.children.len();
        let started = self.nodes;
        let mut best = self.expand(state, mover)?;
        // Enhanced transposition cutoff (Plaat et al., 1996): a child whose known score refutes
        // this position saves searching the children before it.
        for at in base..self.children.len() {
            let child = self.children[at];
            if let Some(known) = self.shared.table.get(child.key) {
                let sure = if child.same_player { known.low } else { known.high };
                best = best.max(Some(backed_up(sure, child.same_player)));
            }
        }
        let mut next = base;
        while next < self.children.len() && best < Some(ceiling) {
            let child = self.children[next];
            let floor = best.map_or(alpha, |best| best.max(alpha));
            let (low, high) = (floor.one_ply_later(), ceiling.one_ply_later());
            let score = if child.same_player {
                self.visit(&child.state, child.key, low, high, depth + 1)?
            } else {
                let (low, high) = (high.for_opponent(), low.for_opponent());
                self.visit(&child.state, child.key, low, high, depth + 1)?
            };
            best = best.max(Some(backed_up(score, child.same_player)));
            next += 1;
        }
        self.children.truncate(base);

        let best = best.expect("a player who decides has an action");
        let best = best.clamp(bounds.low, bounds.high);
        if best > alpha {
            bounds.low = best;
        }
        if best < ceiling {
            bounds.high = best;
        }
        self.shared.table.put(key, bounds, self.nodes - started);
        Ok(best)
    }

    fn count_node(&mut self, depth: usize) -> Result<(), Halt> {
        if depth > MAX_DEPTH {
            return Err(Halt::TooDeep);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(PATIENCE) {
            self.shared.nodes.fetch_add(PATIENCE, Relaxed);
            if self.shared.stop.is_stopped() || self.shared.answered.load(Relaxed) {
                return Err(Halt::Stopped);
            }
        }
        Ok(())
    }

    fn key_of(&self, state: &G) -> u64 {
        self.hints.map_or_else(|| state.key(), |hints| (hints.key)(state))
    }

    /// Lists the actions that can be best, and bounds the score.
    #[inline]
    fn list_candidates(&mut self, state: &G) -> Bounds {
        self.candidates.clear();
        if let Some(hints) = self.hints {
            return (hints.candidates)(state, &mut self.candidates);
        }
        state.legal_actions(&mut self.legal);
        self.candidates.extend(self.legal.iter().map(|&action| (action, 0)));
        Bounds::ANY
    }

    /// Adds the children to the line, in the order of search. Returns the best score among
    /// actions that end the game.
    fn expand(&mut self, state: &G, mover: Player) -> Result<Option<Score>, Halt> {
        let base = self.children.len();
        let mut best = None;
        for at in 0..self.candidates.len() {
            let (action, weight) = self.candidates[at];
            let mut next = *state;
            next.apply(action);
            match next.turn() {
                Turn::Player(player) => {
                    let key = self.key_of(&next);
                    let same_player = player == mover;
                    self.children.push(Child { weight, state: next, key, same_player });
                }
                _ => best = best.max(Some(final_score(next.payoffs()[mover.index()])?)),
            }
        }
        let children = &mut self.children[base..];
        if !children.is_empty() {
            children.rotate_left(self.number % children.len());
        }
        // Insertion sort: lists are short, and nothing is allocated.
        for at in 1..children.len() {
            let mut to = at;
            while to > 0 && children[to - 1].weight < children[to].weight {
                children.swap(to - 1, to);
                to -= 1;
            }
        }
        Ok(best)
    }
}

/// The score, one ply before the end, of a game that pays `payoff`.
pub(super) fn final_score(payoff: f32) -> Result<Score, Halt> {
    if payoff == 1.0 {
        Ok(Score::win_in(1))
    } else if payoff == -1.0 {
        Ok(Score::loss_in(1))
    } else if payoff == 0.0 {
        Ok(Score::DRAW)
    } else {
        Err(Halt::Payoff)
    }
}

/// The score of an action whose position has `score`, for the player who chooses it.
pub(super) const fn backed_up(score: Score, same_player: bool) -> Score {
    let score = if same_player { score } else { score.for_opponent() };
    score.one_ply_earlier()
}
