//! Cards that go from place to place.

use super::effect::{Said, order};
use super::grammar::{Clause, Noun, joined, list, third};
use super::noun::Base;
use super::teller::{Teller, zone_word};
use crate::magic::language::{Amount, Effect, Filter, Place, Ref, Side, Target, Zone};

impl Teller<'_> {
    pub(super) fn put(&mut self, what: &Ref, to: Place, under: Option<Side>, tapped: bool) -> Said {
        let in_graveyard = self.from == Zone::Graveyard && *what == Ref::This
            || matches!(what, Ref::Target(at)
                if matches!(self.targets.get(usize::from(*at)), Some(Target::Card { .. })));
        let yours = match what {
            Ref::This => self.from == Zone::Graveyard,
            Ref::Target(at) => matches!(
                self.targets.get(usize::from(*at)),
                Some(Target::Card { whose: Some(Side::You), .. })
            ),
            _ => false,
        };
        let owner = match what {
            _ if yours => "your".into(),
            Ref::Aside => self.aside_owner.clone(),
            Ref::All(_) | Ref::Targets => "their owners'".into(),
            _ => "its owner's".into(),
        };
        let noun = self.object(what);
        let mut text = noun.text.clone();
        if self.from == Zone::Graveyard && *what == Ref::This {
            text += " from your graveyard";
        }
        if to == Place::Exile {
            return order("exile", text);
        }
        if to == Place::Aside {
            return order("set", format!("{text} aside"));
        }
        let returns = *what != Ref::Aside
            && (to == Place::Hand || in_graveyard && under.is_none() && to == Place::Battlefield);
        let place = match (to, returns) {
            (Place::Hand, true) => format!("to {owner} hand"),
            (Place::Battlefield, true) => "to the battlefield".into(),
            _ => destination(to, &owner, noun.many),
        };
        let state = if tapped { "tapped" } else { "" };
        let control = match (to, under) {
            (Place::Battlefield, Some(side)) => {
                format!("under {} control", self.side(side).possessive())
            }
            (Place::Battlefield, None) if *what == Ref::Event => "under its owner's control".into(),
            _ => String::new(),
        };
        let verb = if returns { "return" } else { "put" };
        order(verb, joined(&[&text, &place, state, &control]))
    }

    pub(super) fn take(&mut self, effect: &Effect) -> Said {
        let Effect::Take { from, whose, chooser, card, least, most, to, revealed, tapped } = effect
        else {
            return Said::Text(String::new());
        };
        let who = self.player(chooser);
        let owner = if whose == chooser {
            if who.is_you() { "your".into() } else { "their".into() }
        } else {
            self.player(whose).possessive()
        };
        let cards = self.taken(card, least, most);
        let single = *most == Amount::N(1);
        let them = if single { "it" } else { "them" };
        let source = self.source(from, &owner);
        let does = |verb: &str| if who.is_you() { verb.to_owned() } else { third(verb) };
        self.kept = "the number of cards chosen this way";
        self.event = Noun::one("that card");
        let discards = *to == Place::Graveyard
            && from.iter().all(|zone| matches!(zone, Zone::Hand | Zone::Drawn));
        let end = match to {
            _ if discards && whose == chooser => {
                return Said::Clause(Clause::order(who, "discard", format!("{cards} {source}")));
            }
            _ if discards => format!("; that player discards {them}"),
            Place::Aside => {
                self.aside = match single {
                    true => Noun::one("that card"),
                    false => Noun::many("the cards set aside"),
                };
                self.aside_owner.clone_from(&owner);
                format!(" and {} {them} aside", does("set"))
            }
            Place::Exile => format!(" and {} {them}", does("exile")),
            Place::ExileToPlay => {
                format!(
                    " and {} {them}; until your next upkeep, you may play {them}",
                    does("exile")
                )
            }
            place => {
                let tapped = if *tapped { " tapped" } else { "" };
                format!(
                    " and {} {them} {}{tapped}",
                    does("put"),
                    destination(*place, &owner, !single)
                )
            }
        };
        if from.contains(&Zone::Aside) {
            self.aside = Noun::many("the rest");
        }
        let shown = if *revealed { format!(", {} {them},", does("reveal")) } else { String::new() };
        let (verb, middle) = match from.contains(&Zone::Library) {
            true => ("search", format!("{source} for {cards}")),
            false => ("choose", format!("{cards} {source}")),
        };
        Said::Clause(Clause::order(who, verb, format!("{middle}{shown}{end}")))
    }

    /// How many cards of what kind are taken.
    fn taken(&mut self, card: &Filter, least: &Amount, most: &Amount) -> String {
        match (least, most) {
            (Amount::N(0), Amount::Everything) => {
                format!("any number of {}", self.things(card, true, Base::Card))
            }
            (Amount::N(0), Amount::N(1)) => {
                format!("up to one {}", self.things(card, false, Base::Card))
            }
            (Amount::N(0), most) => format!("up to {}", self.some(most, card, Base::Card)),
            (least, most) if least == most => self.some(most, card, Base::Card),
            (least, most) => {
                let least = self.phrase(least);
                format!("{least} to {}", self.some(most, card, Base::Card))
            }
        }
    }

    /// Where cards are taken from, after "from" or "search".
    fn source(&mut self, from: &[Zone], owner: &str) -> String {
        let zones: Vec<String> = from
            .iter()
            .map(|zone| match zone {
                Zone::Aside => format!("among {}", self.aside.text),
                Zone::Drawn => "among the cards drawn this way".into(),
                zone => format!("{owner} {}", zone_word(*zone)),
            })
            .collect();
        let zones = list(&zones, "and");
        let search = from.contains(&Zone::Library) || zones.starts_with("among");
        if search { zones } else { format!("from {zones}") }
    }
}

/// Where something goes, after "put it".
pub(super) fn destination(place: Place, owner: &str, many: bool) -> String {
    let order = if many { " in any order" } else { "" };
    match place {
        Place::Graveyard => format!("into {owner} graveyard"),
        Place::Hand => format!("into {owner} hand"),
        Place::Top => format!("on top of {owner} library{order}"),
        Place::Bottom => format!("on the bottom of {owner} library{order}"),
        Place::Shuffled => format!("into {owner} library and shuffle"),
        Place::Exile | Place::ExileToPlay => "into exile".into(),
        Place::Battlefield => "onto the battlefield".into(),
        Place::Aside => "aside".into(),
    }
}
