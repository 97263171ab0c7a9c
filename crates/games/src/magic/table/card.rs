//! Cards by their numbers: at the table, in a deck, in a set of cards of a deck.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Index, IndexMut, Not};

use crate::magic::state::seat::Seat;

/// How many numbers the cards of one deck have.
pub(in crate::magic) const DECK: usize = 64;
/// The most different cards in one deck.
pub(in crate::magic) const KINDS: usize = crate::magic::decks::MOST_DIFFERENT;
/// The first number of a token.
const TOKENS: usize = 2 * DECK;
/// How many numbers there are: as many as a byte can hold.
pub(in crate::magic) const CARDS: usize = TOKENS + 2 * DECK;

/// A card or token by its number at the table: the cards of the first deck from 0, those of
/// the second from [`DECK`], then the tokens of the first seat and those of the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(in crate::magic) struct CardId(u8);

impl CardId {
    /// Stands for no card. It is in no deck.
    pub(in crate::magic) const BLANK: Self = Self(u8::MAX);

    #[inline]
    pub(in crate::magic) const fn new(number: u8) -> Self {
        Self(number)
    }

    /// The token with this number among the tokens, as one of `seat`.
    #[inline]
    pub(in crate::magic) const fn token(number: u8, seat: Seat) -> Self {
        Self(TOKENS as u8 + number + seat.number() * DECK as u8)
    }

    #[inline]
    pub(in crate::magic) const fn number(self) -> u8 {
        self.0
    }

    #[inline]
    pub(in crate::magic) const fn is_token(self) -> bool {
        self.0 >= TOKENS as u8
    }

    /// Who owns the card or token.
    #[inline]
    pub(in crate::magic) const fn owner(self) -> Seat {
        Seat::new((self.0 / DECK as u8) & 1)
    }

    /// The card in the deck of its owner. Tokens are in none.
    #[inline]
    pub(in crate::magic) const fn in_deck(self) -> DeckCard {
        DeckCard::new(self.0)
    }
}

/// A card of a deck by its number there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(in crate::magic) struct DeckCard(u8);

impl DeckCard {
    /// The card with this number, modulo [`DECK`].
    #[inline]
    pub(in crate::magic) const fn new(number: u8) -> Self {
        Self(number % DECK as u8)
    }

    #[inline]
    pub(in crate::magic) const fn number(self) -> u8 {
        self.0
    }

    /// The card at the table, if the deck is that of `owner`.
    #[inline]
    pub(in crate::magic) const fn of(self, owner: Seat) -> CardId {
        CardId(self.0 + owner.number() * DECK as u8)
    }

    /// The set of this card alone.
    #[inline]
    pub(in crate::magic) const fn bit(self) -> DeckCards {
        DeckCards(1 << self.0)
    }
}

/// A set of cards of one deck.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(in crate::magic) struct DeckCards(u64);

impl DeckCards {
    pub(in crate::magic) const EMPTY: Self = Self(0);
    pub(in crate::magic) const ALL: Self = Self(u64::MAX);
    /// As many as a deck can have.
    pub(in crate::magic) const KINDS: Self = Self((1 << KINDS) - 1);

    /// The set whose bits these are, the lowest for the card with number 0.
    #[inline]
    pub(in crate::magic) const fn new(bits: u64) -> Self {
        Self(bits)
    }

    #[inline]
    pub(in crate::magic) const fn bits(self) -> u64 {
        self.0
    }

    #[inline]
    pub(in crate::magic) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(in crate::magic) const fn has(self, card: DeckCard) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    #[inline]
    pub(in crate::magic) const fn remove(&mut self, card: DeckCard) {
        self.0 &= !card.bit().0;
    }

    /// The card, if there is no other.
    #[inline]
    pub(in crate::magic) fn only(self) -> Option<DeckCard> {
        self.0.is_power_of_two().then(|| DeckCard(self.0.trailing_zeros() as u8))
    }

    /// The cards, lowest first.
    #[inline]
    pub(in crate::magic) fn iter(self) -> impl Iterator<Item = DeckCard> {
        bits(self.0).map(DeckCard)
    }
}

impl BitAnd for DeckCards {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for DeckCards {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAndAssign for DeckCards {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for DeckCards {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl Not for DeckCards {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl FromIterator<DeckCard> for DeckCards {
    #[inline]
    fn from_iter<I: IntoIterator<Item = DeckCard>>(cards: I) -> Self {
        cards.into_iter().fold(Self::EMPTY, |all, card| all | card.bit())
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

/// A value for each card at the table.
#[derive(Clone, Debug)]
#[repr(transparent)]
pub(in crate::magic) struct ByCard<T>(pub(in crate::magic) [T; CARDS]);

impl<T> ByCard<T> {
    /// The number among the tokens of the first that fits.
    pub(in crate::magic) fn token(&self, fits: impl Fn(&T) -> bool) -> Option<u8> {
        let place = self.0[TOKENS..TOKENS + DECK].iter().position(fits)?;
        Some(place as u8)
    }
}

impl<T> Index<CardId> for ByCard<T> {
    type Output = T;

    #[inline]
    fn index(&self, card: CardId) -> &T {
        &self.0[card.0 as usize]
    }
}

impl<T> IndexMut<CardId> for ByCard<T> {
    fn index_mut(&mut self, card: CardId) -> &mut T {
        &mut self.0[card.0 as usize]
    }
}

/// A value for each card of a deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(in crate::magic) struct ByDeckCard<T>(pub(in crate::magic) [T; KINDS]);

impl<T> Index<DeckCard> for ByDeckCard<T> {
    type Output = T;

    #[inline]
    fn index(&self, card: DeckCard) -> &T {
        &self.0[card.0 as usize]
    }
}

impl<T> IndexMut<DeckCard> for ByDeckCard<T> {
    #[inline]
    fn index_mut(&mut self, card: DeckCard) -> &mut T {
        &mut self.0[card.0 as usize]
    }
}

#[cfg(test)]
#[test]
fn cards_read_back() {
    for seat in Seat::BOTH {
        for number in 0..DECK as u8 {
            let card = DeckCard::new(number).of(seat);
            assert_eq!((card.owner(), card.in_deck().number()), (seat, number));
            assert!(!card.is_token());
            let token = CardId::token(number, seat);
            assert_eq!((token.owner(), token.is_token()), (seat, true));
        }
    }
    let set = DeckCards::new(1 << 40 | 1 << 2);
    assert!(set.iter().map(DeckCard::number).eq([2, 40]));
    assert_eq!((set.iter().collect::<DeckCards>(), set.only()), (set, None));
    assert_eq!(DeckCard::new(7).bit().only(), Some(DeckCard::new(7)));
}
