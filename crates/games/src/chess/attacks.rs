//! Where pieces reach: tables made at compile time, one bit for each square.

/// The squares, a1 to h8 by rows.
pub(super) const SQUARES: usize = 64;

/// Steps of files and ranks: four directions in which squares count up, then
/// their opposites.
const DIRECTIONS: [(i32, i32); 8] =
    [(0, 1), (1, 0), (1, 1), (-1, 1), (0, -1), (-1, 0), (-1, -1), (1, -1)];
const KNIGHT_STEPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

type Table = [u64; SQUARES];

/// A line through a square: the squares before it and after it.
#[derive(Clone, Copy)]
struct Line {
    before: u64,
    after: u64,
}

/// The four lines through each square: file, rank and both diagonals. Those of a
/// square fill one line of the machine's cache.
static LINES: [[Line; 4]; SQUARES] = {
    let mut lines = [[Line { before: 0, after: 0 }; 4]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut direction = 0;
        while direction < 4 {
            lines[square][direction] =
                Line { before: ray(square, direction + 4), after: ray(square, direction) };
            direction += 1;
        }
        square += 1;
    }
    lines
};

static KNIGHT: Table = leaps(&KNIGHT_STEPS);
static KING: Table = leaps(&DIRECTIONS);
/// Where a pawn of each side captures.
static PAWN: [Table; 2] = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];

/// The squares strictly between two squares of one line.
static BETWEEN: [Table; SQUARES] = lines(true);
/// The whole line through two squares, themselves included.
static LINE: [Table; SQUARES] = lines(false);

const fn step(square: usize, (files, ranks): (i32, i32)) -> Option<usize> {
    let (file, rank) = ((square % 8) as i32 + files, (square / 8) as i32 + ranks);
    if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
        Some((rank * 8 + file) as usize)
    } else {
        None
    }
}

const fn leaps(steps: &[(i32, i32)]) -> Table {
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

const fn lines(strictly_between: bool) -> [Table; SQUARES] {
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
    /// Where a slider reaches on the line, up to and including the first piece on
    /// either side.
    #[inline]
    fn reach(self, occupied: u64) -> u64 {
        let (before, after) = (self.before & occupied, self.after & occupied);
        // All bits from the last piece before on, less those beyond the first
        // after: a carry runs up from there and clears them.
        let last = 63 - (before | 1).leading_zeros();
        let first = after & after.wrapping_neg();
        (u64::MAX << last).wrapping_add(first << 1) & self.all()
    }

    #[inline]
    const fn all(self) -> u64 {
        self.before | self.after
    }
}

/// Where a rook reaches, up to and including the first piece on each line.
#[inline]
pub(super) fn rook(square: usize, occupied: u64) -> u64 {
    let [file, rank, ..] = LINES[square];
    file.reach(occupied) | rank.reach(occupied)
}

/// Where a bishop reaches.
#[inline]
pub(super) fn bishop(square: usize, occupied: u64) -> u64 {
    let [.., rising, falling] = LINES[square];
    rising.reach(occupied) | falling.reach(occupied)
}

/// The file and the rank of a square, without it.
#[inline]
pub(super) fn straights(square: usize) -> u64 {
    let [file, rank, ..] = LINES[square];
    file.all() | rank.all()
}

/// The diagonals of a square, without it.
#[inline]
pub(super) fn diagonals(square: usize) -> u64 {
    let [.., rising, falling] = LINES[square];
    rising.all() | falling.all()
}

/// Where several pawns of `side` capture.
#[inline]
pub(super) fn pawns(side: usize, pawns: u64) -> u64 {
    const A_FILE: u64 = 0x0101_0101_0101_0101;
    let (left, right) = (pawns & !A_FILE, pawns & !(A_FILE << 7));
    if side == 0 { left << 7 | right << 9 } else { left >> 9 | right >> 7 }
}

/// Where a knight reaches.
#[inline]
pub(super) fn knight(square: usize) -> u64 {
    KNIGHT[square]
}

/// Where a king reaches, castling aside.
#[inline]
pub(super) fn king(square: usize) -> u64 {
    KING[square]
}

/// Where a pawn of `side` captures.
#[inline]
pub(super) fn pawn(side: usize, square: usize) -> u64 {
    PAWN[side][square]
}

/// The squares strictly between two squares; none unless they share a line.
#[inline]
pub(super) fn between(one: usize, other: usize) -> u64 {
    BETWEEN[one][other]
}

/// The line through two squares; none unless they share one.
#[inline]
pub(super) fn line(one: usize, other: usize) -> u64 {
    LINE[one][other]
}
