//! Scores in integer units: evaluations, and proven results as distances.

use meeple_game::{Game, Payoffs, Tactics};
use serde::{Deserialize, Serialize};

/// The score of a win at the root. A win in `n` plies is `WIN - n`: sooner is better.
pub(super) const WIN: i32 = 2_000_000;
/// Scores beyond this bound are proven wins, below its negative proven losses.
pub(super) const PROVEN: i32 = WIN - 1000;
/// The bound of evaluations in games with units of their own.
const MAX_UNITS: i32 = 30_000;
/// Above every score.
pub(super) const INFINITE: i32 = WIN + 500;
/// Units of a payoff of 1 in games without units of their own: the bound of their evaluations.
pub(crate) const PAYOFF_UNITS: i32 = 1_000_000;

/// The score of a position or an action for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// An evaluation, in the units of the game: centipawns in chess, millionths of a payoff in
    /// games without units. In games with chance, also the result of a game.
    Units(i32),
    /// A proven win in this number of plies.
    Win(u32),
    /// A proven loss in this number of plies.
    Loss(u32),
}

impl Score {
    /// The typed form of a search score.
    pub(super) fn of(score: i32) -> Self {
        if score > PROVEN {
            Self::Win((WIN - score).unsigned_abs())
        } else if score < -PROVEN {
            Self::Loss((WIN + score).unsigned_abs())
        } else {
            Self::Units(score)
        }
    }

    /// Whether it is a proven win or loss.
    #[must_use]
    pub fn is_proven(self) -> bool {
        !matches!(self, Self::Units(_))
    }
}

/// Whether a score is a proven win or loss.
#[inline]
pub(super) fn is_proven(score: i32) -> bool {
    score.abs() > PROVEN
}

/// A score relative to a node at `ply`, as the transposition table stores it: distances count
/// from the node instead of from the root.
#[inline]
pub(super) fn to_table(score: i32, ply: usize) -> i32 {
    match score {
        score if score > PROVEN => score + ply as i32,
        score if score < -PROVEN => score - ply as i32,
        score => score,
    }
}

/// The inverse of [`to_table`].
#[inline]
pub(super) fn from_table(score: i32, ply: usize) -> i32 {
    match score {
        score if score > PROVEN => score - ply as i32,
        score if score < -PROVEN => score + ply as i32,
        score => score,
    }
}

/// The score of a finished game for `seat`, at `ply`. With chance, distances would distort
/// expected values, so that a win is worth its payoff.
pub(super) fn terminal<G: Game>(state: &G, seat: usize, ply: usize) -> i32 {
    match state.payoffs()[seat] {
        payoff if G::CHANCE && state.has_chance() => payoff_units(payoff),
        payoff if payoff >= 1.0 => WIN - ply as i32,
        payoff if payoff <= -1.0 => ply as i32 - WIN,
        payoff => units::<G>(payoff),
    }
}

fn payoff_units(payoff: f32) -> i32 {
    ((payoff * PAYOFF_UNITS as f32).round() as i32).clamp(-PAYOFF_UNITS, PAYOFF_UNITS)
}

/// The units of a payoff that is neither a full win nor a full loss.
fn units<G: Game>(payoff: f32) -> i32 {
    match G::COMPANIONS.tactics {
        Some(tactics) => {
            let units = payoff.atanh() * tactics.scale as f32;
            (units.round() as i32).clamp(-MAX_UNITS, MAX_UNITS)
        }
        None => payoff_units(payoff),
    }
}

/// The evaluation for `seat`, who is to move unless the state is a chance node; 0 in games without
/// one.
#[inline]
pub(super) fn evaluate<G: Game>(state: &G, seat: usize) -> i32 {
    let companions = &G::COMPANIONS;
    match (companions.tactics, companions.evaluation) {
        (Some(tactics), _) => (tactics.evaluate)(state).clamp(-MAX_UNITS, MAX_UNITS),
        (None, Some(evaluation)) => payoff_units(evaluation(state)[seat]),
        (None, None) => 0,
    }
}

/// The expected payoffs of a score for `seat`.
pub(super) fn payoffs<G: Game>(score: i32, seat: usize) -> Payoffs {
    let value = match (Score::of(score), G::COMPANIONS.tactics) {
        (Score::Win(_), _) => 1.0,
        (Score::Loss(_), _) => -1.0,
        (Score::Units(units), Some(Tactics { scale, .. })) => (units as f32 / scale as f32).tanh(),
        (Score::Units(units), None) => (units as f32 / PAYOFF_UNITS as f32).clamp(-1.0, 1.0),
    };
    let mut payoffs = Payoffs::default();
    // A zero has no sign.
    payoffs[seat] = value + 0.0;
    payoffs[seat ^ 1] = 0.0 - value;
    payoffs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_survive_the_table() {
        for score in [0, 17, -29_999, WIN - 7, 9 - WIN] {
            for ply in [0, 5, 60] {
                assert_eq!(from_table(to_table(score, ply), ply), score);
            }
        }
        // A win in 3 plies from a node at ply 4 is a win in 5 plies from the same node at ply 2.
        assert_eq!(Score::of(from_table(to_table(WIN - 7, 4), 2)), Score::Win(5));
    }

    #[test]
    fn scores_have_types() {
        assert_eq!(Score::of(WIN - 3), Score::Win(3));
        assert_eq!(Score::of(4 - WIN), Score::Loss(4));
        assert_eq!(Score::of(-250), Score::Units(-250));
    }
}
