//! The reference implementation: a direct, slow interpreter of the tree of phases.
//!
//! It shares no code with the compiled plan but the rules themselves.

use crate::Handled;
use crate::decide::Verdict;
use crate::rules::{Conflict, Phase, Rule, Rules};
use crate::{EventKind, RuleSet, Subjects};

/// A game interpreted as a tree of phases.
#[derive(Clone, Debug)]
pub struct Tree<R: RuleSet> {
    rules: Rules<R>,
    names: Vec<&'static str>,
    /// Each exclusivity group with its root, the outermost group that contains it.
    roots: Vec<(&'static str, &'static str)>,
}

impl<R: RuleSet> crate::Plan<R> {
    /// Returns the reference tree of this plan.
    #[must_use]
    pub fn tree(&self) -> Tree<R> {
        Tree { rules: self.rules.clone(), names: self.entry_names(), roots: self.roots.clone() }
    }
}

/// A rule of an open leaf, with its exclusivity group.
type Open<'a, R> = (&'a Rule<R>, Option<&'static str>);

impl<R: RuleSet> Tree<R> {
    /// Handles an event.
    pub fn handle(&self, state: &R::State, event: &R::Event) -> Handled<R::State> {
        let mut events = vec![*event];
        for step in &self.rules.preprocessors {
            let mut expanded = Vec::new();
            for event in &events {
                (step.value)(state, event, &mut |event| expanded.push(event));
            }
            events = expanded;
        }
        let mut now = *state;
        let mut result = Handled::Ignored;
        for event in &events {
            result = self.handle_one(&now, event);
            match result {
                Handled::Applied(next) => now = next,
                _ => return result,
            }
        }
        result
    }

    fn handle_one(&self, state: &R::State, event: &R::Event) -> Handled<R::State> {
        let result = self.resolve(state, event);
        let Some(rating) = &self.rules.maximal else { return result };
        if !matches!(result, Handled::Applied(_)) || R::kind(event) != EventKind::Move {
            return result;
        }
        let best = self.accepted(state).iter().map(|event| (rating.rating)(state, event)).max();
        if best.is_some_and(|best| (rating.rating)(state, event) < best) {
            let entry = self.first_accepting(state, event);
            return Handled::Invalid { entry, reason: rating.name };
        }
        result
    }

    fn resolve(&self, state: &R::State, event: &R::Event) -> Handled<R::State> {
        let mut open: Vec<Open<'_, R>> = Vec::new();
        for phase in self.rules.phases.iter().filter(|phase| phase.parent.is_none()) {
            if self.collect(phase, None, state, &mut open) {
                break;
            }
        }
        if self.rules.conflict == Conflict::HighestPriority {
            open.sort_by_key(|(rule, _)| -rule.priority);
        }
        let mut applied: Vec<Open<'_, R>> = Vec::new();
        let mut rejection = None;
        for (rule, group) in open {
            let verdict = evaluate(rule, state, event);
            let all = matches!(self.rules.conflict, Conflict::ApplyAll | Conflict::Exclusive);
            match verdict {
                Verdict::Ignore => {}
                Verdict::Invalid(reason) => {
                    let entry = self.number(rule);
                    if !all {
                        return Handled::Invalid { entry, reason };
                    }
                    rejection = rejection.or(Some((entry, reason)));
                }
                Verdict::Valid => {
                    let shares_root = |other: &Open<'_, R>| {
                        group.is_some()
                            && other.1.is_some()
                            && self.root(group) == self.root(other.1)
                    };
                    if self.rules.conflict == Conflict::ApplyAll && applied.iter().any(shares_root)
                    {
                        continue;
                    }
                    if let (Conflict::Exclusive, Some((first, _))) =
                        (self.rules.conflict, applied.first())
                    {
                        let (first, second) = (self.number(first), self.number(rule));
                        return Handled::Contested { first, second };
                    }
                    applied.push((rule, group));
                    if !all {
                        break;
                    }
                }
            }
        }
        if applied.is_empty() {
            return match rejection {
                Some((entry, reason)) => Handled::Invalid { entry, reason },
                None => Handled::Ignored,
            };
        }
        let mut next = *state;
        for (rule, _) in applied {
            rule.changes.iter().for_each(|mutator| (mutator.change)(&mut next, event));
        }
        Handled::Applied(next)
    }

    /// Collects the rules of open leaves; returns true when no further phase is
    /// consulted.
    fn collect<'a>(
        &'a self,
        phase: &'a Phase<R>,
        group: Option<&'static str>,
        state: &R::State,
        open: &mut Vec<Open<'a, R>>,
    ) -> bool {
        if !phase.gate.iter().all(|condition| (condition.holds)(state)) {
            return false;
        }
        let group = phase.group.or(group);
        if phase.children.is_empty() {
            open.extend(phase.rules.iter().map(|rule| (rule, group)));
            return self.rules.conflict == Conflict::FirstActiveLeaf;
        }
        let mut children = phase.children.iter().map(|&child| &self.rules.phases[child]);
        children.any(|child| self.collect(child, group, state, open))
    }

    fn root(&self, group: Option<&'static str>) -> Option<&'static str> {
        self.roots.iter().find(|(name, _)| Some(*name) == group).map(|(_, root)| *root)
    }

    fn number(&self, rule: &Rule<R>) -> usize {
        self.names.iter().position(|name| *name == rule.name).expect("every rule has an entry")
    }

    fn first_accepting(&self, state: &R::State, event: &R::Event) -> usize {
        let rules = self.rules.phases.iter().flat_map(|phase| &phase.rules);
        let mut taking = rules.filter(|rule| evaluate(rule, state, event) == Verdict::Valid);
        taking.next().map_or(0, |rule| self.number(rule))
    }

    /// Returns every event that the rules accept, regardless of its rating, by trying
    /// all events.
    fn accepted(&self, state: &R::State) -> Vec<R::Event> {
        let rules = self.rules.phases.iter().flat_map(|phase| &phase.rules);
        let variants = rules.filter_map(|rule| Some(rule.variants?.2)).max().unwrap_or(0);
        let mut events = Vec::new();
        for source in 0..64 {
            for target in 0..64 {
                for variant in 0..=variants {
                    let event = R::event(EventKind::Move, source, target, variant);
                    if matches!(self.resolve(state, &event), Handled::Applied(_)) {
                        events.push(event);
                    }
                }
            }
        }
        events
    }

    /// Returns every legal event, by trying all events.
    #[must_use]
    pub fn legal(&self, state: &R::State) -> Vec<R::Event> {
        let mut events = self.accepted(state);
        if let Some(rating) = &self.rules.maximal {
            let rate = |event: &R::Event| (rating.rating)(state, event);
            let best = events.iter().map(rate).max();
            events.retain(|event| Some(rate(event)) == best);
        }
        events
    }
}

/// Evaluates one rule for an event.
fn evaluate<R: RuleSet>(rule: &Rule<R>, state: &R::State, event: &R::Event) -> Verdict {
    let about = match R::subject(state, event) {
        Some(subject) => rule.subjects.contains(subject),
        None => rule.subjects == Subjects::ALL,
    };
    if !rule.kind.covers(R::kind(event)) || !about {
        return Verdict::Ignore;
    }
    if !rule.requires.iter().all(|predicate| (predicate.holds)(state, event)) {
        return Verdict::Ignore;
    }
    for (predicate, reason) in &rule.ensures {
        if !(predicate.holds)(state, event) {
            return Verdict::Invalid(reason);
        }
    }
    Verdict::Valid
}
