//! Set forms of every sort against the tree, on random states of a made-up game.

use meeple_plan::{
    EventKind, Mutator, Parity, Plan, Predicate, RuleSet, Rules, Step, Subjects, Targets,
};

/// Men of three sorts, squares that are free, and men that are bound.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Field {
    men: [u64; 3],
    free: u64,
    bound: u64,
    moves: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Go {
    from: u8,
    to: u8,
    variant: u8,
}

#[derive(Clone, Copy, Debug)]
struct Game;

impl RuleSet for Game {
    type State = Field;
    type Event = Go;
    type Facts = ();

    fn facts(_: &Field) {}

    fn kind(_: &Go) -> EventKind {
        EventKind::Move
    }

    fn subject(field: &Field, go: &Go) -> Option<u8> {
        (0..3).find(|&sort| field.men[usize::from(sort)] >> go.from & 1 == 1)
    }

    fn sources(field: &Field, (): &(), sort: u8) -> u64 {
        field.men[usize::from(sort)]
    }

    fn event(_: EventKind, from: u8, to: u8, variant: u8) -> Go {
        Go { from, to, variant }
    }
}

type P = Predicate<Game>;
type T = Targets<Game>;

const FREE: P = Predicate {
    name: "free",
    holds: |field, go| field.free >> go.to & 1 == 1,
    targets: T::OfState(|field, ()| field.free),
};

/// What a man that is bound may still reach.
fn rest(from: u8) -> u64 {
    0x00ff_00ff_00ff_00ff_u64.rotate_left(from.into())
}

/// Free men go to the right half, bound ones to half of all squares.
const UNBOUND: P = Predicate {
    name: "unbound",
    holds: |field, go| {
        let reach = if field.bound >> go.from & 1 == 1 { rest(go.from) } else { u64::MAX << 20 };
        reach >> go.to & 1 == 1
    },
    targets: T::Mostly {
        usual: |_, ()| u64::MAX << 20,
        except: |field, ()| field.bound,
        of_source: |_, (), from| rest(from),
    },
};

const UP: P = Predicate {
    name: "up",
    holds: |_, go| i32::from(go.to) - i32::from(go.from) == 8,
    targets: T::Steps(|_, ()| [Step::new(8, u64::MAX), Step::NONE]),
};

const ASIDE: P = Predicate {
    name: "aside",
    holds: |_, go| matches!(i32::from(go.to) - i32::from(go.from), -9 | 3),
    targets: T::Steps(|_, ()| [Step::new(-9, u64::MAX), Step::new(3, u64::MAX)]),
};

const FAR: P = Predicate {
    name: "far",
    holds: |_, go| go.from.abs_diff(go.to) > 5,
    targets: T::OfSource(|_, (), from| {
        (0..64u8).filter(|to| from.abs_diff(*to) > 5).fold(0, |all, to| all | 1 << to)
    }),
};

/// Rules that generate must not meet: an event of both would come twice.
const NOT_UP: P = Predicate {
    name: "not up",
    holds: |_, go| i32::from(go.to) - i32::from(go.from) != 8,
    targets: T::OfSource(|_, (), from| !1u64.checked_shl(u32::from(from) + 8).unwrap_or(0)),
};

/// The last row, where events come in variants 1 to 3.
const LAST: u64 = 0xff << 56;

const VARIANT: P = Predicate {
    name: "variant",
    holds: |_, go| if go.to >= 56 { (1..=3).contains(&go.variant) } else { go.variant == 0 },
    targets: T::All,
};

const PLAIN: P = Predicate { name: "plain", holds: |_, go| go.variant == 0, targets: T::All };

const COUNT: Mutator<Game> = Mutator { name: "count", change: |field, _| field.moves += 1 };

/// Sorts 0 and 1 are swept, the second of them beside other events; sort 2 mixes
/// steps with targets by source.
fn plan(sorts: &[u8]) -> Plan<Game> {
    let mut rules = Rules::new("field").phase("play");
    if sorts.contains(&0) {
        rules = rules
            .on(EventKind::Move, "walk up")
            .from(Subjects::one(0))
            .require(UP)
            .require(FREE)
            .ensure(UNBOUND, "bound")
            .ensure(VARIANT, "variant")
            .variants(LAST, 1, 3)
            .then(COUNT)
            .on(EventKind::Move, "walk aside")
            .from(Subjects::one(0))
            .require(ASIDE)
            .require(FREE)
            .ensure(PLAIN, "variant")
            .then(COUNT);
    }
    if sorts.contains(&1) {
        rules = rules
            .on(EventKind::Move, "run aside")
            .from(Subjects::one(1))
            .require(ASIDE)
            .ensure(UNBOUND, "bound")
            .ensure(PLAIN, "variant")
            .then(COUNT);
    }
    if sorts.contains(&2) {
        rules = rules
            .on(EventKind::Move, "leap")
            .from(Subjects::one(2))
            .require(UP)
            .require(FAR)
            .ensure(PLAIN, "variant")
            .then(COUNT)
            .on(EventKind::Move, "fly")
            .from(Subjects::one(2))
            .require(NOT_UP)
            .require(FAR)
            .require(FREE)
            .ensure(UNBOUND, "bound")
            .ensure(PLAIN, "variant")
            .then(COUNT);
    }
    rules.compile().expect("the rules make sense")
}

/// Random states, their men on different squares.
fn fields() -> impl Iterator<Item = Field> {
    let mut seed = 7u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    (0..24).map(move |_| {
        let (sparse, split) = (random() & random() & random(), random());
        let third = random();
        let men = [sparse & split, sparse & !split & third, sparse & !split & !third];
        Field { men, free: random(), bound: random() & random(), moves: 0 }
    })
}

#[test]
fn all_forms_agree_with_the_tree() {
    for sorts in [&[0][..], &[0, 1], &[2], &[0, 1, 2]] {
        let plan = plan(sorts);
        let parity = Parity::new(&plan);
        for field in fields() {
            parity.generated(&field).unwrap_or_else(|error| panic!("{sorts:?}: {error}"));
        }
    }
}

#[test]
fn picking_follows_the_order_of_visiting() {
    let mut most = 0;
    for sorts in [&[0][..], &[1], &[0, 1], &[2], &[0, 1, 2]] {
        let plan = plan(sorts);
        for field in fields() {
            let mut legal = Vec::new();
            plan.visit_legal(&field, &(), |candidate| legal.push(candidate));
            assert_eq!(plan.count_legal(&field, &()), legal.len() as u64);
            assert_eq!(plan.has_legal(&field, &()), !legal.is_empty());
            for (number, expected) in legal.iter().enumerate() {
                let picked = plan.pick_legal(&field, &(), |count| {
                    assert_eq!(count, legal.len());
                    number
                });
                assert_eq!(picked, *expected, "{sorts:?}, event {number} of {field:?}");
            }
            most = most.max(legal.len());
        }
    }
    assert!(most > 100, "the states are rich enough");
}

#[test]
fn steps_stay_on_the_board() {
    let plan = plan(&[0, 1]);
    let corners = 1 | 1 << 7 | 1 << 56 | 1 << 63;
    let field = Field { men: [corners, 0, 0], free: u64::MAX, bound: 0, moves: 0 };
    Parity::new(&plan).generated(&field).expect("no step leads around the edge");
}
