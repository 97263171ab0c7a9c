//! Fixed-capacity lists of actions and outcomes, stored inline.

use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

/// The maximum number of legal actions of a state.
///
/// The widest decision so far is the payment for a Stone Age building that takes one to seven
/// resources: 329 combinations.
pub const MAX_ACTIONS: usize = 384;
/// The maximum number of outcomes of a chance node.
pub const MAX_OUTCOMES: usize = 256;

/// An action of a player or a chance outcome, as an id that the game assigns.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Action(pub u16);

impl Action {
    /// Returns the action as an index into a policy.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A chance outcome with its probability.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The id of the outcome; outcomes are numbered separately from the players' actions.
    pub action: Action,
    /// Its probability, above 0 and at most 1; a fraction such as 1/36 is the nearest `f64`.
    pub probability: f64,
}

/// A list of legal actions, without heap memory.
pub type ActionList = List<Action, MAX_ACTIONS>;
/// The outcomes of a chance event, without heap memory.
pub type OutcomeList = List<Outcome, MAX_OUTCOMES>;

/// Up to `CAPACITY` items, stored inline. Create one list and reuse it for many states.
#[derive(Clone)]
pub struct List<T, const CAPACITY: usize> {
    items: [T; CAPACITY],
    len: usize,
}

impl<T: Copy + Default, const CAPACITY: usize> List<T, CAPACITY> {
    /// Creates an empty list.
    #[must_use]
    pub fn new() -> Self {
        Self { items: [T::default(); CAPACITY], len: 0 }
    }

    /// Removes all items.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds an item at the end.
    ///
    /// # Panics
    ///
    /// Panics when the list is full: the game has more choices than a list holds.
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
        // A local length stays in a register; pushing one by one would write it back each
        // time.
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
