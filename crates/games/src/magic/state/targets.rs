//! 115: the targets that were chosen for a spell or ability.

use crate::magic::state::seat::Seat;
use crate::magic::state::slots::Slot;
use crate::magic::table::card::CardId;

use super::row::Row;

/// The most targets of one spell or ability.
pub(in crate::magic) const MAX_TARGETS: usize = 5;

/// One chosen target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::magic) enum ChosenTarget {
    /// 608.2b: it is illegal now.
    #[default]
    Illegal,
    /// It left the battlefield, where this seat controlled it.
    Left(Seat),
    Slot(Slot),
    Seat(Seat),
    /// A spell, by the id of its item.
    Item(u8),
    /// A card in its owner's graveyard: which of its copies there.
    Card(CardId, u8),
}

/// The targets of a spell or ability, in the order in which they were chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::magic) struct ChosenTargets(Row<Packed, MAX_TARGETS>);

/// A target in two bytes: a card and its copy, or the kind of another target and its number.
// Cards in graveyards belong to decks, so their numbers are below the kinds. A stack has
// 160 targets: as an enum they would take half as much room again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Packed([u8; 2]);

const ILLEGAL: u8 = 128;
const LEFT: u8 = 129;
const SLOT: u8 = 130;
const SEAT: u8 = 131;
const ITEM: u8 = 132;

impl From<ChosenTarget> for Packed {
    fn from(target: ChosenTarget) -> Self {
        Self(match target {
            ChosenTarget::Illegal => [ILLEGAL, 0],
            ChosenTarget::Left(seat) => [LEFT, seat.number()],
            ChosenTarget::Slot(slot) => [SLOT, slot.number()],
            ChosenTarget::Seat(seat) => [SEAT, seat.number()],
            ChosenTarget::Item(id) => [ITEM, id],
            ChosenTarget::Card(card, copy) => {
                debug_assert!(!card.is_token(), "no token is in a graveyard");
                [card.number(), copy]
            }
        })
    }
}

impl From<Packed> for ChosenTarget {
    fn from(Packed([kind, number]): Packed) -> Self {
        match kind {
            LEFT => Self::Left(Seat::new(number)),
            SLOT => Self::Slot(Slot::new(number)),
            SEAT => Self::Seat(Seat::new(number)),
            ITEM => Self::Item(number),
            card if card < ILLEGAL => Self::Card(CardId::new(card), number),
            _ => Self::Illegal,
        }
    }
}

impl ChosenTargets {
    /// No targets.
    pub(in crate::magic) fn new() -> Self {
        Self::default()
    }

    pub(in crate::magic) fn len(&self) -> usize {
        self.0.len()
    }

    pub(in crate::magic) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(in crate::magic) fn push(&mut self, target: ChosenTarget) {
        self.0.push(target.into());
    }

    pub(in crate::magic) fn get(&self, index: usize) -> Option<ChosenTarget> {
        self.0.get(index).map(|&packed| packed.into())
    }

    pub(in crate::magic) fn first(&self) -> Option<ChosenTarget> {
        self.get(0)
    }

    pub(in crate::magic) fn iter(&self) -> impl Iterator<Item = ChosenTarget> {
        self.0.iter().map(|&packed| packed.into())
    }

    /// How many times `target` was chosen (601.2d).
    pub(in crate::magic) fn count(&self, target: ChosenTarget) -> usize {
        let target = Packed::from(target);
        self.0.iter().filter(|&&other| other == target).count()
    }

    pub(in crate::magic) fn contains(&self, target: ChosenTarget) -> bool {
        self.count(target) > 0
    }

    /// Changes the target with this number.
    pub(in crate::magic) fn set(&mut self, index: usize, target: ChosenTarget) {
        self.0[index] = target.into();
    }

    /// Changes every `old` target to `new`.
    pub(in crate::magic) fn replace(&mut self, old: ChosenTarget, new: ChosenTarget) {
        let (old, new) = (Packed::from(old), Packed::from(new));
        self.0.iter_mut().filter(|packed| **packed == old).for_each(|packed| *packed = new);
    }

    /// The targets that are cards in graveyards: the card, and which of its copies.
    pub(in crate::magic) fn cards_mut(&mut self) -> impl Iterator<Item = (CardId, &mut u8)> {
        let cards = self.0.iter_mut().filter(|Packed([card, _])| *card < ILLEGAL);
        cards.map(|Packed([card, copy])| (CardId::new(*card), copy))
    }
}

#[cfg(test)]
#[test]
fn targets_read_back() {
    let all = [
        ChosenTarget::Illegal,
        ChosenTarget::Left(Seat::Second),
        ChosenTarget::Slot(Slot::new(127)),
        ChosenTarget::Item(255),
        ChosenTarget::Card(CardId::new(127), 255),
    ];
    let mut targets = ChosenTargets::new();
    all.into_iter().for_each(|target| targets.push(target));
    assert!(targets.iter().eq(all));
    targets.cards_mut().for_each(|(_, copy)| *copy = 3);
    targets.replace(ChosenTarget::Slot(Slot::new(127)), ChosenTarget::Seat(Seat::First));
    assert_eq!(targets.get(2), Some(ChosenTarget::Seat(Seat::First)));
    assert_eq!(targets.get(4), Some(ChosenTarget::Card(CardId::new(127), 3)));
    assert_eq!((targets.len(), targets.count(ChosenTarget::Illegal)), (5, 1));
}
