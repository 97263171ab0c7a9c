//! The numbers of moves, choices and throws.

use meeple_game::Action;

use super::board::POINTS;

/// Moves: a point or the bar, and a die.
pub(super) const MOVES: u16 = (POINTS as u16 + 1) * 6;
pub(super) const ROLL: Action = Action(MOVES);
pub(super) const DOUBLE: Action = Action(MOVES + 1);
pub(super) const TAKE: Action = Action(MOVES + 2);
pub(super) const DROP: Action = Action(MOVES + 3);
/// Throws of two dice without order.
pub(super) const THROWS: u16 = 21;

/// The dice of a throw, numbered from 1-1 by the high die.
pub(super) const fn throw_of(number: u16) -> (u8, u8) {
    let mut high = 1;
    while (high * (high + 1)) / 2 <= number {
        high += 1;
    }
    (high as u8, (number - high * (high - 1) / 2 + 1) as u8)
}

/// The number of a throw.
pub(super) const fn number_of(high: u8, low: u8) -> u16 {
    (high as u16 * (high as u16 - 1)) / 2 + low as u16 - 1
}

/// The id of a move.
pub(super) const fn action_of(point: usize, die: u8) -> Action {
    Action(point as u16 * 6 + die as u16 - 1)
}

/// The move of an id.
pub(super) const fn move_of(action: Action) -> (usize, u8) {
    (action.index() / 6, (action.0 % 6) as u8 + 1)
}
