//! Static bounds of each game, required by frameworks such as OpenSpiel: the number of
//! chance outcomes, the maximum game length and the sum of utilities.

/// The nominal maximum length of games whose rules set no limit, far above any real game.
const UNBOUNDED: usize = 1_000_000;

/// An exclusive upper bound of the chance outcome ids of game `name` with `players`
/// players; 0 for games without chance nodes.
#[must_use]
pub fn chance_ids(name: &str, players: usize) -> usize {
    match name {
        // The ranks of the cards.
        "kuhn" | "leduc" => 3,
        // The ids are the faces of the die, 1 to 6.
        "pig" => 7,
        "knockout-whist" | "holdem" => 52,
        // 21 rolls; the opening roll also decides the first player.
        "backgammon" => 42,
        // The sums of ten dice, or the dice of all players as a multiset.
        "stone-age" => match players {
            2 => 51,
            3 => 56,
            _ => 126,
        },
        // One id for each kind of card in both decks.
        "magic" => 64,
        _ => 0,
    }
}

/// An upper bound of the number of decisions in one game of `name`.
#[must_use]
pub fn max_decisions(name: &str) -> usize {
    match name {
        "tic-tac-toe" => 9,
        "connect-four" => 42,
        "kuhn" => 3,
        // In each of two rounds: check, bet, raise, call.
        "leduc" => 8,
        // Each of 32 pawns makes up to six moves short of the last rank; one more ends it.
        "breakthrough" => 32 * 6 + 1,
        _ => UNBOUNDED,
    }
}

/// The sum of all payoffs at the end of every game of `name`; `None` for general-sum and
/// unknown games.
#[must_use]
pub fn utility_sum(name: &str) -> Option<f64> {
    // All games here are zero-sum. A game that is not, such as poker with rake, must be
    // excluded.
    crate::registry::NAMES.contains(&name).then_some(0.0)
}
