//! Compilation: errors, warnings, tables and signatures.

use meeple_plan::{CompileError, Conflict, EventKind, Mutator, Rules, Warning};

use crate::toy::*;

#[test]
fn inconsistent_descriptions_do_not_compile() {
    let rule = |rules: Rules<Toy>, name| rules.on(EventKind::Move, name).then(log!(1));
    let new = || rules(Conflict::FirstActiveLeaf);
    for (description, expected) in [
        (new().phase("a"), "phase a is empty"),
        (rule(new().phase("a"), "r").close().phase("b"), "phase b is empty"),
        (
            rule(rule(new().phase("a"), "r").phase("b"), "s"),
            "phase a has rules or outcomes and nested phases",
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
            "exclusivity group g contains itself",
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
fn suspicious_descriptions_give_warnings() {
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
fn duplicate_generation_gives_a_warning() {
    // The first rule takes low targets; only high targets reach the second, which
    // rejects them, and yet it generates low and even targets again.
    let doubled = |conflict| {
        rules(conflict)
            .phase("play")
            .on(EventKind::Move, "low")
            .require(LOW)
            .then(log!(1))
            .on(EventKind::Move, "low and even")
            .ensure(LOW, "too high")
            .ensure(EVEN, "odd")
            .then(log!(2))
            .compile()
            .unwrap()
    };
    let expected = [Warning::GeneratesAgain { rule: "low and even", before: "low" }];
    for conflict in [Conflict::FirstActiveLeaf, Conflict::FirstMatch, Conflict::Exclusive] {
        let plan = doubled(conflict);
        assert_eq!(plan.warnings(), expected);
        let mut targets = Vec::new();
        plan.visit_legal(&State::default(), &(), |candidate| targets.push(candidate.event.target));
        assert_eq!(targets, [0, 1, 2, 3, 0, 2]);
    }
    assert!(doubled(Conflict::ApplyAll).warnings().is_empty());
}

#[test]
fn explain_prints_a_table() {
    let text = two_leaves(Conflict::FirstMatch).explain();
    assert!(text.starts_with("#  phase   when "), "{text}");
    assert!(
        text.contains("1  first   always            even targets       Move  even        log 2"),
        "{text}"
    );
}

/// The signature is pinned: a change means that the rules have changed.
#[test]
fn the_signature_distinguishes_plans() {
    let signature = two_leaves(Conflict::FirstMatch).signature();
    assert_eq!(signature, two_leaves(Conflict::FirstMatch).signature());
    assert_ne!(signature, two_leaves(Conflict::ApplyAll).signature());
    assert_eq!(signature, 4_449_947_233_107_193_621);
}
