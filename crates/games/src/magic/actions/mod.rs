//! Action ids: what each number means, the same in every state.

pub(super) mod answer;
pub(super) mod chance;
mod choose;
pub(super) mod legal;
pub(super) mod playout;
mod priority;
pub(super) mod stops;

use meeple_game::Action;

use crate::magic::state::seat::Seat;
use crate::magic::state::slots::{SLOTS, Slot};
use crate::magic::state::{MAX_PENDING, MAX_STACK};
use crate::magic::table::card::{CardId, DECK, DeckCard};

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
    Card(CardId),
    Seat(Seat),
    Slot(Slot),
    /// A place on the stack or among the pending abilities.
    Item(u8),
    /// The ability with this number of a permanent.
    Use(Slot, u8),
    /// A card in the graveyard of the one who chooses.
    Recall(DeckCard),
}

/// Reads an id that `seat` chooses.
pub(super) fn choice(action: Action, seat: Seat) -> Choice {
    let id = action.0;
    let rest = |base: u16| (id - base) as u8;
    let own = |own: bool| if own { seat } else { seat.other() };
    match id {
        NO => Choice::No,
        YES => Choice::Yes,
        id if id < CARD => Choice::Number(rest(NUMBER)),
        id if id < SEAT => {
            let owner = own(rest(CARD) < DECK as u8);
            Choice::Card(DeckCard::new(rest(CARD)).of(owner))
        }
        id if id < SLOT => Choice::Seat(own(id == SEAT)),
        id if id < ITEM => Choice::Slot(Slot::new(rest(SLOT))),
        id if id < USE => Choice::Item(rest(ITEM)),
        id if id < RECALL => {
            Choice::Use(Slot::new(((id - USE) / USES) as u8), ((id - USE) % USES) as u8)
        }
        _ => Choice::Recall(DeckCard::new(rest(RECALL))),
    }
}

/// The id of a card of a deck, for `seat`.
pub(super) fn card(card: CardId, seat: Seat) -> u16 {
    let other = card.owner() != seat;
    CARD + u16::from(card.in_deck().number()) + if other { DECK as u16 } else { 0 }
}

/// The id of a player, for `seat`.
pub(super) fn player(player: Seat, seat: Seat) -> u16 {
    SEAT + u16::from(player != seat)
}

/// The id of a permanent.
pub(super) fn slot(slot: Slot) -> u16 {
    SLOT + u16::from(slot.number())
}

/// The id of the ability with this number of a permanent.
pub(super) fn ability(slot: Slot, number: u8) -> u16 {
    USE + USES * u16::from(slot.number()) + u16::from(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_read_back() {
        for seat in Seat::BOTH {
            for owner in Seat::BOTH {
                for number in 0..DECK as u8 {
                    let number = DeckCard::new(number).of(owner);
                    assert_eq!(choice(Action(card(number, seat)), seat), Choice::Card(number));
                }
                assert_eq!(choice(Action(player(owner, seat)), seat), Choice::Seat(owner));
            }
            let place = Slot::new(7);
            assert_eq!(choice(Action(slot(place)), seat), Choice::Slot(place));
            assert_eq!(choice(Action(ability(place, 2)), seat), Choice::Use(place, 2));
            let last = DeckCard::new(DECK as u8 - 1);
            assert_eq!(choice(Action(ACTIONS - 1), seat), Choice::Recall(last));
        }
    }
}
