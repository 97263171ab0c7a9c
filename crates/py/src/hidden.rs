//! Searches of games with hidden information whose leaves are judged in batches.

use std::time::Instant;

use meeple_arena::{Judge, Leaves, Position, Prior, SearchKind, SearchSpec};
use meeple_game::{ActionList, Game, Payoffs, Player, Turn, View};
use meeple_games::registry::Visit;
use meeple_search::{
    Budget, Ended, FirstPlay, GumbelOptions, InfoTreeSearch, IsMctsOptions, Knower, RootRule,
    SearchReport, Selection, StopFlag,
};
use pyo3::prelude::*;

use crate::convert::value_error;

/// A search to be made, of a state that `position` is at.
pub(crate) struct Batches<'a> {
    pub(crate) position: &'a dyn Position,
    pub(crate) spec: &'a SearchSpec,
    pub(crate) budget: &'a Budget,
    pub(crate) seed: u64,
    pub(crate) stop: &'a StopFlag,
    pub(crate) judge: &'a mut dyn Judge,
    /// The most states judged at once.
    pub(crate) batch: usize,
}

impl Batches<'_> {
    /// Whether this is the way to search `position`: it has hidden information and a
    /// choice, and nothing but the judge says which actions are likely good.
    pub(crate) fn suit(position: &dyn Position, spec: &SearchSpec) -> bool {
        let mut actions = ActionList::new();
        if let Turn::Player(_) = position.turn() {
            position.legal_actions(&mut actions);
        }
        let is_known =
            matches!(spec.kind, SearchKind::Plain | SearchKind::InformationSets | SearchKind::Puct);
        let is_plain = matches!(spec.prior, Prior::Even | Prior::Auto);
        position.facts().hidden && is_known && is_plain && actions.len() > 1
    }

    /// The bot's settings, as they are where values come from outside.
    fn options(&self) -> IsMctsOptions {
        let is_puct = self.spec.kind == SearchKind::Puct;
        let exploration = self.spec.c.unwrap_or(if is_puct { 1.25 } else { 1.0 });
        let (selection, first_play) = if is_puct || self.judge.has_policy() {
            let selection = Selection::Puct { exploration, base: 19_652.0 };
            (selection, IsMctsOptions::puct().first_play)
        } else {
            (Selection::Uct { exploration, bias: 0.0 }, FirstPlay::Infinite)
        };
        let root = self.spec.gumbel.map_or(RootRule::Same, |considered| {
            let (considered, below) = (considered as usize, self.spec.below);
            RootRule::Gumbel(GumbelOptions { considered, below, ..GumbelOptions::default() })
        });
        let knower = if self.spec.by_mover { Knower::Mover } else { Knower::Searcher };
        IsMctsOptions { selection, first_play, root, knower, ..IsMctsOptions::default() }
    }

    /// Why the search is to end after so many iterations, if it is.
    fn ended(&self, iterations: u64, started: Instant) -> Option<Ended> {
        if self.stop.is_stopped() {
            Some(Ended::Stopped)
        } else if self.budget.iterations.is_some_and(|most| iterations >= most) {
            Some(Ended::Iterations)
        } else if self.budget.time.is_some_and(|time| started.elapsed() >= time) {
            Some(Ended::Time)
        } else {
            None
        }
    }
}

impl Visit for Batches<'_> {
    type Out = PyResult<SearchReport>;

    fn visit<G: Game>(self) -> Self::Out {
        if !G::HIDDEN {
            unreachable!("only games with hidden information are searched so");
        }
        let state = self.position.state().downcast_ref::<G>();
        let state = state.expect("a position is of the game of its name");
        let Turn::Player(seat) = state.turn() else { unreachable!("somebody has a choice") };
        let view = View::new(state, seat);
        let started = Instant::now();
        let mut tree = InfoTreeSearch::new(&self.options(), self.judge.has_policy(), None)
            .map_err(value_error)?;
        tree.begin(&view, self.budget, self.seed).map_err(value_error)?;
        let ended = loop {
            if let Some(ended) = self.ended(tree.iterations(), started) {
                break ended;
            }
            let left = self.budget.iterations.map_or(u64::MAX, |most| most - tree.iterations());
            let most = left.min(self.batch as u64) as usize;
            tree.gather(&view, most).map_err(value_error)?;
            let (values, logits) = judge_all(self.judge, tree.leaves());
            tree.apply(&values, &logits).map_err(value_error)?;
            Python::attach(|py| py.check_signals())?;
        };
        let elapsed = started.elapsed();
        let mut report = tree.report();
        report.ended = ended;
        report.elapsed = elapsed;
        report.iterations_per_second = report.iterations as f64 / elapsed.as_secs_f64().max(1e-9);
        Ok(report)
    }
}

/// What the judge says of states at which somebody decides.
fn judge_all<G: Game>(judge: &mut dyn Judge, states: &[G]) -> (Vec<Payoffs>, Vec<f32>) {
    let Some(players) = states.first().map(G::players) else { return Default::default() };
    let (cells, count) = (G::observation().len(), states.len());
    let mut observations = vec![0; count * cells];
    let mut masks = vec![false; count * G::ACTIONS];
    let mut seats = Vec::with_capacity(count);
    let mut actions = ActionList::new();
    for (row, state) in states.iter().enumerate() {
        let Turn::Player(seat) = state.turn() else { unreachable!("only decisions are judged") };
        state.observe(seat, &mut observations[row * cells..(row + 1) * cells]);
        state.legal_actions(&mut actions);
        actions.iter().for_each(|action| masks[row * G::ACTIONS + action.index()] = true);
        seats.push(seat.0);
    }
    let mut values = vec![0.0; count * players];
    let mut logits = vec![0.0; if judge.has_policy() { masks.len() } else { 0 }];
    let leaves =
        Leaves { count, players, observations: &observations, masks: &masks, seats: &seats };
    judge.judge(&leaves, &mut values, &mut logits);
    let rotated = values.chunks_exact(players).zip(&seats).map(|(row, &seat)| {
        let mut payoffs = Payoffs::default();
        for (steps, &value) in row.iter().enumerate() {
            payoffs[Player(seat).after(steps, players).index()] = value;
        }
        payoffs
    });
    (rotated.collect(), logits)
}
