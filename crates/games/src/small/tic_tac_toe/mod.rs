//! Tic-tac-toe: three in a row on nine squares.
#![doc = include_str!("README.md")]

use std::fmt;
use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Companions, Field, Game, GameInfo, ObservationSpec, Payoffs, Player, Rng,
    Symmetry, Turn, mix,
};

use super::{NoOptions, nth_bit, zero_sum};

const SQUARES: u16 = 9;
const FULL: u16 = (1 << SQUARES) - 1;
/// Rows, columns and diagonals, squares numbered a1 b1 c1 a2 … c3.
const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Lookup table with one bit for each of the 512 sets of squares: whether it contains a line.
static HOLDS_LINE: [u64; 8] = {
    let mut table = [0; 8];
    let mut squares = 0;
    while squares <= FULL {
        let mut line = 0;
        while line < LINES.len() {
            if squares & LINES[line] == LINES[line] {
                table[(squares / 64) as usize] |= 1 << (squares % 64);
            }
            line += 1;
        }
        squares += 1;
    }
    table
};

/// The squares of each set in ascending order: a random square is one lookup, without a loop.
static SQUARES_OF: [[u8; SQUARES as usize]; 512] = {
    let mut table = [[0; SQUARES as usize]; 512];
    let mut set = 0;
    while set < table.len() {
        let mut nth = 0;
        while nth < (set as u16).count_ones() as usize {
            table[set][nth] = nth_bit(set as u64, nth) as u8;
            nth += 1;
        }
        set += 1;
    }
    table
};

static OBSERVATION: ObservationSpec = ObservationSpec::new(
    1,
    &[Field::category("squares", 3).times(SQUARES as usize), Field::flag("to_move")],
);

/// A position of tic-tac-toe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TicTacToe {
    /// The squares of each player.
    stones: [u16; 2],
    mover: Player,
    status: Status,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    InProgress,
    /// The player who moved last has a line.
    Won,
    Drawn,
}

impl TicTacToe {
    /// The rotations and reflections of the square.
    fn symmetries(&self) -> Vec<Symmetry> {
        let image = |transposes: bool, flips: [bool; 2], square: usize| {
            let [mut row, mut column] = [square / 3, square % 3];
            if transposes {
                (row, column) = (column, row);
            }
            let flipped = |at: usize, flips: bool| if flips { 2 - at } else { at };
            3 * flipped(row, flips[0]) + flipped(column, flips[1])
        };
        let all = (1..8).map(|number| (number & 4 != 0, [number & 2 != 0, number & 1 != 0]));
        all.map(|(transposes, flips)| {
            let images: Vec<usize> =
                (0..9).map(|square| image(transposes, flips, square)).collect();
            let mut cells = vec![9; 10];
            images.iter().enumerate().for_each(|(square, &image)| cells[image] = square);
            Symmetry::new(cells, images.into_iter().map(|image| Action(image as u16)))
        })
        .collect()
    }

    fn empty(self) -> u16 {
        FULL & !(self.stones[0] | self.stones[1])
    }
}

impl Game for TicTacToe {
    type Config = NoOptions;

    const NAME: &'static str = "tic-tac-toe";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = SQUARES as usize;
    const CHANCE: bool = false;
    const IMPERFECT_INFORMATION: bool = false;
    const COMPANIONS: Companions<Self> =
        Companions { symmetries: Some(Self::symmetries), ..Companions::NONE };

    fn new(_: &NoOptions) -> Self {
        Self { stones: [0; 2], mover: Player(0), status: Status::InProgress }
    }

    fn info(&self) -> GameInfo {
        GameInfo { max_decisions: Some(9), ..GameInfo::of(self) }
    }

    fn players(&self) -> usize {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.status == Status::InProgress { Turn::Player(self.mover) } else { Turn::Over }
    }

    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        if self.status == Status::InProgress {
            let mut empty = self.empty();
            while empty != 0 {
                out.push(Action(empty.trailing_zeros() as u16));
                empty &= empty - 1;
            }
        }
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        let stones = &mut self.stones[self.mover.index()];
        *stones |= 1 << action.0;
        if HOLDS_LINE[usize::from(*stones / 64)] >> (*stones % 64) & 1 == 1 {
            self.status = Status::Won;
        } else if self.empty() == 0 {
            self.status = Status::Drawn;
        }
        self.mover = self.mover.after(1, 2);
    }

    fn payoffs(&self) -> Payoffs {
        match self.status {
            Status::Won => zero_sum(if self.mover == Player(1) { 1.0 } else { -1.0 }),
            Status::InProgress | Status::Drawn => zero_sum(0.0),
        }
    }

    fn observation(&self) -> &'static ObservationSpec {
        &OBSERVATION
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        let (mine, theirs) = (self.stones[player.index()], self.stones[1 - player.index()]);
        for (square, cell) in out[..9].iter_mut().enumerate() {
            *cell = i32::from(mine >> square & 1) + 2 * i32::from(theirs >> square & 1);
        }
        out[9] = i32::from(self.turn() == Turn::Player(player));
    }

    #[inline]
    fn key(&self) -> u64 {
        mix(u64::from(self.stones[0]) << 16 | u64::from(self.stones[1]))
    }

    fn action_name(&self, action: Action) -> String {
        format!("{}{}", char::from(b'a' + (action.0 % 3) as u8), 1 + action.0 / 3)
    }

    #[inline]
    fn sample_action(&self, rng: &mut Rng, _scratch: &mut ActionList) -> Action {
        let empty = self.empty();
        let nth = rng.below(empty.count_ones() as usize);
        Action(SQUARES_OF[usize::from(empty)][nth].into())
    }

    fn is_consistent(&self) -> bool {
        let [first, second] = self.stones.map(u16::count_ones);
        self.stones[0] & self.stones[1] == 0
            && first == second + u32::from(self.mover == Player(1))
            && self.stones.iter().all(|stones| stones & !FULL == 0)
    }
}

impl fmt::Display for TicTacToe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..3).rev() {
            write!(f, "{}", row + 1)?;
            for square in 3 * row..3 * row + 3 {
                let of = |seat: usize| self.stones[seat] >> square & 1 == 1;
                let stone = if of(0) {
                    'X'
                } else if of(1) {
                    'O'
                } else {
                    '.'
                };
                write!(f, " {stone}")?;
            }
            writeln!(f)?;
        }
        write!(f, "  a b c")
    }
}
