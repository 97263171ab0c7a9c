//! What a vector of tables is to do.

use meeple_bots::BotSpec;

use crate::Encoding;

/// Which tables there are, and who sits at them.
#[derive(Clone, Debug)]
pub struct VectorOptions {
    /// How many tables, 1 unless given.
    pub tables: usize,
    /// Which seats ask the caller for actions: all unless given.
    pub learner: Learner,
    /// Who sits at the other seats: one for all of them, or one for each in the order
    /// in which they follow the learner. Must be empty when the caller has all seats.
    pub opponents: Vec<Opponent>,
    /// What becomes of a table whose game has ended.
    pub autoreset: Autoreset,
    /// What an action that is not legal does.
    pub illegal: Illegal,
    /// Decisions of the caller after which a game is cut off.
    pub max_steps: Option<u32>,
    /// How observations are written; the smallest whole numbers that fit unless given.
    pub encoding: Option<Encoding>,
    /// The threads to use; 0 means one for each core.
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

/// The seats that ask the caller for actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learner {
    /// All of them: self-play. Every observation is of the seat that decides.
    All,
    /// This one.
    Seat(usize),
    /// One, which moves on by one seat from game to game, and from table to table.
    Rotating,
}

/// Who sits at a seat that is not the learner's.
#[derive(Clone, Debug, PartialEq)]
pub enum Opponent {
    /// A bot. Other programs cannot be asked from here.
    Bot(BotSpec),
    /// Somebody outside, who is asked in batches: see
    /// [`VectorEnv::questions`](crate::VectorEnv::questions).
    Outside,
}

/// What becomes of a table whose game has ended or was cut off, as Gymnasium has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Autoreset {
    /// The next step begins a new game there, whatever the action.
    NextStep,
    /// The same step does; what was seen at the end goes to
    /// [`Frame::finals`](crate::Frame::finals).
    SameStep,
    /// Nothing: the caller resets the table before its next step.
    Disabled,
}

/// What an action does that is in range but not legal at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// The whole step is refused, and every table is as before.
    Refuse,
    /// The seat forfeits the game: it gets -1, and the others share 1.
    Lose,
}
