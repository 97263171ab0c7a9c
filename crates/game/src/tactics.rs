//! What a game tells alpha-beta search beyond its rules: evaluation in integer units, noisy
//! actions, the order of exchanges, null moves and repetitions.

use crate::{Action, ActionList, Game};

/// The exchange value of a quiet action, which every exchange of pieces exceeds.
pub const QUIET: i32 = i32::MIN;

/// What a two-player game with perfect information tells an alpha-beta search.
///
/// All of it is advice: a search is correct without it, and faster with it. The functions are
/// called at decision nodes only, except for [`repetition`](Self::repetition).
#[derive(Clone, Copy, Debug)]
pub struct Tactics<G: Game> {
    /// Evaluates a state for the player to move, in units such as centipawns.
    pub evaluate: fn(&G) -> i32,
    /// The smallest advantage that counts, in units: a pawn. Margins of prunings are multiples
    /// of it.
    pub unit: i32,
    /// The evaluation, in units, whose expected payoff is tanh 1 = 0.76.
    pub scale: i32,
    /// Replaces the list by the noisy actions, those that a quiescence search looks at: a
    /// subset of the legal actions.
    pub noisy_actions: fn(&G, &mut ActionList),
    /// Writes for each listed action [`QUIET`], or the rank of the exchange that a noisy action
    /// starts: below 0 if it loses material, otherwise higher for more promising ones.
    pub exchanges: fn(&G, &[Action], &mut [i32]),
    /// Bounds from above what a noisy action gains at once, in units.
    pub gain: fn(&G, Action) -> i32,
    /// Returns whether the player to move must answer a threat now: a check.
    pub is_in_check: fn(&G) -> bool,
    /// Returns the state after a pass of the player to move, though the rules know no pass;
    /// `None` where passing may be better than every action, or is impossible.
    pub null_move: fn(&G) -> Option<G>,
    /// Returns a hash of the position without the history that [`Game::key`] includes, so that
    /// transpositions meet. Positions near the end by a move-count rule have keys of their own.
    pub position_key: fn(&G) -> u64,
    /// Returns the number of plies since the last occurrence of this position, if it is
    /// repeated.
    pub repetition: fn(&G) -> Option<u32>,
}
