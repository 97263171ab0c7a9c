//! 120: damage, and what prevents or turns it aside.

pub(super) mod prevention;

use std::ops::{Deref, DerefMut};

use crate::magic::language::{Amount, Effect, Keyword};
use crate::magic::machine::{Machine, Note, Watch};
use crate::magic::stack::perform::shares;
use crate::magic::stack::triggers::TriggerEvent;
use crate::magic::state::bounds::Bound;
use crate::magic::state::row::Row;
use crate::magic::state::seat::{BySeat, Seat};
use crate::magic::state::slots::{SLOTS, Slot};
use crate::magic::state::{
    ChosenTarget, ContinuousEffect, EffectKind, Item, Magic, Question, Task, rule,
};
use crate::magic::table::card::CardId;
use crate::magic::table::listen;
use crate::magic::table::program::Step;
use crate::magic::zones::select::{Ctx, Found};

/// What deals damage.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DamageSource {
    /// The permanent, if it is there.
    pub(super) slot: Option<Slot>,
    pub(super) card: CardId,
    pub(super) you: Seat,
    /// The id of the spell, or of the source of an ability that has left.
    pub(super) item: u8,
}

/// Who is dealt damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DamageRecipient {
    Seat(Seat),
    Slot(Slot),
}

impl Default for DamageRecipient {
    fn default() -> Self {
        Self::Seat(Seat::First)
    }
}

/// Damage that one source is about to deal to one victim.
// All zeros by default, so that a list of hundreds is cleared in a few instructions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Packet {
    pub(super) from: DamageSource,
    pub(super) to: DamageRecipient,
    pub(super) amount: u8,
    pub(super) combat: bool,
}

/// Damage that is dealt at one time: up to `N` parts. It is no [`Row`], since it outlives no
/// action and can be longer than the lists of a state.
pub(super) struct Packets<const N: usize> {
    items: [Packet; N],
    len: usize,
    missed: bool,
}

impl<const N: usize> Packets<N> {
    pub(super) fn new() -> Self {
        Self { items: [Packet::default(); N], len: 0, missed: false }
    }

    pub(super) fn push(&mut self, packet: Packet) {
        match self.items.get_mut(self.len) {
            Some(place) => {
                *place = packet;
                self.len += 1;
            }
            None => self.missed = true,
        }
    }

    /// Whether a part found no room.
    fn missed(&self) -> bool {
        self.missed
    }
}

impl<const N: usize> Deref for Packets<N> {
    type Target = [Packet];

    fn deref(&self) -> &[Packet] {
        &self.items[..self.len]
    }
}

impl<const N: usize> DerefMut for Packets<N> {
    fn deref_mut(&mut self) -> &mut [Packet] {
        &mut self.items[..self.len]
    }
}

/// Room for the damage of nearly every moment: a list that takes no time to clear.
const FEW: usize = 24;
/// Room for the damage of every moment but those that end the game.
const MANY: usize = 2 * SLOTS + 8;

impl DamageSource {
    /// The source of an item.
    pub(super) fn of(item: &Item) -> Self {
        let id = if item.spell { item.id } else { item.departed_id };
        Self { slot: item.source, card: item.source_card, you: item.you, item: id }
    }
}

impl Packet {
    pub(super) fn new(from: DamageSource, to: DamageRecipient, amount: i16, combat: bool) -> Self {
        Self { from, to, amount: amount.clamp(0, 250) as u8, combat }
    }
}

impl Magic {
    fn colours_of_dealer(&self, from: &DamageSource) -> u8 {
        match from.slot {
            Some(slot) => self.colours_at(slot),
            None => self.colours_of(from.card, from.you),
        }
    }

    pub(super) fn dealer_has(&self, from: &DamageSource, keyword: Keyword) -> bool {
        let printed =
            || self.def(from.card).is_permanent() && self.def(from.card).keywords.has(keyword);
        from.slot.map_or_else(printed, |slot| self.has_keyword(slot, keyword))
    }

    /// 702.16e: whether protection keeps the damage off.
    fn is_protected(&self, slot: Slot, from: &DamageSource) -> bool {
        let colours = self.colours_of_dealer(from);
        (0..5).any(|colour| {
            colours >> colour & 1 == 1
                && self.board.keywords[Keyword::ProtectionFromWhite as usize + colour].has(slot)
        })
    }

    /// Whether no effect could change damage but those that always prevent it.
    fn damage_is_unmodified(&self) -> bool {
        let changes = |effect: &ContinuousEffect| {
            matches!(effect.kind, EffectKind::Shields { .. } | EffectKind::Prevents { .. })
        };
        self.clock.guard == BySeat([None; 2]) && !self.effects.iter().any(changes)
    }

    /// Whether all of this damage is prevented by something that stays.
    pub(super) fn is_prevented(&self, packet: &Packet) -> bool {
        let Packet { from, to, combat, .. } = packet;
        let idle = from.slot.is_some_and(|slot| self.board.rules[rule::DEALS_NONE].has(slot));
        let spared = |slot: Slot| {
            *combat && self.board.rules[rule::TAKES_NONE].has(slot) || self.is_protected(slot, from)
        };
        *combat && (self.clock.combat_damage_prevented || idle)
            || matches!(to, DamageRecipient::Slot(slot) if spared(*slot))
    }

    /// The damage of the task on top, before anything changes it.
    pub(super) fn packets_of(&self, task: &Task) -> Packets<MANY> {
        match *task {
            Task::CombatDamage { first_strike } => self.combat_packets(first_strike),
            Task::ManaDamage { seat, slot, card, program } => {
                let there =
                    |slot: &Slot| self.board.used.has(*slot) && self.board.card[*slot] == card;
                let slot = slot.filter(there);
                let steps = &self.def(card).programs[program as usize].steps;
                let ctx = Ctx::new(seat, slot, card);
                let from = DamageSource { slot, card, you: seat, item: 0 };
                let effect = steps.iter().find_map(|step| match step {
                    Step::Do(effect @ Effect::Damage { .. }) => Some(effect),
                    _ => None,
                });
                effect.map_or(Packets::new(), |effect| self.packets_by(effect, from, &ctx))
            }
            _ => match self.running() {
                Some(effect) => self.packets_by(
                    effect,
                    DamageSource::of(&self.resolution.item),
                    &self.run_ctx(),
                ),
                None => Packets::new(),
            },
        }
    }

    /// The damage of an instruction: all parts of it at one time.
    fn packets_by<const N: usize>(
        &self,
        effect: &Effect,
        from: DamageSource,
        ctx: &Ctx,
    ) -> Packets<N> {
        let mut packets = Packets::new();
        let Effect::Damage { amount, to, and } = effect else { return packets };
        if *amount == Amount::Share {
            for (target, share) in shares(&ctx.targets) {
                let victim = match target {
                    ChosenTarget::Slot(slot) => DamageRecipient::Slot(slot),
                    ChosenTarget::Seat(seat) => DamageRecipient::Seat(seat),
                    _ => continue,
                };
                packets.push(Packet::new(from, victim, share, false));
            }
            return packets;
        }
        let parts = std::iter::once((amount, to)).chain(and.iter().map(|(n, to)| (n, to)));
        for (amount, to) in parts {
            let amount = self.amount(amount, ctx);
            let Found { slots, seats, .. } = self.refer(to, ctx);
            let players = seats.iter().map(DamageRecipient::Seat);
            for victim in slots.iter().map(DamageRecipient::Slot).chain(players) {
                packets.push(Packet::new(from, victim, amount, false));
            }
        }
        packets
    }
}

impl<W: Watch> Machine<'_, W> {
    /// Deals the damage of an instruction.
    pub(super) fn damage(&mut self, effect: &Effect, ctx: &Ctx) {
        let from = DamageSource::of(&self.resolution.item);
        self.begin_damage(effect, from, ctx, Task::InstructionDamage);
    }

    /// Deals the damage of a mana ability.
    pub(super) fn damage_by_mana(&mut self, effect: &Effect, program: u8, ctx: &Ctx) {
        let from = DamageSource { slot: ctx.this, card: ctx.this_card, you: ctx.you, item: 0 };
        let (seat, slot, card) = (ctx.you, ctx.this, ctx.this_card);
        let task = Task::ManaDamage { seat, slot, card, program };
        self.begin_damage(effect, from, ctx, task);
    }

    fn begin_damage(&mut self, effect: &Effect, from: DamageSource, ctx: &Ctx, task: Task) {
        if self.damage_is_unmodified() {
            let few = self.packets_by::<FEW>(effect, from, ctx);
            let total = if few.missed() {
                let many = self.packets_by::<MANY>(effect, from, ctx);
                if many.missed() {
                    self.exceed(Bound::Damage);
                }
                self.deal_unmodified(&many)
            } else {
                self.deal_unmodified(&few)
            };
            if task == Task::InstructionDamage {
                self.resolution.kept = total;
            }
        } else {
            self.tasks.push(task);
        }
    }

    /// Deals combat damage.
    pub(super) fn deal_in_combat(&mut self, first: bool) {
        if self.damage_is_unmodified() {
            let few = self.combat_packets::<FEW>(first);
            if few.missed() {
                let many = self.combat_packets::<MANY>(first);
                self.deal_unmodified(&many);
            } else {
                self.deal_unmodified(&few);
            }
        } else {
            self.tasks.push(Task::CombatDamage { first_strike: first });
        }
    }

    /// Deals damage that nothing changes but what prevents it; how much was
    /// dealt.
    fn deal_unmodified(&mut self, packets: &[Packet]) -> u8 {
        let mut total = 0_u8;
        for packet in packets.iter().filter(|packet| packet.amount > 0) {
            let is_hurt = match packet.to {
                DamageRecipient::Slot(slot) => self.is_creature(slot),
                DamageRecipient::Seat(_) => true,
            };
            if is_hurt && !self.is_prevented(packet) {
                self.apply_damage(&packet.from, packet.to, packet.amount);
                total = total.saturating_add(packet.amount);
            }
        }
        total
    }

    /// 616.1: asks how the damage of the task on top is changed, or deals it.
    pub(super) fn damage_on(&mut self, task: Task) {
        let mut packets = self.packets_of(&task);
        if packets.missed() {
            self.exceed(Bound::Damage);
        }
        let changes = match self.change_damage(&mut packets) {
            Ok(changes) => changes,
            Err(choice) => return self.ask(choice.seat, Question::Instead(choice.about)),
        };
        self.end_task();
        self.damage_answers = Row::new();
        self.effects = changes.effects;
        for index in (0..self.effects.len()).rev() {
            let empty = matches!(self.effects[index].kind, EffectKind::Prevents { amount: 0, .. });
            if empty {
                self.effects.remove(index);
            } else if changes.spent >> index & 1 == 1 {
                self.use_up(index);
            }
        }
        for (seat, gained) in self.seats.iter_mut().zip(changes.life.0) {
            seat.life += gained;
        }
        let mut total = 0_u8;
        for packet in packets.iter().filter(|packet| packet.amount > 0) {
            self.apply_damage(&packet.from, packet.to, packet.amount);
            total = total.saturating_add(packet.amount);
        }
        if task == Task::InstructionDamage {
            self.resolution.kept = total;
        }
    }

    /// 120.3: what damage does.
    fn apply_damage(&mut self, from: &DamageSource, to: DamageRecipient, amount: u8) {
        let mut told = TriggerEvent {
            slot: from.slot,
            amount,
            card: from.card,
            ..TriggerEvent::new(listen::DAMAGE)
        };
        match to {
            DamageRecipient::Seat(seat) => {
                self.seats[seat].life -= i16::from(amount);
                self.watch.note(Note::Damage(seat.into(), u16::from(amount)));
                (told.seat, told.hurts_player) = (Some(seat), true);
            }
            DamageRecipient::Slot(slot) => {
                let damage = &mut self.board.damage[slot];
                *damage = damage.saturating_add(amount);
                self.board.damaged |= slot.bit();
                if self.dealer_has(from, Keyword::Deathtouch) {
                    self.board.deathtouched |= slot.bit();
                }
                told.seat = Some(self.controller(slot));
            }
        }
        if self.dealer_has(from, Keyword::Lifelink) {
            self.seats[from.you].life += i16::from(amount);
        }
        if from.slot.is_some() {
            self.emit(told);
        }
    }
}
