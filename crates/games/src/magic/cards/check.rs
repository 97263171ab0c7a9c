//! Whether a card makes sense: what its type needs and forbids.

use super::CardError;
use super::scope::Scope;
use super::standing;
use crate::magic::language::{
    Ability, Amount, Card, Cost, Effect, Event, Filter, Keyword, Keywords, LandType, Produce, Ref,
    Static, Target, Timing, Type, Zone,
};

/// What is wrong with the cards of a file, besides how they are written.
///
/// `text` is the file they were read from, and `tokens` what their effects may
/// create besides tokens of the file itself.
#[must_use]
pub fn check(file: &str, text: &str, cards: &[Card], tokens: &[Card]) -> Vec<CardError> {
    let known: Vec<&str> =
        cards.iter().chain(tokens).filter(|card| card.token).map(|card| &*card.name).collect();
    let mut faults = Vec::new();
    for (at, card) in cards.iter().enumerate() {
        let problems = problems_of(card, &known).into_iter();
        faults.extend(problems.map(|problem| CardError::at_card(file, text, at, problem)));
    }
    faults
}

/// All that is wrong with a card, each in a sentence.
fn problems_of(card: &Card, tokens: &[&str]) -> Vec<String> {
    let mut problems = Vec::new();
    check_frame(card, &mut problems);
    check_body(card, &mut problems);
    let mut scope = Scope::new(card, tokens);
    standing::check_amount(&mut scope, "power", &card.power);
    standing::check_amount(&mut scope, "toughness", &card.toughness);
    if let Some(filter) = &card.enchant {
        standing::check_filter(&mut scope, "enchant", filter);
    }
    check_spell(card, &mut scope);
    for (at, ability) in card.abilities.iter().enumerate() {
        scope.enter_ability(format!("ability {}", at + 1));
        check_ability(card, ability, &mut scope);
    }
    scope.enter_ability(String::new());
    check_together(card, &mut scope);
    problems.extend(scope.into_problems());
    problems.extend(super::limits::problems_of(card));
    problems
}

fn is_spell(card: &Card) -> bool {
    card.types.has(Type::Instant) || card.types.has(Type::Sorcery)
}

/// Name, cost, types and subtypes.
fn check_frame(card: &Card, problems: &mut Vec<String>) {
    let mut say = |wrong: bool, problem: &str| {
        if wrong {
            problems.push(problem.to_owned());
        }
    };
    let land = card.types.has(Type::Land);
    let subtype = |name: &str| card.subtypes.iter().any(|subtype| subtype.name() == name);
    let basic_type = LandType::ALL.iter().any(|land| subtype(land.text()));
    let name = card.name.trim();
    say(name.is_empty(), "it has no name");
    say(name != card.name, "its name begins or ends with a blank");
    say(card.name.chars().any(char::is_control), "its name holds a control character");
    say(card.types.is_empty(), "it has no type");
    say(is_spell(card) && card.types.iter().count() > 1, "an instant or sorcery has no other type");
    say(land && card.cost.is_some(), "a land has no cost");
    say(card.token && card.cost.is_some(), "a token has no cost");
    say(
        !land && !card.token && card.cost.is_none(),
        "it has no cost, expected such as cost: \"2R\"",
    );
    say(card.token && is_spell(card), "a token is a permanent");
    say(card.basic && !(land && basic_type), "a basic land has a basic land type");
    say(basic_type && !land, "a basic land type belongs to a land");
    let flash = Keywords::default().with(Keyword::Flash);
    let keywords =
        if card.types.has(Type::Sorcery) { card.keywords.0 & !flash.0 } else { card.keywords.0 };
    say(is_spell(card) && keywords != 0, "keywords belong to permanents; a sorcery may have Flash");
    say(land && card.keywords.has(Keyword::Flash), "Flash is about spells, and a land is none");
    say(is_spell(card) && card.legendary, "an instant or sorcery is not legendary here");
    say(card.token && subtype("Aura"), "a token is no Aura, for it has no target");
    say(subtype("Aura") && card.enchant.is_none(), "an Aura says what it enchants: enchant: (…)");
    say(card.enchant.is_some() && !subtype("Aura"), "only an Aura enchants: subtypes: [\"Aura\"]");
    say(
        subtype("Aura") && !card.types.has(Type::Enchantment),
        "an Aura is an enchantment: types: [Enchantment]",
    );
}

/// Power and toughness.
fn check_body(card: &Card, problems: &mut Vec<String>) {
    let none = Amount::default();
    let chosen = card.abilities.iter().any(|ability| matches!(ability, Ability::AsEnters(_)));
    if card.types.has(Type::Creature) {
        if card.toughness == none && !chosen {
            problems.push("a creature has a toughness: power: N(2), toughness: N(2)".into());
        }
    } else if card.power != none || card.toughness != none {
        problems.push("power and toughness belong to creatures".into());
    }
}

/// What an instant or sorcery does.
fn check_spell<'a>(card: &'a Card, scope: &mut Scope<'a>) {
    let (effects, modes) = (&card.effects, &card.modes);
    if !is_spell(card) {
        if !(effects.is_empty() && modes.is_empty() && card.targets.is_empty()) {
            scope.say("targets, effects and modes belong to instants and sorceries; a permanent has abilities");
        }
        return;
    }
    match (effects.is_empty(), modes.len()) {
        (true, 0) => scope.say("it does nothing: effects: […]"),
        (false, 0) => {
            scope.enter_spell(String::new());
            scope.check_resolution(&card.targets, effects);
        }
        (true, 1) => scope.say("one mode is no choice: effects: […]"),
        (false, _) => scope.say("it has effects or modes, not both"),
        (true, _) if !card.targets.is_empty() => scope.say("each mode has its own targets"),
        (true, _) => {
            for (at, mode) in modes.iter().enumerate() {
                scope.enter_spell(format!("mode {}", at + 1));
                check_does_something(&mode.effects, scope);
                scope.check_resolution(&mode.targets, &mode.effects);
            }
        }
    }
}

fn check_ability<'a>(card: &'a Card, ability: &'a Ability, scope: &mut Scope<'a>) {
    let elsewhere =
        matches!(ability, Ability::Activated { from, .. } if *from != Zone::Battlefield);
    if is_spell(card) && !elsewhere {
        scope.say("an instant or sorcery has no abilities but those used from a hand or graveyard");
    }
    match ability {
        Ability::Activated { cost, targets, effects, from, only } => {
            if !matches!(from, Zone::Battlefield | Zone::Graveyard) {
                scope.say("it is used from: Battlefield or Graveyard");
            }
            if *from == Zone::Graveyard {
                let needs = cost.contains(&Cost::Tap) || cost.contains(&Cost::SacrificeThis);
                scope.need(!needs, "a card in a graveyard is neither tapped nor sacrificed");
                let once = only.contains(&Timing::OncePerTurn);
                scope.need(!once, "OncePerTurn is about permanents, not about graveyards");
            }
            check_costs(cost, scope);
            check_does_something(effects, scope);
            scope.check_resolution(targets, effects);
        }
        Ability::Mana { cost, add, effects } => {
            check_costs(cost, scope);
            let (Produce::All(mana) | Produce::OneOf(mana)) = add;
            if mana.is_empty() {
                scope.say("it adds no mana: add: All([G])");
            }
            scope.need(!scope.x, "a mana ability has no X");
            check_mana_effects(effects, scope);
            scope.check_resolution(&[], effects);
        }
        Ability::Triggered { on, condition, targets, effects } => {
            check_event(on, scope);
            scope.triggered_by(on);
            if let Some(condition) = condition {
                scope.check_condition(condition);
            }
            check_does_something(effects, scope);
            if let (Event::TappedForMana(_), [Effect::AddMana { who, .. }]) = (on, &effects[..]) {
                scope.need(*who == Ref::EventPlayer, "the mana is for who tapped: EventPlayer");
            }
            scope.check_resolution(targets, effects);
        }
        Ability::Static(ability) => {
            standing::check(scope, ability);
            if let Static::Gets { abilities, .. } = ability {
                for ability in abilities {
                    if let Ability::Activated { from: Zone::Battlefield, .. } = ability {
                        check_ability(card, ability, scope);
                    } else {
                        scope.say("what is given are Activated abilities of permanents");
                    }
                }
            }
        }
        Ability::AsEnters(effects) => {
            check_does_something(effects, scope);
            check_entering(effects, scope);
            scope.check_resolution(&[], effects);
        }
    }
}

/// What only makes sense once on a card.
fn check_together(card: &Card, scope: &mut Scope<'_>) {
    let count = |is: &dyn Fn(&Ability) -> bool| card.abilities.iter().filter(|it| is(it)).count();
    let once = |ability: &Ability| matches!(ability, Ability::Activated { only, .. } if only.contains(&Timing::OncePerTurn));
    scope.need(count(&once) < 2, "one ability of a card is used OncePerTurn, not several");
    let buried =
        |ability: &Ability| matches!(ability, Ability::Activated { from: Zone::Graveyard, .. });
    scope.need(count(&buried) < 2, "one ability of a card is used from: Graveyard, not several");
    let gives = |ability: &Ability| matches!(ability, Ability::Static(Static::Gets { abilities, .. }) if !abilities.is_empty());
    scope.need(count(&gives) < 2, "one static ability of a card gives abilities, not several");
    let enters = |ability: &Ability| matches!(ability, Ability::AsEnters(_));
    scope.need(count(&enters) < 2, "AsEnters stands once on a card");
}

/// What happens with a mana ability asks nothing.
fn check_mana_effects(effects: &[Effect], scope: &mut Scope<'_>) {
    let plain = |effect: &Effect| {
        matches!(effect, Effect::Damage { .. } | Effect::GainLife { .. } | Effect::LoseLife { .. })
    };
    scope.need(
        effects.iter().all(plain),
        "a mana ability does no more than Damage, GainLife and LoseLife",
    );
    let damage = |effect: &&Effect| matches!(effect, Effect::Damage { .. });
    scope.need(
        effects.iter().filter(damage).count() < 2,
        "a mana ability deals damage once: and: […]",
    );
}

/// 614.12: what is chosen and changed as something enters.
fn check_entering(effects: &[Effect], scope: &mut Scope<'_>) {
    for effect in effects {
        match effect {
            Effect::ChooseLandType | Effect::Becomes { .. } | Effect::Gets { .. } => {}
            Effect::Choose { who, options } => {
                scope.need(*who == Ref::You, "as it enters, You choose");
                options.iter().for_each(|option| check_entering(option, scope));
            }
            _ => scope.say("AsEnters knows ChooseLandType, Choose, Becomes and Gets"),
        }
    }
}

fn check_does_something(effects: &[Effect], scope: &mut Scope<'_>) {
    if effects.is_empty() {
        scope.say("it does nothing: effects: […]");
    }
}

/// The cost of an ability; it tells what `X` is.
fn check_costs(costs: &[Cost], scope: &mut Scope<'_>) {
    if costs.is_empty() {
        scope.say("it costs nothing: cost: [Tap]");
    }
    scope.x_is_known(costs.iter().any(
        |cost| matches!(cost, Cost::Mana(mana) | Cost::ManaWithX(mana, _) if mana.variable > 0),
    ));
    scope.check_single_mana(costs);
    for cost in costs {
        match cost {
            Cost::X => scope.say("X in the cost of an ability is written Mana(\"X\")"),
            Cost::ManaCostOf(..) => scope.say("ManaCostOf is a cost of May, not of abilities"),
            _ => {}
        }
        scope.check_cost(cost);
    }
}

/// What sets an ability off.
fn check_event(event: &Event, scope: &mut Scope<'_>) {
    match event {
        Event::Enters(what)
        | Event::Dies(what)
        | Event::Leaves(what)
        | Event::BecomesTapped(what)
        | Event::TappedForMana(what)
        | Event::Attacks(what)
        | Event::BlocksOrBlocked(what)
        | Event::AttacksOrBlocks(what)
        | Event::DealsDamage(what)
        | Event::DealsDamageToPlayer(what) => standing::check_ref(scope, "on", what),
        Event::BlocksOrBlockedBy(what, filter) => {
            standing::check_ref(scope, "on", what);
            standing::check_filter(scope, "on", filter);
        }
        Event::Casts { who, spell } => {
            standing::check_side(scope, "who", *who);
            standing::check_card_filter(scope, "spell", spell);
        }
        Event::Begins { whose, .. } => standing::check_side(scope, "whose", *whose),
        Event::FirstDraw(filter) => standing::check_card_filter(scope, "on", filter),
    }
}

/// What is wrong with a filter by itself: it takes nothing.
pub(super) fn contradiction(filter: &Filter) -> Option<&'static str> {
    let subtypes = filter.subtypes.iter().any(|subtype| filter.not_subtypes.contains(subtype));
    let powers =
        filter.least_power.zip(filter.most_power).is_some_and(|(least, most)| least > most);
    match filter {
        _ if filter.types.meets(filter.not_types) => Some("the same type in types and not_types"),
        _ if filter.colours.meets(filter.not_colours) => {
            Some("the same colour in colours and not_colours")
        }
        _ if subtypes => Some("the same subtype in subtypes and not_subtypes"),
        _ if powers => Some("least_power above most_power"),
        _ if filter.with.is_some() && filter.with == filter.without => {
            Some("the same keyword in with and without")
        }
        _ => None,
    }
}

/// What a reference can be, one bit each.
pub(super) type Sort = u8;
pub(super) const PLAYER: Sort = 1;
pub(super) const PERMANENT: Sort = 1 << 1;
/// A spell on the stack.
pub(super) const SPELL: Sort = 1 << 2;
/// A card in a graveyard, or set aside.
pub(super) const CARD: Sort = 1 << 3;
/// Any object.
pub(super) const THING: Sort = PERMANENT | SPELL | CARD;
/// What can be dealt damage.
pub(super) const EITHER: Sort = PLAYER | PERMANENT;
/// What can be put somewhere.
pub(super) const MOVABLE: Sort = PERMANENT | CARD;

/// What a target can be.
pub(super) fn sort_of(target: &Target) -> Sort {
    match target {
        Target::Any => EITHER,
        Target::Player | Target::Opponent => PLAYER,
        Target::UpTo(_, target) | Target::Divided(_, target) => sort_of(target),
        Target::Permanent(_) => PERMANENT,
        Target::Spell(_) | Target::SpellWithOneTarget => SPELL,
        Target::Card { .. } => CARD,
    }
}
