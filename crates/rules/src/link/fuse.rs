//! Sequences of instructions on sets become single ones.

use super::region::Region;
use crate::code::{Entry, Ins};
use crate::set::Bits;
use crate::tree::{CONSTANTS, FROM, TO};

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
                _ => None,
            }),
            Ins::Or(to, a, b) => [(a, b), (b, a)].into_iter().find_map(|(a, b)| match made(a)? {
                (Ins::Step(_, way, from), sources) => {
                    Some((Ins::StepOr(to, way, from, b), sources))
                }
                (Ins::Minus(_, own, FROM), sources) if (own, b) == (to, TO) => {
                    Some((Ins::Move(own), sources))
                }
                _ => None,
            }),
            Ins::Move(own) => {
                let before = region.before(at)?;
                match region.ins[before] {
                    Ins::Minus(other, same, TO) if same == other && other != own => {
                        Some((Ins::Take { own, other }, [Some(before), None, None]))
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
            Ins::Offer(entry, of) if self.entries[usize::from(entry)].such_that.is_some() => {
                Some((Ins::OfferSuchThat(entry, of), [None; 3]))
            }
            Ins::Offer(entry, of) => match made(of)? {
                (Ins::And(_, a, b), sources) => Some((Ins::OfferAnd(entry, a, b), sources)),
                (Ins::Minus(_, a, b), sources) => Some((Ins::OfferMinus(entry, a, b), sources)),
                (Ins::Rest(_, of, [a, b, c, d]), sources) if (b, b) == (c, d) => {
                    Some((Ins::OfferRest(entry, of, [a, b]), sources))
                }
                (Ins::StepAnd(_, way, from, to), sources) => {
                    let ways = self.list(&[way])?;
                    Some((Ins::OfferSteps { entry, ways, from, to }, sources))
                }
                _ => None,
            },
            Ins::OfferSteps { entry, ways, from, to } => match made(from)? {
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
        let Some(joined) = self.joined(region.ins[at], region.ins[next]) else { return false };
        region.ins[at] = joined;
        region.remove(next);
        true
    }

    fn joined(&mut self, one: Ins, next: Ins) -> Option<Ins> {
        match (one, next) {
            (
                Ins::OfferSteps { entry, ways, from, to },
                Ins::OfferSteps { entry: other, ways: more, from: same, to: also },
            ) if (from, to) == (same, also) => {
                let ways = self.list_both(entry, ways, other, more)?;
                Some(Ins::OfferSteps { entry, ways, from, to })
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
