//! What the words of the crate documentation mean, on a toy whose state is the
//! list of changes made to it.

use meeple_plan::{
    Artifact, CompileError, Condition, Conflict, EventKind, Handled, Mutator, Parity, Plan,
    Predicate, RuleSet, Rules, SeenBy, Skip, Stages, Subjects, Targets, Trace, Values, Warning,
};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct State {
    open: bool,
    changes: [u8; 6],
    count: usize,
}

impl State {
    fn add(&mut self, change: u8) {
        self.changes[self.count] = change;
        self.count += 1;
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Event {
    kind: EventKind,
    subject: Option<u8>,
    target: u8,
}

#[derive(Clone, Copy, Debug)]
struct Toy;

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

const fn event(target: u8) -> Event {
    Event { kind: EventKind::Move, subject: None, target }
}

const ALWAYS: Condition<Toy> = Condition { name: "always", holds: |_| true };
const NEVER: Condition<Toy> = Condition { name: "never", holds: |_| false };
const OPEN: Condition<Toy> = Condition { name: "open", holds: |state| state.open };

const LOW: Predicate<Toy> = Predicate {
    name: "low",
    holds: |_, event| event.target < 4,
    targets: Targets::OfState(|_, ()| 0b1111),
};
const EVEN: Predicate<Toy> = Predicate {
    name: "even",
    holds: |_, event| event.target % 2 == 0,
    targets: Targets::OfSource(|_, (), _| 0x5555_5555_5555_5555),
};
const SMALL: Predicate<Toy> =
    Predicate { name: "small", holds: |_, event| event.target < 8, targets: Targets::OneByOne };

macro_rules! log {
    ($number:literal) => {
        Mutator {
            name: concat!("log ", $number),
            change: |state: &mut State, _| state.add($number),
        }
    };
}

const CHANGES: Artifact<Toy> = Artifact {
    name: "changes",
    cells: 6,
    read: |state, _, cell| i32::from(state.changes[cell]),
    values: Values::UpTo(9),
    seen_by: SeenBy::All,
};

fn rules(conflict: Conflict) -> Rules<Toy> {
    Rules::new("toy").conflict(conflict).artifact(CHANGES)
}

/// The changes an event makes, with every combination of stages, the tree too.
#[track_caller]
fn changes(plan: &Plan<Toy>, state: &State, event: &Event) -> Handled<Vec<u8>> {
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
fn two_leaves(conflict: Conflict) -> Plan<Toy> {
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
        .expect("the description is sound")
}

#[test]
fn the_first_open_leaf_is_the_only_one_consulted() {
    let plan = two_leaves(Conflict::FirstActiveLeaf);
    let state = State::default();
    assert_eq!(changes(&plan, &state, &event(2)), Handled::Applied(vec![2]));
    assert_eq!(changes(&plan, &state, &event(3)), Handled::Ignored);
}

#[test]
fn first_match_falls_through() {
    let plan = two_leaves(Conflict::FirstMatch);
    let state = State::default();
    assert_eq!(changes(&plan, &state, &event(2)), Handled::Applied(vec![2]));
    assert_eq!(changes(&plan, &state, &event(3)), Handled::Applied(vec![3]));
}

#[test]
fn the_highest_priority_goes_first() {
    let plan = two_leaves(Conflict::HighestPriority);
    assert_eq!(changes(&plan, &State::default(), &event(2)), Handled::Applied(vec![3]));
}

#[test]
fn exclusive_rules_must_not_meet() {
    let plan = two_leaves(Conflict::Exclusive);
    let contested = Handled::Contested { first: 1, second: 2 };
    assert_eq!(changes(&plan, &State::default(), &event(2)), contested);
    assert_eq!(changes(&plan, &State::default(), &event(3)), Handled::Applied(vec![3]));
}

#[test]
fn apply_all_applies_in_order() {
    let plan = two_leaves(Conflict::ApplyAll);
    assert_eq!(changes(&plan, &State::default(), &event(2)), Handled::Applied(vec![2, 3]));
}

#[test]
fn conditions_of_ancestors_count() {
    let plan = rules(Conflict::FirstActiveLeaf)
        .phase("outer")
        .when(OPEN)
        .phase("inner")
        .when(ALWAYS)
        .on(EventKind::Move, "rule")
        .then(log!(1))
        .compile()
        .unwrap();
    let open = State { open: true, ..State::default() };
    assert_eq!(changes(&plan, &State::default(), &event(0)), Handled::Ignored);
    assert_eq!(changes(&plan, &open, &event(0)), Handled::Applied(vec![1]));
}

#[test]
fn require_ignores_and_ensure_refuses() {
    let plan = rules(Conflict::FirstMatch)
        .phase("play")
        .on(EventKind::Move, "low and even")
        .require(LOW)
        .ensure(EVEN, "odd targets are taken")
        .then(log!(1))
        .on(EventKind::Move, "any")
        .then(log!(2))
        .compile()
        .unwrap();
    let state = State::default();
    assert_eq!(changes(&plan, &state, &event(2)), Handled::Applied(vec![1]));
    let refused = Handled::Invalid { entry: 0, reason: "odd targets are taken" };
    assert_eq!(changes(&plan, &state, &event(3)), refused);
    assert_eq!(changes(&plan, &state, &event(5)), Handled::Applied(vec![2]));
}

#[test]
fn events_go_by_kind_and_subject() {
    let plan = rules(Conflict::FirstActiveLeaf)
        .phase("play")
        .on(EventKind::Roll, "roll")
        .then(log!(1))
        .on(EventKind::Move, "about 3")
        .from(Subjects::one(3))
        .then(log!(2))
        .on(EventKind::Any, "any kind")
        .then(log!(3))
        .compile()
        .unwrap();
    let state = State::default();
    let of = |kind, subject| Event { kind, subject, target: 0 };
    for (kind, subject, change) in [
        (EventKind::Roll, None, 1),
        (EventKind::Move, Some(3), 2),
        (EventKind::Move, Some(4), 3),
        (EventKind::Move, None, 3),
        (EventKind::Custom2, None, 3),
    ] {
        assert_eq!(changes(&plan, &state, &of(kind, subject)), Handled::Applied(vec![change]));
    }
}

/// Three rules: two in groups of one root, one outside.
fn grouped() -> Rules<Toy> {
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

#[test]
fn a_group_that_has_applied_is_passed_over() {
    let plan = grouped().compile().unwrap();
    let state = State::default();
    assert_eq!(changes(&plan, &state, &event(2)), Handled::Applied(vec![1, 3]));
    // The rule in the window ignores odd targets: having been asked is not
    // having applied.
    assert_eq!(changes(&plan, &state, &event(3)), Handled::Applied(vec![2, 3]));
    assert_eq!(plan.exclusivity_groups(), [Some("window"), Some("cycle"), None]);
    assert_eq!(plan.exclusivity_group_roots(), [("cycle", "cycle"), ("window", "cycle")]);
}

#[test]
fn preprocessors_expand_events_all_or_nothing() {
    let plan = rules(Conflict::FirstActiveLeaf)
        .preprocess("twice", |_, event, emit| {
            emit(*event);
            emit(Event { target: event.target + 1, ..*event });
        })
        .phase("play")
        .on(EventKind::Move, "low")
        .ensure(LOW, "too high")
        .then(log!(1))
        .compile()
        .unwrap();
    let state = State::default();
    assert_eq!(changes(&plan, &state, &event(1)), Handled::Applied(vec![1, 1]));
    let refused = Handled::Invalid { entry: 0, reason: "too high" };
    assert_eq!(changes(&plan, &state, &event(3)), refused);
}

#[test]
fn generation_finds_what_the_rules_accept() {
    let plan = rules(Conflict::FirstActiveLeaf)
        .phase("play")
        .on(EventKind::Move, "low and even")
        .require(LOW)
        .require(EVEN)
        .then(log!(1))
        .on(EventKind::Move, "small and odd or high")
        .require(SMALL)
        .require(Predicate {
            name: "not low and even",
            holds: |_, event| event.target >= 4 || event.target % 2 == 1,
            targets: Targets::OfState(|_, ()| !0b101),
        })
        .then(log!(2))
        .maximal("as high as can be", |_, event| u32::from(event.target).min(6), |_| 6)
        .compile()
        .unwrap();
    let state = State::default();
    Parity::new(&plan).generated(&state).unwrap();
    let mut legal = Vec::new();
    plan.visit_legal(&state, &(), |candidate| {
        legal.push((candidate.event.target, candidate.entry))
    });
    assert_eq!(legal, [(6, 1), (7, 1)]);
    assert_eq!(plan.count_legal(&state, &()), 2);
    assert_eq!(plan.pick_legal(&state, &(), |count| count - 1).event.target, 7);
    let refused = Handled::Invalid { entry: 0, reason: "as high as can be" };
    assert_eq!(changes(&plan, &state, &event(2)), refused);
}

#[test]
fn an_observer_learns_why() {
    let mut trace = Trace::default();
    two_leaves(Conflict::FirstActiveLeaf).handle_watched(&State::default(), &event(3), &mut trace);
    let skipped = [(0, Skip::Gate), (2, Skip::PhaseShadowed), (1, Skip::Ignored("even"))];
    assert_eq!(trace, Trace { skipped: skipped.to_vec(), applied: Vec::new() });
    let mut trace = Trace::default();
    grouped().compile().unwrap().handle_watched(&State::default(), &event(2), &mut trace);
    assert_eq!(trace, Trace { skipped: vec![(1, Skip::Masked)], applied: vec![0, 2] });
}

#[test]
fn a_forced_difference_is_found_and_named() {
    let plan = two_leaves(Conflict::FirstMatch);
    let spoiled = Parity::new(&plan).with_fault(|state| state.changes[0] = 9);
    let mismatch = spoiled.handle(&State::default(), &event(2)).unwrap_err();
    assert_eq!(mismatch.artifacts, ["changes[0]: 9 != 2"]);
    assert_eq!(mismatch.entry, Some("even targets"));
    assert_eq!(mismatch.stage, "forced");
    assert!(mismatch.to_string().contains("target: 2"), "{mismatch}");
}

#[test]
fn a_predicate_whose_forms_differ_is_found() {
    let crooked = Predicate { targets: Targets::OfState(|_, ()| 0b0111), ..LOW };
    let plan = rules(Conflict::FirstActiveLeaf)
        .phase("play")
        .on(EventKind::Move, "low")
        .require(crooked)
        .then(log!(1))
        .compile()
        .unwrap();
    let mismatch = Parity::new(&plan).generated(&State::default()).unwrap_err();
    assert_eq!(
        (mismatch.stage, mismatch.said.as_str()),
        ("generation", "legal, but not generated")
    );
}

#[test]
fn contradictions_do_not_compile() {
    let rule = |rules: Rules<Toy>, name| rules.on(EventKind::Move, name).then(log!(1));
    let new = || rules(Conflict::FirstActiveLeaf);
    for (description, expected) in [
        (new().phase("a"), "phase a is empty"),
        (rule(new().phase("a"), "r").close().phase("b"), "phase b is empty"),
        (
            rule(rule(new().phase("a"), "r").phase("b"), "s"),
            "phase a has rules or outcomes and phases",
        ),
        (
            rule(new().phase("a").exclusive("g"), "r"),
            "a: unknown exclusivity group g, expected none",
        ),
        (
            rule(new().group("h").phase("a").exclusive("g"), "r"),
            "a: unknown exclusivity group g, expected one of h",
        ),
        (rule(new().group_within("g", "h").phase("a"), "r"), "g: unknown exclusivity group h"),
        (
            rule(new().group_within("g", "h").group_within("h", "g").phase("a"), "r"),
            "exclusivity group g is part of itself",
        ),
        (rule(rule(new().phase("a"), "r"), "r"), "two rules are called r"),
        (rule(rule(new().phase("a"), "r").close().phase("a"), "s"), "two phases are called a"),
        (new().phase("a").on(EventKind::Move, "r"), "rule r changes nothing"),
        (new().when(ALWAYS), "toy: when() is called where no phase or rule is open"),
        (new().phase("a").require(LOW), "require() is called where no"),
        (new().close(), "close() is called where no"),
    ] {
        let error = description.compile().unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let mut many = new().phase("a");
    for at in 0..65 {
        many = rule(many, Box::leak(format!("rule {at}").into_boxed_str()));
    }
    assert_eq!(many.compile().unwrap_err(), CompileError::TooManyRules { rules: 65 });
}

#[test]
fn oddities_are_warned_of() {
    let plan = rules(Conflict::FirstActiveLeaf)
        .group("g")
        .expects(EventKind::Roll)
        .phase("play")
        .exclusive("g")
        .on(EventKind::Move, "low")
        .require(LOW)
        .then(log!(1))
        .on(EventKind::Move, "low and small")
        .require(LOW)
        .require(SMALL)
        .then(log!(2))
        .compile()
        .unwrap();
    let expected = [
        Warning::Unreachable { rule: "low and small", before: "low" },
        Warning::OneByOne { rule: "low and small", predicate: "small" },
        Warning::Unhandled { kind: EventKind::Roll },
        Warning::GroupWithoutEffect { group: "g" },
    ];
    assert_eq!(plan.warnings(), expected);
    assert!(grouped().compile().unwrap().warnings().is_empty());
}

#[test]
fn a_plan_explains_itself() {
    let text = two_leaves(Conflict::FirstMatch).explain();
    assert!(text.starts_with("#  phase   when "), "{text}");
    assert!(
        text.contains("1  first   always            even targets       Move  even  log 2"),
        "{text}"
    );
}

/// The signature is pinned: when it changes, the rules did.
#[test]
fn the_signature_tells_plans_apart() {
    let signature = two_leaves(Conflict::FirstMatch).signature();
    assert_eq!(signature, two_leaves(Conflict::FirstMatch).signature());
    assert_ne!(signature, two_leaves(Conflict::ApplyAll).signature());
    assert_eq!(signature, 4_449_947_233_107_193_621);
}
