//! The two seats of a duel: one seat, a set of seats, a value for each.

use std::fmt;
use std::ops::{BitOr, BitOrAssign, Index, IndexMut};

use meeple_game::Player;

/// One of the two seats.
// Not a `Player`, which could be any of many seats: of two the other is known, indices need no
// check, and `Option<Seat>` takes one byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(in crate::magic) enum Seat {
    #[default]
    First = 0,
    Second = 1,
}

impl Seat {
    pub(in crate::magic) const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The first seat for 0, the second for any other number.
    #[inline]
    pub(in crate::magic) const fn new(number: u8) -> Self {
        Self::second_if(number != 0)
    }

    #[inline]
    pub(in crate::magic) const fn second_if(second: bool) -> Self {
        if second { Self::Second } else { Self::First }
    }

    #[inline]
    pub(in crate::magic) const fn number(self) -> u8 {
        self as u8
    }

    /// The opponent's seat.
    #[inline]
    pub(in crate::magic) const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// The set of this seat alone.
    #[inline]
    pub(in crate::magic) const fn bit(self) -> SeatSet {
        SeatSet(1 << self as u8)
    }

    /// A seat or none as one number, for hashes: 255 for none.
    #[inline]
    pub(in crate::magic) fn byte(seat: Option<Self>) -> u8 {
        seat.map_or(u8::MAX, Self::number)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Player::from(*self).fmt(f)
    }
}

impl From<Player> for Seat {
    #[inline]
    fn from(player: Player) -> Self {
        Self::new(player.0)
    }
}

impl From<Seat> for Player {
    #[inline]
    fn from(seat: Seat) -> Self {
        Self(seat.number())
    }
}

/// A set of seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(in crate::magic) struct SeatSet(u8);

impl SeatSet {
    pub(in crate::magic) const NONE: Self = Self(0);
    pub(in crate::magic) const BOTH: Self = Self(0b11);

    /// The set whose bits these are.
    #[inline]
    pub(in crate::magic) const fn new(bits: u8) -> Self {
        Self(bits & 0b11)
    }

    /// One bit for each seat, the lowest for the first.
    #[inline]
    pub(in crate::magic) const fn bits(self) -> u8 {
        self.0
    }

    #[inline]
    pub(in crate::magic) const fn has(self, seat: Seat) -> bool {
        self.0 >> seat as u8 & 1 == 1
    }

    #[inline]
    pub(in crate::magic) const fn remove(&mut self, seat: Seat) {
        self.0 &= !seat.bit().0;
    }

    /// The seats in order.
    #[inline]
    pub(in crate::magic) fn iter(self) -> impl Iterator<Item = Seat> {
        Seat::BOTH.into_iter().filter(move |&seat| self.has(seat))
    }
}

impl BitOr for SeatSet {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for SeatSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// A value for each seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(in crate::magic) struct BySeat<T>(pub(in crate::magic) [T; 2]);

impl<T> BySeat<T> {
    #[inline]
    pub(in crate::magic) fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    #[inline]
    pub(in crate::magic) fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;

    #[inline]
    fn index(&self, seat: Seat) -> &T {
        &self.0[seat as usize]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat as usize]
    }
}

#[cfg(test)]
#[test]
fn seats_read_back() {
    assert_eq!((size_of::<Seat>(), size_of::<Option<Seat>>()), (1, 1));
    for seat in Seat::BOTH {
        assert_eq!(Seat::new(seat.number()), seat);
        assert_eq!(Seat::from(Player::from(seat)), seat);
        assert!(seat.other() != seat && seat.other().other() == seat);
        assert!(seat.bit().iter().eq([seat]));
    }
    assert!(SeatSet::BOTH.iter().eq(Seat::BOTH));
    assert_eq!((Seat::byte(None), Seat::byte(Some(Seat::Second))), (255, 1));
}
