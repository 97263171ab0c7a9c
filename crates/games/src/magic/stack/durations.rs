//! 611, 615: continuous effects of spells and abilities begin and end.

use crate::magic::language::{Amount, Lasts, Ref};
use crate::magic::machine::{Machine, Watch};
use crate::magic::stack::perform::shares;
use crate::magic::state::bounds::Bound;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::Slots;
use crate::magic::state::{ChosenTarget, ContinuousEffect, Duration, EffectKind};
use crate::magic::zones::select::Ctx;

impl<W: Watch> Machine<'_, W> {
    pub(super) fn prevent(&mut self, amount: &Amount, to: &Ref, ctx: &Ctx) {
        if *amount == Amount::Share {
            for (target, share) in shares(&ctx.targets) {
                self.prevent_for(target, share as u8);
            }
            return;
        }
        let found = self.refer(to, ctx);
        let amount = self.amount(amount, ctx).clamp(0, 250) as u8;
        let seats = found.seats.iter().map(ChosenTarget::Seat);
        for target in found.slots.iter().map(ChosenTarget::Slot).chain(seats) {
            self.prevent_for(target, amount);
        }
    }

    fn prevent_for(&mut self, target: ChosenTarget, amount: u8) {
        match target {
            ChosenTarget::Slot(slot) => {
                self.add_continuous_effect(
                    slot.bit(),
                    EffectKind::Prevents { amount, seat: None },
                    Duration::EndOfTurn,
                );
            }
            ChosenTarget::Seat(seat) => {
                self.add_seat_effect(EffectKind::Prevents { amount, seat: Some(seat) });
            }
            ChosenTarget::Illegal
            | ChosenTarget::Left(_)
            | ChosenTarget::Item(_)
            | ChosenTarget::Card(..) => {}
        }
    }

    /// Begins an effect on permanents that lasts so long.
    pub(super) fn add_for(&mut self, on: Slots, kind: EffectKind, lasts: Lasts, ctx: &Ctx) {
        match lasts {
            Lasts::Turn => self.add_continuous_effect(on, kind, Duration::EndOfTurn),
            Lasts::Forever => self.add_continuous_effect(on, kind, Duration::Forever),
            Lasts::NextUntap => {
                for seat in Seat::BOTH {
                    let untaps = on & self.controlled(seat);
                    self.add_continuous_effect(untaps, kind, Duration::Untap(seat));
                }
            }
            Lasts::WhileTapped => {
                // 611.2b: nothing begins that has ended before.
                if let Some(this) = ctx.this.filter(|&this| self.board.tapped.has(this)) {
                    self.add_continuous_effect(on, kind, Duration::Untapped(this));
                }
            }
        }
    }

    /// Begins an effect on permanents; nothing if there are none.
    pub(in crate::magic) fn add_continuous_effect(
        &mut self,
        on: Slots,
        kind: EffectKind,
        until: Duration,
    ) {
        if on.is_empty() {
            return;
        }
        self.board.dirty = true;
        for effect in
            self.effects.iter_mut().filter(|effect| { effect.on } == on && effect.until == until)
        {
            match (&mut effect.kind, kind) {
                (
                    EffectKind::Gets { power, toughness, keywords },
                    EffectKind::Gets {
                        power: more_power,
                        toughness: more_toughness,
                        keywords: more,
                    },
                ) if *keywords | more == 0 => {
                    *power = power.saturating_add(more_power);
                    *toughness = toughness.saturating_add(more_toughness);
                    return;
                }
                (EffectKind::Regenerates { times }, EffectKind::Regenerates { .. }) => {
                    *times = times.saturating_add(1);
                    return;
                }
                (
                    EffectKind::Prevents { amount, .. },
                    EffectKind::Prevents { amount: more, .. },
                ) => {
                    *amount = amount.saturating_add(more);
                    return;
                }
                _ => {}
            }
        }
        if !self.widen(on, kind, until) {
            self.push_continuous_effect(on, kind, until);
        }
    }

    /// Has an effect that adds as much for as long act on these as well. What is
    /// only added has no order (613.4c), so one effect does for many.
    fn widen(&mut self, on: Slots, kind: EffectKind, until: Duration) -> bool {
        let adds = matches!(kind, EffectKind::Gets { keywords: 0, .. });
        let effects = &mut self.effects;
        let same = effects.iter_mut().find(|effect| {
            adds && effect.kind == kind && effect.until == until && !effect.on.meets(on)
        });
        same.map(|effect| effect.on = on | effect.on).is_some()
    }

    /// Begins an effect on a player.
    pub(in crate::magic) fn add_seat_effect(&mut self, kind: EffectKind) {
        for effect in self.effects.iter_mut() {
            if let (
                EffectKind::Prevents { amount, seat },
                EffectKind::Prevents { amount: more, seat: same },
            ) = (&mut effect.kind, kind)
                && effect.on.is_empty()
                && *seat == same
            {
                *amount = amount.saturating_add(more);
                return;
            }
        }
        self.push_continuous_effect(Slots::EMPTY, kind, Duration::EndOfTurn);
    }

    fn push_continuous_effect(&mut self, on: Slots, kind: EffectKind, until: Duration) {
        if self.repeats(on, kind, until) {
            return;
        }
        let older_statics = self.board.static_order.len() as u8;
        self.effects.push(ContinuousEffect { on, kind, until, older_statics, times: 1 });
    }

    /// Whether an effect is there already that is the same: another shield is
    /// counted, and what has or is bound by something twice is no different.
    fn repeats(&mut self, on: Slots, kind: EffectKind, until: Duration) -> bool {
        let loses = |effect: &ContinuousEffect| matches!(effect.kind, EffectKind::Loses { .. });
        let counted = matches!(kind, EffectKind::Shields { .. });
        let once = match kind {
            EffectKind::Binds { .. } => true,
            // What was lost in between is had again.
            EffectKind::Gets { power: 0, toughness: 0, .. } => !self.effects.iter().any(loses),
            _ => false,
        };
        let same =
            |old: &&mut ContinuousEffect| { old.on } == on && old.kind == kind && old.until == until;
        let Some(old) = self.effects.iter_mut().find(same).filter(|_| counted || once) else {
            return false;
        };
        match old.times.checked_add(u8::from(counted)) {
            Some(times) => old.times = times,
            None => self.exceed(Bound::Repeats),
        }
        true
    }

    /// One of an effect is used up.
    pub(in crate::magic) fn use_up(&mut self, index: usize) -> ContinuousEffect {
        let effect = &mut self.effects[index];
        if effect.times == 1 {
            return self.effects.remove(index);
        }
        effect.times -= 1;
        ContinuousEffect { times: 1, ..*effect }
    }

    /// Ends what lasts until now.
    pub(in crate::magic) fn expire(&mut self, over: impl Fn(Duration) -> bool) {
        let mut index = 0;
        while index < self.effects.len() {
            if over(self.effects[index].until) {
                self.effects.remove(index);
                self.board.dirty = true;
            } else {
                index += 1;
            }
        }
    }
}
