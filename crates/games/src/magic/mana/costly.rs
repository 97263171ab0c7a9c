//! 605.3a: mana abilities that cost more than tapping, used while a cost is
//! being paid.
//!
//! Payments tap by themselves what only taps. Where that is not enough, the
//! player says which of the other mana abilities to use, one after the other;
//! only those are offered with which the cost can still be paid in the end.

use std::ops::ControlFlow;

use meeple_game::{Action, ActionList, Game, Turn};

use crate::magic::actions::{self, USES};
use crate::magic::language::{Cost, Produce};
use crate::magic::machine::Machine;
use crate::magic::mana::available::AvailableMana;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::Slot;
use crate::magic::state::{Item, Magic, Owed, Question, Stage};
use crate::magic::table::ManaAbility;
use crate::magic::table::card::CardId;
use crate::magic::zones::select::Ctx;

/// The most ways to raise mana that are tried for one total_cost, and the most steps of one
/// way, each of which keeps a state on the call stack. Beyond them a total_cost counts as
/// payable: a game in which it then turns out not to be ends with a fault.
const WAYS: u32 = 400;
const DEPTH: u32 = 64;

/// What is to be paid.
#[derive(Clone, Copy)]
pub(in crate::magic) struct TotalCost {
    pub(in crate::magic) seat: Seat,
    pub(in crate::magic) mana: Owed,
    /// The other parts of the cost, which must stay payable.
    pub(in crate::magic) cost: &'static [Cost],
    /// The permanent that they are about, and its card.
    pub(in crate::magic) source: Option<Slot>,
    pub(in crate::magic) card: CardId,
}

/// What finding a way to raise mana may still take.
struct SearchBudget {
    /// How many more ways may be tried.
    ways: u32,
    /// How many steps the way that is being tried has.
    depth: u32,
}

impl SearchBudget {
    const fn new() -> Self {
        Self { ways: WAYS, depth: 0 }
    }
}

impl TotalCost {
    /// The cost of a spell or ability.
    pub(in crate::magic) fn of(state: &Magic, item: &Item, mana: Owed) -> Self {
        let cost = match state.activated(item) {
            Some(ability) if !item.spell => ability.cost.as_slice(),
            _ => &[],
        };
        Self { seat: item.you, mana, cost, source: item.source, card: item.source_card }
    }
}

impl Magic {
    /// Whether mana can be paid, with costly mana abilities where it takes them.
    #[inline]
    pub(in crate::magic) fn affords(
        &self,
        total_cost: &TotalCost,
        available: &AvailableMana,
    ) -> bool {
        available.pays(total_cost.mana)
            || self.table.0.costly_mana && self.can_raise(total_cost, available)
    }

    /// Whether costly mana abilities could raise enough mana for a total_cost.
    fn can_raise(&self, total_cost: &TotalCost, available: &AvailableMana) -> bool {
        // Most bills are beyond all hope; the rest are tried.
        self.may_raise(total_cost, available) && self.raises(total_cost, &mut SearchBudget::new())
    }

    /// Whether a total_cost could be paid if every costly mana ability were used as often as
    /// its cost allows by itself: never wrong about what cannot be paid.
    fn may_raise(&self, total_cost: &TotalCost, available: &AvailableMana) -> bool {
        let mut hoped = *available;
        let mut any = false;
        for slot in (self.board.usable & self.controlled(total_cost.seat)).iter() {
            for ability in self.costly_mana_of(slot) {
                any = true;
                let (Produce::All(mana) | Produce::OneOf(mana)) = &ability.add;
                let uses = self.hoped_uses(slot, ability);
                match ability.add {
                    Produce::All(_) => mana.iter().for_each(|&kind| {
                        self.add_to_available(total_cost.seat, &mut hoped, 1 << kind as u8, uses)
                    }),
                    Produce::OneOf(_) => {
                        let kinds = mana.iter().fold(0, |all, &kind| all | 1 << kind as u8);
                        self.add_to_available(total_cost.seat, &mut hoped, kinds, uses);
                    }
                }
            }
        }
        any && hoped.pays(total_cost.mana)
    }

    /// How often a mana ability could be used at most.
    fn hoped_uses(&self, slot: Slot, ability: &ManaAbility) -> u8 {
        let ctx = Ctx::of(self, slot);
        let uses = ability.cost.iter().map(|part| match part {
            Cost::Tap | Cost::SacrificeThis => 1,
            Cost::Sacrifice(_, filter) | Cost::TapOther(_, filter) => {
                (self.matching(filter, &ctx) & self.controlled(ctx.you)).len() as u8
            }
            _ => u8::MAX,
        });
        uses.min().unwrap_or(u8::MAX)
    }

    /// Whether a total_cost can be paid with what taps for mana.
    fn is_payable(&self, total_cost: &TotalCost) -> bool {
        let source = total_cost.source.filter(|&source| self.board.used.has(source));
        let ctx = Ctx::new(total_cost.seat, source, total_cost.card);
        self.available_mana(total_cost.seat).pays(total_cost.mana)
            && total_cost.cost.iter().all(|part| self.can_pay_part(part, &ctx))
    }

    /// Whether some way to use costly mana abilities pays a total_cost.
    fn raises(&self, total_cost: &TotalCost, budget: &mut SearchBudget) -> bool {
        if self.is_payable(total_cost) {
            return true;
        }
        if !self.may_raise(total_cost, &self.available_mana(total_cost.seat)) {
            return false;
        }
        let tasks = self.tasks.len();
        let used = self.each_costly_use(total_cost.seat, |slot, number| {
            let mut next = *self;
            next.use_costly(total_cost.seat, slot, number);
            if next.raises_on(total_cost, tasks, budget) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        used.is_break()
    }

    /// Whether a total_cost can be paid once the mana ability in use has been paid
    /// for; `tasks` were there before.
    fn raises_on(
        mut self,
        total_cost: &TotalCost,
        tasks: usize,
        budget: &mut SearchBudget,
    ) -> bool {
        if budget.ways == 0 || budget.depth == DEPTH {
            return true;
        }
        budget.ways -= 1;
        while self.question == Question::Nothing && self.tasks.len() > tasks {
            Machine::new(&mut self, &mut ()).task();
        }
        budget.depth += 1;
        let raises = if self.question == Question::Nothing {
            self.raises(total_cost, budget)
        } else {
            let mut legal = ActionList::new();
            if matches!(self.turn(), Turn::Player(_)) {
                self.candidate_actions(&mut legal);
            }
            legal.iter().any(|&action| {
                let mut next = self;
                Machine::new(&mut next, &mut ()).answer(action);
                next.raises_on(total_cost, tasks, budget)
            })
        };
        budget.depth -= 1;
        raises
    }

    fn use_costly(&mut self, seat: Seat, slot: Slot, number: u8) {
        self.question = Question::Nothing;
        Machine::new(self, &mut ()).begin_ability(seat, slot, number);
    }

    /// The costly mana abilities that a seat can use now: the permanent and the
    /// number of the ability.
    fn each_costly_use(
        &self,
        seat: Seat,
        mut found: impl FnMut(Slot, u8) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let usable = self.board.usable & self.controlled(seat);
        let available = self.available_mana(seat);
        for slot in usable.iter() {
            let others = self.abilities_of(slot).count() as u8;
            for (number, ability) in (others..USES as u8).zip(self.costly_mana_of(slot)) {
                if self.can_use_mana(seat, slot, ability, &available)
                    && !self.has_twin(usable & slot.below(), slot)
                {
                    found(slot, number)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The costly mana abilities among which the payer chooses: for what is
    /// announced, those after which it can be paid.
    pub(in crate::magic) fn costly_mana_actions(&self, seat: Seat, add: &mut impl FnMut(u16)) {
        let _ = self.each_costly_use(seat, |slot, number| {
            let id = actions::ability(slot, number);
            if self.keeps_payable(Action(id)) {
                add(id);
            }
            ControlFlow::Continue(())
        });
    }

    /// Whether what is announced can be paid after this answer to a question
    /// about a mana ability.
    fn keeps_payable(&self, action: Action) -> bool {
        if !self.is_paying() {
            return true;
        }
        let item = &self.announcement.item;
        let total_cost = TotalCost::of(self, item, self.owed_for(item, item.x));
        let mut next = *self;
        Machine::new(&mut next, &mut ()).answer(action);
        // All tasks there are belong to the mana ability.
        next.raises_on(&total_cost, 0, &mut SearchBudget::new())
    }

    /// Whether some costly mana ability can be used for what is announced.
    pub(in crate::magic) fn can_go_on_paying(&self) -> bool {
        let mut any = false;
        self.costly_mana_actions(self.announcement.item.you, &mut |_| any = true);
        any
    }

    /// Whether the mana of an announcement is being paid.
    fn is_paying(&self) -> bool {
        self.announcement.active && self.announcement.stage == Stage::Mana
    }

    /// Takes answers off the legal after which the announcement could not be
    /// paid.
    pub(in crate::magic) fn keep_payable(&self, legal: &mut ActionList) {
        let about_mana = matches!(
            self.question,
            Question::Permanent | Question::Produce(..) | Question::Card | Question::Instead(_)
        );
        if about_mana && self.is_paying() {
            let all = std::mem::take(legal);
            legal.extend(all.iter().copied().filter(|&action| self.keeps_payable(action)));
            if legal.is_empty() {
                // It counted as payable and is not: the announcement finds that out.
                *legal = all;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::magic::Config;
    use crate::magic::state::bounds::Bound;
    use crate::magic::state::row::Row;

    #[test]
    fn a_cost_that_cannot_be_paid_after_all_ends_the_game() {
        let config = Config::of_decks("artifact-deck", "artifact-deck").expect("a deck");
        let mut game = Magic::new(&config);
        assert!(game.table.0.costly_mana);
        game.announcement.active = true;
        game.announcement.stage = Stage::Mana;
        // Nobody has lands yet.
        let spell = |&card: &CardId| game.def(card).cost.generic > 0;
        let card = (0..).map(CardId::new).find(spell).expect("a spell that costs mana");
        game.announcement.item = Item { card, spell: true, ..Item::default() };
        game.tasks = Row::new();
        game.question = Question::Nothing;
        Machine::new(&mut game, &mut ()).advance();
        assert_eq!((game.turn(), game.fault()), (Turn::Over, Some(Bound::Payment.text())));
    }
}
