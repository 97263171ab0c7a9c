//! The decision which entries take an event, by the conflict strategy.

use crate::generate::bits;
use crate::observe::{Observer, Skip};
use crate::plan::{Check, Gate, Leaf, Plan};
use crate::rules::Conflict;
use crate::{EventKind, RuleSet};

/// The answer of one entry to an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Valid,
    Ignore,
    Invalid(&'static str),
}

/// The decision on an event.
pub(crate) enum Decision {
    /// The entries that take it, as bits.
    Take(u64),
    Ignored,
    Invalid(usize, &'static str),
    Contested(usize, usize),
}

/// Memoized results of predicates and conditions for one event: bit sets of those
/// that are known, and of those that hold.
struct Memo<'a, R: RuleSet> {
    plan: &'a Plan<R>,
    state: &'a R::State,
    event: &'a R::Event,
    known: u64,
    held: u64,
    conditions_known: u64,
    conditions_held: u64,
}

impl<R: RuleSet> Memo<'_, R> {
    #[inline]
    fn holds(&mut self, check: &Check<R>) -> bool {
        let bit = 1u64 << (check.predicate & 63);
        if self.known & bit == 0 {
            self.known |= bit;
            self.held |= u64::from((check.holds)(self.state, self.event)) << (check.predicate & 63);
        }
        self.held & bit != 0
    }

    #[inline]
    fn condition_holds(&mut self, gate: &Gate<R>) -> bool {
        if !self.plan.stages.grouping {
            return (gate.holds)(self.state);
        }
        let bit = 1u64 << (gate.condition & 63);
        if self.conditions_known & bit == 0 {
            self.conditions_known |= bit;
            self.conditions_held |= u64::from((gate.holds)(self.state)) << (gate.condition & 63);
        }
        self.conditions_held & bit != 0
    }

    #[inline]
    fn gate_holds(&mut self, leaf: &Leaf<R>) -> bool {
        leaf.gate.iter().all(|gate| self.condition_holds(gate))
    }

    /// The entries of open leaves, by the conflict strategy.
    fn open_entries(&mut self) -> u64 {
        let plan = self.plan;
        if let Some(open) = plan.ungated {
            return open;
        }
        let mut open = 0;
        for leaf in &plan.leaves {
            if self.gate_holds(leaf) {
                open |= leaf.members;
                if plan.conflict == Conflict::FirstActiveLeaf {
                    break;
                }
            }
        }
        open
    }

    #[inline]
    fn evaluate(&mut self, entry: usize, kind: EventKind, subject: Option<u8>) -> Verdict {
        let plan = self.plan;
        // With filtering, only matching entries are evaluated.
        if !plan.stages.filtering && !plan.fits(entry, kind, subject) {
            return Verdict::Ignore;
        }
        for check in &plan.entries[entry].checks {
            if !self.holds(check) {
                return check.refusal.map_or(Verdict::Ignore, Verdict::Invalid);
            }
        }
        Verdict::Valid
    }
}

impl<R: RuleSet> Plan<R> {
    /// Whether an entry is for events of this kind and subject.
    #[inline]
    pub(crate) fn fits(&self, entry: usize, kind: EventKind, subject: Option<u8>) -> bool {
        let rule = &self.entries[entry];
        rule.kind.covers(kind) && self.is_about(entry, subject)
    }

    #[inline]
    fn is_about(&self, entry: usize, subject: Option<u8>) -> bool {
        match subject {
            Some(subject) => self.entries[entry].subjects.contains(subject),
            None => self.without_subject >> entry & 1 == 1,
        }
    }

    /// The first entry of `waiting` in the order of consultation.
    #[inline]
    fn next_entry(&self, waiting: u64) -> Option<usize> {
        if self.conflict == Conflict::HighestPriority {
            let mut order = self.order.iter().map(|&entry| usize::from(entry));
            return order.find(|entry| waiting >> entry & 1 == 1);
        }
        (waiting != 0).then(|| waiting.trailing_zeros() as usize)
    }

    /// Finds the entries that take an event.
    pub(crate) fn decide<O: Observer>(
        &self,
        state: &R::State,
        event: &R::Event,
        observer: &mut O,
    ) -> Decision {
        let (kind, subject) = (R::kind(event), R::subject(state, event));
        let mut memo = Memo {
            plan: self,
            state,
            event,
            known: 0,
            held: 0,
            conditions_known: 0,
            conditions_held: 0,
        };
        let mut fitting = u64::MAX;
        if self.stages.filtering {
            fitting = self.by_kind[kind.index()]
                & match subject {
                    Some(subject) => self.by_subject[usize::from(subject)],
                    None => self.without_subject,
                };
        }
        let live = memo.open_entries() & fitting;
        if O::ON {
            self.report_filtered(&mut memo, live, kind, subject, observer);
        }
        let decision = match self.conflict {
            Conflict::ApplyAll | Conflict::Exclusive => {
                self.consult_all(&mut memo, live, kind, subject, observer)
            }
            _ => self.consult_in_order(&mut memo, live, kind, subject, observer),
        };
        if let Decision::Take(taken) = decision {
            if let Some(refusal) = self.reject_if_not_maximal(state, event, taken) {
                return refusal;
            }
            if O::ON {
                bits(taken).for_each(|entry| observer.applied(entry));
            }
        }
        decision
    }

    /// Evaluates entries in order until one does not ignore the event.
    #[inline]
    fn consult_in_order<O: Observer>(
        &self,
        memo: &mut Memo<'_, R>,
        mut waiting: u64,
        kind: EventKind,
        subject: Option<u8>,
        observer: &mut O,
    ) -> Decision {
        while let Some(entry) = self.next_entry(waiting) {
            waiting &= !(1 << entry);
            let verdict = memo.evaluate(entry, kind, subject);
            if O::ON {
                self.report(memo, entry, verdict, kind, subject, observer);
            }
            match verdict {
                Verdict::Ignore => {}
                Verdict::Valid => return Decision::Take(1 << entry),
                Verdict::Invalid(reason) => return Decision::Invalid(entry, reason),
            }
        }
        Decision::Ignored
    }

    /// Evaluates all entries; under `Exclusive` one may take the event, under
    /// `ApplyAll` one of each exclusivity group.
    fn consult_all<O: Observer>(
        &self,
        memo: &mut Memo<'_, R>,
        live: u64,
        kind: EventKind,
        subject: Option<u8>,
        observer: &mut O,
    ) -> Decision {
        let (mut taken, mut masked, mut refusal) = (0u64, 0u64, None);
        for entry in bits(live) {
            if masked >> entry & 1 == 1 {
                if O::ON {
                    observer.skipped(entry, Skip::Masked);
                }
                continue;
            }
            let verdict = memo.evaluate(entry, kind, subject);
            if O::ON {
                self.report(memo, entry, verdict, kind, subject, observer);
            }
            match verdict {
                Verdict::Ignore => {}
                Verdict::Valid if self.conflict == Conflict::Exclusive && taken != 0 => {
                    return Decision::Contested(taken.trailing_zeros() as usize, entry);
                }
                Verdict::Valid => {
                    let groups_act = self.conflict == Conflict::ApplyAll;
                    let members = if groups_act { self.root_members[entry] } else { 0 };
                    // Without masks, the group is compared with the entries taken.
                    if self.stages.masks {
                        masked |= members & !(1 << entry);
                    } else if taken & members != 0 {
                        continue;
                    }
                    taken |= 1 << entry;
                }
                Verdict::Invalid(reason) => {
                    refusal.get_or_insert(Decision::Invalid(entry, reason));
                }
            }
        }
        match refusal {
            _ if taken != 0 => Decision::Take(taken),
            Some(refusal) => refusal,
            None => Decision::Ignored,
        }
    }

    fn reject_if_not_maximal(
        &self,
        state: &R::State,
        event: &R::Event,
        taken: u64,
    ) -> Option<Decision> {
        let maximal = self.maximal.as_ref()?;
        let entry = taken.trailing_zeros() as usize;
        if !self.entries[entry].generates {
            return None;
        }
        let rating = (maximal.rating)(state, event);
        self.is_outrated(state, rating).then_some(Decision::Invalid(entry, maximal.name))
    }

    fn report_filtered<O: Observer>(
        &self,
        memo: &mut Memo<'_, R>,
        live: u64,
        kind: EventKind,
        subject: Option<u8>,
        observer: &mut O,
    ) {
        for entry in (0..self.entries.len()).filter(|entry| live >> entry & 1 == 0) {
            let why = match () {
                () if !self.entries[entry].kind.covers(kind) => Skip::Kind,
                () if !self.is_about(entry, subject) => Skip::Subject,
                () if !memo.gate_holds(&self.leaves[self.entries[entry].leaf]) => Skip::Gate,
                () => Skip::PhaseShadowed,
            };
            observer.skipped(entry, why);
        }
    }

    fn report<O: Observer>(
        &self,
        memo: &mut Memo<'_, R>,
        entry: usize,
        verdict: Verdict,
        kind: EventKind,
        subject: Option<u8>,
        observer: &mut O,
    ) {
        let why = match verdict {
            Verdict::Valid => return,
            Verdict::Invalid(reason) => Skip::Invalid(reason),
            Verdict::Ignore if !self.entries[entry].kind.covers(kind) => Skip::Kind,
            Verdict::Ignore if !self.is_about(entry, subject) => Skip::Subject,
            Verdict::Ignore => {
                let failed = self.entries[entry].checks.iter().find(|check| !memo.holds(check));
                let failed = failed.expect("a matching rule ignores an event only for a predicate");
                Skip::Ignored(self.predicates[usize::from(failed.predicate)].name)
            }
        };
        observer.skipped(entry, why);
    }
}
