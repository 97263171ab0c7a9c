//! Who is meant: what has been mentioned is "that creature" from then on.

use super::grammar::{Noun, number, plural};
use super::noun::{Base, plain};
use crate::magic::language::{Amount, Card, Event, Filter, Ref, Side, Target, Type, Zone};

/// Tells one part of a card.
#[derive(Debug)]
pub(super) struct Teller<'a> {
    pub(super) card: &'a Card,
    /// Whether this part is given to other permanents.
    pub(super) granted: bool,
    /// Where the card is while this part of it works.
    pub(super) from: Zone,
    pub(super) targets: &'a [Target],
    mentioned: Vec<bool>,
    /// What set it off, or was found.
    pub(super) event: Noun,
    pub(super) event_player: Noun,
    /// The player whose turn it is.
    pub(super) active: Noun,
    /// The cards set aside, and whose they are.
    pub(super) aside: Noun,
    pub(super) aside_owner: String,
    /// What was chosen, plainly.
    pub(super) chosen: String,
    /// What the last instruction counted.
    pub(super) kept: &'static str,
}

impl<'a> Teller<'a> {
    pub(super) fn new(card: &'a Card) -> Self {
        Self {
            card,
            granted: false,
            from: Zone::Battlefield,
            targets: &[],
            mentioned: Vec::new(),
            event: Noun::one("it"),
            event_player: Noun::one("that player"),
            active: Noun::one("the active player"),
            aside: Noun::many("the cards set aside"),
            aside_owner: "your".into(),
            chosen: "permanent".into(),
            kept: "that number",
        }
    }

    pub(super) fn aimed_at(mut self, targets: &'a [Target]) -> Self {
        self.targets = targets;
        self.mentioned = vec![false; targets.len()];
        self
    }

    pub(super) fn is_spell(&self) -> bool {
        self.card.types.has(Type::Instant) || self.card.types.has(Type::Sorcery)
    }

    /// The card itself.
    pub(super) fn this(&self) -> Noun {
        let types = self.card.types;
        let order = [Type::Creature, Type::Land, Type::Artifact, Type::Enchantment];
        let kind = order.into_iter().find(|&kind| types.has(kind));
        Noun::one(match kind {
            _ if self.granted => "this permanent".into(),
            _ if self.from != Zone::Battlefield => "this card".into(),
            _ if self.is_spell() => self.card.name.clone(),
            _ if self.card.enchant.is_some() => "this Aura".into(),
            Some(kind) => format!("this {}", kind.text()),
            None => "this permanent".into(),
        })
    }

    /// What an Aura is on.
    pub(super) fn enchanted(&self) -> String {
        let word = self.card.enchant.as_ref().map(|filter| plain(filter, Base::Thing));
        word.unwrap_or_else(|| "permanent".into())
    }

    /// What a trigger tells: the thing and the player it is about.
    pub(super) fn triggered_by(&mut self, event: &Event) {
        let that = |filter: &Filter| Noun::one(format!("that {}", plain(filter, Base::Thing)));
        let about = |teller: &Self, what: &Ref| match what {
            Ref::All(filter) => that(filter),
            Ref::Enchanted => Noun::one(format!("that {}", teller.enchanted())),
            _ => Noun::one("it"),
        };
        match event {
            Event::Dies(what) => {
                self.event_player =
                    Noun::one(format!("{} controller", about(self, what).possessive()));
                self.event = Noun::one("that card");
            }
            Event::Enters(what)
            | Event::Leaves(what)
            | Event::BecomesTapped(what)
            | Event::TappedForMana(what)
            | Event::Attacks(what)
            | Event::BlocksOrBlocked(what)
            | Event::AttacksOrBlocks(what)
            | Event::DealsDamage(what) => {
                self.event = about(self, what);
                self.event_player = Noun::one(format!("{} controller", self.event.possessive()));
            }
            Event::BlocksOrBlockedBy(_, filter) => {
                self.event = that(filter);
                self.event_player = Noun::one(format!("{} controller", self.event.possessive()));
            }
            Event::DealsDamageToPlayer(what) => self.event = about(self, what),
            Event::Casts { .. } => self.event = Noun::one("that spell"),
            Event::FirstDraw(_) => self.event = Noun::one("that card"),
            Event::Begins { whose: None, .. } => self.active = Noun::one("that player"),
            Event::Begins { .. } => {}
        }
    }

    /// A player.
    pub(super) fn player(&mut self, who: &Ref) -> Noun {
        match who {
            Ref::You => Noun::you(),
            Ref::Opponent => Noun::one("your opponent"),
            Ref::EachPlayer => Noun::one("each player"),
            Ref::Them => Noun::one("that player"),
            Ref::Active => self.active.clone(),
            Ref::Defender => Noun::one("defending player"),
            Ref::EventPlayer => self.event_player.clone(),
            Ref::ControllerOf(what) => {
                Noun::one(format!("{} controller", self.object(what).possessive()))
            }
            Ref::OwnerOf(what) => Noun::one(format!("{} owner", self.object(what).possessive())),
            _ => self.object(who),
        }
    }

    /// A thing, or whatever a reference means.
    pub(super) fn object(&mut self, what: &Ref) -> Noun {
        match what {
            Ref::This => self.this(),
            Ref::Target(at) => self.target(usize::from(*at)),
            Ref::Targets => self.all_targets(),
            Ref::Enchanted => Noun::one(format!("enchanted {}", self.enchanted())),
            Ref::Event => self.event.clone(),
            Ref::Chosen(_) => Noun::one(format!("the chosen {}", self.chosen)),
            Ref::All(filter) => {
                Noun::many(format!("all {}", self.things(filter, true, Base::Thing)))
            }
            Ref::Aside => self.aside.clone(),
            _ => self.player(what),
        }
    }

    /// Like [`object`](Self::object), where everything is meant one by one or as
    /// a rule: "each creature", "white creatures".
    pub(super) fn object_without_all(&mut self, what: &Ref) -> Noun {
        match what {
            Ref::All(filter) => Noun::many(self.things(filter, true, Base::Thing)),
            _ => self.object(what),
        }
    }

    pub(super) fn each(&mut self, what: &Ref) -> Noun {
        match what {
            Ref::All(filter) => {
                Noun::one(format!("each {}", self.things(filter, false, Base::Thing)))
            }
            _ => self.object(what),
        }
    }

    fn target(&mut self, at: usize) -> Noun {
        let Some(target) = self.targets.get(at) else { return Noun::one("that target") };
        if !std::mem::replace(&mut self.mentioned[at], true) {
            return self.new_target(target);
        }
        match target {
            Target::Any => Noun::one("that target"),
            Target::Player | Target::Opponent => Noun::one("that player"),
            Target::Permanent(filter) => Noun::one(format!("that {}", plain(filter, Base::Thing))),
            Target::Spell(_) | Target::SpellWithOneTarget => Noun::one("that spell"),
            Target::Card { .. } => Noun::one("that card"),
            Target::UpTo(..) | Target::Divided(..) => Noun::many("those targets"),
        }
    }

    fn all_targets(&mut self) -> Noun {
        let nouns: Vec<Noun> = (0..self.targets.len()).map(|at| self.target(at)).collect();
        let many = nouns.len() > 1 || nouns.iter().any(|noun| noun.many);
        let texts: Vec<String> = nouns.into_iter().map(|noun| noun.text).collect();
        Noun { text: texts.join(" and "), many }
    }

    fn new_target(&mut self, target: &Target) -> Noun {
        match target {
            Target::UpTo(most, target) => Noun::many(format!(
                "up to {} {}",
                number((*most).into()),
                self.aim(target, *most > 1)
            )),
            Target::Divided(_, target) => Noun::many(match **target {
                Target::Any => "any number of targets".into(),
                ref target => format!("any number of {}", self.aim(target, true)),
            }),
            _ => Noun::one(self.aim(target, false)),
        }
    }

    /// What is aimed at, without number.
    fn aim(&mut self, target: &Target, many: bool) -> String {
        let word = |word: &str| if many { plural(word) } else { word.to_owned() };
        match target {
            Target::Any if many => "targets".into(),
            Target::Any => "any target".into(),
            Target::Player => format!("target {}", word("player")),
            Target::Opponent => format!("target {}", word("opponent")),
            Target::Permanent(filter) => {
                format!("target {}", self.things(filter, many, Base::Thing))
            }
            Target::Spell(filter) => format!("target {}", self.things(filter, many, Base::Spell)),
            Target::SpellWithOneTarget => format!("target {} with a single target", word("spell")),
            Target::Card { whose, card } => {
                let cards = self.things(card, many, Base::Card);
                let whose = match whose {
                    None => "a".into(),
                    Some(Side::Opponent) => "an opponent's".into(),
                    Some(side) => self.side(*side).possessive(),
                };
                format!("target {cards} in {whose} graveyard")
            }
            Target::UpTo(_, target) | Target::Divided(_, target) => self.aim(target, many),
        }
    }

    /// How much is divided.
    pub(super) fn divided(&self) -> u8 {
        let divided = self.targets.iter().find_map(|target| match target {
            Target::Divided(amount, _) => Some(*amount),
            _ => None,
        });
        divided.unwrap_or(0)
    }

    /// An amount as a noun: "the number of Swamps you control".
    pub(super) fn phrase(&mut self, amount: &Amount) -> String {
        match amount {
            Amount::N(number) => number.to_string(),
            Amount::X => "X".into(),
            Amount::MinusX => "-X".into(),
            Amount::Count(filter) => {
                format!("the number of {}", self.things(filter, true, Base::Thing))
            }
            Amount::CardsIn(zone, side, filter) => {
                let whose = self.side(*side).possessive();
                let cards = self.things(filter, true, Base::Card);
                format!("the number of {cards} in {whose} {}", zone_word(*zone))
            }
            Amount::PowerOf(what) => format!("{} power", self.object(what).possessive()),
            Amount::ToughnessOf(what) => format!("{} toughness", self.object(what).possessive()),
            Amount::LifeOf(who) => format!("{} life total", self.player(who).possessive()),
            Amount::HalfLifeOf(who) => {
                format!("half {} life total, rounded up", self.player(who).possessive())
            }
            Amount::Difference(a, b) => {
                format!("the difference between {} and {}", self.phrase(a), self.phrase(b))
            }
            Amount::Event => "that damage".into(),
            Amount::Kept => self.kept.into(),
            Amount::Share => "its share".into(),
            Amount::Everything => "everything".into(),
        }
    }

    /// "2 damage", "X life", "damage equal to its power".
    pub(super) fn measure(&mut self, amount: &Amount, unit: &str) -> String {
        match amount {
            Amount::N(_) | Amount::X => format!("{} {unit}", self.phrase(amount)),
            _ => format!("{unit} equal to {}", self.phrase(amount)),
        }
    }
}

/// A zone of a player.
pub(super) fn zone_word(zone: Zone) -> &'static str {
    match zone {
        Zone::Battlefield => "battlefield",
        Zone::Hand => "hand",
        Zone::Library => "library",
        Zone::Graveyard => "graveyard",
        Zone::Aside => "cards set aside",
        Zone::Drawn => "cards drawn",
    }
}
