//! Standing rules: "white creatures get +1/+1".

use super::ability::mana_word;
use super::grammar::{Clause, Noun, article, capital, joined, list};
use super::noun::{Base, head};
use super::teller::Teller;
use crate::magic::language::{Amount, Change, Filter, Keywords, Lasts, Replacement, Rule, Static};

impl<'a> Teller<'a> {
    /// A standing ability as a line.
    pub(super) fn standing(mut self, ability: &'a Static) -> String {
        let text = match ability {
            Static::Gets { what, power, toughness, keywords, abilities } => {
                let subject = self.object_without_all(what);
                let mut parts = self.body_gained(power, toughness, &subject);
                let have = if subject.many { "have" } else { "has" };
                parts
                    .extend((!keywords.is_empty()).then(|| format!("{have} {}", words(*keywords))));
                for ability in abilities {
                    let mut teller = Teller::new(self.card);
                    teller.granted = true;
                    let text = teller.ability(ability);
                    parts.push(format!("{have} \"{}\"", text.trim_end_matches('.')));
                }
                joined(&[&subject.text, &parts.join(" and ")])
            }
            Static::Becomes { what, into, everywhere } => {
                let subject = self.object_without_all(what);
                let mut text =
                    Clause::tell(subject.clone(), "are", change(into, &subject)).sentence();
                if *everywhere {
                    text += ", and so are such spells you control and cards you own in other zones";
                }
                text
            }
            Static::Control(what) => format!("you control {}", self.object(what).text),
            Static::Rule { what, rule } => {
                let subject = self.object_without_all(what);
                self.rule(rule, &subject, None)
            }
            Static::CostsMore { who, spell, by } => {
                let spells = self.things(spell, true, Base::Spell);
                let cast = match who {
                    None => String::new(),
                    Some(side) => Clause::tell(self.side(*side), "cast", "").sentence(),
                };
                joined(&[&spells, &cast, "cost", &by.to_string(), "more to cast"])
            }
            Static::ExtraLands(1) => {
                "each player may play an additional land during each of their turns".into()
            }
            Static::ExtraLands(more) => {
                format!("each player may play {more} additional lands during each of their turns")
            }
            Static::HandsRevealed => "players play with their hands revealed".into(),
            Static::SpendAsAny(mana) => format!(
                "you may spend {} mana as though it were mana of any colour, and other mana only as \
                 though it were colourless",
                mana_word(*mana)
            ),
            Static::Instead(replacement) => self.replacement(*replacement),
        };
        capital(&text) + "."
    }

    fn replacement(&self, replacement: Replacement) -> String {
        match replacement {
            Replacement::DiesToTop => format!(
                "if {} would die, put it on top of its owner's library instead",
                self.this().text
            ),
            Replacement::DrawFromGraveyard => {
                "if you would draw a card, return a card from your graveyard to your hand instead; \
                 if you can't, you lose the game"
                    .into()
            }
            Replacement::GraveyardToExile => {
                "if a card would be put into your graveyard from anywhere, exile it instead".into()
            }
            Replacement::DrawsCanBeBought(life) => format!(
                "if a player would draw a card, they reveal it instead; then any other player may \
                 pay {life} life; if one does, it is put into its owner's graveyard, otherwise that \
                 player draws a card"
            ),
        }
    }

    /// "gets +1/+1", if anything.
    pub(super) fn body_gained(
        &mut self,
        power: &Amount,
        toughness: &Amount,
        subject: &Noun,
    ) -> Vec<String> {
        let none = Amount::default();
        if *power == none && *toughness == none {
            return Vec::new();
        }
        let negative = |amount: &Amount| matches!(amount, Amount::N(..0) | Amount::MinusX);
        // A zero beside a loss is a loss: -2/-0.
        let minus = negative(power) || negative(toughness);
        let get = if subject.many { "get" } else { "gets" };
        vec![format!("{get} {}/{}", self.signed(power, minus), self.signed(toughness, minus))]
    }

    fn signed(&mut self, amount: &Amount, minus: bool) -> String {
        match amount {
            Amount::N(0) if minus => "-0".into(),
            Amount::N(number) => format!("{number:+}"),
            Amount::X => "+X".into(),
            Amount::MinusX => "-X".into(),
            _ => format!("+({})", self.phrase(amount)),
        }
    }

    /// How long something lasts.
    pub(super) fn until(&self, lasts: Lasts) -> String {
        match lasts {
            Lasts::Turn => "until end of turn".into(),
            Lasts::Forever => String::new(),
            Lasts::NextUntap => "until its controller's next untap step is over".into(),
            Lasts::WhileTapped => format!("for as long as {} remains tapped", self.this().text),
        }
    }

    /// A rule about `subject`: standing, or for a while.
    pub(super) fn rule(&mut self, rule: &Rule, subject: &Noun, lasts: Option<Lasts>) -> String {
        let many = subject.many;
        let text = &*subject.text;
        let (its, their) = if many { ("their", "their") } else { ("its", "its") };
        let lasts_text = match lasts {
            None | Some(Lasts::NextUntap) if *rule == Rule::DoesntUntap => String::new(),
            None => String::new(),
            Some(Lasts::Turn) => "this turn".into(),
            Some(lasts) => self.until(lasts),
        };
        let say = |verb: &str, rest: &str| {
            let clause = Clause::tell(subject.clone(), verb, rest);
            joined(&[&clause.sentence(), &lasts_text])
        };
        match rule {
            Rule::CantAttack => say("can't", "attack"),
            Rule::CantAttackUnless(condition) => {
                let unless = self.condition(condition);
                say("can't", &format!("attack unless {unless}"))
            }
            Rule::MustAttack => say("attack", "each combat if able"),
            Rule::IgnoresDefender => say("can", "attack as though it didn't have defender"),
            Rule::CantBlock => say("can't", "block"),
            Rule::CantBlockThese(filter) => {
                say("can't", &format!("block {}", self.things(filter, true, Base::Thing)))
            }
            Rule::CantBeBlockedBy(filter) => {
                say("can't", &format!("be blocked by {}", self.things(filter, true, Base::Thing)))
            }
            Rule::CantBeBlockedExceptBy(filter) => {
                let except = self.things(filter, true, Base::Thing);
                say("can't", &format!("be blocked except by {except}"))
            }
            Rule::OneBlocker if many => say("can't", "be blocked by more than one creature each"),
            Rule::OneBlocker => say("can't", "be blocked by more than one creature"),
            Rule::AllMustBlock => {
                joined(&["all creatures able to block", text, "do so", &lasts_text])
            }
            Rule::CantBeTargetOfSpells => say("can't", "be the target of spells"),
            Rule::CantUseAbilities => {
                joined(&["activated abilities of", text, "can't be activated", &lasts_text])
            }
            Rule::DoesntUntap => {
                let step = match lasts {
                    Some(Lasts::NextUntap) => "next untap step",
                    _ => "untap step",
                };
                let rest = format!("untap during {its} controller's {step}");
                say("don't", &rest)
            }
            Rule::MayStayTapped if self.this() == *subject => {
                format!("you may choose not to untap {text} during your untap step")
            }
            Rule::MayStayTapped => format!(
                "the controller of {text} may choose not to untap it during {their} untap step"
            ),
            Rule::EntersTapped => say("enter", "tapped"),
            Rule::DealsNoCombatDamage => {
                let text = format!("prevent all combat damage that {text} would deal");
                joined(&[&text, &lasts_text])
            }
            Rule::TakesNoCombatDamage => {
                let text = format!("prevent all combat damage that would be dealt to {text}");
                joined(&[&text, &lasts_text])
            }
        }
    }
}

/// Keywords in a sentence.
pub(super) fn words(keywords: Keywords) -> String {
    list(&keywords.iter().map(|keyword| keyword.text()).collect::<Vec<_>>(), "and")
}

/// What something becomes, after "is" or "becomes".
pub(super) fn change(change: &Change, subject: &Noun) -> String {
    let mut parts = Vec::new();
    if let Some(land) = change.land_type {
        parts.push(if subject.many { land.text().into() } else { article(land.text()) });
    }
    if change.chosen_land_type {
        parts.push("the chosen basic land type".to_owned());
    }
    if let Some(colours) = change.colours {
        let colours: Vec<&str> = colours.iter().map(|colour| colour.text()).collect();
        parts.push(if colours.is_empty() { "colourless".into() } else { list(&colours, "and") });
    }
    let filter =
        Filter { types: change.types, subtypes: change.subtypes.clone(), ..Filter::default() };
    let named = filter != Filter::default();
    let body = change.body.map(|(power, toughness)| format!("{power}/{toughness}"));
    if named {
        let nouns = head(&filter, subject.many, Base::Thing);
        let text = joined(&[&body.unwrap_or_default(), &nouns]);
        let text = if subject.many { text } else { article(&text) };
        let their = if subject.many { "their" } else { "its" };
        parts.push(format!("{text} in addition to {their} other types"));
    } else {
        parts.extend(body);
    }
    let mut text = parts.join(" and ");
    if !change.keywords.is_empty() {
        text = joined(&[&text, "with", &words(change.keywords)]);
    }
    text
}
