//! Former positions: how the pieces stood after the last event, and all changes before, the latest
//! last. Walking back through the changes compares a position with all former ones exactly.

use super::{Fault, Machine, STATE, Standing};
use crate::code::History;
use crate::cpu::Cpu;
use crate::set::{Ones, Set};
use crate::tree::MAX_SETS;

/// Marks the last change of an event.
const LAST: u16 = 1 << 15;

/// The history of a state, in its last words.
pub(crate) enum Past<'w> {
    Read(&'w [u64]),
    Write(&'w mut [u64]),
}

impl Past<'_> {
    #[inline(always)]
    pub(super) fn words(&self) -> &[u64] {
        match self {
            Past::Read(words) => words,
            Past::Write(words) => words,
        }
    }
}

/// Returns a number of 16 bits.
#[inline(always)]
fn number(words: &[u64], at: usize) -> u16 {
    (words[at / 4] >> (16 * (at % 4))) as u16
}

#[inline(always)]
fn put_number(words: &mut [u64], at: usize, value: u16) {
    let (word, shift) = (&mut words[at / 4], 16 * (at % 4));
    *word = *word & !(0xffff << shift) | u64::from(value) << shift;
}

/// Returns bits that stand for a change. The same changes in any order have the same bits together,
/// and others hardly ever.
#[inline(always)]
fn bits(change: u16) -> u64 {
    (u64::from(change & !LAST) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The sites in which a position differs from a former one.
struct Difference<const W: usize> {
    sets: [[u64; W]; MAX_SETS],
    sites: i32,
}

impl<const W: usize> Difference<W> {
    /// Undoes or repeats a change.
    #[inline(always)]
    fn change(&mut self, change: u16) {
        let at = usize::from(change & !LAST);
        let word = &mut self.sets[at / (64 * W) % MAX_SETS][at / 64 % W];
        *word ^= 1 << (at % 64);
        self.sites += if *word >> (at % 64) & 1 == 1 { 1 } else { -1 };
    }
}

impl<const W: usize, const R: usize, const N: usize, C: Cpu> Machine<'_, W, R, N, C> {
    /// Begins with the position that is set up.
    pub(super) fn begin_history(&mut self) {
        let Some(history) = self.code.history else { return };
        let sets = self.sets;
        let Past::Write(past) = &mut self.past else { return };
        for (register, latest) in Ones(history.sets).zip(past.chunks_exact_mut(W)) {
            latest.copy_from_slice(&sets[register + STATE].0);
        }
    }

    /// Adds the changes that lead to the current position.
    #[inline(always)]
    pub(super) fn remember(&mut self) {
        if let Some(history) = self.code.history {
            self.remember_changes(history);
        }
    }

    fn remember_changes(&mut self, history: History) {
        let Past::Write(past) = &mut self.past else { return };
        let (latest, rest) = past.split_at_mut(history.latest(W));
        let (taken, changes) = rest.split_at_mut(history.latest(W));
        let before = number(changes, 0);
        let mut count = before;
        for (place, register) in Ones(history.sets).enumerate() {
            for at in 0..W {
                let now = self.sets[(register + STATE) % R].0[at];
                let (then, taken) = (&mut latest[place * W + at], &mut taken[place * W + at]);
                for bit in Ones(now ^ *then) {
                    if count == history.changes {
                        self.standing = Standing::Fault(Fault::History);
                        return;
                    }
                    count += 1;
                    put_number(changes, usize::from(count), ((place * W + at) * 64 + bit) as u16);
                }
                *taken |= *then & !now;
                *then = now;
            }
        }
        if count > before {
            let last = number(changes, usize::from(count)) | LAST;
            put_number(changes, usize::from(count), last);
            put_number(changes, 0, count);
        }
    }

    /// Calls `see` with the differences from each former position, the latest first, until it
    /// returns `true`; returns whether it did.
    #[inline(always)]
    fn any_former(
        &self,
        history: History,
        mut see: impl FnMut(&Difference<W>, bool) -> bool,
    ) -> bool {
        let past = self.past.words();
        let changes = &past[2 * history.latest(W)..];
        let mut difference = Difference { sets: [[0; W]; MAX_SETS], sites: 0 };
        for (place, register) in Ones(history.sets).enumerate() {
            for at in 0..W {
                let changed = self.sets[(register + STATE) % R].0[at] ^ past[place * W + at];
                difference.sets[place % MAX_SETS][at] = changed;
                difference.sites += changed.count_ones() as i32;
            }
        }
        if see(&difference, true) {
            return true;
        }
        let count = usize::from(number(changes, 0));
        let mut next = number(changes, count);
        for at in (1..=count).rev() {
            difference.change(next);
            next = number(changes, at - 1);
            if (at == 1 || next & LAST != 0) && see(&difference, false) {
                return true;
            }
        }
        false
    }

    /// Returns whether an event has led to an earlier position. One that changes nothing has not.
    pub(super) fn is_repeated(&self) -> bool {
        let Some(history) = self.code.history else { return false };
        let past = self.past.words();
        let (latest, rest) = past.split_at(history.latest(W));
        let (taken, changes) = rest.split_at(history.latest(W));
        // The changes from the latest position.
        let (mut hash, mut changed) = (0, 0);
        for (place, register) in Ones(history.sets).enumerate() {
            for at in place * W..(place + 1) * W {
                let now = self.sets[(register + STATE) % R].0[at - place * W];
                // A piece that has come was there before only if it was taken off since.
                if now & !latest[at] & !taken[at] != 0 {
                    return false;
                }
                changed |= now ^ latest[at];
                for bit in Ones(now ^ latest[at]) {
                    hash ^= bits((at * 64 + bit) as u16);
                }
            }
        }
        if changed == 0 {
            return false;
        }
        // Few positions pass this test that are not the same.
        let mut others = (1..=usize::from(number(changes, 0))).rev();
        let may_be_same = others.any(|at| {
            hash ^= bits(number(changes, at));
            hash == 0
        });
        may_be_same
            && self.any_former(history, |difference, is_latest| !is_latest && difference.sites == 0)
    }

    /// Returns the sites where one piece more in a register would lead to an earlier position.
    pub(super) fn repeating(&self, register: u8) -> Set<W> {
        let Some(history) = self.code.history else { return Set::NONE };
        let before = history.sets & ((1 << (usize::from(register) - STATE)) - 1);
        let place = before.count_ones() as usize;
        let now = self.get(register);
        let past = self.past.words();
        // A piece that was there was taken off since.
        let mut taken = Set::NONE;
        taken.0.copy_from_slice(&past[history.latest(W) + place * W..][..W]);
        let open = taken.minus(now);
        let mut found = Set::NONE;
        if !open.any() || !self.may_differ_by_one(history, place, open) {
            return found;
        }
        self.any_former(history, |difference, _| {
            if difference.sites == 1 {
                found = found.or(Set(difference.sets[place % MAX_SETS]).minus(now));
            }
            false
        });
        found
    }

    /// Returns whether a former position may differ by one piece more on one of some sites.
    fn may_differ_by_one(&self, history: History, place: usize, open: Set<W>) -> bool {
        let past = self.past.words();
        let changes = &past[2 * history.latest(W)..];
        // The first bits of what stands for each site.
        let mut firsts = [0u64; 4];
        let first = |hash: u64| ((hash >> 62) as usize, hash >> 56 & 63);
        for site in open.sites() {
            let (word, bit) = first(bits((place * W * 64 + site) as u16));
            firsts[word] |= 1 << bit;
        }
        let mut hash = 0;
        for (place, register) in Ones(history.sets).enumerate() {
            for at in 0..W {
                let now = self.sets[(register + STATE) % R].0[at];
                for bit in Ones(now ^ past[place * W + at]) {
                    hash ^= bits(((place * W + at) * 64 + bit) as u16);
                }
            }
        }
        let is_one = |hash: u64| {
            let (word, bit) = first(hash);
            firsts[word] >> bit & 1 == 1
                && open.sites().any(|site| bits((place * W * 64 + site) as u16) == hash)
        };
        is_one(hash)
            || (1..=usize::from(number(changes, 0))).rev().any(|at| {
                hash ^= bits(number(changes, at));
                is_one(hash)
            })
    }
}
