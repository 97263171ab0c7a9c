//! Whether every word of an effect means something where it stands.

use super::check::{EITHER, PERMANENT};
use super::scope::{Known, Scope};
use super::standing;
use crate::magic::language::{
    Amount, Effect, Keyword, Lasts, Place, Ref, Rule, Target, When, Zone,
};

impl Scope<'_> {
    pub(super) fn check_effects(&mut self, effects: &[Effect]) {
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
            Effect::Damage { amount: Amount::Share, to, and } => {
                self.check_share(to);
                self.need(and.is_empty(), "damage that is divided stands alone: no and");
                self.known.kept = true;
            }
            Effect::Damage { amount, to, and } => {
                for (amount, to) in
                    std::iter::once((amount, to)).chain(and.iter().map(|(n, to)| (n, to)))
                {
                    self.check_ref(to, EITHER);
                    self.check_positive(amount);
                }
                self.need(and.len() < 2, "and: one other part of the damage");
                self.known.kept = true;
            }
            Effect::Destroy { what, regenerate: _ }
            | Effect::SacrificeIt { what }
            | Effect::Tap { what }
            | Effect::Untap { what }
            | Effect::Regenerate { what }
            | Effect::Auction { what } => self.check_permanents(what),
            Effect::Control { what, lasts } => {
                self.check_permanents(what);
                self.check_lasts(*lasts);
            }
            Effect::Counter { what, to } => {
                self.check_spell(what);
                let nowhere = matches!(to, Place::Aside | Place::ExileToPlay);
                self.need(!nowhere, "a countered spell goes to none of Aside and ExileToPlay");
            }
            Effect::Retarget { what } => {
                self.check_spell(what);
                let one = matches!(what, Ref::Target(at)
                    if self.targets.get(usize::from(*at)) == Some(&Target::SpellWithOneTarget));
                self.need(one, "Retarget is about a target that is a SpellWithOneTarget");
            }
            Effect::Put { what, to, under, tapped } => {
                let sort = self.check_movable(what);
                self.check_side(*under);
                self.check_tapped(*to, *tapped);
                let enters = *to == Place::Battlefield;
                self.need(under.is_none() || enters, "under goes with to: Battlefield");
                self.need(
                    !enters || sort != PERMANENT,
                    "what is on the Battlefield is not put there",
                );
                self.need(*to != Place::ExileToPlay, "only Take puts cards to: ExileToPlay");
                self.need(*to != Place::Aside, "only Take and Look set cards Aside");
            }
            Effect::Sacrifice { who, what, amount } => {
                self.each(who, |scope| {
                    scope.check_filter(what);
                    scope.check_number(amount);
                });
            }
            Effect::Gets { what, power, toughness, keywords, loses, lasts } => {
                self.check_permanents(what);
                self.check_amount(power);
                self.check_amount(toughness);
                self.check_lasts(*lasts);
                let none = Amount::default();
                let body = *power != none || *toughness != none;
                let something = body || !keywords.is_empty() || !loses.is_empty();
                self.need(something, "Gets gives nothing: power, toughness, keywords or loses");
                let flash = keywords.has(Keyword::Flash) || loses.has(Keyword::Flash);
                self.need(!flash, "Flash means nothing to a permanent");
            }
            Effect::Becomes { what, into, lasts } => {
                self.check_permanents(what);
                self.check_lasts(*lasts);
                let chosen = self.known.land_type;
                standing::check_change(self, into, chosen);
            }
            Effect::Bind { what, rule, lasts } => {
                self.check_permanents(what);
                self.check_lasts(*lasts);
                self.check_rule(rule);
            }
            Effect::ChooseGreatest { who, what } => {
                self.check_one_player(who);
                self.check_filter(what);
                self.known.chosen = self.known.chosen.saturating_add(1);
            }
            Effect::ExchangeChosen => {
                self.need(self.known.chosen >= 2, "ExchangeChosen needs two ChooseGreatest before");
            }
            Effect::Draw { who, amount } | Effect::DrawUpTo { who, amount } => {
                self.each(who, |scope| scope.check_positive(amount));
                (self.known.kept, self.known.drawn) = (true, true);
            }
            Effect::Discard { who, amount, random: _, card } => {
                self.each(who, |scope| {
                    scope.check_number(amount);
                    scope.check_card_filter(card);
                });
                self.known.kept = true;
            }
            Effect::ShowHand { whose } | Effect::Shuffle { whose } => self.each(whose, |_| ()),
            Effect::Take { .. } => self.check_take(effect),
            Effect::Look { whose, amount, revealed: _ } => {
                self.check_one_player(whose);
                self.check_number(amount);
                self.known.aside = true;
            }
            Effect::RevealUntil { whose, card } => {
                self.check_one_player(whose);
                self.check_card_filter(card);
                (self.known.aside, self.known.event) = (true, true);
            }
            Effect::ShuffleIn { whose, from } | Effect::ExileAll { whose, from } => {
                self.each(whose, |_| ());
                self.check_zones(from);
                self.need(!from.contains(&Zone::Drawn), "from: all of Hand, not those Drawn");
            }
            Effect::Mill { who, amount, to } => {
                self.each(who, |scope| scope.check_number(amount));
                let public = matches!(to, Place::Graveyard | Place::Exile);
                self.need(public, "Mill goes to: Graveyard or Exile");
                self.known.kept = true;
            }
            Effect::GainLife { who, amount } | Effect::LoseLife { who, amount } => {
                self.each(who, |scope| scope.check_positive(amount))
            }
            Effect::ExchangeLife { with: who } => self.check_one_player(who),
            Effect::LoseMana { who } | Effect::LoseGame { who } => self.each(who, |_| ()),
            Effect::Token { token, who, amount } => {
                self.each(who, |scope| scope.check_positive(amount));
                self.check_token(token);
            }
            Effect::AddMana { who, mana } => {
                self.check_one_player(who);
                self.need(!mana.is_empty(), "AddMana adds none: mana: [G]");
            }
            Effect::Prevent { amount: Amount::Share, to } => self.check_share(to),
            Effect::Prevent { amount, to } => {
                self.check_ref(to, EITHER);
                self.check_positive(amount);
            }
            Effect::Shield { to, from, instead: _ } => {
                self.check_ref(to, EITHER);
                self.check_source_filter(from);
            }
            Effect::ExtraLands(more) => self.need(*more > 0, "ExtraLands(0) changes nothing"),
            Effect::Guard => {
                self.need(!self.is_resolving_spell(), "Guard is about a permanent, not a spell")
            }
            Effect::ExtraTurn => self.known.extra_turn = true,
            Effect::ChooseLandType => self.known.land_type = true,
            Effect::Fog | Effect::ExtraCombat => {}
            Effect::Later { when, effects } => self.check_later(*when, effects),
            Effect::If { condition, then, otherwise } => {
                self.check_condition(condition);
                self.check_branches([&then[..], &otherwise[..]]);
            }
            Effect::May { who, cost, then, otherwise } => {
                self.check_one_player(who);
                self.check_payment(cost);
                let something = !then.is_empty() || !otherwise.is_empty();
                self.need(something, "May does nothing: then: […] or otherwise: […]");
                self.check_branches([&then[..], &otherwise[..]]);
            }
            Effect::Choose { who, options } => {
                self.check_one_player(who);
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

    /// What happens later knows what set the ability off, or its first target,
    /// and nothing of what was found, drawn or chosen on the way.
    fn check_later(&mut self, when: When, effects: &[Effect]) {
        self.need(!effects.is_empty(), "Later does nothing: effects: […]");
        let extra = !matches!(when, When::ThatTurns(_)) || self.known.extra_turn;
        self.need(extra, "ThatTurns, but no ExtraTurn was gained before");
        let (before, x) = (self.known, self.x);
        self.known = Known {
            event: before.event,
            event_left: before.event_left,
            event_player: before.event_player,
            event_amount: before.event_amount,
            later: true,
            ..Known::default()
        };
        self.x = false;
        self.check_effects(effects);
        (self.known, self.x) = (before, x);
    }

    /// What a permanent can be until it untaps, a spell cannot.
    fn check_lasts(&mut self, lasts: Lasts) {
        let source = lasts != Lasts::WhileTapped || !self.is_resolving_spell();
        self.need(source, "WhileTapped is about the source, and a spell is never tapped");
    }

    fn check_take(&mut self, effect: &Effect) {
        let Effect::Take { from, whose, chooser, card, least, most, to, tapped, .. } = effect
        else {
            return;
        };
        self.check_one_player(chooser);
        self.check_one_player(whose);
        self.check_zones(from);
        self.check_card_filter(card);
        for number in [least, most] {
            if *number != Amount::N(0) {
                self.check_number(number);
            }
        }
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
        let near = crate::nearest(token, self.tokens.iter().copied());
        let meant = if near.is_empty() { self.tokens.join(", ") } else { near.join(", ") };
        self.say(&format!("no token is called {token:?}, expected such as {meant}"));
    }

    /// A rule that binds something for a while.
    fn check_rule(&mut self, rule: &Rule) {
        match rule {
            Rule::CantAttackUnless(condition) => self.check_condition(condition),
            Rule::CantBlockThese(_)
            | Rule::CantBeBlockedBy(_)
            | Rule::CantBeBlockedExceptBy(_)
            | Rule::EntersTapped => {
                let text = format!("{rule:?}");
                let word = text.split('(').next().unwrap_or_default();
                self.say(&format!("{word} is a rule of static abilities, not of Bind"));
            }
            _ => {}
        }
    }
}
