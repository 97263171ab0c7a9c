//! Compilation of the tree of phases to a flat plan, with errors and warnings.

use crate::plan::{Check, Effect, Entry, Gate, Leaf, Plan, Stages, mask};
use crate::rules::{Conflict, Phase, Rule, Rules};
use crate::{Condition, EventKind, Predicate, RuleSet, Subjects, Targets};

/// An error in a description.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// A builder call outside of a phase or rule.
    #[error("{game}: {call}() is called where no phase or rule is open")]
    OutOfPlace {
        /// The game.
        game: &'static str,
        /// The call.
        call: &'static str,
    },
    /// A phase without rules, outcomes or phases.
    #[error("phase {phase} is empty: expected rules, chance outcomes or nested phases")]
    EmptyPhase {
        /// The phase.
        phase: &'static str,
    },
    /// A phase with both rules and nested phases.
    #[error("phase {phase} has rules or outcomes and nested phases: only leaves may have rules")]
    MixedPhase {
        /// The phase.
        phase: &'static str,
    },
    /// A name that occurs twice.
    #[error("two {what}s are called {name}")]
    SameName {
        /// What is named.
        what: &'static str,
        /// The name.
        name: &'static str,
    },
    /// An undeclared exclusivity group.
    #[error("{place}: unknown exclusivity group {group}, expected {}", expected(known))]
    UnknownGroup {
        /// The phase or group that refers to it.
        place: &'static str,
        /// The group.
        group: &'static str,
        /// The declared groups.
        known: Vec<&'static str>,
    },
    /// A cycle of nested exclusivity groups.
    #[error("exclusivity group {group} contains itself")]
    GroupCycle {
        /// A group of the cycle.
        group: &'static str,
    },
    /// More than 64 rules.
    #[error("{rules} rules, expected at most 64")]
    TooManyRules {
        /// The number of rules.
        rules: usize,
    },
    /// More than 64 predicates or conditions.
    #[error("{count} {what}s, expected at most 64")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// The number.
        count: usize,
    },
    /// A rule without mutators.
    #[error("rule {rule} changes nothing: expected a call of then()")]
    NoChange {
        /// The rule.
        rule: &'static str,
    },
}

fn expected(known: &[&str]) -> String {
    if known.is_empty() {
        "none, as none is declared".into()
    } else {
        format!("one of {}", known.join(", "))
    }
}

/// A suspicious property of a description that does not prevent compilation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// A rule that no event reaches.
    #[error("rule {rule} is unreachable: {before} decides all its events")]
    Unreachable {
        /// The rule.
        rule: &'static str,
        /// The rule that shadows it.
        before: &'static str,
    },
    /// A rule that generates only duplicates.
    #[error("rule {rule} generates only events that {before} generates too")]
    GeneratesAgain {
        /// The rule.
        rule: &'static str,
        /// The rule that generates them first.
        before: &'static str,
    },
    /// A kind of events without a rule.
    #[error("no rule handles {kind:?} events")]
    Unhandled {
        /// The kind.
        kind: EventKind,
    },
    /// An exclusivity group without effect.
    #[error("exclusivity group {group} has no effect: only ApplyAll applies several rules")]
    GroupWithoutEffect {
        /// The group.
        group: &'static str,
    },
    /// A predicate without a set form, which slows generation down.
    #[error("rule {rule}: predicate {predicate} has no set form, so events are tested one by one")]
    OneByOne {
        /// The rule.
        rule: &'static str,
        /// The predicate.
        predicate: &'static str,
    },
}

pub(crate) fn compile<R: RuleSet>(rules: Rules<R>) -> Result<Plan<R>, CompileError> {
    if let Some(misuse) = rules.misuse {
        return Err(misuse);
    }
    check_phases(&rules.phases)?;
    let roots = group_roots(&rules)?;
    let mut conditions: Vec<Condition<R>> = Vec::new();
    let mut predicates: Vec<Predicate<R>> = Vec::new();
    let mut entries: Vec<Entry<R>> = Vec::new();
    let mut effects: Vec<Effect<R>> = Vec::new();
    let mut leaves: Vec<Leaf<R>> = Vec::new();
    for leaf in leaves_in_order(&rules.phases) {
        let phase = &rules.phases[leaf];
        let path = path_to(&rules.phases, leaf);
        let gate = path.iter().flat_map(|&at| &rules.phases[at].gate);
        let gate = gate.map(|condition| {
            let at = intern(&mut conditions, *condition, |c| c.name);
            Gate { condition: at as u8, holds: conditions[at].holds }
        });
        let gate = gate.collect();
        let group = path.iter().rev().find_map(|&at| rules.phases[at].group);
        let first = entries.len();
        for rule in &phase.rules {
            let Some((&first, rest)) = rule.fused.split_first() else {
                return Err(CompileError::NoChange { rule: rule.name });
            };
            let entry = compile_rule(rule, leaves.len(), group, &mut predicates);
            if entries.iter().any(|other| other.name == entry.name) {
                return Err(CompileError::SameName { what: "rule", name: entry.name });
            }
            entries.push(entry);
            effects.push(Effect { first, rest: rest.into() });
        }
        if entries.len() > 64 {
            return Err(CompileError::TooManyRules { rules: entries.len() });
        }
        leaves.push(Leaf {
            name: phase.name,
            gate,
            members: mask(first..entries.len()),
            chance: phase.chance,
        });
    }
    for (what, count) in [("predicate", predicates.len()), ("condition", conditions.len())] {
        if count > 64 {
            return Err(CompileError::TooMany { what, count });
        }
    }
    let warnings = warnings(&rules, &entries, &predicates);
    Ok(Plan::assemble(
        rules,
        entries,
        effects,
        leaves,
        predicates,
        conditions,
        roots,
        warnings,
        Stages::ALL,
    ))
}

fn check_phases<R: RuleSet>(phases: &[Phase<R>]) -> Result<(), CompileError> {
    for (at, phase) in phases.iter().enumerate() {
        if phases[..at].iter().any(|other| other.name == phase.name) {
            return Err(CompileError::SameName { what: "phase", name: phase.name });
        }
        let is_leaf = !phase.rules.is_empty() || phase.chance.is_some();
        match (is_leaf, phase.children.is_empty()) {
            (false, true) => return Err(CompileError::EmptyPhase { phase: phase.name }),
            (true, false) => return Err(CompileError::MixedPhase { phase: phase.name }),
            _ => {}
        }
    }
    Ok(())
}

/// Returns each group with its root, the outermost group that contains it.
fn group_roots<R: RuleSet>(
    rules: &Rules<R>,
) -> Result<Vec<(&'static str, &'static str)>, CompileError> {
    let known: Vec<&'static str> = rules.groups.iter().map(|(name, _)| *name).collect();
    let unknown = |place, group| CompileError::UnknownGroup { place, group, known: known.clone() };
    for (at, name) in known.iter().enumerate() {
        if known[..at].contains(name) {
            return Err(CompileError::SameName { what: "exclusivity group", name });
        }
    }
    for phase in &rules.phases {
        if let Some(group) = phase.group.filter(|group| !known.contains(group)) {
            return Err(unknown(phase.name, group));
        }
    }
    let mut roots = Vec::new();
    for &(group, _) in &rules.groups {
        let mut root = group;
        for _ in 0..=rules.groups.len() {
            match rules.groups.iter().find(|(name, _)| *name == root) {
                None => return Err(unknown(group, root)),
                Some((_, None)) => break,
                Some((_, Some(parent))) => root = parent,
            }
        }
        if rules.groups.iter().any(|(name, parent)| *name == root && parent.is_some()) {
            return Err(CompileError::GroupCycle { group });
        }
        roots.push((group, root));
    }
    Ok(roots)
}

/// Returns the leaves in order of description.
fn leaves_in_order<R: RuleSet>(phases: &[Phase<R>]) -> Vec<usize> {
    // Phases are stored in the order in which they were opened, which is the
    // preorder of the tree.
    (0..phases.len()).filter(|&at| phases[at].children.is_empty()).collect()
}

/// Returns the phases from the root to `leaf`.
fn path_to<R: RuleSet>(phases: &[Phase<R>], leaf: usize) -> Vec<usize> {
    let mut path = vec![leaf];
    while let Some(parent) = phases[path[path.len() - 1]].parent {
        path.push(parent);
    }
    path.reverse();
    path
}

/// Returns the index of the item with the name of `item`, which is added if missing.
fn intern<T>(items: &mut Vec<T>, item: T, name: impl Fn(&T) -> &'static str) -> usize {
    let found = items.iter().position(|other| name(other) == name(&item));
    found.unwrap_or_else(|| {
        items.push(item);
        items.len() - 1
    })
}

fn compile_rule<R: RuleSet>(
    rule: &Rule<R>,
    leaf: usize,
    group: Option<&'static str>,
    predicates: &mut Vec<Predicate<R>>,
) -> Entry<R> {
    let requires = rule.requires.iter().map(|predicate| (predicate, None));
    let ensures = rule.ensures.iter().map(|(predicate, reason)| (predicate, Some(*reason)));
    let checks = requires.chain(ensures).map(|(predicate, refusal)| {
        let at = intern(predicates, *predicate, |p| p.name);
        Check { predicate: at as u8, holds: predicates[at].holds, refusal }
    });
    Entry {
        name: rule.name,
        leaf,
        kind: rule.kind,
        subjects: rule.subjects,
        checks: checks.collect(),
        changes: rule.changes.clone(),
        variants: rule.variants,
        group,
        priority: rule.priority,
        generates: rule.generates,
    }
}

fn warnings<R: RuleSet>(
    rules: &Rules<R>,
    entries: &[Entry<R>],
    predicates: &[Predicate<R>],
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let first_decides = !matches!(rules.conflict, Conflict::ApplyAll | Conflict::Exclusive);
    for (at, entry) in entries.iter().enumerate() {
        let shadows = |before: &&Entry<R>| {
            before.leaf == entry.leaf
                && before.priority >= entry.priority
                && before.kind.covers(entry.kind)
                && is_subset(entry.subjects, before.subjects)
                && before.requires().all(|predicate| entry.requires().any(|p| p == predicate))
        };
        // Under ApplyAll, several rules for one event are intended.
        let repeats = |before: &&Entry<R>| {
            rules.conflict != Conflict::ApplyAll && generates_again(entry, before)
        };
        if let Some(before) = entries[..at].iter().find(shadows).filter(|_| first_decides) {
            warnings.push(Warning::Unreachable { rule: entry.name, before: before.name });
        } else if let Some(before) = entries[..at].iter().find(repeats) {
            warnings.push(Warning::GeneratesAgain { rule: entry.name, before: before.name });
        }
        for predicate in entry.checks.iter().map(|check| &predicates[usize::from(check.predicate)])
        {
            if entry.generates && matches!(predicate.targets, Targets::OneByOne) {
                let predicate = predicate.name;
                warnings.push(Warning::OneByOne { rule: entry.name, predicate });
            }
        }
    }
    for &kind in &rules.expected {
        if !entries.iter().any(|entry| entry.kind.covers(kind)) {
            warnings.push(Warning::Unhandled { kind });
        }
    }
    if rules.conflict != Conflict::ApplyAll {
        let groups = rules.groups.iter().map(|&(group, _)| group);
        warnings.extend(groups.map(|group| Warning::GroupWithoutEffect { group }));
    }
    warnings
}

/// Returns whether all events that an entry generates are generated by `before` too,
/// judging by the names of predicates.
fn generates_again<R: RuleSet>(entry: &Entry<R>, before: &Entry<R>) -> bool {
    entry.generates
        && before.generates
        && before.leaf == entry.leaf
        && (before.kind, before.variants) == (entry.kind, entry.variants)
        && is_subset(entry.subjects, before.subjects)
        && (before.subjects == Subjects::ALL) == (entry.subjects == Subjects::ALL)
        && (before.checks.iter())
            .all(|check| entry.checks.iter().any(|other| other.predicate == check.predicate))
}

fn is_subset(one: Subjects, other: Subjects) -> bool {
    one.0 & !other.0 == 0
}
