//! Cards without order: a hand, a graveyard, the unseen part of a library.

use crate::magic::table::card::{ByDeckCard, DeckCard, DeckCards, KINDS};

/// How many of each card of one deck there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::magic) struct Pile {
    /// Cards of which there is at least one, one bit each.
    // Bytes, since the alignment of a word would add three bytes to every pile.
    kinds: [u8; 8],
    counts: ByDeckCard<u8>,
    total: u8,
}

impl Pile {
    pub(in crate::magic) const EMPTY: Self =
        Self { kinds: [0; 8], counts: ByDeckCard([0; KINDS]), total: 0 };

    /// As many of each card as `counts` says.
    pub(in crate::magic) fn of(counts: &ByDeckCard<u8>) -> Self {
        let mut pile = Self::EMPTY;
        for card in DeckCards::KINDS.iter() {
            for _ in 0..counts[card] {
                pile.add(card);
            }
        }
        pile
    }

    /// Cards of which there is at least one.
    #[inline]
    pub(in crate::magic) fn kinds(&self) -> DeckCards {
        DeckCards::new(u64::from_le_bytes(self.kinds))
    }

    #[inline]
    fn set_kinds(&mut self, kinds: DeckCards) {
        self.kinds = kinds.bits().to_le_bytes();
    }

    /// How many cards there are.
    #[inline]
    pub(in crate::magic) fn total(&self) -> u8 {
        self.total
    }

    /// How many of one card.
    #[inline]
    pub(in crate::magic) fn count(&self, card: DeckCard) -> u8 {
        self.counts[card]
    }

    #[inline]
    pub(in crate::magic) fn has(&self, card: DeckCard) -> bool {
        self.kinds().has(card)
    }

    #[inline]
    pub(in crate::magic) fn add(&mut self, card: DeckCard) {
        self.set_kinds(self.kinds() | card.bit());
        self.counts[card] += 1;
        self.total += 1;
    }

    /// Takes one card out.
    #[inline]
    pub(in crate::magic) fn take(&mut self, card: DeckCard) {
        debug_assert!(self.has(card), "no such card here");
        self.counts[card] -= 1;
        self.total -= 1;
        if self.counts[card] == 0 {
            self.set_kinds(self.kinds() & !card.bit());
        }
    }

    /// Moves everything to another pile.
    pub(in crate::magic) fn pour(&mut self, into: &mut Self) {
        for card in self.kinds().iter() {
            into.counts[card] += self.counts[card];
        }
        into.set_kinds(into.kinds() | self.kinds());
        into.total += self.total;
        *self = Self::EMPTY;
    }

    /// The card with this number when the pile is laid out in order.
    #[inline]
    pub(in crate::magic) fn nth(&self, number: usize) -> DeckCard {
        let mut left = number;
        for card in self.kinds().iter() {
            let count = self.counts[card] as usize;
            if left < count {
                return card;
            }
            left -= count;
        }
        unreachable!("the pile is smaller")
    }

    /// The different cards.
    #[inline]
    pub(in crate::magic) fn iter(&self) -> impl Iterator<Item = DeckCard> + use<> {
        self.kinds().iter()
    }
}
