//! Values where betting has ended, for up to sixteen rows of the opponent's reach at once.
//!
//! The rows are laid side by side, so that every step of the pass over the hands is one
//! instruction for sixteen terminals.

use crate::boards::Board;
use crate::kernel::{Factors, Lanes, sweep, transpose_into, transpose_out};
use crate::streets::{LANES, Lane};

/// Room for the rows of one batch, transposed.
#[derive(Clone, Debug)]
pub(crate) struct LaneBuffers {
    reach: Vec<Lanes>,
    showdowns: Vec<Lanes>,
    folds: Vec<Lanes>,
}

impl LaneBuffers {
    pub(crate) fn new(rows: [usize; 2]) -> Self {
        let row = vec![Lanes::default(); rows[0].max(rows[1])];
        Self { reach: row.clone(), showdowns: row.clone(), folds: row }
    }

    pub(crate) fn bytes(rows: [usize; 2]) -> usize {
        3 * rows[0].max(rows[1]) * size_of::<Lanes>()
    }
}

/// Writes the values of the terminals of up to sixteen lanes for the hands of player
/// `seat`. Row `r` of the opponent's reach begins at `(r - first_row)` rows in `reach`,
/// and likewise the values of a node.
pub(crate) fn evaluate(
    board: &Board,
    seat: usize,
    lanes: &[Lane],
    (reach, first_row): (&[f32], usize),
    (values, first_node): (&mut [f32], usize),
    buffers: &mut LaneBuffers,
) {
    let (own, other) = (&board.hands[seat], &board.hands[1 - seat]);
    let row_of = |lane: &Lane| (lane.row as usize - first_row) * other.row;
    for (half, lanes) in lanes.chunks(LANES / 2).enumerate() {
        let mut starts = [row_of(&lanes[0]); LANES / 2];
        for (start, lane) in starts.iter_mut().zip(lanes) {
            *start = row_of(lane);
        }
        transpose_into(reach, &starts, other.row, half, &mut buffers.reach);
    }
    let factors = Factors::new(lanes);
    let LaneBuffers { reach, showdowns, folds } = buffers;
    sweep(board, seat, &factors, reach, showdowns, folds);
    let place_of = |node: u32| (node as usize - first_node) * own.row;
    for (half, lanes) in lanes.chunks(LANES / 2).enumerate() {
        let mut places = [None; LANES / 2];
        for (place, lane) in places.iter_mut().zip(lanes) {
            *place = lane.showdown.map(|(node, _)| place_of(node));
        }
        transpose_out(showdowns, own.row, half, &places, values);
        for (place, lane) in places.iter_mut().zip(lanes) {
            *place = lane.fold.map(|(node, _)| place_of(node));
        }
        transpose_out(folds, own.row, half, &places, values);
    }
}
