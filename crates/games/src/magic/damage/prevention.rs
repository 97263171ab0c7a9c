//! 614.9, 615, 616.1: what prevents damage or turns it aside, one effect after
//! the other.

use crate::magic::damage::{DamageRecipient, Packet};
use crate::magic::language::{Instead, Keyword};
use crate::magic::stack::replacement::instead;
use crate::magic::state::row::Row;
use crate::magic::state::seat::{BySeat, Seat};
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{ContinuousEffect, EffectKind, MAX_EFFECTS, Magic, Task};
use crate::magic::table::listen;

/// 616.1: a choice among effects that would change the same damage.
#[derive(Clone, Copy, Debug)]
pub(in crate::magic) struct DamageChoice {
    pub(in crate::magic) seat: Seat,
    /// The source, if it is a permanent.
    pub(in crate::magic) about: Option<Slot>,
    pub(in crate::magic) options: u16,
}

/// What becomes of effects and life when damage is changed.
pub(in crate::magic) struct Changes {
    pub(in crate::magic) effects: Row<ContinuousEffect, MAX_EFFECTS>,
    /// Shields that are used up, one bit each.
    pub(in crate::magic) spent: u128,
    pub(in crate::magic) life: BySeat<i16>,
}

/// 614.5: the effects that were applied to the damage of one source to one
/// victim, each once.
#[derive(Clone, Copy, Default)]
struct Applied {
    /// Shields, one bit each.
    shields: u128,
    guard: bool,
    /// Whether shields of an amount are kept for other damage.
    kept: bool,
}

impl Packet {
    /// Whether an effect on permanents, or on a seat, is about this damage.
    fn is_dealt_to(&self, on: Slots, seat: Option<Seat>) -> bool {
        match self.to {
            DamageRecipient::Slot(slot) => on.has(slot),
            DamageRecipient::Seat(player) => on.is_empty() && seat == Some(player),
        }
    }

    /// Whether a shield is about this damage.
    fn is_shielded_by(&self, effect: &ContinuousEffect) -> bool {
        let EffectKind::Shields { source, item, seat, .. } = effect.kind else { return false };
        let named = match source {
            None => item == self.from.item,
            slot => slot == self.from.slot,
        };
        named && self.is_dealt_to(effect.on, seat)
    }
}

/// How a shield changes damage, as [`instead`] numbers it.
fn kind_of_shield(kind: EffectKind) -> u8 {
    match kind {
        EffectKind::Shields { instead, .. } if instead == Instead::GainLife as u8 => {
            instead::GAINED
        }
        EffectKind::Shields { instead, .. } if instead == Instead::DamageYou as u8 => {
            instead::TAKEN
        }
        _ => instead::SHIELDED,
    }
}

impl Magic {
    /// What can happen instead of this damage, one bit each as [`instead`]
    /// numbers them.
    fn damage_options(
        &self,
        packet: &Packet,
        effects: &[ContinuousEffect],
        applied: Applied,
    ) -> u16 {
        let mut options = u16::from(self.is_prevented(packet)) << instead::PREVENTED;
        if self.guard_against(packet, applied).is_some() {
            options |= 1 << instead::GUARDED;
        }
        for (index, effect) in effects.iter().enumerate() {
            match effect.kind {
                EffectKind::Shields { .. }
                    if applied.shields >> index & 1 == 0 && packet.is_shielded_by(effect) =>
                {
                    options |= 1 << kind_of_shield(effect.kind);
                }
                EffectKind::Prevents { amount, seat }
                    if amount > 0 && !applied.kept && packet.is_dealt_to(effect.on, seat) =>
                {
                    options |= 1 << instead::REDUCED;
                }
                _ => {}
            }
        }
        options
    }

    /// 615.7: whether shields of an amount may as well prevent damage that other
    /// sources deal at this time, and it matters whose.
    fn may_wait(&self, packet: &Packet, later: &[Packet], effects: &[ContinuousEffect]) -> bool {
        let others = || {
            let alike = |other: &&Packet| other.to == packet.to && !self.is_prevented(other);
            later.iter().filter(alike).filter(|other| other.from.slot != packet.from.slot)
        };
        let shield = effects.iter().map(|effect| match effect.kind {
            EffectKind::Prevents { amount, seat } if packet.is_dealt_to(effect.on, seat) => amount,
            _ => 0,
        });
        let tells = |packet: &Packet| {
            let has = |keyword| self.dealer_has(&packet.from, keyword);
            has(Keyword::Deathtouch) || has(Keyword::Lifelink)
        };
        let rest = others().map(|other| u16::from(other.amount)).sum::<u16>();
        rest >= shield.map(u16::from).sum()
            && (self.board.listening & listen::DAMAGE != 0 || tells(packet) || others().any(tells))
    }

    /// The creature that is dealt this damage of an unblocked one instead.
    fn guard_against(&self, packet: &Packet, applied: Applied) -> Option<Slot> {
        let DamageRecipient::Seat(seat) = packet.to else { return None };
        let unblocked = packet.from.slot.is_some_and(|from| !self.board.blocked.has(from));
        let due = packet.combat && !applied.guard && unblocked;
        self.clock.guard[seat].filter(|_| due)
    }

    /// 616.1: changes damage until nothing changes it any more; or what must be
    /// chosen first. 615.8: a shield against a source is about all damage that
    /// the source deals at this time.
    pub(super) fn change_damage(&self, packets: &mut [Packet]) -> Result<Changes, DamageChoice> {
        let mut changes = Changes { effects: self.effects, spent: 0, life: BySeat([0; 2]) };
        let mut answers = self.damage_answers.iter().copied();
        for index in 0..packets.len() {
            let (before, later) = packets.split_at_mut(index + 1);
            let packet = &mut before[index];
            let mut applied = Applied::default();
            while packet.amount > 0 {
                let affected = match packet.to {
                    DamageRecipient::Seat(seat) => seat,
                    DamageRecipient::Slot(slot) if self.is_creature(slot) => self.controller(slot),
                    DamageRecipient::Slot(_) => {
                        packet.amount = 0;
                        break;
                    }
                };
                let mut options = self.damage_options(packet, &changes.effects, applied);
                if options >> instead::REDUCED & 1 == 1
                    && self.may_wait(packet, later, &changes.effects)
                {
                    options |= 1 << instead::KEPT;
                }
                let more = options >> instead::GUARDED & 1
                    | options >> instead::GAINED & 1
                    | options >> instead::TAKEN & 1;
                let kind = match options.count_ones() {
                    0 => break,
                    1 => options.trailing_zeros() as u8,
                    // Nothing else is used up for nothing.
                    _ if options & 1 == 1 && more == 0 => instead::PREVENTED,
                    _ => match answers.next() {
                        Some(kind) => kind,
                        None => {
                            let about = packet.from.slot;
                            return Err(DamageChoice { seat: affected, about, options });
                        }
                    },
                };
                self.change_packet(packet, kind, &mut applied, &mut changes);
            }
        }
        Ok(changes)
    }

    /// Applies one effect of this kind to damage.
    fn change_packet(
        &self,
        packet: &mut Packet,
        kind: u8,
        applied: &mut Applied,
        changes: &mut Changes,
    ) {
        match kind {
            instead::GUARDED => {
                if let Some(guard) = self.guard_against(packet, *applied) {
                    (packet.to, applied.guard) = (DamageRecipient::Slot(guard), true);
                }
            }
            instead::REDUCED => {
                let dealt = *packet;
                for effect in changes.effects.iter_mut() {
                    if let EffectKind::Prevents { amount, seat } = &mut effect.kind
                        && dealt.is_dealt_to(effect.on, *seat)
                    {
                        let prevented = packet.amount.min(*amount);
                        *amount -= prevented;
                        packet.amount -= prevented;
                    }
                }
            }
            instead::SHIELDED | instead::GAINED | instead::TAKEN => {
                let shield = changes.effects.iter().enumerate().find(|&(index, effect)| {
                    applied.shields >> index & 1 == 0
                        && packet.is_shielded_by(effect)
                        && kind_of_shield(effect.kind) == kind
                });
                let Some((index, &ContinuousEffect { kind: EffectKind::Shields { you, .. }, .. })) =
                    shield
                else {
                    return;
                };
                applied.shields |= 1 << index;
                changes.spent |= 1 << index;
                if kind == instead::TAKEN {
                    packet.to = DamageRecipient::Seat(you);
                } else {
                    if kind == instead::GAINED {
                        changes.life[you] += i16::from(packet.amount);
                    }
                    packet.amount = 0;
                }
            }
            instead::KEPT => applied.kept = true,
            _ => packet.amount = 0,
        }
    }

    /// What must be chosen for the damage of a task.
    pub(in crate::magic) fn choice_about_damage(&self, task: &Task) -> Option<DamageChoice> {
        self.change_damage(&mut self.packets_of(task)).err()
    }
}
