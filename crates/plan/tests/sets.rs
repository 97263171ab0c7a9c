//! All set forms of predicates against the tree, on random states of a synthetic game.

use std::ops::ControlFlow;

use meeple_plan::{
    EventKind, Mutator, Parity, Plan, Predicate, RuleSet, Rules, Step, Subjects, Targets,
    visit_each,
};

/// Pieces of six kinds, free squares, and bound (pinned) pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Field {
    pieces: [u64; 6],
    free: u64,
    bound: u64,
    moves: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Move {
    from: u8,
    to: u8,
    variant: u8,
}

#[derive(Clone, Copy, Debug)]
struct Game;

impl RuleSet for Game {
    type State = Field;
    type Event = Move;
    type Facts = ();

    fn facts(_: &Field) {}

    fn kind(_: &Move) -> EventKind {
        EventKind::Move
    }

    fn subject(field: &Field, event: &Move) -> Option<u8> {
        (0..6).find(|&kind| field.pieces[usize::from(kind)] >> event.from & 1 == 1)
    }

    fn sources(field: &Field, (): &(), kind: u8) -> u64 {
        field.pieces[usize::from(kind)]
    }

    fn visit_reached(
        _: &Field,
        (): &(),
        kind: u8,
        sources: u64,
        visit: impl FnMut(u8, u64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        visit_each(sources, |from| reach(kind, from), visit)
    }

    fn event(_: EventKind, from: u8, to: u8, variant: u8) -> Move {
        Move { from, to, variant }
    }
}

type P = Predicate<Game>;
type T = Targets<Game>;

const FREE: P = Predicate {
    name: "free",
    holds: |field, event| field.free >> event.to & 1 == 1,
    targets: T::OfState(|field, ()| field.free),
};

const TAKEN: P = Predicate {
    name: "taken",
    holds: |field, event| field.free >> event.to & 1 == 0,
    targets: T::OfState(|field, ()| !field.free),
};

/// What a piece reaches; a king (kind 5) does not reach its homes.
fn reach(kind: u8, from: u8) -> u64 {
    let squares = 0x1248_1248_0f0f_3333_u64.rotate_left((from + 5 * kind).into());
    if kind == 5 { squares & !HOMES } else { squares }
}

const REACHED: P = Predicate {
    name: "reached",
    holds: |field, event| {
        let kind = Game::subject(field, event).expect("only pieces move");
        reach(kind, event.from) >> event.to & 1 == 1
    },
    targets: T::Reach,
};

const HOMES: u64 = 0x3c;

const HOME: P = Predicate {
    name: "home",
    holds: |_, event| HOMES >> event.to & 1 == 1,
    targets: T::OfState(|_, ()| HOMES),
};

/// The targets of a bound piece.
fn rest(from: u8) -> u64 {
    0x00ff_00ff_00ff_00ff_u64.rotate_left(from.into())
}

/// Unbound pieces reach squares from 20 up, bound ones half of all squares.
const UNBOUND: P = Predicate {
    name: "unbound",
    holds: |field, event| {
        let reach =
            if field.bound >> event.from & 1 == 1 { rest(event.from) } else { u64::MAX << 20 };
        reach >> event.to & 1 == 1
    },
    targets: T::Mostly {
        usual: |_, ()| u64::MAX << 20,
        except: |field, ()| field.bound,
        of_source: |_, (), from| rest(from),
    },
};

const UP: P = Predicate {
    name: "up",
    holds: |_, event| i32::from(event.to) - i32::from(event.from) == 8,
    targets: T::Steps(|_, ()| [Step::new(8, u64::MAX), Step::NONE]),
};

const ASIDE: P = Predicate {
    name: "aside",
    holds: |_, event| matches!(i32::from(event.to) - i32::from(event.from), -9 | 3),
    targets: T::Steps(|_, ()| [Step::new(-9, u64::MAX), Step::new(3, u64::MAX)]),
};

/// A step over half the squares, whose rotation is that of the step back.
const ACROSS: P = Predicate {
    name: "across",
    holds: |_, event| matches!(i32::from(event.to) - i32::from(event.from), 32 | 8),
    targets: T::Steps(|_, ()| [Step::new(32, u64::MAX), Step::new(8, u64::MAX)]),
};

const FAR: P = Predicate {
    name: "far",
    holds: |_, event| event.from.abs_diff(event.to) > 5,
    targets: T::OfSource(|_, (), from| {
        (0..64u8).filter(|to| from.abs_diff(*to) > 5).fold(0, |all, to| all | 1 << to)
    }),
};

/// Generating rules must be disjoint: an event of two rules would be generated twice.
const NOT_UP: P = Predicate {
    name: "not up",
    holds: |_, event| i32::from(event.to) - i32::from(event.from) != 8,
    targets: T::OfSource(|_, (), from| !1u64.checked_shl(u32::from(from) + 8).unwrap_or(0)),
};

/// The last row, where events have variants 1 to 3.
const LAST: u64 = 0xff << 56;

const VARIANT: P = Predicate {
    name: "variant",
    holds: |_, event| {
        if event.to >= 56 { (1..=3).contains(&event.variant) } else { event.variant == 0 }
    },
    targets: T::All,
};

const PLAIN: P = Predicate { name: "plain", holds: |_, event| event.variant == 0, targets: T::All };

const COUNT: Mutator<Game> = Mutator { name: "count", change: |field, _| field.moves += 1 };

/// Kinds 0 and 1 are generated set-wise; kind 2 mixes steps with source-dependent
/// targets; those of kinds 3 to 5 are split, of kind
/// 5 where there is one piece of it. Kinds 3 and 4 move alike unless 4 is asked for too.
fn plan(kinds: &[u8]) -> Plan<Game> {
    let mut rules = Rules::new("field").phase("play");
    if kinds.contains(&0) {
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
    if kinds.contains(&1) {
        rules = rules
            .on(EventKind::Move, "run across")
            .from(Subjects::one(1))
            .require(ACROSS)
            .ensure(UNBOUND, "bound")
            .ensure(PLAIN, "variant")
            .then(COUNT);
    }
    if kinds.contains(&2) {
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
    if kinds.contains(&3) {
        let third = if kinds.contains(&4) { Subjects::one(3) } else { Subjects(1 << 3 | 1 << 4) };
        rules = rules
            .on(EventKind::Move, "strike")
            .from(third)
            .require(REACHED)
            .require(TAKEN)
            .ensure(UNBOUND, "bound")
            .ensure(PLAIN, "variant")
            .then(COUNT)
            .on(EventKind::Move, "slide")
            .from(third)
            .require(REACHED)
            .require(FREE)
            .ensure(UNBOUND, "bound")
            .ensure(PLAIN, "variant")
            .then(COUNT);
    }
    if kinds.contains(&4) {
        rules = rules
            .on(EventKind::Move, "hop")
            .from(Subjects::one(4))
            .require(REACHED)
            .require(FREE)
            .ensure(PLAIN, "variant")
            .then(COUNT);
    }
    if kinds.contains(&5) {
        rules = rules
            .on(EventKind::Move, "go home")
            .from(Subjects::one(5))
            .require(HOME)
            .require(FREE)
            .ensure(PLAIN, "variant")
            .then(COUNT)
            .on(EventKind::Move, "step")
            .from(Subjects::one(5))
            .require(REACHED)
            .require(FREE)
            .ensure(UNBOUND, "bound")
            .ensure(PLAIN, "variant")
            .then(COUNT);
    }
    rules.compile().expect("the rules are consistent")
}

/// Random states, with pieces on different squares.
fn fields() -> impl Iterator<Item = Field> {
    let mut seed = 7u64;
    let mut random = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    (0..24).map(move |round| {
        let (sparse, split) = (random() & random() & random(), random());
        let third = random();
        let others = random() & random() & !sparse;
        let kings = others & split & third;
        let kings = if round % 2 == 0 { kings & kings.wrapping_neg() } else { kings };
        let pieces = [
            sparse & split,
            sparse & !split & third,
            sparse & !split & !third,
            others & !split & third,
            others & !split & !third,
            kings,
        ];
        Field { pieces, free: random(), bound: random() & random(), moves: 0 }
    })
}

#[test]
fn all_set_forms_agree_with_the_tree() {
    for kinds in [&[0][..], &[0, 1], &[2], &[3], &[5], &[3, 4, 5], &[0, 2, 3, 5]] {
        let plan = plan(kinds);
        let parity = Parity::new(&plan);
        for field in fields() {
            parity.generated(&field).unwrap_or_else(|error| panic!("{kinds:?}: {error}"));
        }
    }
}

#[test]
fn picking_by_index_follows_the_order_of_visiting() {
    let mut largest = 0;
    for kinds in [&[0][..], &[1], &[0, 1], &[2], &[3], &[5], &[3, 4, 5], &[0, 1, 2, 3, 5]] {
        let plan = plan(kinds);
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
                assert_eq!(picked, *expected, "{kinds:?}, event {number} of {field:?}");
            }
            largest = largest.max(legal.len());
        }
    }
    assert!(largest > 100, "the states are rich enough");
}

#[test]
fn steps_stay_on_the_board() {
    let plan = plan(&[0, 1]);
    let corners = 1 | 1 << 7 | 1 << 56 | 1 << 63;
    let field = Field { pieces: [corners, 0, 0, 0, 0, 0], free: u64::MAX, bound: 0, moves: 0 };
    Parity::new(&plan).generated(&field).expect("no step wraps around the board");
}
