//! What mana a player could spend, and what a cost asks for.

use super::language::{Mana, ManaCost};
use super::row::Row;
use super::state::Owed;

/// Mana that a player could spend, by what it can be: one bit for each kind,
/// and how much there is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Purse {
    classes: Row<(u8, u8), 32>,
    total: u8,
}

impl Purse {
    pub(super) fn new() -> Self {
        Self { classes: Row::new(), total: 0 }
    }

    #[inline]
    pub(super) fn add(&mut self, kinds: u8, amount: u8) {
        if amount == 0 {
            return;
        }
        self.total = self.total.saturating_add(amount);
        if let Some(class) = self.classes.iter_mut().find(|class| class.0 == kinds) {
            class.1 = class.1.saturating_add(amount);
        } else if !self.classes.is_full() {
            self.classes.push((kinds, amount));
        }
    }

    #[inline]
    pub(super) fn remove(&mut self, kinds: u8, amount: u8) {
        self.total = self.total.saturating_sub(amount);
        if let Some(class) = self.classes.iter_mut().find(|class| class.0 == kinds) {
            class.1 = class.1.saturating_sub(amount);
        }
    }

    /// Whether it pays for all of this.
    ///
    /// By Hall's theorem: for any colours, what asks for them is no more than
    /// what can be them.
    pub(super) fn pays(&self, owed: &Owed) -> bool {
        let coloured: u8 = owed.coloured.iter().sum();
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
            let asked: u8 = (0..6)
                .filter(|&kind| colours >> kind & 1 == 1)
                .map(|kind| owed.coloured[kind])
                .sum();
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
        self.classes.iter().filter(|class| class.0 & kinds != 0).map(|class| class.1).sum()
    }

    /// Whether all mana in it can be the same things.
    pub(super) fn is_uniform(&self) -> bool {
        self.classes.len() <= 1
    }
}

impl Owed {
    /// A cost with this `X`, paid in one kind only if that is said.
    pub(super) fn new(cost: &ManaCost, x: u8, x_only: Option<Mana>) -> Self {
        let mut owed = Self { coloured: cost.coloured, generic: cost.generic };
        match x_only {
            Some(mana) => owed.coloured[mana as usize] += cost.variable * x,
            None => owed.generic = owed.generic.saturating_add(cost.variable.saturating_mul(x)),
        }
        owed
    }

    #[inline]
    pub(super) fn is_paid(&self) -> bool {
        *self == Self::default()
    }

    #[inline]
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.generic += other.generic;
        for (all, more) in self.coloured.iter_mut().zip(other.coloured) {
            *all += more;
        }
        self
    }
}
