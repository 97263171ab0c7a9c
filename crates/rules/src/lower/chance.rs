//! Chance events: rolls, throws of several dice, and deals.

use crate::dice::Dice;

/// A chance event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chance {
    /// A number register gets one of the numbers of a range.
    Roll {
        register: u8,
        low: i16,
        high: i16,
    },
    RollEach(RollEach),
    Dice(Dice),
    Deal(Deal),
}

/// A hidden number of each player gets a random value, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RollEach {
    /// The register of the first player's number.
    pub(crate) register: u8,
    pub(crate) low: i16,
    pub(crate) high: i16,
    /// The number register that counts players.
    pub(crate) counter: u8,
}

/// Cards that go one by one from a pile to others in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Deal {
    pub(crate) from: u8,
    /// The register of the first pile.
    pub(crate) to: u8,
    pub(crate) piles: usize,
    /// Whether they go to the pile of the mover alone.
    pub(crate) is_mine: bool,
    /// The number of cards for each pile.
    pub(crate) each: DealCount,
    /// The number register that counts cards.
    pub(crate) counter: u8,
    /// The register of the cards that the first player is known to lack, if that is known.
    pub(crate) lacks: Option<u8>,
}

/// How many cards are dealt; at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DealCount {
    Constant(i32),
    Register(u8),
}

impl Deal {
    /// Returns the number of cards of the whole deal; `number` returns what is in a register.
    #[inline(always)]
    pub(crate) fn cards(&self, number: impl Fn(u8) -> i32) -> i32 {
        let each = match self.each {
            DealCount::Constant(each) => each,
            DealCount::Register(register) => number(register),
        };
        if self.is_mine { each } else { each * self.piles as i32 }
    }

    /// Returns the seat whose pile gets the next card.
    #[inline(always)]
    pub(crate) fn seat(&self, dealt: i32, mover: u8) -> u8 {
        if self.is_mine { mover } else { (dealt as u32 % self.piles as u32) as u8 }
    }
}
