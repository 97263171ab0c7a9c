//! Boards: sites with names and coordinates, and the directions between them.

use crate::set::{Bits, Set};
use crate::syntax::Kept;

/// Stands where a site has no neighbour.
pub(crate) const NOWHERE: u16 = u16::MAX;

/// A board as the rules see it.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub(crate) kind: BoardKind,
    /// The number of positions; some of them may be no sites of the board.
    pub(crate) positions: usize,
    /// The positions that are sites.
    pub(crate) all: Bits,
    pub(crate) names: Vec<String>,
    /// The column and the row of each position, from 0.
    pub(crate) places: Vec<(i16, i16)>,
    /// The offsets of the directions to neighbours, in a fixed order.
    pub(crate) directions: Vec<(i8, i8)>,
    /// The number of directions that lead to neighbours; the others are those of leaps.
    pub(crate) neighbours: usize,
    /// The neighbours in each direction.
    pub(crate) next: Vec<Vec<u16>>,
    /// Each position on the board turned by half a circle.
    pub(crate) turned: Vec<u16>,
    /// The number of each site among the sites.
    pub(crate) rank: Vec<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoardKind {
    Square,
    Rhombus,
    Hexagon,
    Star,
    Track,
    Lines,
    /// The edges and cells of a grid: cells have odd coordinates, edges an odd and an even one.
    Dots,
    /// A game without a board has one site that nothing uses.
    None,
}

pub(crate) const SQUARE: [(i8, i8); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
const ORTHOGONAL: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const HEX: [(i8, i8); 6] = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)];

impl Board {
    /// Makes a board on a grid of `width` by `height`, of the places for which `keep` holds.
    fn grid(
        kind: BoardKind,
        (width, height): (usize, usize),
        directions: &[(i8, i8)],
        keep: impl Fn(usize, usize) -> bool,
    ) -> Self {
        let positions = width * height;
        let places: Vec<(i16, i16)> =
            (0..positions).map(|at| ((at % width) as i16, (at / width) as i16)).collect();
        let kept = |&at: &usize| keep(at % width, at / width);
        let mut board = Self {
            kind,
            positions,
            all: Set::of((0..positions).filter(kept)),
            names: places.iter().map(|&(x, y)| site_name(x, y)).collect(),
            places,
            directions: Vec::new(),
            neighbours: directions.len(),
            next: Vec::new(),
            turned: (0..positions).map(|at| (positions - 1 - at) as u16).collect(),
            rank: Vec::new(),
        };
        for &offset in directions {
            board.next_in(offset);
        }
        board.number()
    }

    pub(crate) fn square(width: usize, height: usize, kept: Kept) -> Self {
        match kept {
            Kept::All => Self::grid(BoardKind::Square, (width, height), &SQUARE, |_, _| true),
            Kept::Orthogonal => {
                Self::grid(BoardKind::Square, (width, height), &ORTHOGONAL, |_, _| true)
            }
            Kept::Dark => Self::dark(width, height),
        }
    }

    /// Makes the squares of one colour. Rows are apart by two distances in turn, so that every
    /// diagonal step is the same shift; the positions that this leaves out are no sites.
    fn dark(width: usize, height: usize) -> Self {
        let far = width / 2 + 1;
        let first = |y: usize| y / 2 * (2 * far - 1) + y % 2 * far;
        let positions = (0..height).map(|y| first(y) + (width + 1 - y % 2) / 2).max().unwrap_or(1);
        let mut places = vec![None; positions];
        for y in 0..height {
            for x in (y % 2..width).step_by(2) {
                places[first(y) + x / 2] = Some((x as i16, y as i16));
            }
        }
        let at = |place: (i16, i16)| places.iter().position(|other| *other == Some(place));
        let turned = |site: usize| match places[site] {
            Some((x, y)) => at((width as i16 - 1 - x, height as i16 - 1 - y)),
            None => Some(site),
        };
        let names = places.iter().map(|place| place.map_or("-".into(), |(x, y)| site_name(x, y)));
        let mut board = Self {
            kind: BoardKind::Square,
            positions,
            all: Set::of((0..positions).filter(|&at| places[at].is_some())),
            names: names.collect(),
            directions: Vec::new(),
            neighbours: SQUARE.len(),
            next: Vec::new(),
            turned: (0..positions)
                .map(|site| turned(site).map_or(NOWHERE, |at| at as u16))
                .collect(),
            rank: Vec::new(),
            places: places.iter().map(|place| place.unwrap_or((0, 0))).collect(),
        };
        for offset in SQUARE {
            board.next_in(offset);
        }
        board.number()
    }

    /// Makes the edges and cells of a grid of `width` by `height` cells.
    pub(crate) fn dots(width: usize, height: usize) -> Self {
        let size = (2 * width + 1, 2 * height + 1);
        Self::grid(BoardKind::Dots, size, &ORTHOGONAL, |x, y| x % 2 == 1 || y % 2 == 1)
    }

    pub(crate) fn rhombus(size: usize) -> Self {
        Self::grid(BoardKind::Rhombus, (size, size), &HEX, |_, _| true)
    }

    /// Makes a hexagon of hexagons with `side` of them on each side.
    pub(crate) fn hexagon(side: usize) -> Self {
        let width = 2 * side - 1;
        let keep = |x, y| (side - 1..=3 * (side - 1)).contains(&(x + y));
        Self::grid(BoardKind::Hexagon, (width, width), &HEX, keep)
    }

    /// Makes a board of hexagons whose positions are these places alone, row by row.
    pub(crate) fn of_places(kind: BoardKind, places: Vec<(i16, i16)>) -> Self {
        let positions = places.len();
        let mut board = Self {
            kind,
            positions,
            all: Set::of(0..positions),
            names: places.iter().map(|&(x, y)| site_name(x, y)).collect(),
            places,
            directions: Vec::new(),
            neighbours: HEX.len(),
            next: Vec::new(),
            turned: (0..positions).map(|at| (positions - 1 - at) as u16).collect(),
            rank: Vec::new(),
        };
        for offset in HEX {
            board.next_in(offset);
        }
        board.number()
    }

    /// Makes two rows of pits in a ring; the store of a player follows their row.
    pub(crate) fn track(columns: usize, stores: bool) -> Self {
        let half = columns + usize::from(stores);
        let positions = 2 * half;
        let place = |at: usize| match (at / half, at % half) {
            (0, x) => (x as i16, 0),
            (_, x) if x == columns => (-1, 1),
            (_, x) => ((columns - 1 - x) as i16, 1),
        };
        let names = |at: usize| match (at % half == columns, place(at)) {
            (true, _) => format!("store{}", at / half + 1),
            (false, (x, y)) => site_name(x, y),
        };
        Self {
            kind: BoardKind::Track,
            positions,
            all: Set::of(0..positions),
            names: (0..positions).map(names).collect(),
            places: (0..positions).map(place).collect(),
            directions: vec![(1, 0), (-1, 0)],
            neighbours: 2,
            next: [1, positions - 1]
                .map(|by| (0..positions).map(|at| ((at + by) % positions) as u16).collect())
                .to_vec(),
            turned: (0..positions).map(|at| ((at + half) % positions) as u16).collect(),
            rank: Vec::new(),
        }
        .number()
    }

    /// Makes the board of a game without one.
    pub(crate) fn none() -> Self {
        Self::grid(BoardKind::None, (1, 1), &[], |_, _| true)
    }

    pub(crate) fn number(mut self) -> Self {
        let mut count = 0;
        self.rank = (0..self.positions)
            .map(|at| {
                count += u16::from(self.all.has(at));
                count.max(1) - 1
            })
            .collect();
        self
    }

    /// Returns the index of the direction by `offset`, which is added if it is new.
    pub(crate) fn next_in(&mut self, offset: (i8, i8)) -> usize {
        if let Some(at) = self.directions.iter().position(|way| *way == offset) {
            return at;
        }
        let (width, height) = self.size();
        let mut sites = vec![NOWHERE; width * height];
        for at in self.all.sites() {
            let (x, y) = self.places[at];
            sites[y as usize * width + x as usize] = at as u16;
        }
        let neighbour = |at: usize| {
            let (x, y) = self.places[at];
            let (x, y) = (x + i16::from(offset.0), y + i16::from(offset.1));
            let is_inside = (0..width as i16).contains(&x) && (0..height as i16).contains(&y);
            match is_inside && self.all.has(at) {
                true => sites[y as usize * width + x as usize],
                false => NOWHERE,
            }
        };
        let next = (0..self.positions).map(neighbour).collect();
        self.directions.push(offset);
        self.next.push(next);
        self.directions.len() - 1
    }

    /// Returns the number of sites.
    pub(crate) fn sites(&self) -> usize {
        self.all.count() as usize
    }

    /// Returns the numbers of columns and rows.
    pub(crate) fn size(&self) -> (usize, usize) {
        let size = |of: fn(&(i16, i16)) -> i16| self.places.iter().map(of).max().unwrap_or(0) + 1;
        (size(|place| place.0) as usize, size(|place| place.1) as usize)
    }

    /// Returns the sites at the places for which `keep` holds.
    pub(crate) fn at(&self, keep: impl Fn(i16, i16) -> bool) -> Bits {
        let kept = |&at: &usize| keep(self.places[at].0, self.places[at].1);
        Set::of((0..self.positions).filter(kept)).and(self.all)
    }

    /// Returns a set as seen by a player who sits on the other side.
    pub(crate) fn turn(&self, set: Bits) -> Bits {
        let turned = set.sites().map(|at| usize::from(self.turned[at]));
        Set::of(turned.filter(|&at| at < self.positions))
    }

    /// Returns whether the board looks the same from the other side.
    pub(crate) fn can_face(&self) -> bool {
        !self.turned.contains(&NOWHERE) && self.turn(self.all) == self.all
    }

    /// Returns one direction of each pair of opposite ones.
    pub(crate) fn axes(&self) -> impl Iterator<Item = usize> {
        let neighbours = self.directions.iter().take(self.neighbours);
        let kept = |&(_, &(x, y)): &(usize, &(i8, i8))| x > 0 || x == 0 && y > 0;
        neighbours.enumerate().filter(kept).map(|(at, _)| at)
    }

    /// Returns the directions to neighbours.
    pub(crate) fn ways(&self) -> std::ops::Range<usize> {
        0..self.neighbours
    }

    pub(crate) fn is_hex(&self) -> bool {
        matches!(self.kind, BoardKind::Rhombus | BoardKind::Hexagon | BoardKind::Star)
    }
}

/// Returns the name of a place: columns are letters, rows are numbers from 1.
pub(crate) fn site_name(x: i16, y: i16) -> String {
    let letter = |at: i16| char::from(b'a' + (at.clamp(0, 25)) as u8);
    if x < 26 {
        format!("{}{}", letter(x), y + 1)
    } else {
        format!("{}{}{}", letter(x / 26 - 1), letter(x % 26), y + 1)
    }
}

/// Reads a name such as `a1`.
pub(crate) fn coordinates(name: &str) -> Option<(i16, i16)> {
    let mut chars = name.chars();
    let x = chars.next().filter(char::is_ascii_lowercase)? as i16 - 'a' as i16;
    let y: i16 = chars.as_str().parse().ok().filter(|y| (1..=26).contains(y))?;
    Some((x, y - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexagons_have_the_sites_of_their_side() {
        for (side, sites) in [(1, 1), (2, 7), (3, 19), (5, 61)] {
            assert_eq!(Board::hexagon(side).sites(), sites);
        }
    }

    #[test]
    fn diagonal_steps_on_dark_squares_are_shifts() {
        for (width, height, positions) in [(8, 8, 36), (10, 10, 55), (12, 12, 78), (7, 5, 18)] {
            let board = Board::square(width, height, Kept::Dark);
            assert_eq!(board.positions, positions);
            for way in [1, 3, 5, 7] {
                let mut by = board.next[way].iter().enumerate();
                let far =
                    |(at, &to): (usize, &u16)| (to != NOWHERE).then(|| i32::from(to) - at as i32);
                let first = by.find_map(far);
                assert!(by.filter_map(far).all(|other| Some(other) == first), "{width} {way}");
            }
            let names: Vec<&String> = board.all.sites().map(|at| &board.names[at]).collect();
            assert_eq!(names[..2], ["a1", "c1"]);
            assert_eq!(board.can_face(), (width + height) % 2 == 0, "{width} by {height}");
        }
    }

    #[test]
    fn the_ring_goes_round_both_rows() {
        let board = Board::track(6, true);
        let names: Vec<&str> = board.names.iter().map(String::as_str).collect();
        assert_eq!(names[5..9], ["f1", "store1", "f2", "e2"]);
        assert_eq!((board.turned[0], board.turned[6]), (7, 13));
    }

    #[test]
    fn points_on_lines_are_neighbours_in_one_direction() {
        let board = Board::lines(&[vec!["a1", "d1", "g1"], vec!["a1", "a4"]]).unwrap();
        let at = |name: &str| board.names.iter().position(|other| other == name).unwrap();
        let east = board.directions.iter().position(|way| *way == (1, 0)).unwrap();
        assert_eq!(usize::from(board.next[east][at("a1")]), at("d1"));
        assert_eq!(board.next[east][at("g1")], NOWHERE);
        let twice = Board::lines(&[vec!["a1", "d1"], vec!["a1", "g1"]]).unwrap_err();
        assert!(twice.2.contains("two neighbours"), "{twice:?}");
    }
}
