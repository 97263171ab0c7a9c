//! Mana that is still to be paid.

use crate::magic::language::{Mana, ManaCost};

/// The bytes of a word that stand for the kinds of mana.
const KINDS: u64 = 0xffff_ffff_ffff;
/// The place of generic mana.
const GENERIC: usize = 6;

/// Mana that is still to be paid: a byte for each kind in the order of [`Mana`], then one for
/// generic mana.
// Bytes, since a word would have to be aligned; the last of them is always 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(in crate::magic) struct Owed([u8; 8]);

impl Owed {
    /// A cost with this `X`, paid in one kind only if that is said.
    pub(in crate::magic) fn new(cost: &ManaCost, x: u8, x_only: Option<Mana>) -> Self {
        let [w, u, b, r, g, c] = cost.coloured;
        let mut owed = Self([w, u, b, r, g, c, cost.generic, 0]);
        let place = x_only.map_or(GENERIC, |mana| mana as usize);
        owed.0[place] = owed.0[place].saturating_add(cost.variable.saturating_mul(x));
        owed
    }

    /// Generic mana alone.
    pub(in crate::magic) const fn generic_only(amount: u8) -> Self {
        Self([0, 0, 0, 0, 0, 0, amount, 0])
    }

    /// All bytes as one word, for hashes.
    #[inline]
    pub(in crate::magic) const fn word(self) -> u64 {
        u64::from_le_bytes(self.0)
    }

    /// The bytes of the kinds of mana as one word.
    #[inline]
    pub(in crate::magic) const fn kinds(self) -> u64 {
        self.word() & KINDS
    }

    /// Mana of one kind.
    #[inline]
    pub(in crate::magic) const fn of_kind(self, kind: usize) -> u8 {
        self.0[kind]
    }

    #[inline]
    pub(in crate::magic) const fn generic(self) -> u8 {
        self.0[GENERIC]
    }

    /// All of it, of whatever kind.
    #[inline]
    pub(in crate::magic) fn total(self) -> u8 {
        self.0.into_iter().fold(0, u8::saturating_add)
    }

    /// The first kind that is wanted.
    #[inline]
    pub(in crate::magic) fn wanted(self) -> Option<usize> {
        let kinds = self.kinds();
        (kinds != 0).then(|| kinds.trailing_zeros() as usize / 8)
    }

    #[inline]
    pub(in crate::magic) const fn is_paid(self) -> bool {
        self.word() == 0
    }

    /// This and `other` together.
    #[inline]
    pub(in crate::magic) fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|place| self.0[place].saturating_add(other.0[place])))
    }

    /// Pays as much of `amount` as is wanted of a kind; how much that is.
    #[inline]
    pub(in crate::magic) fn pay_kind(&mut self, kind: usize, amount: u8) -> u8 {
        let paid = self.0[kind].min(amount);
        self.0[kind] -= paid;
        paid
    }

    /// Pays as much of `amount` as is wanted of any kind; how much that is.
    #[inline]
    pub(in crate::magic) fn pay_generic(&mut self, amount: u8) -> u8 {
        self.pay_kind(GENERIC, amount)
    }
}

#[cfg(test)]
#[test]
fn costs_are_added_and_paid() {
    let cost: ManaCost = "X2UUC".parse().expect("a cost");
    let mut owed = Owed::new(&cost, 3, None);
    assert_eq!((owed.generic(), owed.of_kind(1), owed.of_kind(5)), (5, 2, 1));
    assert_eq!((owed.wanted(), owed.total()), (Some(1), 8));
    assert_eq!(Owed::new(&cost, 3, Some(Mana::R)).of_kind(Mana::R as usize), 3);
    assert_eq!(owed.and(Owed::generic_only(255)).generic(), 255);
    assert_eq!((owed.pay_kind(1, 3), owed.pay_generic(9), owed.pay_kind(5, 1)), (2, 5, 1));
    assert!(owed.is_paid() && owed.wanted().is_none());
}
