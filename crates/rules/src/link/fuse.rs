//! Sequences of instructions on sets become single ones.

use super::region::Region;
use crate::code::{Entry, Ins};
use crate::set::Bits;
use crate::tree::{CONSTANTS, FROM, MAX_SETS, TO};

/// What fusing needs to know besides the code.
pub(super) struct Fuser<'a> {
    /// The entries of the seat whose offers the block has.
    pub(super) entries: &'a [Entry],
    /// The constants of the code, and all sites of the board.
    pub(super) constants: &'a [Bits],
    pub(super) board: Bits,
    /// Lists of directions, to which instructions refer by their place.
    pub(super) ways: &'a mut Vec<Vec<u8>>,
}

/// What an instruction becomes, and where the instructions are whose work it also does.
type Fused = (Ins, [Option<usize>; 3]);

impl Fuser<'_> {
    pub(super) fn fuse(&mut self, region: &mut Region) {
        for at in 0..region.len() {
            // What becomes of an instruction may be fused once more.
            while let Some((ins, sources)) = self.fused(region, at) {
                region.ins[at] = ins;
                sources.into_iter().flatten().for_each(|source| region.remove(source));
            }
        }
        for at in 0..region.len() {
            while self.join_next(region, at) {}
        }
    }

    /// Returns what an instruction becomes together with the ones that compute its operands.
    fn fused(&mut self, region: &Region, at: usize) -> Option<Fused> {
        if region.is_dead(at) {
            return None;
        }
        let made = |register: u8| {
            let from = region.source(register, at, at)?;
            Some((region.ins[from], [Some(from), None, None]))
        };
        match region.ins[at] {
            Ins::Minus(to, of, without) => {
                let (others, sources) = union(region, without, at)?;
                Some((Ins::Rest(to, of, others), sources))
            }
            // What is on the board without what is taken, is all that is not taken.
            Ins::And(to, a, b) => [(a, b), (b, a)].into_iter().find_map(|(a, b)| match made(a)? {
                (Ins::Minus(_, all, taken), sources) if self.is_board(all) && !self.is_off(b) => {
                    Some((Ins::Minus(to, b, taken), sources))
                }
                (Ins::Rest(_, all, taken), sources) if self.is_board(all) && !self.is_off(b) => {
                    Some((Ins::Rest(to, b, taken), sources))
                }
                _ => None,
            }),
            Ins::Or(own, a, TO) if own == a => {
                Some((Ins::Place { own, is_last: false }, [None; 3]))
            }
            Ins::Or(to, a, b) => [(a, b), (b, a)].into_iter().find_map(|(a, b)| match made(a)? {
                (Ins::Step(_, way, from), sources) => {
                    Some((Ins::StepOr(to, way, from, b), sources))
                }
                (Ins::Minus(_, own, FROM), sources) if (own, b) == (to, TO) => {
                    Some((Ins::Move { own, is_last: false }, sources))
                }
                _ => None,
            }),
            Ins::Move { own, is_last } => {
                let before = region.before(at)?;
                match region.ins[before] {
                    Ins::Minus(other, same, TO) if same == other && other != own => {
                        Some((Ins::Take { own, other, is_last }, [Some(before), None, None]))
                    }
                    _ => None,
                }
            }
            Ins::JumpAny { of, is, to } => match made(of)? {
                (Ins::Line { of, length, members: false, .. }, sources) => {
                    Some((Ins::JumpLine { of, length, is, to }, sources))
                }
                (Ins::Minus(_, of, other), sources) => {
                    Some((Ins::JumpRest { of, without: [other, other], is, to }, sources))
                }
                (Ins::Rest(_, of, [a, b, c, d]), sources) if (b, b) == (c, d) => {
                    Some((Ins::JumpRest { of, without: [a, b], is, to }, sources))
                }
                _ => None,
            },
            // Words that are judged, and passes, are counted by themselves.
            Ins::One(entry) => {
                let word = &self.entries[usize::from(entry)];
                let ins = Ins::OfferWords { entry, count: 1, is_last: false };
                (!word.is_judged() && !word.is_pass).then_some((ins, [None; 3]))
            }
            Ins::Offer(entry, of) if self.entries[usize::from(entry)].is_judged() => {
                Some((Ins::OfferSuchThat(entry, of), [None; 3]))
            }
            Ins::Offer(entry, of) => match made(of)? {
                (Ins::And(_, a, b), sources) => {
                    Some((Ins::OfferAnd { entry, a, b, is_last: false }, sources))
                }
                (Ins::Minus(_, of, without), sources) => {
                    Some((Ins::OfferMinus { entry, of, without, is_last: false }, sources))
                }
                (Ins::Rest(_, of, [a, b, c, d]), sources) if (b, b) == (c, d) => {
                    let without = [a, b];
                    Some((Ins::OfferRest { entry, of, without, is_last: false }, sources))
                }
                (Ins::StepAnd(_, way, from, to), sources) => {
                    let ways = self.list(&[way])?;
                    Some((Ins::OfferSteps { entry, ways, from, to, is_last: false }, sources))
                }
                _ => None,
            },
            Ins::JumpMeet { one, other, is, to } => match made(one)? {
                (Ins::Step(_, way, of), [step, ..]) => {
                    let jump = region.source(of, step?, at)?;
                    match region.ins[jump] {
                        Ins::StepAnd(_, same, from, over) if same == way => {
                            let ways = self.list(&[way])?;
                            let ins = Ins::JumpJumps { ways, from, over, on: other, is, to };
                            Some((ins, [step, Some(jump), None]))
                        }
                        _ => None,
                    }
                }
                _ => None,
            },
            Ins::OfferSteps { entry, ways, from, to, .. } => match made(from)? {
                (Ins::StepAnd(_, way, from, over), sources)
                    if self.ways[usize::from(ways)] == [way] =>
                {
                    Some((Ins::OfferJumps { entry, ways, from, over, to }, sources))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn constant(&self, register: u8) -> Option<Bits> {
        self.constants.get(usize::from(register.checked_sub(CONSTANTS)?)).copied()
    }

    /// Returns whether a register has all sites of the board.
    fn is_board(&self, register: u8) -> bool {
        self.constant(register) == Some(self.board)
    }

    /// Returns whether a register has anything that is no site; only a constant may.
    fn is_off(&self, register: u8) -> bool {
        self.constant(register).is_some_and(|set| set.minus(self.board).any())
    }

    /// Returns the number of a list of directions, as long as there are numbers.
    fn list(&mut self, ways: &[u8]) -> Option<u8> {
        let known = self.ways.iter().position(|known| known == ways);
        let at = known.unwrap_or(self.ways.len());
        let number = u8::try_from(at).ok()?;
        if known.is_none() {
            self.ways.push(ways.to_vec());
        }
        Some(number)
    }

    /// Joins an instruction with the next one if both do the same in several directions or to
    /// several registers; returns whether they did.
    fn join_next(&mut self, region: &mut Region, at: usize) -> bool {
        if region.is_dead(at) {
            return false;
        }
        let Some(next) = region.after(at) else { return false };
        let (one, other) = (region.ins[at], region.ins[next]);
        let joined = self.joined(one, other).or_else(|| {
            let ways = jumps_alike(one, other, region.place_after(next))?;
            let both = ways.map(|ways| self.ways[usize::from(ways)].clone()).concat();
            let list = self.list(&both)?;
            match other {
                Ins::JumpJumps { from, over, on, is, to, .. } => {
                    Some(Ins::JumpJumps { ways: list, from, over, on, is, to })
                }
                _ => None,
            }
        });
        let Some(joined) = joined else { return false };
        region.ins[at] = joined;
        region.remove(next);
        true
    }

    fn joined(&mut self, one: Ins, next: Ins) -> Option<Ins> {
        match (one, next) {
            (Ins::Minus(a, one, of), Ins::Minus(b, other, same))
                if (a, b, of) == (one, other, same)
                    && is_row(a, 1, b)
                    && !(a..=b).contains(&of) =>
            {
                Some(Ins::MinusEach { first: a, count: 2, of })
            }
            (Ins::MinusEach { first, count, of }, Ins::Minus(next, same, also))
                if (next, of) == (same, also) && is_row(first, count, next) && next != of =>
            {
                Some(Ins::MinusEach { first, count: count + 1, of })
            }
            (Ins::Or(to, a, of), Ins::Minus(from, b, same))
                if (to, from, of) == (a, b, same) && to != from && of != to && of != from =>
            {
                Some(Ins::Transfer { of, from, to })
            }
            (
                Ins::OfferSteps { entry, ways, from, to, is_last },
                Ins::OfferSteps { entry: other, ways: more, from: same, to: also, .. },
            ) if (from, to) == (same, also) => {
                let ways = self.list_both(entry, ways, other, more)?;
                Some(Ins::OfferSteps { entry, ways, from, to, is_last })
            }
            (
                Ins::OfferWords { entry, count, is_last },
                Ins::OfferWords { entry: next, count: 1, .. },
            ) if entry + u16::from(count) == next => {
                let count = count.checked_add(1)?;
                Some(Ins::OfferWords { entry, count, is_last })
            }
            (
                Ins::OfferJumps { entry, ways, from, over, to },
                Ins::OfferJumps { entry: other, ways: more, from: same, over: too, to: also },
            ) if (from, over, to) == (same, too, also) => {
                let ways = self.list_both(entry, ways, other, more)?;
                Some(Ins::OfferJumps { entry, ways, from, over, to })
            }
            _ => None,
        }
    }

    /// Returns the list of two lists of directions whose entries follow each other.
    fn list_both(&mut self, entry: u16, ways: u8, other: u16, more: u8) -> Option<u8> {
        let ways = self.ways[usize::from(ways)].clone();
        if usize::from(other) != usize::from(entry) + ways.len() {
            return None;
        }
        let both = [&ways[..], &self.ways[usize::from(more)]].concat();
        self.list(&both)
    }
}

/// Returns the directions of two instructions if both jump to the same place for pieces that
/// can jump, or the second one goes on there, which is at `after`, and jumps if they cannot.
fn jumps_alike(one: Ins, other: Ins, after: usize) -> Option<[u8; 2]> {
    let Ins::JumpJumps { ways, from, over, on, is: true, to } = one else { return None };
    let Ins::JumpJumps { ways: more, from: same, over: also, on: too, is, to: there } = other
    else {
        return None;
    };
    let yes = if is { usize::from(there) } else { after };
    let is_alike = (from, over, on) == (same, also, too) && usize::from(to) == yes;
    is_alike.then_some([ways, more])
}

/// Returns whether a register of the state comes after some others in a row.
fn is_row(first: u8, count: u8, next: u8) -> bool {
    first + count == next && usize::from(next) < MAX_SETS
}

/// Returns up to four sets whose union is the value of a register, with where it was computed.
fn union(region: &Region, register: u8, place: usize) -> Option<([u8; 4], [Option<usize>; 3])> {
    let mut leaves = vec![(register, place)];
    let mut sources = [None; 3];
    for source in &mut sources {
        let split = leaves.iter().enumerate().find_map(|(at, &(register, reader))| {
            let from = region.source(register, reader, place)?;
            match region.ins[from] {
                Ins::Or(_, a, b) => Some((at, from, a, b)),
                _ => None,
            }
        });
        let Some((at, from, a, b)) = split else { break };
        *source = Some(from);
        leaves.splice(at..=at, [(a, from), (b, from)]);
    }
    sources[0]?;
    let last = leaves.last()?.0;
    let mut others = [last; 4];
    for (other, (register, _)) in others.iter_mut().zip(&leaves) {
        *other = *register;
    }
    Some((others, sources))
}
