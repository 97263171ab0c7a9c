//! Where people would stop to think: the rules let players act at many more
//! moments of a turn than there are reasons to.

#[cfg(test)]
mod tests;

use meeple_game::Action;

use crate::magic::actions;
use crate::magic::language::{Keyword, Timing, Type};
use crate::magic::machine::{Event, Machine, Watch};
use crate::magic::state::seat::Seat;
use crate::magic::state::{Magic, Phase};
use crate::magic::table::card::DeckCards;
use crate::magic::table::{Activated, DeckTable, Def};

/// What of all that a player could do now is worth asking about: not what can
/// as well be done later in the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::magic) enum Worth {
    Nothing,
    /// Abilities for the upkeep alone, which cannot wait.
    Upkeep,
    /// Lands, and what has haste: without an attack between them, both main
    /// phases are one.
    Haste,
    Anything,
}

impl Worth {
    /// The cards of a deck that are worth playing.
    pub(in crate::magic) fn cards(self, deck: &DeckTable) -> DeckCards {
        match self {
            Self::Nothing | Self::Upkeep => DeckCards::EMPTY,
            Self::Haste => deck.hasty,
            Self::Anything => DeckCards::ALL,
        }
    }

    /// Whether a card is worth playing.
    pub(in crate::magic) fn plays(self, def: &Def) -> bool {
        match self {
            Self::Nothing | Self::Upkeep => false,
            Self::Haste => def.is(Type::Land) || def.keywords.has(Keyword::Haste),
            Self::Anything => true,
        }
    }

    /// Whether an ability is worth using.
    pub(in crate::magic) fn uses(self, ability: &Activated) -> bool {
        match self {
            Self::Nothing | Self::Haste => false,
            Self::Upkeep => ability.only.contains(&Timing::YourUpkeep),
            Self::Anything => true,
        }
    }
}

impl Magic {
    /// What a player with priority may have reason to do now.
    #[inline]
    pub(in crate::magic) fn worth_a_stop(&self, seat: Seat) -> Worth {
        if !self.rules.stops {
            return Worth::Anything;
        }
        if !self.is_a_moment(seat) {
            return if self.is_upkeep_of(seat) { Worth::Upkeep } else { Worth::Nothing };
        }
        let waits = self.is_sorcery_time(seat)
            && self.clock.phase == Phase::Main
            && self.possible_attackers().is_empty();
        if waits { Worth::Haste } else { Worth::Anything }
    }

    /// Whether a player would rather act now than at another moment: in answer
    /// to the opponent, in their own main phases, once blocks are known, when
    /// attacked, and at the end of the opponent's turn.
    fn is_a_moment(&self, seat: Seat) -> bool {
        if let Some(top) = self.stack.last() {
            return top.you != seat;
        }
        let is_mine = self.clock.active == seat;
        match self.clock.phase {
            Phase::Main | Phase::SecondMain => is_mine,
            Phase::Blockers => true,
            Phase::Attackers | Phase::End => !is_mine,
            _ => false,
        }
    }

    fn is_upkeep_of(&self, seat: Seat) -> bool {
        self.clock.active == seat && self.clock.phase == Phase::Upkeep && self.stack.is_empty()
    }
}

impl<W: Watch> Machine<'_, W> {
    /// Plays the land that the player with priority has to play first, if there
    /// is no choice among them.
    pub(super) fn play_only_land(&mut self) -> bool {
        let seat = self.asked;
        let Some(card) = self.lands_to_play(seat).only() else { return false };
        let land = Action(actions::card(card.of(seat), seat));
        self.show(Event::Automatic(land));
        self.answer(land);
        true
    }
}
