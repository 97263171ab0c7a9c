//! Attack bitboards: compile-time tables for leaping pieces, and obstruction difference
//! (Michael Hoffmann) for sliding pieces.

/// The number of squares, numbered a1, b1, …, h8.
pub(super) const SQUARES: usize = 64;

/// Steps (files, ranks): four directions of increasing square numbers, then their opposites.
const DIRECTIONS: [(i32, i32); 8] =
    [(0, 1), (1, 0), (1, 1), (-1, 1), (0, -1), (-1, 0), (-1, -1), (1, -1)];
const KNIGHT_STEPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

type AttackTable = [u64; SQUARES];

/// A line through a square: the squares numbered below and above it.
#[derive(Clone, Copy)]
struct Line {
    lower: u64,
    upper: u64,
}

/// The four lines through each square: file, rank and both diagonals. The lines of one
/// square fill one cache line.
static LINES: [[Line; 4]; SQUARES] = {
    let mut lines = [[Line { lower: 0, upper: 0 }; 4]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut direction = 0;
        while direction < 4 {
            lines[square][direction] =
                Line { lower: ray(square, direction + 4), upper: ray(square, direction) };
            direction += 1;
        }
        square += 1;
    }
    lines
};

static KNIGHT: AttackTable = leaps(&KNIGHT_STEPS);
static KING: AttackTable = leaps(&DIRECTIONS);
/// Pawn attacks of each side.
static PAWN: [AttackTable; 2] = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];

/// The squares strictly between two squares of one line.
static BETWEEN: [AttackTable; SQUARES] = lines(true);
/// The whole line through two squares, themselves included.
static LINE: [AttackTable; SQUARES] = lines(false);

const fn step(square: usize, (files, ranks): (i32, i32)) -> Option<usize> {
    let (file, rank) = ((square % 8) as i32 + files, (square / 8) as i32 + ranks);
    if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
        Some((rank * 8 + file) as usize)
    } else {
        None
    }
}

const fn leaps(steps: &[(i32, i32)]) -> AttackTable {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut at = 0;
        while at < steps.len() {
            if let Some(target) = step(square, steps[at]) {
                table[square] |= 1 << target;
            }
            at += 1;
        }
        square += 1;
    }
    table
}

const fn lines(strictly_between: bool) -> [AttackTable; SQUARES] {
    let mut table = [[0; SQUARES]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut direction = 0;
        while direction < 8 {
            let opposite = (direction + 4) % 8;
            let mut passed = 0;
            let mut reached = step(from, DIRECTIONS[direction]);
            while let Some(to) = reached {
                table[from][to] = if strictly_between {
                    passed
                } else {
                    ray(from, direction) | ray(from, opposite) | 1 << from
                };
                passed |= 1 << to;
                reached = step(to, DIRECTIONS[direction]);
            }
            direction += 1;
        }
        from += 1;
    }
    table
}

const fn ray(square: usize, direction: usize) -> u64 {
    let mut squares = 0;
    let mut reached = step(square, DIRECTIONS[direction]);
    while let Some(at) = reached {
        squares |= 1 << at;
        reached = step(at, DIRECTIONS[direction]);
    }
    squares
}

impl Line {
    /// Sliding attacks along the line, up to and including the first blocker on either
    /// side.
    #[inline]
    fn attacks(self, occupied: u64) -> u64 {
        let (lower, upper) = (self.lower & occupied, self.upper & occupied);
        // Obstruction difference: sets all bits from the nearest lower blocker upwards;
        // adding twice the nearest upper blocker carries through and clears those above it.
        let lower_blocker = 63 - (lower | 1).leading_zeros();
        let upper_blocker = upper & upper.wrapping_neg();
        (u64::MAX << lower_blocker).wrapping_add(upper_blocker << 1) & self.all()
    }

    #[inline]
    const fn all(self) -> u64 {
        self.lower | self.upper
    }
}

/// Rook attacks, up to and including the first blocker in each direction.
#[inline]
pub(super) fn rook(square: usize, occupied: u64) -> u64 {
    let [file, rank, ..] = LINES[square];
    file.attacks(occupied) | rank.attacks(occupied)
}

/// Bishop attacks, up to and including the first blocker in each direction.
#[inline]
pub(super) fn bishop(square: usize, occupied: u64) -> u64 {
    let [.., diagonal, antidiagonal] = LINES[square];
    diagonal.attacks(occupied) | antidiagonal.attacks(occupied)
}

/// Queen attacks, up to and including the first blocker in each direction.
#[inline]
pub(super) fn queen(square: usize, occupied: u64) -> u64 {
    rook(square, occupied) | bishop(square, occupied)
}

/// Rook attacks of a square on an empty board.
#[inline]
pub(super) fn orthogonals(square: usize) -> u64 {
    let [file, rank, ..] = LINES[square];
    file.all() | rank.all()
}

/// Bishop attacks of a square on an empty board.
#[inline]
pub(super) fn diagonals(square: usize) -> u64 {
    let [.., diagonal, antidiagonal] = LINES[square];
    diagonal.all() | antidiagonal.all()
}

/// The squares that any of `pawns` of `side` attacks.
#[inline]
pub(super) fn pawns(side: usize, pawns: u64) -> u64 {
    const A_FILE: u64 = 0x0101_0101_0101_0101;
    let (left, right) = (pawns & !A_FILE, pawns & !(A_FILE << 7));
    if side == 0 { left << 7 | right << 9 } else { left >> 9 | right >> 7 }
}

/// Knight attacks.
#[inline]
pub(super) fn knight(square: usize) -> u64 {
    KNIGHT[square]
}

/// King attacks.
#[inline]
pub(super) fn king(square: usize) -> u64 {
    KING[square]
}

/// Pawn attacks of `side`.
#[inline]
pub(super) fn pawn(side: usize, square: usize) -> u64 {
    PAWN[side][square]
}

/// The squares strictly between two squares; empty unless they share a line.
#[inline]
pub(super) fn between(one: usize, other: usize) -> u64 {
    BETWEEN[one][other]
}

/// The line through two squares; empty unless they share one.
#[inline]
pub(super) fn line(one: usize, other: usize) -> u64 {
    LINE[one][other]
}
