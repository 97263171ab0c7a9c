//! Boards in the shape of a six-pointed star.

use crate::board::{Board, BoardKind, NOWHERE};
use crate::set::{Bits, Set};

/// The points of a star, clockwise from the north.
pub(crate) const POINTS: [(i8, i8); 6] = [(0, 1), (1, 1), (1, -1), (0, -1), (-1, -1), (-1, 1)];

impl Board {
    /// Makes a star whose points have `side` sites on each side: two triangles over each other.
    /// Only its sites have positions, since a star fills less than half of its frame.
    pub(crate) fn star(side: usize) -> Self {
        let far = side as i16;
        let is_site = |x: i16, y: i16| {
            (x >= -far && y >= -far && x + y <= far) || (x <= far && y <= far && x + y >= -far)
        };
        let frame = -2 * far..=2 * far;
        let found = frame.clone().flat_map(|y| frame.clone().map(move |x| (x, y)));
        let places: Vec<(i16, i16)> = found
            .filter(|&(x, y)| is_site(x, y))
            .map(|(x, y)| (x + 2 * far, y + 2 * far))
            .collect();
        Self::of_places(BoardKind::Star, places)
    }

    /// Returns the sites of the point of a star in a direction of the compass.
    pub(crate) fn star_point(&self, compass: (i8, i8)) -> Option<Bits> {
        let number = POINTS.iter().position(|point| *point == compass)?;
        (self.kind == BoardKind::Star).then(|| self.nth_point(number))
    }

    /// Returns the point of the star where a seat begins: opposite ones for two and four players,
    /// every other one for three.
    pub(crate) fn point_of(&self, seat: usize, players: usize) -> Bits {
        let taken: &[usize] = match players {
            2 => &[0, 3],
            3 => &[0, 2, 4],
            4 => &[1, 2, 4, 5],
            _ => &[0, 1, 2, 3, 4, 5],
        };
        taken.get(seat).map_or(Set::NONE, |&number| self.nth_point(number))
    }

    fn nth_point(&self, number: usize) -> Bits {
        let far = (self.size().0 as i16 - 1) / 4;
        self.at(|x, y| {
            let (x, y) = (x - 2 * far, y - 2 * far);
            match number {
                0 => y > far,
                1 => x + y > far,
                2 => x > far,
                3 => y < -far,
                4 => x + y < -far,
                _ => x < -far,
            }
        })
    }

    /// Returns the site that lies where each one comes to when the board is turned.
    pub(crate) fn turned_table(&self) -> Vec<Bits> {
        let image = |&at: &u16| if at == NOWHERE { Set::NONE } else { Set::one(at.into()) };
        self.turned.iter().map(image).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_have_six_points_that_share_no_site() {
        for (side, sites) in [(1, 13), (2, 37), (4, 121)] {
            let board = Board::star(side);
            assert_eq!(board.sites(), sites);
            let points: Vec<Bits> = (0..6).map(|number| board.nth_point(number)).collect();
            let all = points.iter().fold(Bits::NONE, |all, point| all.or(*point));
            assert_eq!(all.count() as usize, 6 * side * (side + 1) / 2);
            for (number, point) in points.iter().enumerate() {
                assert_eq!(point.count() as usize, side * (side + 1) / 2);
                assert_eq!(board.turn(*point), points[(number + 3) % 6], "opposite points");
            }
        }
    }
}
