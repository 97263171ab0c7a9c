//! The mana that a player could spend, and whether it pays for a cost.

use crate::magic::state::Owed;
use crate::magic::table::card::bits;

/// How many sets of the six kinds of mana there are.
const CLASSES: usize = 64;
/// The classes of mana that can be one kind alone, one bit each.
const SINGLE: u64 = 1 << 1 | 1 << 2 | 1 << 4 | 1 << 8 | 1 << 16 | 1 << 32;
/// The highest bit of each byte of a word.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The classes that contain each kind, one bit each.
const CONTAINING: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// Mana that a player could spend, by what it can be: its class is the set of its kinds.
#[derive(Clone, Copy, Debug)]
pub(in crate::magic) struct AvailableMana {
    /// What can be one kind alone, and how much there is in all.
    single: SingleMana,
    /// The classes of several kinds of which there was some, one bit each.
    classes: u64,
    /// How much there is of each class of several kinds.
    several: [u8; CLASSES],
}

/// Mana each of which can be one kind alone.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SingleMana {
    /// A byte for each kind.
    kinds: u64,
    total: u8,
}

impl SingleMana {
    #[inline]
    fn add(&mut self, kind: u32, amount: u8) {
        let room = !(self.kinds >> (8 * kind)) as u8;
        self.kinds += u64::from(amount.min(room)) << (8 * kind);
    }

    #[inline]
    fn remove(&mut self, kind: u32, amount: u8) {
        let held = (self.kinds >> (8 * kind)) as u8;
        self.kinds -= u64::from(amount.min(held)) << (8 * kind);
    }

    /// The rest without one mana of a kind.
    #[inline]
    pub(super) fn without_one(mut self, kind: usize) -> Self {
        self.total = self.total.saturating_sub(1);
        self.remove(kind as u32, 1);
        self
    }

    /// Whether there is as much in all as this asks for.
    #[inline]
    fn suffices(self, owed: Owed) -> bool {
        sum_of_bytes(owed.kinds()) + u16::from(owed.generic()) <= u16::from(self.total)
    }

    /// Whether it pays for all of this.
    #[inline]
    pub(super) fn pays(self, owed: Owed) -> bool {
        self.suffices(owed) && is_at_least(self.kinds, owed.kinds())
    }
}

impl AvailableMana {
    #[inline]
    pub(in crate::magic) fn new() -> Self {
        Self { single: SingleMana::default(), classes: 0, several: [0; CLASSES] }
    }

    /// Adds one mana of each of some basic lands, so many of each of the five colours, to
    /// nothing.
    #[inline]
    pub(super) fn add_basics(&mut self, counts: [u8; 5]) {
        let [w, u, b, r, g] = counts;
        self.single.kinds = u64::from_le_bytes([w, u, b, r, g, 0, 0, 0]);
        self.single.total = sum_of_bytes(self.single.kinds) as u8;
    }

    /// How much there is in all.
    #[inline]
    pub(in crate::magic) fn total(&self) -> u8 {
        self.single.total
    }

    /// All of it, if none of it can be several kinds.
    #[inline]
    pub(super) fn as_single(&self) -> Option<SingleMana> {
        (self.classes == 0).then_some(self.single)
    }

    #[inline]
    pub(in crate::magic) fn add(&mut self, kinds: u8, amount: u8) {
        if amount == 0 {
            return;
        }
        let class = kinds as usize % CLASSES;
        self.single.total = self.single.total.saturating_add(amount);
        if SINGLE >> class & 1 == 1 {
            self.single.add(class.trailing_zeros(), amount);
        } else {
            self.classes |= 1 << class;
            self.several[class] = self.several[class].saturating_add(amount);
        }
    }

    #[inline]
    pub(in crate::magic) fn remove(&mut self, kinds: u8, amount: u8) {
        let class = kinds as usize % CLASSES;
        self.single.total = self.single.total.saturating_sub(amount);
        if SINGLE >> class & 1 == 1 {
            self.single.remove(class.trailing_zeros(), amount);
        } else {
            self.several[class] = self.several[class].saturating_sub(amount);
        }
    }

    /// Whether it pays for all of this.
    #[inline]
    pub(in crate::magic) fn pays(&self, owed: Owed) -> bool {
        match self.as_single() {
            Some(single) => single.pays(owed),
            None => self.single.suffices(owed) && self.pays_with_several(owed),
        }
    }

    /// Whether it pays for all of this, of which there is enough in all.
    ///
    /// By Hall's theorem: for any colours, what asks for them is no more than
    /// what can be them.
    #[inline(never)]
    fn pays_with_several(&self, owed: Owed) -> bool {
        let wanted = (0..6).fold(0_u8, |all, kind| all | u8::from(owed.of_kind(kind) > 0) << kind);
        let mut colours = wanted;
        while colours != 0 {
            let asked = sum(bits(u64::from(colours)).map(|kind| owed.of_kind(kind as usize)));
            if asked > self.amount_of(colours) {
                return false;
            }
            colours = (colours - 1) & wanted;
        }
        true
    }

    /// How much of it can be one of these kinds.
    fn amount_of(&self, kinds: u8) -> u8 {
        let containing =
            bits(u64::from(kinds)).fold(0, |all, kind| all | CONTAINING[kind as usize]);
        let of_kind = |kind: u8| (self.single.kinds >> (8 * kind)) as u8;
        let single = sum(bits(u64::from(kinds)).map(of_kind));
        sum(bits(self.classes & containing)
            .map(|class| self.several[class as usize])
            .chain([single]))
    }

    /// Whether all mana in it can be the same things, before any was removed.
    pub(super) fn is_uniform(&self) -> bool {
        let single =
            self.single.kinds.to_le_bytes().into_iter().filter(|&amount| amount > 0).count();
        single + self.classes.count_ones() as usize <= 1
    }
}

/// Amounts of mana added up.
#[inline]
fn sum(amounts: impl IntoIterator<Item = u8>) -> u8 {
    amounts.into_iter().fold(0, u8::saturating_add)
}

/// The bytes of a word added up, at most 255.
#[inline]
const fn sum_of_bytes(word: u64) -> u16 {
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    let pairs = (word & EVEN) + (word >> 8 & EVEN);
    let sum = (pairs.wrapping_mul(0x0001_0001_0001_0001) >> 48) as u16;
    if sum > 255 { 255 } else { sum }
}

/// Whether each byte of a word is at least that of another.
#[inline]
const fn is_at_least(word: u64, other: u64) -> bool {
    // The byte-wise difference without borrows between bytes, and where it would borrow.
    let difference = ((word | HIGH) - (other & !HIGH)) ^ ((word ^ !other) & HIGH);
    let borrows = (!word & other) | (!(word ^ other) & difference);
    borrows & HIGH == 0
}

#[cfg(test)]
mod tests {
    use meeple_game::Rng;

    use super::*;
    use crate::magic::language::ManaCost;

    #[test]
    fn classes_are_found_by_each_of_their_kinds() {
        for class in 0..CLASSES {
            let kinds = (0..6).filter(|&kind| CONTAINING[kind] >> class & 1 == 1);
            assert_eq!(kinds.fold(0, |set, kind| set | 1 << kind), class);
            assert_eq!(SINGLE >> class & 1 == 1, class.count_ones() == 1);
        }
    }

    #[test]
    fn words_are_compared_and_added_byte_by_byte() {
        let mut rng = Rng::new(1);
        let mut equal = 0;
        for _ in 0..10_000 {
            // Near each other, and near the ends of their range.
            let one: [u8; 8] = std::array::from_fn(|_| [0, 1, 127, 128, 254, 255][rng.below(6)]);
            let other = one.map(|byte| byte.saturating_sub(u8::from(rng.below(4) == 0)));
            let [a, b] = [one, other].map(u64::from_le_bytes);
            assert!(is_at_least(a, b));
            assert_eq!(is_at_least(b, a), one == other);
            equal += usize::from(one == other);
            let sum = one.iter().map(|&byte| u16::from(byte)).sum::<u16>();
            assert_eq!(sum_of_bytes(a), sum.min(255));
        }
        assert!(equal > 0);
    }

    /// Whether some way to hand out mana, unit by unit, pays.
    fn pays_by_trial(mana: &[u8], mut owed: [u8; 6], generic: u8) -> bool {
        let Some((&kinds, rest)) = mana.split_first() else {
            return owed == [0; 6] && generic == 0;
        };
        if pays_by_trial(rest, owed, generic.saturating_sub(1)) {
            return true;
        }
        (0..6).any(|kind| {
            let fits = kinds >> kind & 1 == 1 && owed[kind] > 0;
            if fits {
                owed[kind] -= 1;
            }
            let pays = fits && pays_by_trial(rest, owed, generic);
            if fits {
                owed[kind] += 1;
            }
            pays
        })
    }

    #[test]
    fn mana_pays_exactly_where_it_can_be_handed_out() {
        let mut rng = Rng::new(2);
        let mut paid = [0; 2];
        for round in 0..4_000 {
            let classes: &[u8] =
                if round % 2 == 0 { &[1, 2, 8, 32] } else { &[1, 2, 8, 3, 10, 63] };
            let mana: Vec<u8> =
                (0..rng.below(6)).map(|_| classes[rng.below(classes.len())]).collect();
            let mut coloured = [0_u8; 6];
            (0..rng.below(4)).for_each(|_| coloured[[0, 1, 3, 5][rng.below(4)]] += 1);
            let generic = rng.below(3) as u8;
            let mut available = AvailableMana::new();
            mana.iter().for_each(|&kinds| available.add(kinds, 1));
            // What was added and taken away again changes nothing.
            available.add(2, 3);
            available.remove(2, 3);
            let owed = Owed::new(&ManaCost { variable: 0, generic, coloured }, 0, None);
            let pays = pays_by_trial(&mana, coloured, generic);
            assert_eq!(available.pays(owed), pays, "{mana:?} for {coloured:?} and {generic}");
            paid[usize::from(pays)] += 1;
        }
        assert!(paid.iter().all(|&count| count > 500), "{paid:?}");
    }
}
