//! 613: what permanents are now, worked out layer by layer.

mod sources;
#[cfg(test)]
mod tests;

use crate::magic::language::{Change, Effect, Ref, Rule, Static};
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{Board, ContinuousEffect, EffectKind, Magic, rule};
use crate::magic::table::Def;
use crate::magic::table::program::Step;
use crate::magic::zones::select::{Ctx, PERMANENT_TYPES};

pub(super) use sources::{plain_rule, small};

/// Something that changes characteristics: a static ability of a permanent, or
/// a lasting effect.
#[derive(Clone, Copy)]
enum Source<'a> {
    Static(Slot, &'a Static),
    ContinuousEffect(usize),
}

impl Board {
    /// Changes each set that a card says its permanent is in.
    #[inline]
    pub(super) fn for_printed(&mut self, def: &Def, change: impl Fn(&mut Slots)) {
        for_each(&mut self.types, u32::from(def.types.0) & 0b1111, &change);
        for_each(&mut self.colours, u32::from(def.colours.0), &change);
        for_each(&mut self.land_types, u32::from(def.land_types), &change);
        self.for_printed_abilities(def, change);
    }

    /// Changes each set that the abilities of a card say its permanent is in.
    #[inline]
    fn for_printed_abilities(&mut self, def: &Def, change: impl Fn(&mut Slots)) {
        for_each(&mut self.keywords, def.keywords.0, &change);
        for_each(&mut self.rules, u32::from(def.own_rules), &change);
    }

    /// Writes the rest of what is printed on the card of `slot`.
    #[inline]
    fn print_body(&mut self, def: &Def, slot: Slot) {
        if def.is_usable {
            self.usable |= slot.bit();
        }
        self.power[slot] = def.body.0;
        self.toughness[slot] = def.body.1;
    }
}

/// Changes the sets with these numbers.
#[inline]
fn for_each(sets: &mut [Slots], mut numbers: u32, change: &impl Fn(&mut Slots)) {
    while numbers != 0 {
        change(&mut sets[numbers.trailing_zeros() as usize]);
        numbers &= numbers - 1;
    }
}

impl Magic {
    /// Writes what is printed on the card of `slot`, of which nothing is
    /// written yet.
    pub(super) fn print(&mut self, slot: Slot) {
        let def = self.def_at(slot);
        let board = &mut self.board;
        let slot_bit = slot.bit();
        board.for_printed(def, |set| *set |= slot_bit);
        if def.taps_for != 0 {
            board.mana |= slot_bit;
        }
        if def.is_simple_land {
            board.basics |= slot_bit;
        }
        board.print_body(def, slot);
    }

    /// Writes what is printed on all cards; but what they are only where
    /// something made them anything else.
    fn print_all(&mut self, recast: bool) {
        let board = &mut self.board;
        board.keywords = [Slots::EMPTY; _];
        board.rules = [Slots::EMPTY; _];
        board.usable = Slots::EMPTY;
        if recast {
            board.types = [Slots::EMPTY; _];
            board.colours = [Slots::EMPTY; _];
            board.land_types = [Slots::EMPTY; _];
            (board.mana, board.basics, board.retyped) = Default::default();
            self.board.used.iter().for_each(|slot| self.print(slot));
            return;
        }
        for slot in self.board.used.iter() {
            let def = self.def_at(slot);
            let slot_bit = slot.bit();
            self.board.for_printed_abilities(def, |set| *set |= slot_bit);
            self.board.print_body(def, slot);
        }
    }

    /// Works out all characteristics again if something has changed.
    #[inline]
    pub(super) fn derive(&mut self) {
        if self.board.dirty {
            self.board.dirty = false;
            let is_plain =
                self.board.statics.is_empty() && self.effects.is_empty() && !self.board.counted;
            if !is_plain || self.board.changed {
                self.derive_changed();
                self.board.changed = !is_plain;
            }
        }
    }

    /// Works out characteristics that differ, or differed, from what is printed.
    fn derive_changed(&mut self) {
        let differed = self.board.changed && !self.board.only_bodies;
        let adds = |effect: &ContinuousEffect| match effect.kind {
            EffectKind::Gets { keywords, .. } => keywords == 0,
            EffectKind::Regenerates { .. }
            | EffectKind::Prevents { .. }
            | EffectKind::Shields { .. } => true,
            _ => false,
        };
        self.board.only_bodies =
            self.board.statics.is_empty() && !self.board.counted && self.effects.iter().all(adds);
        if self.board.only_bodies && !differed {
            self.derive_bodies();
        } else {
            self.derive_all();
        }
    }

    /// Works out power and toughness, to which effects add; all else is as printed.
    fn derive_bodies(&mut self) {
        for slot in self.board.used.iter() {
            let def = self.def_at(slot);
            self.board.print_body(def, slot);
        }
        for index in 0..self.effects.len() {
            self.layer_add_body(Source::ContinuousEffect(index));
        }
    }

    /// Works out all characteristics from what is printed.
    pub(super) fn derive_all(&mut self) {
        let before = self.board.controller;
        self.board.controller = self.board.base_controller;
        // 613.7: the oldest first.
        let mut sources = [Source::ContinuousEffect(0);
            crate::magic::state::MAX_STATICS * 2 + crate::magic::state::MAX_EFFECTS];
        let (mut count, mut missed) = (0, false);
        let mut add = |source| {
            if count < sources.len() {
                sources[count] = source;
                count += 1;
            } else {
                missed = true;
            }
        };
        let table = self.table.0;
        let mut lasting = 0;
        for (age, &slot) in self.board.static_order.iter().enumerate() {
            while self
                .effects
                .get(lasting)
                .is_some_and(|effect| effect.older_statics as usize <= age)
            {
                add(Source::ContinuousEffect(lasting));
                lasting += 1;
            }
            for ability in &table.cards[self.board.card[slot]].statics {
                add(Source::Static(slot, ability));
            }
        }
        (lasting..self.effects.len()).for_each(|index| add(Source::ContinuousEffect(index)));
        if missed {
            self.exceed(crate::magic::state::bounds::Bound::Statics);
        }
        let sources = &sources[..count];
        let recasts = sources.iter().any(|&source| self.recasts(source));
        let recast = std::mem::replace(&mut self.board.recast, recasts);
        self.print_all(recast || recasts);
        for &source in sources {
            self.layer_control(source);
        }
        self.settle_control(before);
        // Land types first: other changes of type look at them.
        for lands in [true, false] {
            for &source in sources {
                self.layer_type(source, lands);
            }
        }
        self.settle_combat();
        for &source in sources {
            self.layer_abilities(source);
        }
        self.layer_counted_bodies();
        for &source in sources {
            self.layer_set_body(source);
        }
        self.layer_counters();
        for &source in sources {
            self.layer_add_body(source);
        }
        for &source in sources {
            self.layer_rules(source);
        }
    }

    /// Whether something changes what permanents are, not only what they can do.
    fn recasts(&self, source: Source<'_>) -> bool {
        match source {
            Source::Static(_, ability) => matches!(ability, Static::Becomes { .. }),
            Source::ContinuousEffect(index) => {
                matches!(self.effects[index].kind, EffectKind::Becomes { .. })
            }
        }
    }

    /// What a static ability of `slot` acts on. A land that has lost its
    /// abilities for a land type acts on nothing from then on.
    fn reach(&self, slot: Slot, what: &Ref) -> Slots {
        if self.board.retyped.has(slot) {
            return Slots::EMPTY;
        }
        self.refer(what, &Ctx::of(self, slot)).slots
    }

    /// The static abilities of a permanent. 305.7: a land that was given a land
    /// type has none.
    #[inline]
    pub(super) fn statics_at(&self, slot: Slot) -> &'static [Static] {
        if self.board.retyped.has(slot) { &[] } else { &self.def_at(slot).statics }
    }

    fn layer_control(&mut self, source: Source<'_>) {
        let (slots, seat) = match source {
            Source::Static(slot, Static::Control(what)) => {
                (self.reach(slot, what), self.controller(slot))
            }
            Source::ContinuousEffect(index) => match self.effects[index].kind {
                EffectKind::Controls { seat } => (self.effects[index].on, seat),
                _ => return,
            },
            Source::Static(..) => return,
        };
        for slot in slots.iter() {
            self.board.controller.put(slot, seat == Seat::Second);
        }
    }

    /// 506.4, 302.6: what changed sides leaves combat and must wait.
    fn settle_control(&mut self, before: Slots) {
        let moved = (before ^ self.board.controller) & self.board.used;
        self.board.summoning_sick |= moved;
        for slot in moved.iter() {
            self.leave_combat(slot);
        }
    }

    /// 506.4: what is no creature any more leaves combat.
    fn settle_combat(&mut self) {
        let fighting = self.board.attacking | self.board.blocking;
        for slot in (fighting & !self.creatures()).iter() {
            self.leave_combat(slot);
        }
    }

    fn layer_type(&mut self, source: Source<'_>, lands: bool) {
        let (slots, change, chosen) = match source {
            Source::Static(slot, Static::Becomes { what, into, .. }) => {
                (self.reach(slot, what), into, self.board.memo[slot] & 7)
            }
            Source::ContinuousEffect(index) => match self.effects[index].kind {
                EffectKind::Becomes { at, land_type } => {
                    let Some(change) = self.change_at(at) else { return };
                    (self.effects[index].on, change, land_type)
                }
                _ => return,
            },
            Source::Static(..) => return,
        };
        for slot in slots.iter() {
            if lands {
                self.set_land_type(slot, change, chosen);
            } else {
                self.set_types(slot, change);
            }
        }
    }

    fn set_land_type(&mut self, slot: Slot, change: &Change, chosen: u8) {
        let land = match change.land_type {
            Some(kind) => kind as u8,
            None if change.chosen_land_type && chosen > 0 => chosen - 1,
            None => return,
        };
        for (index, set) in self.board.land_types.iter_mut().enumerate() {
            set.put(slot, index as u8 == land);
        }
        // 305.7: it loses what is printed.
        let def = self.def_at(slot);
        self.board.for_printed_abilities(def, |set| *set &= !slot.bit());
        self.board.retyped |= slot.bit();
        self.board.mana |= slot.bit();
        self.board.basics |= slot.bit();
        self.board.usable &= !slot.bit();
    }

    fn set_types(&mut self, slot: Slot, change: &Change) {
        for (index, kind) in PERMANENT_TYPES.into_iter().enumerate() {
            if change.types.has(kind) {
                self.board.types[index] |= slot.bit();
            }
        }
        if let Some(colours) = change.colours {
            for (index, set) in self.board.colours.iter_mut().enumerate() {
                set.put(slot, colours.0 >> index & 1 == 1);
            }
        }
    }

    fn layer_abilities(&mut self, source: Source<'_>) {
        let (slots, gained, lost, usable) = match source {
            Source::Static(slot, Static::Gets { what, keywords, abilities, .. }) => {
                (self.reach(slot, what), keywords.0, 0, !abilities.is_empty())
            }
            Source::Static(slot, Static::Becomes { what, into, .. }) => {
                (self.reach(slot, what), into.keywords.0, 0, false)
            }
            Source::Static(..) => return,
            Source::ContinuousEffect(index) => {
                let on = self.effects[index].on;
                match self.effects[index].kind {
                    EffectKind::Gets { keywords, .. } => (on, keywords, 0, false),
                    EffectKind::Loses { keywords } => (on, 0, keywords, false),
                    EffectKind::Becomes { at, .. } => {
                        (on, self.change_at(at).map_or(0, |change| change.keywords.0), 0, false)
                    }
                    _ => return,
                }
            }
        };
        if gained | lost != 0 {
            for (index, set) in self.board.keywords.iter_mut().enumerate() {
                if gained >> index & 1 == 1 {
                    *set |= slots;
                }
                if lost >> index & 1 == 1 {
                    *set &= !slots;
                }
            }
        }
        if usable {
            self.board.usable |= slots;
        }
    }

    /// 613.4a.
    fn layer_counted_bodies(&mut self) {
        for slot in (self.board.statics & !self.board.retyped).iter() {
            if let Some((power, toughness)) = &self.def_at(slot).counted_body {
                let ctx = Ctx::of(self, slot);
                self.board.power[slot] = small(self.amount(power, &ctx));
                self.board.toughness[slot] = small(self.amount(toughness, &ctx));
            }
        }
    }

    /// 613.4b.
    fn layer_set_body(&mut self, source: Source<'_>) {
        let (slots, change) = match source {
            Source::Static(slot, Static::Becomes { what, into, .. }) => {
                (self.reach(slot, what), into)
            }
            Source::ContinuousEffect(index) => match self.effects[index].kind {
                EffectKind::Becomes { at, .. } => {
                    let Some(change) = self.change_at(at) else { return };
                    (self.effects[index].on, change)
                }
                _ => return,
            },
            Source::Static(..) => return,
        };
        if let Some((power, toughness)) = change.body {
            for slot in slots.iter() {
                self.board.power[slot] = power;
                self.board.toughness[slot] = toughness;
            }
        }
    }

    /// Counters come with 613.4c.
    fn layer_counters(&mut self) {
        if !self.board.counted {
            return;
        }
        for slot in self.board.used.iter() {
            let counters = self.board.counters[slot];
            self.board.power[slot] = self.board.power[slot].saturating_add(counters);
            self.board.toughness[slot] = self.board.toughness[slot].saturating_add(counters);
        }
    }

    /// 613.4c.
    fn layer_add_body(&mut self, source: Source<'_>) {
        let (slots, power, toughness) = match source {
            Source::Static(slot, Static::Gets { what, power, toughness, .. }) => {
                let ctx = Ctx::of(self, slot);
                let add = (small(self.amount(power, &ctx)), small(self.amount(toughness, &ctx)));
                (self.reach(slot, what), add.0, add.1)
            }
            Source::Static(..) => return,
            Source::ContinuousEffect(index) => match self.effects[index].kind {
                EffectKind::Gets { power, toughness, .. } => {
                    (self.effects[index].on, power, toughness)
                }
                _ => return,
            },
        };
        if power | toughness != 0 {
            for slot in slots.iter() {
                self.board.power[slot] = self.board.power[slot].saturating_add(power);
                self.board.toughness[slot] = self.board.toughness[slot].saturating_add(toughness);
            }
        }
    }

    fn layer_rules(&mut self, source: Source<'_>) {
        let (slots, rule, ctx) = match source {
            Source::Static(slot, Static::Rule { what, rule }) => {
                (self.reach(slot, what), rule, Ctx::of(self, slot))
            }
            Source::Static(..) => return,
            Source::ContinuousEffect(index) => match self.effects[index].kind {
                EffectKind::Binds { at } => {
                    let Some(Step::Do(Effect::Bind { rule, .. })) = self.step_at(at) else {
                        return;
                    };
                    let on = self.effects[index].on;
                    let you = on.first().map_or(Seat::First, |slot| self.controller(slot));
                    (on, rule, Ctx::new(you, None, at.card))
                }
                _ => return,
            },
        };
        let row = match rule {
            Rule::CantAttackUnless(condition) if !self.holds(condition, &ctx) => rule::CANT_ATTACK,
            other => match plain_rule(other) {
                Some(row) => row,
                None => return,
            },
        };
        self.board.rules[row] |= slots;
    }
}
