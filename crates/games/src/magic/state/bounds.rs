//! The capacities of a state, and what happens to a game that exceeds one.
//!
//! A state has no heap, so its lists have room for so many things and no more.
//! Nothing is left out to make room: a game that would need more is over, as a
//! draw with a fault that [`Game::fault`](meeple_game::Game::fault) names.

use crate::magic::state::groups::GROUPS;
use crate::magic::state::slots::SLOTS;
use crate::magic::state::{
    MAX_DELAYED, MAX_DRAWN, MAX_EFFECTS, MAX_PENDING, MAX_PLAYABLE, MAX_STACK, MAX_STATICS,
    MAX_TASKS, Magic,
};

/// What a state has only so much room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::magic) enum Bound {
    Permanents,
    Stack,
    Effects,
    Triggers,
    Delayed,
    Statics,
    Tasks,
    Playable,
    Drawn,
    Repeats,
    Mana,
    Damage,
    Instead,
    Turns,
    Payment,
}

/// How much of what a state has room for is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// What it is.
    pub what: &'static str,
    /// How many there are.
    pub used: usize,
    /// How many there can be.
    pub most: usize,
}

impl Bound {
    /// What the game had too many of.
    pub(in crate::magic) const fn text(self) -> &'static str {
        match self {
            Self::Permanents => "more permanents than a state holds",
            Self::Stack => "more spells and abilities on the stack than a state holds",
            Self::Effects => "more effects with a duration than a state holds",
            Self::Triggers => "more triggered abilities at once than a state holds",
            Self::Delayed => "more delayed triggers than a state holds",
            Self::Statics => "more permanents with static abilities than a state holds",
            Self::Tasks => "more unfinished instructions than a state holds",
            Self::Playable => "more playable cards in exile than a state holds",
            Self::Drawn => "more cards drawn by one effect than a state holds",
            Self::Repeats => "more repetitions of one ability than a state counts",
            Self::Mana => "more mana than a state counts",
            Self::Damage => "more damage at once than a state holds",
            Self::Instead => "more choices about damage at once than a state holds",
            Self::Turns => "more extra turns to come than a state holds",
            Self::Payment => "more ways to pay a cost than are tried",
        }
    }
}

impl Magic {
    /// Ends the game: it needs more room than a state has.
    #[cold]
    pub(in crate::magic) fn exceed(&mut self, bound: Bound) {
        self.fault.get_or_insert(bound);
    }

    /// Whether something did not fit into a list.
    // Without branches: it is asked after every action.
    #[inline]
    pub(in crate::magic) fn is_overfull(&self) -> bool {
        self.stack.missed()
            | self.effects.missed()
            | self.pending.missed()
            | self.delayed.missed()
            | self.board.static_order.missed()
            | self.tasks.missed()
            | self.playable.missed()
            | self.damage_answers.missed()
            | self.assigned.missed()
    }

    /// The list that something did not fit into.
    pub(in crate::magic) fn overfull(&self) -> Option<Bound> {
        let lists = [
            (self.stack.missed(), Bound::Stack),
            (self.effects.missed(), Bound::Effects),
            (self.pending.missed(), Bound::Triggers),
            (self.delayed.missed(), Bound::Delayed),
            (self.board.static_order.missed(), Bound::Statics),
            (self.tasks.missed(), Bound::Tasks),
            (self.playable.missed(), Bound::Playable),
            (self.damage_answers.missed() || self.assigned.missed(), Bound::Instead),
        ];
        lists.into_iter().find(|&(missed, _)| missed).map(|(_, bound)| bound)
    }

    /// How much of what a state has room for is in use, always in the same
    /// order.
    #[must_use]
    pub fn usage(&self) -> [Usage; 13] {
        let board = &self.board;
        let listed = |what, used, most| Usage { what, used, most };
        let repeats = self.stack.iter().map(|item| item.times);
        let repeats = repeats.chain(self.pending.iter().map(|pending| pending.times));
        let mana = self.seats.iter().flat_map(|seat| seat.pool).max();
        let groups = self.groups.iter().filter(|group| !group.is_empty()).count();
        [
            listed("permanents", board.used.len(), SLOTS),
            listed("stack", self.stack.len(), MAX_STACK),
            listed("effects with a duration", self.effects.len(), MAX_EFFECTS),
            listed("waiting triggers", self.pending.len(), MAX_PENDING),
            listed("delayed triggers", self.delayed.len(), MAX_DELAYED),
            listed("groups of events", groups, GROUPS),
            listed("permanents with static abilities", board.static_order.len(), MAX_STATICS),
            listed("unfinished instructions", self.tasks.len(), MAX_TASKS),
            listed("playable cards in exile", self.playable.len(), MAX_PLAYABLE),
            listed("cards drawn by one effect", self.resolution.drawn.len(), MAX_DRAWN),
            listed("repetitions of one ability", usize::from(repeats.max().unwrap_or(0)), 255),
            listed("mana of one kind", usize::from(mana.unwrap_or(0)), 255),
            listed("known cards of a library", self.most_known(), crate::magic::decks::MOST_CARDS),
        ]
    }

    fn most_known(&self) -> usize {
        self.seats.iter().map(|seat| seat.order.len()).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use meeple_game::{Game, Turn};

    use super::*;
    use crate::magic::Config;
    use crate::magic::machine::Machine;
    use crate::magic::state::seat::Seat;
    use crate::magic::state::slots::Slot;
    use crate::magic::state::{
        ContinuousEffect, DelayedTrigger, Duration, EXTRA_TURNS, EffectKind, Item,
        MAX_DAMAGE_ANSWERS, PendingTrigger, Task,
    };
    use crate::magic::table::card::CardId;

    const TOKEN: CardId = CardId::token(0, Seat::First);

    /// Fills a state with too many of something and lets it go on.
    #[track_caller]
    fn check_ends(bound: Bound, fill: impl Fn(&mut Machine<'_, ()>)) {
        let mut game = Magic::new(&Config::matchup("ogre").expect("a matchup"));
        // The player who is ahead has not won.
        game.seats[Seat::First].lost = true;
        let mut watch = ();
        let mut machine = Machine::new(&mut game, &mut watch);
        fill(&mut machine);
        machine.advance();
        assert_eq!(game.turn(), Turn::Over);
        assert_eq!(game.fault(), Some(bound.text()));
        assert_eq!(game.payoffs()[..2], [0.0; 2]);
        assert_eq!(game.evaluate(), game.payoffs());
        assert!(game.to_string().ends_with(&format!("without a result: {}.", bound.text())));
    }

    #[test]
    fn a_game_that_meets_a_bound_is_over_and_says_so() {
        check_ends(Bound::Permanents, |machine| {
            for _ in 0..SLOTS {
                assert!(machine.enter(TOKEN, Seat::First, false).is_some());
            }
            assert_eq!(machine.fault, None);
            assert_eq!(machine.enter(TOKEN, Seat::First, false), None);
        });
        check_ends(Bound::Stack, |machine| {
            let spell = Item { spell: true, ..Item::default() };
            (0..=MAX_STACK).for_each(|_| machine.push_item(spell));
        });
        check_ends(Bound::Effects, |machine| {
            let kind = EffectKind::Controls { seat: Seat::First };
            let effect =
                ContinuousEffect { kind, until: Duration::Forever, ..ContinuousEffect::default() };
            (0..=MAX_EFFECTS).for_each(|_| machine.effects.push(effect));
        });
        check_ends(Bound::Triggers, |machine| {
            let pending = |card| PendingTrigger {
                card: CardId::new(card),
                times: 1,
                ..PendingTrigger::default()
            };
            (0..=MAX_PENDING as u8).for_each(|card| machine.add_pending(pending(card)));
        });
        check_ends(Bound::Delayed, |machine| {
            let what = |card| PendingTrigger {
                card: CardId::new(card),
                times: 1,
                ..PendingTrigger::default()
            };
            (0..=MAX_DELAYED as u8).for_each(|card| {
                machine
                    .add_delayed(DelayedTrigger { what: what(card), ..DelayedTrigger::default() })
            });
        });
        check_ends(Bound::Statics, |machine| {
            (0..=MAX_STATICS).for_each(|_| machine.board.static_order.push(Slot::FIRST));
        });
        check_ends(Bound::Tasks, |machine| {
            (0..=MAX_TASKS).for_each(|_| machine.tasks.push(Task::default()));
        });
        check_ends(Bound::Playable, |machine| {
            (0..=MAX_PLAYABLE).for_each(|_| machine.playable.push(Default::default()));
        });
        check_ends(Bound::Repeats, |machine| {
            let pending = PendingTrigger { times: 1, ..PendingTrigger::default() };
            (0..256).for_each(|_| machine.add_pending(pending));
        });
        check_ends(Bound::Instead, |machine| {
            (0..=MAX_DAMAGE_ANSWERS).for_each(|_| machine.damage_answers.push(0));
        });
        check_ends(Bound::Turns, |machine| {
            (0..=EXTRA_TURNS).for_each(|_| machine.add_extra_turn(Seat::First));
        });
        check_ends(Bound::Mana, |machine| {
            (0..256).for_each(|_| machine.add_mana(Seat::Second, 0, 1));
        });
    }

    #[test]
    fn as_much_as_there_is_room_for_ends_no_game() {
        let mut game = Magic::new(&Config::matchup("ogre").expect("a matchup"));
        let mut watch = ();
        let mut machine = Machine::new(&mut game, &mut watch);
        (0..MAX_STACK).for_each(|_| machine.push_item(Item { spell: true, ..Item::default() }));
        (0..255).for_each(|_| {
            machine.add_pending(PendingTrigger { times: 1, ..PendingTrigger::default() })
        });
        (0..255).for_each(|_| machine.add_mana(Seat::Second, 0, 1));
        assert_eq!((machine.fault, machine.overfull()), (None, None));
        let full = game.usage().into_iter().filter(|usage| usage.used == usage.most);
        assert_eq!(full.count(), 3);
    }
}
