//! The terms of the evaluation: material and squares, mobility, king safety, pawn structure.

use super::masks::{ADJACENT, FRONT, PASSED, distance, file};
use crate::chess::attacks;
use crate::chess::position::{BISHOP, KING, KNIGHT, PAWN, Position, QUEEN, ROOK};
use crate::chess::rules::relative_square;

/// Takes the terms of a position: a count is positive for white, negative for black.
pub(super) trait Terms {
    fn add(&mut self, term: usize, count: i32);
}

// The numbers of the terms. Squares are mirrored: four files, eight ranks from the own side.
pub(super) const MATERIAL: usize = 0;
pub(super) const SQUARES: usize = MATERIAL + 6;
pub(super) const MOBILITY: usize = SQUARES + 6 * 32;
pub(super) const BISHOP_PAIR: usize = MOBILITY + 4;
pub(super) const OPEN_FILE: usize = BISHOP_PAIR + 1;
pub(super) const HALF_OPEN_FILE: usize = OPEN_FILE + 1;
pub(super) const DOUBLED: usize = HALF_OPEN_FILE + 1;
pub(super) const ISOLATED: usize = DOUBLED + 1;
pub(super) const SUPPORTED: usize = ISOLATED + 1;
pub(super) const PHALANX: usize = SUPPORTED + 1;
/// Passed pawns by rank.
pub(super) const PASSED_PAWN: usize = PHALANX + 1;
/// Passed pawns with an empty square in front, by rank.
pub(super) const FREE_PASSED: usize = PASSED_PAWN + 8;
/// Distances of the two kings to passed pawns.
pub(super) const OWN_KING_DISTANCE: usize = FREE_PASSED + 8;
pub(super) const ENEMY_KING_DISTANCE: usize = OWN_KING_DISTANCE + 1;
pub(super) const SHIELD: usize = ENEMY_KING_DISTANCE + 1;
pub(super) const KING_OPEN_FILE: usize = SHIELD + 1;
/// Attacks on the squares around the enemy king, by their weighted number.
pub(super) const KING_ATTACK: usize = KING_OPEN_FILE + 1;
pub(super) const KING_ATTACKS: usize = 16;
pub(super) const PAWN_THREAT: usize = KING_ATTACK + KING_ATTACKS;
/// Attacks of knights and bishops on rooks and queens.
pub(super) const MINOR_THREAT: usize = PAWN_THREAT + 1;
pub(super) const OUTPOST: usize = MINOR_THREAT + 1;
pub(super) const TEMPO: usize = OUTPOST + 1;
/// The number of terms.
pub const TERMS: usize = TEMPO + 1;

/// The weight of an attacked square near the king by the attacking piece: pawn to queen.
const ATTACK_UNITS: [i32; 6] = [0, 2, 2, 3, 4, 0];

/// The number of the term of a piece on a square, as seen from its side.
#[inline]
pub(super) fn square_term(kind: u8, square: u8) -> usize {
    let (file, rank) = (usize::from(square % 8), usize::from(square / 8));
    SQUARES + usize::from(kind) * 32 + rank * 4 + file.min(7 - file)
}

/// Visits all terms of a position.
#[inline]
pub(super) fn visit(position: &Position, terms: &mut impl Terms) {
    for side in 0..2 {
        Side::of(position, side).visit(terms);
    }
    terms.add(TEMPO, if position.mover() == 0 { 1 } else { -1 });
}

/// One side of a position with what several terms need.
struct Side<'a> {
    position: &'a Position,
    us: usize,
    sign: i32,
    own: u64,
    enemy: u64,
    pawns: u64,
    enemy_pawns: u64,
    pawn_attacks: u64,
    enemy_pawn_attacks: u64,
    king: usize,
    enemy_king: usize,
}

impl<'a> Side<'a> {
    #[inline]
    fn of(position: &'a Position, us: usize) -> Self {
        let (own, enemy) = (position.side(us), position.side(us ^ 1));
        let (pawns, enemy_pawns) = (position.kind(PAWN) & own, position.kind(PAWN) & enemy);
        Self {
            position,
            us,
            sign: if us == 0 { 1 } else { -1 },
            own,
            enemy,
            pawns,
            enemy_pawns,
            pawn_attacks: attacks::pawns(us, pawns),
            enemy_pawn_attacks: attacks::pawns(us ^ 1, enemy_pawns),
            king: position.king_square(us),
            enemy_king: position.king_square(us ^ 1),
        }
    }

    #[inline]
    fn visit(&self, terms: &mut impl Terms) {
        self.pawns(terms);
        self.pieces(terms);
        self.king(terms);
        let pieces = self.enemy & !self.enemy_pawns;
        self.count(terms, PAWN_THREAT, self.pawn_attacks & pieces);
        if (self.position.kind(BISHOP) & self.own).count_ones() >= 2 {
            terms.add(BISHOP_PAIR, self.sign);
        }
    }

    #[inline]
    fn count(&self, terms: &mut impl Terms, term: usize, squares: u64) {
        terms.add(term, self.sign * squares.count_ones() as i32);
    }

    #[inline]
    fn place(&self, terms: &mut impl Terms, kind: u8, square: usize) {
        terms.add(MATERIAL + usize::from(kind), self.sign);
        terms.add(square_term(kind, relative_square(self.us, square as u8)), self.sign);
    }

    #[inline]
    fn pawns(&self, terms: &mut impl Terms) {
        let occupied = self.own | self.enemy;
        for square in squares(self.pawns) {
            self.place(terms, PAWN, square);
            let bit = 1u64 << square;
            let rank = usize::from(relative_square(self.us, square as u8) / 8);
            if FRONT[self.us][square] & self.pawns != 0 {
                terms.add(DOUBLED, self.sign);
            }
            if ADJACENT[square % 8] & self.pawns == 0 {
                terms.add(ISOLATED, self.sign);
            }
            if self.pawn_attacks & bit != 0 {
                terms.add(SUPPORTED, self.sign);
            }
            if bit << 1 & file(square % 8 + 1) & self.pawns != 0 && square % 8 < 7 {
                terms.add(PHALANX, self.sign);
            }
            if PASSED[self.us][square] & self.enemy_pawns == 0
                && FRONT[self.us][square] & self.pawns == 0
            {
                terms.add(PASSED_PAWN + rank, self.sign);
                let ahead = if self.us == 0 { square + 8 } else { square - 8 };
                if occupied >> ahead & 1 == 0 {
                    terms.add(FREE_PASSED + rank, self.sign);
                }
                if rank >= 3 {
                    let near = |king| self.sign * distance(king, ahead);
                    terms.add(OWN_KING_DISTANCE, near(self.king));
                    terms.add(ENEMY_KING_DISTANCE, near(self.enemy_king));
                }
            }
        }
    }

    #[inline]
    fn pieces(&self, terms: &mut impl Terms) {
        let occupied = self.own | self.enemy;
        let reachable = !(self.enemy_pawn_attacks | self.pawns);
        let zone = attacks::king(self.enemy_king) | 1 << self.enemy_king;
        let majors = self.enemy & (self.position.kind(ROOK) | self.position.kind(QUEEN));
        let (mut units, mut attackers) = (0, 0);
        for kind in [KNIGHT, BISHOP, ROOK, QUEEN] {
            for square in squares(self.position.kind(kind) & self.own) {
                self.place(terms, kind, square);
                let attacked = match kind {
                    KNIGHT => attacks::knight(square),
                    BISHOP => attacks::bishop(square, occupied),
                    ROOK => attacks::rook(square, occupied),
                    _ => attacks::rook(square, occupied) | attacks::bishop(square, occupied),
                };
                let mobility = MOBILITY + usize::from(kind - KNIGHT);
                self.count(terms, mobility, attacked & reachable);
                let near = attacked & zone;
                if near != 0 {
                    attackers += 1;
                    units += ATTACK_UNITS[usize::from(kind)] * near.count_ones() as i32;
                }
                if kind <= BISHOP {
                    self.count(terms, MINOR_THREAT, attacked & majors);
                    self.outpost(terms, square);
                }
                if kind == ROOK {
                    self.rook_file(terms, square);
                }
            }
        }
        // A single attacker does no harm.
        if attackers >= 2 {
            terms.add(KING_ATTACK + (units as usize / 2).min(KING_ATTACKS - 1), self.sign);
        }
    }

    #[inline]
    fn outpost(&self, terms: &mut impl Terms, square: usize) {
        let is_advanced = relative_square(self.us, square as u8) / 8 >= 3;
        let chasers = PASSED[self.us][square] & ADJACENT[square % 8] & self.enemy_pawns;
        if is_advanced && self.pawn_attacks >> square & 1 == 1 && chasers == 0 {
            terms.add(OUTPOST, self.sign);
        }
    }

    #[inline]
    fn rook_file(&self, terms: &mut impl Terms, square: usize) {
        let squares = file(square % 8);
        if squares & self.pawns == 0 {
            let is_open = squares & self.enemy_pawns == 0;
            terms.add(if is_open { OPEN_FILE } else { HALF_OPEN_FILE }, self.sign);
        }
    }

    #[inline]
    fn king(&self, terms: &mut impl Terms) {
        self.place(terms, KING, self.king);
        let files = file(self.king % 8) | ADJACENT[self.king % 8];
        let home = relative_square(self.us, self.king as u8) / 8;
        if home <= 1 {
            // The two ranks in front of the king.
            let ranks = if self.us == 0 {
                0xffff << (8 * (self.king / 8 + 1))
            } else {
                0xffff_u64 << (8 * (self.king / 8 - 2))
            };
            self.count(terms, SHIELD, files & ranks & self.pawns);
        }
        let open = [self.king % 8].iter().filter(|&&at| file(at) & self.pawns == 0).count();
        terms.add(KING_OPEN_FILE, self.sign * open as i32);
    }
}

/// Iterates over the squares of a bitboard.
#[inline]
fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as usize;
            set &= set - 1;
            square
        })
    })
}
