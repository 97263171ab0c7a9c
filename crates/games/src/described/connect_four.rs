//! Connect four, described by one rule.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use meeple_game::{Action, ObservationSpec, Player, mix};
use meeple_plan::{EventKind, Mutator, Plan, Predicate, RuleSet, Rules, Targets, changes};

use super::{Described, DescribedGame, Engine, observation_of, squares, to_move};
use crate::small::NoOptions;

/// The rules of connect four.
#[derive(Clone, Copy, Debug)]
pub struct ConnectFourRules;

/// The rule-described game of connect four.
pub type DescribedConnectFour = DescribedGame<ConnectFourRules>;

/// The board, with columns of seven bits: six squares and an empty sentinel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Board {
    discs: [u64; 2],
    mover: u8,
}

/// A disc dropped into a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drop(u8);

const BOTTOM: u64 = 0x0000_0408_1020_4081;
const COLUMN: u64 = 0b11_1111;

impl Board {
    fn all(&self) -> u64 {
        self.discs[0] | self.discs[1]
    }

    /// The columns that are not full, one bit each.
    fn open_columns(&self) -> u64 {
        // One bit per column whose top square is empty.
        let tops = !self.all() >> 5 & BOTTOM;
        // The bits are seven apart. One multiplication gathers them into adjacent bits; no
        // two partial products share a bit, so nothing carries.
        const GATHER: u64 = 0x0000_0010_4104_1041;
        tops.wrapping_mul(GATHER) >> 36 & 0x7f
    }

    /// Whether the player who moved last has four in a row.
    fn has_four(&self) -> bool {
        let discs = self.discs[usize::from(self.mover ^ 1)];
        [1, 6, 7, 8].into_iter().fold(false, |found, step| {
            let pairs = discs & discs >> step;
            found | (pairs & pairs >> (2 * step) != 0)
        })
    }
}

impl RuleSet for ConnectFourRules {
    type State = Board;
    type Event = Drop;
    type Facts = ();

    fn facts(_: &Board) {}

    fn kind(_: &Drop) -> EventKind {
        EventKind::Move
    }

    fn subject(_: &Board, _: &Drop) -> Option<u8> {
        None
    }

    fn sources(_: &Board, (): &(), _: u8) -> u64 {
        1
    }

    fn event(_: EventKind, _source: u8, target: u8, _variant: u8) -> Drop {
        Drop(target)
    }
}

type T = Targets<ConnectFourRules>;
type M = Mutator<ConnectFourRules>;

const LET_FALL: M = Mutator {
    name: "let fall",
    change: |board, drop| {
        let column = COLUMN << (7 * drop.0);
        let landing = (board.all() + BOTTOM) & column;
        board.discs[usize::from(board.mover)] |= landing;
    },
};
const PASS: M = Mutator { name: "pass the turn", change: |board, _| board.mover ^= 1 };

static PLAN: LazyLock<Plan<ConnectFourRules>> = LazyLock::new(|| {
    let open = Predicate {
        name: "open column",
        holds: |board: &Board, drop: &Drop| board.open_columns() >> drop.0 & 1 == 1,
        targets: T::OfState(|board, ()| board.open_columns()),
    };
    Rules::new("connect-four")
        .artifact(squares(42, |board: &Board, seat, cell| {
            let square = cell % 7 * 7 + cell / 7;
            let has = |side: usize| (board.discs[side] >> square & 1) as i32;
            has(seat) + 2 * has(seat ^ 1)
        }))
        .artifact(to_move(|board: &Board, seat, _| i32::from(usize::from(board.mover) == seat)))
        .expects(EventKind::Move)
        .phase("play")
        .on(EventKind::Move, "drop")
        .ensure(open, "the column is full")
        .then_all(changes![LET_FALL, PASS])
        .end(
            "four in a row",
            |board, ()| board.has_four(),
            |board, payoffs| {
                payoffs[usize::from(board.mover)] = -1.0;
                payoffs[usize::from(board.mover ^ 1)] = 1.0;
            },
        )
        .end(
            "full board",
            |board, ()| board.all() == BOTTOM * COLUMN,
            |_, payoffs| payoffs.fill(0.0),
        )
        .compile()
        .expect("the rules do not contradict themselves")
});

static OBSERVATION: LazyLock<ObservationSpec> = LazyLock::new(|| observation_of(&PLAN, 1));

impl Described for ConnectFourRules {
    type Config = NoOptions;

    const NAME: &'static str = "connect-four-rules";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = 7;
    const CHANCE: bool = false;

    fn plan() -> &'static Plan<Self> {
        &PLAN
    }

    fn engine() -> &'static Engine<Self> {
        static ENGINE: Engine<ConnectFourRules> = Engine::NEW;
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

    fn action_of(_: &Board, drop: &Drop) -> Action {
        Action(drop.0.into())
    }

    fn event_of(_: &Board, action: Action) -> Drop {
        Drop(action.0 as u8)
    }

    fn name_of(_: &Board, drop: &Drop) -> String {
        char::from(b'a' + drop.0).to_string()
    }

    fn key(board: &Board) -> u64 {
        mix(board.discs[0] ^ mix(board.discs[1]))
    }

    fn draw(board: &Board, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..6).rev() {
            for column in 0..7 {
                let has = |side: usize| board.discs[side] >> (7 * column + row) & 1 == 1;
                let disc = if has(0) {
                    'X'
                } else if has(1) {
                    'O'
                } else {
                    '.'
                };
                write!(f, "{disc}{}", if column == 6 { "\n" } else { " " })?;
            }
        }
        write!(f, "a b c d e f g")
    }

    fn is_consistent(board: &Board) -> bool {
        let [first, second] = board.discs.map(u64::count_ones);
        board.discs[0] & board.discs[1] == 0 && first == second + u32::from(board.mover)
    }
}
