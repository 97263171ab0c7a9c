//! 400.7: copies of a card in a graveyard are objects of their own.
//!
//! A graveyard counts copies; whatever refers to one knows it by its place
//! among them, in the order in which they were put there.

use crate::magic::language::Ref;
use crate::magic::state::row::Row;
use crate::magic::state::seat::Seat;
use crate::magic::state::{ChosenTarget, Item, MAX_TARGETS, Magic, PendingTrigger};
use crate::magic::table::card::CardId;
use crate::magic::zones::select::Ctx;

/// A card, and which of its copies in the graveyard it is; [`NO_COPY`] if it is not there.
pub(in crate::magic) type Copied = (CardId, u8);
/// No copy in a graveyard.
pub(in crate::magic) const NO_COPY: u8 = u8::MAX;

/// The references of an item to cards in graveyards.
fn of_item(item: &mut Item) -> impl Iterator<Item = (CardId, &mut u8)> {
    let targets = item.targets.cards_mut();
    targets
        .chain([(item.event_card, &mut item.event_copy), (item.source_card, &mut item.source_copy)])
}

/// The references of a pending ability to cards in graveyards.
fn of_waiting(pending: &mut PendingTrigger) -> [(CardId, &mut u8); 2] {
    [(pending.event_card, &mut pending.event_copy), (pending.card, &mut pending.source_copy)]
}

impl Magic {
    /// Everything that refers to a card in a graveyard: the card, and which of
    /// its copies.
    fn references_to_cards(&mut self) -> impl Iterator<Item = (CardId, &mut u8)> {
        let run = self.resolution.active.then_some(&mut self.resolution.item);
        let cast = self.announcement.active.then_some(&mut self.announcement.item);
        let items = self.stack.iter_mut().chain(run).chain(cast).flat_map(of_item);
        let later = self.delayed.iter_mut().map(|later| &mut later.what);
        let pending = self.pending.iter_mut().chain(later).flat_map(of_waiting);
        items.chain(pending).filter(|(_, copy)| **copy != NO_COPY)
    }

    /// How many copies of a card are in its owner's graveyard.
    pub(in crate::magic) fn copies_in_graveyard(&self, card: CardId) -> u8 {
        if card.is_token() {
            return 0;
        }
        self.seats[card.owner()].graveyard.count(card.in_deck())
    }

    /// Whether this copy of a card is in its owner's graveyard.
    pub(in crate::magic) fn is_in_graveyard(&self, (card, copy): Copied) -> bool {
        copy != NO_COPY && copy < self.copies_in_graveyard(card)
    }

    /// Takes a copy of a card out of its owner's graveyard. Nothing finds it
    /// there again.
    pub(in crate::magic) fn take_from_graveyard(&mut self, (card, copy): Copied) {
        self.seats[card.owner()].graveyard.take(card.in_deck());
        for (_, other) in self.references_to_cards().filter(|(named, _)| *named == card) {
            if *other == copy {
                *other = NO_COPY;
            } else if *other > copy {
                *other -= 1;
            }
        }
    }

    /// A graveyard is emptied: nothing finds its cards there again.
    pub(in crate::magic) fn forget_graveyard(&mut self, owner: Seat) {
        let owned = |card: CardId| !card.is_token() && card.owner() == owner;
        self.references_to_cards()
            .filter(|(card, _)| owned(*card))
            .for_each(|(_, copy)| *copy = NO_COPY);
    }

    /// A copy of a card that nothing refers to; the first if there is none.
    pub(in crate::magic) fn idle_copy(&mut self, card: CardId) -> Copied {
        let copies = self.copies_in_graveyard(card);
        let mut taken = 0_u128;
        for (_, copy) in self.references_to_cards().filter(|(named, _)| *named == card) {
            taken |= 1_u128.checked_shl(u32::from(*copy)).unwrap_or(0);
        }
        let idle = taken.trailing_ones() as u8;
        (card, if idle < copies { idle } else { 0 })
    }

    /// The copies in graveyards that a reference means, the last of each card
    /// first: taking one out leaves the others their places.
    pub(in crate::magic) fn cards_in_graveyards(
        &self,
        what: &Ref,
        ctx: &Ctx,
    ) -> Row<Copied, { MAX_TARGETS + 1 }> {
        let mut found = Row::new();
        let mut add = |copied: Copied| {
            if self.is_in_graveyard(copied) && !found.contains(&copied) {
                found.push(copied);
            }
        };
        let card = |target: ChosenTarget| match target {
            ChosenTarget::Card(card, copy) => Some((card, copy)),
            _ => None,
        };
        match what {
            Ref::This if ctx.this.is_none() => add((ctx.this_card, ctx.this_copy)),
            Ref::Event if ctx.event.is_nothing() => add((ctx.event_card, ctx.event_copy)),
            Ref::Target(index) => {
                ctx.targets.get(*index as usize).and_then(card).into_iter().for_each(add);
            }
            Ref::Targets => ctx.targets.iter().filter_map(card).for_each(add),
            _ => {}
        }
        found.sort_unstable_by_key(|&(_, copy)| std::cmp::Reverse(copy));
        found
    }
}
