//! Text form of a state.

use std::fmt;

use super::{Backgammon, Stage, notation};

impl fmt::Display for Backgammon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_table(0, f)
    }
}

impl Backgammon {
    /// The state as text, from the side of one player.
    pub(super) fn table_text(&self, side: usize) -> String {
        let mut text = String::new();
        self.write_table(side, &mut text).expect("a string takes all text");
        text
    }

    fn write_table(&self, side: usize, f: &mut impl fmt::Write) -> fmt::Result {
        notation::draw(&self.board, side, f)?;
        let owner = self.owner.map_or("anybody's".into(), |owner| format!("{owner}'s"));
        match self.stage {
            Stage::Opening => write!(f, "the opening throw")?,
            Stage::Over { winner, size } => {
                write!(f, "{winner} wins {} point(s)", size * self.cube)?
            }
            Stage::Move => {
                let left = notation::dice_left(self.dice);
                write!(f, "{} to play {left}", self.mover)?;
            }
            Stage::Roll => write!(f, "{} to roll", self.mover)?,
            Stage::CubeDecision => write!(f, "{} to double or roll", self.mover)?,
            Stage::CubeResponse => write!(f, "{} is asked to take", self.mover.after(1, 2))?,
        }
        if self.highest_cube > 1 {
            write!(f, "; cube at {}, {owner}", self.cube)?;
        }
        Ok(())
    }
}
