//! How much a card may have: the engine gives its parts small numbers.

use crate::magic::actions::USES;
use crate::magic::language::{Ability, Card, Cost, Effect, Produce, Static, Target, Zone};
use crate::magic::state::MAX_TARGETS;
use crate::magic::table::program::{later_programs, length};

/// The most steps of one spell or ability, and programs of one card.
const STEPS: usize = u8::MAX as usize;
/// The most parts of the cost of an activated ability.
const COSTS: usize = 48;
/// The most mana abilities, and parts of the cost of one.
const MANA: usize = 16;
const MANA_COSTS: usize = 8;

/// What a card has too much of, each in a sentence.
pub(super) fn problems_of(card: &Card) -> Vec<String> {
    let mut limits = Limits::default();
    limits.spell(&card.targets, &card.effects, card.enchant.is_some());
    card.modes.iter().for_each(|mode| limits.spell(&mode.targets, &mode.effects, false));
    card.abilities.iter().for_each(|ability| limits.ability(ability));
    limits.at_most(limits.uses, USES as usize, "abilities to use on the battlefield");
    limits.at_most(limits.mana, MANA, "mana abilities");
    limits.at_most(limits.programs, STEPS, "spells, abilities and delayed effects");
    limits.problems
}

/// What has been counted of a card so far.
#[derive(Default)]
struct Limits {
    uses: usize,
    mana: usize,
    programs: usize,
    problems: Vec<String>,
}

impl Limits {
    fn at_most(&mut self, count: usize, most: usize, what: &str) {
        if count > most {
            self.problems.push(format!("it has {count} {what}, expected at most {most}"));
        }
    }

    /// Targets and effects of one spell or ability.
    fn spell(&mut self, targets: &[Target], effects: &[Effect], enchants: bool) {
        let targets: usize = targets.iter().map(most_targets).sum();
        self.at_most(
            targets + usize::from(enchants),
            MAX_TARGETS,
            "targets of one spell or ability",
        );
        self.programs += 1 + later_programs(effects);
        self.effects(effects);
    }

    fn effects(&mut self, effects: &[Effect]) {
        self.at_most(length(effects), STEPS, "instructions in one spell or ability");
        for effect in effects {
            match effect {
                Effect::If { then, otherwise, .. } => self.both(then, otherwise),
                Effect::May { cost, then, otherwise, .. } => {
                    self.at_most(cost.len(), COSTS, "parts of one cost");
                    self.both(then, otherwise);
                }
                Effect::Choose { options, .. } => {
                    options.iter().for_each(|option| self.effects(option));
                }
                Effect::Flip { win, lose } => self.both(win, lose),
                Effect::ForEachPlayer(effects) | Effect::Later { effects, .. } => {
                    self.effects(effects);
                }
                _ => {}
            }
        }
    }

    fn both(&mut self, one: &[Effect], other: &[Effect]) {
        self.effects(one);
        self.effects(other);
    }

    fn ability(&mut self, ability: &Ability) {
        match ability {
            Ability::Activated { cost, targets, effects, from, .. } => {
                self.uses += usize::from(*from == Zone::Battlefield);
                self.at_most(cost.len(), COSTS, "parts of one cost");
                self.spell(targets, effects, false);
            }
            Ability::Mana { cost, add, effects } => {
                self.uses += usize::from(*cost != [Cost::Tap]);
                self.mana += 1;
                self.at_most(cost.len(), MANA_COSTS, "parts of the cost of a mana ability");
                let (Produce::All(mana) | Produce::OneOf(mana)) = add;
                self.at_most(mana.len(), STEPS, "mana from one ability");
                self.spell(&[], effects, false);
            }
            Ability::Triggered { targets, effects, .. } => self.spell(targets, effects, false),
            Ability::Static(Static::Gets { abilities, .. }) => {
                abilities.iter().for_each(|ability| self.ability(ability));
            }
            Ability::Static(_) => {}
            Ability::AsEnters(effects) => self.spell(&[], effects, false),
        }
    }
}

/// How often something can be chosen as this target.
fn most_targets(target: &Target) -> usize {
    match target {
        Target::UpTo(most, _) | Target::Divided(most, _) => usize::from(*most),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{builtin, load};
    use super::*;

    #[track_caller]
    fn check_refused(card: &str, expected: &str) {
        let faults = load(&[("much.ron".into(), format!("[{card}]"))]).expect_err("too much");
        let found: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert!(found.iter().any(|fault| fault.contains(&format!("A: {expected}\n"))), "{found:?}");
    }

    #[test]
    fn built_in_cards_keep_the_limits() {
        for card in builtin() {
            assert_eq!(problems_of(card), [""; 0], "{}", card.name);
        }
    }

    #[test]
    fn cards_with_too_much_are_refused() {
        let uses = "Activated(cost: [Tap], effects: [Draw(who: You, amount: N(1))]), ".repeat(9);
        check_refused(
            &format!(r#"(name: "A", cost: "1", types: [Artifact], abilities: [{uses}])"#),
            "it has 9 abilities to use on the battlefield, expected at most 8",
        );
        let aims = "targets: [Divided(6, Any)], effects: [Damage(amount: Share, to: Target(0))]";
        check_refused(
            &format!(r#"(name: "A", cost: "R", types: [Instant], {aims})"#),
            "it has 6 targets of one spell or ability, expected at most 5",
        );
        let draws = "Draw(who: You, amount: N(1)), ".repeat(256);
        check_refused(
            &format!(r#"(name: "A", cost: "U", types: [Instant], effects: [{draws}])"#),
            "it has 256 instructions in one spell or ability, expected at most 255",
        );
        let pay = "Life(1), ".repeat(49);
        check_refused(
            &format!(
                r#"(name: "A", cost: "1", types: [Artifact], abilities: [Activated(cost: [{pay}], effects: [Fog])])"#
            ),
            "it has 49 parts of one cost, expected at most 48",
        );
        let mana = "Mana(cost: [Tap], add: All([G])), ".repeat(17);
        check_refused(
            &format!(r#"(name: "A", types: [Land], abilities: [{mana}])"#),
            "it has 17 mana abilities, expected at most 16",
        );
    }
}
