//! How large a game is, told before any of it is allocated.

use std::fmt;

use serde::Serialize;

use crate::Error;
use crate::boards::Boards;
use crate::spot::Spot;
use crate::store::Store;
use crate::streets::{StreetPlan, streets};
use crate::tree::Tree;
use crate::walk::Workspace;

/// The size of a game and the memory that solving it takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemoryPlan {
    /// Nodes of the betting tree, before cards are dealt.
    pub betting_nodes: usize,
    /// Boards that are solved, up to suit isomorphism.
    pub boards: usize,
    /// Hands of each player on the first board.
    pub hands: [usize; 2],
    /// Decisions of both players on all boards.
    pub decisions: u64,
    /// Bytes with 32-bit floats.
    pub bytes: u64,
    /// Bytes with 16-bit numbers.
    pub compressed_bytes: u64,
}

impl MemoryPlan {
    /// The bytes with or without compression.
    #[must_use]
    pub fn bytes_if(&self, compressed: bool) -> u64 {
        if compressed { self.compressed_bytes } else { self.bytes }
    }
}

fn megabytes(bytes: u64) -> String {
    if bytes < 10 << 30 {
        format!("{:.1} MB", bytes as f64 / f64::from(1 << 20))
    } else {
        format!("{:.1} GB", bytes as f64 / f64::from(1 << 30))
    }
}

impl fmt::Display for MemoryPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} betting nodes on {} boards, {} and {} hands: {} as 32-bit floats, {} as 16-bit \
             numbers",
            self.betting_nodes,
            self.boards,
            self.hands[0],
            self.hands[1],
            megabytes(self.bytes),
            megabytes(self.compressed_bytes),
        )
    }
}

/// The sentence for a game that exceeds `limit`, and what would make it fit.
pub(crate) fn too_large(f: &mut fmt::Formatter<'_>, plan: &MemoryPlan, limit: u64) -> fmt::Result {
    write!(f, "the game does not fit in {}: {plan}; ", megabytes(limit))?;
    if plan.compressed_bytes <= limit {
        f.write_str("with 16-bit storage it fits")
    } else {
        let times = plan.compressed_bytes as f64 / limit as f64;
        write!(
            f,
            "it needs to be {times:.1} times smaller: give fewer sizes (raises and the sizes of \
             early streets count most), a larger force-all-in or merge threshold, or narrower \
             ranges"
        )
    }
}

/// A spot with its tree and boards, ready to be solved.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) tree: Tree,
    pub(crate) streets: Vec<StreetPlan>,
    pub(crate) boards: Boards,
}

impl Layout {
    pub(crate) fn new(spot: &Spot) -> Result<Self, Error> {
        let street = spot.street()?;
        let tree = Tree::new(&spot.tree, street)?;
        let streets = streets(&tree, &spot.tree);
        let boards = Boards::new(spot.board, &spot.ranges, spot.isomorphism)?;
        Ok(Self { tree, streets, boards })
    }

    /// The street of a board, counted from the first.
    pub(crate) fn level(&self, board: usize) -> usize {
        self.boards.all[board].cards.len() - self.boards.all[0].cards.len()
    }

    pub(crate) fn memory(&self, threads: usize) -> MemoryPlan {
        let (mut full, mut half, mut decisions, mut tables) = (0, 0, 0, 0);
        for (id, board) in self.boards.all.iter().enumerate() {
            let plan = &self.streets[self.level(id)];
            full += Store::<f32, f32>::bytes(plan, board);
            half += Store::<i16, u16>::bytes(plan, board);
            decisions += plan.decisions.iter().sum::<usize>() as u64;
            tables += board.bytes();
        }
        let rest = tables + Workspace::bytes(&self.boards, &self.streets, threads);
        MemoryPlan {
            betting_nodes: self.tree.nodes.len(),
            boards: self.boards.all.len(),
            hands: [0, 1].map(|seat: usize| self.boards.all[0].hands[seat].combos.len()),
            decisions,
            bytes: full + rest,
            compressed_bytes: half + rest,
        }
    }
}
