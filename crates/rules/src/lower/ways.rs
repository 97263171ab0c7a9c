//! The directions of moves.

use super::Checker;
use crate::board::BoardKind;
use crate::errors::Span;
use crate::syntax::{Family, How, Toward};

impl Checker<'_> {
    /// Returns the direction in which a long piece lies.
    pub(super) fn long_way(&mut self, offset: (i8, i8), span: Span) -> Option<usize> {
        let ways = self.board.ways();
        let way = self.board.directions[ways].iter().position(|known| *known == offset);
        if way.is_none() || self.board.kind != BoardKind::Square {
            self.problems.add(span, "long pieces lie on a board of squares");
            return None;
        }
        way
    }

    /// Returns the directions of a move as the seat sees them, in a fixed order.
    pub(super) fn ways(&mut self, how: &How, span: Span) -> Option<Vec<usize>> {
        let sign: i8 = if self.is_turned() { -1 } else { 1 };
        if matches!(self.board.kind, BoardKind::Track | BoardKind::None) {
            self.problems.add(span, "pieces move on boards with directions");
            return None;
        }
        match how {
            How::Step(directions) | How::Slide(directions) | How::Jump(directions) => {
                let ways = self.board.ways();
                let seen = |way: usize| {
                    let (x, y) = self.board.directions[way];
                    (sign * x, sign * y)
                };
                let mut found = Vec::new();
                for way in ways {
                    // The order is that of the directions as the seat sees them.
                    let Some(way) =
                        self.board.ways().find(|&other| seen(other) == self.board.directions[way])
                    else {
                        continue;
                    };
                    let is_wanted = directions.parts.iter().any(|&(family, toward)| {
                        is_in(
                            seen(way),
                            self.board.directions[way],
                            family,
                            toward,
                            self.board.is_hex(),
                        )
                    });
                    if is_wanted {
                        found.push(way);
                    }
                }
                if found.is_empty() {
                    self.problems.add(directions.span, "this board has no such direction");
                    return None;
                }
                Some(found)
            }
            How::Leap { far, wide, ahead } => {
                let far = self.constant_in(far, 0, 16)? as i8;
                let wide = self.constant_in(wide, 0, 16)? as i8;
                if self.board.kind != BoardKind::Square || far == 0 && wide == 0 {
                    self.problems.add(span, "pieces leap over a distance on square boards");
                    return None;
                }
                let mut offsets = Vec::new();
                for (x, y) in [(far, wide), (wide, far)] {
                    for offset in [(x, y), (-x, y), (x, -y), (-x, -y)] {
                        if !offsets.contains(&offset) && (!ahead || offset.1 > 0) {
                            offsets.push(offset);
                        }
                    }
                }
                let turn = |(x, y): (i8, i8)| (sign * x, sign * y);
                Some(offsets.into_iter().map(|offset| self.board.next_in(turn(offset))).collect())
            }
            How::Fly | How::Follow => None,
        }
    }
}

/// Returns whether a direction, seen by the mover and by the compass, is in a family.
fn is_in(
    seen: (i8, i8),
    compass: (i8, i8),
    family: Family,
    toward: Option<Toward>,
    is_hex: bool,
) -> bool {
    let (x, y) = seen;
    let fits = match family {
        Family::Any => true,
        Family::Orthogonal => is_hex || x == 0 || y == 0,
        Family::Diagonal => !is_hex && x != 0 && y != 0,
        Family::Straight => !is_hex && (x == 0 || y == 0),
        Family::Compass(x, y) => compass == (x, y),
    };
    let goes = match toward {
        None => true,
        Some(Toward::Ahead) => y > 0,
        Some(Toward::Back) => y < 0,
        Some(Toward::Sideways) => y == 0,
    };
    fits && goes
}
