//! Sets of permanents: one bit for each slot of the battlefield.

/// A set of slots.
pub(in crate::magic) type Slots = u128;

/// The most permanents at once: as many as a set has bits. Every card of two
/// decks of 64 fits, and no game of larger decks comes near it.
pub(in crate::magic) const SLOTS: usize = Slots::BITS as usize;
/// No slot.
pub(in crate::magic) const NONE: u8 = u8::MAX;

/// The set of one slot.
#[inline]
pub(in crate::magic) const fn bit(slot: u8) -> Slots {
    1 << slot
}

/// Whether `slot` is in `set`.
#[inline]
pub(in crate::magic) const fn has(set: Slots, slot: u8) -> bool {
    // Nearly all slots are in the lower half, and half a set is quicker to shift.
    let half = if slot < 64 { set as u64 } else { (set >> 64) as u64 };
    half >> (slot & 63) & 1 == 1
}

/// Puts `slot` into `set` or takes it out.
#[inline]
pub(in crate::magic) const fn put(set: &mut Slots, slot: u8, value: bool) {
    *set = *set & !bit(slot) | (value as Slots) << slot;
}

/// The slots of a set, lowest first.
#[inline]
pub(in crate::magic) fn each(set: Slots) -> Each {
    Each { low: set as u64, high: (set >> 64) as u64 }
}

/// The slots of a set, lowest first.
pub(in crate::magic) struct Each {
    low: u64,
    high: u64,
}

impl Iterator for Each {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let (half, first) = match self.low {
            0 => (&mut self.high, 64),
            _ => (&mut self.low, 0),
        };
        if *half == 0 {
            return None;
        }
        let slot = half.trailing_zeros() + first;
        *half &= *half - 1;
        Some(slot as u8)
    }
}
