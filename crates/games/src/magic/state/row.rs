//! A short list inside a state.

use std::fmt;
use std::ops::{Deref, DerefMut};

/// The bit of [`Row::len`] that tells that an item found no room.
const MISSED: u8 = 0x80;

/// Up to `N` items in order. Equal rows hold equal items, whatever was in the
/// unused places before.
///
/// A full row takes no more items and remembers that it missed one.
#[derive(Clone, Copy)]
pub(in crate::magic) struct Row<T, const N: usize> {
    items: [T; N],
    /// How many there are; the highest bit tells that one was missed.
    len: u8,
}

impl<T: Copy + Default, const N: usize> Row<T, N> {
    pub(in crate::magic) fn new() -> Self {
        const { assert!(N < MISSED as usize, "the length must fit into seven bits") };
        Self { items: [T::default(); N], len: 0 }
    }

    /// Adds an item at the end.
    #[inline]
    pub(in crate::magic) fn push(&mut self, item: T) {
        let len = self.len();
        match self.items.get_mut(len) {
            Some(place) => {
                *place = item;
                self.len += 1;
            }
            None => self.len |= MISSED,
        }
    }

    #[inline]
    pub(in crate::magic) fn pop(&mut self) -> Option<T> {
        let last = self.items[self.len().checked_sub(1)?];
        self.len -= 1;
        Some(last)
    }

    /// Takes out an item; those behind it move up.
    #[inline]
    pub(in crate::magic) fn remove(&mut self, index: usize) -> T {
        let item = self[index];
        let len = self.len();
        self.items.copy_within(index + 1..len, index);
        self.len -= 1;
        item
    }
}

impl<T, const N: usize> Row<T, N> {
    /// Whether an item found no room.
    #[inline]
    pub(in crate::magic) const fn missed(&self) -> bool {
        self.len & MISSED != 0
    }

    // These two stand for those of slices, which would first check that the length is no
    // more than the room.
    #[inline]
    pub(in crate::magic) const fn len(&self) -> usize {
        (self.len & !MISSED) as usize
    }

    #[inline]
    pub(in crate::magic) const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T: Copy, const N: usize> Row<T, N> {
    /// An empty row, whose places hold `item` until they are used.
    pub(in crate::magic) const fn filled_with(item: T) -> Self {
        Self { items: [item; N], len: 0 }
    }
}

impl<T, const N: usize> Deref for Row<T, N> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.items[..self.len()]
    }
}

impl<T, const N: usize> DerefMut for Row<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        let len = self.len();
        &mut self.items[..len]
    }
}

impl<T: Copy + Default, const N: usize> Default for Row<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: PartialEq, const N: usize> PartialEq for Row<T, N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const N: usize> Eq for Row<T, N> {}

impl<T: fmt::Debug, const N: usize> fmt::Debug for Row<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
#[test]
fn a_full_row_remembers_that_it_missed_an_item() {
    let mut row = Row::<u8, 2>::new();
    (1..=2).for_each(|item| row.push(item));
    assert_eq!((&row[..], row.missed()), (&[1, 2][..], false));
    row.push(3);
    assert_eq!((&row[..], row.missed()), (&[1, 2][..], true));
}
