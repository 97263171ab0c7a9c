//! Flat register code: what the rules of one seat become.

mod ins;

use crate::lanes::{AxisLanes, NeighbourLanes};
use crate::link::Linked;
use crate::set::{Pair, Set, Step};
pub(crate) use ins::Ins;

/// What the actions of one rule in one direction have in common.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The action id of each target, for entries with sites; of the action itself without.
    pub(crate) ids: Box<[u16]>,
    /// Where the effects begin.
    pub(crate) effect: usize,
    /// Where the condition begins that is judged after the effects.
    pub(crate) such_that: Option<usize>,
    pub(crate) is_pass: bool,
    /// Whether it is offered only if it leads to a longest chain.
    pub(crate) is_longest: bool,
    /// Whether only the mover sees which action it is.
    pub(crate) is_secret: bool,
    /// The sites of an action by its target.
    pub(crate) shape: Shape,
}

impl Entry {
    /// Returns whether the targets are judged one by one.
    pub(crate) fn is_judged(&self) -> bool {
        self.such_that.is_some() || self.is_longest
    }
}

/// How the sites of an action follow from its target.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// No site at all.
    Word,
    /// The target alone.
    Target,
    /// The source of each target, and the site between them.
    Move { from: Box<[u16]>, over: Box<[u16]>, captures: bool },
    /// One source for all targets.
    From(u16),
    /// The target is the source.
    Source,
    /// The targets are the sites that a table has for this one, a row up to another site.
    Strip { table: u8, last: Box<[u16]> },
    /// The target is a card.
    Card,
    /// The target is a number, counted from this one.
    Number(i16),
}

/// An action id with what it stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoded {
    pub(crate) entry: u16,
    pub(crate) site: u16,
}

/// The code of one seat.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeatCode {
    /// Where the code begins that offers the actions of each phase.
    pub(crate) phases: Vec<usize>,
    /// Where the effects of a roll or a deal begin, in phases that are chance nodes.
    pub(crate) rolls: Vec<Option<usize>>,
    /// Where the ends are judged after this seat has acted.
    pub(crate) ends: usize,
    pub(crate) entries: Vec<Entry>,
    pub(crate) actions: Vec<Decoded>,
}

/// The code of a game, for sets of `W` words.
#[derive(Clone, Debug)]
pub(crate) struct Code<const W: usize> {
    pub(crate) linked: Linked,
    pub(crate) constants: Vec<Set<W>>,
    pub(crate) steps: Vec<Step<W>>,
    /// The number of steps that lead to neighbours.
    pub(crate) ways: usize,
    /// The steps to neighbours as pairs of opposite ones; none where the board is not regular.
    pub(crate) pairs: Vec<Pair<W>>,
    /// For each axis, steps by 1, 2, 3 and more sites, and the same backwards.
    pub(crate) axes: Vec<(Vec<Step<W>>, Vec<Step<W>>)>,
    /// The steps to neighbours side by side, where the board allows it.
    pub(crate) neighbours: Option<NeighbourLanes>,
    /// The steps of all axes side by side, where the board allows it.
    pub(crate) axis_lanes: Option<AxisLanes>,
    pub(crate) all: Set<W>,
    /// The neighbours on a track.
    pub(crate) ring: Vec<u16>,
    pub(crate) opposite: Vec<u16>,
    /// The number of cards of one rank.
    pub(crate) suits: usize,
    /// The cards of each suit.
    pub(crate) suit_sets: Vec<Set<W>>,
    /// What a card of each rank is worth.
    pub(crate) worth: Vec<i16>,
    pub(crate) tables: Vec<Box<[Set<W>]>>,
    pub(crate) loops: Vec<Loop>,
    pub(crate) history: Option<History>,
    /// The register of the piece that goes on in a chain.
    pub(crate) chain: Option<u8>,
    /// The bounds of `with`.
    pub(crate) bounds: Vec<(i16, i16)>,
    /// The bounds of the state's numbers, and whether they are capped.
    pub(crate) numbers: Vec<(i16, i16, bool)>,
    /// The steps of each list of directions.
    pub(crate) fans: Vec<Vec<Step<W>>>,
}

/// A closed track on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loop {
    pub(crate) sites: Vec<u16>,
    /// Whether the way from each site to the next one is a bend: they are no neighbours.
    pub(crate) bends: Vec<bool>,
}

/// What a state remembers of former positions: how the pieces stood after the last event, and all
/// changes of sites before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct History {
    /// The most changes.
    pub(crate) changes: u16,
    /// The registers of pieces.
    pub(crate) sets: u64,
}

impl History {
    /// Returns the words of the latest position, for sets of `width` words.
    pub(crate) fn latest(self, width: usize) -> usize {
        self.sets.count_ones() as usize * width
    }

    /// Returns the words of all: the latest position, the pieces that were ever taken off, and the
    /// changes after their number.
    pub(crate) fn words(self, width: usize) -> usize {
        2 * self.latest(width) + (1 + usize::from(self.changes)).div_ceil(4)
    }
}
