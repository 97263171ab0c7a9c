//! 120: damage, and what prevents or turns it aside.

use super::events::Happening;
use super::language::{Instead, Keyword};
use super::machine::{Machine, Note, Watch};
use super::select::Ctx;
use super::slots::{NONE, bit, has};
use super::state::{Kind, Magic, rule};
use super::table::listen;

/// What deals damage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dealer {
    /// The permanent, if it is there.
    pub(super) slot: u8,
    pub(super) card: u8,
    pub(super) you: u8,
    /// The id of the spell or ability, for shields against spells.
    pub(super) item: u8,
}

/// Who is dealt damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Victim {
    Slot(u8),
    Seat(u8),
}

impl Dealer {
    pub(super) fn of(ctx: &Ctx, item: u8) -> Self {
        Self { slot: ctx.this, card: ctx.this_card, you: ctx.you, item }
    }
}

impl Magic {
    fn colours_of_dealer(&self, from: &Dealer) -> u8 {
        if from.slot != NONE {
            self.colours_at(from.slot)
        } else {
            self.colours_of(from.card, from.you)
        }
    }

    fn dealer_has(&self, from: &Dealer, keyword: Keyword) -> bool {
        if from.slot != NONE {
            has(self.board.keywords[keyword as usize], from.slot)
        } else {
            self.def(from.card).is_permanent() && self.def(from.card).keywords.has(keyword)
        }
    }

    /// 702.16e: whether protection keeps the damage off.
    fn is_protected(&self, slot: u8, from: &Dealer) -> bool {
        let colours = self.colours_of_dealer(from);
        (0..5).any(|colour| {
            colours >> colour & 1 == 1
                && has(self.board.keywords[Keyword::ProtectionFromWhite as usize + colour], slot)
        })
    }
}

impl<W: Watch> Machine<'_, W> {
    /// Deals damage; how much was dealt in the end.
    pub(super) fn deal(&mut self, from: Dealer, to: Victim, amount: i16, combat: bool) -> u8 {
        let mut amount = amount.clamp(0, 250) as u8;
        if amount == 0 {
            return 0;
        }
        let mut to = to;
        if combat {
            if self.clock.fog
                || from.slot != NONE && has(self.board.rules[rule::DEALS_NONE], from.slot)
            {
                return 0;
            }
            if let Victim::Seat(seat) = to {
                let guard = self.clock.guard[seat as usize];
                if guard != NONE && from.slot != NONE && !has(self.board.blocked, from.slot) {
                    to = Victim::Slot(guard);
                }
            }
        }
        if let Victim::Slot(slot) = to {
            let spared = combat && has(self.board.rules[rule::TAKES_NONE], slot);
            if spared || !self.is_creature(slot) || self.is_protected(slot, &from) {
                return 0;
            }
        }
        if !self.effects.is_empty() {
            match self.shield(&from, to, amount, combat) {
                Some(left) => amount = left,
                None => return 0,
            }
            if amount == 0 {
                return 0;
            }
        }
        self.hurt(&from, to, amount);
        amount
    }

    /// What shields leave of damage; nothing if one has turned it aside.
    fn shield(&mut self, from: &Dealer, to: Victim, amount: u8, combat: bool) -> Option<u8> {
        let meant = |on: u128, seat: u8| match to {
            Victim::Slot(slot) => has(on, slot),
            Victim::Seat(player) => on == 0 && seat == player,
        };
        let chosen = self.effects.iter().position(|effect| {
            matches!(effect.kind, Kind::Shields { source, item, seat, .. }
                if meant(effect.on, seat)
                    && (source != NONE && source == from.slot || source == NONE && item == from.item))
        });
        if let Some(index) = chosen {
            let effect = self.effects.remove(index);
            let Kind::Shields { instead, you, .. } = effect.kind else { return None };
            if instead == Instead::GainLife as u8 {
                self.seats[you as usize].life += i16::from(amount);
            } else if instead == Instead::DamageYou as u8 {
                self.deal(*from, Victim::Seat(you), i16::from(amount), combat);
            }
            return None;
        }
        let mut left = amount;
        let mut index = 0;
        while index < self.effects.len() && left > 0 {
            let on = self.effects[index].on;
            if let Kind::Prevents { amount: shield, seat } = &mut self.effects[index].kind
                && meant(on, *seat)
            {
                let prevented = left.min(*shield);
                *shield -= prevented;
                left -= prevented;
                if *shield == 0 {
                    self.effects.remove(index);
                    continue;
                }
            }
            index += 1;
        }
        Some(left)
    }

    /// 120.3: what damage does.
    fn hurt(&mut self, from: &Dealer, to: Victim, amount: u8) {
        let mut told = Happening {
            slot: from.slot,
            amount,
            card: from.card,
            ..Happening::new(listen::DAMAGE)
        };
        match to {
            Victim::Seat(seat) => {
                self.seats[seat as usize].life -= i16::from(amount);
                self.watch.note(Note::Damage(seat, u16::from(amount)));
                (told.seat, told.other) = (seat, seat);
            }
            Victim::Slot(slot) => {
                let damage = &mut self.board.damage[slot as usize];
                *damage = damage.saturating_add(amount);
                self.board.damaged |= bit(slot);
                if self.dealer_has(from, Keyword::Deathtouch) {
                    self.board.doomed |= bit(slot);
                }
                told.seat = self.controller(slot);
            }
        }
        if self.dealer_has(from, Keyword::Lifelink) {
            self.seats[from.you as usize].life += i16::from(amount);
        }
        if from.slot != NONE {
            self.tell(told);
        }
    }
}
