//! The inputs of the value network: a sparse description of a board.

use super::super::board::{BAR, Board, CHECKERS, POINTS};
use super::expert;

/// Inputs for each place of a side: one, two, three or more checkers, and those beyond three.
const EACH: usize = 4;
/// Inputs for the checkers borne off, five each.
const OFF: usize = 3;
/// Inputs for the places of a side.
const SIDE: usize = (BAR + 1) * EACH + OFF;
/// The number of inputs of a position with contact.
pub(super) const CONTACT: usize = 2 * SIDE + 2 * expert::COUNT;
/// The number of inputs of a race, with pips and crossovers of each side.
pub(super) const RACE: usize = 2 * SIDE + 2 * 2;
/// The maximum number of inputs other than 0.
const MOST: usize = 96;

/// The inputs other than 0.
#[derive(Clone, Debug)]
pub(super) struct Inputs {
    count: usize,
    at: [u16; MOST],
    values: [f32; MOST],
}

impl Inputs {
    pub(super) const NONE: Self = Self { count: 0, at: [0; MOST], values: [0.0; MOST] };

    #[inline]
    pub(super) fn push(&mut self, at: usize, value: f32) {
        self.at[self.count] = at as u16;
        self.values[self.count] = value;
        self.count += 1;
    }

    /// Each input and its value.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        self.at[..self.count].iter().zip(&self.values).map(|(&at, &value)| (at.into(), value))
    }

    /// The inputs of a position with contact, in which side `first` rolls next.
    pub(super) fn of_contact(board: &Board, first: usize) -> Self {
        let mut inputs = Self::NONE;
        for (number, side) in [first, 1 - first].into_iter().enumerate() {
            inputs.push_places(board, side, number * SIDE);
            for (at, value) in expert::features(board, side).into_iter().enumerate() {
                inputs.push(2 * SIDE + number * expert::COUNT + at, value);
            }
        }
        inputs
    }

    /// The inputs of a race in which side `first` rolls next.
    pub(super) fn of_race(board: &Board, first: usize) -> Self {
        let mut inputs = Self::NONE;
        for (number, side) in [first, 1 - first].into_iter().enumerate() {
            inputs.push_places(board, side, number * SIDE);
            let (mut pips, mut crossovers) = (0, 0);
            for point in 0..POINTS {
                let checkers = usize::from(board.checkers(side, point));
                pips += (point + 1) * checkers;
                crossovers += point / 6 * checkers;
            }
            inputs.push(2 * SIDE + 2 * number, pips as f32 / 50.0);
            inputs.push(2 * SIDE + 2 * number + 1, crossovers as f32 / 10.0);
        }
        inputs
    }

    /// Adds the inputs for the places of a side, from input `start` on.
    fn push_places(&mut self, board: &Board, side: usize, start: usize) {
        let mut left = CHECKERS;
        for point in 0..=BAR {
            let checkers = board.checkers(side, point);
            if checkers > 0 {
                left -= checkers;
                let first = start + EACH * point;
                self.push(first + usize::from(checkers.min(3)) - 1, 1.0);
                if checkers > 3 {
                    self.push(first + 3, f32::from(checkers - 3) / 2.0);
                }
            }
        }
        for at in 0..OFF {
            let beyond = f32::from(left) - 5.0 * at as f32;
            if beyond > 0.0 {
                self.push(start + EACH * (BAR + 1) + at, (beyond / 5.0).min(1.0));
            }
        }
    }
}
