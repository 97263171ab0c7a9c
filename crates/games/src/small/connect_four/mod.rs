//! Connect four on bitboards: four in a row where discs drop into seven columns.
//!
//! The board layout and the key `all + BOTTOM + mine` follow John Tromp's Fhourstones.
#![doc = include_str!("README.md")]

mod solver_hints;

use std::fmt;
use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Companions, Field, Game, GameInfo, ObservationSpec, Payoffs, Player, Rng,
    Symmetry, Turn, mix,
};

use super::{NoOptions, zero_sum};

const COLUMNS: usize = 7;
const ROWS: usize = 6;
/// Bits from one column to the next. The extra sentinel row stays empty, so that shifts
/// that test for lines never wrap from one column into the next.
const STRIDE: usize = ROWS + 1;
const CELLS: usize = COLUMNS * ROWS;

/// The lowest square of each column.
const BOTTOM: u64 = {
    let (mut bits, mut column) = (0, 0);
    while column < COLUMNS {
        bits |= 1 << (column * STRIDE);
        column += 1;
    }
    bits
};
/// All the squares.
const FULL: u64 = BOTTOM * ((1 << ROWS) - 1);
/// The squares of one column, the leftmost.
const COLUMN: u64 = (1 << ROWS) - 1;
/// The highest square of each column.
const TOP: u64 = BOTTOM << (ROWS - 1);
/// Gathers one bit per column, `STRIDE` apart, into adjacent bits at [`GATHERED`] by one
/// multiplication. No two partial products share a bit, so nothing carries.
const GATHER: u64 = {
    let (mut factor, mut column) = (0, 0);
    while column < COLUMNS {
        factor |= 1 << (GATHERED - column * (STRIDE - 1));
        column += 1;
    }
    factor
};
const GATHERED: usize = 48;
/// The open columns from the left, indexed by the set of full columns.
static OPEN: [[u8; 8]; 1 << COLUMNS] = {
    let mut table = [[0; 8]; 1 << COLUMNS];
    let mut full = 0;
    while full < table.len() {
        let (mut column, mut count) = (0, 0);
        while column < COLUMNS {
            if full >> column & 1 == 0 {
                table[full][count] = column as u8;
                count += 1;
            }
            column += 1;
        }
        full += 1;
    }
    table
};
/// The directions of a line: up, right, and the two diagonals.
const DIRECTIONS: [usize; 4] = [1, STRIDE, STRIDE - 1, STRIDE + 1];

static OBSERVATION: ObservationSpec =
    ObservationSpec::new(1, &[Field::category("squares", 3).times(CELLS), Field::flag("to_move")]);

/// A position of connect four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectFour {
    /// The squares of the player to move.
    mine: u64,
    /// The squares of both.
    all: u64,
    /// Whether the player who moved last has four in a row.
    won: bool,
}

impl ConnectFour {
    /// The reflection of the columns.
    fn symmetries(&self) -> Vec<Symmetry> {
        let mirrored = |cell: usize| cell / COLUMNS * COLUMNS + (COLUMNS - 1 - cell % COLUMNS);
        let cells = (0..CELLS).map(mirrored).chain([CELLS]);
        vec![Symmetry::new(cells, (0..COLUMNS as u16).rev().map(Action))]
    }

    /// The square where the next disc lands, for each column that is not full.
    #[inline]
    const fn landing(self) -> u64 {
        (self.all + BOTTOM) & FULL
    }

    #[inline]
    fn is_over(self) -> bool {
        self.won || self.all == FULL
    }

    /// Draws an open column uniformly.
    ///
    /// While no column is full, the draw does not depend on the position: the processor
    /// can start it before the previous move is finished.
    #[inline(always)]
    fn draw(self, rng: &mut Rng) -> usize {
        let full = self.all & TOP;
        if full == 0 {
            return rng.below(COLUMNS);
        }
        let set = (full >> (ROWS - 1)).wrapping_mul(GATHER) >> GATHERED & ((1 << COLUMNS) - 1);
        let open = COLUMNS - set.count_ones() as usize;
        usize::from(OPEN[set as usize][rng.below(open)])
    }

    /// The player to move, from the parity of the number of discs.
    #[inline]
    const fn mover(self) -> Player {
        Player((self.all.count_ones() % 2) as u8)
    }

    fn discs_of(self, player: Player) -> u64 {
        if player == self.mover() { self.mine } else { self.all ^ self.mine }
    }
}

/// Whether `discs` contains four in a row.
#[inline]
fn has_four(discs: u64) -> bool {
    let mut fours = 0;
    for step in DIRECTIONS {
        let pairs = discs & (discs >> step);
        fours |= pairs & (pairs >> (2 * step));
    }
    fours != 0
}

/// The squares of `open` that would complete four in a row of `discs`.
#[inline]
fn completions(discs: u64, open: u64) -> u64 {
    // Upwards, only the square above three discs can be open.
    let mut squares = (discs << 1) & (discs << 2) & (discs << 3);
    for step in [STRIDE - 1, STRIDE, STRIDE + 1] {
        let before = (discs << step) & (discs << (2 * step));
        let behind = (discs >> step) & (discs >> (2 * step));
        squares |= before & ((discs << (3 * step)) | (discs >> step));
        squares |= behind & ((discs >> (3 * step)) | (discs << step));
    }
    squares & open
}

impl ConnectFour {
    /// Weighs empty squares that complete four in a row, and discs in the middle column.
    fn evaluate(&self) -> Payoffs {
        if self.is_over() {
            return self.payoffs();
        }
        let open = FULL & !self.all;
        let worth = |discs: u64| {
            let middle = discs & (COLUMN << (COLUMNS / 2 * STRIDE));
            0.2 * completions(discs, open).count_ones() as f32 + 0.03 * middle.count_ones() as f32
        };
        let ahead = worth(self.discs_of(Player(0))) - worth(self.discs_of(Player(1)));
        zero_sum(ahead.clamp(-0.95, 0.95))
    }

    /// Prefers columns near the middle, through which more lines pass.
    fn priorities(&self, actions: &[Action], weights: &mut [f32]) {
        for (action, weight) in actions.iter().zip(weights) {
            *weight = 4.0 - action.index().abs_diff(COLUMNS / 2) as f32;
        }
    }
}

impl Game for ConnectFour {
    type Config = NoOptions;

    const NAME: &'static str = "connect-four";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = COLUMNS;
    const CHANCE: bool = false;
    const IMPERFECT_INFORMATION: bool = false;
    const COMPANIONS: Companions<Self> = Companions {
        evaluation: Some(Self::evaluate),
        priorities: Some(Self::priorities),
        symmetries: Some(Self::symmetries),
        solver: Some(Self::SOLVER_HINTS),
        ..Companions::NONE
    };

    fn new(_: &NoOptions) -> Self {
        Self { mine: 0, all: 0, won: false }
    }

    fn info(&self) -> GameInfo {
        GameInfo { max_decisions: Some(42), ..GameInfo::of(self) }
    }

    fn players(&self) -> usize {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.is_over() { Turn::Over } else { Turn::Player(self.mover()) }
    }

    #[inline]
    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        if self.won {
            return;
        }
        let mut landing = self.landing();
        while landing != 0 {
            out.push(Action((landing.trailing_zeros() as usize / STRIDE) as u16));
            landing &= landing - 1;
        }
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        let column = COLUMN << (action.index() * STRIDE);
        let discs = self.mine | (self.landing() & column);
        self.mine ^= self.all;
        self.all |= discs;
        self.won = has_four(discs);
    }

    fn payoffs(&self) -> Payoffs {
        if !self.won {
            return zero_sum(0.0);
        }
        zero_sum(if self.mover() == Player(1) { 1.0 } else { -1.0 })
    }

    fn observation(&self) -> &'static ObservationSpec {
        &OBSERVATION
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        let mine = self.discs_of(player);
        let theirs = self.all ^ mine;
        for (row, cells) in out[..CELLS].chunks_exact_mut(COLUMNS).enumerate() {
            for (column, cell) in cells.iter_mut().enumerate() {
                let square = column * STRIDE + row;
                *cell = (mine >> square & 1) as i32 + 2 * (theirs >> square & 1) as i32;
            }
        }
        out[CELLS] = i32::from(self.turn() == Turn::Player(player));
    }

    /// In each column, `all + BOTTOM` sets the first free square, and adding `mine` encodes
    /// the discs below it: the sum is unique for every position.
    #[inline]
    fn key(&self) -> u64 {
        mix(self.all + BOTTOM + self.mine)
    }

    fn action_name(&self, action: Action) -> String {
        char::from(b'a' + action.0 as u8).to_string()
    }

    #[inline]
    fn sample_action(&self, rng: &mut Rng, _scratch: &mut ActionList) -> Action {
        Action(self.draw(rng) as u16)
    }

    fn is_consistent(&self) -> bool {
        let (mine, theirs) = (self.mine.count_ones(), (self.all ^ self.mine).count_ones());
        let resting = |bits: u64| bits & !FULL == 0 && bits & !(bits << 1 | BOTTOM) == 0;
        self.mine & !self.all == 0
            && resting(self.all)
            && (theirs == mine || theirs == mine + 1)
            && self.won == has_four(self.all ^ self.mine)
    }
}

impl fmt::Display for ConnectFour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second) = (self.discs_of(Player(0)), self.discs_of(Player(1)));
        for row in (0..ROWS).rev() {
            for column in 0..COLUMNS {
                let has = |discs: u64| discs >> (column * STRIDE + row) & 1 == 1;
                let disc = if has(first) {
                    'X'
                } else if has(second) {
                    'O'
                } else {
                    '.'
                };
                write!(f, "{}{disc}", if column == 0 { "" } else { " " })?;
            }
            writeln!(f)?;
        }
        write!(f, "a b c d e f g")
    }
}
