//! Boards of points on lines.

use crate::board::{Board, BoardKind, NOWHERE, SQUARE, coordinates, site_name};
use crate::set::{MAX_SITES, Set};

impl Board {
    /// Makes a board of named points on lines. The neighbours of a point are those before and
    /// after it on a line, in the direction of their coordinates.
    ///
    /// # Errors
    ///
    /// The index of the line and of the point that is no coordinate, is too far, or has a
    /// second neighbour in one direction, with a sentence.
    pub(crate) fn lines(lines: &[Vec<&str>]) -> Result<Self, (usize, usize, String)> {
        let mut found: Vec<(i16, i16)> = Vec::new();
        for (line, points) in lines.iter().enumerate() {
            for (at, point) in points.iter().enumerate() {
                let Some(place) = coordinates(point) else {
                    let message = format!("expected a point such as a1 or c12, found `{point}`");
                    return Err((line, at, message));
                };
                found.push(place);
            }
        }
        found.sort_unstable_by_key(|&(x, y)| (y, x));
        found.dedup();
        if found.is_empty() || found.len() > MAX_SITES {
            let message = format!("a board has 1 to {MAX_SITES} sites, this has {}", found.len());
            return Err((0, 0, message));
        }
        let positions = found.len();
        let at = |(x, y): (i16, i16)| found.binary_search_by_key(&(y, x), |&(x, y)| (y, x)).ok();
        let (width, height) = found.iter().fold((0, 0), |(w, h), &(x, y)| (w.max(x), h.max(y)));
        let turned = |&(x, y): &(i16, i16)| at((width - x, height - y));
        let mut board = Self {
            kind: BoardKind::Lines,
            positions,
            all: Set::of(0..positions),
            names: found.iter().map(|&(x, y)| site_name(x, y)).collect(),
            directions: SQUARE.to_vec(),
            neighbours: SQUARE.len(),
            next: vec![vec![NOWHERE; positions]; SQUARE.len()],
            turned: found
                .iter()
                .map(|place| turned(place).map_or(NOWHERE, |at| at as u16))
                .collect(),
            rank: Vec::new(),
            places: found.clone(),
        };
        for (number, points) in lines.iter().enumerate() {
            let places: Vec<(i16, i16)> = points.iter().filter_map(|p| coordinates(p)).collect();
            for (index, pair) in places.windows(2).enumerate() {
                let (one, other) = (pair[0], pair[1]);
                let sign = |a: i16, b: i16| (b - a).signum() as i8;
                for (from, to) in [(one, other), (other, one)] {
                    let offset = (sign(from.0, to.0), sign(from.1, to.1));
                    let (Some(direction), Some(source), Some(target)) =
                        (SQUARE.iter().position(|way| *way == offset), at(from), at(to))
                    else {
                        return Err((number, index + 1, "this point follows itself".into()));
                    };
                    let next = &mut board.next[direction][source];
                    if *next != NOWHERE && *next != target as u16 {
                        let message = format!(
                            "{} has two neighbours in this direction, {} and {}",
                            board.names[source],
                            board.names[usize::from(*next)],
                            board.names[target]
                        );
                        return Err((number, index + 1, message));
                    }
                    *next = target as u16;
                }
            }
        }
        Ok(board.number())
    }
}
