//! What happens between two decisions, in lines for people who watch one seat.

use meeple_game::{Action, Player};

use crate::magic::actions::{self, Choice};
use crate::magic::language::Type;
use crate::magic::machine::{Event, Note, Watch};
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::Slot;
use crate::magic::state::{Magic, Question};

/// The lines of a story as one player may hear it.
#[derive(Clone, Debug)]
pub struct Story {
    viewer: Seat,
    /// What happened so far, in order.
    pub lines: Vec<String>,
}

impl Story {
    /// An empty story for a seat.
    #[must_use]
    pub fn new(viewer: Player) -> Self {
        Self { viewer: viewer.into(), lines: Vec::new() }
    }

    /// Plays `action` in a copy of `game` and tells what follows from it: turns, what
    /// resolves, damage, automatic answers, what leaves the battlefield, life totals.
    ///
    /// ```
    /// use meeple_game::{Game, Player, Rng, Turn};
    /// use meeple_games::magic::{Magic, Story};
    ///
    /// let (mut game, mut rng) = (Magic::new(&Default::default()), Rng::new(1));
    /// let mut lines = Vec::new();
    /// while game.turn() != Turn::Over {
    ///     let action = match game.turn() {
    ///         Turn::Chance => game.sample_chance(&mut rng),
    ///         _ => game.sample_action(&mut rng, &mut Default::default()),
    ///     };
    ///     lines.extend(Story::of(&game, action, Player(0)));
    ///     game.apply(action);
    /// }
    /// assert!(lines.iter().any(|line| line.starts_with("Turn 2: seat 1")));
    /// ```
    #[must_use]
    pub fn of(game: &Magic, action: Action, viewer: Player) -> Vec<String> {
        let (mut after, mut story) = (*game, Self::new(viewer));
        after.apply_watched(action, &mut story);
        story.tell_departures(game, &after);
        story.tell_life(game, &after);
        story.lines
    }

    fn tell_departures(&mut self, before: &Magic, after: &Magic) {
        for slot in (before.board.used & !after.board.used).iter() {
            self.lines.push(format!("{} leaves the battlefield", before.permanent_name(slot)));
        }
    }

    fn tell_life(&mut self, before: &Magic, after: &Magic) {
        for seat in Seat::BOTH {
            let [was, is] = [before, after].map(|game| game.seats[seat].life);
            if was != is {
                self.lines.push(format!("{seat}: {was} -> {is} life"));
            }
        }
    }
}

impl Watch for Story {
    fn note(&mut self, note: Note) {
        if let Note::Damage(seat, amount) = note {
            self.lines.push(format!("{seat} is dealt {amount} damage"));
        }
    }

    fn see(&mut self, game: &Magic, event: Event) {
        match event {
            Event::Turn => {
                let line = format!("Turn {}: {}", game.clock.turn, game.clock.active);
                self.lines.push(line);
            }
            Event::Resolves => {
                self.lines.push(format!("{} resolves", game.item_text(&game.resolution.item)));
            }
            Event::Fails => {
                self.lines.push(format!("{} does nothing", game.item_text(&game.resolution.item)));
            }
            Event::Automatic(action) => {
                let who = game.asked;
                if !game.hides_choice(action, self.viewer) {
                    self.lines.push(format!("{who}: {} (automatic)", game.name_of(action)));
                }
            }
        }
    }
}

impl Magic {
    /// The name of the card that an action is about, if it is about one.
    #[must_use]
    pub fn card_of(&self, action: Action) -> Option<&'static str> {
        let of_slot = |slot: Slot| Some(&*self.def_at(slot).name);
        match actions::choice(action, self.asked) {
            Choice::Card(card) => Some(&self.def(card).name),
            Choice::Slot(slot) | Choice::Use(slot, _) => of_slot(slot),
            Choice::Item(place) => {
                let item = match self.question {
                    Question::Trigger => self.pending.get(place as usize).map(|this| this.card),
                    _ => self.stack.get(place as usize).map(|item| item.card),
                };
                Some(&self.def(item?).name)
            }
            Choice::Recall(card) => Some(self.card_name(card, self.asked)),
            Choice::Yes | Choice::No => match self.question {
                Question::Attack(slot) | Question::Block(slot) | Question::StayTapped(slot) => {
                    of_slot(slot)
                }
                _ => self.asking_card(),
            },
            Choice::Number(_) => self.asking_card(),
            Choice::Seat(_) => None,
        }
    }

    /// The name of the card whose spell or ability asks the question at hand.
    #[must_use]
    pub fn asking_card(&self) -> Option<&'static str> {
        let item = match (self.announcement.active, self.resolution.active) {
            (true, _) => &self.announcement.item,
            (_, true) => &self.resolution.item,
            _ => return None,
        };
        Some(&self.def(item.card).name)
    }

    /// What a spell that may be cast now costs, such as `{2}{R}`.
    #[must_use]
    pub fn cost_of(&self, action: Action) -> Option<String> {
        match (self.question, actions::choice(action, self.asked)) {
            (Question::Priority, Choice::Card(card)) if !self.def(card).is(Type::Land) => {
                Some(self.def(card).cost.to_string())
            }
            _ => None,
        }
    }

    /// The question at hand, where its answers alone do not say what it is about.
    #[must_use]
    pub fn open_question(&self) -> Option<String> {
        let vague = matches!(
            self.question,
            Question::May | Question::Mode | Question::Way(_) | Question::X(_) | Question::Buy
        );
        vague.then(|| self.prompt())
    }
}

#[cfg(test)]
mod tests {
    use meeple_game::{ActionList, Game, Rng, Turn};

    use super::*;

    /// Whatever happens in random games, stories tell it, and life totals add up.
    #[test]
    fn stories_tell_turns_resolutions_damage_and_life() {
        let mut told = [false; 5];
        for seed in 0..20 {
            let (mut game, mut rng) = (Magic::new(&Default::default()), Rng::new(seed));
            let mut scratch = ActionList::new();
            while game.turn() != Turn::Over {
                let action = match game.turn() {
                    Turn::Chance => game.sample_chance(&mut rng),
                    _ => game.sample_action(&mut rng, &mut scratch),
                };
                let life = game.seats.0.map(|seat| seat.life);
                let lines = Story::of(&game, action, Player(0));
                game.apply(action);
                let changed =
                    life.iter().zip(game.seats.iter()).filter(|(was, is)| **was != is.life);
                let life_lines = lines.iter().filter(|line| line.ends_with(" life")).count();
                assert_eq!(life_lines, changed.count(), "{lines:?}");
                for (seen, ending) in told.iter_mut().zip([
                    "resolves",
                    "damage",
                    "life",
                    "battlefield",
                    "(automatic)",
                ]) {
                    *seen |= lines.iter().any(|line| line.ends_with(ending));
                }
            }
        }
        assert_eq!(told, [true; 5]);
    }
}
