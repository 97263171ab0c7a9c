//! Whether what effects refer to is known and is what they can act on:
//! references, filters, amounts and conditions.

use super::check::{
    CARD, EITHER, MOVABLE, PERMANENT, PLAYER, SPELL, Sort, THING, contradiction, sort_of,
};
use super::scope::Scope;
use super::standing;
use crate::magic::language::{
    Amount, CombatRole, Condition, Event, Filter, Ref, Side, Target, Type, Zone,
};

impl Scope<'_> {
    pub(super) fn check_condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Exists(filter) => self.check_filter(filter),
            Condition::AtLeast(a, b) | Condition::AtMost(a, b) => {
                self.check_amount(a);
                self.check_amount(b);
            }
            Condition::Is(what, filter) => {
                let sort = self.check_ref(what, THING);
                if sort & PERMANENT != 0 {
                    self.check_filter(filter);
                }
                if sort & (SPELL | CARD) != 0 && sort & PERMANENT == 0 {
                    self.check_card_filter(filter);
                }
            }
            Condition::Not(condition) => self.check_condition(condition),
        }
    }

    /// A filter of permanents.
    pub(super) fn check_filter(&mut self, filter: &Filter) {
        if let Some(fault) = contradiction(filter) {
            self.say(&format!("nothing is like this, with {fault}"));
        }
        if let Some(fault) = not_of_permanents(filter) {
            self.say(&fault);
        }
        if filter.mana_value_x {
            self.check_x();
        }
        let itself = filter.other && self.is_resolving_spell();
        self.need(!itself, "other, but an instant or sorcery is no permanent");
        self.check_side(filter.controller);
        filter.one_of.iter().for_each(|filter| self.check_filter(filter));
    }

    /// A filter of cards or spells.
    pub(super) fn check_card_filter(&mut self, filter: &Filter) {
        if let Some(fault) = contradiction(filter) {
            self.say(&format!("nothing is like this, with {fault}"));
        }
        if let Some(fault) = not_of_cards(filter) {
            self.say(&fault);
        }
        if filter.mana_value_x {
            self.check_x();
        }
        self.check_side(filter.controller);
    }

    /// A filter of permanents and spells alike.
    pub(super) fn check_source_filter(&mut self, filter: &Filter) {
        self.check_filter(filter);
        if let Some(fault) = not_of_cards(filter) {
            self.say(&fault);
        }
    }

    pub(super) fn check_side(&mut self, side: Option<Side>) {
        match side {
            Some(Side::Target) => drop(self.check_ref(&Ref::Target(0), PLAYER)),
            Some(Side::TargetController) => drop(self.check_ref(&Ref::Target(0), THING)),
            Some(Side::Them) => drop(self.check_ref(&Ref::Them, PLAYER)),
            Some(Side::You | Side::Opponent | Side::Active) | None => {}
        }
    }

    pub(super) fn check_x(&mut self) {
        self.need(self.x, "X, but its cost has no X");
    }

    /// An amount of things of which "as many as there are" makes sense.
    pub(super) fn check_number(&mut self, amount: &Amount) {
        if *amount != Amount::Everything {
            self.check_positive(amount);
        }
    }

    /// An amount that something is done with: 107.1b, of less than 1 nothing would be.
    pub(super) fn check_positive(&mut self, amount: &Amount) {
        self.check_amount(amount);
        let nothing = matches!(amount, Amount::N(..=0) | Amount::MinusX);
        self.need(!nothing, &format!("amount: {amount:?} does nothing, expected 1 or more"));
    }

    pub(super) fn check_amount(&mut self, amount: &Amount) {
        match amount {
            Amount::X | Amount::MinusX => self.check_x(),
            Amount::Count(filter) => self.check_filter(filter),
            Amount::CardsIn(zone, side, filter) => {
                standing::check_zone(self, "CardsIn", *zone);
                self.check_counted(*zone, filter);
                self.check_side(Some(*side));
                self.check_card_filter(filter);
            }
            Amount::PowerOf(what) | Amount::ToughnessOf(what) => {
                let power = matches!(amount, Amount::PowerOf(_));
                self.check_ref(what, PERMANENT);
                let gone = *what == Ref::Event || *what == Ref::This && !power;
                self.need(
                    !(gone && self.known.event_left),
                    "what has left the battlefield has no power or toughness here, but PowerOf(This)",
                );
            }
            Amount::LifeOf(who) | Amount::HalfLifeOf(who) => self.check_one_player(who),
            Amount::Difference(a, b) => {
                self.check_amount(a);
                self.check_amount(b);
            }
            Amount::Event => {
                self.need(self.known.event_amount, "Amount Event, but no damage set it off");
            }
            Amount::Kept => {
                self.need(self.known.kept, "Kept, but nothing was moved, drawn or dealt before");
            }
            Amount::Share => self.say("Share is an amount of Damage or Prevent to: Targets"),
            Amount::Everything => self.say("Everything is a number of cards or permanents"),
            Amount::N(_) => {}
        }
    }

    /// Of a library only the number of cards is known.
    pub(super) fn check_counted(&mut self, zone: Zone, filter: &Filter) {
        let all = *filter == Filter::default();
        self.need(zone != Zone::Library || all, "CardsIn(Library, …) counts all cards: ()");
    }

    /// 601.2d: what is divided among all targets.
    pub(super) fn check_share(&mut self, to: &Ref) {
        let divided = |target: &Target| matches!(target, Target::Divided(..));
        self.need(self.targets.iter().any(divided), "Share, but no target is Divided");
        self.need(self.targets.len() < 2, "what is Divided is the only target");
        self.check_ref(to, EITHER);
        self.need(*to == Ref::Targets, "Share goes with to: Targets");
    }

    pub(super) fn check_enchanted(&mut self) {
        self.need(self.card.enchant.is_some(), "Enchanted, but it enchants nothing: enchant: (…)");
    }

    /// Checks who acts; with `EachPlayer`, the rest knows `Them`.
    pub(super) fn each(&mut self, who: &Ref, rest: impl FnOnce(&mut Self)) {
        self.check_ref(who, PLAYER);
        let them = self.known.them;
        self.known.them |= *who == Ref::EachPlayer;
        rest(self);
        self.known.them = them;
    }

    /// Somebody who is one player.
    pub(super) fn check_one_player(&mut self, who: &Ref) {
        self.check_ref(who, PLAYER);
        let word = standing::word(who);
        let one = !matches!(who, Ref::EachPlayer | Ref::Targets);
        self.need(one, &format!("{word}, where one player is needed: ForEachPlayer with Them"));
    }

    /// Permanents that an effect acts on.
    pub(super) fn check_permanents(&mut self, what: &Ref) {
        self.check_ref(what, PERMANENT);
    }

    /// What is put somewhere.
    pub(super) fn check_movable(&mut self, what: &Ref) -> Sort {
        self.check_ref(what, MOVABLE)
    }

    /// A spell that is countered or aimed anew.
    pub(super) fn check_spell(&mut self, what: &Ref) {
        self.check_ref(what, SPELL);
        let one = matches!(what, Ref::Target(_));
        self.need(one, "one spell is meant: Target(0)");
    }

    /// Checks a reference and says what it can be.
    pub(super) fn check_ref(&mut self, what: &Ref, wanted: Sort) -> Sort {
        let sort = match what {
            Ref::This if self.is_resolving_spell() => CARD,
            Ref::This => PERMANENT | CARD,
            Ref::Target(at) => match self.targets.get(usize::from(*at)) {
                Some(target) => {
                    self.used[usize::from(*at)] = true;
                    let many = matches!(target, Target::UpTo(2.., _) | Target::Divided(2.., _));
                    self.need(!many, "Target is one of several: Targets");
                    self.need(
                        !self.known.later || *at == 0 && sort_of(target) == PERMANENT,
                        "Later knows Target(0) only, if it is a permanent",
                    );
                    sort_of(target)
                }
                None => {
                    let declared = self.targets.len();
                    self.say(&format!("Target({at}), but it has {declared} targets, from 0"));
                    return wanted;
                }
            },
            Ref::Targets => {
                self.used.fill(true);
                self.need(!self.known.later, "Later knows no Targets");
                if self.targets.is_empty() {
                    self.say("Targets, but it has no targets");
                    return wanted;
                }
                self.targets.iter().map(sort_of).fold(0, |all, sort| all | sort)
            }
            Ref::Enchanted => {
                self.check_enchanted();
                PERMANENT
            }
            Ref::Event => {
                self.need(self.known.event, "Event, but nothing set it off or was found");
                let permanent = |target: &Target| sort_of(target) & PERMANENT != 0;
                let aimed = self.known.later && self.targets.first().is_some_and(permanent);
                self.need(!aimed, "Later knows Target(0) or Event, not both");
                PERMANENT | CARD
            }
            Ref::Chosen(at) => {
                let known = *at < self.known.chosen.min(2);
                self.need(known, "Chosen, but nothing was chosen before");
                PERMANENT
            }
            Ref::All(filter) => {
                self.check_filter(filter);
                PERMANENT
            }
            Ref::Aside => {
                self.need(self.known.aside, "Aside, but nothing is set aside");
                CARD
            }
            Ref::Them => {
                self.need(self.known.them, "Them, but no EachPlayer or ForEachPlayer");
                PLAYER
            }
            Ref::EventPlayer => {
                self.need(self.known.event_player, "EventPlayer, but no event is about a player");
                PLAYER
            }
            Ref::You | Ref::Opponent | Ref::EachPlayer | Ref::Active | Ref::Defender => PLAYER,
            Ref::ControllerOf(what) | Ref::OwnerOf(what) => {
                self.check_ref(what, THING);
                let many = matches!(**what, Ref::All(_) | Ref::Targets | Ref::Aside);
                let word = standing::word(what);
                self.need(!many, &format!("{word} may be of several players"));
                PLAYER
            }
        };
        if let Some(problem) = mismatch(sort, wanted) {
            self.say(&format!("{} {problem}", standing::word(what)));
        }
        sort
    }
}

/// Why something of this sort cannot be where another is needed.
fn mismatch(sort: Sort, wanted: Sort) -> Option<&'static str> {
    let player = |sort: Sort| sort & PLAYER != 0;
    match () {
        () if wanted == PLAYER && sort == PLAYER => None,
        () if wanted == PLAYER && player(sort) => {
            Some("may be a creature where a player is needed")
        }
        () if wanted == PLAYER => Some("is a thing where a player is needed"),
        () if player(wanted) && player(sort) => None,
        () if sort == PLAYER => Some("is a player where a thing is needed"),
        () if player(sort) => Some("may be a player where a thing is needed"),
        () if sort & wanted != 0 => None,
        () if wanted == SPELL => Some("is no spell on the stack"),
        () if sort == SPELL => Some("is a spell where a permanent is needed"),
        () => Some("is a card where a permanent is needed"),
    }
}

/// A property of a filter that no permanent has.
pub(super) fn not_of_permanents(filter: &Filter) -> Option<String> {
    let spells =
        |types: crate::magic::language::Types| types.has(Type::Instant) || types.has(Type::Sorcery);
    (spells(filter.types) || spells(filter.not_types))
        .then(|| "no permanent is an instant or sorcery".into())
}

/// A property of a filter that cards and spells do not have.
pub(super) fn not_of_cards(filter: &Filter) -> Option<String> {
    let word = match filter {
        _ if filter.tapped.is_some() => "tapped",
        Filter { combat, .. } if combat.iter().any(|_: &CombatRole| true) => "combat",
        _ if filter.damaged => "damaged",
        _ if filter.attacked => "attacked",
        _ if filter.other => "other",
        _ if filter.token.is_some() => "token",
        _ if filter.mana_ability => "mana_ability",
        _ if filter.one_of.iter().any(|one| one.controller.is_some()) => "one_of with controller",
        _ => return filter.one_of.iter().find_map(not_of_cards),
    };
    Some(format!("{word} is about permanents, not about cards or spells"))
}

/// Whether what set an ability off has left the battlefield.
pub(super) fn leaves(event: &Event) -> bool {
    matches!(event, Event::Dies(_) | Event::Leaves(_))
}
