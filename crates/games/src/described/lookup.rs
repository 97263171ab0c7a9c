//! Lookup of rules by the name of their game, at run time.

use std::any::Any;
use std::fmt;

use super::{BreakthroughRules, ConnectFourRules, Described, DescribedGame, TicTacToeRules};
use crate::backgammon::{Backgammon, BackgammonRules};
use crate::chess::ChessRules;

/// A generic computation on rules whose type is known only at run time.
pub trait VisitRules {
    /// The result.
    type Out;

    /// Runs the computation on `R`.
    fn visit<R: Described>(self) -> Self::Out;
}

macro_rules! rules {
    ($($name:literal => $rules:ty),* $(,)?) => {
        /// The names of the rule-described games.
        pub const NAMES: &[&str] = &[$($name),*];

        /// Runs `work` on the rules of the game called `name`, as
        /// [`find`](crate::registry::find) does on games.
        ///
        /// ```
        /// use meeple_games::described::{VisitRules, with_rules};
        /// use meeple_games::described::Described;
        ///
        /// struct CountRules;
        ///
        /// impl VisitRules for CountRules {
        ///     type Out = usize;
        ///     fn visit<R: Described>(self) -> usize {
        ///         R::plan().entry_names().len()
        ///     }
        /// }
        ///
        /// assert_eq!(with_rules("chess", CountRules)?, 7);
        /// # Ok::<_, meeple_games::described::UnknownRules>(())
        /// ```
        ///
        /// # Errors
        ///
        /// If there are no rules of this name; the error lists the existing ones.
        pub fn with_rules<V: VisitRules>(name: &str, work: V) -> Result<V::Out, UnknownRules> {
            match name.trim().to_ascii_lowercase().replace('_', "-").as_str() {
                $($name => Ok(work.visit::<$rules>()),)*
                _ => Err(UnknownRules { name: name.into() }),
            }
        }
    };
}

rules! {
    "tic-tac-toe" => TicTacToeRules,
    "connect-four" => ConnectFourRules,
    "breakthrough" => BreakthroughRules,
    "chess" => ChessRules,
    "backgammon" => BackgammonRules,
}

/// Returns the state of the rules `R` for a game: of the rule-described game itself, or of
/// its hand-written twin, in phases that the rules cover.
///
/// ```
/// use meeple_game::Game;
/// use meeple_games::chess::{Chess, ChessRules};
/// use meeple_games::described::state_of;
///
/// let game = Chess::new(&Default::default());
/// assert_eq!(state_of::<ChessRules>(&game), Some(*game.state()));
/// ```
#[must_use]
pub fn state_of<R: Described>(game: &dyn Any) -> Option<R::State> {
    if let Some(game) = game.downcast_ref::<DescribedGame<R>>() {
        return Some(*game.state());
    }
    let table = game.downcast_ref::<Backgammon>()?.as_rules()?;
    (&table as &dyn Any).downcast_ref().copied()
}

/// The name of a game without rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRules {
    name: String,
}

impl fmt::Display for UnknownRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = NAMES.join(", ");
        write!(f, "no rules for game {:?}, expected one of {names}", self.name)
    }
}

impl std::error::Error for UnknownRules {}

#[cfg(test)]
mod tests {
    use super::*;

    struct Name;

    impl VisitRules for Name {
        type Out = &'static str;

        fn visit<R: Described>(self) -> &'static str {
            R::plan().name()
        }
    }

    #[test]
    fn every_name_finds_its_rules() {
        for &name in NAMES {
            assert_eq!(with_rules(name, Name), Ok(name));
        }
        assert_eq!(with_rules(" Tic_Tac_Toe ", Name), Ok("tic-tac-toe"));
    }

    #[test]
    fn an_unknown_name_lists_the_rules() {
        let error = with_rules("pig", Name).unwrap_err().to_string();
        assert!(error.starts_with("no rules for game \"pig\", expected one of tic-"), "{error}");
    }
}
