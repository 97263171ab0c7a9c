//! A toy whose state is the list of changes made to it.

use meeple_plan::{
    Artifact, Condition, Conflict, EventKind, Handled, Mutator, Parity, Plan, Predicate, RuleSet,
    Rules, SeenBy, Stages, Targets, Values,
};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct State {
    pub(crate) open: bool,
    pub(crate) changes: [u8; 6],
    pub(crate) count: usize,
}

impl State {
    pub(crate) fn add(&mut self, change: u8) {
        self.changes[self.count] = change;
        self.count += 1;
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Event {
    pub(crate) kind: EventKind,
    pub(crate) subject: Option<u8>,
    pub(crate) target: u8,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Toy;

impl RuleSet for Toy {
    type State = State;
    type Event = Event;
    type Facts = ();

    fn facts(_: &State) {}

    fn kind(event: &Event) -> EventKind {
        event.kind
    }

    fn subject(_: &State, event: &Event) -> Option<u8> {
        event.subject
    }

    fn sources(_: &State, (): &(), _: u8) -> u64 {
        1
    }

    fn event(kind: EventKind, _source: u8, target: u8, _variant: u8) -> Event {
        Event { kind, subject: None, target }
    }
}

pub(crate) const fn event(target: u8) -> Event {
    Event { kind: EventKind::Move, subject: None, target }
}

pub(crate) const ALWAYS: Condition<Toy> = Condition { name: "always", holds: |_| true };
pub(crate) const NEVER: Condition<Toy> = Condition { name: "never", holds: |_| false };
pub(crate) const OPEN: Condition<Toy> = Condition { name: "open", holds: |state| state.open };

pub(crate) const LOW: Predicate<Toy> = Predicate {
    name: "low",
    holds: |_, event| event.target < 4,
    targets: Targets::OfState(|_, ()| 0b1111),
};
pub(crate) const EVEN: Predicate<Toy> = Predicate {
    name: "even",
    holds: |_, event| event.target % 2 == 0,
    targets: Targets::OfSource(|_, (), _| 0x5555_5555_5555_5555),
};
pub(crate) const SMALL: Predicate<Toy> =
    Predicate { name: "small", holds: |_, event| event.target < 8, targets: Targets::OneByOne };

macro_rules! log {
    ($number:literal) => {
        Mutator {
            name: concat!("log ", $number),
            change: |state: &mut State, _| state.add($number),
        }
    };
}

pub(crate) const CHANGES: Artifact<Toy> = Artifact {
    name: "changes",
    cells: 6,
    read: |state, _, cell| i32::from(state.changes[cell]),
    values: Values::UpTo(9),
    seen_by: SeenBy::All,
};

pub(crate) fn rules(conflict: Conflict) -> Rules<Toy> {
    Rules::new("toy").conflict(conflict).artifact(CHANGES)
}

/// Returns the changes of an event, after comparing all optimizations with the tree.
#[track_caller]
pub(crate) fn changes(plan: &Plan<Toy>, state: &State, event: &Event) -> Handled<Vec<u8>> {
    for stages in Stages::combinations() {
        let parity = Parity::new(&plan.with_stages(stages));
        parity.handle(state, event).unwrap_or_else(|mismatch| panic!("{stages:?}: {mismatch}"));
    }
    match plan.handle(state, event) {
        Handled::Applied(next) => Handled::Applied(next.changes[..next.count].to_vec()),
        Handled::Ignored => Handled::Ignored,
        Handled::Invalid { entry, reason } => Handled::Invalid { entry, reason },
        Handled::Contested { first, second } => Handled::Contested { first, second },
    }
}

/// Two open leaves: the first has a rule for even targets, the second for all.
pub(crate) fn two_leaves(conflict: Conflict) -> Plan<Toy> {
    rules(conflict)
        .phase("outer")
        .when(ALWAYS)
        .phase("shut")
        .when(NEVER)
        .on(EventKind::Move, "in the shut phase")
        .then(log!(1))
        .close()
        .phase("first")
        .on(EventKind::Move, "even targets")
        .require(EVEN)
        .then(log!(2))
        .close()
        .phase("second")
        .on(EventKind::Move, "any target")
        .then(log!(3))
        .priority(1)
        .compile()
        .expect("the description is consistent")
}

pub(crate) fn grouped() -> Rules<Toy> {
    rules(Conflict::ApplyAll)
        .group("cycle")
        .group_within("window", "cycle")
        .phase("window")
        .exclusive("window")
        .on(EventKind::Move, "in the window")
        .require(EVEN)
        .then(log!(1))
        .close()
        .phase("cycle")
        .exclusive("cycle")
        .on(EventKind::Move, "in the cycle")
        .then(log!(2))
        .close()
        .phase("free")
        .on(EventKind::Move, "free")
        .then(log!(3))
}
