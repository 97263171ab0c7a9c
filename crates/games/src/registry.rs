//! Games by name, for everything that learns its game at run time.

use std::fmt;

use meeple_game::Game;
use serde::Serialize;

use crate::backgammon::Backgammon;
use crate::chess::Chess;
use crate::described::Breakthrough;
use crate::did_you_mean;
use crate::holdem::Holdem;
use crate::magic::Magic;
use crate::small::{ConnectFour, KnockoutWhist, Kuhn, Leduc, Pig, TicTacToe};
use crate::stone_age::StoneAge;

/// Work to do with a game whose type is known only at run time.
pub trait Visit {
    /// What the work yields.
    type Out;

    /// Does the work.
    fn visit<G: Game>(self) -> Self::Out;
}

macro_rules! games {
    ($($game:ty),* $(,)?) => {
        /// The names of all games, in the order in which they are listed.
        pub const NAMES: &[&str] = &[$(<$game>::NAME),*];

        /// Does `work` with the game called `name`.
        ///
        /// Upper case and underscores are understood too: `Connect_Four` is
        /// `connect-four`.
        ///
        /// ```
        /// use meeple_game::Game;
        /// use meeple_games::registry::{Visit, with_game};
        ///
        /// struct CountActions;
        ///
        /// impl Visit for CountActions {
        ///     type Out = usize;
        ///     fn visit<G: Game>(self) -> usize {
        ///         G::ACTIONS
        ///     }
        /// }
        ///
        /// assert_eq!(with_game("tic-tac-toe", CountActions)?, 9);
        /// # Ok::<_, meeple_games::registry::UnknownGame>(())
        /// ```
        ///
        /// # Errors
        ///
        /// When no game is called so; the error lists those there are.
        pub fn with_game<V: Visit>(name: &str, work: V) -> Result<V::Out, UnknownGame> {
            match name.trim().to_ascii_lowercase().replace('_', "-").as_str() {
                $(<$game>::NAME => Ok(work.visit::<$game>()),)*
                _ => Err(UnknownGame { name: name.into() }),
            }
        }
    };
}

games! {
    TicTacToe, ConnectFour, Kuhn, Leduc, Pig, KnockoutWhist, Breakthrough, Chess, Backgammon,
    StoneAge, Magic, Holdem
}

/// The name of the game that `name` names.
///
/// # Errors
///
/// When no game is called so.
pub(crate) fn canonical(name: &str) -> Result<&'static str, UnknownGame> {
    struct Name;

    impl Visit for Name {
        type Out = &'static str;

        fn visit<G: Game>(self) -> &'static str {
            G::NAME
        }
    }

    with_game(name, Name)
}

/// What is fixed about a game, whatever the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// The name used in commands and files.
    pub name: &'static str,
    /// The fewest who may play.
    pub fewest_players: usize,
    /// The most who may play.
    pub most_players: usize,
    /// Whether luck ever decides.
    pub luck: bool,
    /// Whether a player can be unsure of the state.
    pub hidden: bool,
    /// The number of action ids of players.
    pub actions: usize,
    /// The length of an observation.
    pub observation_cells: usize,
    /// The size of a state.
    pub state_bytes: usize,
}

impl Facts {
    /// The facts of `G`.
    #[must_use]
    pub fn of<G: Game>() -> Self {
        Self {
            name: G::NAME,
            fewest_players: *G::SEATS.start(),
            most_players: *G::SEATS.end(),
            luck: G::LUCK,
            hidden: G::HIDDEN,
            actions: G::ACTIONS,
            observation_cells: G::observation().len(),
            state_bytes: size_of::<G>(),
        }
    }
}

/// The facts of every game, in the order in which they are listed.
#[must_use]
pub fn facts() -> Vec<Facts> {
    struct Ask;

    impl Visit for Ask {
        type Out = Facts;

        fn visit<G: Game>(self) -> Facts {
            Facts::of::<G>()
        }
    }

    NAMES.iter().map(|name| with_game(name, Ask).expect("a listed game")).collect()
}

/// A name that no game has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownGame {
    name: String,
}

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown game {:?}, expected one of {}", self.name, NAMES.join(", "))?;
        match did_you_mean(&self.name, NAMES.iter().copied()) {
            Some(near) => write!(f, "; {near}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownGame {}

#[cfg(test)]
mod tests {
    use super::*;

    struct Name;

    impl Visit for Name {
        type Out = &'static str;

        fn visit<G: Game>(self) -> &'static str {
            G::NAME
        }
    }

    #[test]
    fn every_name_finds_its_game() {
        for &name in NAMES {
            assert_eq!(with_game(name, Name), Ok(name));
        }
        assert_eq!(with_game(" Tic_Tac_Toe ", Name), Ok("tic-tac-toe"));
    }

    #[test]
    fn an_unknown_name_lists_the_games() {
        let error = with_game("go", Name).unwrap_err().to_string();
        assert!(error.starts_with("unknown game \"go\", expected one of tic-tac-toe, "), "{error}");
        assert!(!error.contains("did you mean"), "{error}");
        let error = with_game("ches", Name).unwrap_err().to_string();
        assert!(error.ends_with("; did you mean chess?"), "{error}");
    }
}
