//! Effects: one sentence each.

use super::grammar::{Clause, Noun, article, capital, joined, list, number, plural};
use super::movement::destination;
use super::noun::{Base, plain};
use super::standing::{change, words};
use super::teller::{Teller, zone_word};
use crate::magic::language::{
    Amount, Cost, Effect, Filter, Instead, Mana, Moment, Place, Ref, When, Zone,
};

/// What an effect says: a clause that can follow "may", or text as it is.
pub(super) enum Said {
    Clause(Clause),
    Text(String),
}

impl Said {
    fn sentence(&self) -> String {
        match self {
            Self::Clause(clause) => clause.sentence(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// What you are told to do.
pub(super) fn order(verb: &str, rest: impl Into<String>) -> Said {
    Said::Clause(Clause::order(Noun::you(), verb, rest))
}

impl Teller<'_> {
    /// Effects as sentences.
    pub(super) fn sentences(&mut self, effects: &[Effect]) -> String {
        let texts: Vec<String> =
            effects.iter().map(|effect| capital(&self.effect(effect).sentence()) + ".").collect();
        texts.join(" ").replace("..", ".")
    }

    /// Effects in one sentence.
    fn chain(&mut self, effects: &[Effect]) -> String {
        if effects.is_empty() {
            return "nothing happens".into();
        }
        let texts: Vec<String> =
            effects.iter().map(|effect| self.effect(effect).sentence()).collect();
        texts.join(", then ")
    }

    /// Effects after "may".
    fn infinitives(&mut self, who: &Noun, effects: &[Effect]) -> String {
        let texts: Vec<String> = effects
            .iter()
            .map(|effect| match self.effect(effect) {
                Said::Clause(clause) => clause.infinitive(who),
                Said::Text(text) => text,
            })
            .collect();
        texts.join(", then ")
    }

    /// Whom the source deals damage to.
    fn damaged(&mut self, to: &Ref) -> String {
        match to {
            Ref::This => "itself".into(),
            to => self.each(to).text,
        }
    }

    fn effect(&mut self, effect: &Effect) -> Said {
        match effect {
            Effect::Damage { amount: Amount::Share, to, .. } => {
                let (total, to) = (self.divided(), self.object(to).text);
                let rest = format!("{total} damage divided as you choose among {to}");
                Said::Clause(Clause::tell(self.this(), "deal", rest))
            }
            Effect::Damage { amount, to, and } => {
                let first = self.measure(amount, "damage");
                let mut rest = format!("{first} to {}", self.damaged(to));
                for (more, to) in and {
                    let to = self.damaged(to);
                    rest += &if more == amount {
                        format!(" and {to}")
                    } else {
                        format!(" and {} to {to}", self.measure(more, "damage"))
                    };
                }
                self.kept = "the damage dealt this way";
                Said::Clause(Clause::tell(self.this(), "deal", rest))
            }
            Effect::Destroy { what, regenerate } => {
                let what = self.object(what);
                let they = if what.many { "they" } else { "it" };
                let never = format!("; {they} can't be regenerated");
                order("destroy", what.text + if *regenerate { "" } else { &never })
            }
            Effect::Put { what, to, under, tapped } => self.put(what, *to, *under, *tapped),
            Effect::Sacrifice { who, what, amount } => {
                let who = self.player(who);
                Said::Clause(Clause::order(who, "sacrifice", self.some(amount, what, Base::Thing)))
            }
            Effect::SacrificeIt { what } => order("sacrifice", self.object(what).text),
            Effect::Tap { what } => order("tap", self.object(what).text),
            Effect::Untap { what } => order("untap", self.object(what).text),
            Effect::Gets { what, power, toughness, keywords, loses, lasts } => {
                let subject = self.object_without_all(what);
                let mut parts = self.body_gained(power, toughness, &subject);
                let verb = |verb: &str| if subject.many { verb.into() } else { format!("{verb}s") };
                if !keywords.is_empty() {
                    parts.push(format!("{} {}", verb("gain"), words(*keywords)));
                }
                if !loses.is_empty() {
                    parts.push(format!("{} {}", verb("lose"), words(*loses)));
                }
                Said::Text(joined(&[&subject.text, &parts.join(" and "), &self.until(*lasts)]))
            }
            Effect::Becomes { what, into, lasts } => {
                let subject = self.object_without_all(what);
                let rest = joined(&[&change(into, &subject), &self.until(*lasts)]);
                Said::Clause(Clause::tell(subject, "become", rest))
            }
            Effect::Bind { what, rule, lasts } => {
                let subject = self.object_without_all(what);
                Said::Text(self.rule(rule, &subject, Some(*lasts)))
            }
            Effect::Control { what, lasts } => {
                let rest = joined(&["control of", &self.object(what).text, &self.until(*lasts)]);
                Said::Clause(Clause::tell(Noun::you(), "gain", rest))
            }
            Effect::ExchangeChosen => {
                order("exchange", format!("control of the chosen {}", plural(&self.chosen)))
            }
            Effect::ChooseGreatest { who, what } => {
                self.chosen = plain(what, Base::Thing);
                let what = self.things(what, false, Base::Thing);
                let who = self.player(who);
                let control = if who.is_you() { "you" } else { "they" };
                let rest = format!("the {what} {control} control with the greatest mana value");
                Said::Clause(Clause::order(who, "choose", rest))
            }
            Effect::Counter { what, to } => {
                let what = self.object(what).text;
                order(
                    "counter",
                    match to {
                        Place::Graveyard => what,
                        Place::Battlefield => {
                            format!("{what} and put it onto the battlefield under your control")
                        }
                        Place::Exile => format!("{what} and exile it"),
                        Place::Top => format!("{what} and put it on top of its owner's library"),
                        place => format!(
                            "{what} and put it {}",
                            destination(*place, "its owner's", false)
                        ),
                    },
                )
            }
            Effect::Retarget { what } => {
                order("change", format!("the target of {}", self.object(what).text))
            }
            Effect::Draw { who, amount } => {
                let who = self.player(who);
                let cards = self.some(amount, &Filter::default(), Base::Card);
                self.kept = "the number of cards drawn this way";
                Said::Clause(Clause::order(who, "draw", cards))
            }
            Effect::DrawUpTo { who, amount } => {
                let who = self.player(who);
                let cards = self.some(amount, &Filter::default(), Base::Card);
                Said::Clause(Clause::order(who, "draw", format!("up to {cards}")))
            }
            Effect::Discard { who, amount, random, card } => {
                let who = self.player(who);
                let cards = self.some(amount, card, Base::Card);
                self.kept = "the number of cards discarded this way";
                let random = if *random { "at random" } else { "" };
                Said::Clause(Clause::order(who, "discard", joined(&[&cards, random])))
            }
            Effect::ShowHand { whose } => {
                order("look", format!("at {} hand", self.player(whose).possessive()))
            }
            Effect::Take { .. } => self.take(effect),
            Effect::Look { whose, amount, revealed } => {
                self.aside_owner = self.player(whose).possessive();
                let cards = self.top_cards(amount);
                self.aside = match amount {
                    Amount::N(1) => Noun::one("that card"),
                    _ => Noun::many("those cards"),
                };
                let rest = format!("the top {cards} of {} library", self.aside_owner);
                self.aside_owner = self.player(whose).possessive();
                if *revealed { order("reveal", rest) } else { order("look", format!("at {rest}")) }
            }
            Effect::RevealUntil { whose, card } => {
                let who = self.player(whose);
                let card = self.some(&Amount::N(1), card, Base::Card);
                self.event = Noun::one("that card");
                self.aside = Noun::many("the other cards revealed this way");
                let library = if who.is_you() { "your" } else { "their" };
                self.aside_owner = who.possessive();
                let rest = format!("cards from the top of {library} library until {card} comes");
                Said::Clause(Clause::order(who, "reveal", rest))
            }
            Effect::Shuffle { whose } => {
                order("shuffle", format!("{} library", self.player(whose).possessive()))
            }
            Effect::ShuffleIn { whose, from } => {
                let who = self.player(whose);
                let their = if who.is_you() { "your" } else { "their" };
                let from: Vec<String> = from
                    .iter()
                    .map(|zone| match zone {
                        Zone::Aside => self.aside.text.clone(),
                        zone => format!("{their} {}", zone_word(*zone)),
                    })
                    .collect();
                let rest = format!("{} into {their} library", list(&from, "and"));
                Said::Clause(Clause::order(who, "shuffle", rest))
            }
            Effect::ExileAll { whose, from } => {
                let whose = self.player(whose).possessive();
                let zones: Vec<&str> = from.iter().map(|zone| zone_word(*zone)).collect();
                order("exile", format!("all other cards of {whose} {}", list(&zones, "and")))
            }
            Effect::Mill { who, amount, to } => {
                let who = self.player(who);
                let cards = self.top_cards(amount);
                let library = if who.is_you() { "your" } else { "their" };
                Said::Clause(match to {
                    Place::Exile => {
                        Clause::order(who, "exile", format!("the top {cards} of {library} library"))
                    }
                    _ => {
                        let rest = format!(
                            "the top {cards} of {library} library {}",
                            destination(*to, library, true)
                        );
                        Clause::order(who, "put", rest)
                    }
                })
            }
            Effect::GainLife { who, amount } => {
                let (who, life) = (self.player(who), self.measure(amount, "life"));
                Said::Clause(Clause::tell(who, "gain", life))
            }
            Effect::LoseLife { who, amount } => {
                let (who, life) = (self.player(who), self.measure(amount, "life"));
                Said::Clause(Clause::tell(who, "lose", life))
            }
            Effect::ExchangeLife { with } => {
                let with = self.player(with).text;
                Said::Clause(Clause::order(
                    Noun::you(),
                    "exchange",
                    format!("life totals with {with}"),
                ))
            }
            Effect::Token { token, who, amount } => {
                let who = self.player(who);
                let tokens = match amount {
                    Amount::N(1) => article(&format!("{token} token")),
                    Amount::N(count) => {
                        format!("{} {token} tokens", number((*count).into()))
                    }
                    Amount::X => format!("X {token} tokens"),
                    _ => format!("{token} tokens equal to {}", self.phrase(amount)),
                };
                Said::Clause(Clause::order(who, "create", tokens))
            }
            Effect::AddMana { who, mana } => {
                let mana: String = mana.iter().map(|mana: &Mana| mana.text()).collect();
                Said::Clause(Clause::order(self.player(who), "add", mana))
            }
            Effect::LoseMana { who } => {
                Said::Clause(Clause::tell(self.player(who), "lose", "all unspent mana"))
            }
            Effect::Prevent { amount: Amount::Share, to } => {
                let (total, to) = (self.divided(), self.object(to).text);
                let rest = format!(
                    "the next {total} damage that would be dealt this turn to {to}, divided as you \
                     choose"
                );
                order("prevent", rest)
            }
            Effect::Prevent { amount, to } => {
                let to = self.object(to).text;
                let damage = self.measure(amount, "damage");
                order("prevent", format!("the next {damage} that would be dealt to {to} this turn"))
            }
            Effect::Shield { to, from, instead } => {
                let source = self.some(&Amount::N(1), from, Base::Source);
                let to = self.object(to).text;
                let then = match instead {
                    Instead::Nothing => "prevent that damage",
                    Instead::GainLife => "prevent that damage and you gain that much life",
                    Instead::DamageYou => "it deals that damage to you instead",
                };
                Said::Text(format!(
                    "the next time {source} of your choice would deal damage to {to} this turn, {then}"
                ))
            }
            Effect::Fog => order("prevent", "all combat damage that would be dealt this turn"),
            Effect::Guard => Said::Text(format!(
                "all combat damage that would be dealt to you by unblocked creatures this turn is \
                 dealt to {} instead",
                self.this().text
            )),
            Effect::Regenerate { what } => order("regenerate", self.object(what).text),
            Effect::ExtraTurn => order("take", "an extra turn after this one"),
            Effect::ExtraCombat => Said::Text(
                "after this main phase, there is an additional combat phase followed by an \
                 additional main phase"
                    .into(),
            ),
            Effect::ExtraLands(more) => {
                let lands = self.some(
                    &Amount::N(i8::try_from(*more).unwrap_or(i8::MAX)),
                    &Filter::default(),
                    Base::Card,
                );
                let lands = lands
                    .replace("cards", "additional lands")
                    .replace("a card", "an additional land");
                Said::Text(format!("you may play {lands} this turn"))
            }
            Effect::LoseGame { who } => {
                Said::Clause(Clause::tell(self.player(who), "lose", "the game"))
            }
            Effect::Later { when, effects } => {
                Said::Text(format!("{}, {}", later(*when), self.chain(effects)))
            }
            Effect::If { condition, then, otherwise } => {
                let mut text = format!("if {}, ", self.condition(condition));
                text += &self.chain(then);
                if !otherwise.is_empty() {
                    text += &format!(". Otherwise, {}", self.chain(otherwise));
                }
                Said::Text(text)
            }
            Effect::May { who, cost, then, otherwise } => self.may(who, cost, then, otherwise),
            Effect::Choose { who, options } => {
                let options: Vec<String> =
                    options.iter().map(|effects| self.chain(effects)).collect();
                let who = self.player(who);
                let rest = format!("one: {}", options.join("; or "));
                Said::Clause(Clause::order(who, "choose", rest))
            }
            Effect::ChooseLandType => order("choose", "a basic land type"),
            Effect::Flip { win, lose } => Said::Text(format!(
                "flip a coin. If you win the flip, {}. If you lose the flip, {}",
                self.chain(win),
                self.chain(lose)
            )),
            Effect::ForEachPlayer(effects) => {
                Said::Text(format!("for each player in turn order, {}", self.chain(effects)))
            }
            Effect::Auction { what } => Said::Text(format!(
                "players bid life for control of {}: you start with a bid of 0, in turn order each \
                 player may top the high bid until it stands, and the high bidder loses that much \
                 life and gains control of it",
                self.object(what).text
            )),
        }
    }

    fn top_cards(&mut self, amount: &Amount) -> String {
        match amount {
            Amount::N(1) => "card".into(),
            _ => self.some(amount, &Filter::default(), Base::Card),
        }
    }

    fn may(&mut self, who: &Ref, cost: &[Cost], then: &[Effect], otherwise: &[Effect]) -> Said {
        let who = self.player(who);
        let (does, doesnt) = match who.is_you() {
            true => ("you do", "you don't"),
            false => ("that player does", "that player doesn't"),
        };
        let mut text = format!("{} may ", who.text);
        if cost.is_empty() {
            text += &self.infinitives(&who, then);
        } else {
            let payments: Vec<String> = cost.iter().map(|cost| self.payment(cost)).collect();
            text += &payments.join(" and ");
            if !then.is_empty() {
                text += &format!(". If {does}, {}", self.chain(then));
            }
        }
        if !otherwise.is_empty() {
            text += &format!(". If {doesnt}, {}", self.chain(otherwise));
        }
        Said::Text(text)
    }
}

/// When a delayed effect happens.
fn later(when: When) -> String {
    let (whose, moment) = match when {
        When::Next(Moment::EndOfCombat) => return "at end of combat".into(),
        When::Next(moment) => ("the next", moment),
        When::YourNext(moment) => ("your next", moment),
        When::ThatTurns(moment) => ("that turn's", moment),
    };
    let moment = match moment {
        Moment::Upkeep => "upkeep",
        Moment::Draw => "draw step",
        Moment::EndOfCombat => "end of combat",
        Moment::End => "end step",
    };
    format!("at the beginning of {whose} {moment}")
}
