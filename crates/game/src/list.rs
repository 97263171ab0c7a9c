//! Lists of actions and outcomes that live where the caller puts them.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

/// The most actions one menu may offer.
///
/// The widest there is: what can be paid for a Stone Age building that takes
/// one to seven resources, 329 ways.
pub const MAX_ACTIONS: usize = 384;
/// The most outcomes one chance event may have.
pub const MAX_OUTCOMES: usize = 256;

/// A move of a player, or an outcome of chance, as a number the game assigns.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Action(pub u16);

impl Action {
    /// The action as an index into a policy.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Something luck may do, and how likely it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// What happens; outcomes are numbered apart from the players' actions.
    pub action: Action,
    /// Its probability, above 0 and at most 1; a fraction such as 1/36 as near as
    /// a double comes to it.
    pub probability: f64,
}

/// A menu of legal actions, without heap memory.
pub type ActionList = List<Action, MAX_ACTIONS>;
/// The outcomes of a chance event, without heap memory.
pub type OutcomeList = List<Outcome, MAX_OUTCOMES>;

/// Up to `CAPACITY` items, stored inline: make one, and let states fill it
/// again and again.
#[derive(Clone)]
pub struct List<T, const CAPACITY: usize> {
    items: [T; CAPACITY],
    len: usize,
}

impl<T: Copy + Default, const CAPACITY: usize> List<T, CAPACITY> {
    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self { items: [T::default(); CAPACITY], len: 0 }
    }

    /// Forgets every item.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds an item at the end.
    ///
    /// # Panics
    ///
    /// Panics when the list is full: the game offers more than a menu holds.
    #[inline]
    pub fn push(&mut self, item: T) {
        self.items[self.len] = item;
        self.len += 1;
    }
}

impl<T: Copy + Default, const CAPACITY: usize> Default for List<T, CAPACITY> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, const CAPACITY: usize> Deref for List<T, CAPACITY> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.items[..self.len]
    }
}

impl<T: Copy + Default, const CAPACITY: usize> Extend<T> for List<T, CAPACITY> {
    #[inline]
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        // The length stays in a register, which pushing one by one does not achieve.
        let mut len = self.len;
        for item in items {
            self.items[len] = item;
            len += 1;
        }
        self.len = len;
    }
}

impl<T: fmt::Debug, const CAPACITY: usize> fmt::Debug for List<T, CAPACITY> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_filled_and_filled_again() {
        let mut list = List::<u8, 4>::new();
        list.extend([1, 2, 3, 4]);
        assert_eq!(*list, [1, 2, 3, 4]);
        list.clear();
        list.push(9);
        assert_eq!(*list, [9]);
        assert_eq!(format!("{list:?}"), "[9]");
    }

    #[test]
    #[should_panic(expected = "out of bounds")]
    fn a_full_list_refuses() {
        List::<u8, 2>::new().extend([1, 2, 3]);
    }
}
