//! What people call the answers to each question.

use meeple_game::Action;

use crate::magic::actions::{self, Choice};
use crate::magic::language::{Colour, LandType, Type};
use crate::magic::stack::replacement::INSTEAD_NAMES;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::Slot;
use crate::magic::state::{Magic, Question, Task};
use crate::magic::table::card::DeckCard;

impl Magic {
    /// An answer to the question at hand as people write it.
    ///
    /// Names are distinct among the answers to one question: permanents that
    /// share a name carry the number of their slot.
    pub(in crate::magic) fn name_of(&self, action: Action) -> String {
        let choice = actions::choice(action, self.asked);
        match self.question {
            Question::Nothing | Question::Over => format!("action {}", action.0),
            Question::TopCard(seat) => {
                let verb = match self.tasks.last() {
                    Some(Task::Draw { .. }) => "draw",
                    Some(Task::Mill { .. }) => "mill",
                    _ => "turn up",
                };
                format!("{verb} {}", self.card_name(DeckCard::new(action.0 as u8), seat))
            }
            Question::RandomCard(seat) => {
                format!("discard {}", self.card_name(DeckCard::new(action.0 as u8), seat))
            }
            Question::Coin => if action.0 == 0 { "lose the flip" } else { "win the flip" }.into(),
            Question::Priority => self.name_of_act(choice),
            Question::Mulligan => yes_or_no(choice, "mulligan", "keep"),
            Question::Attack(slot) => {
                let what = self.permanent_name(slot);
                yes_or_no(choice, &format!("attack with {what}"), &format!("no attack with {what}"))
            }
            Question::Block(slot) => match choice {
                Choice::Slot(attacker) => {
                    let (what, with) = (self.permanent_name(attacker), self.permanent_name(slot));
                    format!("block {what} with {with}")
                }
                _ => format!("no block with {}", self.permanent_name(slot)),
            },
            Question::Order(_) => format!("damage {} next", self.name_of_thing(choice)),
            Question::Mode => self.name_of_number(choice, |number| format!("mode {}", number + 1)),
            Question::X(_) => self.name_of_number(choice, |number| format!("X = {number}")),
            Question::Target => match choice {
                Choice::No => "no more targets".into(),
                other => format!("target {}", self.name_of_thing(other)),
            },
            Question::Pay => format!("tap {}", self.name_of_thing(choice)),
            Question::Colour(_) | Question::Produce(..) => self.name_of_number(choice, |kind| {
                let colour = Colour::ALL.get(kind as usize).map_or("colourless", |c| c.text());
                format!("add {colour} mana")
            }),
            Question::Card => self.name_of_card_choice(choice),
            Question::Permanent => {
                let taps = matches!(self.tasks.last(), Some(Task::TapOther { .. }));
                let verb = if taps { "tap" } else { "sacrifice" };
                format!("{verb} {}", self.name_of_thing(choice))
            }
            Question::May | Question::Mana if matches!(choice, Choice::Use(..)) => {
                self.name_of_act(choice)
            }
            Question::May => yes_or_no(choice, "yes", "no"),
            Question::Mana => "nothing".into(),
            Question::Way(_) => {
                self.name_of_number(choice, |number| format!("choice {}", number + 1))
            }
            Question::Number(_) => self.name_of_number(choice, |number| format!("draw {number}")),
            Question::LandType => self.name_of_number(choice, |number| {
                let kind = LandType::ALL.get(number as usize).map_or("nothing", |kind| kind.text());
                format!("choose {kind}")
            }),
            Question::Trigger => self.name_of_trigger(choice),
            Question::Source | Question::Greatest => {
                format!("choose {}", self.name_of_thing(choice))
            }
            Question::Retarget(_) => format!("target {}", self.name_of_thing(choice)),
            Question::StayTapped(slot) => {
                let what = self.permanent_name(slot);
                yes_or_no(choice, &format!("leave {what} tapped"), &format!("untap {what}"))
            }
            Question::Buy => yes_or_no(choice, "pay life", "let them draw"),
            Question::Bid => match choice {
                Choice::Number(bid) => format!("bid {bid}"),
                _ => "no bid".into(),
            },
            Question::Legend => format!("keep {}", self.name_of_thing(choice)),
            Question::Assign(slot) => {
                let what = self.permanent_name(slot);
                self.name_of_number(choice, |amount| format!("assign {amount} to {what}"))
            }
            Question::Instead(_) => self.name_of_number(choice, |kind| {
                INSTEAD_NAMES.get(kind as usize).map_or("nothing", |name| name).into()
            }),
        }
    }

    fn name_of_act(&self, choice: Choice) -> String {
        match choice {
            Choice::Card(card) => {
                let def = self.def(card);
                let verb = if def.is(Type::Land) { "play" } else { "cast" };
                let whose = if card.owner() == self.asked { "" } else { " of the opponent" };
                format!("{verb} {}{whose}", def.name)
            }
            Choice::Use(slot, number) => {
                let what = self.permanent_name(slot);
                match self.abilities_of(slot).count() + self.costly_mana_of(slot).count() {
                    0 | 1 => format!("use {what}"),
                    _ => format!("use {what}: {} ability", ordinal(number)),
                }
            }
            Choice::Recall(card) => {
                format!("use {} in your graveyard", self.card_name(card, self.asked))
            }
            _ => "pass".into(),
        }
    }

    fn name_of_card_choice(&self, choice: Choice) -> String {
        let Choice::Card(card) = choice else { return "no more cards".into() };
        let name = &self.def(card).name;
        let Some(task) = self.tasks.last() else { return name.clone() };
        match task {
            Task::Discard { .. } => format!("discard {name}"),
            Task::PutOnBottom { .. } | Task::Arrange { bottom: true, .. } => {
                format!("put {name} on the bottom")
            }
            Task::Arrange { .. } => format!("put {name} on top"),
            Task::ReturnCard { .. } => format!("return {name}"),
            _ => format!("take {name}"),
        }
    }

    /// 603.3b: abilities of one name are told apart by their place in line.
    fn name_of_trigger(&self, choice: Choice) -> String {
        let Choice::Item(place) = choice else { return "nothing".into() };
        let Some(this) = self.pending.get(place as usize) else { return "nothing".into() };
        let name = &self.def(this.card).name;
        let rivals = self.pending.iter().any(|other| {
            other.you == this.you
                && (other.card, other.program) != (this.card, this.program)
                && self.def(other.card).name == *name
        });
        if rivals { format!("trigger {name} (#{place})") } else { format!("trigger {name}") }
    }

    fn name_of_number(&self, choice: Choice, name: impl Fn(u8) -> String) -> String {
        match choice {
            Choice::Number(number) => name(number),
            _ => "nothing".into(),
        }
    }

    /// A player, permanent, spell or card in a graveyard.
    fn name_of_thing(&self, choice: Choice) -> String {
        match choice {
            Choice::Seat(seat) => if seat == self.asked { "you" } else { "opponent" }.into(),
            Choice::Slot(slot) => self.permanent_name(slot),
            Choice::Item(place) => self.item_name(place),
            Choice::Card(card) => {
                let whose = if card.owner() == self.asked { "your" } else { "their" };
                format!("{} in {whose} graveyard", self.def(card).name)
            }
            _ => "nothing".into(),
        }
    }

    /// A card of a seat's deck by its number there.
    pub(in crate::magic) fn card_name(&self, card: DeckCard, owner: Seat) -> &'static str {
        &self.def(card.of(owner)).name
    }

    /// A permanent by its name, with the number of its slot where others share
    /// the name.
    pub(in crate::magic) fn permanent_name(&self, slot: Slot) -> String {
        let name = &self.def_at(slot).name;
        let shared = self.board.used.iter().filter(|&other| self.def_at(other).name == *name);
        if shared.count() > 1 { format!("{name} (#{})", slot.number()) } else { name.clone() }
    }

    /// What is on the stack, with its place where others share the name.
    pub(super) fn item_name(&self, place: u8) -> String {
        let Some(item) = self.stack.get(place as usize) else { return "nothing".into() };
        let name = &self.def(item.card).name;
        let shared = self.stack.iter().filter(|other| self.def(other.card).name == *name).count();
        if shared > 1 {
            format!("{name} on the stack (#{place})")
        } else {
            format!("{name} on the stack")
        }
    }
}

fn yes_or_no(choice: Choice, yes: &str, no: &str) -> String {
    if choice == Choice::Yes { yes } else { no }.into()
}

fn ordinal(number: u8) -> &'static str {
    ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th"][number as usize]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use meeple_game::{ActionList, Game, Rng, Turn, choices};

    use super::*;
    use crate::magic::{Config, decks};

    /// The names of all choices of random games between all decks.
    fn names_in_play(mut look: impl FnMut(&Magic, &[String])) {
        for (seed, pair) in (0..).zip(decks::builtin().windows(2)) {
            let config = Config::of_decks(&pair[0].name, &pair[1].name).expect("built-in decks");
            let (mut game, mut rng) = (Magic::new(&config), Rng::new(seed));
            let mut scratch = ActionList::new();
            while game.turn() != Turn::Over {
                let names: Vec<String> =
                    choices(&game).into_iter().map(|choice| game.action_name(choice)).collect();
                look(&game, &names);
                let action = match game.turn() {
                    Turn::Chance => game.sample_chance(&mut rng),
                    _ => game.sample_action(&mut rng, &mut scratch),
                };
                game.apply(action);
            }
        }
    }

    #[test]
    fn names_are_distinct_whatever_is_asked() {
        let mut verbs = BTreeSet::new();
        names_in_play(|game, names| {
            let distinct: BTreeSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
            assert_eq!(distinct.len(), names.len(), "{names:?} at {:?}", game.question);
            verbs.extend(names.iter().filter_map(|name| name.split(' ').next().map(String::from)));
        });
        for verb in ["pass", "play", "cast", "attack", "no", "block", "target", "use", "draw"] {
            assert!(verbs.contains(verb), "no choice began with {verb:?}");
        }
        assert!(!verbs.contains("nothing"), "an answer has no name");
    }
}
