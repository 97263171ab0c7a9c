//! The options of vectorized environments.

use meeple_bots::BotSpec;

use crate::Encoding;

/// The options of a vectorized environment.
#[derive(Clone, Debug)]
pub struct VectorOptions {
    /// The number of tables; 1 by default.
    pub tables: usize,
    /// The seats that the caller plays; all by default.
    pub learner: Learner,
    /// The players of the other seats: one for all of them, or one for each in the order in
    /// which they follow the learner. Must be empty when the caller plays all seats.
    pub opponents: Vec<Opponent>,
    /// When a new game begins at a table whose game has ended.
    pub autoreset: Autoreset,
    /// The treatment of illegal actions.
    pub illegal: Illegal,
    /// The number of the caller's decisions after which an episode is truncated.
    pub max_steps: Option<u32>,
    /// The encoding of observations; by default the narrowest integers that fit.
    pub encoding: Option<Encoding>,
    /// The number of threads; 0 means one per core.
    pub threads: usize,
}

impl Default for VectorOptions {
    fn default() -> Self {
        Self {
            tables: 1,
            learner: Learner::All,
            opponents: Vec::new(),
            autoreset: Autoreset::NextStep,
            illegal: Illegal::Refuse,
            max_steps: None,
            encoding: None,
            threads: 0,
        }
    }
}

/// The seats that the caller plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learner {
    /// All of them: self-play. Every observation is that of the seat to move.
    All,
    /// This one.
    Seat(usize),
    /// One, which moves on by one seat from game to game, and from table to table.
    Rotating,
}

/// The player of a seat that is not the learner's.
#[derive(Clone, Debug, PartialEq)]
pub enum Opponent {
    /// A bot. External programs are not supported.
    Bot(BotSpec),
    /// An external opponent, such as another policy of the caller, which is asked in batches:
    /// see [`VectorEnv::questions`](crate::VectorEnv::questions).
    Outside,
}

/// When a new game begins after one has ended or was truncated, with the modes of Gymnasium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Autoreset {
    /// In the next step, which ignores the action.
    NextStep,
    /// In the same step; the final observation is written to
    /// [`Frame::finals`](crate::Frame::finals).
    SameStep,
    /// Never: the caller resets the table before its next step.
    Disabled,
}

/// The treatment of an action that is in range but illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// The whole step is rejected, and every table is unchanged.
    Refuse,
    /// The seat forfeits the game: it gets -1, and the others share 1.
    Lose,
}
