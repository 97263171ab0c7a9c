//! Bounds of each game, for frameworks that ask before the first move: chance ids, the
//! length of a game, and what the payoffs of all seats sum to.

/// The most decisions of a game whose rules set no limit of their own: far more than any
/// game takes.
const UNBOUNDED: usize = 1_000_000;

/// A number above the id of every chance outcome of the game called `name` at a table of
/// `players`; 0 without chance events.
#[must_use]
pub fn chance_ids(name: &str, players: usize) -> usize {
    match name {
        // The ranks of the cards.
        "kuhn" | "leduc" => 3,
        // The faces of a die, which are their own ids.
        "pig" => 7,
        "knockout-whist" | "holdem" => 52,
        // 21 throws; in the opening also who begins.
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

/// An upper bound of the decisions in one game of `name`.
#[must_use]
pub fn max_decisions(name: &str) -> usize {
    match name {
        "tic-tac-toe" => 9,
        "connect-four" => 42,
        "kuhn" => 3,
        // In each of two rounds: check, bet, raise, call.
        "leduc" => 8,
        // Each of 32 pieces moves up to six ranks before somebody arrives, one move more.
        "breakthrough" => 32 * 6 + 1,
        _ => UNBOUNDED,
    }
}

/// What the payoffs of all seats sum to at the end of every game of `name`; nothing where
/// that differs from game to game, or no such game is known here.
#[must_use]
pub fn utility_sum(name: &str) -> Option<f64> {
    // Winners take what losers pay in every game there is; a game where a bank takes part,
    // as with a rake, has to be left out here.
    crate::registry::BUILT_IN.contains(&name).then_some(0.0)
}
