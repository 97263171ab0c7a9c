//! Tic-tac-toe, described by one rule.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use meeple_game::{Action, ObservationSpec, Player, mix};
use meeple_plan::{EventKind, Mutator, Plan, Predicate, RuleSet, Rules, Targets, changes};

use super::{Described, DescribedGame, Engine, observation_of, squares, to_move};
use crate::small::NoOptions;

/// The rules of tic-tac-toe.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToeRules;

/// The rule-described game of tic-tac-toe.
pub type DescribedTicTacToe = DescribedGame<TicTacToeRules>;

/// The board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Board {
    marks: [u16; 2],
    mover: u8,
}

/// A mark on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(u8);

const FULL: u16 = 0o777;
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Lookup table with one bit for each set of squares: whether it contains a line.
static HAS_LINE: [u64; 8] = {
    let mut has_line = [0; 8];
    let mut marks = 0;
    while marks <= FULL {
        let mut at = 0;
        while at < LINES.len() {
            if marks & LINES[at] == LINES[at] {
                has_line[marks as usize / 64] |= 1 << (marks % 64);
            }
            at += 1;
        }
        marks += 1;
    }
    has_line
};

impl Board {
    fn empty(&self) -> u64 {
        u64::from(FULL & !(self.marks[0] | self.marks[1]))
    }

    /// Whether the player who moved last has a line.
    fn has_line(&self) -> bool {
        let marks = self.marks[usize::from(self.mover ^ 1)];
        HAS_LINE[usize::from(marks / 64) % 8] >> (marks % 64) & 1 == 1
    }
}

impl RuleSet for TicTacToeRules {
    type State = Board;
    type Event = Place;
    type Facts = ();

    fn facts(_: &Board) {}

    fn kind(_: &Place) -> EventKind {
        EventKind::Move
    }

    fn subject(_: &Board, _: &Place) -> Option<u8> {
        None
    }

    fn sources(_: &Board, (): &(), _: u8) -> u64 {
        1
    }

    fn event(_: EventKind, _source: u8, target: u8, _variant: u8) -> Place {
        Place(target)
    }
}

type T = Targets<TicTacToeRules>;
type M = Mutator<TicTacToeRules>;

const PUT: M = Mutator {
    name: "put",
    change: |board, place| board.marks[usize::from(board.mover)] |= 1 << place.0,
};
const PASS: M = Mutator { name: "pass the turn", change: |board, _| board.mover ^= 1 };

static PLAN: LazyLock<Plan<TicTacToeRules>> = LazyLock::new(|| {
    let empty = Predicate {
        name: "empty",
        holds: |board: &Board, place: &Place| {
            board.empty().checked_shr(place.0.into()).is_some_and(|squares| squares & 1 == 1)
        },
        targets: T::OfState(|board, ()| board.empty()),
    };
    Rules::new("tic-tac-toe")
        .artifact(squares(9, |board: &Board, seat, square| {
            let has = |side: usize| i32::from(board.marks[side] >> square & 1);
            has(seat) + 2 * has(seat ^ 1)
        }))
        .artifact(to_move(|board: &Board, seat, _| i32::from(usize::from(board.mover) == seat)))
        .expects(EventKind::Move)
        .phase("play")
        .on(EventKind::Move, "place")
        .ensure(empty, "the square is taken")
        .then_all(changes![PUT, PASS])
        .end(
            "line",
            |board, ()| board.has_line(),
            |board, payoffs| {
                payoffs[usize::from(board.mover)] = -1.0;
                payoffs[usize::from(board.mover ^ 1)] = 1.0;
            },
        )
        .end("full board", |board, ()| board.empty() == 0, |_, payoffs| payoffs.fill(0.0))
        .compile()
        .expect("the rules do not contradict themselves")
});

static OBSERVATION: LazyLock<ObservationSpec> = LazyLock::new(|| observation_of(&PLAN, 1));

impl Described for TicTacToeRules {
    type Config = NoOptions;

    const NAME: &'static str = "tic-tac-toe-rules";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = 9;
    const CHANCE: bool = false;

    fn plan() -> &'static Plan<Self> {
        &PLAN
    }

    fn engine() -> &'static Engine<Self> {
        static ENGINE: Engine<TicTacToeRules> = Engine::NEW;
        &ENGINE
    }

    fn observation() -> &'static ObservationSpec {
        &OBSERVATION
    }

    fn start(_: &NoOptions) -> Board {
        Board::default()
    }

    fn mover(board: &Board) -> Player {
        Player(board.mover)
    }

    fn action_of(_: &Board, place: &Place) -> Action {
        Action(place.0.into())
    }

    fn event_of(_: &Board, action: Action) -> Place {
        Place(action.0 as u8)
    }

    fn name_of(_: &Board, place: &Place) -> String {
        format!("{}{}", char::from(b'a' + place.0 % 3), 1 + place.0 / 3)
    }

    fn key(board: &Board) -> u64 {
        mix(u64::from(board.marks[0]) << 16 | u64::from(board.marks[1]))
    }

    fn draw(board: &Board, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in [6, 7, 8, 3, 4, 5, 0, 1, 2] {
            let has = |side: usize| board.marks[side] >> square & 1 == 1;
            let mark = if has(0) {
                'X'
            } else if has(1) {
                'O'
            } else {
                '.'
            };
            let end = if square % 3 == 2 && square != 2 { "\n" } else { " " };
            write!(f, "{mark}{}", if square == 2 { "" } else { end })?;
        }
        Ok(())
    }

    fn is_consistent(board: &Board) -> bool {
        let [first, second] = board.marks.map(u16::count_ones);
        board.marks[0] & board.marks[1] == 0 && first == second + u32::from(board.mover)
    }
}
