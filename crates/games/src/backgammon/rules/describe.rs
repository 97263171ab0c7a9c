//! The rules of backgammon: events, predicates, mutators and phases.

use std::sync::LazyLock;

use meeple_plan::{
    Artifact, Condition, EventKind, Mutator, Plan, Predicate, RuleSet, Rules, SeenBy, Targets,
    Values, changes,
};

use super::super::board::{BAR, CHECKERS, POINTS};
use super::super::{ROLLS, roll_index, roll_of};
use super::table::{CubelessState, OFF};

/// The rule set of backgammon.
///
/// The source of a move is its die, counted down from six, and its target is the place the
/// checker leaves. So the places from which a die can be played form one set, and moves are
/// generated high die first, rearmost checker first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackgammonRules;

/// An event of backgammon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The opening roll.
    Begin {
        /// The seat with the higher die.
        seat: u8,
        /// The higher die.
        high: u8,
        /// The lower die.
        low: u8,
    },
    /// A roll of both dice.
    Roll {
        /// The higher die.
        high: u8,
        /// The lower die.
        low: u8,
    },
    /// A checker move by one die.
    Play {
        /// The place of the checker: 0 is the bar, 24 the mover's ace point.
        from: u8,
        /// The die.
        die: u8,
    },
}

/// Facts shared by the set-wise predicates.
#[derive(Clone, Copy, Debug)]
pub struct BackgammonFacts {
    /// Places with a checker of the player to move.
    occupied: u64,
    /// Points that the opponent has not made.
    open: u64,
}

impl RuleSet for BackgammonRules {
    type State = CubelessState;
    type Event = Event;
    type Facts = BackgammonFacts;

    #[inline]
    fn facts(table: &CubelessState) -> BackgammonFacts {
        BackgammonFacts { occupied: table.own().occupied().into(), open: table.open().into() }
    }

    #[inline]
    fn kind(event: &Event) -> EventKind {
        match event {
            Event::Begin { .. } | Event::Roll { .. } => EventKind::Roll,
            Event::Play { .. } => EventKind::Move,
        }
    }

    fn subject(_: &CubelessState, _: &Event) -> Option<u8> {
        None
    }

    #[inline]
    fn sources(table: &CubelessState, _: &BackgammonFacts, _: u8) -> u64 {
        table.values().fold(0, |sources, die| sources | 1 << (6 - die))
    }

    #[inline]
    fn event(_: EventKind, source: u8, target: u8, _variant: u8) -> Event {
        // Sources beyond six map to die 0, of which none is ever left.
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

/// A predicate on the place and the die of a move.
macro_rules! of_play {
    (|$table:pat_param, $from:pat_param, $die:pat_param| $test:expr) => {
        |$table: &CubelessState, event: &Event| match *event {
            Event::Play { from: $from, die: $die } => $test,
            Event::Begin { .. } | Event::Roll { .. } => false,
        }
    };
}

const DIE_LEFT: P = Predicate {
    name: "die-left",
    holds: of_play!(|table, _, die| table.left(die) > 0),
    targets: T::All,
};

const OWN_CHECKER: P = Predicate {
    name: "own-checker",
    holds: of_play!(|table, from, _| has(table.own().occupied().into(), from)),
    targets: T::OfState(|_, facts| facts.occupied),
};

const FROM_BAR: P = Predicate {
    name: "from-bar",
    holds: of_play!(|_, from, _| from == 0),
    targets: T::OfState(|_, _| 1),
};

/// The places from which a die does not bear off.
#[inline]
fn staying(die: u8) -> u64 {
    (1 << (OFF - die)) - 1
}

const STAYS_ON_BOARD: P = Predicate {
    name: "stays-on-board",
    holds: of_play!(|_, from, die| from + die < OFF),
    targets: T::OfSource(|_, _, source| staying(die_of(source))),
};

const BEARS_OFF: P = Predicate {
    name: "bears-off",
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
    targets: T::OfSource(|table, _, source| table.own().bear_off_sources(die_of(source)).into()),
};

const OPENING_ROLL: P = Predicate {
    name: "opening-roll",
    holds: |_, event| matches!(event, Event::Begin { seat: 0..=1, .. }),
    targets: T::All,
};

const DIFFERENT_DICE: P = Predicate {
    name: "different-dice",
    holds: |_, event| matches!(event, Event::Begin { high, low, .. } if high != low),
    targets: T::All,
};

const ROLL_OF_BOTH: P = Predicate {
    name: "roll-of-both",
    holds: |_, event| matches!(event, Event::Roll { .. }),
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
        if let Event::Begin { high, low, .. } | Event::Roll { high, low } = *event {
            table.roll(high, low);
        }
    },
};

// These three follow one another in most rules. Inlined, the values that one writes stay in
// registers for the next.

const HIT: M = Mutator { name: "hit", change: hit };
const MOVE_CHECKER: M = Mutator { name: "move", change: move_checker };
const PASS_IF_STUCK: M = Mutator { name: "pass if stuck", change: pass_if_stuck };

#[inline(always)]
fn hit(table: &mut CubelessState, event: &Event) {
    if let Event::Play { from, die } = *event {
        table.hit(from + die);
    }
}

#[inline(always)]
fn move_checker(table: &mut CubelessState, event: &Event) {
    if let Event::Play { from, die } = *event {
        table.advance(from, die);
    }
}

#[inline(always)]
fn pass_if_stuck(table: &mut CubelessState, _: &Event) {
    table.pass_if_stuck();
}

const BEFORE_OPENING: C =
    Condition { name: "opening roll pending", holds: CubelessState::is_before_opening };
const ROLLING: C = Condition { name: "on roll", holds: CubelessState::is_rolling };
const PLAYING: C = Condition { name: "dice are left", holds: CubelessState::is_playing };
const ON_BAR: C =
    Condition { name: "a checker is on the bar", holds: |table| table.own().on_bar() };
const ALL_HOME: C =
    Condition { name: "all checkers are home", holds: |table| table.own().all_home() };

const NO_DIE: &str = "no die of this value is left";
const NO_CHECKER: &str = "you have no checker there";
const BLOCKED: &str = "the opponent has made the point";

/// The rule that restricts a move by the moves that can follow it.
const MOST_DICE: &str = "as many dice as possible must be used, the higher if only one can be";

/// Rates a move by the total number of dice it allows; a single die by its value.
fn dice_used(table: &CubelessState, event: &Event) -> u32 {
    let Event::Play { from, die } = *event else { return 0 };
    match table.total_with(from, die) {
        1 => 8 + u32::from(die),
        total => 8 * u32::from(total),
    }
}

/// The rating of a move that allows all dice to be used.
fn most_dice(table: &CubelessState) -> u32 {
    match table.dice_left() {
        1 => 8 + table.values().map(u32::from).sum::<u32>(),
        left => 8 * u32::from(left),
    }
}

fn opening_rolls(_: &CubelessState, visit: &mut dyn FnMut(Event, f64)) {
    for (high, low) in (0..ROLLS).map(roll_of).filter(|(high, low)| high != low) {
        for seat in 0..2 {
            visit(Event::Begin { seat, high, low }, 1.0 / 30.0);
        }
    }
}

fn rolls(_: &CubelessState, visit: &mut dyn FnMut(Event, f64)) {
    for (high, low) in (0..ROLLS).map(roll_of) {
        visit(Event::Roll { high, low }, if high == low { 1.0 } else { 2.0 } / 36.0);
    }
}

fn pay(table: &CubelessState, payoffs: &mut [f32]) {
    let share = f32::from(table.size()) / 3.0;
    payoffs[usize::from(table.mover)] = share;
    payoffs[usize::from(table.mover ^ 1)] = -share;
}

/// An artifact of checker counts, from the ace point.
const fn checkers(
    name: &'static str,
    cells: usize,
    read: fn(&CubelessState, usize, usize) -> i32,
) -> Artifact<BackgammonRules> {
    Artifact { name, cells, read, values: Values::UpTo(CHECKERS as i32), seen_by: SeenBy::All }
}

fn count(table: &CubelessState, side: usize, place: usize) -> i32 {
    table.checkers(side).at(place as u8).into()
}

static PLAN: LazyLock<Plan<BackgammonRules>> = LazyLock::new(|| {
    describe().compile().expect("the rules of backgammon do not contradict themselves")
});

/// Returns the compiled rules of backgammon.
pub(super) fn plan() -> &'static Plan<BackgammonRules> {
    &PLAN
}

fn describe() -> Rules<BackgammonRules> {
    with_artifacts(Rules::new("backgammon"))
        .expects(EventKind::Roll)
        .expects(EventKind::Move)
        .phase("opening")
        .when(BEFORE_OPENING)
        .chance(opening_rolls)
        .on(EventKind::Roll, "opening roll")
        .require(OPENING_ROLL)
        .ensure(DIFFERENT_DICE, "a double is rolled again")
        .then_all(changes![BEGIN, SET_DICE, PASS_IF_STUCK])
        .close()
        .phase("roll")
        .when(ROLLING)
        .chance(rolls)
        .on(EventKind::Roll, "roll")
        .require(ROLL_OF_BOTH)
        .then_all(changes![SET_DICE, PASS_IF_STUCK])
        .close()
        .phase("turn")
        .when(PLAYING)
        .phase("enter from the bar")
        .when(ON_BAR)
        .on(EventKind::Move, "enter")
        .ensure(FROM_BAR, "checkers on the bar must enter first")
        .ensure(DIE_LEFT, NO_DIE)
        .ensure(TO_OPEN, BLOCKED)
        .then_all(changes![HIT, MOVE_CHECKER, PASS_IF_STUCK])
        .close()
        .phase("bear off checkers")
        .when(ALL_HOME)
        .on(EventKind::Move, "move at home")
        .require(STAYS_ON_BOARD)
        .ensure(DIE_LEFT, NO_DIE)
        .ensure(OWN_CHECKER, NO_CHECKER)
        .ensure(TO_OPEN, BLOCKED)
        .then_all(changes![HIT, MOVE_CHECKER, PASS_IF_STUCK])
        .on(EventKind::Move, "bear off")
        .require(BEARS_OFF)
        .ensure(DIE_LEFT, NO_DIE)
        .ensure(OWN_CHECKER, NO_CHECKER)
        .ensure(EXACT_OR_REARMOST, "this die must move a checker further back")
        .then_all(changes![MOVE_CHECKER, PASS_IF_STUCK])
        .close()
        .phase("move checkers")
        .on(EventKind::Move, "move")
        .ensure(STAYS_ON_BOARD, "checkers can be borne off only when all are home")
        .ensure(DIE_LEFT, NO_DIE)
        .ensure(OWN_CHECKER, NO_CHECKER)
        .ensure(TO_OPEN, BLOCKED)
        .then_all(changes![HIT, MOVE_CHECKER, PASS_IF_STUCK])
        .close()
        .close()
        .maximal(MOST_DICE, dice_used, most_dice)
        .end("backgammon", |table, _| table.is_won() && table.size() == 3, pay)
        .end("gammon", |table, _| table.is_won() && table.size() == 2, pay)
        .end("single game", |table, _| table.is_won(), pay)
}

/// The observation layout of the hand-written game, without the cube.
fn with_artifacts(rules: Rules<BackgammonRules>) -> Rules<BackgammonRules> {
    rules
        .artifact(checkers("my_men", POINTS, |table, seat, point| count(table, seat, BAR - point)))
        .artifact(checkers("my_bar", 1, |table, seat, _| count(table, seat, 0)))
        .artifact(checkers("my_off", 1, |table, seat, _| count(table, seat, OFF.into())))
        .artifact(checkers("their_men", POINTS, |table, seat, point| {
            count(table, 1 - seat, BAR - point)
        }))
        .artifact(checkers("their_bar", 1, |table, seat, _| count(table, 1 - seat, 0)))
        .artifact(checkers("their_off", 1, |table, seat, _| count(table, 1 - seat, OFF.into())))
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

/// The chance outcome id of a roll.
pub(super) fn roll_number(high: u8, low: u8, seat: u8) -> u16 {
    roll_index(high, low) + ROLLS * u16::from(seat)
}
