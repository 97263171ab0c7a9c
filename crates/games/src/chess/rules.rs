//! Chess as seven rules: what each asks of a move, and what it does.

use std::sync::LazyLock;

use meeple_plan::{
    Artifact, EventKind, Mutator, Plan, Predicate, RuleSet, Rules, SeenBy, Subjects, Targets,
    Values,
};

use super::attacks;
use super::position::{
    BISHOP, EMPTY, KING, KNIGHT, NO_SQUARE, PAWN, Position, QUEEN, ROOK, kind_of, man, side_of,
};
use super::state::State;

/// The vocabulary of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChessRules;

/// A move: from a square to a square, and what a pawn becomes (0 for nothing).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) promotion: u8,
}

/// What the set forms share: the sides' squares, checks and pins.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    us: usize,
    occupied: u64,
    own: u64,
    enemy: u64,
    king: usize,
    checkers: u64,
    /// Where a man other than the king must go while there is a check.
    answers: u64,
    pinned: u64,
}

const LAST_RANKS: u64 = 0xff00_0000_0000_00ff;

impl RuleSet for ChessRules {
    type State = State;
    type Event = Move;
    type Facts = Facts;

    #[inline]
    fn facts(state: &State) -> Facts {
        let position = &state.position;
        let us = position.mover();
        let (own, enemy) = (position.side(us), position.side(us ^ 1));
        let occupied = own | enemy;
        let king = position.king_square(us);
        let checkers = position.attackers(king, us ^ 1, occupied);
        let straight = position.kind(ROOK) | position.kind(QUEEN);
        let diagonal = position.kind(BISHOP) | position.kind(QUEEN);
        // Sliders that would see the king if our own men were not there.
        let mut snipers = enemy
            & (attacks::rook(king, enemy) & straight | attacks::bishop(king, enemy) & diagonal);
        let mut pinned = 0;
        while snipers != 0 {
            let sniper = snipers.trailing_zeros() as usize;
            snipers &= snipers - 1;
            let shields = attacks::between(king, sniper) & occupied;
            if shields != 0 && shields & (shields - 1) == 0 {
                pinned |= shields & own;
            }
        }
        let answers = match checkers {
            0 => u64::MAX,
            _ if checkers & (checkers - 1) != 0 => 0,
            _ => checkers | attacks::between(king, checkers.trailing_zeros() as usize),
        };
        Facts { us, occupied, own, enemy, king, checkers, answers, pinned }
    }

    #[inline]
    fn kind(_: &Move) -> EventKind {
        EventKind::Move
    }

    #[inline]
    fn subject(state: &State, event: &Move) -> Option<u8> {
        let man = state.position.at(event.from);
        (man != EMPTY && side_of(man) == state.position.mover()).then(|| kind_of(man))
    }

    #[inline]
    fn sources(state: &State, facts: &Facts, subject: u8) -> u64 {
        state.position.kind(subject) & facts.own
    }

    /// Out of check, a man that is not pinned moves as it likes: a pawn with a
    /// free square ahead, or a knight.
    #[inline]
    fn surely_has_event(state: &State, facts: &Facts) -> bool {
        if facts.checkers != 0 {
            return false;
        }
        let free = facts.own & !facts.pinned;
        let pawns = state.position.kind(PAWN) & free;
        let steps = if facts.us == 0 { pawns << 8 } else { pawns >> 8 };
        let knights = state.position.kind(KNIGHT) & free;
        steps & !facts.occupied != 0
            || knights != 0 && attacks::knight(knights.trailing_zeros() as usize) & !facts.own != 0
    }

    #[inline]
    fn event(_: EventKind, source: u8, target: u8, variant: u8) -> Move {
        Move { from: source, to: target, promotion: variant }
    }
}

type P = Predicate<ChessRules>;
type M = Mutator<ChessRules>;
type T = Targets<ChessRules>;

#[inline]
fn has(set: u64, square: u8) -> bool {
    set >> square & 1 == 1
}

/// Where a man other than a pawn reaches.
#[inline]
fn reach(position: &Position, from: usize, occupied: u64) -> u64 {
    match kind_of(position.at(from as u8)) {
        KNIGHT => attacks::knight(from),
        BISHOP => attacks::bishop(from, occupied),
        ROOK => attacks::rook(from, occupied),
        QUEEN => attacks::rook(from, occupied) | attacks::bishop(from, occupied),
        KING => attacks::king(from),
        _ => 0,
    }
}

const REACHES: P = Predicate {
    name: "reaches",
    holds: |state, event| {
        let position = &state.position;
        has(reach(position, event.from.into(), position.occupied()), event.to)
    },
    targets: T::OfSource(|state, facts, from| reach(&state.position, from.into(), facts.occupied)),
};

const TO_EMPTY: P = Predicate {
    name: "to-empty",
    holds: |state, event| !has(state.position.occupied(), event.to),
    targets: T::OfState(|_, facts| !facts.occupied),
};

const TO_ENEMY: P = Predicate {
    name: "to-enemy",
    holds: |state, event| has(state.position.side(state.position.mover() ^ 1), event.to),
    targets: T::OfState(|_, facts| facts.enemy),
};

const DIAGONAL_STEP: P = Predicate {
    name: "diagonal-step",
    holds: |state, event| has(attacks::pawn(state.position.mover(), event.from.into()), event.to),
    targets: T::OfSource(|_, facts, from| attacks::pawn(facts.us, from.into())),
};

/// One square ahead of a pawn; pawns never stand on the last rank.
#[inline]
fn ahead(us: usize, from: u8) -> u64 {
    if us == 0 { 1u64.wrapping_shl(u32::from(from) + 8) } else { (1u64 << from) >> 8 }
}

const STEP: P = Predicate {
    name: "step",
    holds: |state, event| has(ahead(state.position.mover(), event.from), event.to),
    targets: T::OfSource(|_, facts, from| ahead(facts.us, from)),
};

/// Two squares ahead of a pawn that has not moved, if the first is free.
#[inline]
fn two_ahead(us: usize, from: u8, occupied: u64) -> u64 {
    let first = ahead(us, from) & !occupied;
    match (us, from / 8) {
        (0, 1) => first << 8,
        (1, 6) => first >> 8,
        _ => 0,
    }
}

const DOUBLE_STEP: P = Predicate {
    name: "double-step",
    holds: |state, event| {
        let position = &state.position;
        has(two_ahead(position.mover(), event.from, position.occupied()), event.to)
    },
    targets: T::OfSource(|_, facts, from| two_ahead(facts.us, from, facts.occupied)),
};

const TO_EN_PASSANT: P = Predicate {
    name: "to-en-passant",
    holds: |state, event| event.to == state.position.en_passant(),
    targets: T::OfState(|state, _| match state.position.en_passant() {
        NO_SQUARE => 0,
        square => 1 << square,
    }),
};

/// Where the king of the mover may castle to, if rights and empty squares are
/// all that counts.
#[inline]
fn castles(position: &Position, occupied: u64) -> u64 {
    let us = position.mover();
    let (rights, home) = (position.rights() >> (2 * us) & 3, 56 * us);
    let mut targets = 0;
    if rights & 1 != 0 && occupied >> (home + 5) & 0b11 == 0 {
        targets |= 1 << (home + 6);
    }
    if rights & 2 != 0 && occupied >> (home + 1) & 0b111 == 0 {
        targets |= 1 << (home + 2);
    }
    targets
}

const CASTLES: P = Predicate {
    name: "castles",
    holds: |state, event| {
        let position = &state.position;
        usize::from(event.from) == position.king_square(position.mover())
            && has(castles(position, position.occupied()), event.to)
    },
    targets: T::OfState(|state, facts| castles(&state.position, facts.occupied)),
};

/// Whether the king's way to a castling target is free of attacks.
#[inline]
fn castles_safely(position: &Position, us: usize, occupied: u64, to: usize) -> bool {
    let home = 56 * us + 4;
    let (first, last) = (home.min(to), home.max(to));
    (first..=last).all(|square| position.attackers(square, us ^ 1, occupied) == 0)
}

const CASTLES_SAFELY: P = Predicate {
    name: "castles-safely",
    holds: |state, event| {
        let position = &state.position;
        castles_safely(position, position.mover(), position.occupied(), event.to.into())
    },
    targets: T::OfState(|state, facts| {
        let position = &state.position;
        let mut wanted = if facts.checkers == 0 { castles(position, facts.occupied) } else { 0 };
        let mut safe = 0;
        while wanted != 0 {
            let to = wanted.trailing_zeros() as usize;
            wanted &= wanted - 1;
            if castles_safely(position, facts.us, facts.occupied, to) {
                safe |= 1 << to;
            }
        }
        safe
    }),
};

const PROMOTES_RIGHTLY: P = Predicate {
    name: "promotes-rightly",
    holds: |_, event| match event.promotion {
        0 => !has(LAST_RANKS, event.to),
        kind => has(LAST_RANKS, event.to) && (KNIGHT..=QUEEN).contains(&kind),
    },
    targets: T::All,
};

const PROMOTES_NOT: P =
    Predicate { name: "promotes-not", holds: |_, event| event.promotion == 0, targets: T::All };

/// Whether the mover's king is safe after the move: the attackers of its square
/// once the men have left and reached theirs.
fn king_is_safe_after(state: &State, event: &Move) -> bool {
    let position = &state.position;
    let us = position.mover();
    let (from, to) = (1u64 << event.from, 1u64 << event.to);
    let mut taken = to;
    if event.to == position.en_passant() && has(position.kind(PAWN), event.from) {
        taken |= 1 << (event.to ^ 8);
    }
    let occupied = (position.occupied() & !from & !taken) | to;
    let king = position.king_square(us);
    let king = if usize::from(event.from) == king { usize::from(event.to) } else { king };
    position.attackers(king, us ^ 1, occupied) & !taken == 0
}

/// The targets after which the mover's king is safe: away from attacks for the
/// king itself; along the pin and in answer to a check for the others.
#[inline]
fn safe_targets(state: &State, facts: &Facts, from: u8) -> u64 {
    let position = &state.position;
    let square = usize::from(from);
    if square == facts.king {
        let without_king = facts.occupied & !(1 << square);
        let mut targets = attacks::king(square) & !facts.own;
        let mut safe = 0;
        while targets != 0 {
            let to = targets.trailing_zeros() as usize;
            targets &= targets - 1;
            if position.attackers(to, facts.us ^ 1, without_king) == 0 {
                safe |= 1 << to;
            }
        }
        return safe;
    }
    let mut safe = facts.answers;
    if has(facts.pinned, from) {
        safe &= attacks::line(facts.king, square);
    }
    let target = position.en_passant();
    if target != NO_SQUARE
        && has(position.kind(PAWN), from)
        && has(attacks::pawn(facts.us, square), target)
    {
        // Two pawns leave their squares at once: look again.
        let is_safe = king_is_safe_after(state, &Move { from, to: target, promotion: 0 });
        safe = safe & !(1 << target) | u64::from(is_safe) << target;
    }
    safe
}

const KING_SAFE: P =
    Predicate { name: "king-safe", holds: king_is_safe_after, targets: T::OfSource(safe_targets) };

/// Rights that survive a move from or to a square.
const SURVIVING_RIGHTS: [u8; 64] = {
    let mut rights = [0b1111; 64];
    rights[0] = 0b1101;
    rights[4] = 0b1100;
    rights[7] = 0b1110;
    rights[56] = 0b0111;
    rights[60] = 0b0011;
    rights[63] = 0b1011;
    rights
};

const MOVE_MAN: M = Mutator {
    name: "move",
    change: |state, event| {
        let position = &mut state.position;
        let man = position.at(event.from);
        position.lift(event.from);
        position.lift(event.to);
        position.put(event.to, man);
    },
};

const TAKE_PASSING: M = Mutator {
    name: "take the pawn that passed",
    change: |state, event| state.position.lift(event.to ^ 8),
};

const MOVE_ROOK: M = Mutator {
    name: "move the rook",
    change: |state, event| {
        let position = &mut state.position;
        let (from, to) = if event.to % 8 == 6 {
            (event.to + 1, event.to - 1)
        } else {
            (event.to - 2, event.to + 1)
        };
        let rook = position.at(from);
        position.lift(from);
        position.put(to, rook);
    },
};

const PROMOTE: M = Mutator {
    name: "promote",
    change: |state, event| {
        if event.promotion != 0 {
            let position = &mut state.position;
            position.lift(event.to);
            position.put(event.to, man(event.promotion, position.mover()));
        }
    },
};

const LOSE_RIGHTS: M = Mutator {
    name: "lose rights",
    change: |state, event| {
        let position = &mut state.position;
        let from = SURVIVING_RIGHTS[usize::from(event.from)];
        let to = SURVIVING_RIGHTS[usize::from(event.to)];
        let rights = position.rights() & from & to;
        if rights != position.rights() {
            position.set_rights(rights);
        }
    },
};

const CLOSE_PASSING: M = Mutator {
    name: "close en passant",
    change: |state, _| {
        if state.position.en_passant() != NO_SQUARE {
            state.position.set_en_passant(NO_SQUARE);
        }
    },
};

const OPEN_PASSING: M = Mutator {
    name: "open en passant",
    change: |state, event| {
        let passed = event.from.midpoint(event.to);
        let takes = state.position.can_take_passing(passed);
        state.position.set_en_passant(if takes { passed } else { NO_SQUARE });
    },
};

const REMEMBER: M = Mutator { name: "remember", change: |state, _| state.remember() };

const QUIET: M = Mutator { name: "count on", change: |state, _| state.end_turn(true) };
const LOUD: M = Mutator { name: "count anew", change: |state, _| state.end_turn(false) };

impl Position {
    /// Whether a pawn of the side that does not move could take on the square
    /// that has just been passed over, without leaving its king in check.
    pub(super) fn can_take_passing(&self, passed: u8) -> bool {
        let them = self.mover() ^ 1;
        let mut takers =
            attacks::pawn(self.mover(), passed.into()) & self.kind(PAWN) & self.side(them);
        while takers != 0 {
            let from = takers.trailing_zeros() as u8;
            takers &= takers - 1;
            let mut after = *self;
            after.lift(from);
            after.lift(passed ^ 8);
            after.put(passed, man(PAWN, them));
            if !after.is_check(them) {
                return true;
            }
        }
        false
    }
}

const PAWNS: Subjects = Subjects::one(PAWN);
const KINGS: Subjects = Subjects::one(KING);
const OTHERS: Subjects = Subjects(0b11_1110);
const CHECKED: &str = "it would leave the king in check";
const WRONG_PROMOTION: &str = "a pawn becomes a piece on the last rank, and only there";
const NO_PROMOTION: &str = "only a pawn can become something else";

const BOARD: Artifact<ChessRules> = Artifact {
    name: "board",
    cells: 64,
    // From each player's own side: their men first, their first rank first.
    read: |state, seat, square| match state.position.at(seen_from(seat, square as u8)) {
        EMPTY => 0,
        man => 1 + i32::from(kind_of(man)) + 6 * i32::from(side_of(man) != seat),
    },
    values: Values::OneOf(13),
    seen_by: SeenBy::All,
};

/// A square as a side sees it, counted from its own first rank; its own
/// inverse.
#[inline]
pub(super) fn seen_from(side: usize, square: u8) -> u8 {
    if side == 0 { square } else { square ^ 56 }
}

/// An artifact of one cell.
const fn cell(
    name: &'static str,
    values: Values,
    read: fn(&State, usize, usize) -> i32,
) -> Artifact<ChessRules> {
    Artifact { name, cells: 1, read, values, seen_by: SeenBy::All }
}

/// The rights as a side sees them: its own two, then the other's.
fn rights_seen(state: &State, seat: usize, right: usize) -> i32 {
    let right = (right + 2 * seat) % 4;
    i32::from(state.position.rights() >> right & 1)
}

static PLAN: LazyLock<Plan<ChessRules>> = LazyLock::new(|| {
    describe().compile().expect("the rules of chess do not contradict themselves")
});

/// Chess, compiled once.
pub fn plan() -> &'static Plan<ChessRules> {
    &PLAN
}

fn describe() -> Rules<ChessRules> {
    let mover_loses = |state: &State, payoffs: &mut [f32]| {
        payoffs[state.position.mover()] = -1.0;
        payoffs[state.position.mover() ^ 1] = 1.0;
    };
    let draw = |_: &State, payoffs: &mut [f32]| payoffs.fill(0.0);
    Rules::new("chess")
        .artifact(BOARD)
        .artifact(cell("to_move", Values::Flag, |state, seat, _| {
            i32::from(state.position.mover() == seat)
        }))
        .artifact(Artifact {
            name: "castling",
            cells: 4,
            read: rights_seen,
            values: Values::Flag,
            seen_by: SeenBy::All,
        })
        .artifact(cell("en_passant_file", Values::OneOf(9), |state, _, _| {
            match state.position.en_passant() {
                NO_SQUARE => 0,
                square => 1 + i32::from(square % 8),
            }
        }))
        .artifact(cell("clock", Values::UpTo(100), |state, _, _| i32::from(state.position.clock)))
        .artifact(cell("repetitions", Values::UpTo(2), |state, _, _| {
            i32::from(state.repetitions())
        }))
        .expects(EventKind::Move)
        .phase("play")
        .on(EventKind::Move, "castle")
        .from(KINGS)
        .require(CASTLES)
        .ensure(CASTLES_SAFELY, "the king may not castle out of, through or into check")
        .ensure(PROMOTES_NOT, NO_PROMOTION)
        .then(REMEMBER)
        .then(MOVE_MAN)
        .then(MOVE_ROOK)
        .then(LOSE_RIGHTS)
        .then(CLOSE_PASSING)
        .then(QUIET)
        .on(EventKind::Move, "capture")
        .from(OTHERS)
        .require(REACHES)
        .require(TO_ENEMY)
        .ensure(KING_SAFE, CHECKED)
        .ensure(PROMOTES_NOT, NO_PROMOTION)
        .then(MOVE_MAN)
        .then(LOSE_RIGHTS)
        .then(CLOSE_PASSING)
        .then(LOUD)
        .on(EventKind::Move, "move")
        .from(OTHERS)
        .require(REACHES)
        .require(TO_EMPTY)
        .ensure(KING_SAFE, CHECKED)
        .ensure(PROMOTES_NOT, NO_PROMOTION)
        .then(REMEMBER)
        .then(MOVE_MAN)
        .then(LOSE_RIGHTS)
        .then(CLOSE_PASSING)
        .then(QUIET)
        .on(EventKind::Move, "pawn capture")
        .from(PAWNS)
        .require(DIAGONAL_STEP)
        .require(TO_ENEMY)
        .ensure(KING_SAFE, CHECKED)
        .ensure(PROMOTES_RIGHTLY, WRONG_PROMOTION)
        .variants(LAST_RANKS, KNIGHT, QUEEN)
        .then(MOVE_MAN)
        .then(PROMOTE)
        .then(LOSE_RIGHTS)
        .then(CLOSE_PASSING)
        .then(LOUD)
        .on(EventKind::Move, "en passant")
        .from(PAWNS)
        .require(DIAGONAL_STEP)
        .require(TO_EN_PASSANT)
        .ensure(KING_SAFE, CHECKED)
        .ensure(PROMOTES_NOT, NO_PROMOTION)
        .then(MOVE_MAN)
        .then(TAKE_PASSING)
        .then(CLOSE_PASSING)
        .then(LOUD)
        .on(EventKind::Move, "pawn double step")
        .from(PAWNS)
        .require(DOUBLE_STEP)
        .require(TO_EMPTY)
        .ensure(KING_SAFE, CHECKED)
        .ensure(PROMOTES_NOT, NO_PROMOTION)
        .then(MOVE_MAN)
        .then(OPEN_PASSING)
        .then(LOUD)
        .on(EventKind::Move, "pawn step")
        .from(PAWNS)
        .require(STEP)
        .require(TO_EMPTY)
        .ensure(KING_SAFE, CHECKED)
        .ensure(PROMOTES_RIGHTLY, WRONG_PROMOTION)
        .variants(LAST_RANKS, KNIGHT, QUEEN)
        .then(MOVE_MAN)
        .then(PROMOTE)
        .then(CLOSE_PASSING)
        .then(LOUD)
        .end(
            "fifty moves",
            |state, facts| state.position.clock >= 100 && !is_mate(state, facts),
            draw,
        )
        .end("threefold repetition", |state, _| state.repetitions() >= 2, draw)
        .end("insufficient material", |state, _| state.position.is_dead(), draw)
        .end_without_events("checkmate", |_, facts| facts.checkers != 0, mover_loses)
        .end_without_events("stalemate", |_, facts| facts.checkers == 0, draw)
}

/// Whether the mover is in check and has no legal move.
pub(super) fn is_mate(state: &State, facts: &Facts) -> bool {
    facts.checkers != 0 && !plan().has_legal(state, facts)
}
