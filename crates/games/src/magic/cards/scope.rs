//! Whether effects make sense: every word they refer to is known where it stands.

use super::check::{Kind, contradiction, kind_of};
use super::standing;
use crate::magic::language::{
    Amount, Card, Change, Condition, Cost, Effect, Event, Filter, Place, Ref, Rule, Side, Target,
    Zone,
};

/// What is known at a place in a card.
pub(super) struct Scope<'a> {
    card: &'a Card,
    tokens: &'a [&'a str],
    problems: Vec<String>,
    /// Which part of the card is looked at.
    part: String,
    targets: &'a [Target],
    used: Vec<bool>,
    x: bool,
    known: Known,
}

/// What earlier words have made known.
#[derive(Clone, Copy, Default)]
struct Known {
    /// `Ref::Event`.
    event: bool,
    /// `Ref::EventPlayer`.
    event_player: bool,
    /// `Amount::Event`.
    event_amount: bool,
    kept: bool,
    aside: bool,
    drawn: bool,
    them: bool,
    chosen: u8,
}

impl<'a> Scope<'a> {
    pub(super) fn new(card: &'a Card, tokens: &'a [&'a str]) -> Self {
        Self {
            card,
            tokens,
            problems: Vec::new(),
            part: String::new(),
            targets: &[],
            used: Vec::new(),
            x: card.cost.is_some_and(|cost| cost.variable > 0),
            known: Known::default(),
        }
    }

    pub(super) fn into_problems(self) -> Vec<String> {
        self.problems
    }

    /// Another part of the card begins, in which nothing is known yet.
    pub(super) fn enter(&mut self, part: String) {
        self.part = part;
        self.known = Known::default();
        self.x = self.card.cost.is_some_and(|cost| cost.variable > 0);
    }

    pub(super) fn say(&mut self, problem: &str) {
        let gap = if self.part.is_empty() { "" } else { ": " };
        let problem = format!("{}{gap}{problem}", self.part);
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn need(&mut self, known: bool, problem: &str) {
        if !known {
            self.say(problem);
        }
    }

    pub(super) fn x_is_known(&mut self, x: bool) {
        self.x = x;
    }

    /// What an event tells the ability that it sets off.
    pub(super) fn triggered_by(&mut self, event: &Event) {
        let step = matches!(event, Event::Begins { .. });
        self.known.event = !step;
        self.known.event_player = !step;
        self.known.event_amount =
            matches!(event, Event::DealsDamage(_) | Event::DealsDamageToPlayer(_));
    }

    /// Targets, and the effects that use them.
    pub(super) fn check_resolution(&mut self, targets: &'a [Target], effects: &'a [Effect]) {
        self.targets = targets;
        self.used = vec![false; targets.len()];
        targets.iter().for_each(|target| self.check_target(target, false));
        self.check_effects(effects);
        for at in 0..targets.len() {
            if !self.used[at] {
                self.say(&format!("Target({at}) is chosen and nothing is done with it"));
            }
        }
        self.targets = &[];
    }

    fn check_target(&mut self, target: &Target, inner: bool) {
        match target {
            Target::Permanent(filter) | Target::Spell(filter) => self.check_filter(filter),
            Target::Card { whose, card } => {
                standing::check_side(self, "whose", *whose);
                self.check_filter(card);
            }
            Target::UpTo(most, target) | Target::Divided(most, target) => {
                self.need(*most > 0, "targets: at least 1 of them");
                self.need(!inner, "targets: UpTo and Divided are about single targets");
                self.check_target(target, true);
            }
            Target::Any | Target::Player | Target::Opponent | Target::SpellWithOneTarget => {}
        }
    }

    fn check_effects(&mut self, effects: &[Effect]) {
        effects.iter().for_each(|effect| self.check_effect(effect));
    }

    /// Alternatives know what is known before them; what comes after may use
    /// what any of them made known.
    fn check_branches<'b>(&mut self, branches: impl IntoIterator<Item = &'b [Effect]>) {
        let before = self.known;
        let mut after = before;
        for effects in branches {
            self.known = before;
            self.check_effects(effects);
            after = after.or(self.known);
        }
        self.known = after;
    }

    fn check_effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Damage { amount, to } => {
                self.check_ref(to, Kind::Either);
                self.check_amount(amount);
                self.known.kept = true;
            }
            Effect::Destroy { what, regenerate: _ }
            | Effect::SacrificeIt { what }
            | Effect::Tap { what }
            | Effect::Untap { what }
            | Effect::Control { what, lasts: _ }
            | Effect::Counter { what, to: _ }
            | Effect::Retarget { what }
            | Effect::Regenerate { what }
            | Effect::Auction { what } => self.check_ref(what, Kind::Object),
            Effect::Put { what, to, under, tapped } => {
                self.check_ref(what, Kind::Object);
                self.check_side(*under);
                self.check_tapped(*to, *tapped);
            }
            Effect::Sacrifice { who, what, amount } => {
                self.each(who, |scope| {
                    scope.check_filter(what);
                    scope.check_amount(amount);
                });
            }
            Effect::Gets { what, power, toughness, keywords, loses, lasts: _ } => {
                self.check_ref(what, Kind::Object);
                self.check_amount(power);
                self.check_amount(toughness);
                let none = Amount::default();
                let body = *power != none || *toughness != none;
                let something = body || !keywords.is_empty() || !loses.is_empty();
                self.need(something, "Gets gives nothing: power, toughness, keywords or loses");
            }
            Effect::Becomes { what, into, lasts: _ } => {
                self.check_ref(what, Kind::Object);
                self.need(*into != Change::default(), "Becomes changes nothing: into: (…)");
            }
            Effect::Bind { what, rule, lasts: _ } => {
                self.check_ref(what, Kind::Object);
                self.check_rule(rule);
            }
            Effect::ChooseGreatest { who, what } => {
                self.each(who, |scope| scope.check_filter(what));
                self.known.chosen = self.known.chosen.saturating_add(1);
            }
            Effect::ExchangeChosen => {
                self.need(self.known.chosen >= 2, "ExchangeChosen needs two ChooseGreatest before");
            }
            Effect::Draw { who, amount } | Effect::DrawUpTo { who, amount } => {
                self.each(who, |scope| scope.check_amount(amount));
                (self.known.kept, self.known.drawn) = (true, true);
            }
            Effect::Discard { who, amount, random: _, card } => {
                self.each(who, |scope| {
                    scope.check_amount(amount);
                    scope.check_filter(card);
                });
                self.known.kept = true;
            }
            Effect::ShowHand { whose } | Effect::Shuffle { whose } => {
                self.check_ref(whose, Kind::Player);
            }
            Effect::Take { .. } => self.check_take(effect),
            Effect::Look { whose, amount, revealed: _ } => {
                self.each(whose, |scope| scope.check_amount(amount));
                self.known.aside = true;
            }
            Effect::RevealUntil { whose, card } => {
                self.each(whose, |scope| scope.check_filter(card));
                (self.known.aside, self.known.event) = (true, true);
            }
            Effect::ShuffleIn { whose, from } | Effect::ExileAll { whose, from } => {
                self.check_ref(whose, Kind::Player);
                self.check_zones(from);
            }
            Effect::Mill { who, amount, to: _ }
            | Effect::GainLife { who, amount }
            | Effect::LoseLife { who, amount } => {
                self.each(who, |scope| scope.check_amount(amount))
            }
            Effect::ExchangeLife { with: who }
            | Effect::LoseMana { who }
            | Effect::LoseGame { who } => {
                self.check_ref(who, Kind::Player);
            }
            Effect::Token { token, who, amount } => {
                self.each(who, |scope| scope.check_amount(amount));
                self.check_token(token);
            }
            Effect::AddMana { who, mana } => {
                self.check_ref(who, Kind::Player);
                self.need(!mana.is_empty(), "AddMana adds none: mana: [G]");
            }
            Effect::Prevent { amount, to } => {
                self.check_ref(to, Kind::Either);
                self.check_amount(amount);
            }
            Effect::Shield { to, from, instead: _ } => {
                self.check_ref(to, Kind::Either);
                self.check_filter(from);
            }
            Effect::ExtraLands(more) => self.need(*more > 0, "ExtraLands(0) changes nothing"),
            Effect::Fog
            | Effect::Guard
            | Effect::ExtraTurn
            | Effect::ExtraCombat
            | Effect::ChooseLandType => {}
            Effect::Later { when: _, effects } => {
                self.need(!effects.is_empty(), "Later does nothing: effects: […]");
                self.check_branches([&effects[..]]);
            }
            Effect::If { condition, then, otherwise } => {
                self.check_condition(condition);
                self.check_branches([&then[..], &otherwise[..]]);
            }
            Effect::May { who, cost, then, otherwise } => {
                self.check_ref(who, Kind::Player);
                cost.iter().for_each(|cost| self.check_cost(cost));
                let something = !then.is_empty() || !otherwise.is_empty();
                self.need(something, "May does nothing: then: […] or otherwise: […]");
                self.check_branches([&then[..], &otherwise[..]]);
            }
            Effect::Choose { who, options } => {
                self.check_ref(who, Kind::Player);
                self.need(options.len() >= 2, "Choose has two options or more");
                self.check_branches(options.iter().map(Vec::as_slice));
            }
            Effect::Flip { win, lose } => self.check_branches([&win[..], &lose[..]]),
            Effect::ForEachPlayer(effects) => {
                let (them, chosen) = (self.known.them, self.known.chosen);
                (self.known.them, self.known.chosen) = (true, 0);
                self.check_effects(effects);
                (self.known.them, self.known.chosen) = (them, chosen);
            }
        }
    }

    fn check_take(&mut self, effect: &Effect) {
        let Effect::Take { from, whose, chooser, card, least, most, to, tapped, .. } = effect
        else {
            return;
        };
        self.check_ref(chooser, Kind::Player);
        self.check_zones(from);
        self.each(whose, |scope| {
            scope.check_filter(card);
            scope.check_amount(least);
            scope.check_amount(most);
        });
        if let (Amount::N(least), Amount::N(most)) = (least, most) {
            self.need(*least <= *most && *most > 0, "Take: least at most most, and most above 0");
        }
        self.check_tapped(*to, *tapped);
        self.known.aside |= *to == Place::Aside;
        (self.known.kept, self.known.event) = (true, true);
    }

    fn check_zones(&mut self, zones: &[Zone]) {
        self.need(!zones.is_empty(), "from: at least one zone");
        for zone in zones {
            match zone {
                Zone::Aside => self.need(self.known.aside, "from: Aside, but nothing is set aside"),
                Zone::Drawn => self.need(self.known.drawn, "from: Drawn, but nothing was drawn"),
                Zone::Battlefield => self.say("from: cards are not taken from the Battlefield"),
                Zone::Hand | Zone::Library | Zone::Graveyard => {}
            }
        }
    }

    fn check_tapped(&mut self, to: Place, tapped: bool) {
        self.need(!tapped || to == Place::Battlefield, "tapped goes with to: Battlefield");
    }

    fn check_token(&mut self, token: &str) {
        if self.tokens.contains(&token) {
            return;
        }
        let near = super::nearest(token, self.tokens.iter().copied());
        let meant = if near.is_empty() { self.tokens.join(", ") } else { near.join(", ") };
        self.say(&format!("no token is called {token:?}, expected such as {meant}"));
    }

    pub(super) fn check_cost(&mut self, cost: &Cost) {
        match cost {
            Cost::Mana(_) | Cost::Tap | Cost::SacrificeThis => {}
            Cost::ManaWithX(mana, _) => {
                self.need(mana.variable > 0, "ManaWithX has an X: ManaWithX(\"X\", R)");
            }
            Cost::ManaCostOf(what, _) => self.check_ref(what, Kind::Object),
            Cost::X => self.check_x(),
            Cost::Life(count) | Cost::DiscardAtRandom(count) => {
                self.need(*count > 0, "a cost of 0 is no cost");
            }
            Cost::Sacrifice(count, filter)
            | Cost::TapOther(count, filter)
            | Cost::Discard(count, filter) => {
                self.need(*count > 0, "a cost of 0 is no cost");
                self.check_filter(filter);
            }
        }
    }

    fn check_rule(&mut self, rule: &Rule) {
        match rule {
            Rule::CantAttackUnless(condition) => self.check_condition(condition),
            Rule::CantBlockThese(filter)
            | Rule::CantBeBlockedBy(filter)
            | Rule::CantBeBlockedExceptBy(filter) => self.check_filter(filter),
            _ => {}
        }
    }

    pub(super) fn check_condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Exists(filter) => self.check_filter(filter),
            Condition::AtLeast(a, b) | Condition::AtMost(a, b) => {
                self.check_amount(a);
                self.check_amount(b);
            }
            Condition::Is(what, filter) => {
                self.check_ref(what, Kind::Object);
                self.check_filter(filter);
            }
            Condition::Not(condition) => self.check_condition(condition),
        }
    }

    fn check_filter(&mut self, filter: &Filter) {
        if let Some(fault) = contradiction(filter) {
            self.say(&format!("nothing is like this, with {fault}"));
        }
        if filter.mana_value_x {
            self.check_x();
        }
        self.check_side(filter.controller);
        filter.one_of.iter().for_each(|filter| self.check_filter(filter));
    }

    fn check_side(&mut self, side: Option<Side>) {
        match side {
            Some(Side::Target) => self.check_ref(&Ref::Target(0), Kind::Player),
            Some(Side::TargetController) => self.check_ref(&Ref::Target(0), Kind::Object),
            Some(Side::Them) => self.check_ref(&Ref::Them, Kind::Player),
            Some(Side::You | Side::Opponent | Side::Active) | None => {}
        }
    }

    fn check_x(&mut self) {
        self.need(self.x, "X, but its cost has no X");
    }

    fn check_amount(&mut self, amount: &Amount) {
        match amount {
            Amount::X | Amount::MinusX => self.check_x(),
            Amount::Count(filter) => self.check_filter(filter),
            Amount::CardsIn(zone, side, filter) => {
                standing::check_zone(self, "CardsIn", *zone);
                self.check_side(Some(*side));
                self.check_filter(filter);
            }
            Amount::PowerOf(what) | Amount::ToughnessOf(what) => self.check_ref(what, Kind::Object),
            Amount::LifeOf(who) | Amount::HalfLifeOf(who) => self.check_ref(who, Kind::Player),
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
            Amount::Share => {
                let divided = |target: &Target| matches!(target, Target::Divided(..));
                self.need(self.targets.iter().any(divided), "Share, but no target is Divided");
            }
            Amount::N(_) | Amount::Everything => {}
        }
    }

    pub(super) fn check_enchanted(&mut self) {
        self.need(self.card.enchant.is_some(), "Enchanted, but it enchants nothing: enchant: (…)");
    }

    /// Checks who acts; with `EachPlayer`, the rest knows `Them`.
    fn each(&mut self, who: &Ref, rest: impl FnOnce(&mut Self)) {
        self.check_ref(who, Kind::Player);
        let them = self.known.them;
        self.known.them |= *who == Ref::EachPlayer;
        rest(self);
        self.known.them = them;
    }

    fn check_ref(&mut self, what: &Ref, wanted: Kind) {
        let kind = match what {
            Ref::This => Kind::Object,
            Ref::Target(at) => match self.targets.get(usize::from(*at)) {
                Some(target) => {
                    self.used[usize::from(*at)] = true;
                    kind_of(target)
                }
                None => {
                    let declared = self.targets.len();
                    return self
                        .say(&format!("Target({at}), but it has {declared} targets, from 0"));
                }
            },
            Ref::Targets => {
                self.used.fill(true);
                let kinds: Vec<Kind> = self.targets.iter().map(kind_of).collect();
                match kinds[..] {
                    [] => return self.say("Targets, but it has no targets"),
                    [first, ref rest @ ..] if rest.iter().all(|kind| *kind == first) => first,
                    _ => Kind::Either,
                }
            }
            Ref::Enchanted => {
                self.check_enchanted();
                Kind::Object
            }
            Ref::Event => {
                self.need(self.known.event, "Event, but nothing set it off or was found");
                Kind::Object
            }
            Ref::Chosen(at) => {
                self.need(*at < self.known.chosen, "Chosen, but nothing was chosen before");
                Kind::Object
            }
            Ref::All(filter) => {
                self.check_filter(filter);
                Kind::Object
            }
            Ref::Aside => {
                self.need(self.known.aside, "Aside, but nothing is set aside");
                Kind::Object
            }
            Ref::Them => {
                self.need(self.known.them, "Them, but no EachPlayer or ForEachPlayer");
                Kind::Player
            }
            Ref::EventPlayer => {
                self.need(self.known.event_player, "EventPlayer, but no event is about a player");
                Kind::Player
            }
            Ref::You | Ref::Opponent | Ref::EachPlayer | Ref::Active | Ref::Defender => {
                Kind::Player
            }
            Ref::ControllerOf(what) | Ref::OwnerOf(what) => {
                self.check_ref(what, Kind::Object);
                Kind::Player
            }
        };
        if wanted != Kind::Either && kind != wanted {
            let word = standing::word(what);
            self.say(&match (kind, wanted) {
                (Kind::Either, Kind::Player) => {
                    format!("{word} may be a creature where a player is needed")
                }
                (Kind::Either, _) => format!("{word} may be a player where a thing is needed"),
                (Kind::Player, _) => format!("{word} is a player where a thing is needed"),
                (Kind::Object, _) => format!("{word} is a thing where a player is needed"),
            });
        }
    }
}

impl Known {
    fn or(self, other: Self) -> Self {
        Self {
            event: self.event | other.event,
            event_player: self.event_player | other.event_player,
            event_amount: self.event_amount | other.event_amount,
            kept: self.kept | other.kept,
            aside: self.aside | other.aside,
            drawn: self.drawn | other.drawn,
            them: self.them,
            chosen: self.chosen.max(other.chosen),
        }
    }
}
