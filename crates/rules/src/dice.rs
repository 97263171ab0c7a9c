//! Dice that are thrown together: a chance outcome is a multiset of faces, with its exact odds.

use meeple_game::{Action, Outcome, OutcomeList};
use meeple_rng::Rng;

/// The most dice of a throw.
pub(crate) const MAX_DICE: usize = 8;
/// The most faces of a die.
pub(crate) const MAX_FACES: usize = 20;

/// Dice whose faces are counted in number registers, one for each face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dice {
    /// The register of the lowest face.
    pub(crate) register: u8,
    /// The lowest face.
    pub(crate) low: i16,
    pub(crate) faces: u8,
    pub(crate) count: u8,
    /// Whether each die counts twice if all show the same face.
    pub(crate) twice: bool,
}

/// The faces of a throw from 0, the greatest first.
type Throw = [u8; MAX_DICE];

impl Dice {
    /// Returns the number of different throws.
    pub(crate) fn outcomes(&self) -> usize {
        // Choices of `count` from `faces`, with repetition.
        (1..=usize::from(self.count))
            .fold(1, |all, die| all * (usize::from(self.faces) + die - 1) / die)
    }

    /// Returns all throws in the order of their numbers: by the greatest face, then the next.
    fn throws(self) -> impl Iterator<Item = Throw> {
        let next = move |throw: &Throw| {
            let mut next = *throw;
            let can_rise = |&die: &usize| {
                if die == 0 { next[0] + 1 < self.faces } else { next[die] < next[die - 1] }
            };
            let die = (0..usize::from(self.count)).rev().find(can_rise)?;
            next[die] += 1;
            next[die + 1..].fill(0);
            Some(next)
        };
        std::iter::successors(Some([0; MAX_DICE]), next)
    }

    /// Returns how many dice show each face.
    fn counted(&self, throw: &Throw) -> [u8; MAX_FACES] {
        let mut counts = [0; MAX_FACES];
        for &face in &throw[..usize::from(self.count)] {
            counts[usize::from(face)] += 1;
        }
        counts
    }

    /// Returns the probability of a throw: the orders it can have, of all orders.
    fn probability(&self, throw: &Throw) -> f64 {
        let factorial = |n: u8| (1..=u64::from(n)).product::<u64>();
        let same: u64 = self.counted(throw).iter().map(|&count| factorial(count)).product();
        let orders = factorial(self.count) / same;
        orders as f64 / f64::from(self.faces).powi(self.count.into())
    }

    /// Lists all throws.
    pub(crate) fn list(&self, out: &mut OutcomeList) {
        out.extend(self.throws().enumerate().map(|(number, throw)| Outcome {
            action: Action(number as u16),
            probability: self.probability(&throw),
        }));
    }

    /// Draws a throw, by taking off the probability of each in turn.
    pub(crate) fn sample(&self, rng: &mut Rng) -> Action {
        let mut left = rng.unit();
        let is_drawn = |throw: Throw| {
            left -= self.probability(&throw);
            left < 0.0
        };
        let drawn = self.throws().position(is_drawn);
        Action(drawn.unwrap_or(self.outcomes() - 1) as u16)
    }

    /// Returns how many dice of each face are to be used after a throw.
    pub(crate) fn thrown(&self, outcome: Action) -> [u8; MAX_FACES] {
        let throw = self.throws().nth(outcome.index()).unwrap_or_default();
        let mut counts = self.counted(&throw);
        if self.twice && self.count > 1 && counts[usize::from(throw[0])] == self.count {
            counts[usize::from(throw[0])] *= 2;
        }
        counts
    }

    /// Returns the name of a throw, such as `6-5`.
    pub(crate) fn name(&self, outcome: Action) -> String {
        let throw = self.throws().nth(outcome.index()).unwrap_or_default();
        let faces = throw[..usize::from(self.count)].iter();
        let faces = faces.map(|&face| (self.low + i16::from(face)).to_string());
        faces.collect::<Vec<_>>().join("-")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dice(count: u8, faces: u8) -> Dice {
        Dice { register: 0, low: 1, faces, count, twice: false }
    }

    #[test]
    fn throws_are_multisets_with_their_odds() {
        for (count, faces, outcomes) in [(1, 6, 6), (2, 6, 21), (4, 6, 126), (3, 4, 20)] {
            let dice = dice(count, faces);
            assert_eq!(dice.outcomes(), outcomes);
            let mut list = OutcomeList::new();
            dice.list(&mut list);
            assert_eq!(list.len(), outcomes);
            let sum: f64 = list.iter().map(|outcome| outcome.probability).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        }
        let two = dice(2, 6);
        let mut list = OutcomeList::new();
        two.list(&mut list);
        let odds = |name: &str| {
            let found = list.iter().find(|outcome| two.name(outcome.action) == name);
            found.map_or(0.0, |outcome| outcome.probability * 36.0).round()
        };
        assert_eq!((odds("6-6"), odds("6-5"), odds("2-1")), (1.0, 2.0, 2.0));
    }

    #[test]
    fn doubles_count_twice_where_the_file_says_so() {
        let two = Dice { twice: true, ..dice(2, 6) };
        let thrown = |name: &str| {
            let outcome = (0..21).map(Action).find(|&outcome| two.name(outcome) == name);
            two.thrown(outcome.expect("a throw"))[..6].to_vec()
        };
        assert_eq!(thrown("3-3"), [0, 0, 4, 0, 0, 0]);
        assert_eq!(thrown("6-2"), [0, 1, 0, 0, 0, 1]);
    }
}
