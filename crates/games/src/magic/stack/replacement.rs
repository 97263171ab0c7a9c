//! 614, 616: what happens instead of an event, and whose choice that is.

use crate::magic::language::{Place, Replacement, Static};
use crate::magic::machine::{Machine, Watch};
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{DrawChoice, Dying, EffectKind, Magic, Question, Task};

/// What can happen instead of an event, as the numbers of the answers to
/// [`Question::Instead`].
pub(in crate::magic) mod instead {
    /// Something prevents all of this damage, and stays.
    pub(in crate::magic) const PREVENTED: u8 = 0;
    /// The guard is dealt the damage.
    pub(in crate::magic) const GUARDED: u8 = 1;
    /// The shield against this source prevents it and is used up.
    pub(in crate::magic) const SHIELDED: u8 = 2;
    /// The shield against this source makes life of it.
    pub(in crate::magic) const GAINED: u8 = 3;
    /// The shield against this source has its controller dealt the damage.
    pub(in crate::magic) const TAKEN: u8 = 4;
    /// A shield of an amount prevents as much as it can.
    pub(in crate::magic) const REDUCED: u8 = 5;
    /// 701.19a: it regenerates.
    pub(in crate::magic) const REGENERATED: u8 = 6;
    /// It goes on top of its owner's library.
    pub(in crate::magic) const TO_TOP: u8 = 7;
    /// It is exiled.
    pub(in crate::magic) const EXILED: u8 = 8;
    /// A card comes back from the graveyard.
    pub(in crate::magic) const RECOVERED: u8 = 9;
    /// The card is revealed and may be bought off.
    pub(in crate::magic) const REVEALED: u8 = 10;
    /// 615.7: the shield of an amount is kept for other damage of this time.
    pub(in crate::magic) const KEPT: u8 = 11;
}

/// What people call these.
pub(in crate::magic) const INSTEAD_NAMES: [&str; 12] = [
    "prevent the damage",
    "let the guard take the damage",
    "use the shield against this source",
    "gain life instead",
    "let its controller take the damage",
    "use the shield of an amount",
    "regenerate it",
    "put it on top of the library",
    "exile it",
    "return a card instead",
    "reveal the card",
    "keep the shield of an amount",
];

impl Magic {
    /// What can happen when this permanent would be put into a graveyard, one
    /// bit each as [`instead`] numbers them.
    fn death_options(&self, slot: Slot, destroyed: bool) -> u16 {
        let mut options = 0;
        if destroyed && self.regeneration_of(slot).is_some() {
            options |= 1 << instead::REGENERATED;
        }
        if self.statics_at(slot).contains(&Static::Instead(Replacement::DiesToTop)) {
            options |= 1 << instead::TO_TOP;
        }
        let card = self.board.card[slot];
        if !card.is_token() && self.replaces(self.owner(slot), Replacement::GraveyardToExile) {
            options |= 1 << instead::EXILED;
        }
        options
    }

    /// The effect that would regenerate a permanent.
    pub(in crate::magic) fn regeneration_of(&self, slot: Slot) -> Option<usize> {
        self.effects.iter().position(|effect| {
            effect.on.has(slot) && matches!(effect.kind, EffectKind::Regenerates { .. })
        })
    }

    /// Where a permanent goes that would go to `to`.
    pub(in crate::magic) fn place_for(&self, slot: Slot, to: Place) -> Place {
        if to != Place::Graveyard || !self.table.0.replaces_deaths {
            return to;
        }
        let options = self.death_options(slot, false);
        let can = |kind: u8| options >> kind & 1 == 1;
        if can(instead::TO_TOP) && !self.dying.to_exile.has(slot) {
            Place::Top
        } else if can(instead::EXILED) {
            Place::Exile
        } else {
            to
        }
    }

    /// 616.1: what can be chosen now, one bit each as [`instead`] numbers them.
    pub(in crate::magic) fn instead_options(&self, slot: Option<Slot>) -> u16 {
        match self.tasks.last() {
            Some(Task::Die) => {
                slot.map_or(0, |slot| self.death_options(slot, self.dying.destroyed.has(slot)))
            }
            Some(task) if task.deals_damage() => {
                self.choice_about_damage(task).map_or(0, |choice| choice.options)
            }
            _ => 1 << instead::RECOVERED | 1 << instead::REVEALED,
        }
    }
}

impl<W: Watch> Machine<'_, W> {
    /// Puts permanents into their owners' graveyards at the same time. Those
    /// that are `destroyed` can regenerate.
    pub(in crate::magic) fn put_into_graveyards(&mut self, slots: Slots, destroyed: Slots) {
        let choice = |slot| self.death_options(slot, destroyed.has(slot)).count_ones() > 1;
        if self.table.0.replaces_deaths && slots.iter().any(choice) {
            if self.dying == Dying::default() {
                self.tasks.push(Task::Die);
            }
            self.dying.slots |= slots;
            self.dying.destroyed |= destroyed;
        } else {
            self.put_into_graveyards_now(slots, destroyed);
        }
    }

    fn put_into_graveyards_now(&mut self, slots: Slots, destroyed: Slots) {
        let mut dying = slots;
        for slot in destroyed.iter() {
            if self.regenerate(slot) {
                dying &= !slot.bit();
            }
        }
        self.leave(dying, Place::Graveyard);
    }

    /// 616.1: asks what happens to the next of the permanents that would die,
    /// or has them leave. The active player chooses first.
    pub(super) fn die_on(&mut self) {
        let Dying { slots, destroyed, decided, .. } = self.dying;
        let open = slots & !decided;
        let active = self.controlled(self.clock.active);
        let undecided = (open & active)
            .iter()
            .chain((open & !active).iter())
            .find(|&slot| self.death_options(slot, destroyed.has(slot)).count_ones() > 1);
        match undecided {
            Some(slot) => self.ask(self.controller(slot), Question::Instead(Some(slot))),
            None => {
                self.end_task();
                self.put_into_graveyards_now(slots, destroyed & slots & !decided);
                self.dying = Dying::default();
            }
        }
    }

    /// 616.1: one of the effects was chosen.
    pub(in crate::magic) fn answer_instead(&mut self, slot: Option<Slot>, kind: u8) {
        let Some(task) = self.tasks.last_mut() else { return };
        match task {
            Task::Die => {
                let Some(slot) = slot else { return };
                self.dying.decided |= slot.bit();
                if kind == instead::REGENERATED {
                    self.dying.slots &= !slot.bit();
                    self.regenerate(slot);
                } else if kind == instead::EXILED {
                    self.dying.to_exile |= slot.bit();
                }
            }
            Task::Draw { choice, .. } => {
                *choice = Some(match kind {
                    instead::RECOVERED => DrawChoice::ReturnCard,
                    _ => DrawChoice::Reveal,
                });
            }
            _ => self.damage_answers.push(kind),
        }
    }

    /// A draw that a graveyard could replace. Whether it was, or somebody was
    /// asked: with draws that can be bought off too, the player chooses.
    pub(in crate::magic) fn replace_draw(
        &mut self,
        seat: Seat,
        choice: Option<DrawChoice>,
    ) -> bool {
        if !self.replaces(seat, Replacement::DrawFromGraveyard) {
            return false;
        }
        if self.price_of_draws().is_some() {
            match choice {
                Some(DrawChoice::Reveal) => return false,
                Some(DrawChoice::ReturnCard) => {}
                None => {
                    self.ask(seat, Question::Instead(None));
                    return true;
                }
            }
        }
        self.one_done();
        self.return_instead_of_draw(seat);
        true
    }

    /// A card comes back from the graveyard instead of a draw; a player who
    /// has none there loses.
    pub(in crate::magic) fn return_instead_of_draw(&mut self, seat: Seat) {
        if self.seats[seat].graveyard.total() == 0 {
            self.seats[seat].lost = true;
        } else {
            self.tasks.push(Task::ReturnCard { seat });
        }
    }
}
