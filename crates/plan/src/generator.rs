//! The entries prepared for generation: by subject, and with their predicates by the
//! dependence of their set forms.

use crate::plan::Plan;
use crate::{RuleSet, Step, Subjects, Targets};

/// The set forms of predicates, as functions.
pub(crate) type OfState<R> = fn(&<R as RuleSet>::State, &<R as RuleSet>::Facts) -> u64;
pub(crate) type OfSource<R> = fn(&<R as RuleSet>::State, &<R as RuleSet>::Facts, u8) -> u64;
pub(crate) type StepsOf<R> = fn(&<R as RuleSet>::State, &<R as RuleSet>::Facts) -> [Step; 2];

/// The maximum number of entries of one subject that is generated set-wise.
pub(crate) const SWEPT: usize = 4;

/// The maximum number of entries of one subject among which targets are split.
pub(crate) const SPLIT: usize = 4;

/// The data of a plan for generation.
#[derive(Clone, Debug)]
pub(crate) struct Generation<R: RuleSet> {
    /// The set forms that do not depend on the source, each once; their values fill
    /// the slots from 1 on.
    pub(crate) of_state: Vec<OfState<R>>,
    /// The functions of exceptional sources, one for each predicate that has any.
    pub(crate) except: Vec<OfState<R>>,
    /// Pairs of slots whose intersections fill the following slots.
    pub(crate) intersections: Vec<[u8; 2]>,
    /// The number of slots.
    pub(crate) slots: usize,
    /// For each entry, the set forms it needs, as bits.
    pub(crate) needs: Vec<u64>,
    /// The entries that generate events.
    pub(crate) entries: u64,
    pub(crate) generators: Vec<Generator<R>>,
    /// The predicates of each entry that have no set form.
    pub(crate) one_by_one: Vec<Vec<u8>>,
    /// Whether all events of batches are legal, so that none is tested by itself.
    pub(crate) batches_suffice: bool,
    /// Whether there is at most one batch: a single rule without subjects, whose only
    /// source is 0 and whose targets do not depend on it.
    pub(crate) one_batch: bool,
    /// Whether there is only one subject, generated set-wise.
    pub(crate) one_sweep: bool,
}

/// The slot of the set of all targets.
const ALL: u8 = 0;

/// The entries that generate events from one subject, or from successive subjects whose
/// targets are split alike.
#[derive(Clone, Debug)]
pub(crate) struct Generator<R: RuleSet> {
    pub(crate) subjects: Vec<u8>,
    /// The entries, as bits.
    pub(crate) entries: u64,
    /// The source-dependent predicates that all entries share.
    pub(crate) shared: Vec<OfSource<R>>,
    pub(crate) branches: Vec<Branch<R>>,
    /// Whether no entry has further source-dependent predicates for usual sources.
    pub(crate) shares_all: bool,
    /// Whether all entries move by steps only, and are generated set-wise.
    pub(crate) sweeps: bool,
    /// Whether any entry requires the target to be reached.
    pub(crate) reaches: bool,
    /// The first of the entries that take what a source reaches, if they differ in sets of
    /// targets alone: all have the same predicates for exceptional sources and one variant.
    /// The entries before it depend on the state alone.
    pub(crate) splits: Option<usize>,
}

/// One of these entries. Predicates have their index, so that those that entries share
/// are evaluated once.
#[derive(Clone, Debug)]
pub(crate) struct Branch<R: RuleSet> {
    pub(crate) entry: u8,
    /// The slots of the sets that bound its targets from every source, and from usual
    /// ones.
    pub(crate) bounds: [u8; 2],
    pub(crate) of_source: Vec<(u8, OfSource<R>)>,
    /// The predicates of exceptional sources.
    pub(crate) exceptional: Vec<(u8, OfSource<R>)>,
    pub(crate) steps: Vec<StepsOf<R>>,
    /// Whether its targets must be reached.
    pub(crate) reaches: bool,
    /// The targets with more than one variant, and the number of additional variants.
    pub(crate) several: (u64, u32),
}

impl<R: RuleSet> Generation<R> {
    pub(crate) const fn empty() -> Self {
        Self {
            of_state: Vec::new(),
            except: Vec::new(),
            intersections: Vec::new(),
            slots: 1,
            needs: Vec::new(),
            entries: 0,
            generators: Vec::new(),
            one_by_one: Vec::new(),
            batches_suffice: false,
            one_batch: false,
            one_sweep: false,
        }
    }

    /// Prepares the entries of `plan`.
    pub(crate) fn of(plan: &Plan<R>) -> Self {
        let mut generation = Self::empty();
        let bounds = generation.collect_forms(plan);
        for subject in 0..64 {
            let Some(next) = Generator::of(plan, subject, &bounds) else { continue };
            match generation.generators.last_mut() {
                Some(last) if next.splits == Some(0) && last.entries == next.entries => {
                    last.subjects.push(subject);
                }
                _ => generation.generators.push(next),
            }
        }
        for at in 0..plan.entries.len() {
            generation.entries |= u64::from(plan.entries[at].generates) << at;
            let one_by_one = predicates_of(plan, at).filter_map(|(slot, targets)| match targets {
                Targets::OneByOne => Some(slot),
                _ => None,
            });
            generation.one_by_one.push(one_by_one.collect());
        }
        let tests_events = generation.one_by_one.iter().any(|untested| !untested.is_empty());
        generation.batches_suffice = plan.maximal.is_none() && !tests_events;
        generation.one_sweep = generation.batches_suffice
            && matches!(&generation.generators[..], [only] if only.sweeps);
        generation.one_batch = generation.batches_suffice
            && matches!(&plan.entries[..], [entry] if entry.subjects == Subjects::ALL)
            && predicates_of(plan, 0)
                .all(|(_, targets)| matches!(targets, Targets::All | Targets::OfState(_)));
        generation
    }

    /// Collects the set forms that do not depend on the source, each once; returns for
    /// each entry the slots of the sets that bound its targets from every source, and
    /// from usual ones.
    fn collect_forms(&mut self, plan: &Plan<R>) -> Vec<[u8; 2]> {
        let mut bounds = Vec::new();
        let mut slot_of = [None; 64];
        for at in 0..plan.entries.len() {
            let (mut always, mut usually, mut needs) = (Vec::new(), Vec::new(), 0);
            for (slot, targets) in predicates_of(plan, at) {
                let (form, except) = match targets {
                    Targets::OfState(of) => (of, None),
                    Targets::Mostly { usual, except, .. } => (usual, Some(except)),
                    Targets::All
                    | Targets::OfSource(_)
                    | Targets::Reach
                    | Targets::Steps(_)
                    | Targets::OneByOne => continue,
                };
                let slot = *slot_of[usize::from(slot)].get_or_insert_with(|| {
                    self.of_state.push(form);
                    self.except.extend(except);
                    self.of_state.len() as u8
                });
                needs |= 1 << (slot - 1);
                if except.is_some() { &mut usually } else { &mut always }.push(slot);
            }
            self.needs.push(needs);
            bounds.push((always, usually));
        }
        // Intersections follow the slots of all forms, so they are added last.
        let bounds = bounds.into_iter().map(|(always, usually): (Vec<u8>, Vec<u8>)| {
            let always = always.into_iter().fold(ALL, |one, other| self.intersect(one, other));
            let usually = usually.into_iter().fold(always, |one, other| self.intersect(one, other));
            [always, usually]
        });
        let bounds = bounds.collect();
        self.slots = 1 + self.of_state.len() + self.intersections.len();
        bounds
    }

    /// Returns the slot of the intersection of two slots, reusing an existing one.
    fn intersect(&mut self, one: u8, other: u8) -> u8 {
        if one == ALL || one == other {
            return other;
        }
        let pair = [one.min(other), one.max(other)];
        let found = self.intersections.iter().position(|known| *known == pair);
        let at = found.unwrap_or_else(|| {
            self.intersections.push(pair);
            self.intersections.len() - 1
        });
        (1 + self.of_state.len() + at) as u8
    }
}

impl<R: RuleSet> Generator<R> {
    fn of(plan: &Plan<R>, subject: u8, bounds: &[[u8; 2]]) -> Option<Self> {
        let generates = |&at: &usize| {
            let entry = &plan.entries[at];
            // Rules without subjects generate from the single subject 0.
            let about = if entry.subjects == Subjects::ALL {
                subject == 0
            } else {
                entry.subjects.contains(subject)
            };
            entry.generates && about
        };
        let entries: Vec<usize> = (0..plan.entries.len()).filter(generates).collect();
        let is_shared = |slot: u8| {
            entries.iter().all(|&at| predicates_of(plan, at).any(|(other, _)| other == slot))
        };
        let shared =
            predicates_of(plan, *entries.first()?).filter_map(|(slot, targets)| match targets {
                Targets::OfSource(of) if is_shared(slot) => Some(of),
                _ => None,
            });
        let shared: Vec<OfSource<R>> = shared.collect();
        let branches: Vec<Branch<R>> =
            entries.iter().map(|&at| Branch::of(plan, at, bounds[at], is_shared)).collect();
        let by_steps = |branch: &Branch<R>| {
            branch.of_source.is_empty() && branch.steps.len() == 1 && !branch.reaches
        };
        let sweeps = shared.is_empty() && branches.len() <= SWEPT && branches.iter().all(by_steps);
        let has_no_more =
            |branch: &Branch<R>| branch.of_source.is_empty() && branch.steps.is_empty();
        let reaches = branches.iter().any(|branch| branch.reaches);
        let shares_all = !reaches && branches.iter().all(has_no_more);
        let slot = |&(slot, _): &(u8, OfSource<R>)| slot;
        let first = branches.iter().take_while(|branch| !branch.reaches).count();
        let (before, rest) = branches.split_at(first);
        let of_state = |branch: &Branch<R>| has_no_more(branch) && branch.exceptional.is_empty();
        let alike = |branch: &Branch<R>| {
            branch.reaches
                && has_no_more(branch)
                && branch.several.1 == 0
                && branch.exceptional.iter().map(slot).eq(rest[0].exceptional.iter().map(slot))
        };
        let splits = shared.is_empty()
            && (1..=SPLIT).contains(&rest.len())
            && before.iter().all(of_state)
            && rest.iter().all(alike);
        let splits = splits.then_some(first);
        let entries = entries.iter().fold(0, |all, at| all | 1 << at);
        let subjects = vec![subject];
        Some(Self { subjects, entries, shared, branches, shares_all, sweeps, reaches, splits })
    }
}

impl<R: RuleSet> Branch<R> {
    fn of(plan: &Plan<R>, entry: usize, bounds: [u8; 2], is_shared: impl Fn(u8) -> bool) -> Self {
        let mut branch = Self {
            entry: entry as u8,
            bounds,
            of_source: Vec::new(),
            exceptional: Vec::new(),
            steps: Vec::new(),
            reaches: false,
            several: (plan.entries[entry].variants)
                .map_or((0, 0), |(at, first, last)| (at, u32::from(last - first))),
        };
        for (slot, targets) in predicates_of(plan, entry) {
            match targets {
                Targets::OfSource(of) if !is_shared(slot) => branch.of_source.push((slot, of)),
                Targets::Mostly { of_source, .. } => branch.exceptional.push((slot, of_source)),
                Targets::Steps(steps) => branch.steps.push(steps),
                Targets::Reach => branch.reaches = true,
                Targets::All | Targets::OfState(_) | Targets::OfSource(_) | Targets::OneByOne => {}
            }
        }
        branch
    }

    /// Returns the number of events to `targets`, variants included.
    #[inline]
    pub(crate) fn count(&self, targets: u64) -> u32 {
        let (at, more) = self.several;
        let plain = targets.count_ones();
        if targets & at == 0 { plain } else { plain + (targets & at).count_ones() * more }
    }
}

/// Returns the indices of an entry's predicates, with their set forms.
fn predicates_of<R: RuleSet>(
    plan: &Plan<R>,
    entry: usize,
) -> impl Iterator<Item = (u8, Targets<R>)> {
    let predicates = plan.entries[entry].checks.iter().map(|check| check.predicate);
    predicates.map(|slot| (slot, plan.predicates[usize::from(slot)].targets))
}
