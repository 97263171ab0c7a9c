//! One thread of the search: its stack of plies, counters and stop conditions.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use meeple_game::{Action, ActionList, Game, MAX_ACTIONS, Tactics, Turn};

use super::AlphaBetaOptions;
use super::chance::Outcomes;
use super::order::{Learned, Ordered};
use super::root::RootMove;
use super::score::{self, INFINITE};
use super::table::Table;
use crate::StopFlag;

/// The largest ply of a search, with extensions and quiescence.
pub(super) const MAX_PLY: usize = 160;
/// The most actions of a turn that cost one ply together, in games with chance: a double in
/// backgammon.
const TURN_ACTIONS: u8 = 4;
/// Nodes between two looks at the clock and the stop flag.
const NODES_PER_CHECK: u64 = 256;
/// The value of a node depends on no ply of its path.
pub(super) const FREE: i32 = i32::MAX;
/// The value of a node depends on the game before the root.
pub(super) const BEFORE_ROOT: i32 = -1;

/// The value of a node for its player to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) score: i32,
    /// The earliest ply of the path that the score depends on by a repetition: the same position
    /// may have another value elsewhere. [`FREE`] if there is none.
    pub(super) path: i32,
    /// Whether the score follows from finished games alone, so that no deeper search changes it.
    pub(super) complete: bool,
}

impl Value {
    /// An evaluation, or a pruned node.
    pub(super) const fn heuristic(score: i32) -> Self {
        Self { score, path: FREE, complete: false }
    }

    pub(super) const fn exact(score: i32) -> Self {
        Self { score, path: FREE, complete: true }
    }

    /// The start of a maximum, before any action is searched.
    pub(super) const NONE: Self = Self::exact(-INFINITE);
}

/// One ply of the search stack.
#[derive(Clone, Debug)]
pub(super) struct Frame<G> {
    pub(super) state: G,
    /// The seat whose view scores are in: the player to move, or the opponent of the last one in
    /// a finished game.
    pub(super) seat: usize,
    pub(super) is_in_check: bool,
    /// In games with chance, the number of actions of the player to move since this turn began or
    /// became longer than a ply.
    turn_actions: u8,
    pub(super) evaluation: i32,
    /// The action being searched; `None` for a null move.
    pub(super) action: Option<Action>,
    pub(super) killers: [Option<Action>; 2],
    pub(super) ordered: Ordered,
    /// The principal variation from here.
    pub(super) line: Line,
}

/// A principal variation without heap memory.
#[derive(Clone, Debug)]
pub(super) struct Line {
    actions: [Action; MAX_PLY],
    len: usize,
}

impl Line {
    pub(super) const fn new() -> Self {
        Self { actions: [Action(0); MAX_PLY], len: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn actions(&self) -> &[Action] {
        &self.actions[..self.len]
    }

    /// Becomes `action` followed by `rest`.
    pub(super) fn set(&mut self, action: Action, rest: &Self) {
        let len = rest.len.min(MAX_PLY - 1);
        self.actions[0] = action;
        self.actions[1..=len].copy_from_slice(&rest.actions[..len]);
        self.len = len + 1;
    }
}

/// What all threads of a search share.
#[derive(Debug)]
pub(super) struct Shared<'a> {
    pub(super) table: &'a Table,
    pub(super) stop: &'a StopFlag,
    /// Set when the first thread is done.
    pub(super) done: AtomicBool,
    /// Nodes of all threads, updated now and then.
    pub(super) nodes: AtomicU64,
    pub(super) started: Instant,
    pub(super) hard_time: Option<Duration>,
}

/// Why a worker stopped before its last depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    Nodes,
    Time,
    Stopped,
}

/// Counters of a search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counters {
    /// Actions applied.
    pub(super) nodes: u64,
    pub(super) evaluations: u64,
    pub(super) lookups: u64,
    pub(super) hits: u64,
    /// The deepest ply reached.
    pub(super) deepest: usize,
}

/// One thread of the search.
#[derive(Debug)]
pub(super) struct Worker<G: Game> {
    /// What the game supports of the options.
    pub(super) options: AlphaBetaOptions,
    pub(super) tactics: Option<Tactics<G>>,
    pub(super) has_chance: bool,
    pub(super) frames: Vec<Frame<G>>,
    /// The outcomes of chance nodes, by ply; empty in games without chance.
    pub(super) outcomes: Vec<Outcomes>,
    pub(super) learned: Learned,
    pub(super) root_moves: Vec<RootMove>,
    pub(super) counters: Counters,
    pub(super) node_limit: u64,
    pub(super) halt: Option<Halt>,
    next_check: u64,
    told_nodes: u64,
    pub(super) scratch: ActionList,
}

impl<G: Game> Worker<G> {
    pub(super) fn new(options: &AlphaBetaOptions, root: &G) -> Self {
        let frame = Frame {
            state: *root,
            seat: 0,
            is_in_check: false,
            turn_actions: 0,
            evaluation: 0,
            action: None,
            killers: [None; 2],
            ordered: Ordered::new(),
            line: Line::new(),
        };
        let has_chance = G::CHANCE && root.has_chance();
        let plies = if has_chance { MAX_PLY + 2 } else { 0 };
        Self {
            // With chance a ply is a turn, too much to be skipped.
            options: AlphaBetaOptions {
                late_move_reductions: options.late_move_reductions && !has_chance,
                ..*options
            },
            tactics: G::COMPANIONS.tactics,
            has_chance,
            frames: vec![frame; MAX_PLY + 2],
            outcomes: vec![Outcomes::new(); plies],
            learned: Learned::new(root.actions()),
            root_moves: Vec::with_capacity(MAX_ACTIONS),
            counters: Counters::default(),
            node_limit: u64::MAX,
            halt: None,
            next_check: 0,
            told_nodes: 0,
            scratch: ActionList::new(),
        }
    }

    /// Prepares a search of `root`.
    pub(super) fn begin(&mut self, root: &G, node_limit: u64) {
        self.counters = Counters::default();
        (self.halt, self.node_limit) = (None, node_limit);
        (self.next_check, self.told_nodes) = (NODES_PER_CHECK, 0);
        self.learned.fade();
        for frame in &mut self.frames {
            frame.killers = [None; 2];
        }
        let frame = &mut self.frames[0];
        frame.state = *root;
        frame.seat = seat_of(root, 1);
        frame.is_in_check = self.tactics.is_some_and(|tactics| (tactics.is_in_check)(root));
    }

    /// Plays `action` at `ply`, so that the frame after it holds the next state.
    #[inline]
    pub(super) fn enter(&mut self, ply: usize, action: Action) {
        let [frame, next] = &mut self.frames[ply..ply + 2] else { return };
        frame.action = Some(action);
        next.state = frame.state;
        next.state.apply(action);
        self.arrive(ply);
    }

    /// Passes at `ply`, where the game allows a null move.
    #[inline]
    pub(super) fn enter_null(&mut self, ply: usize, state: &G) {
        self.frames[ply].action = None;
        self.frames[ply + 1].state = *state;
        self.arrive(ply);
    }

    #[inline]
    fn arrive(&mut self, ply: usize) {
        let [frame, next] = &mut self.frames[ply..ply + 2] else { return };
        next.seat = seat_of(&next.state, frame.seat);
        if self.has_chance {
            let is_player = |state: &G| matches!(state.turn(), Turn::Player(_));
            let goes_on =
                is_player(&frame.state) && is_player(&next.state) && next.seat == frame.seat;
            let actions = frame.turn_actions + 1;
            next.turn_actions = if goes_on && actions < TURN_ACTIONS { actions } else { 0 };
        }
        next.is_in_check = match self.tactics {
            Some(tactics) => (tactics.is_in_check)(&next.state),
            None => false,
        };
        self.counters.nodes += 1;
        self.counters.deepest = self.counters.deepest.max(ply + 1);
    }

    /// Whether the search must stop now. Looks at the clock every few nodes.
    #[inline]
    pub(super) fn is_halted(&mut self, shared: &Shared<'_>) -> bool {
        if self.halt.is_none() {
            if self.counters.nodes >= self.node_limit {
                self.halt = Some(Halt::Nodes);
            } else if self.counters.nodes >= self.next_check {
                self.check(shared);
            }
        }
        self.halt.is_some()
    }

    #[cold]
    fn check(&mut self, shared: &Shared<'_>) {
        self.next_check = self.counters.nodes + NODES_PER_CHECK;
        self.tell_nodes(shared);
        if shared.stop.is_stopped() || shared.done.load(Ordering::Relaxed) {
            self.halt = Some(Halt::Stopped);
        } else if shared.hard_time.is_some_and(|time| shared.started.elapsed() >= time) {
            self.halt = Some(Halt::Time);
        }
    }

    /// Adds the nodes since the last call to those of all threads.
    pub(super) fn tell_nodes(&mut self, shared: &Shared<'_>) {
        shared.nodes.fetch_add(self.counters.nodes - self.told_nodes, Ordering::Relaxed);
        self.told_nodes = self.counters.nodes;
    }

    #[inline]
    pub(super) fn evaluate(&mut self, ply: usize) -> i32 {
        self.counters.evaluations += 1;
        let frame = &self.frames[ply];
        score::evaluate(&frame.state, frame.seat)
    }

    /// The value of a node whose game is over, or that repeats a position of the path.
    #[inline]
    pub(super) fn ended(&self, ply: usize) -> Option<Value> {
        let frame = &self.frames[ply];
        let repetition = self.tactics.and_then(|tactics| (tactics.repetition)(&frame.state));
        if frame.state.turn() == Turn::Over {
            let path = if repetition.is_some() { BEFORE_ROOT } else { FREE };
            let score = score::terminal(&frame.state, frame.seat, ply);
            return Some(Value { score, path, complete: true });
        }
        // A position that was on the path before is a draw: whoever can do better could have
        // done so the first time.
        let plies = repetition? as i32;
        let path = ply as i32 - plies;
        (path >= 0).then_some(Value { score: 0, path, complete: true })
    }

    #[inline]
    pub(super) fn key(&self, ply: usize) -> u64 {
        let state = &self.frames[ply].state;
        match self.tactics {
            Some(tactics) => (tactics.position_key)(state),
            None => state.key(),
        }
    }

    /// The plies that the last action or outcome at `ply` counts as.
    ///
    /// Without chance every action is a ply. With chance a ply is a turn: all actions of a player
    /// up to the next chance event or the opponent's decision. An outcome counts only where another
    /// one follows, since a turn is passed.
    #[inline]
    pub(super) fn cost(&self, ply: usize) -> i32 {
        if !self.has_chance {
            return 1;
        }
        let is_chance = |ply: usize| self.frames[ply].state.turn() == Turn::Chance;
        match is_chance(ply) {
            true => is_chance(ply + 1).into(),
            false => (self.frames[ply + 1].turn_actions == 0).into(),
        }
    }

    /// The value of a child for the player of its parent at `ply`.
    #[inline]
    pub(super) fn is_same_seat(&self, ply: usize) -> bool {
        self.frames[ply].seat == self.frames[ply + 1].seat
    }
}

/// The seat in whose view a state is scored, after an action of `last`. Chance nodes are scored
/// for seat 0.
#[inline]
fn seat_of<G: Game>(state: &G, last: usize) -> usize {
    match state.turn() {
        Turn::Player(player) => player.index(),
        Turn::Chance => 0,
        Turn::Over => last ^ 1,
    }
}
