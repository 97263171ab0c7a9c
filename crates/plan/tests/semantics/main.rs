//! The semantics of the crate documentation, on a toy game.

#[macro_use]
mod toy;
mod compiled;

use meeple_plan::{
    Changes, Conflict, EventKind, Handled, Mutator, Parity, Predicate, Skip, Subjects, Targets,
    Trace, changes as in_turn,
};
use toy::*;

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
fn exclusive_rules_must_not_overlap() {
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
fn conditions_of_ancestors_apply() {
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
fn require_ignores_and_ensure_rejects() {
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
    let invalid = Handled::Invalid { entry: 0, reason: "odd targets are taken" };
    assert_eq!(changes(&plan, &state, &event(3)), invalid);
    assert_eq!(changes(&plan, &state, &event(5)), Handled::Applied(vec![2]));
}

#[test]
fn events_are_matched_by_kind_and_subject() {
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
#[test]
fn a_group_that_has_applied_is_skipped() {
    let plan = grouped().compile().unwrap();
    let state = State::default();
    assert_eq!(changes(&plan, &state, &event(2)), Handled::Applied(vec![1, 3]));
    // The rule in the window ignores odd targets, so its group has not applied.
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
    let invalid = Handled::Invalid { entry: 0, reason: "too high" };
    assert_eq!(changes(&plan, &state, &event(3)), invalid);
}

#[test]
fn generation_finds_all_accepted_events() {
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
    let invalid = Handled::Invalid { entry: 0, reason: "as high as can be" };
    assert_eq!(changes(&plan, &state, &event(2)), invalid);
}

#[test]
fn an_observer_is_told_the_reasons() {
    let mut trace = Trace::default();
    two_leaves(Conflict::FirstActiveLeaf).handle_observed(&State::default(), &event(3), &mut trace);
    let skipped = [(0, Skip::Gate), (2, Skip::PhaseShadowed), (1, Skip::Ignored("even"))];
    assert_eq!(trace, Trace { skipped: skipped.to_vec(), applied: Vec::new() });
    let mut trace = Trace::default();
    grouped().compile().unwrap().handle_observed(&State::default(), &event(2), &mut trace);
    assert_eq!(trace, Trace { skipped: vec![(1, Skip::Masked)], applied: vec![0, 2] });
}

#[test]
fn an_injected_fault_is_found_and_located() {
    let plan = two_leaves(Conflict::FirstMatch);
    let faulty = Parity::new(&plan).with_fault(|state| state.changes[0] = 9);
    let mismatch = faulty.handle(&State::default(), &event(2)).unwrap_err();
    assert_eq!(mismatch.artifacts, ["changes[0]: 9 != 2"]);
    assert_eq!(mismatch.entry, Some("even targets"));
    assert_eq!(mismatch.stage, "forced");
    assert!(mismatch.to_string().contains("target: 2"), "{mismatch}");
}

const ONE: Mutator<Toy> = log!(1);
const TWO: Mutator<Toy> = log!(2);

#[test]
fn mutators_run_in_order_fused_or_not() {
    let plan = rules(Conflict::default())
        .phase("play")
        .on(EventKind::Move, "four")
        .then_all(in_turn![ONE, TWO])
        .then(log!(3))
        .then_all(in_turn![TWO])
        .compile()
        .unwrap();
    assert_eq!(changes(&plan, &State::default(), &event(0)), Handled::Applied(vec![1, 2, 3, 2]));
    assert!(plan.explain().contains("log 1, log 2, log 3, log 2"), "{}", plan.explain());
}

#[test]
fn fused_changes_that_differ_from_their_mutators_are_found() {
    let inconsistent = Changes::new(&[ONE, TWO], |state, _| state.add(1));
    let plan = rules(Conflict::default())
        .phase("play")
        .on(EventKind::Move, "one for two")
        .then_all(inconsistent)
        .compile()
        .unwrap();
    let mismatch = Parity::new(&plan).handle(&State::default(), &event(0)).unwrap_err();
    assert_eq!((mismatch.entry, mismatch.stage), (Some("one for two"), "base"));
}

#[test]
fn a_predicate_with_inconsistent_forms_is_found() {
    let inconsistent = Predicate { targets: Targets::OfState(|_, ()| 0b0111), ..LOW };
    let plan = rules(Conflict::FirstActiveLeaf)
        .phase("play")
        .on(EventKind::Move, "low")
        .require(inconsistent)
        .then(log!(1))
        .compile()
        .unwrap();
    let mismatch = Parity::new(&plan).generated(&State::default()).unwrap_err();
    assert_eq!(
        (mismatch.stage, mismatch.detail.as_str()),
        ("generation", "legal, but not generated")
    );
}
