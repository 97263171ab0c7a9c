//! Whether standing rules make sense: they know no targets and no events.

use super::check::contradiction;
use super::scope::Scope;
use crate::magic::language::{Amount, Change, Condition, Filter, Ref, Rule, Side, Static, Zone};

/// A standing ability.
pub(super) fn check(scope: &mut Scope<'_>, ability: &Static) {
    match ability {
        Static::Gets { what, power, toughness, keywords, abilities } => {
            check_ref(scope, "what", what);
            check_amount(scope, "power", power);
            check_amount(scope, "toughness", toughness);
            let none = Amount::default();
            if *power == none && *toughness == none && keywords.is_empty() && abilities.is_empty() {
                scope.say("Gets gives nothing: power, toughness, keywords or abilities");
            }
        }
        Static::Becomes { what, into, everywhere: _ } => {
            check_ref(scope, "what", what);
            if *into == Change::default() {
                scope.say("Becomes changes nothing: into: (…)");
            }
        }
        Static::Control(what) => check_ref(scope, "Control", what),
        Static::Rule { what, rule } => {
            check_ref(scope, "what", what);
            check_rule(scope, rule);
        }
        Static::CostsMore { who, spell, by } => {
            check_side(scope, "who", *who);
            check_filter(scope, "spell", spell);
            if by.variable > 0 {
                scope.say("by: an amount of mana without X");
            }
        }
        Static::ExtraLands(0) => scope.say("ExtraLands(0) changes nothing"),
        Static::ExtraLands(_)
        | Static::HandsRevealed
        | Static::SpendAsAny(_)
        | Static::Instead(_) => {}
    }
}

fn check_rule(scope: &mut Scope<'_>, rule: &Rule) {
    match rule {
        Rule::CantAttackUnless(condition) => check_condition(scope, condition),
        Rule::CantBlockThese(filter)
        | Rule::CantBeBlockedBy(filter)
        | Rule::CantBeBlockedExceptBy(filter) => check_filter(scope, "rule", filter),
        _ => {}
    }
}

fn check_condition(scope: &mut Scope<'_>, condition: &Condition) {
    match condition {
        Condition::Exists(filter) => check_filter(scope, "condition", filter),
        Condition::AtLeast(a, b) | Condition::AtMost(a, b) => {
            check_amount(scope, "condition", a);
            check_amount(scope, "condition", b);
        }
        Condition::Is(what, filter) => {
            check_ref(scope, "condition", what);
            check_filter(scope, "condition", filter);
        }
        Condition::Not(condition) => check_condition(scope, condition),
    }
}

/// What a standing rule or a trigger is about.
pub(super) fn check_ref(scope: &mut Scope<'_>, field: &str, what: &Ref) {
    match what {
        Ref::This => {}
        Ref::Enchanted => scope.check_enchanted(),
        Ref::All(filter) => check_filter(scope, field, filter),
        other => scope.say(&format!(
            "{field}: {} is not known here, expected This, Enchanted or All(…)",
            word(other)
        )),
    }
}

/// A filter that is asked at any time.
pub(super) fn check_filter(scope: &mut Scope<'_>, field: &str, filter: &Filter) {
    if let Some(fault) = contradiction(filter) {
        scope.say(&format!("{field}: nothing is like this, with {fault}"));
    }
    if filter.mana_value_x {
        scope.say(&format!("{field}: mana_value_x is not known here, for no X was paid"));
    }
    check_side(scope, field, filter.controller);
    filter.one_of.iter().for_each(|filter| check_filter(scope, field, filter));
}

/// A player that is known at any time.
pub(super) fn check_side(scope: &mut Scope<'_>, field: &str, side: Option<Side>) {
    if let Some(side @ (Side::Target | Side::TargetController | Side::Them)) = side {
        scope
            .say(&format!("{field}: {side:?} is not known here, expected You, Opponent or Active"));
    }
}

/// An amount that is asked at any time.
pub(super) fn check_amount(scope: &mut Scope<'_>, field: &str, amount: &Amount) {
    match amount {
        Amount::N(_) => {}
        Amount::Count(filter) => check_filter(scope, field, filter),
        Amount::CardsIn(zone, side, filter) => {
            check_zone(scope, field, *zone);
            check_side(scope, field, Some(*side));
            check_filter(scope, field, filter);
        }
        Amount::PowerOf(what) | Amount::ToughnessOf(what) => check_ref(scope, field, what),
        Amount::LifeOf(who) | Amount::HalfLifeOf(who) => {
            if !matches!(who, Ref::You | Ref::Opponent | Ref::Active) {
                scope.say(&format!("{field}: expected the life of You, Opponent or Active"));
            }
        }
        Amount::Difference(a, b) => {
            check_amount(scope, field, a);
            check_amount(scope, field, b);
        }
        Amount::X
        | Amount::MinusX
        | Amount::Event
        | Amount::Kept
        | Amount::Share
        | Amount::Everything => {
            scope.say(&format!("{field}: {amount:?} is not known here, expected N(…) or Count(…)"));
        }
    }
}

/// Cards are counted where players keep them.
pub(super) fn check_zone(scope: &mut Scope<'_>, field: &str, zone: Zone) {
    if !matches!(zone, Zone::Hand | Zone::Library | Zone::Graveyard) {
        scope.say(&format!("{field}: cards are counted in Hand, Library or Graveyard"));
    }
}

/// The word of a reference, without what is in it.
pub(super) fn word(what: &Ref) -> String {
    let text = format!("{what:?}");
    text.split_once('(').map_or(text.clone(), |(word, _)| word.to_owned())
}
