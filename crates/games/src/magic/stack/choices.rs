//! 608.2: what can be chosen and paid while a spell or ability resolves.

use crate::magic::language::{Cost, Keyword, ManaCost, Ref, Target, Type};
use crate::magic::mana::costly::TotalCost;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{ChosenTarget, Item, Magic, Owed};
use crate::magic::table::program::Step;
use crate::magic::zones::select::{Ctx, Found};

impl Magic {
    /// The step that has asked something.
    pub(in crate::magic) fn running_step(&self) -> Option<&'static Step> {
        let item = &self.resolution.item;
        let steps = &self.def(item.card).programs[item.program as usize].steps;
        steps.get(self.resolution.step.checked_sub(1)? as usize)
    }

    /// Whether a seat can pay every part of a cost asked for on resolution.
    pub(super) fn can_pay_all(&self, cost: &[Cost], seat: Seat, ctx: &Ctx) -> bool {
        let ctx = Ctx { you: seat, ..*ctx };
        let mana = self.owed_for_may(cost, &ctx);
        let total_cost = TotalCost { seat, mana, cost: &[], source: None, card: ctx.this_card };
        (mana.is_paid() || self.affords(&total_cost, &self.available_mana(seat)))
            && cost.iter().all(|part| self.can_pay_part(part, &ctx))
    }

    /// Whether a seat can pay what is asked for on resolution with what only
    /// taps for mana.
    pub(in crate::magic) fn can_agree(&self, seat: Seat) -> bool {
        let Some(Step::May { cost, .. }) = self.running_step() else { return true };
        let mana = self.owed_for_may(cost, &Ctx { you: seat, ..self.run_ctx() });
        mana.is_paid() || self.available_mana(seat).pays(mana)
    }

    /// The mana in a cost asked for on resolution.
    pub(super) fn owed_for_may(&self, cost: &[Cost], ctx: &Ctx) -> Owed {
        let mut owed = Owed::default();
        for part in cost {
            match part {
                Cost::Mana(mana) => owed = Owed::new(mana, ctx.x, None),
                Cost::X => owed = owed.and(Owed::generic_only(ctx.x)),
                Cost::ManaCostOf(what, less) => {
                    if let Some(cost) = self.mana_cost_of(what, ctx) {
                        owed = Owed::new(&cost, 0, None);
                        owed.pay_generic(*less);
                    }
                }
                _ => {}
            }
        }
        owed
    }

    /// The mana cost of a permanent. 118.6: nothing if it has none, or if there
    /// is no permanent; that cannot be paid.
    pub(super) fn mana_cost_of(&self, what: &Ref, ctx: &Ctx) -> Option<ManaCost> {
        let slot = self.refer(what, ctx).slots.iter().next()?;
        let def = self.def_at(slot);
        def.has_cost.then_some(def.cost)
    }

    /// Whether a target is among those found.
    pub(in crate::magic) fn contains(&self, found: &Found, target: ChosenTarget) -> bool {
        match target {
            ChosenTarget::Illegal | ChosenTarget::Left(_) => false,
            ChosenTarget::Slot(slot) => found.slots.has(slot),
            ChosenTarget::Seat(seat) => found.seats.has(seat),
            ChosenTarget::Item(id) => self
                .stack
                .iter()
                .position(|item| item.id == id)
                .is_some_and(|place| found.items >> place & 1 == 1),
            ChosenTarget::Card(card, copy) => {
                let fits = found.cards[card.owner()].has(card.in_deck());
                fits && self.is_in_graveyard((card, copy))
            }
        }
    }

    /// The permanents of a seat with the greatest mana value.
    pub(in crate::magic) fn greatest(
        &self,
        seat: Seat,
        what: &crate::magic::language::Filter,
        ctx: &Ctx,
    ) -> Slots {
        let mine = self.matching(what, &Ctx { you: seat, ..*ctx }) & self.controlled(seat);
        let value = |slot: Slot| self.def_at(slot).cost.value();
        let most = mine.iter().map(value).max();
        mine.iter().filter(|&slot| Some(value(slot)) == most).collect()
    }

    /// 609.7a: the sources of damage that fit: permanents, spells, and what has
    /// left while an ability of it is on the stack.
    pub(in crate::magic) fn damage_sources(
        &self,
        filter: &crate::magic::language::Filter,
        ctx: &Ctx,
    ) -> Found {
        let mut found = Found { slots: self.matching(filter, ctx), ..Found::default() };
        for (place, item) in self.stack.iter().enumerate() {
            let told = |other: &Item| !other.spell && other.departed_id == item.departed_id;
            let left =
                !item.spell && item.source.is_none() && !self.stack[..place].iter().any(told);
            if self.spell_fits(filter, item, ctx) || left && self.source_fits(filter, item, ctx) {
                found.items |= 1 << place;
            }
        }
        found
    }

    /// Other legal targets of the spell with this id.
    pub(in crate::magic) fn new_targets(&self, id: u8) -> Found {
        let Some(&item) = self.item(id) else { return Found::default() };
        let targets = &self.def(item.card).programs[item.program as usize].targets;
        let Some(target) = targets.first() else { return Found::default() };
        let mut found = self.legal_targets(target, &item);
        match item.targets.first() {
            Some(ChosenTarget::Slot(slot)) => found.slots &= !slot.bit(),
            Some(ChosenTarget::Seat(seat)) => found.seats.remove(seat),
            Some(ChosenTarget::Item(other)) => {
                if let Some(place) = self.stack.iter().position(|item| item.id == other) {
                    found.items &= !(1 << place);
                }
            }
            Some(ChosenTarget::Card(card, _)) if self.copies_in_graveyard(card) < 2 => {
                found.cards[card.owner()].remove(card.in_deck())
            }
            _ => {}
        }
        if let Some(place) = self.stack.iter().position(|item| item.id == id)
            && matches!(target, Target::Spell(_))
        {
            found.items &= !(1 << place);
        }
        found
    }

    /// Whether a permanent is a creature with a keyword.
    #[inline]
    pub(in crate::magic) fn has_keyword(&self, slot: Slot, keyword: Keyword) -> bool {
        self.board.keywords[keyword as usize].has(slot)
    }

    /// The creatures on the battlefield.
    #[inline]
    pub(in crate::magic) fn creatures(&self) -> Slots {
        self.board.types[Type::Creature as usize]
    }
}
