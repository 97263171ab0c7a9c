//! 613: the layers, one function each.

use super::{Source, plain_rule, small};
use crate::magic::language::{Change, Effect, Rule, Static};
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{EffectKind, Magic, rule};
use crate::magic::table::program::Step;
use crate::magic::zones::select::{Ctx, PERMANENT_TYPES};

impl Magic {
    pub(super) fn layer_control(&mut self, source: Source<'_>) {
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
    pub(super) fn settle_control(&mut self, before: Slots) {
        let moved = (before ^ self.board.controller) & self.board.used;
        self.board.summoning_sick |= moved;
        for slot in moved.iter() {
            self.leave_combat(slot);
        }
    }

    /// 506.4: what is no creature any more leaves combat.
    pub(super) fn settle_combat(&mut self) {
        let fighting = self.board.attacking | self.board.blocking;
        for slot in (fighting & !self.creatures()).iter() {
            self.leave_combat(slot);
        }
    }

    pub(super) fn layer_type(&mut self, source: Source<'_>, lands: bool) {
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

    pub(super) fn layer_abilities(&mut self, source: Source<'_>) {
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
    pub(super) fn layer_counted_bodies(&mut self) {
        for slot in (self.board.statics & !self.board.retyped).iter() {
            if let Some((power, toughness)) = &self.def_at(slot).counted_body {
                let ctx = Ctx::of(self, slot);
                self.board.power[slot] = small(self.amount(power, &ctx));
                self.board.toughness[slot] = small(self.amount(toughness, &ctx));
            }
        }
    }

    /// 613.4b.
    pub(super) fn layer_set_body(&mut self, source: Source<'_>) {
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
    pub(super) fn layer_counters(&mut self) {
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
    pub(super) fn layer_add_body(&mut self, source: Source<'_>) {
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

    pub(super) fn layer_rules(&mut self, source: Source<'_>) {
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
