//! Scores of exact solvers, and what a game can tell a solver about its positions.

use std::fmt;

use crate::{Action, Game};

/// The exact value of a position for the player to move: the outcome under perfect play, and the
/// number of plies until the end. The winner takes the shortest way, the loser the longest.
///
/// Scores are ordered by preference: a quick win, a slow win, a draw, a slow loss, a quick loss.
///
/// ```
/// use meeple_game::Score;
///
/// assert!(Score::win_in(1) > Score::win_in(3));
/// assert!(Score::win_in(41) > Score::DRAW);
/// assert!(Score::loss_in(6) > Score::loss_in(2));
/// // What is a loss in two for one player is a win in three for the player who leads there.
/// assert_eq!(Score::loss_in(2).for_opponent().one_ply_earlier(), Score::win_in(3));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i16);

impl Score {
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// The longest distance of a win or a loss, in plies.
    pub const MAX_PLIES: u16 = 16_000;
    /// The code of a win that is already there.
    const WON: i16 = 2 * Self::MAX_PLIES as i16;

    /// The player to move wins in `plies`.
    ///
    /// # Panics
    ///
    /// If that is more than [`MAX_PLIES`](Self::MAX_PLIES).
    #[must_use]
    pub const fn win_in(plies: u16) -> Self {
        assert!(plies <= Self::MAX_PLIES, "the distance of a win is bounded");
        Self(Self::WON - plies as i16)
    }

    /// The player to move loses in `plies`.
    ///
    /// # Panics
    ///
    /// If that is more than [`MAX_PLIES`](Self::MAX_PLIES).
    #[must_use]
    pub const fn loss_in(plies: u16) -> Self {
        Self::win_in(plies).for_opponent()
    }

    /// Returns 1 for a win, 0 for a draw and -1 for a loss.
    #[must_use]
    pub const fn outcome(self) -> i8 {
        self.0.signum() as i8
    }

    /// Returns the number of plies until the win or loss; `None` for a draw.
    #[must_use]
    pub const fn plies(self) -> Option<u16> {
        if self.0 == 0 { None } else { Some((Self::WON - self.0.abs()) as u16) }
    }

    /// The same position as the opponent sees it.
    #[must_use]
    pub const fn for_opponent(self) -> Self {
        Self(-self.0)
    }

    /// The score of a position whose best action leads to one with this score, for the same
    /// player.
    #[must_use]
    pub const fn one_ply_earlier(self) -> Self {
        Self(self.0 - self.0.signum())
    }

    /// The inverse of [`one_ply_earlier`](Self::one_ply_earlier).
    #[must_use]
    pub const fn one_ply_later(self) -> Self {
        Self(self.0 + self.0.signum())
    }

    /// The next better score, for the bounds of a search.
    #[must_use]
    pub const fn next_better(self) -> Self {
        Self(self.0 + 1)
    }

    /// The next worse score, for the bounds of a search.
    #[must_use]
    pub const fn next_worse(self) -> Self {
        Self(self.0 - 1)
    }

    /// A score halfway to a better one, below it.
    #[must_use]
    pub const fn halfway(self, better: Self) -> Self {
        Self(((self.0 as i32 + better.0 as i32) >> 1) as i16)
    }

    /// The score as a number that [`from_bits`](Self::from_bits) reads.
    #[must_use]
    pub const fn to_bits(self) -> u16 {
        self.0.cast_unsigned()
    }

    /// Reads a number that [`to_bits`](Self::to_bits) wrote.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits.cast_signed())
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.outcome(), self.plies()) {
            (1.., Some(plies)) => write!(f, "win in {plies}"),
            (_, Some(plies)) => write!(f, "loss in {plies}"),
            (_, None) => write!(f, "draw"),
        }
    }
}

/// What a game knows about its positions, for exact solvers.
#[derive(Clone, Copy, Debug)]
pub struct SolverHints<G: Game> {
    /// Bounds the score of a position where a player decides, and lists the actions that can be
    /// best with a weight each, for move ordering: higher weights are searched first. The list
    /// may be empty where the bounds are equal.
    pub candidates: ListCandidates<G>,
    /// A key that is equal for positions that are the same or symmetric, and for no others.
    pub key: fn(&G) -> u64,
}

/// Lists the candidates of a position, and bounds its score.
pub type ListCandidates<G> = fn(&G, &mut Vec<(Action, i32)>) -> Bounds;

/// A range that contains a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The lowest possible score.
    pub low: Score,
    /// The highest possible score.
    pub high: Score,
}

impl Bounds {
    /// The bounds of a position where a player decides and nothing else is known.
    pub const ANY: Self = Self { low: Score::loss_in(1), high: Score::win_in(1) };

    /// The score is known.
    #[must_use]
    pub const fn exactly(score: Score) -> Self {
        Self { low: score, high: score }
    }
}
