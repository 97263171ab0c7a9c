//! The arrays that steps are written into: borrowed ones, and some to own.

use crate::{Autoreset, Cells, Numbers, Shape, VectorError};

/// Where a step is written; row `i` of each array is for table `i`.
///
/// When a game has ended its mask is all false and `seats` is -1, unless a new one
/// began in the same step.
#[derive(Debug)]
pub struct Frame<'a> {
    /// `[tables, width]`: what the seat sees that decides, or decided last.
    pub observations: Cells<'a>,
    /// `[tables, actions]`: which actions are legal.
    pub masks: &'a mut [bool],
    /// `[tables, rewards]`: what the learner got in this step; what each seat got, when
    /// the caller has all seats.
    pub rewards: &'a mut [f32],
    /// `[tables]`: whether the game ended in this step.
    pub terminated: &'a mut [bool],
    /// `[tables]`: whether it was cut off in this step.
    pub truncated: &'a mut [bool],
    /// `[tables]`: the seat that decides.
    pub seats: &'a mut [i8],
    /// `[tables, width]`: what was seen at the end of the games that ended in this step,
    /// where a new one began in the same step; other rows are left alone. Needed with
    /// [`Autoreset::SameStep`] alone.
    pub finals: Option<Cells<'a>>,
}

/// Where the questions to opponents outside are written, one row each.
#[derive(Debug)]
pub struct Questions<'a> {
    /// `[questions, width]`: what they see.
    pub observations: Cells<'a>,
    /// `[questions, actions]`: which actions are legal.
    pub masks: &'a mut [bool],
    /// `[questions]`: the seat that is asked.
    pub seats: &'a mut [i8],
    /// `[questions]`: the table.
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

    /// The parts for `size` tables each.
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

/// Arrays of the right size, for callers in Rust.
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
    /// Arrays for a vector of tables.
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

    /// All of them, to be written.
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
