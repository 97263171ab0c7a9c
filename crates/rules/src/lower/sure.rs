//! Targets for which `such that` holds in any case, so that they need not be judged one by one.
//!
//! Two kinds of rules are understood: pieces that are placed and capture what they enclose, as in
//! go, and seeds that are sown, as in oware. For all others nothing is known beforehand.

use std::rc::Rc;

use super::Checker;
use crate::set::Bits;
use crate::syntax::Action;
use crate::tree::{
    Condition, FROM, LETS, Number, SCRATCH, SetTree, Sets, Statement, TO, and, constant, minus, or,
    register,
};

/// From the targets of a rule to those for which its condition holds whatever the effects do.
pub(super) type Sure = Box<dyn Fn(&Sets) -> Sets>;

/// Adds what is known about the targets of an entry to the statements that offer them.
pub(super) fn mark(
    offers: Vec<Statement>,
    first: u16,
    sure: &dyn Fn(&Sets) -> Sets,
) -> Vec<Statement> {
    let marked = |statement| match statement {
        Statement::Offer { entry, to } if entry == first => {
            let sure = sure(&to);
            Statement::OfferSure { entry, to, sure }
        }
        Statement::If(condition, then, otherwise) => {
            Statement::If(condition, mark(then, first, sure), mark(otherwise, first, sure))
        }
        other => other,
    };
    offers.into_iter().map(marked).collect()
}

impl Checker<'_> {
    /// Returns for which targets of a rule its condition holds in any case; `None` if none are known.
    pub(super) fn sure(
        &self,
        action: &Action,
        effects: &[Statement],
        condition: &Condition,
    ) -> Option<Sure> {
        match action {
            Action::Place { .. } => {
                let Some((Statement::Set(own, _), rest)) = effects.split_first() else {
                    return None;
                };
                if self.board_each || self.shown.is_some() || !self.only_encloses(rest) {
                    return None;
                }
                let sure = self.holds(condition, *own)?;
                Some(Box::new(move |_| sure.clone()))
            }
            Action::Sow { .. } => self.sown(effects, condition),
            _ => None,
        }
    }

    /// Returns whether effects leave all pieces where they are, but for those of others that the
    /// mover's enclose.
    fn only_encloses(&self, effects: &[Statement]) -> bool {
        let pieces = self.registers_of(|_| true);
        effects.iter().all(|effect| match effect {
            Statement::Set(SCRATCH, set) => {
                **set == SetTree::Enclosed { of: self.theirs(), by: self.mine() }
            }
            Statement::Set(piece, set) => {
                pieces.contains(piece) && *set == minus(&register(*piece), &register(SCRATCH))
            }
            Statement::If(_, then, otherwise) => leaves_sets(then) && leaves_sets(otherwise),
            other => leaves_sets(std::slice::from_ref(other)),
        })
    }

    /// Returns the sites where a condition holds after a piece was placed that has a free
    /// neighbour and encloses nothing.
    fn holds(&self, condition: &Condition, own: u8) -> Option<Sets> {
        let quiet = || Rc::new(SetTree::Quiet { own: self.mine(), other: self.theirs() });
        match condition {
            Condition::And(a, b) => Some(and(&self.holds(a, own)?, &self.holds(b, own)?)),
            Condition::Or(a, b) => match (self.holds(a, own), self.holds(b, own)) {
                (Some(a), Some(b)) => Some(or(&a, &b)),
                (a, b) => a.or(b),
            },
            Condition::Compare(by, Number::Constant(a), Number::Constant(b)) => {
                by.holds(*a, *b).then(|| constant(self.board.all))
            }
            Condition::Not(inner) => match &**inner {
                Condition::Any(set) => {
                    let SetTree::And(a, b) = &**set else { return None };
                    let enclosed = SetTree::Enclosed { of: self.mine(), by: self.theirs() };
                    let is_own =
                        |one: &Sets, other: &Sets| *one == register(TO) && **other == enclosed;
                    (is_own(a, b) || is_own(b, a)).then(quiet)
                }
                Condition::Repeated => Some(minus(&quiet(), &Rc::new(SetTree::Repeating(own)))),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns what is known where seeds are sown, and only those are collected that lie before the
    /// last one, in few pits: what must keep seeds does if it has a fuller pit, or if it has any
    /// and the last seed falls elsewhere.
    fn sown(&self, effects: &[Statement], condition: &Condition) -> Option<Sure> {
        let Condition::Any(kept) = condition else { return None };
        let SetTree::With { of: kept, heap, low, high } = &**kept else { return None };
        let SetTree::Constant(home) = **kept else { return None };
        let (first, rest) = effects.split_first()?;
        let Statement::Sow { heap: sown, skipping } = first else { return None };
        let def = self.heaps.iter().find(|def| def.register == *heap)?;
        let all: i32 = def.start.iter().map(|&seeds| i32::from(seeds)).sum();
        if sown != heap || *skipping != register(FROM) || all > i32::from(*high) {
            return None;
        }
        let mut caught = Caught { heap: *heap, pits: Vec::new(), fullest: 0, within: Bits::NONE };
        caught.collect(rest)?;
        let (kept, heap, low, high) = (kept.clone(), *heap, *low, *high);
        let fuller = low.max(caught.fullest.checked_add(1)?);
        let with =
            move |low| -> Sets { Rc::new(SetTree::With { of: kept.clone(), heap, low, high }) };
        let within = constant(caught.within);
        Some(Box::new(move |to| {
            // Only sowing from elsewhere leaves the pits as full as they are.
            if !leaves(to, home) {
                return constant(Bits::NONE);
            }
            let whenever = |any, then: &Sets| -> Sets {
                Rc::new(SetTree::Whenever { any, then: then.clone() })
            };
            let lands: Sets =
                Rc::new(SetTree::Lands { of: to.clone(), heap, within: within.clone() });
            or(&whenever(with(fuller), to), &whenever(with(low), &minus(to, &lands)))
        }))
    }
}

/// What effects collect after seeds were sown.
struct Caught {
    heap: u8,
    /// The variables that hold pits before the last one.
    pits: Vec<u8>,
    /// The most seeds that a pit has which is collected.
    fullest: i16,
    /// The sites on which such pits are.
    within: Bits,
}

impl Caught {
    /// Goes through effects; `None` if they do anything else to a heap.
    fn collect(&mut self, effects: &[Statement]) -> Option<()> {
        effects.iter().try_for_each(|effect| match effect {
            Statement::Set(to, set) if (LETS..SCRATCH).contains(to) => {
                let SetTree::RunBack { from, through } = &**set else { return None };
                let SetTree::With { of, heap, high, .. } = &**through else { return None };
                let SetTree::Constant(within) = **of else { return None };
                if *from != register(TO) || *heap != self.heap {
                    return None;
                }
                self.pits.push(*to);
                self.fullest = self.fullest.max(*high);
                self.within = self.within.or(within);
                Some(())
            }
            Statement::Set(SCRATCH, set) => {
                let SetTree::Register(pits) = **set else { return None };
                self.pits.push(SCRATCH);
                self.pits.contains(&pits).then_some(())
            }
            Statement::Clear { heap, on } if *heap == self.heap => {
                let SetTree::Register(on) = **on else { return None };
                self.pits.contains(&on).then_some(())
            }
            Statement::If(_, then, otherwise) => {
                self.collect(then)?;
                self.collect(otherwise)
            }
            other => leaves_sets(std::slice::from_ref(other)).then_some(()),
        })
    }
}

/// Returns whether a set has nothing in common with others by its definition.
fn leaves(set: &Sets, others: Bits) -> bool {
    match &**set {
        SetTree::Constant(set) => !set.and(others).any(),
        SetTree::With { of, .. } => leaves(of, others),
        SetTree::And(a, b) => leaves(a, others) || leaves(b, others),
        SetTree::Minus(a, _) => leaves(a, others),
        _ => false,
    }
}

/// Returns whether effects change numbers and the order of play alone.
fn leaves_sets(effects: &[Statement]) -> bool {
    effects.iter().all(|effect| match effect {
        Statement::Number(..)
        | Statement::Bounded { .. }
        | Statement::SamePlayer
        | Statement::NextPlayer
        | Statement::FirstPlayer
        | Statement::ActsNext(_)
        | Statement::GoTo(_) => true,
        Statement::If(_, then, otherwise) => leaves_sets(then) && leaves_sets(otherwise),
        _ => false,
    })
}
