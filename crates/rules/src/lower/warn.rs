//! Warnings that follow from the text alone.

use std::collections::BTreeSet;

use super::tables::collect_rules;
use super::{PhaseInfo, RuleInfo};
use crate::errors::{Problem, Problems};
use crate::syntax::{
    Action, Effect, EffectKind, Expr, ExprKind, File, How, Phase, Rule, Thing, Toward, Word,
};

/// The number of actions of a rule from which judging them one by one is slow.
const MANY: usize = 64;

/// Returns what the author of a file may not mean, and marks phases that are never reached.
pub(super) fn warnings(file: &File, phases: &mut [PhaseInfo], rules: &[RuleInfo]) -> Vec<Problem> {
    let mut problems = Problems::default();
    let reached = reached(file);
    for (phase, info) in file.phases.iter().zip(phases) {
        info.is_reachable = reached.contains(&phase.name.text);
        if !info.is_reachable {
            let message = format!("no effect leads to the phase `{}`", phase.name.text);
            problems.add(phase.name.span, message);
        }
    }
    for (phase, rule) in file.phases.iter().flat_map(rules_of) {
        let actions = rules.iter().find(|info| info.span == rule.span).map_or(0, |info| info.count);
        let is_judged = rule.such_that.is_some() || phase.such_that.is_some();
        if is_judged && actions >= MANY {
            let message = format!("`such that` is judged for up to {actions} actions one by one");
            let help = "a condition on the sites is judged for all of them at once";
            problems.add_with_help(rule.span, message, help);
        }
    }
    if let Some(rule) = may_go_on(file) {
        let message = "pieces may move to and fro for ever";
        let help = "count quiet moves in a number, and end the game when there are too many";
        problems.add_with_help(rule.span, message, help);
    }
    problems.into_list()
}

/// Returns the rules of a phase, however they are grouped.
fn rules_of(phase: &Phase) -> impl Iterator<Item = (&Phase, &Rule)> {
    let mut rules = Vec::new();
    collect_rules(&phase.items, &mut rules);
    rules.into_iter().map(move |rule| (phase, rule))
}

/// Returns the names of the phases to which effects lead from the first one.
fn reached(file: &File) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&Phase> = file.phases.first().into_iter().collect();
    let mut from_ends = Vec::new();
    file.ends.iter().for_each(|end| goals(&end.effects, &mut from_ends));
    while let Some(phase) = open.pop() {
        if !reached.insert(phase.name.text.clone()) {
            continue;
        }
        let mut names = from_ends.clone();
        rules_of(phase).for_each(|(_, rule)| goals(&rule.effects, &mut names));
        goals(&phase.after, &mut names);
        goals(&phase.after_chain, &mut names);
        open.extend(file.phases.iter().filter(|phase| names.contains(&phase.name.text)));
    }
    reached
}

/// Collects the phases to which effects lead.
fn goals(effects: &[Effect], out: &mut Vec<String>) {
    for effect in effects {
        match &effect.kind {
            EffectKind::GoTo(phase) => out.push(phase.text.clone()),
            EffectKind::If { then, otherwise, .. } => {
                goals(then, out);
                goals(otherwise, out);
            }
            EffectKind::EachPlayer(inner) | EffectKind::ForSeat(_, inner) => goals(inner, out),
            _ => {}
        }
    }
}

/// Returns a rule that moves pieces without progress, in a file where nothing bounds how often:
/// no end reads a number or the history, no pieces go ahead only, and no piece of nobody fills
/// the board.
fn may_go_on(file: &File) -> Option<&Rule> {
    let mut numbers: Vec<&str> = Vec::new();
    for thing in &file.things {
        match thing {
            Thing::Number { name, .. } => numbers.push(&name.text),
            Thing::History { .. } => return None,
            Thing::Piece { shared: true, .. } => return None,
            _ => {}
        }
    }
    if file.ends.iter().any(|end| reads(&end.condition, &numbers)) {
        return None;
    }
    let rules: Vec<&Rule> =
        file.phases.iter().flat_map(|phase| rules_of(phase).map(|(_, rule)| rule)).collect();
    if rules.iter().any(|rule| goes_ahead_only(rule)) {
        return None;
    }
    rules.into_iter().find(|rule| match &rule.action {
        Action::Move { to, .. } => !matches!(&to.kind, ExprKind::Name(name) if name == "theirs"),
        _ => false,
    })
}

fn goes_ahead_only(rule: &Rule) -> bool {
    let Action::Move { how, .. } = &rule.action else { return false };
    match how {
        How::Step(directions) | How::Slide(directions) | How::Jump(directions) => {
            directions.parts.iter().all(|(_, toward)| *toward == Some(Toward::Ahead))
        }
        How::Leap { ahead, .. } => *ahead,
        How::Fly | How::Follow => false,
    }
}

/// Returns whether an expression reads one of the numbers, or former positions.
fn reads(expr: &Expr, numbers: &[&str]) -> bool {
    match &expr.kind {
        ExprKind::Int(_) => false,
        ExprKind::Name(name) => numbers.contains(&name.as_str()),
        ExprKind::Of(_, name) => numbers.contains(&name.text.as_str()),
        ExprKind::Call(Word::Repeated, _) => true,
        ExprKind::Call(_, arguments) => arguments.iter().any(|argument| reads(argument, numbers)),
        ExprKind::Binary(_, a, b) => reads(a, numbers) || reads(b, numbers),
        ExprKind::Not(inner) => reads(inner, numbers),
    }
}
