//! Seats, turns and payoffs.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The maximum number of seats of any game.
pub const MAX_PLAYERS: usize = 6;

/// A seat at the table, counted from 0.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Player(pub u8);

impl Player {
    /// Iterates over the first `players` seats in order.
    pub fn all(players: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..players as u8).map(Player)
    }

    /// Returns the seat as an index into per-seat arrays.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the seat `steps` places clockwise at a table of `players`.
    #[inline]
    #[must_use]
    pub const fn after(self, steps: usize, players: usize) -> Self {
        Self(((self.index() + steps) % players) as u8)
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

/// Who decides next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// This player chooses one of the legal actions.
    Player(Player),
    /// Chance node: one of the chance outcomes happens.
    Chance,
    /// The game is over and its payoffs are final.
    Over,
}

/// The payoff of each seat; unused seats hold 0.
pub type Payoffs = [f32; MAX_PLAYERS];

/// How a table treats forced decisions: those with a single legal action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Forced {
    /// The game plays them itself: every decision has at least two legal actions.
    Skip,
    /// The player decides them like any other.
    #[default]
    Ask,
}

/// The number of players at a table, validated when a configuration is read.
///
/// ```
/// use meeple_game::Seats;
///
/// let seats: Seats<2, 6> = serde_json::from_str("4")?;
/// assert_eq!(seats.get(), 4);
/// let refused = serde_json::from_str::<Seats<2, 6>>("7").unwrap_err();
/// assert!(refused.to_string().contains("expected 2 to 6 players, got 7"));
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Seats<const FEWEST: usize, const MOST: usize>(u8);

impl<const FEWEST: usize, const MOST: usize> Seats<FEWEST, MOST> {
    /// Creates the number of seats for `players`.
    ///
    /// # Errors
    ///
    /// When `players` is outside of the range that the game allows.
    pub fn new(players: usize) -> Result<Self, WrongSeats> {
        Self::try_from(i64::try_from(players).unwrap_or(i64::MAX))
    }

    /// Returns the number of seats.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// The smallest table of the range.
impl<const FEWEST: usize, const MOST: usize> Default for Seats<FEWEST, MOST> {
    fn default() -> Self {
        const { assert!(2 <= FEWEST && FEWEST <= MOST && MOST <= MAX_PLAYERS) };
        Self(FEWEST as u8)
    }
}

impl<const FEWEST: usize, const MOST: usize> TryFrom<i64> for Seats<FEWEST, MOST> {
    type Error = WrongSeats;

    fn try_from(players: i64) -> Result<Self, WrongSeats> {
        match usize::try_from(players) {
            Ok(seats) if (FEWEST..=MOST).contains(&seats) => Ok(Self(seats as u8)),
            _ => Err(WrongSeats { fewest: FEWEST, most: MOST, got: players }),
        }
    }
}

impl<const FEWEST: usize, const MOST: usize> From<Seats<FEWEST, MOST>> for i64 {
    fn from(seats: Seats<FEWEST, MOST>) -> Self {
        Self::from(seats.0)
    }
}

/// The value of payoffs in a game for stakes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Stakes {
    /// The number of chips that a payoff of 1 stands for.
    pub chips: f64,
    /// The big blind in chips, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub big_blind: Option<f64>,
}

/// The error for a number of players that the game does not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {fewest} to {most} players, got {got}")]
pub struct WrongSeats {
    fewest: usize,
    most: usize,
    got: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_go_round_the_table() {
        assert_eq!(Player(2).after(2, 3), Player(1));
        assert_eq!(Player::all(3).collect::<Vec<_>>(), [Player(0), Player(1), Player(2)]);
    }

    #[test]
    fn only_tables_the_game_has_are_laid() {
        assert_eq!(Seats::<2, 4>::default().get(), 2);
        assert_eq!(Seats::<2, 4>::new(4).unwrap().get(), 4);
        for wrong in ["1", "5", "-1", "99999999999"] {
            let error = serde_json::from_str::<Seats<2, 4>>(wrong).unwrap_err().to_string();
            assert!(error.contains(&format!("expected 2 to 4 players, got {wrong}")), "{error}");
        }
        assert_eq!(serde_json::to_string(&Seats::<2, 4>::default()).unwrap(), "2");
    }
}
