//! A chess position: bitboards, a mailbox board and an incremental Zobrist key
//! (Zobrist 1970).

use meeple_game::mix;

use super::attacks::{self, SQUARES};

/// Piece kinds.
pub(super) const PAWN: u8 = 0;
pub(super) const KNIGHT: u8 = 1;
pub(super) const BISHOP: u8 = 2;
pub(super) const ROOK: u8 = 3;
pub(super) const QUEEN: u8 = 4;
pub(super) const KING: u8 = 5;

/// An empty square of the board.
pub(super) const EMPTY: u8 = 0xff;
/// No en passant square.
pub(super) const NO_SQUARE: u8 = 64;

/// Castling rights, one bit each: white kingside, white queenside, black kingside, black
/// queenside.
pub(super) const ALL_RIGHTS: u8 = 0b1111;

/// Encodes a piece by kind and side.
pub(super) const fn piece(kind: u8, side: usize) -> u8 {
    kind | (side as u8) << 3
}

/// The kind of a piece.
pub(super) const fn kind_of(piece: u8) -> u8 {
    piece & 7
}

/// The side of a piece: 0 is white.
pub(super) const fn side_of(piece: u8) -> usize {
    (piece >> 3 & 1) as usize
}

/// The index in [`Position::sets`] of the bitboard of a kind, given a kind or a piece; the
/// bitboards of the two sides come first.
#[inline]
fn kind_set(piece: u8) -> usize {
    usize::from(piece + 2) & 7
}

/// Zobrist numbers: one for each piece on each square; below, for the castling rights, the
/// en passant file and the side to move.
static PIECE_KEYS: [[u64; SQUARES]; 16] = {
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

/// The union of the attacks from all `squares`.
#[inline]
fn union_of(mut squares: u64, attacks: impl Fn(usize) -> u64) -> u64 {
    let mut all = 0;
    while squares != 0 {
        all |= attacks(squares.trailing_zeros() as usize);
        squares &= squares - 1;
    }
    all
}

/// A position of chess.
///
/// Bitboards, board and key are redundant; only `put`, `remove` and `shift` change them,
/// which keeps them consistent.
///
/// The field order is chosen for speed. After a 64-byte copy, store-to-load forwarding
/// serves the first 32 bytes, while the others must reach the cache before they can be
/// read: the fields that most moves read lie in first halves of cache lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Position {
    /// Bitboards of the two sides, then of the six piece kinds.
    sets: [u64; 8],
    board: [u8; SQUARES],
    key: u64,
    /// Twice the full-move number, plus one if black is to move: passing the turn is one
    /// increment.
    turn: u32,
    rights: u8,
    /// The en passant square, if an en passant capture is legal.
    en_passant: u8,
    /// The half-move clock: plies since the last pawn move or capture.
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

    /// The full-move number.
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

    /// The Zobrist key of pieces, side to move, castling rights and en passant file.
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

    /// The piece on a square, or [`EMPTY`].
    #[inline]
    pub(super) fn at(&self, square: u8) -> u8 {
        self.board[usize::from(square)]
    }

    #[inline]
    pub(super) fn king_square(&self, side: usize) -> usize {
        (self.kind(KING) & self.side(side)).trailing_zeros() as usize
    }

    #[inline]
    pub(super) fn put(&mut self, square: u8, piece: u8) {
        let bit = 1u64 << square;
        self.sets[side_of(piece)] |= bit;
        self.sets[kind_set(piece)] |= bit;
        self.board[usize::from(square)] = piece;
        self.key ^= PIECE_KEYS[usize::from(piece)][usize::from(square)];
    }

    /// Removes the piece on a square, if any.
    #[inline]
    pub(super) fn remove(&mut self, square: u8) {
        let piece = self.at(square);
        if piece != EMPTY {
            let bit = 1u64 << square;
            self.sets[side_of(piece)] &= !bit;
            self.sets[kind_set(piece)] &= !bit;
            self.board[usize::from(square)] = EMPTY;
            self.key ^= PIECE_KEYS[usize::from(piece)][usize::from(square)];
        }
    }

    /// Moves the piece on a square to an empty square.
    #[inline]
    pub(super) fn shift(&mut self, from: u8, to: u8) {
        self.shift_piece(self.at(from), from, to);
    }

    /// Moves a known piece to an empty square, without reading the board.
    #[inline]
    pub(super) fn shift_piece(&mut self, piece: u8, from: u8, to: u8) {
        debug_assert_eq!(
            (self.at(from), self.at(to)),
            (piece, EMPTY),
            "bitboards and board would differ"
        );
        let both = 1u64 << from | 1u64 << to;
        self.sets[side_of(piece)] ^= both;
        self.sets[kind_set(piece)] ^= both;
        self.board[usize::from(to)] = piece;
        self.board[usize::from(from)] = EMPTY;
        let keys = &PIECE_KEYS[usize::from(piece)];
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

    /// The pieces of `side` that attack a square, given the occupancy.
    #[inline]
    pub(super) fn attackers(&self, square: usize, side: usize, occupied: u64) -> u64 {
        let pieces = self.side(side);
        let orthogonal =
            (self.kind(ROOK) | self.kind(QUEEN)) & pieces & attacks::orthogonals(square);
        let diagonal = (self.kind(BISHOP) | self.kind(QUEEN)) & pieces & attacks::diagonals(square);
        let mut attackers = pieces
            & (attacks::knight(square) & self.kind(KNIGHT)
                | attacks::king(square) & self.kind(KING)
                | attacks::pawn(side ^ 1, square) & self.kind(PAWN));
        // The common case has no slider on a line of the square: skip the lookups.
        if orthogonal != 0 {
            attackers |= attacks::rook(square, occupied) & orthogonal;
        }
        if diagonal != 0 {
            attackers |= attacks::bishop(square, occupied) & diagonal;
        }
        attackers
    }

    /// The squares that `side` attacks, given the occupancy.
    #[inline]
    pub(super) fn attacked_by(&self, side: usize, occupied: u64) -> u64 {
        let pieces = self.side(side);
        let orthogonal = (self.kind(ROOK) | self.kind(QUEEN)) & pieces;
        let diagonal = (self.kind(BISHOP) | self.kind(QUEEN)) & pieces;
        let king = (self.kind(KING) & pieces).trailing_zeros() as usize;
        attacks::pawns(side, self.kind(PAWN) & pieces)
            | attacks::king(king)
            | union_of(self.kind(KNIGHT) & pieces, attacks::knight)
            | union_of(orthogonal, |square| attacks::rook(square, occupied))
            | union_of(diagonal, |square| attacks::bishop(square, occupied))
    }

    /// Whether the king of `side` is in check.
    #[inline]
    pub(super) fn is_check(&self, side: usize) -> bool {
        self.attackers(self.king_square(side), side ^ 1, self.occupied()) != 0
    }

    /// Whether neither side has mating material: bare kings, one minor piece, or bishops
    /// on squares of one colour.
    pub(super) fn has_insufficient_material(&self) -> bool {
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

    /// Whether the board was the same before `moves` (from, to), none of which captured.
    pub(super) fn same_board_before(&self, moves: &[[u8; 2]]) -> bool {
        let mut board = self.board;
        for &[from, to] in moves.iter().rev() {
            board.swap(from.into(), to.into());
        }
        board == self.board
    }

    /// The Zobrist key computed from scratch; for tests.
    pub(super) fn full_key(&self) -> u64 {
        let mut key = rights_key(self.rights) ^ en_passant_key(self.en_passant);
        if self.mover() == 1 {
            key ^= BLACK_KEY;
        }
        for (square, &piece) in self.board.iter().enumerate().filter(|&(_, &piece)| piece != EMPTY)
        {
            key ^= PIECE_KEYS[usize::from(piece)][square];
        }
        key
    }

    /// Whether bitboards, board and key agree and each side has one king.
    pub(super) fn is_consistent(&self) -> bool {
        let mut rebuilt = Self::empty();
        for square in 0..SQUARES as u8 {
            if self.at(square) != EMPTY {
                rebuilt.put(square, self.at(square));
            }
        }
        let kings = |side: usize| (self.kind(KING) & self.side(side)).count_ones();
        rebuilt.sets == self.sets
            && self.key == self.full_key()
            && kings(0) == 1
            && kings(1) == 1
            && !self.is_check(self.mover() ^ 1)
    }
}
