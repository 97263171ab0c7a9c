//! The tree of max^n, paranoid and best-reply search: root, decision and chance nodes.

use std::time::{Duration, Instant};

use meeple_game::{
    Action, ActionList, Game, MAX_PLAYERS, OutcomeList, Payoffs, Player, Turn, heuristic, mix,
};

use super::{MaxNOptions, Opponents};
use crate::alpha_beta::score::PAYOFF_UNITS;
use crate::alpha_beta::table::{Bound, COMPLETE, Entry, Layout, NO_EVALUATION, Table};
use crate::{StopFlag, StopReason};

/// The largest ply of a search: a best-reply round may have many actions.
const MAX_PLY: usize = 200;
/// Nodes between two looks at the clock and the stop flag.
const NODES_PER_CHECK: u64 = 256;

/// A root action with what is known about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootMove {
    pub(super) action: Action,
    pub(super) values: Payoffs,
    pub(super) nodes: u64,
    pub(super) is_complete: bool,
}

/// A scalar value for the player at the root, in millionths.
#[derive(Clone, Copy, Debug)]
struct Value {
    score: i32,
    /// Whether it follows from finished games alone.
    complete: bool,
}

/// The window and depth of a node.
#[derive(Clone, Copy, Debug)]
struct Task {
    depth: u32,
    alpha: i32,
    beta: i32,
    /// In best-reply search, whether an opponent has replied in this round.
    has_reply: bool,
}

/// The memory of a search.
#[derive(Debug)]
pub(super) struct Tree<G: Game> {
    options: MaxNOptions,
    root: G,
    seat: Player,
    players: usize,
    /// The actions of decision nodes with their ranks, by ply.
    lists: Vec<Vec<(Action, f32)>>,
    scratch: ActionList,
    outcomes: Vec<OutcomeList>,
    pub(super) table: Table,
    pub(super) root_moves: Vec<RootMove>,
    pub(super) nodes: u64,
    pub(super) evaluations: u64,
    pub(super) lookups: u64,
    pub(super) hits: u64,
    /// The last finished depth.
    pub(super) depth: u32,
    node_limit: u64,
    time: Option<Duration>,
    started: Instant,
    next_check: u64,
    halt: Option<StopReason>,
}

fn units(payoff: f32) -> i32 {
    ((payoff * PAYOFF_UNITS as f32).round() as i32).clamp(-PAYOFF_UNITS, PAYOFF_UNITS)
}

impl<G: Game> Tree<G> {
    pub(super) fn new(options: &MaxNOptions, root: &G) -> Self {
        let has_table = options.table && options.opponents != Opponents::Selfish;
        let outcomes = if root.has_chance() { MAX_PLY + 1 } else { 0 };
        Self {
            options: *options,
            root: *root,
            seat: Player(0),
            players: root.players(),
            lists: vec![Vec::new(); MAX_PLY + 1],
            scratch: ActionList::new(),
            outcomes: vec![OutcomeList::new(); outcomes],
            table: Table::new(if has_table { options.hash } else { 0 }, Layout::Fine),
            root_moves: Vec::new(),
            nodes: 0,
            evaluations: 0,
            lookups: 0,
            hits: 0,
            depth: 0,
            node_limit: u64::MAX,
            time: None,
            started: Instant::now(),
            next_check: 0,
            halt: None,
        }
    }

    pub(super) fn is_for(&self, root: &G) -> bool {
        self.root.name() == root.name()
            && self.root.actions() == root.actions()
            && self.players == root.players()
    }

    pub(super) fn has_table(&self) -> bool {
        self.options.table && self.options.opponents != Opponents::Selfish
    }

    /// Whether complete values are those of the game.
    pub(super) fn is_exact(&self) -> bool {
        self.options.opponents == Opponents::Selfish || self.players == 2
    }

    pub(super) fn clear(&mut self) {
        self.table.clear();
    }

    pub(super) fn begin(
        &mut self,
        root: &G,
        seat: Player,
        node_limit: u64,
        time: Option<Duration>,
        started: Instant,
    ) {
        (self.root, self.seat) = (*root, seat);
        (self.node_limit, self.time, self.started) = (node_limit, time, started);
        (self.nodes, self.evaluations, self.lookups, self.hits) = (0, 0, 0, 0);
        (self.depth, self.next_check, self.halt) = (0, NODES_PER_CHECK, None);
        self.table.start_search();
        self.order(root, seat, 0);
        let root_move = |&(action, _): &(Action, f32)| RootMove {
            action,
            values: Payoffs::default(),
            nodes: 0,
            is_complete: false,
        };
        self.root_moves.clear();
        self.root_moves.extend(self.lists[0].iter().map(root_move));
    }

    /// Deepens until a limit is reached or every value is complete.
    pub(super) fn deepen(&mut self, stop: &StopFlag) -> StopReason {
        for depth in 1..=self.options.depth {
            let mut best: Option<usize> = None;
            for number in 0..self.root_moves.len() {
                let before = self.nodes;
                let alpha = match best {
                    Some(best) if self.options.pruning && !self.options.exact => {
                        units(self.root_moves[best].values[self.seat.index()])
                    }
                    _ => -PAYOFF_UNITS - 1,
                };
                let (values, complete) = self.root_value(stop, number, depth, alpha);
                if let Some(halt) = self.halt {
                    // The best action so far is at least as good as that of the depth before,
                    // which was searched first.
                    self.put_first(best);
                    return halt;
                }
                let root_move = &mut self.root_moves[number];
                root_move.nodes += self.nodes - before;
                (root_move.values, root_move.is_complete) = (values, complete);
                let seat = self.seat.index();
                let is_better = |best: usize| {
                    self.root_moves[number].values[seat] > self.root_moves[best].values[seat]
                };
                if best.is_none_or(is_better) {
                    best = Some(number);
                }
            }
            self.put_first(best);
            self.depth = depth;
            if self.root_moves.iter().all(|root_move| root_move.is_complete) {
                return StopReason::Solved;
            }
        }
        StopReason::Depth
    }

    fn put_first(&mut self, number: Option<usize>) {
        self.root_moves[..=number.unwrap_or(0)].rotate_right(1);
    }

    fn root_value(
        &mut self,
        stop: &StopFlag,
        number: usize,
        depth: u32,
        alpha: i32,
    ) -> (Payoffs, bool) {
        let root = self.root;
        let state = self.play(&root, self.root_moves[number].action);
        if self.options.opponents == Opponents::Selfish {
            return self.max_n(stop, &state, 1, depth - 1);
        }
        let task = Task { depth: depth - 1, alpha, beta: PAYOFF_UNITS + 1, has_reply: false };
        let value = self.paranoid(stop, &state, 1, task);
        let payoff = value.score as f32 / PAYOFF_UNITS as f32;
        // The search knows one payoff. The others share the rest of a sum of 0.
        let mut values = Payoffs::default();
        let rest = 0.0 - payoff / (self.players - 1) as f32;
        values[..self.players].fill(rest);
        values[self.seat.index()] = payoff + 0.0;
        (values, value.complete)
    }

    fn play(&mut self, state: &G, action: Action) -> G {
        self.nodes += 1;
        let mut next = *state;
        next.apply(action);
        next
    }

    fn is_halted(&mut self, stop: &StopFlag) -> bool {
        if self.halt.is_none() {
            if self.nodes >= self.node_limit {
                self.halt = Some(StopReason::Nodes);
            } else if self.nodes >= self.next_check {
                self.next_check = self.nodes + NODES_PER_CHECK;
                if stop.is_stopped() {
                    self.halt = Some(StopReason::Stopped);
                } else if self.time.is_some_and(|time| self.started.elapsed() >= time) {
                    self.halt = Some(StopReason::Time);
                }
            }
        }
        self.halt.is_some()
    }

    fn evaluate(&mut self, state: &G) -> Payoffs {
        self.evaluations += 1;
        heuristic(state).unwrap_or_default()
    }

    /// Lists the legal actions at `ply`, those with the best heuristic evaluation for `player`
    /// first.
    fn order(&mut self, state: &G, player: Player, ply: usize) {
        self.fill(state, ply);
        if G::COMPANIONS.evaluation.is_none() {
            return;
        }
        let list = &mut self.lists[ply];
        self.nodes += list.len() as u64;
        for (action, rank) in list.iter_mut() {
            let mut next = *state;
            next.apply(*action);
            *rank = match next.turn() {
                Turn::Over => next.payoffs()[player.index()],
                _ => heuristic(&next).map_or(0.0, |payoffs| payoffs[player.index()]),
            };
        }
        // Sorting by insertion is stable and needs no memory.
        for end in 1..list.len() {
            let mut at = end;
            while at > 0 && list[at].1 > list[at - 1].1 {
                list.swap(at, at - 1);
                at -= 1;
            }
        }
    }

    /// The payoffs of all players if each maximizes their own, and whether they are complete.
    fn max_n(&mut self, stop: &StopFlag, state: &G, ply: usize, depth: u32) -> (Payoffs, bool) {
        if self.is_halted(stop) {
            return (Payoffs::default(), false);
        }
        match state.turn() {
            Turn::Over => (state.payoffs(), true),
            _ if depth == 0 || ply >= MAX_PLY => (self.evaluate(state), false),
            Turn::Chance => {
                state.chance_outcomes(&mut self.outcomes[ply]);
                let (mut mean, mut complete) = ([0.0_f64; MAX_PLAYERS], true);
                for number in 0..self.outcomes[ply].len() {
                    let outcome = self.outcomes[ply][number];
                    let next = self.play(state, outcome.action);
                    let (values, is_complete) = self.max_n(stop, &next, ply + 1, depth - 1);
                    complete &= is_complete;
                    for (mean, value) in mean.iter_mut().zip(values) {
                        *mean += outcome.probability * f64::from(value);
                    }
                }
                (mean.map(|value| value as f32), complete)
            }
            Turn::Player(player) => {
                self.list(state, player, ply, depth);
                let (mut best, mut complete) = (None::<Payoffs>, true);
                for number in 0..self.lists[ply].len() {
                    let next = self.play(state, self.lists[ply][number].0);
                    let (values, is_complete) = self.max_n(stop, &next, ply + 1, depth - 1);
                    complete &= is_complete;
                    let payoff = values[player.index()];
                    if best.is_none_or(|best| payoff > best[player.index()]) {
                        best = Some(values);
                    }
                    if self.options.pruning && is_complete && payoff >= 1.0 {
                        complete = true;
                        break;
                    }
                }
                (best.unwrap_or_default(), complete)
            }
        }
    }

    /// Lists the actions of a decision node, ordered where that pays.
    fn list(&mut self, state: &G, player: Player, ply: usize, depth: u32) {
        if self.options.one_step && depth >= 2 {
            self.order(state, player, ply);
        } else {
            self.fill(state, ply);
        }
    }

    fn fill(&mut self, state: &G, ply: usize) {
        state.legal_actions(&mut self.scratch);
        self.lists[ply].clear();
        self.lists[ply].extend(self.scratch.iter().map(|&action| (action, 0.0)));
    }

    /// The value for the player at the root if the opponents minimize it.
    fn paranoid(&mut self, stop: &StopFlag, state: &G, ply: usize, task: Task) -> Value {
        if self.is_halted(stop) {
            return Value { score: 0, complete: false };
        }
        let is_ours = match state.turn() {
            Turn::Over => {
                let score = units(state.payoffs()[self.seat.index()]);
                return Value { score, complete: true };
            }
            _ if task.depth == 0 || ply >= MAX_PLY => {
                let score = units(self.evaluate(state)[self.seat.index()]);
                return Value { score, complete: false };
            }
            Turn::Chance => return self.average(stop, state, ply, task),
            Turn::Player(player) => player == self.seat,
        };
        let task = Task { has_reply: task.has_reply && !is_ours, ..task };
        let place = self.seat.index() as u64 * 2 + u64::from(task.has_reply);
        let key = mix(state.key() ^ mix(place));
        if let Some(value) = self.known(key, task) {
            return value;
        }
        let value = self.decide(stop, state, ply, task, is_ours);
        if self.has_table() && self.halt.is_none() {
            let bound = match value.score {
                score if score <= task.alpha => Bound::Upper,
                score if score >= task.beta => Bound::Lower,
                _ => Bound::Exact,
            };
            let depth = if value.complete { COMPLETE } else { task.depth as i32 };
            let (score, evaluation) = (value.score, NO_EVALUATION);
            self.table.put(key, Entry { action: None, score, evaluation, depth, bound });
        }
        value
    }

    fn known(&mut self, key: u64, task: Task) -> Option<Value> {
        if !self.has_table() {
            return None;
        }
        self.lookups += 1;
        let Entry { score, depth, bound, .. } = self.table.get(key)?;
        self.hits += 1;
        let decides = depth >= task.depth as i32
            && match bound {
                Bound::None => false,
                Bound::Exact => true,
                Bound::Lower => score >= task.beta,
                Bound::Upper => score <= task.alpha,
            };
        decides.then_some(Value { score, complete: depth == COMPLETE })
    }

    /// The best or worst action of a decision node. In best-reply search, the first action in the
    /// order is what an opponent plays who does not reply.
    fn decide(
        &mut self,
        stop: &StopFlag,
        state: &G,
        ply: usize,
        task: Task,
        is_ours: bool,
    ) -> Value {
        let Turn::Player(player) = state.turn() else { return Value { score: 0, complete: false } };
        let is_round = self.options.opponents == Opponents::BestReply && !is_ours;
        if is_round {
            self.order(state, player, ply);
        } else {
            self.list(state, player, ply, task.depth);
        }
        let count = if task.has_reply { 1 } else { self.lists[ply].len() };
        let mut best: Option<i32> = None;
        let (mut complete, Task { mut alpha, mut beta, .. }) = (true, task);
        for number in 0..count {
            let next = self.play(state, self.lists[ply][number].0);
            // A round of all opponents is one ply, which its end counts as.
            let is_free =
                is_round && matches!(next.turn(), Turn::Player(next) if next != self.seat);
            let depth = task.depth - u32::from(!is_free);
            let has_reply = task.has_reply || is_round && number > 0;
            let value = self.paranoid(stop, &next, ply + 1, Task { depth, alpha, beta, has_reply });
            if self.halt.is_some() {
                return value;
            }
            complete &= value.complete;
            let is_better = |best: i32| {
                if is_ours { value.score > best } else { value.score < best }
            };
            if best.is_none_or(is_better) {
                best = Some(value.score);
            }
            if !self.options.pruning {
                continue;
            }
            if is_ours {
                alpha = alpha.max(value.score);
            } else {
                beta = beta.min(value.score);
            }
            if alpha >= beta {
                complete = value.complete;
                break;
            }
        }
        Value { score: best.unwrap_or(0), complete }
    }

    /// The mean over the outcomes of a chance node.
    fn average(&mut self, stop: &StopFlag, state: &G, ply: usize, task: Task) -> Value {
        state.chance_outcomes(&mut self.outcomes[ply]);
        let (mut mean, mut complete) = (0.0, true);
        for number in 0..self.outcomes[ply].len() {
            let outcome = self.outcomes[ply][number];
            let next = self.play(state, outcome.action);
            let (alpha, beta) = (-PAYOFF_UNITS - 1, PAYOFF_UNITS + 1);
            let task = Task { depth: task.depth - 1, alpha, beta, ..task };
            let value = self.paranoid(stop, &next, ply + 1, task);
            mean += outcome.probability * f64::from(value.score);
            complete &= value.complete;
        }
        Value { score: mean.round() as i32, complete }
    }
}
