//! The arrays that steps are written into, borrowed or owned.

use crate::{Autoreset, Cells, Numbers, Shape, VectorError};

/// The output of a step; row `i` of each array belongs to table `i`.
///
/// After the end of a game its mask is all false and `seats` is -1, unless a new game began in
/// the same step.
#[derive(Debug)]
pub struct Frame<'a> {
    /// `[tables, width]`: the observation of the seat to move, or of the one that moved last.
    pub observations: Cells<'a>,
    /// `[tables, actions]`: the mask of legal actions.
    pub masks: &'a mut [bool],
    /// `[tables, rewards]`: the reward of the learner in this step, or of each seat when the
    /// caller plays all seats.
    pub rewards: &'a mut [f32],
    /// `[tables]`: whether the episode ended in this step.
    pub terminated: &'a mut [bool],
    /// `[tables]`: whether the episode was truncated in this step.
    pub truncated: &'a mut [bool],
    /// `[tables]`: the seat to move.
    pub seats: &'a mut [i8],
    /// `[tables, width]`: the final observations of the episodes that ended in this step,
    /// where a new one began in the same step; other rows are not written. Only
    /// [`Autoreset::SameStep`] needs it.
    pub finals: Option<Cells<'a>>,
}

/// The requests to external opponents, one row each.
#[derive(Debug)]
pub struct Questions<'a> {
    /// `[questions, width]`: their observations.
    pub observations: Cells<'a>,
    /// `[questions, actions]`: the masks of legal actions.
    pub masks: &'a mut [bool],
    /// `[questions]`: the seats to move.
    pub seats: &'a mut [i8],
    /// `[questions]`: the tables.
    pub tables: &'a mut [i64],
}

pub(crate) fn expect_length(
    what: &'static str,
    expected: usize,
    got: usize,
) -> Result<(), VectorError> {
    if got == expected { Ok(()) } else { Err(VectorError::Length { what, expected, got }) }
}

impl Questions<'_> {
    pub(crate) fn check(&self, shape: &Shape, count: usize) -> Result<(), VectorError> {
        self.observations.check("observations", shape.encoding, count * shape.width)?;
        expect_length("masks", count * shape.actions, self.masks.len())?;
        expect_length("seats", count, self.seats.len())?;
        expect_length("tables", count, self.tables.len())
    }
}

impl Frame<'_> {
    pub(crate) fn check(&self, shape: &Shape, autoreset: Autoreset) -> Result<(), VectorError> {
        let tables = shape.tables;
        self.observations.check("observations", shape.encoding, tables * shape.width)?;
        expect_length("masks", tables * shape.actions, self.masks.len())?;
        expect_length("rewards", tables * shape.rewards, self.rewards.len())?;
        expect_length("terminated", tables, self.terminated.len())?;
        expect_length("truncated", tables, self.truncated.len())?;
        expect_length("seats", tables, self.seats.len())?;
        match &self.finals {
            Some(finals) => finals.check("finals", shape.encoding, tables * shape.width),
            None if autoreset == Autoreset::SameStep => {
                expect_length("finals", tables * shape.width, 0)
            }
            None => Ok(()),
        }
    }

    /// Splits the arrays into chunks of `size` tables.
    pub(crate) fn chunks(self, shape: &Shape, size: usize) -> Vec<Self> {
        let mut chunks = Vec::with_capacity(shape.tables.div_ceil(size));
        let mut rest = self;
        while !rest.terminated.is_empty() {
            let tables = size.min(rest.terminated.len());
            let (observations, more_observations) = rest.observations.split(tables * shape.width);
            let (masks, more_masks) = rest.masks.split_at_mut(tables * shape.actions);
            let (rewards, more_rewards) = rest.rewards.split_at_mut(tables * shape.rewards);
            let (terminated, more_terminated) = rest.terminated.split_at_mut(tables);
            let (truncated, more_truncated) = rest.truncated.split_at_mut(tables);
            let (seats, more_seats) = rest.seats.split_at_mut(tables);
            let finals = rest.finals.map(|finals| finals.split(tables * shape.width));
            let (finals, more_finals) = finals.unzip();
            chunks.push(Self {
                observations,
                masks,
                rewards,
                terminated,
                truncated,
                seats,
                finals,
            });
            rest = Self {
                observations: more_observations,
                masks: more_masks,
                rewards: more_rewards,
                terminated: more_terminated,
                truncated: more_truncated,
                seats: more_seats,
                finals: more_finals,
            };
        }
        chunks
    }
}

/// Owned arrays of the right size, for callers in Rust.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrays {
    /// See [`Frame::observations`].
    pub observations: Numbers,
    /// See [`Frame::masks`].
    pub masks: Vec<bool>,
    /// See [`Frame::rewards`].
    pub rewards: Vec<f32>,
    /// See [`Frame::terminated`].
    pub terminated: Vec<bool>,
    /// See [`Frame::truncated`].
    pub truncated: Vec<bool>,
    /// See [`Frame::seats`].
    pub seats: Vec<i8>,
    /// See [`Frame::finals`].
    pub finals: Numbers,
}

impl Arrays {
    /// Creates arrays for a vector of tables.
    #[must_use]
    pub fn new(shape: &Shape) -> Self {
        let tables = shape.tables;
        let numbers = Numbers::new(shape.encoding, tables * shape.width);
        Self {
            observations: numbers.clone(),
            masks: vec![false; tables * shape.actions],
            rewards: vec![0.0; tables * shape.rewards],
            terminated: vec![false; tables],
            truncated: vec![false; tables],
            seats: vec![-1; tables],
            finals: numbers,
        }
    }

    /// Borrows all arrays as the output of a step.
    pub fn frame(&mut self) -> Frame<'_> {
        Frame {
            observations: self.observations.cells(),
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            seats: &mut self.seats,
            finals: Some(self.finals.cells()),
        }
    }
}
