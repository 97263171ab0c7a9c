//! What is remembered of every decision on one board: regrets and sums of strategies.

use crate::boards::Board;
use crate::cell::Cell;
use crate::streets::{StreetNode, StreetPlan};

/// The numbers of one board, by the player who acts: `[actions, hands]` for each decision.
#[derive(Debug)]
pub(crate) struct Store<R, S> {
    pub(crate) regrets: [Vec<R>; 2],
    pub(crate) sums: [Vec<S>; 2],
    /// One scale for each decision.
    pub(crate) regret_scales: [Vec<f32>; 2],
    pub(crate) sum_scales: [Vec<f32>; 2],
    /// The decisions whose strategy is fixed, in order; their sums are the strategy.
    pub(crate) locked: [Vec<u32>; 2],
}

impl<R: Cell, S: Cell> Store<R, S> {
    pub(crate) fn new(plan: &StreetPlan, board: &Board) -> Self {
        let cells = [0, 1].map(|seat: usize| plan.cells[seat] * board.hands[seat].row);
        let scales =
            |exact: bool| plan.decisions.map(|count| vec![1.0; if exact { 1 } else { count }]);
        Self {
            regrets: cells.map(|count| vec![R::default(); count]),
            sums: cells.map(|count| vec![S::default(); count]),
            regret_scales: scales(R::EXACT),
            sum_scales: scales(S::EXACT),
            locked: [Vec::new(), Vec::new()],
        }
    }

    /// The bytes of [`new`](Self::new).
    pub(crate) fn bytes(plan: &StreetPlan, board: &Board) -> u64 {
        let sides = (0..2).map(|seat| {
            let cells =
                plan.cells[seat] * board.hands[seat].row * (size_of::<R>() + size_of::<S>());
            let scales = if R::EXACT { 1 } else { plan.decisions[seat] };
            cells + 2 * size_of::<f32>() * scales
        });
        sides.sum::<usize>() as u64
    }

    /// Where the cells of a decision are, whose rows have `row` entries.
    pub(crate) fn cells(node: &StreetNode, row: usize) -> std::ops::Range<usize> {
        node.cells as usize * row..(node.cells + node.actions) as usize * row
    }

    pub(crate) fn scale(node: &StreetNode) -> usize {
        if R::EXACT { 0 } else { node.decision as usize }
    }

    pub(crate) fn is_locked(&self, seat: usize, node: &StreetNode) -> bool {
        let locked = &self.locked[seat];
        !locked.is_empty() && locked.binary_search(&node.decision).is_ok()
    }
}
