//! Where people would stop to think: the rules let players act at many more
//! moments of a turn than there are reasons to.

use meeple_game::Action;

use super::actions::{self, Choice, choice};
use super::language::{Keyword, Timing, Type};
use super::machine::{Machine, Watch};
use super::pile::bits;
use super::state::{Magic, Phase};
use super::table::{Activated, DECK};

impl Magic {
    /// Whether a player with priority may have reason to act now.
    #[inline]
    pub(super) fn may_stop(&self, seat: u8) -> bool {
        !self.rules.stops || self.is_a_moment(seat) || self.is_upkeep_of(seat)
    }

    /// Whether a player would rather act now than at another moment: in answer
    /// to the opponent, in their own main phases, once blocks are known, when
    /// attacked, and at the end of the opponent's turn.
    fn is_a_moment(&self, seat: u8) -> bool {
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

    fn is_upkeep_of(&self, seat: u8) -> bool {
        self.clock.active == seat && self.clock.phase == Phase::Upkeep && self.stack.is_empty()
    }

    /// Whether something that a player could do now is worth asking about: not
    /// what can as well be done later in the turn.
    pub(super) fn is_worth_a_stop(&self, seat: u8, id: u16) -> bool {
        if !self.rules.stops {
            return true;
        }
        let action = choice(Action(id), seat);
        if !self.is_a_moment(seat) {
            return self.is_upkeep_of(seat) && self.is_for_upkeep(seat, action);
        }
        // Without an attack between them, both main phases are one.
        let waits = self.is_sorcery_time(seat)
            && self.clock.phase == Phase::Main
            && self.possible_attackers() == 0;
        !waits
            || matches!(action, Choice::Card(card)
                if self.def(card).is(Type::Land) || self.def(card).keywords.has(Keyword::Haste))
    }

    /// Whether an ability is for the upkeep alone, so that it cannot wait.
    fn is_for_upkeep(&self, seat: u8, action: Choice) -> bool {
        let is_timed = |ability: &Activated| ability.only.contains(&Timing::YourUpkeep);
        match action {
            Choice::Use(slot, number) => {
                let mut abilities = self.abilities_of(slot);
                abilities.nth(number as usize).is_some_and(|(_, ability)| is_timed(ability))
            }
            Choice::Recall(card) => {
                self.def(card + seat * DECK as u8).activated.iter().any(is_timed)
            }
            _ => false,
        }
    }
}

impl<W: Watch> Machine<'_, W> {
    /// Plays the land that the player with priority has to play first, if there
    /// is no choice among them.
    pub(super) fn play_only_land(&mut self) -> bool {
        let seat = self.asked;
        let lands = self.lands_to_play(seat);
        let Some(card) = bits(lands).next().filter(|_| lands.count_ones() == 1) else {
            return false;
        };
        self.answer(Action(actions::card(card + seat * DECK as u8, seat)));
        true
    }
}
