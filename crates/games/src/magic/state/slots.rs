//! Permanents by their places on the battlefield: one slot, a set of slots, a value for each.

use std::num::NonZeroU8;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Index, IndexMut, Not};

/// The most permanents at once: as many as a set has bits. Every card of two
/// decks of 64 fits, and no game of larger decks comes near it.
pub(in crate::magic) const SLOTS: usize = u128::BITS as usize;

/// The place of a permanent on the battlefield.
// The highest bit is always set, so that `Option<Slot>` takes one byte, and masking it away
// leaves an index that needs no check of its bounds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(in crate::magic) struct Slot(NonZeroU8);

impl Slot {
    pub(in crate::magic) const FIRST: Self = Self::new(0);

    /// The slot with this number, modulo [`SLOTS`].
    #[inline]
    pub(in crate::magic) const fn new(number: u8) -> Self {
        match NonZeroU8::new(number | 0x80) {
            Some(slot) => Self(slot),
            None => unreachable!(),
        }
    }

    #[inline]
    pub(in crate::magic) const fn number(self) -> u8 {
        self.0.get() & 0x7f
    }

    /// The slot as an index into arrays of [`SLOTS`] elements.
    #[inline]
    pub(in crate::magic) const fn index(self) -> usize {
        self.number() as usize
    }

    /// The set of this slot alone.
    #[inline]
    pub(in crate::magic) const fn bit(self) -> Slots {
        Slots(1 << self.number())
    }

    /// The slots below this one.
    #[inline]
    pub(in crate::magic) const fn below(self) -> Slots {
        Slots(self.bit().0 - 1)
    }

    /// A slot or none as one number, for hashes: 255 for none.
    #[inline]
    pub(in crate::magic) fn byte(slot: Option<Self>) -> u8 {
        slot.map_or(u8::MAX, Self::number)
    }
}

/// The first slot, which stands in places that are not used.
impl Default for Slot {
    fn default() -> Self {
        Self::FIRST
    }
}

impl std::fmt::Debug for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Slot({})", self.number())
    }
}

/// A set of slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(in crate::magic) struct Slots(u128);

impl Slots {
    pub(in crate::magic) const EMPTY: Self = Self(0);
    pub(in crate::magic) const ALL: Self = Self(u128::MAX);

    #[inline]
    pub(in crate::magic) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(in crate::magic) const fn has(self, slot: Slot) -> bool {
        // Nearly all slots are in the lower half, and half a set is quicker to shift.
        let [low, high] = self.words();
        let half = if slot.number() < 64 { low } else { high };
        half >> (slot.number() & 63) & 1 == 1
    }

    /// Whether the two sets have a slot in common.
    #[inline]
    pub(in crate::magic) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Puts `slot` into the set or takes it out.
    #[inline]
    pub(in crate::magic) const fn put(&mut self, slot: Slot, value: bool) {
        self.0 = self.0 & !slot.bit().0 | (value as u128) << slot.number();
    }

    /// How many slots there are.
    #[inline]
    pub(in crate::magic) const fn len(self) -> usize {
        // Nearly all slots are in the lower half.
        let [low, high] = self.words();
        let count = low.count_ones() as usize;
        if high == 0 { count } else { count + high.count_ones() as usize }
    }

    /// The lowest slot.
    #[inline]
    pub(in crate::magic) fn first(self) -> Option<Slot> {
        self.iter().next()
    }

    /// The highest slot.
    #[inline]
    pub(in crate::magic) fn last(self) -> Option<Slot> {
        self.0.checked_ilog2().map(|number| Slot::new(number as u8))
    }

    /// The slot, if there is no other.
    #[inline]
    pub(in crate::magic) fn only(self) -> Option<Slot> {
        self.0.is_power_of_two().then(|| Slot::new(self.0.trailing_zeros() as u8))
    }

    /// The set of the lowest slot alone, empty if there is none.
    #[inline]
    pub(in crate::magic) const fn only_first(self) -> Self {
        Self(self.0 & self.0.wrapping_neg())
    }

    /// The slots above `slot`, or all of them.
    #[inline]
    pub(in crate::magic) fn above(self, slot: Option<Slot>) -> Self {
        slot.map_or(self, |slot| self & !(slot.bit() | slot.below()))
    }

    /// The slots, lowest first.
    #[inline]
    pub(in crate::magic) const fn iter(self) -> Iter {
        let [half, upper] = self.words();
        Iter { half, upper, start: 0 }
    }

    /// The set as two words, the lower slots first.
    #[inline]
    pub(in crate::magic) const fn words(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }
}

impl BitAnd for Slots {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Slots {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Slots {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Slots {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl BitAndAssign for Slots {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Slots {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl FromIterator<Slot> for Slots {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Slot>>(slots: I) -> Self {
        slots.into_iter().fold(Self::EMPTY, |all, slot| all | slot.bit())
    }
}

impl IntoIterator for Slots {
    type Item = Slot;
    type IntoIter = Iter;

    #[inline]
    fn into_iter(self) -> Iter {
        self.iter()
    }
}

/// The slots of a set, lowest first.
pub(in crate::magic) struct Iter {
    /// The slots to come of one half, and of the other half if that is the upper one.
    half: u64,
    upper: u64,
    /// The number of the first slot of the half.
    start: u8,
}

impl Iterator for Iter {
    type Item = Slot;

    #[inline]
    fn next(&mut self) -> Option<Slot> {
        if self.half == 0 {
            if self.upper == 0 {
                return None;
            }
            (self.half, self.upper, self.start) = (self.upper, 0, 64);
        }
        let number = self.half.trailing_zeros() as u8 + self.start;
        self.half &= self.half - 1;
        Some(Slot::new(number))
    }
}

/// A value for each slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(in crate::magic) struct BySlot<T>([T; SLOTS]);

impl<T: Copy> BySlot<T> {
    /// The same value everywhere.
    pub(in crate::magic) const fn all(value: T) -> Self {
        Self([value; SLOTS])
    }
}

impl<T> BySlot<T> {
    /// The values in the order of their slots.
    #[inline]
    pub(in crate::magic) const fn as_array(&self) -> &[T; SLOTS] {
        &self.0
    }

    #[inline]
    pub(in crate::magic) fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }
}

impl<T> Index<Slot> for BySlot<T> {
    type Output = T;

    #[inline]
    fn index(&self, slot: Slot) -> &T {
        &self.0[slot.index()]
    }
}

impl<T> IndexMut<Slot> for BySlot<T> {
    #[inline]
    fn index_mut(&mut self, slot: Slot) -> &mut T {
        &mut self.0[slot.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_read_back() {
        assert_eq!((size_of::<Slot>(), size_of::<Option<Slot>>()), (1, 1));
        for number in 0..SLOTS as u8 {
            let slot = Slot::new(number);
            assert_eq!((slot.number(), slot.index()), (number, number as usize));
            assert_eq!((slot.bit().first(), slot.bit().last()), (Some(slot), Some(slot)));
            assert!(slot.bit().has(slot) && !(!slot.bit()).has(slot));
            assert_eq!(slot.below().len(), number as usize);
            assert_eq!(Slots::ALL.above(Some(slot)).len(), SLOTS - 1 - number as usize);
        }
        assert_eq!((Slot::byte(None), Slot::byte(Some(Slot::new(3)))), (255, 3));
    }

    #[test]
    fn a_set_lists_what_was_put_into_it() {
        let numbers = [0, 5, 63, 64, 127];
        let mut set = Slots::EMPTY;
        for number in numbers {
            set.put(Slot::new(number), true);
        }
        assert!(set.iter().map(Slot::number).eq(numbers));
        assert_eq!(set.iter().collect::<Slots>(), set);
        assert_eq!(set.only_first(), Slot::FIRST.bit());
        assert_eq!((set.only(), set.only_first().only()), (None, Some(Slot::FIRST)));
        assert_eq!(Slots::ALL.above(None), Slots::ALL);
        set.put(Slot::new(5), false);
        assert!(set.iter().map(Slot::number).eq([0, 63, 64, 127]));
    }
}
