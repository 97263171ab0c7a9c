//! What is kept of each game: its result, its decisions, and which actions and rules came up.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use meeple_bots::{BlockObserver, Played, Position, SeatView};
use meeple_game::{Action, ActionList, Payoffs, Turn};
use meeple_search::{ActionReport, SearchReport, StopFlag, StopReason};
use meeple_stats::normal_quantile;

use super::luck::LuckMeter;
use crate::RunProgress;
use crate::tally::{Ending, shares};

/// A finished game.
#[derive(Clone, Debug)]
pub(crate) struct GameRecord {
    /// The payoff of each seat.
    pub(crate) payoffs: Vec<f64>,
    /// The share of the win of each seat.
    pub(crate) shares: Vec<f64>,
    pub(crate) ending: Ending,
    pub(crate) chances: u64,
    /// What chance events brought each seat, where that is measured.
    pub(crate) luck: Option<Vec<f64>>,
    pub(crate) decisions: Vec<Decision>,
    /// How often each action was legal and chosen, and each rule offered and applied.
    pub(crate) coverage: Coverage,
}

impl GameRecord {
    /// The seat that won alone, in a game that ended by its rules.
    pub(crate) fn winner(&self) -> Option<usize> {
        let winner = self.shares.iter().position(|&share| share == 1.0);
        winner.filter(|_| self.ending == Ending::Rules)
    }
}

/// One decision of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    pub(crate) seat: usize,
    /// The number of legal actions.
    pub(crate) legal: usize,
    /// What the search of the deciding seat found.
    pub(crate) search: Option<Searched>,
}

/// What a search says about a decision. Values are expected scores: half a payoff.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Searched {
    /// How far the deciding seat is ahead of the best of the others, if it plays on well.
    pub(crate) lead: f64,
    /// How much better the chosen action is than the average of all actions.
    pub(crate) stake: f64,
    /// What chance alone makes of the stake: the bound of a one-sided test at a level of 2.5 %,
    /// for whichever of the actions is the best.
    pub(crate) noise: f64,
    /// The expected payoff of each seat.
    pub(crate) values: Payoffs,
}

impl Searched {
    /// Reads the report of a search; `None` if nothing was searched. `is_stakes` says that
    /// payoffs are amounts, whose spread is not bounded by their mean.
    fn of(report: &SearchReport, seat: usize, seats: usize, is_stakes: bool) -> Option<Self> {
        let best = report.best_entry().filter(|best| best.visits > 0 || best.solved)?;
        if report.stop_reason == StopReason::Forced {
            return None;
        }
        let others = (0..seats).filter(|&other| other != seat);
        let highest = others.map(|other| best.values[other]).fold(f32::NEG_INFINITY, f32::max);
        let value = |entry: &ActionReport| f64::from(entry.values[seat]) / 2.0;
        let variance = |entry: &ActionReport| match entry.solved {
            true => 0.0,
            false => spread(value(entry), entry.visits, is_stakes) / entry.visits as f64,
        };
        let known: Vec<&ActionReport> =
            report.actions.iter().filter(|entry| entry.visits > 0 || entry.solved).collect();
        let count = known.len() as f64;
        let mean = known.iter().map(|entry| value(entry)).sum::<f64>() / count;
        let mean_variance = known.iter().map(|entry| variance(entry)).sum::<f64>() / count.powi(2);
        let quantile = normal_quantile(1.0 - 0.025 / count);
        Some(Self {
            lead: f64::from(best.values[seat] - highest) / 2.0,
            stake: value(best) - mean,
            noise: quantile * (variance(best) + mean_variance).sqrt(),
            values: best.values,
        })
    }
}

/// The greatest variance of a score with this mean (Bhatia and Davis 2000), where one more win
/// and one more loss keep few visits from looking certain. Amounts are in units in which they vary
/// as wins and losses do.
fn spread(value: f64, visits: u64, is_stakes: bool) -> f64 {
    if is_stakes {
        return 0.25;
    }
    let visits = visits as f64;
    let share = ((value + 0.5) * visits + 1.0) / (visits + 2.0);
    share * (1.0 - share)
}

/// How often actions and rules came up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coverage {
    /// By action id.
    pub(crate) actions: BTreeMap<u16, ActionUse>,
    /// By the number of the rule.
    pub(crate) rules: BTreeMap<usize, RuleUse>,
}

#[derive(Clone, Debug)]
pub(crate) struct ActionUse {
    /// Its name, where it was first legal.
    pub(crate) name: String,
    /// Decisions at which it was legal.
    pub(crate) legal: u64,
    /// Decisions at which it was chosen.
    pub(crate) chosen: u64,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RuleUse {
    /// Decisions at which it offered an action.
    pub(crate) offered: u64,
    /// How often its action was chosen, its chance event happened, or it ended the game.
    pub(crate) applied: u64,
}

impl Coverage {
    /// Adds the counts of games that were played later.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (&action, more) in &other.actions {
            let counts = self.actions.entry(action);
            let counts =
                counts.or_insert_with(|| ActionUse { legal: 0, chosen: 0, ..more.clone() });
            counts.legal += more.legal;
            counts.chosen += more.chosen;
        }
        for (&rule, more) in &other.rules {
            let counts = self.rules.entry(rule).or_default();
            counts.offered += more.offered;
            counts.applied += more.applied;
        }
    }

    fn add(&mut self, position: &dyn Position, legal: &[Action], event: Action) {
        let mut offering: Vec<usize> = Vec::new();
        for &action in legal {
            let counts = self.actions.entry(action.0).or_insert_with(|| ActionUse {
                name: position.action_name(action),
                legal: 0,
                chosen: 0,
            });
            counts.legal += 1;
            counts.chosen += u64::from(action == event);
            offering.extend(position.offering_rule(action));
        }
        offering.sort_unstable();
        offering.dedup();
        for rule in offering {
            self.rules.entry(rule).or_default().offered += 1;
        }
        if let Some(rule) = position.offering_rule(event) {
            self.rules.entry(rule).or_default().applied += 1;
        }
    }
}

/// Records a game.
pub(crate) struct Recorder<'a> {
    pub(crate) table: &'a dyn Position,
    pub(crate) progress: &'a RunProgress,
    pub(crate) left: &'a AtomicBool,
    pub(crate) max_decisions: u64,
    pub(crate) luck: Option<LuckMeter>,
    /// The events so far.
    pub(crate) events: Vec<Action>,
    /// What was searched at each decision.
    pub(crate) searched: Vec<Option<Searched>>,
    /// The game, when it is finished.
    pub(crate) game: Option<GameRecord>,
}

impl BlockObserver for Recorder<'_> {
    /// Walks through the game again, since views show less than the positions.
    fn finished(&mut self, seating: &[usize], played: Played) {
        let payoffs = &played.payoffs[..seating.len()];
        let mut game = GameRecord {
            payoffs: payoffs.iter().map(|&payoff| payoff.into()).collect(),
            shares: shares(payoffs),
            ending: Ending::of_game(&played),
            chances: played.steps.chances,
            luck: None,
            decisions: Vec::with_capacity(self.searched.len()),
            coverage: Coverage::default(),
        };
        let mut searched = self.searched.iter();
        let (mut position, mut legal) = (self.table.first(), ActionList::new());
        for (at, &event) in self.events.iter().enumerate() {
            legal.clear();
            if let Turn::Player(seat) = position.turn() {
                position.legal_actions(&mut legal);
                let search = searched.next().copied().flatten();
                game.decisions.push(Decision { seat: seat.index(), legal: legal.len(), search });
                if let Some(luck) = &mut self.luck {
                    luck.decision(&*position, search.as_ref().map(|search| &search.values));
                }
            } else if let Some(luck) = &mut self.luck {
                luck.chance(&*position, at == 0);
            }
            game.coverage.add(&*position, &legal, event);
            if at + 1 == self.events.len()
                && let Some(end) = position.ending_rule(event)
            {
                game.coverage.rules.entry(end).or_default().applied += 1;
            }
            position.try_apply(event).expect("the event was played");
        }
        if let Some(luck) = self.luck.take() {
            let luck = luck.finish(&played.payoffs);
            game.luck = Some(luck[..payoffs.len()].iter().map(|&part| part.into()).collect());
        }
        self.game = Some(game);
    }

    fn decided(
        &mut self,
        view: &dyn SeatView,
        action: Action,
        report: Option<&SearchReport>,
        _time: Duration,
    ) {
        let is_stakes = self.table.stakes().is_some();
        let (seat, seats) = (view.seat().index(), view.players());
        self.searched.push(report.and_then(|report| Searched::of(report, seat, seats, is_stakes)));
        self.events.push(action);
    }

    fn chanced(&mut self, action: Action) {
        self.events.push(action);
    }

    fn limit(&self) -> Option<u64> {
        Some(self.max_decisions)
    }

    fn is_stopped(&self) -> bool {
        self.left.load(Ordering::Relaxed) || self.progress.is_stopped()
    }

    fn switch(&self) -> Option<&StopFlag> {
        Some(self.progress.switch())
    }
}
