//! Cards without order: a hand, a graveyard, the unseen part of a library.

use crate::magic::table::KINDS;

/// How many of each card of one deck there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::magic) struct Pile {
    /// Cards of which there is at least one, one bit each.
    // Bytes, since the alignment of a word would add three bytes to every pile.
    kinds: [u8; 8],
    counts: [u8; KINDS],
    total: u8,
}

impl Pile {
    pub(in crate::magic) const EMPTY: Self = Self { kinds: [0; 8], counts: [0; KINDS], total: 0 };

    /// As many of each card as `counts` says.
    pub(in crate::magic) fn of(counts: [u8; KINDS]) -> Self {
        let mut pile = Self::EMPTY;
        for (card, &count) in counts.iter().enumerate() {
            for _ in 0..count {
                pile.add(card as u8);
            }
        }
        pile
    }

    /// Cards of which there is at least one, one bit each.
    #[inline]
    pub(in crate::magic) fn kinds(&self) -> u64 {
        u64::from_le_bytes(self.kinds)
    }

    #[inline]
    fn set_kinds(&mut self, kinds: u64) {
        self.kinds = kinds.to_le_bytes();
    }

    /// How many cards there are.
    #[inline]
    pub(in crate::magic) fn total(&self) -> u8 {
        self.total
    }

    /// How many of one card.
    #[inline]
    pub(in crate::magic) fn count(&self, card: u8) -> u8 {
        self.counts[card as usize]
    }

    #[inline]
    pub(in crate::magic) fn has(&self, card: u8) -> bool {
        self.kinds() >> card & 1 == 1
    }

    #[inline]
    pub(in crate::magic) fn add(&mut self, card: u8) {
        self.set_kinds(self.kinds() | 1 << card);
        self.counts[card as usize] += 1;
        self.total += 1;
    }

    /// Takes one card out.
    #[inline]
    pub(in crate::magic) fn take(&mut self, card: u8) {
        debug_assert!(self.has(card), "no such card here");
        self.counts[card as usize] -= 1;
        self.total -= 1;
        if self.counts[card as usize] == 0 {
            self.set_kinds(self.kinds() & !(1 << card));
        }
    }

    /// Moves everything to another pile.
    pub(in crate::magic) fn pour(&mut self, into: &mut Self) {
        for card in bits(self.kinds()) {
            into.counts[card as usize] += self.counts[card as usize];
        }
        into.set_kinds(into.kinds() | self.kinds());
        into.total += self.total;
        *self = Self::EMPTY;
    }

    /// The card with this number when the pile is laid out in order.
    #[inline]
    pub(in crate::magic) fn nth(&self, number: usize) -> u8 {
        let mut left = number;
        for card in bits(self.kinds()) {
            let count = self.counts[card as usize] as usize;
            if left < count {
                return card;
            }
            left -= count;
        }
        unreachable!("the pile is smaller")
    }

    /// The different cards.
    #[inline]
    pub(in crate::magic) fn iter(&self) -> impl Iterator<Item = u8> + use<> {
        bits(self.kinds())
    }
}

/// The bits of a word, lowest first.
#[inline]
pub(in crate::magic) fn bits(mut word: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros() as u8;
            word &= word - 1;
            bit
        })
    })
}
