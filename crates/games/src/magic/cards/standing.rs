//! Whether standing rules make sense: they know no targets and no events.

use super::check::contradiction;
use super::refs::{not_of_cards, not_of_permanents};
use super::scope::Scope;
use crate::magic::language::{
    Ability, Amount, Change, Condition, Effect, Filter, Keyword, Ref, Rule, Side, Static, Type,
    Zone,
};
use crate::magic::zones::select::land_type;

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
            scope.need(!keywords.has(Keyword::Flash), "Flash means nothing to a permanent");
        }
        Static::Becomes { what, into, everywhere } => {
            check_ref(scope, "what", what);
            let chooses = scope.card.abilities.iter().any(|ability| {
                matches!(ability, Ability::AsEnters(effects)
                    if effects.contains(&Effect::ChooseLandType))
            });
            check_change(scope, into, chooses);
            check_subtypes_given(scope, what, into);
            if *everywhere {
                check_everywhere(scope, what, into);
            }
        }
        Static::Control(what) => {
            check_ref(scope, "Control", what);
            scope.need(*what != Ref::This, "Control(This) changes nothing");
        }
        Static::Rule { what, rule } => {
            check_ref(scope, "what", what);
            check_rule(scope, rule);
            let entered = *what == Ref::Enchanted && *rule == Rule::EntersTapped;
            scope.need(!entered, "EntersTapped, but what is Enchanted has entered");
        }
        Static::CostsMore { who, spell, by } => {
            check_side(scope, "who", *who);
            check_card_filter(scope, "spell", spell);
            scope.need(by.variable == 0, "by: an amount of mana without X");
            scope.need(!by.is_free(), "CostsMore by nothing changes nothing");
        }
        Static::ExtraLands(0) => scope.say("ExtraLands(0) changes nothing"),
        Static::ExtraLands(_)
        | Static::HandsRevealed
        | Static::SpendAsAny(_)
        | Static::Instead(_) => {}
    }
}

/// What something becomes; `chosen` tells whether a land type was chosen.
pub(super) fn check_change(scope: &mut Scope<'_>, into: &Change, chosen: bool) {
    scope.need(*into != Change::default(), "Becomes changes nothing: into: (…)");
    let spell = into.types.has(Type::Instant) || into.types.has(Type::Sorcery);
    scope.need(!spell, "into: no permanent becomes an instant or sorcery");
    let land = into.subtypes.iter().any(|&subtype| land_type(subtype).is_some());
    scope.need(!land, "into: a basic land type is given by land_type");
    scope.need(!into.keywords.has(Keyword::Flash), "Flash means nothing to a permanent");
    scope.need(
        !into.chosen_land_type || chosen,
        "into: chosen_land_type, but no ChooseLandType before",
    );
    let both = into.chosen_land_type && into.land_type.is_some();
    scope.need(!both, "into: land_type or chosen_land_type, not both");
}

/// 613.8: who is given subtypes must not depend on who has subtypes.
fn check_subtypes_given(scope: &mut Scope<'_>, what: &Ref, into: &Change) {
    fn asks(filter: &Filter) -> bool {
        let mut named = filter.subtypes.iter().chain(&filter.not_subtypes);
        named.any(|&subtype| land_type(subtype).is_none()) || filter.one_of.iter().any(asks)
    }
    let depends = matches!(what, Ref::All(filter) if asks(filter));
    scope.need(
        into.subtypes.is_empty() || !depends,
        "what: who gets subtypes is not chosen by subtypes",
    );
}

/// Elsewhere than on the battlefield only colours change, by type.
fn check_everywhere(scope: &mut Scope<'_>, what: &Ref, into: &Change) {
    let plain = |filter: &Filter| {
        let types = Filter {
            types: filter.types,
            not_types: filter.not_types,
            controller: Some(Side::You),
            ..Filter::default()
        };
        *filter == types
    };
    let colours = Change { colours: into.colours, ..Change::default() };
    let known = matches!(what, Ref::All(filter) if plain(filter));
    scope.need(known, "everywhere goes with All(…) by types, not_types and controller: You");
    scope.need(*into == colours, "everywhere changes colours only");
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
    if let Some(fault) = not_of_permanents(filter) {
        scope.say(&format!("{field}: {fault}"));
    }
    check_known(scope, field, filter);
    filter.one_of.iter().for_each(|filter| check_filter(scope, field, filter));
}

/// A filter of cards or spells that is asked at any time.
pub(super) fn check_card_filter(scope: &mut Scope<'_>, field: &str, filter: &Filter) {
    if let Some(fault) = contradiction(filter) {
        scope.say(&format!("{field}: nothing is like this, with {fault}"));
    }
    if let Some(fault) = not_of_cards(filter) {
        scope.say(&format!("{field}: {fault}"));
    }
    check_known(scope, field, filter);
}

fn check_known(scope: &mut Scope<'_>, field: &str, filter: &Filter) {
    if filter.mana_value_x {
        scope.say(&format!("{field}: mana_value_x is not known here, for no X was paid"));
    }
    check_side(scope, field, filter.controller);
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
            scope.check_counted(*zone, filter);
            check_side(scope, field, Some(*side));
            check_card_filter(scope, field, filter);
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
