//! The rules of backgammon: what each asks of a throw or a move, and what it
//! does.

use std::sync::LazyLock;

use meeple_plan::{
    Artifact, Condition, EventKind, Mutator, Plan, Predicate, RuleSet, Rules, SeenBy, Targets,
    Values, changes,
};

use super::super::board::{BAR, MEN, POINTS};
use super::super::{THROWS, number_of, throw_of};
use super::table::{OFF, Table};

/// The vocabulary of backgammon.
///
/// The source of a move is its die, counted down from six, and its target the
/// place that a man leaves: so all places from which a die can be played are one
/// set, and moves come out high die first, rearmost man first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackgammonRules;

/// What can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The opening throw: who begins, and with which dice.
    Begin {
        /// The seat with the higher die.
        seat: u8,
        /// The higher die.
        high: u8,
        /// The lower die.
        low: u8,
    },
    /// A throw of both dice.
    Throw {
        /// The higher die.
        high: u8,
        /// The lower die.
        low: u8,
    },
    /// A man moved by one die.
    Play {
        /// How far the man has come: 0 is the bar, 24 the mover's first point.
        from: u8,
        /// The die.
        die: u8,
    },
}

/// What the set forms share.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Places with a man of the mover.
    held: u64,
    /// Points where the mover may put a man.
    open: u64,
}

impl RuleSet for BackgammonRules {
    type State = Table;
    type Event = Event;
    type Facts = Facts;

    #[inline]
    fn facts(table: &Table) -> Facts {
        Facts { held: table.own().held().into(), open: table.open().into() }
    }

    #[inline]
    fn kind(event: &Event) -> EventKind {
        match event {
            Event::Begin { .. } | Event::Throw { .. } => EventKind::Roll,
            Event::Play { .. } => EventKind::Move,
        }
    }

    fn subject(_: &Table, _: &Event) -> Option<u8> {
        None
    }

    #[inline]
    fn sources(table: &Table, _: &Facts, _: u8) -> u64 {
        table.numbers().fold(0, |sources, die| sources | 1 << (6 - die))
    }

    #[inline]
    fn event(_: EventKind, source: u8, target: u8, _variant: u8) -> Event {
        // No die is left of number 0, which stands for all sources beyond six.
        Event::Play { from: target, die: die_of(source) }
    }
}

#[inline]
fn die_of(source: u8) -> u8 {
    6u8.saturating_sub(source)
}

type P = Predicate<BackgammonRules>;
type C = Condition<BackgammonRules>;
type M = Mutator<BackgammonRules>;
type T = Targets<BackgammonRules>;

#[inline]
fn has(set: u64, place: u8) -> bool {
    set.checked_shr(place.into()).is_some_and(|set| set & 1 == 1)
}

/// Judges the place and the die of a move.
macro_rules! of_play {
    (|$table:pat_param, $from:pat_param, $die:pat_param| $judge:expr) => {
        |$table: &Table, event: &Event| match *event {
            Event::Play { from: $from, die: $die } => $judge,
            Event::Begin { .. } | Event::Throw { .. } => false,
        }
    };
}

const DIE_LEFT: P = Predicate {
    name: "die-left",
    holds: of_play!(|table, _, die| table.left(die) > 0),
    targets: T::All,
};

const OWN_MAN: P = Predicate {
    name: "own-man",
    holds: of_play!(|table, from, _| has(table.own().held().into(), from)),
    targets: T::OfState(|_, facts| facts.held),
};

const FROM_BAR: P = Predicate {
    name: "from-bar",
    holds: of_play!(|_, from, _| from == 0),
    targets: T::OfState(|_, _| 1),
};

/// The places from which a die does not take a man off.
#[inline]
fn staying(die: u8) -> u64 {
    (1 << (OFF - die)) - 1
}

const STAYS: P = Predicate {
    name: "stays",
    holds: of_play!(|_, from, die| from + die < OFF),
    targets: T::OfSource(|_, _, source| staying(die_of(source))),
};

const LEAVES: P = Predicate {
    name: "leaves",
    holds: of_play!(|_, from, die| from + die >= OFF),
    targets: T::OfSource(|_, _, source| !staying(die_of(source))),
};

const TO_OPEN: P = Predicate {
    name: "to-open",
    holds: of_play!(|table, from, die| has(table.open().into(), from + die)),
    targets: T::OfSource(|_, facts, source| facts.open >> die_of(source)),
};

const EXACT_OR_REARMOST: P = Predicate {
    name: "exact-or-rearmost",
    holds: of_play!(|table, from, die| {
        from + die == OFF || (0..from).all(|behind| table.own().at(behind) == 0)
    }),
    targets: T::OfSource(|table, _, source| table.own().leavers(die_of(source)).into()),
};

const OPENING_THROW: P = Predicate {
    name: "opening-throw",
    holds: |_, event| matches!(event, Event::Begin { seat: 0..=1, .. }),
    targets: T::All,
};

const DIFFERENT_DICE: P = Predicate {
    name: "different-dice",
    holds: |_, event| matches!(event, Event::Begin { high, low, .. } if high != low),
    targets: T::All,
};

const THROW_OF_BOTH: P = Predicate {
    name: "throw-of-both",
    holds: |_, event| matches!(event, Event::Throw { .. }),
    targets: T::All,
};

const BEGIN: M = Mutator {
    name: "begin",
    change: |table, event| {
        if let Event::Begin { seat, .. } = *event {
            table.begin(seat);
        }
    },
};

const SET_DICE: M = Mutator {
    name: "set the dice",
    change: |table, event| {
        if let Event::Begin { high, low, .. } | Event::Throw { high, low } = *event {
            table.throw(high, low);
        }
    },
};

// These three follow one another in most rules; as part of each, what one has
// written need not be read back by the next.

const HIT: M = Mutator { name: "hit", change: hit };
const MOVE_MAN: M = Mutator { name: "move", change: move_man };
const PASS_IF_STUCK: M = Mutator { name: "pass if stuck", change: pass_if_stuck };

#[inline(always)]
fn hit(table: &mut Table, event: &Event) {
    if let Event::Play { from, die } = *event {
        table.hit(from + die);
    }
}

#[inline(always)]
fn move_man(table: &mut Table, event: &Event) {
    if let Event::Play { from, die } = *event {
        table.advance(from, die);
    }
}

#[inline(always)]
fn pass_if_stuck(table: &mut Table, _: &Event) {
    table.pass_if_stuck();
}

const BEFORE_OPENING: C = Condition { name: "nobody has begun", holds: Table::is_before_opening };
const THROWING: C = Condition { name: "the dice are to fall", holds: Table::is_throwing };
const PLAYING: C = Condition { name: "dice are left", holds: Table::is_playing };
const ON_BAR: C = Condition { name: "a man is on the bar", holds: |table| table.own().on_bar() };
const ALL_HOME: C =
    Condition { name: "all men are at home", holds: |table| table.own().all_home() };

const NO_DIE: &str = "no die of this number is left";
const NO_MAN: &str = "no man of yours stands there";
const BLOCKED: &str = "the other player holds the point";

/// What a move must do, with those that follow it in mind.
const MOST_DICE: &str = "as many dice as possible must be used, the higher if only one can be";

/// Rates a move by the dice that can be used with it; by its own if it is alone.
fn dice_used(table: &Table, event: &Event) -> u32 {
    let Event::Play { from, die } = *event else { return 0 };
    match table.total_with(from, die) {
        1 => 8 + u32::from(die),
        total => 8 * u32::from(total),
    }
}

/// The rating of a move with which all dice can be used.
fn most_dice(table: &Table) -> u32 {
    match table.dice_left() {
        1 => 8 + table.numbers().map(u32::from).sum::<u32>(),
        left => 8 * u32::from(left),
    }
}

fn opening_throws(_: &Table, visit: &mut dyn FnMut(Event, f64)) {
    for (high, low) in (0..THROWS).map(throw_of).filter(|(high, low)| high != low) {
        for seat in 0..2 {
            visit(Event::Begin { seat, high, low }, 1.0 / 30.0);
        }
    }
}

fn throws(_: &Table, visit: &mut dyn FnMut(Event, f64)) {
    for (high, low) in (0..THROWS).map(throw_of) {
        visit(Event::Throw { high, low }, if high == low { 1.0 } else { 2.0 } / 36.0);
    }
}

fn pay(table: &Table, payoffs: &mut [f32]) {
    let share = f32::from(table.size()) / 3.0;
    payoffs[usize::from(table.mover)] = share;
    payoffs[usize::from(table.mover ^ 1)] = -share;
}

/// The men of a side in cells, its own first point first.
const fn men(
    name: &'static str,
    cells: usize,
    read: fn(&Table, usize, usize) -> i32,
) -> Artifact<BackgammonRules> {
    Artifact { name, cells, read, values: Values::UpTo(MEN as i32), seen_by: SeenBy::All }
}

fn count(table: &Table, side: usize, place: usize) -> i32 {
    table.men(side).at(place as u8).into()
}

static PLAN: LazyLock<Plan<BackgammonRules>> = LazyLock::new(|| {
    describe().compile().expect("the rules of backgammon do not contradict themselves")
});

/// Backgammon, compiled once.
pub(super) fn plan() -> &'static Plan<BackgammonRules> {
    &PLAN
}

fn describe() -> Rules<BackgammonRules> {
    with_artifacts(Rules::new("backgammon"))
        .expects(EventKind::Roll)
        .expects(EventKind::Move)
        .phase("opening")
        .when(BEFORE_OPENING)
        .chance(opening_throws)
        .on(EventKind::Roll, "opening throw")
        .require(OPENING_THROW)
        .ensure(DIFFERENT_DICE, "equal dice are thrown again")
        .then_all(changes![BEGIN, SET_DICE, PASS_IF_STUCK])
        .close()
        .phase("throw")
        .when(THROWING)
        .chance(throws)
        .on(EventKind::Roll, "throw")
        .require(THROW_OF_BOTH)
        .then_all(changes![SET_DICE, PASS_IF_STUCK])
        .close()
        .phase("turn")
        .when(PLAYING)
        .phase("enter from the bar")
        .when(ON_BAR)
        .on(EventKind::Move, "enter")
        .ensure(FROM_BAR, "men on the bar come first")
        .ensure(DIE_LEFT, NO_DIE)
        .ensure(TO_OPEN, BLOCKED)
        .then_all(changes![HIT, MOVE_MAN, PASS_IF_STUCK])
        .close()
        .phase("bring men off")
        .when(ALL_HOME)
        .on(EventKind::Move, "move at home")
        .require(STAYS)
        .ensure(DIE_LEFT, NO_DIE)
        .ensure(OWN_MAN, NO_MAN)
        .ensure(TO_OPEN, BLOCKED)
        .then_all(changes![HIT, MOVE_MAN, PASS_IF_STUCK])
        .on(EventKind::Move, "bear off")
        .require(LEAVES)
        .ensure(DIE_LEFT, NO_DIE)
        .ensure(OWN_MAN, NO_MAN)
        .ensure(EXACT_OR_REARMOST, "a man further back must be moved with this die")
        .then_all(changes![MOVE_MAN, PASS_IF_STUCK])
        .close()
        .phase("move men")
        .on(EventKind::Move, "move")
        .ensure(STAYS, "men leave the board only when all are at home")
        .ensure(DIE_LEFT, NO_DIE)
        .ensure(OWN_MAN, NO_MAN)
        .ensure(TO_OPEN, BLOCKED)
        .then_all(changes![HIT, MOVE_MAN, PASS_IF_STUCK])
        .close()
        .close()
        .maximal(MOST_DICE, dice_used, most_dice)
        .end("backgammon", |table, _| table.is_won() && table.size() == 3, pay)
        .end("gammon", |table, _| table.is_won() && table.size() == 2, pay)
        .end("single game", |table, _| table.is_won(), pay)
}

/// The layout of the hand-written game, up to the cube that is not here.
fn with_artifacts(rules: Rules<BackgammonRules>) -> Rules<BackgammonRules> {
    rules
        .artifact(men("my_men", POINTS, |table, seat, point| count(table, seat, BAR - point)))
        .artifact(men("my_bar", 1, |table, seat, _| count(table, seat, 0)))
        .artifact(men("my_off", 1, |table, seat, _| count(table, seat, OFF.into())))
        .artifact(men("their_men", POINTS, |table, seat, point| {
            count(table, 1 - seat, BAR - point)
        }))
        .artifact(men("their_bar", 1, |table, seat, _| count(table, 1 - seat, 0)))
        .artifact(men("their_off", 1, |table, seat, _| count(table, 1 - seat, OFF.into())))
        .artifact(Artifact {
            name: "dice",
            cells: 6,
            read: |table, _, die| table.left(die as u8 + 1).into(),
            values: Values::UpTo(4),
            seen_by: SeenBy::All,
        })
        .artifact(Artifact {
            name: "question",
            cells: 1,
            read: |table, _, _| table.is_playing().into(),
            values: Values::OneOf(2),
            seen_by: SeenBy::All,
        })
        .artifact(Artifact {
            name: "to_move",
            cells: 1,
            read: |table, seat, _| {
                i32::from(table.is_playing() && usize::from(table.mover) == seat)
            },
            values: Values::Flag,
            seen_by: SeenBy::All,
        })
}

/// The number of a throw among those of luck.
pub(super) fn throw_number(high: u8, low: u8, seat: u8) -> u16 {
    number_of(high, low) + THROWS * u16::from(seat)
}
