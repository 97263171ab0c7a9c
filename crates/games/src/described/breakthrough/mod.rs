//! Breakthrough, described by two rules: reach the last rank with one of sixteen pawns.
#![doc = include_str!("README.md")]

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use meeple_game::{Action, ObservationSpec, Player, Symmetry, mix};
use meeple_plan::{
    self as plan, EventKind, Mutator, Plan, Predicate, RuleSet, Rules, Subjects, Targets,
};

use super::{Described, DescribedGame, Engine, observation_of, squares, to_move};
use crate::small::NoOptions;

/// The rules of breakthrough.
#[derive(Clone, Copy, Debug)]
pub struct BreakthroughRules;

/// The game of breakthrough.
pub type Breakthrough = DescribedGame<BreakthroughRules>;

/// The board: a bitboard of pawns for each side, a1 to h8 by ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    pawns: [u64; 2],
    mover: u8,
}

/// A pawn move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    from: u8,
    to: u8,
}

const PAWN: u8 = 0;
/// The last rank of each side.
const GOALS: [u64; 2] = [0xff << 56, 0xff];
const NOT_A_FILE: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H_FILE: u64 = 0x7f7f_7f7f_7f7f_7f7f;

impl Board {
    fn us(&self) -> usize {
        usize::from(self.mover)
    }

    fn them(&self) -> usize {
        usize::from(self.mover ^ 1)
    }

    /// The square ahead of a pawn of the player to move.
    fn ahead(&self, from: u8) -> u64 {
        let pawn = 1u64 << from;
        if self.mover == 0 { pawn << 8 } else { pawn >> 8 }
    }

    /// The squares ahead to the left and right.
    fn diagonals(&self, from: u8) -> u64 {
        let ahead = self.ahead(from);
        (ahead & NOT_A_FILE) >> 1 | (ahead & NOT_H_FILE) << 1
    }
}

impl RuleSet for BreakthroughRules {
    type State = Board;
    type Event = Step;
    type Facts = ();

    fn facts(_: &Board) {}

    fn kind(_: &Step) -> EventKind {
        EventKind::Move
    }

    fn subject(board: &Board, step: &Step) -> Option<u8> {
        (board.pawns[board.us()] >> step.from & 1 == 1).then_some(PAWN)
    }

    fn sources(board: &Board, (): &(), _: u8) -> u64 {
        board.pawns[board.us()]
    }

    fn event(_: EventKind, source: u8, target: u8, _variant: u8) -> Step {
        Step { from: source, to: target }
    }
}

type P = Predicate<BreakthroughRules>;
type T = Targets<BreakthroughRules>;

/// The steps of each side.
static AHEAD_STEPS: [[plan::Step; 2]; 2] = [
    [plan::Step::new(8, u64::MAX), plan::Step::NONE],
    [plan::Step::new(-8, u64::MAX), plan::Step::NONE],
];
static DIAGONAL_STEPS: [[plan::Step; 2]; 2] = [
    [plan::Step::new(7, NOT_A_FILE), plan::Step::new(9, NOT_H_FILE)],
    [plan::Step::new(-9, NOT_A_FILE), plan::Step::new(-7, NOT_H_FILE)],
];

const AHEAD: P = Predicate {
    name: "ahead",
    holds: |board, step| board.ahead(step.from) >> step.to & 1 == 1,
    targets: T::Steps(|board, ()| AHEAD_STEPS[board.us()]),
};
const DIAGONAL: P = Predicate {
    name: "diagonal",
    holds: |board, step| board.diagonals(step.from) >> step.to & 1 == 1,
    targets: T::Steps(|board, ()| DIAGONAL_STEPS[board.us()]),
};
const TO_EMPTY: P = Predicate {
    name: "to-empty",
    holds: |board, step| (board.pawns[0] | board.pawns[1]) >> step.to & 1 == 0,
    targets: T::OfState(|board, ()| !(board.pawns[0] | board.pawns[1])),
};
const NOT_TO_OWN: P = Predicate {
    name: "not-to-own",
    holds: |board, step| board.pawns[board.us()] >> step.to & 1 == 0,
    targets: T::OfState(|board, ()| !board.pawns[board.us()]),
};

static PLAN: LazyLock<Plan<BreakthroughRules>> = LazyLock::new(|| {
    let advance = Mutator {
        name: "move",
        change: |board: &mut Board, step: &Step| {
            let (us, them) = (board.us(), board.them());
            board.pawns[us] ^= 1 << step.from | 1 << step.to;
            board.pawns[them] &= !(1 << step.to);
            board.mover ^= 1;
        },
    };
    Rules::new("breakthrough")
        .artifact(squares(64, |board: &Board, seat, cell| {
            let square = if seat == 0 { cell } else { cell ^ 56 };
            let has = |side: usize| (board.pawns[side] >> square & 1) as i32;
            has(seat) + 2 * has(seat ^ 1)
        }))
        .artifact(to_move(|board: &Board, seat, _| i32::from(board.us() == seat)))
        .expects(EventKind::Move)
        .phase("play")
        .on(EventKind::Move, "step ahead")
        .from(Subjects::one(PAWN))
        .require(AHEAD)
        .ensure(TO_EMPTY, "the square ahead is occupied")
        .then(advance)
        .on(EventKind::Move, "diagonal step or capture")
        .from(Subjects::one(PAWN))
        .require(DIAGONAL)
        .ensure(NOT_TO_OWN, "the square is occupied by an own pawn")
        .then(advance)
        .end(
            "breakthrough",
            |board, ()| {
                // The player who moved last reached the goal or captured the last pawn.
                board.pawns[board.them()] & GOALS[board.them()] != 0 || board.pawns[board.us()] == 0
            },
            |board, payoffs| {
                payoffs[board.us()] = -1.0;
                payoffs[board.them()] = 1.0;
            },
        )
        .compile()
        .expect("the rules do not contradict themselves")
});

static OBSERVATION: LazyLock<ObservationSpec> = LazyLock::new(|| observation_of(&PLAN, 1));

/// The reflection of the files.
fn symmetries() -> Vec<Symmetry> {
    let mirrored = |square: usize| square ^ 7;
    let actions = (0..BreakthroughRules::ACTIONS)
        .map(|action| Action((mirrored(action / 3) * 3 + 2 - action % 3) as u16));
    vec![Symmetry::new((0..64).map(mirrored).chain([64]), actions)]
}

impl Described for BreakthroughRules {
    type Config = NoOptions;

    const NAME: &'static str = "breakthrough";
    const SEATS: RangeInclusive<usize> = 2..=2;
    /// From-square relative to the mover, times left, ahead or right.
    const ACTIONS: usize = 64 * 3;
    const CHANCE: bool = false;
    const SYMMETRIES: Option<fn() -> Vec<Symmetry>> = Some(symmetries);
    /// Each of 32 pieces moves up to six ranks before one arrives, by one move more.
    const MAX_DECISIONS: Option<usize> = Some(32 * 6 + 1);

    fn plan() -> &'static Plan<Self> {
        &PLAN
    }

    fn engine() -> &'static Engine<Self> {
        static ENGINE: Engine<BreakthroughRules> = Engine::NEW;
        &ENGINE
    }

    fn observation() -> &'static ObservationSpec {
        &OBSERVATION
    }

    fn start(_: &NoOptions) -> Board {
        Board { pawns: [0xffff, 0xffff << 48], mover: 0 }
    }

    fn mover(board: &Board) -> Player {
        Player(board.mover)
    }

    fn action_of(board: &Board, step: &Step) -> Action {
        let from = if board.mover == 0 { step.from } else { step.from ^ 56 };
        let direction = 1 + step.to % 8 - step.from % 8;
        Action(u16::from(from) * 3 + u16::from(direction))
    }

    fn event_of(board: &Board, action: Action) -> Step {
        let relative = (action.0 / 3) as u8;
        let file = (relative % 8 + (action.0 % 3) as u8).saturating_sub(1) % 8;
        let to = (relative / 8 + 1) % 8 * 8 + file;
        if board.mover == 0 {
            Step { from: relative, to }
        } else {
            Step { from: relative ^ 56, to: to ^ 56 }
        }
    }

    fn name_of(board: &Board, step: &Step) -> String {
        let name = |square: u8| format!("{}{}", char::from(b'a' + square % 8), 1 + square / 8);
        let captures = board.pawns[board.them()] >> step.to & 1 == 1;
        format!("{}{}{}", name(step.from), if captures { "x" } else { "-" }, name(step.to))
    }

    fn key(board: &Board) -> u64 {
        mix(board.pawns[0] ^ mix(board.pawns[1] ^ u64::from(board.mover)))
    }

    fn draw(board: &Board, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::draw_for(board, Player(0), f)
    }

    /// Draws the board from the side of `player`.
    fn draw_for(board: &Board, player: Player, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flip = |at: u8| if player == Player(0) { at } else { 7 - at };
        for rank in (0..8).rev().map(flip) {
            write!(f, "{}", rank + 1)?;
            for file in (0..8).map(flip) {
                let has = |side: usize| board.pawns[side] >> (8 * rank + file) & 1 == 1;
                write!(
                    f,
                    " {}",
                    if has(0) {
                        'X'
                    } else if has(1) {
                        'O'
                    } else {
                        '.'
                    }
                )?;
            }
            writeln!(f)?;
        }
        write!(f, " ")?;
        (0..8).map(flip).try_for_each(|file| write!(f, " {}", char::from(b'a' + file)))
    }

    fn is_consistent(board: &Board) -> bool {
        board.pawns[0] & board.pawns[1] == 0
            && board.pawns.iter().all(|pawns| pawns.count_ones() <= 16)
    }
}
