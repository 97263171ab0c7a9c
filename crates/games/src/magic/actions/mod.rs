//! Action ids: what each number means, the same in every state.

pub(super) mod answer;
pub(super) mod chance;
pub(super) mod legal;
pub(super) mod stops;

use meeple_game::Action;

use crate::magic::state::slots::SLOTS;
use crate::magic::state::{MAX_PENDING, MAX_STACK};
use crate::magic::table::DECK;

/// No, done, or pass.
pub(super) const NO: u16 = 0;
/// Yes.
pub(super) const YES: u16 = 1;
/// Numbers from 0.
pub(super) const NUMBER: u16 = 2;
/// How many numbers there are.
pub(super) const NUMBERS: u16 = 256;
/// A card: those of the player's own deck, then those of the opponent's.
pub(super) const CARD: u16 = NUMBER + NUMBERS;
/// A player: oneself, then the opponent.
pub(super) const SEAT: u16 = CARD + 2 * DECK as u16;
/// A permanent.
pub(super) const SLOT: u16 = SEAT + 2;
/// A spell or ability, by its place on the stack; or a pending ability.
pub(super) const ITEM: u16 = SLOT + SLOTS as u16;
/// How many of these there are.
pub(super) const ITEMS: u16 = if MAX_STACK > MAX_PENDING { MAX_STACK } else { MAX_PENDING } as u16;
/// An ability of a permanent, so many for each.
pub(super) const USE: u16 = ITEM + ITEMS;
/// The most abilities of one permanent; no table has cards that give it more.
pub(super) const USES: u16 = 8;
/// An ability of a card in one's graveyard.
pub(super) const RECALL: u16 = USE + USES * SLOTS as u16;
/// How many ids there are.
pub(super) const ACTIONS: u16 = RECALL + DECK as u16;

/// What an action id stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    No,
    Yes,
    Number(u8),
    /// A card by its number at the table.
    Card(u8),
    Seat(u8),
    Slot(u8),
    Item(u8),
    /// The ability with this number of a permanent.
    Use(u8, u8),
    /// A card in the graveyard of the one who chooses.
    Recall(u8),
}

/// Reads an id that `seat` chooses.
pub(super) fn choice(action: Action, seat: u8) -> Choice {
    let id = action.0;
    let rest = |base: u16| (id - base) as u8;
    match id {
        NO => Choice::No,
        YES => Choice::Yes,
        id if id < CARD => Choice::Number(rest(NUMBER)),
        id if id < SEAT => {
            let own = rest(CARD) < DECK as u8;
            let owner = if own { seat } else { 1 - seat };
            Choice::Card(rest(CARD) % DECK as u8 + owner * DECK as u8)
        }
        id if id < SLOT => Choice::Seat(seat ^ rest(SEAT)),
        id if id < ITEM => Choice::Slot(rest(SLOT)),
        id if id < USE => Choice::Item(rest(ITEM)),
        id if id < RECALL => Choice::Use(((id - USE) / USES) as u8, ((id - USE) % USES) as u8),
        _ => Choice::Recall(rest(RECALL)),
    }
}

/// The id of a card at the table, for `seat`.
pub(super) fn card(card: u8, seat: u8) -> u16 {
    let other = card / DECK as u8 != seat;
    CARD + u16::from(card % DECK as u8) + if other { DECK as u16 } else { 0 }
}

/// The id of a player, for `seat`.
pub(super) fn player(player: u8, seat: u8) -> u16 {
    SEAT + u16::from(player ^ seat)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_read_back() {
        for seat in 0..2 {
            for number in 0..2 * DECK as u8 {
                assert_eq!(choice(Action(card(number, seat)), seat), Choice::Card(number));
            }
            for other in 0..2 {
                assert_eq!(choice(Action(player(other, seat)), seat), Choice::Seat(other));
            }
        }
        assert_eq!(choice(Action(USE + USES * 7 + 2), 0), Choice::Use(7, 2));
        assert_eq!(choice(Action(ACTIONS - 1), 0), Choice::Recall(DECK as u8 - 1));
    }
}
