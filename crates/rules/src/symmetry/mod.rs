//! Symmetries of the board that the rules keep: found among those of its sites and directions, and
//! proven on the checked rules, not by playing.
//!
//! A candidate maps sites and directions. It is a symmetry of the game if the initial state is its
//! own image, and if the rules are: mapping all sites, directions and actions in them gives the
//! same rules again, but for the order of what has none (`canon`). By induction, the image of every
//! game is then a game with the same results. Rules that this does not recognize, such as those
//! about cards and heaps, have no symmetries.

mod canon;
mod entries;

use meeple_game::{Action, Symmetry};
use rustc_hash::FxHashMap;

use crate::board::{Board, BoardKind, NOWHERE};
use crate::errors::Problems;
use crate::lower::{Lowered, lower_with_statements};
use crate::observe::Part;
use crate::parser::parse;
use crate::program::Program;
use crate::set::{Bits, Set};
use crate::state::FileGame;
use crate::tree::Statement;
use canon::Canon;

/// The statements of each block of code, by where it begins.
type Blocks = FxHashMap<usize, Vec<Statement>>;

/// A map of the board onto itself.
#[derive(Clone, Debug, PartialEq, Eq)]
struct BoardMap {
    /// The image of each site; positions that are no sites stay.
    sites: Vec<u16>,
    /// The image of each direction.
    ways: Vec<u8>,
}

impl<const WORDS: usize> FileGame<WORDS> {
    /// Returns the symmetries that the rules are proven to have, without the identity.
    pub(crate) fn symmetries(&self) -> Vec<Symmetry> {
        self.program().symmetries()
    }
}

impl Program {
    fn symmetries(&self) -> Vec<Symmetry> {
        let rules = &self.rules;
        let has_sites_alone = rules.heaps.is_empty() && rules.cards.names.is_empty();
        if matches!(rules.board.kind, BoardKind::Track | BoardKind::None) || !has_sites_alone {
            return Vec::new();
        }
        let mut problems = Problems::default();
        let tree = parse(&self.text, &mut problems);
        let Some((_, statements)) = lower_with_statements(&tree, &rules.options, &mut problems)
        else {
            return Vec::new();
        };
        let blocks: Blocks = statements.into_iter().collect();
        let mut found = Vec::new();
        for map in maps(&rules.board) {
            // Maps of the same sites can differ in directions that no site has.
            if let Some(symmetry) = self.symmetry(&map, &blocks)
                && !found.contains(&symmetry)
            {
                found.push(symmetry);
            }
        }
        found
    }

    /// Returns the symmetry of the game that maps the board so, if it is proven.
    fn symmetry(&self, map: &BoardMap, blocks: &Blocks) -> Option<Symmetry> {
        let rules = &self.rules;
        let is_kept = |register| {
            let set = self.set_in(&self.first, register);
            map.image(set) == set
        };
        let faces = |at: usize| {
            let turned = |at: usize| rules.board.turned[at];
            map.sites[usize::from(turned(at))] == turned(usize::from(map.sites[at]))
        };
        if !(0..rules.sets).all(is_kept) || rules.facing && !rules.board.all.sites().all(faces) {
            return None;
        }
        let identity = BoardMap::identity(&rules.board);
        let mut actions: Vec<Option<u16>> = vec![None; rules.ids];
        for seat in &rules.seats {
            let entries = entries::images(map, rules, seat)?;
            let unmoved: Vec<u16> = (0..seat.entries.len() as u16).collect();
            let image = Canon::new(map, &entries, rules, &seat.entries);
            let plain = Canon::new(&identity, &unmoved, rules, &seat.entries);
            let is_same = |block: usize, other: usize| {
                let (Some(one), Some(other)) = (blocks.get(&block), blocks.get(&other)) else {
                    return false;
                };
                matches!((image.block(one), plain.block(other)), (Some(a), Some(b)) if a == b)
            };
            let code = seat.phases.iter().chain(seat.rolls.iter().flatten()).chain([&seat.ends]);
            if !code.clone().all(|&block| is_same(block, block)) {
                return None;
            }
            let mut compared = rustc_hash::FxHashSet::default();
            for (entry, &to) in seat.entries.iter().zip(&entries) {
                let other = &seat.entries[usize::from(to)];
                let effects = [(Some(entry.effect), Some(other.effect))];
                for pair in effects.into_iter().chain([(entry.such_that, other.such_that)]) {
                    let holds = match pair {
                        (None, None) => true,
                        (Some(a), Some(b)) => !compared.insert((a, b)) || is_same(a, b),
                        _ => false,
                    };
                    if !holds {
                        return None;
                    }
                }
            }
            entries::map_actions(map, seat, &entries, &mut actions)?;
        }
        let actions: Vec<u16> = (0..).zip(&actions).map(|(id, to)| to.unwrap_or(id)).collect();
        let mut sorted = actions.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let cells = cells(map, rules, &self.parts)?;
        (sorted.len() == actions.len())
            .then(|| Symmetry::new(cells, actions.into_iter().map(Action)))
    }
}

/// Returns from which cell of an observation each cell of its image comes.
fn cells(map: &BoardMap, rules: &Lowered, parts: &[Part]) -> Option<Vec<usize>> {
    let (board, mut cells) = (&rules.board, Vec::new());
    let mut plane = vec![0; board.sites()];
    for site in board.all.sites() {
        let rank = |at: usize| usize::from(board.rank[at]);
        plane[rank(usize::from(map.sites[site]))] = rank(site);
    }
    for part in parts {
        let first = cells.len();
        match part {
            Part::Plane { .. } | Part::Shown { .. } | Part::Refused => {
                cells.extend(plane.iter().map(|cell| first + cell));
            }
            Part::Each { .. } | Part::Out => cells.extend(first..first + rules.players),
            Part::Count { .. }
            | Part::Number { .. }
            | Part::Own { .. }
            | Part::Phase
            | Part::Mover => cells.push(first),
            Part::Heap { .. } | Part::Pile { .. } => return None,
        }
    }
    Some(cells)
}

impl BoardMap {
    fn identity(board: &Board) -> Self {
        let ways = (0..board.directions.len() as u8).collect();
        Self { sites: (0..board.positions as u16).collect(), ways }
    }

    fn image(&self, set: Bits) -> Bits {
        Set::of(set.sites().map(|site| match self.sites.get(site) {
            Some(&to) => usize::from(to),
            None => site,
        }))
    }
}

/// Returns the maps of a board that keep its sites, directions and neighbours, without the
/// identity: reflections and rotations about its centre.
fn maps(board: &Board) -> Vec<BoardMap> {
    let identity = BoardMap::identity(board);
    let entry = || -1..=1i16;
    let matrices = entry().flat_map(|a| {
        entry().flat_map(move |b| entry().flat_map(move |c| entry().map(move |d| [a, b, c, d])))
    });
    let found = matrices.filter_map(|matrix| map_by(board, matrix));
    found.filter(|map| map.sites != identity.sites).collect()
}

/// Returns the map of a board by a matrix, applied about the centre.
fn map_by(board: &Board, [a, b, c, d]: [i16; 4]) -> Option<BoardMap> {
    let by = |(x, y): (i16, i16)| (a * x + b * y, c * x + d * y);
    let at: FxHashMap<(i16, i16), u16> =
        board.all.sites().map(|site| (board.places[site], site as u16)).collect();
    let ends = |of: fn(&(i16, i16)) -> i16| {
        let all = || at.keys().map(of);
        Some(all().min()? + all().max()?)
    };
    // Twice the coordinates of the centre.
    let (x0, y0) = (ends(|place| place.0)?, ends(|place| place.1)?);
    let mut map = BoardMap::identity(board);
    let mut taken = Set::NONE;
    for site in board.all.sites() {
        let (x, y) = board.places[site];
        let (x, y) = by((2 * x - x0, 2 * y - y0));
        let (x, y) = (x + x0, y + y0);
        let is_place = x % 2 == 0 && y % 2 == 0;
        let to = *at.get(&(x / 2, y / 2)).filter(|_| is_place)?;
        map.sites[site] = to;
        taken = taken.or(Set::one(to.into()));
    }
    if taken != board.all {
        return None;
    }
    for (way, &(x, y)) in board.directions.iter().enumerate() {
        let to = by((x.into(), y.into()));
        let is_image = |&(x, y): &(i8, i8)| (i16::from(x), i16::from(y)) == to;
        let image = board.directions.iter().position(is_image)?;
        // Neighbours have other meanings than directions of leaps.
        if (way < board.neighbours) != (image < board.neighbours) {
            return None;
        }
        map.ways[way] = image as u8;
        for site in board.all.sites() {
            let next = match board.next[way][site] {
                NOWHERE => NOWHERE,
                next => map.sites[usize::from(next)],
            };
            if board.next[image][usize::from(map.sites[site])] != next {
                return None;
            }
        }
    }
    Some(map)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Kept;

    #[test]
    fn boards_have_the_symmetries_of_their_shape() {
        let count = |board: &Board| maps(board).len();
        assert_eq!(count(&Board::square(5, 5, Kept::All)), 7);
        assert_eq!(count(&Board::square(4, 6, Kept::All)), 3);
        assert_eq!(count(&Board::square(8, 8, Kept::Dark)), 3, "both diagonals and a half turn");
        assert_eq!(count(&Board::rhombus(5)), 3, "both diagonals and a half turn");
        assert_eq!(count(&Board::hexagon(4)), 11);
        assert_eq!(count(&Board::dots(3, 3)), 7);
        let row = Board::lines(&[vec!["a1", "b1", "c1"]]).unwrap();
        assert_eq!(count(&row), 2, "directions without neighbours are mapped in two ways");
    }
}
