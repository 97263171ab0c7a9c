//! A position: who stands where, who moves, what may still be done.

use meeple_game::mix;

use super::attacks::{self, SQUARES};

/// The kinds of pieces, as they are numbered.
pub(super) const PAWN: u8 = 0;
pub(super) const KNIGHT: u8 = 1;
pub(super) const BISHOP: u8 = 2;
pub(super) const ROOK: u8 = 3;
pub(super) const QUEEN: u8 = 4;
pub(super) const KING: u8 = 5;

/// No piece, on the board; no square, for en passant.
pub(super) const EMPTY: u8 = 0xff;
pub(super) const NO_SQUARE: u8 = 64;

/// Castling rights, one bit each: white short, white long, black short, black
/// long.
pub(super) const ALL_RIGHTS: u8 = 0b1111;

/// A man: its kind and its side.
pub(super) const fn man(kind: u8, side: usize) -> u8 {
    kind | (side as u8) << 3
}

/// The kind of a man.
pub(super) const fn kind_of(man: u8) -> u8 {
    man & 7
}

/// The side of a man: 0 is white.
pub(super) const fn side_of(man: u8) -> usize {
    (man >> 3 & 1) as usize
}

/// Which of a position's sets holds the men of a kind, or of the kind of a man; those
/// of the sides come first.
#[inline]
fn kind_set(man: u8) -> usize {
    usize::from(man + 2) & 7
}

/// One number for each man on each square, for the rights, the en passant file
/// and the side to move.
static MEN_KEYS: [[u64; SQUARES]; 16] = {
    let mut keys = [[0; SQUARES]; 16];
    let mut at = 0;
    while at < 16 * SQUARES {
        keys[at / SQUARES][at % SQUARES] = mix(0x5eed_0000 + at as u64);
        at += 1;
    }
    keys
};

static RIGHTS_KEYS: [u64; 16] = {
    let mut keys = [0; 16];
    let mut rights = 0;
    while rights < 16 {
        keys[rights] = mix(0x5eed_1000 + rights as u64);
        rights += 1;
    }
    keys
};

#[inline]
fn rights_key(rights: u8) -> u64 {
    RIGHTS_KEYS[usize::from(rights & ALL_RIGHTS)]
}

/// Most positions have no such file.
static FILE_KEYS: [u64; 8] = {
    let mut keys = [0; 8];
    let mut file = 0;
    while file < 8 {
        keys[file] = mix(0x5eed_2000 + file as u64);
        file += 1;
    }
    keys
};

#[inline]
fn en_passant_key(square: u8) -> u64 {
    if square == NO_SQUARE { 0 } else { FILE_KEYS[usize::from(square % 8)] }
}

const BLACK_KEY: u64 = mix(0x5eed_3000);

/// What all `squares` reach together.
#[inline]
fn of_each(mut squares: u64, reach: impl Fn(usize) -> u64) -> u64 {
    let mut all = 0;
    while squares != 0 {
        all |= reach(squares.trailing_zeros() as usize);
        squares &= squares - 1;
    }
    all
}

/// A position of chess.
///
/// The sets of squares, the board and the key tell the same story; only
/// `put`, `lift` and `shift` change them, so they cannot drift apart.
///
/// The order of the parts is one of speed. A machine that copies 64 bytes at once hands
/// the first 32 of them on to the next instructions, while the others have to reach the
/// cache before they can be read: what most moves read stands in first halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Position {
    /// The squares of the sides, and then of the kinds of men.
    sets: [u64; 8],
    board: [u8; SQUARES],
    key: u64,
    /// Twice the number of the move, as people count, and one more while black is
    /// to move: so that passing the turn is one step.
    turn: u32,
    rights: u8,
    /// The square a pawn has just passed over, if it can be taken there.
    en_passant: u8,
    /// Half moves since a pawn moved or a man was taken.
    pub(super) clock: u8,
}

impl Position {
    /// An empty board, white to move.
    pub(super) fn empty() -> Self {
        Self {
            sets: [0; 8],
            board: [EMPTY; SQUARES],
            turn: 2,
            rights: 0,
            en_passant: NO_SQUARE,
            clock: 0,
            key: rights_key(0),
        }
    }

    #[inline]
    pub(super) fn mover(&self) -> usize {
        (self.turn & 1) as usize
    }

    /// The number of the move, as people count.
    pub(super) fn number(&self) -> u16 {
        u16::try_from(self.turn >> 1).unwrap_or(u16::MAX)
    }

    pub(super) fn set_number(&mut self, number: u16) {
        self.turn = 2 * u32::from(number) + (self.turn & 1);
    }

    #[inline]
    pub(super) fn rights(&self) -> u8 {
        self.rights
    }

    #[inline]
    pub(super) fn en_passant(&self) -> u8 {
        self.en_passant
    }

    /// A hash of the men, the mover, the rights and the en passant file.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    pub(super) fn occupied(&self) -> u64 {
        self.sets[0] | self.sets[1]
    }

    #[inline]
    pub(super) fn side(&self, side: usize) -> u64 {
        self.sets[side & 1]
    }

    #[inline]
    pub(super) fn kind(&self, kind: u8) -> u64 {
        self.sets[kind_set(kind)]
    }

    /// The man on a square, or [`EMPTY`].
    #[inline]
    pub(super) fn at(&self, square: u8) -> u8 {
        self.board[usize::from(square)]
    }

    #[inline]
    pub(super) fn king_square(&self, side: usize) -> usize {
        (self.kind(KING) & self.side(side)).trailing_zeros() as usize
    }

    #[inline]
    pub(super) fn put(&mut self, square: u8, man: u8) {
        let bit = 1u64 << square;
        self.sets[side_of(man)] |= bit;
        self.sets[kind_set(man)] |= bit;
        self.board[usize::from(square)] = man;
        self.key ^= MEN_KEYS[usize::from(man)][usize::from(square)];
    }

    /// Takes what stands on a square off the board.
    #[inline]
    pub(super) fn lift(&mut self, square: u8) {
        let man = self.at(square);
        if man != EMPTY {
            let bit = 1u64 << square;
            self.sets[side_of(man)] &= !bit;
            self.sets[kind_set(man)] &= !bit;
            self.board[usize::from(square)] = EMPTY;
            self.key ^= MEN_KEYS[usize::from(man)][usize::from(square)];
        }
    }

    /// Moves what stands on a square to one that is empty.
    #[inline]
    pub(super) fn shift(&mut self, from: u8, to: u8) {
        self.shift_man(self.at(from), from, to);
    }

    /// Moves a man that is known to stand on a square to one that is empty.
    #[inline]
    pub(super) fn shift_man(&mut self, man: u8, from: u8, to: u8) {
        debug_assert_eq!((self.at(from), self.at(to)), (man, EMPTY), "sets would tell otherwise");
        let both = 1u64 << from | 1u64 << to;
        self.sets[side_of(man)] ^= both;
        self.sets[kind_set(man)] ^= both;
        self.board[usize::from(to)] = man;
        self.board[usize::from(from)] = EMPTY;
        let keys = &MEN_KEYS[usize::from(man)];
        self.key ^= keys[usize::from(from)] ^ keys[usize::from(to)];
    }

    #[inline]
    pub(super) fn set_rights(&mut self, rights: u8) {
        self.key ^= rights_key(self.rights) ^ rights_key(rights);
        self.rights = rights;
    }

    #[inline]
    pub(super) fn set_en_passant(&mut self, square: u8) {
        self.key ^= en_passant_key(self.en_passant) ^ en_passant_key(square);
        self.en_passant = square;
    }

    #[inline]
    pub(super) fn pass_turn(&mut self) {
        self.turn += 1;
        self.key ^= BLACK_KEY;
    }

    /// The men of `side` that attack a square while `occupied` is taken.
    #[inline]
    pub(super) fn attackers(&self, square: usize, side: usize, occupied: u64) -> u64 {
        let men = self.side(side);
        let straight = (self.kind(ROOK) | self.kind(QUEEN)) & men & attacks::straights(square);
        let diagonal = (self.kind(BISHOP) | self.kind(QUEEN)) & men & attacks::diagonals(square);
        let mut attackers = men
            & (attacks::knight(square) & self.kind(KNIGHT)
                | attacks::king(square) & self.kind(KING)
                | attacks::pawn(side ^ 1, square) & self.kind(PAWN));
        // Mostly no slider stands on a line of the square.
        if straight != 0 {
            attackers |= attacks::rook(square, occupied) & straight;
        }
        if diagonal != 0 {
            attackers |= attacks::bishop(square, occupied) & diagonal;
        }
        attackers
    }

    /// The squares that the men of `side` attack while `occupied` is taken.
    #[inline]
    pub(super) fn attacked_by(&self, side: usize, occupied: u64) -> u64 {
        let men = self.side(side);
        let straight = (self.kind(ROOK) | self.kind(QUEEN)) & men;
        let diagonal = (self.kind(BISHOP) | self.kind(QUEEN)) & men;
        let king = (self.kind(KING) & men).trailing_zeros() as usize;
        attacks::pawns(side, self.kind(PAWN) & men)
            | attacks::king(king)
            | of_each(self.kind(KNIGHT) & men, attacks::knight)
            | of_each(straight, |square| attacks::rook(square, occupied))
            | of_each(diagonal, |square| attacks::bishop(square, occupied))
    }

    /// Whether the king of `side` is attacked.
    #[inline]
    pub(super) fn is_check(&self, side: usize) -> bool {
        self.attackers(self.king_square(side), side ^ 1, self.occupied()) != 0
    }

    /// Whether neither side can mate: bare kings, one minor piece, or bishops
    /// on squares of one colour.
    pub(super) fn is_dead(&self) -> bool {
        const LIGHT: u64 = 0x55aa_55aa_55aa_55aa;
        if self.kind(PAWN) | self.kind(ROOK) | self.kind(QUEEN) != 0 {
            return false;
        }
        let (knights, bishops) = (self.kind(KNIGHT), self.kind(BISHOP));
        if knights == 0 {
            return bishops & LIGHT == 0 || bishops & !LIGHT == 0;
        }
        bishops == 0 && knights.count_ones() == 1
    }

    /// Whether all men stand as they did before these moves from square to
    /// square, none of which took anything.
    pub(super) fn stands_as_before(&self, moves: &[[u8; 2]]) -> bool {
        let mut board = self.board;
        for &[from, to] in moves.iter().rev() {
            board.swap(from.into(), to.into());
        }
        board == self.board
    }

    /// The key worked out anew; for tests.
    pub(super) fn full_key(&self) -> u64 {
        let mut key = rights_key(self.rights) ^ en_passant_key(self.en_passant);
        if self.mover() == 1 {
            key ^= BLACK_KEY;
        }
        for (square, &man) in self.board.iter().enumerate().filter(|&(_, &man)| man != EMPTY) {
            key ^= MEN_KEYS[usize::from(man)][square];
        }
        key
    }

    /// Whether sets, board and key agree and each side has one king.
    pub(super) fn is_consistent(&self) -> bool {
        let mut again = Self::empty();
        for square in 0..SQUARES as u8 {
            if self.at(square) != EMPTY {
                again.put(square, self.at(square));
            }
        }
        let kings = |side: usize| (self.kind(KING) & self.side(side)).count_ones();
        again.sets == self.sets
            && self.key == self.full_key()
            && kings(0) == 1
            && kings(1) == 1
            && !self.is_check(self.mover() ^ 1)
    }
}
