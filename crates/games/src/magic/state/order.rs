//! The cards of a library whose place is known: some on top, some at the bottom.

use crate::magic::decks::MOST_CARDS;
use crate::magic::state::seat::SeatSet;
use crate::magic::table::card::DeckCard;

/// A card whose place in a library somebody knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::magic) struct Known(u8);

impl Known {
    /// A card of a deck, and who knows its place.
    #[inline]
    pub(in crate::magic) const fn new(card: DeckCard, seen: SeatSet) -> Self {
        Self(card.number() | seen.bits() << 6)
    }

    /// The card.
    #[inline]
    pub(in crate::magic) const fn card(self) -> DeckCard {
        DeckCard::new(self.0)
    }

    /// Who knows its place.
    #[inline]
    pub(in crate::magic) const fn seen(self) -> SeatSet {
        SeatSet::new(self.0 >> 6)
    }
}

/// Cards of known place. There is room for a whole deck, so nothing is ever
/// forgotten.
#[derive(Clone, Copy)]
pub(in crate::magic) struct Order {
    /// Those on top, the topmost last; then unused places; then those at the
    /// bottom, the lowest first.
    cards: [Known; MOST_CARDS],
    top: u8,
    bottom: u8,
}

impl Order {
    pub(in crate::magic) const EMPTY: Self =
        Self { cards: [Known(0); MOST_CARDS], top: 0, bottom: 0 };

    /// Cards on top, the topmost last.
    #[inline]
    pub(in crate::magic) fn top(&self) -> &[Known] {
        &self.cards[..self.top as usize]
    }

    /// Cards at the bottom, the lowest first.
    #[inline]
    pub(in crate::magic) fn bottom(&self) -> &[Known] {
        &self.cards[MOST_CARDS - self.bottom as usize..]
    }

    /// How many there are.
    #[inline]
    pub(in crate::magic) fn len(&self) -> usize {
        (self.top + self.bottom) as usize
    }

    /// All of them.
    #[inline]
    pub(in crate::magic) fn iter(&self) -> impl Iterator<Item = Known> {
        self.top().iter().chain(self.bottom()).copied()
    }

    pub(in crate::magic) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Known> {
        let (top, rest) = self.cards.split_at_mut(self.top as usize);
        let bottom = rest.len() - self.bottom as usize;
        top.iter_mut().chain(&mut rest[bottom..])
    }

    /// Puts a card on top.
    #[inline]
    pub(in crate::magic) fn push_top(&mut self, card: Known) {
        self.cards[self.top as usize] = card;
        self.top += 1;
    }

    /// Puts a card at the bottom.
    pub(in crate::magic) fn push_bottom(&mut self, card: Known) {
        self.bottom += 1;
        self.cards[MOST_CARDS - self.bottom as usize] = card;
    }

    /// Takes the topmost of the cards on top.
    #[inline]
    pub(in crate::magic) fn pop_top(&mut self) -> Option<Known> {
        self.top = self.top.checked_sub(1)?;
        Some(self.cards[self.top as usize])
    }

    /// Takes the highest of the cards at the bottom.
    pub(in crate::magic) fn pop_bottom(&mut self) -> Option<Known> {
        (self.bottom > 0).then(|| self.remove_at(MOST_CARDS - 1))
    }

    /// Takes a card out, if it is here: from the top if it is in both parts.
    pub(in crate::magic) fn remove(&mut self, card: DeckCard) -> bool {
        let first = MOST_CARDS - self.bottom as usize;
        let on_top = self.top().iter().position(|known| known.card() == card);
        let below = || self.bottom().iter().rposition(|known| known.card() == card);
        let Some(place) = on_top.or_else(|| below().map(|place| first + place)) else {
            return false;
        };
        self.remove_at(place);
        true
    }

    fn remove_at(&mut self, place: usize) -> Known {
        let known = self.cards[place];
        if place < self.top as usize {
            self.cards.copy_within(place + 1..self.top as usize, place);
            self.top -= 1;
        } else {
            let first = MOST_CARDS - self.bottom as usize;
            self.cards.copy_within(first..place, first + 1);
            self.bottom -= 1;
        }
        known
    }
}

impl PartialEq for Order {
    fn eq(&self, other: &Self) -> bool {
        self.top() == other.top() && self.bottom() == other.bottom()
    }
}

impl Eq for Order {}

impl std::fmt::Debug for Order {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Order").field("top", &self.top()).field("bottom", &self.bottom()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::magic::state::seat::Seat;

    const FIRST: SeatSet = Seat::First.bit();
    const SECOND: SeatSet = Seat::Second.bit();

    fn known(card: u8, seen: SeatSet) -> Known {
        Known::new(DeckCard::new(card), seen)
    }

    fn cards(known: &[Known]) -> Vec<u8> {
        known.iter().map(|known| known.card().number()).collect()
    }

    #[test]
    fn cards_come_back_in_their_order() {
        let mut order = Order::EMPTY;
        (0..3).for_each(|card| order.push_top(known(card, FIRST)));
        (10..14).for_each(|card| order.push_bottom(known(card, SECOND)));
        assert_eq!(
            (cards(order.top()), cards(order.bottom())),
            (vec![0, 1, 2], vec![13, 12, 11, 10])
        );
        assert_eq!(order.pop_top(), Some(known(2, FIRST)));
        assert_eq!(order.pop_bottom(), Some(known(10, SECOND)));
        let mut remove = |card| order.remove(DeckCard::new(card));
        assert!(remove(12) && remove(0) && !remove(40));
        assert_eq!((cards(order.top()), cards(order.bottom())), (vec![1], vec![13, 11]));
        let all: Vec<_> = order.iter().collect();
        assert_eq!(order.iter_mut().map(|known| *known).collect::<Vec<_>>(), all);
        assert_eq!((order.len(), order.pop_bottom()), (3, Some(known(11, SECOND))));
    }

    #[test]
    fn a_whole_deck_has_room() {
        let mut order = Order::EMPTY;
        (0..MOST_CARDS).for_each(|_| order.push_bottom(known(59, SeatSet::BOTH)));
        assert_eq!((order.len(), order.pop_top()), (MOST_CARDS, None));
        assert_eq!(order.pop_bottom(), Some(known(59, SeatSet::BOTH)));
    }
}
