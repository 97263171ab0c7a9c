//! What mana a player could spend, and what a cost asks for.

use crate::magic::language::{Mana, ManaCost};
use crate::magic::state::Owed;
use crate::magic::table::card::bits;

/// How many sets of the six kinds of mana there are.
const CLASSES: usize = 64;

/// The classes that contain each kind, one bit each.
const CONTAINING: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// Mana that a player could spend, by what it can be: one bit for each kind,
/// and how much there is.
#[derive(Clone, Copy, Debug)]
pub(in crate::magic) struct AvailableMana {
    /// How much mana there is of each class, by the set of its kinds.
    amounts: [u8; CLASSES],
    /// The classes of which there was some, one bit each.
    classes: u64,
    total: u8,
}

impl AvailableMana {
    pub(in crate::magic) fn new() -> Self {
        Self { amounts: [0; CLASSES], classes: 0, total: 0 }
    }

    #[inline]
    pub(in crate::magic) fn add(&mut self, kinds: u8, amount: u8) {
        if amount == 0 {
            return;
        }
        self.total = self.total.saturating_add(amount);
        let class = &mut self.amounts[kinds as usize % CLASSES];
        *class = class.saturating_add(amount);
        self.classes |= 1 << (kinds as usize % CLASSES);
    }

    #[inline]
    pub(in crate::magic) fn remove(&mut self, kinds: u8, amount: u8) {
        self.total = self.total.saturating_sub(amount);
        let class = &mut self.amounts[kinds as usize % CLASSES];
        *class = class.saturating_sub(amount);
    }

    /// Whether it pays for all of this.
    ///
    /// By Hall's theorem: for any colours, what asks for them is no more than
    /// what can be them.
    pub(in crate::magic) fn pays(&self, owed: &Owed) -> bool {
        let coloured = sum(owed.coloured);
        if u16::from(owed.generic) + u16::from(coloured) > u16::from(self.total) {
            return false;
        }
        if coloured == 0 {
            return true;
        }
        let wanted = (0..6).fold(0_u8, |all, kind| all | u8::from(owed.coloured[kind] > 0) << kind);
        if wanted & (wanted - 1) == 0 {
            return coloured <= self.amount_of(wanted);
        }
        let mut colours = wanted;
        while colours != 0 {
            let asked = sum((0..6)
                .filter(|&kind| colours >> kind & 1 == 1)
                .map(|kind| owed.coloured[kind]));
            if asked > self.amount_of(colours) {
                return false;
            }
            colours = (colours - 1) & wanted;
        }
        true
    }

    /// How much of it can be one of these kinds.
    #[inline]
    fn amount_of(&self, kinds: u8) -> u8 {
        let containing =
            bits(u64::from(kinds)).fold(0, |all, kind| all | CONTAINING[kind as usize]);
        sum(bits(self.classes & containing).map(|class| self.amounts[class as usize]))
    }

    /// Whether all mana in it can be the same things.
    pub(super) fn is_uniform(&self) -> bool {
        self.classes.count_ones() <= 1
    }
}

/// Amounts of mana added up.
#[inline]
fn sum(amounts: impl IntoIterator<Item = u8>) -> u8 {
    amounts.into_iter().fold(0, u8::saturating_add)
}

impl Owed {
    /// A cost with this `X`, paid in one kind only if that is said.
    pub(in crate::magic) fn new(cost: &ManaCost, x: u8, x_only: Option<Mana>) -> Self {
        let mut owed = Self { coloured: cost.coloured, generic: cost.generic };
        match x_only {
            Some(mana) => {
                let coloured = &mut owed.coloured[mana as usize];
                *coloured = coloured.saturating_add(cost.variable.saturating_mul(x));
            }
            None => owed.generic = owed.generic.saturating_add(cost.variable.saturating_mul(x)),
        }
        owed
    }

    #[inline]
    pub(in crate::magic) fn is_paid(&self) -> bool {
        *self == Self::default()
    }

    #[inline]
    pub(in crate::magic) fn and(mut self, other: &Self) -> Self {
        self.generic = self.generic.saturating_add(other.generic);
        for (all, more) in self.coloured.iter_mut().zip(other.coloured) {
            *all = all.saturating_add(more);
        }
        self
    }
}

#[cfg(test)]
#[test]
fn classes_are_found_by_each_of_their_kinds() {
    for class in 0..CLASSES {
        let kinds = (0..6).filter(|&kind| CONTAINING[kind] >> class & 1 == 1);
        assert_eq!(kinds.fold(0, |set, kind| set | 1 << kind), class);
    }
}
