//! Sets of sites or cards as bits, and directions as masked shifts or neighbour tables.

use crate::cpu::Cpu;

/// The most sites of a board, and the most cards of a game.
pub(crate) const MAX_SITES: usize = 384;

/// A set of up to `64 * W` sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Set<const W: usize>(pub(crate) [u64; W]);

/// A set of the greatest width, before a program chooses its own.
pub(crate) type Bits = Set<6>;

impl<const W: usize> Set<W> {
    pub(crate) const NONE: Self = Self([0; W]);

    #[inline(always)]
    pub(crate) fn one(site: usize) -> Self {
        let mut set = Self::NONE;
        set.0[site / 64 % W] = 1 << (site % 64);
        set
    }

    pub(crate) fn of(sites: impl IntoIterator<Item = usize>) -> Self {
        sites.into_iter().fold(Self::NONE, |set, site| set.or(Self::one(site)))
    }

    /// Returns the set in words of another number, which must hold it.
    pub(crate) fn resized<const V: usize>(self) -> Set<V> {
        Set(std::array::from_fn(|at| self.0.get(at).copied().unwrap_or(0)))
    }

    #[inline(always)]
    fn zip(self, other: Self, each: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|at| each(self.0[at], other.0[at])))
    }

    #[inline(always)]
    pub(crate) fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    pub(crate) fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    pub(crate) fn minus(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    #[inline(always)]
    pub(crate) fn any(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) != 0
    }

    #[inline(always)]
    pub(crate) fn has(self, site: usize) -> bool {
        self.0[site / 64 % W] >> (site % 64) & 1 == 1
    }

    #[inline(always)]
    pub(crate) fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns the site that has `n` sites of the set below it.
    #[inline(always)]
    pub(crate) fn nth(self, mut n: u32, cpu: impl Cpu) -> usize {
        for (at, word) in self.0.into_iter().enumerate() {
            let count = word.count_ones();
            if n < count || at + 1 == W {
                return 64 * at + cpu.nth_bit(word, n);
            }
            n -= count;
        }
        0
    }

    /// Returns the site with the greatest number.
    #[inline(always)]
    pub(crate) fn last(self) -> Option<usize> {
        let at = (0..W).rev().find(|&at| self.0[at] != 0)?;
        Some(64 * at + 63 - self.0[at].leading_zeros() as usize)
    }

    /// Iterates over the sites in ascending order.
    #[inline(always)]
    pub(crate) fn sites(self) -> Sites<W> {
        Sites { at: 0, ones: Ones(self.0[0]), set: self }
    }
}

/// The places of the one bits of a word in ascending order.
pub(crate) struct Ones(pub(crate) u64);

impl Iterator for Ones {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let Self(word) = self;
        if *word == 0 {
            return None;
        }
        let bit = word.trailing_zeros() as usize;
        *word &= *word - 1;
        Some(bit)
    }
}

/// The sites of a set in ascending order.
pub(crate) struct Sites<const W: usize> {
    set: Set<W>,
    /// The current word, and what is left of it.
    at: usize,
    ones: Ones,
}

impl<const W: usize> Iterator for Sites<W> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        loop {
            if let Some(bit) = self.ones.next() {
                return Some(64 * self.at + bit);
            }
            if self.at + 1 >= W {
                return None;
            }
            self.at += 1;
            self.ones = Ones(self.set.0[self.at]);
        }
    }
}

/// A step in one direction: for each site at most one neighbour, and no neighbour shared.
#[derive(Clone, Debug)]
pub(crate) struct Step<const W: usize> {
    /// The sites whose neighbour is this far away.
    from: Set<W>,
    by: i32,
    /// Other sites, where not all neighbours are as far away.
    more: Box<[(Set<W>, i32)]>,
}

impl<const W: usize> Step<W> {
    /// Makes the step from the neighbours of all sites; `u16::MAX` where there is none.
    pub(crate) fn new(next: &[u16]) -> Self {
        let mut groups: Vec<(Set<W>, i32)> = Vec::new();
        for (site, &to) in next.iter().enumerate().filter(|&(_, &to)| to != u16::MAX) {
            let (one, by) = (Set::one(site), i32::from(to) - site as i32);
            match groups.iter_mut().find(|(_, other)| *other == by) {
                Some((from, _)) => *from = from.or(one),
                None => groups.push((one, by)),
            }
        }
        let more = groups.split_off(groups.len().min(1)).into();
        let (from, by) = groups.pop().unwrap_or((Set::NONE, 0));
        Self { from, by, more }
    }

    /// Returns how far the neighbours are, if it is the same for all sites.
    pub(crate) fn distance(&self) -> Option<i32> {
        self.more.is_empty().then_some(self.by)
    }

    /// Returns all sites that are a neighbour.
    pub(crate) fn targets(&self) -> Set<W> {
        self.of(Set([u64::MAX; W]))
    }

    /// Returns the neighbours of a set.
    #[inline(always)]
    pub(crate) fn of(&self, set: Set<W>) -> Set<W> {
        let mut to = shift(set.and(self.from), self.by);
        for (from, by) in &self.more {
            to = to.or(shift(set.and(*from), *by));
        }
        to
    }
}

/// Two opposite steps that are as far for all sites, and less than a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<const W: usize> {
    by: u32,
    /// The sites that are moved to, towards higher numbers and back.
    ahead: Set<W>,
    back: Set<W>,
}

impl<const W: usize> Pair<W> {
    /// Makes a pair of two steps, where they are one.
    pub(crate) fn new(one: &Step<W>, other: &Step<W>) -> Option<Self> {
        let (by, opposite) = (one.distance()?, other.distance()?);
        let is_pair = by == -opposite && (1..64).contains(&by.unsigned_abs());
        let (ahead, back) = if by > 0 { (one, other) } else { (other, one) };
        let (ahead, back) = (ahead.targets(), back.targets());
        is_pair.then_some(Self { by: by.unsigned_abs(), ahead, back })
    }

    /// Returns the neighbours of a set both ways.
    #[inline(always)]
    pub(crate) fn of(&self, set: Set<W>) -> Set<W> {
        let (by, rest) = (self.by & 63, (64 - self.by) & 63);
        let mut all = Set::NONE;
        for at in 0..W {
            let below = if at > 0 { set.0[at - 1] >> rest } else { 0 };
            let above = if at + 1 < W { set.0[at + 1] << rest } else { 0 };
            all.0[at] = (set.0[at] << by | below) & self.ahead.0[at]
                | (set.0[at] >> by | above) & self.back.0[at];
        }
        all
    }
}

/// Moves every site of a set by the same distance; no site may leave the set.
#[inline(always)]
fn shift<const W: usize>(set: Set<W>, by: i32) -> Set<W> {
    if W == 1 {
        // A rotation moves both ways.
        return Set([set.0[0].rotate_left(by as u32 & 63); W]);
    }
    let (far, mut moved) = (by.unsigned_abs(), Set::NONE);
    if (1..64).contains(&far) {
        let rest = 64 - far;
        if by > 0 {
            moved.0[0] = set.0[0] << far;
            for at in 1..W {
                moved.0[at] = set.0[at] << far | set.0[at - 1] >> rest;
            }
        } else {
            for at in 0..W - 1 {
                moved.0[at] = set.0[at] >> far | set.0[at + 1] << rest;
            }
            moved.0[W - 1] = set.0[W - 1] >> far;
        }
        return moved;
    }
    far_shift(set, by)
}

/// Moves every site of a set by a distance that may be longer than a word.
#[inline(never)]
fn far_shift<const W: usize>(set: Set<W>, by: i32) -> Set<W> {
    let (far, mut moved) = (by.unsigned_abs(), Set::NONE);
    let (words, bits) = (far as usize / 64, far % 64);
    for at in 0..W {
        let (near, next) = if by >= 0 {
            (at.checked_sub(words), at.checked_sub(words + 1))
        } else {
            (Some(at + words), Some(at + words + 1))
        };
        let word = |at: Option<usize>| at.and_then(|at| set.0.get(at)).copied().unwrap_or(0);
        moved.0[at] = match (bits, by >= 0) {
            (0, _) => word(near),
            (_, true) => word(near) << bits | word(next) >> (64 - bits),
            (_, false) => word(near) >> bits | word(next) << (64 - bits),
        };
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_is_the_step_of_every_site() {
        for by in [-130i32, -65, -64, -63, -7, -1, 0, 1, 9, 63, 64, 65, 130] {
            let sites = || (0..256).filter(|site| (0..256).contains(&(site + by)));
            let mut next = [u16::MAX; 256];
            sites().for_each(|site| next[site as usize] = (site + by) as u16);
            let step = Step::<4>::new(&next);
            for site in sites() {
                let moved = step.of(Set::one(site as usize));
                assert_eq!(moved, Set::one((site + by) as usize), "{site} by {by}");
            }
        }
    }

    #[test]
    fn a_pair_is_both_of_its_steps() {
        for by in [1usize, 9, 10, 63] {
            let next: Vec<u16> = (0..130)
                .map(|at| if at + by < 130 { (at + by) as u16 } else { u16::MAX })
                .collect();
            let before: Vec<u16> =
                (0..130).map(|at| if at >= by { (at - by) as u16 } else { u16::MAX }).collect();
            let (ahead, back) = (Step::<4>::new(&next), Step::<4>::new(&before));
            let set = Set::of((0..130).filter(|at| at * at % 7 < 3));
            let both = ahead.of(set).or(back.of(set));
            for pair in [Pair::new(&ahead, &back), Pair::new(&back, &ahead)] {
                assert_eq!(pair.expect("a pair").of(set), both, "{by}");
            }
        }
    }

    #[test]
    fn neighbours_may_be_at_different_distances() {
        let step = Step::<1>::new(&[2, 0, u16::MAX, 1]);
        assert_eq!(step.of(Set::of([0, 1, 2])), Set::of([0, 2]));
        assert_eq!(step.of(Set::of([3])), Set::of([1]));
    }
}
