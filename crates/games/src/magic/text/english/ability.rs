//! Abilities: their costs, what sets them off, when they may be used.

use super::grammar::{Clause, Noun, article, capital, joined, list, number, third};
use super::noun::Base;
use super::teller::Teller;
use crate::magic::language::{
    Ability, Amount, Condition, Cost, Event, Filter, LandType, Mana, Moment, Produce, Ref, Side,
    Target, Timing, Type,
};

impl<'a> Teller<'a> {
    /// An ability as a line.
    pub(super) fn ability(mut self, ability: &'a Ability) -> String {
        match ability {
            Ability::Activated { cost, targets, effects, from, only } => {
                self.from = *from;
                let cost_text = self.costs(cost);
                let mut teller = self.aimed_at(targets);
                let mut text = format!("{cost_text}: {}", teller.sentences(effects));
                for cost in cost {
                    if let Cost::ManaWithX(_, mana) = cost {
                        text += &format!(" Spend only {} mana on X.", mana_word(*mana));
                    }
                }
                for timing in only {
                    text += &format!(" Activate only {}.", when(*timing));
                }
                text
            }
            Ability::Mana { cost, add, effects } => {
                let text = format!("{}: Add {}.", self.costs(cost), produced(add));
                joined(&[&text, &self.sentences(effects)])
            }
            Ability::Triggered { on, condition, targets, effects } => {
                let start = self.trigger(on);
                self.triggered_by(on);
                let condition = condition
                    .as_ref()
                    .map(|condition| format!("if {}, ", self.condition(condition)))
                    .unwrap_or_default();
                let mut teller = self.aimed_at(targets);
                let rest = teller.sentences(effects);
                format!("{start}, {condition}{}", uncapital(&rest, &teller.card.name))
            }
            Ability::Static(ability) => self.standing(ability),
            Ability::AsEnters(effects) => {
                let this = self.this().text;
                format!("As {this} enters, {}", uncapital(&self.sentences(effects), ""))
            }
        }
    }

    /// Costs before a colon.
    fn costs(&mut self, costs: &[Cost]) -> String {
        let texts: Vec<String> = costs.iter().map(|cost| self.cost(cost)).collect();
        capital(&texts.join(", "))
    }

    fn cost(&mut self, cost: &Cost) -> String {
        match cost {
            Cost::Mana(mana) | Cost::ManaWithX(mana, _) => mana.to_string(),
            Cost::X => "{X}".into(),
            Cost::Tap => "{T}".into(),
            _ => self.payment(cost),
        }
    }

    /// A cost as something that is done: "pay {1}", "discard a card".
    pub(super) fn payment(&mut self, cost: &Cost) -> String {
        let count = |count: u8| Amount::N(i8::try_from(count).unwrap_or(i8::MAX));
        match cost {
            Cost::Mana(_) | Cost::ManaWithX(..) | Cost::X => format!("pay {}", self.cost(cost)),
            Cost::ManaCostOf(what, less) => {
                let what = self.object(what).possessive();
                match less {
                    0 => format!("pay {what} mana cost"),
                    _ => format!("pay {what} mana cost reduced by {{{less}}}"),
                }
            }
            Cost::Tap => format!("tap {}", self.this().text),
            Cost::Life(life) => format!("pay {life} life"),
            Cost::SacrificeThis => format!("sacrifice {}", self.this().text),
            Cost::Sacrifice(many, filter) => {
                format!("sacrifice {}", self.some(&count(*many), filter, Base::Thing))
            }
            Cost::TapOther(many, filter) => {
                let filter =
                    Filter { tapped: Some(false), controller: Some(Side::You), ..filter.clone() };
                format!("tap {}", self.some(&count(*many), &filter, Base::Thing))
            }
            Cost::Discard(many, filter) => {
                format!("discard {}", self.some(&count(*many), filter, Base::Card))
            }
            Cost::DiscardAtRandom(1) => "discard a card at random".into(),
            Cost::DiscardAtRandom(many) => {
                format!("discard {} cards at random", number((*many).into()))
            }
        }
    }

    /// "When this creature enters".
    fn trigger(&mut self, event: &Event) -> String {
        let text = match event {
            Event::Enters(what) => self.happens(what, "enter", ""),
            Event::Dies(what) if self.is_creature(what) => self.happens(what, "die", ""),
            Event::Dies(what) => {
                self.happens(what, "are", "put into a graveyard from the battlefield")
            }
            Event::Leaves(what) => self.happens(what, "leave", "the battlefield"),
            Event::BecomesTapped(what) => self.happens(what, "become", "tapped"),
            Event::TappedForMana(what) => self.happens(what, "are", "tapped for mana"),
            Event::Attacks(what) => self.happens(what, "attack", ""),
            Event::BlocksOrBlocked(what) => self.happens(what, "block", "or becomes blocked"),
            Event::AttacksOrBlocks(what) => self.happens(what, "attack", "or blocks"),
            Event::BlocksOrBlockedBy(what, filter) => {
                let other = article(&self.things(filter, false, Base::Thing));
                self.happens(what, "block", &format!("or becomes blocked by {other}"))
            }
            Event::DealsDamage(what) => self.happens(what, "deal", "damage"),
            Event::DealsDamageToPlayer(what) => self.happens(what, "deal", "damage to a player"),
            Event::Casts { who, spell } => {
                let who = match who {
                    None => Noun::one("a player"),
                    Some(side) => self.side(*side),
                };
                let spell = article(&self.things(spell, false, Base::Spell));
                format!("whenever {}", Clause::tell(who, "cast", spell).sentence())
            }
            Event::Begins { step, whose } => self.step_begins(*step, *whose),
            Event::FirstDraw(filter) => {
                let card = article(&self.things(filter, false, Base::Card));
                format!(
                    "reveal the first card you draw each turn. Whenever you reveal {card} this way"
                )
            }
        };
        capital(&text)
    }

    fn happens(&mut self, what: &Ref, verb: &str, rest: &str) -> String {
        match what {
            Ref::All(filter) => {
                let thing = article(&self.things(filter, false, Base::Thing));
                joined(&["whenever", &thing, &third(verb), rest])
            }
            _ => {
                // What happens to a thing only once happens when, not whenever.
                let once = ["enter", "die", "leave"].contains(&verb);
                let when = if once { "when" } else { "whenever" };
                joined(&[when, &self.object(what).text, &third(verb), rest])
            }
        }
    }

    fn is_creature(&self, what: &Ref) -> bool {
        match what {
            Ref::All(filter) => filter.types.has(Type::Creature),
            Ref::Enchanted => {
                self.card.enchant.as_ref().is_some_and(|filter| filter.types.has(Type::Creature))
            }
            _ => self.card.types.has(Type::Creature),
        }
    }

    fn step_begins(&mut self, step: Moment, whose: Option<Side>) -> String {
        let step = match step {
            Moment::EndOfCombat => return "at end of combat".into(),
            Moment::Upkeep => "upkeep",
            Moment::Draw => "draw step",
            Moment::End => "end step",
        };
        match whose {
            None => format!("at the beginning of each player's {step}"),
            Some(side) => format!("at the beginning of {} {step}", self.side(side).possessive()),
        }
    }

    /// A question, as a statement.
    pub(super) fn condition(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::Exists(filter) => self.exists(filter, false),
            Condition::Not(inner) => match &**inner {
                Condition::Exists(filter) => self.exists(filter, true),
                inner => format!("it is not true that {}", self.condition(inner)),
            },
            Condition::AtLeast(a, b) => format!("{} is {} or more", self.phrase(a), self.phrase(b)),
            Condition::AtMost(a, b) => format!("{} is {} or less", self.phrase(a), self.phrase(b)),
            Condition::Is(what, filter) => {
                let plain = Filter { tapped: None, ..filter.clone() } == Filter::default();
                let subject = self.object(what);
                let is = match filter.tapped {
                    Some(true) if plain => "tapped".into(),
                    Some(false) if plain => "untapped".into(),
                    _ => {
                        let base = self.base_of(what);
                        article(&self.things(filter, false, base))
                    }
                };
                format!("{} is {is}", subject.text)
            }
        }
    }

    /// Whether a reference means a card, a spell or a permanent.
    fn base_of(&self, what: &Ref) -> Base {
        match what {
            Ref::Aside => Base::Card,
            Ref::Target(at) => match self.targets.get(usize::from(*at)) {
                Some(Target::Spell(_) | Target::SpellWithOneTarget) => Base::Spell,
                Some(Target::Card { .. }) => Base::Card,
                _ => Base::Thing,
            },
            _ => Base::Thing,
        }
    }

    fn exists(&mut self, filter: &Filter, none: bool) -> String {
        let rest = Filter { controller: None, ..filter.clone() };
        let things = match none {
            true => format!("no {}", self.things(&rest, true, Base::Thing)),
            false => article(&self.things(&rest, false, Base::Thing)),
        };
        match filter.controller {
            None if none => format!("{things} are on the battlefield"),
            None => format!("{things} is on the battlefield"),
            Some(side) => Clause::tell(self.side(side), "control", things).sentence(),
        }
    }
}

/// Mana that is added.
fn produced(add: &Produce) -> String {
    match add {
        Produce::All(mana) => mana.iter().map(|mana| mana.text()).collect(),
        Produce::OneOf(mana)
            if *mana == LandType::ALL.iter().map(|land| land.mana()).collect::<Vec<_>>() =>
        {
            "one mana of any colour".into()
        }
        Produce::OneOf(mana) => {
            list(&mana.iter().map(|mana| mana.text()).collect::<Vec<_>>(), "or")
        }
    }
}

pub(super) fn mana_word(mana: Mana) -> &'static str {
    match mana {
        Mana::W => "white",
        Mana::U => "blue",
        Mana::B => "black",
        Mana::R => "red",
        Mana::G => "green",
        Mana::C => "colourless",
    }
}

fn when(timing: Timing) -> &'static str {
    match timing {
        Timing::YourTurn => "during your turn",
        Timing::YourUpkeep => "during your upkeep",
        Timing::Sorcery => "as a sorcery",
        Timing::OncePerTurn => "once each turn",
    }
}

/// Goes on in a sentence that has begun; names keep their capital.
fn uncapital(text: &str, name: &str) -> String {
    if !name.is_empty() && text.starts_with(name) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
