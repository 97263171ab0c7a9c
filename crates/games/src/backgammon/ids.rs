//! Action ids of checker moves, cube decisions and rolls.

use meeple_game::Action;

use super::board::POINTS;

/// The number of checker moves: 24 points or the bar, times six dice.
pub(super) const MOVES: u16 = (POINTS as u16 + 1) * 6;
pub(super) const ROLL: Action = Action(MOVES);
pub(super) const DOUBLE: Action = Action(MOVES + 1);
pub(super) const TAKE: Action = Action(MOVES + 2);
pub(super) const DROP: Action = Action(MOVES + 3);
/// The number of rolls of two dice, without order.
pub(super) const ROLLS: u16 = 21;

/// The dice of a roll, numbered from 1-1 by the high die.
pub(super) const fn roll_of(number: u16) -> (u8, u8) {
    let mut high = 1;
    while (high * (high + 1)) / 2 <= number {
        high += 1;
    }
    (high as u8, (number - high * (high - 1) / 2 + 1) as u8)
}

/// The index of a roll; the inverse of [`roll_of`].
pub(super) const fn roll_index(high: u8, low: u8) -> u16 {
    (high as u16 * (high as u16 - 1)) / 2 + low as u16 - 1
}

/// The action id of a checker move.
pub(super) const fn action_of(point: usize, die: u8) -> Action {
    Action(point as u16 * 6 + die as u16 - 1)
}

/// The checker move (point, die) of an action id.
pub(super) const fn move_of(action: Action) -> (usize, u8) {
    (action.index() / 6, (action.0 % 6) as u8 + 1)
}
