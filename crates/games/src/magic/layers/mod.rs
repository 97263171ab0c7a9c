//! 613: what permanents are now, worked out layer by layer.

mod apply;
mod sources;
#[cfg(test)]
mod tests;

use crate::magic::language::{Ref, Static};
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{Board, ContinuousEffect, EffectKind, Magic};
use crate::magic::table::Def;
use crate::magic::zones::select::Ctx;

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
}
