//! Effects laid out as a flat list of steps, so that a resolution can stop at a
//! question and go on from its place.

use crate::magic::language::{Condition, Cost, Effect, Ref, Target, When};

/// What a spell or ability does, step by step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::magic) struct Program {
    /// What is aimed at.
    pub(in crate::magic) targets: Vec<Target>,
    /// The steps.
    pub(in crate::magic) steps: Vec<Step>,
}

/// One step of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(
    clippy::large_enum_variant,
    reason = "most steps are instructions, and there are a few hundred in all"
)]
pub(in crate::magic) enum Step {
    /// Follow one instruction that has no others inside.
    Do(Effect),
    /// Go on elsewhere unless this holds.
    Unless(Condition, u8),
    /// Go on elsewhere.
    Jump(u8),
    /// Ask whether a player pays; go on elsewhere if not.
    May { who: Ref, cost: Vec<Cost>, otherwise: u8 },
    /// Ask which way to go on.
    Choose { who: Ref, ways: Vec<u8> },
    /// Flip a coin and go on elsewhere if it is lost.
    Flip(u8),
    /// The next player is `Them`; go on elsewhere after the last.
    NextPlayer(u8),
    /// Start a program later.
    Later(When, u8),
}

/// Lays out `effects`; programs that start later are added to `programs`.
pub(super) fn lay_out(
    targets: &[Target],
    effects: &[Effect],
    programs: &mut Vec<Program>,
) -> Program {
    let mut steps = Vec::new();
    append(effects, &mut steps, programs);
    Program { targets: targets.to_vec(), steps }
}

fn append(effects: &[Effect], steps: &mut Vec<Step>, programs: &mut Vec<Program>) {
    for effect in effects {
        match effect {
            Effect::If { condition, then, otherwise } => {
                let test = steps.len();
                steps.push(Step::Jump(0));
                append(then, steps, programs);
                let end_of_then = steps.len();
                if !otherwise.is_empty() {
                    steps.push(Step::Jump(0));
                }
                steps[test] = Step::Unless(condition.clone(), place(steps));
                append(otherwise, steps, programs);
                if !otherwise.is_empty() {
                    steps[end_of_then] = Step::Jump(place(steps));
                }
            }
            Effect::May { who, cost, then, otherwise } => {
                let question = steps.len();
                steps.push(Step::Jump(0));
                append(then, steps, programs);
                let end_of_then = steps.len();
                steps.push(Step::Jump(0));
                let other = place(steps);
                steps[question] =
                    Step::May { who: who.clone(), cost: cost.clone(), otherwise: other };
                append(otherwise, steps, programs);
                steps[end_of_then] = Step::Jump(place(steps));
            }
            Effect::Choose { who, options } => {
                let question = steps.len();
                steps.push(Step::Jump(0));
                let (mut ways, mut ends) = (Vec::new(), Vec::new());
                for option in options {
                    ways.push(place(steps));
                    append(option, steps, programs);
                    ends.push(steps.len());
                    steps.push(Step::Jump(0));
                }
                steps[question] = Step::Choose { who: who.clone(), ways };
                for end in ends {
                    steps[end] = Step::Jump(place(steps));
                }
            }
            Effect::Flip { win, lose } => {
                let flip = steps.len();
                steps.push(Step::Jump(0));
                append(win, steps, programs);
                let end_of_win = steps.len();
                steps.push(Step::Jump(0));
                steps[flip] = Step::Flip(place(steps));
                append(lose, steps, programs);
                steps[end_of_win] = Step::Jump(place(steps));
            }
            Effect::ForEachPlayer(body) => {
                let head = steps.len();
                steps.push(Step::Jump(0));
                append(body, steps, programs);
                steps.push(Step::Jump(u8::try_from(head).expect("programs are short")));
                steps[head] = Step::NextPlayer(place(steps));
            }
            Effect::Later { when, effects } => {
                let later = lay_out(&[], effects, programs);
                programs.push(later);
                let number = u8::try_from(programs.len() - 1).expect("programs are few");
                steps.push(Step::Later(*when, number));
            }
            leaf => steps.push(Step::Do(leaf.clone())),
        }
    }
}

/// How many steps effects are laid out as.
pub(in crate::magic) fn length(effects: &[Effect]) -> usize {
    let of = |effect: &Effect| match effect {
        Effect::If { then, otherwise, .. } if otherwise.is_empty() => 1 + length(then),
        Effect::If { then, otherwise, .. }
        | Effect::May { then, otherwise, .. }
        | Effect::Flip { win: then, lose: otherwise } => 2 + length(then) + length(otherwise),
        Effect::Choose { options, .. } => {
            1 + options.iter().map(|option| 1 + length(option)).sum::<usize>()
        }
        Effect::ForEachPlayer(body) => 2 + length(body),
        _ => 1,
    };
    effects.iter().map(of).sum()
}

/// How many programs effects start later.
pub(in crate::magic) fn later_programs(effects: &[Effect]) -> usize {
    let of = |effect: &Effect| match effect {
        Effect::If { then, otherwise, .. }
        | Effect::May { then, otherwise, .. }
        | Effect::Flip { win: then, lose: otherwise } => {
            later_programs(then) + later_programs(otherwise)
        }
        Effect::Choose { options, .. } => options.iter().map(|option| later_programs(option)).sum(),
        Effect::ForEachPlayer(body) => later_programs(body),
        Effect::Later { effects, .. } => 1 + later_programs(effects),
        _ => 0,
    };
    effects.iter().map(of).sum()
}

fn place(steps: &[Step]) -> u8 {
    u8::try_from(steps.len()).expect("programs are short")
}

#[cfg(test)]
#[test]
fn lengths_are_those_of_the_programs() {
    for card in crate::magic::cards::builtin() {
        let lists = card.modes.iter().map(|mode| &mode.effects).chain([&card.effects]);
        let abilities = card.abilities.iter().filter_map(|ability| match ability {
            crate::magic::language::Ability::Activated { effects, .. }
            | crate::magic::language::Ability::Triggered { effects, .. }
            | crate::magic::language::Ability::AsEnters(effects) => Some(effects),
            _ => None,
        });
        for effects in lists.chain(abilities) {
            let mut programs = Vec::new();
            let program = lay_out(&[], effects, &mut programs);
            assert_eq!(program.steps.len(), length(effects), "{}", card.name);
            assert_eq!(programs.len(), later_programs(effects), "{}", card.name);
        }
    }
}
