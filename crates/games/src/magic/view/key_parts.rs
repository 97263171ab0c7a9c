//! What the parts of a state add to its key.

use super::key::Words;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::Slot;
use crate::magic::state::{
    ChosenTarget, ContinuousEffect, Duration, EffectKind, Item, PendingTrigger, PlayerState,
};

impl PlayerState {
    pub(super) fn add_public(&self, words: &mut Words) {
        words.add_pile(&self.graveyard);
        let [w, u, b, r, g, c] = self.pool;
        let numbers = [
            self.exiled,
            self.lands_played,
            self.extra_lands,
            self.drawn,
            self.mulligans,
            self.extra_turns,
            u8::from(self.lost),
            self.hand.total(),
        ];
        let [top, bottom] = [self.order.top(), self.order.bottom()].map(|cards| cards.len() as u8);
        let pool = [w, u, b, r, g, c, top, bottom];
        words.add(u64::from_le_bytes(numbers), u64::from_le_bytes(pool));
        words.add(self.life as u64, u64::from(self.library.total()));
    }
}

impl Item {
    /// All but the card that set it off, which can be secret.
    pub(super) fn add_to(&self, words: &mut Words) {
        let flags = self.you.number() | u8::from(self.spell) << 1;
        let what = [
            self.card.number(),
            self.program,
            Slot::byte(self.source),
            self.source_card.number(),
            self.power as u8,
            flags,
            self.id,
            self.x,
        ];
        let event = [
            self.event.byte(),
            Seat::byte(self.event_player),
            self.amount,
            self.times,
            self.departed_id,
            self.event_copy,
            self.source_copy,
            8,
        ];
        words.add(u64::from_le_bytes(what), u64::from_le_bytes(event));
        let targets =
            self.targets.iter().fold(0, |all: u64, target| all << 11 | u64::from(target.code()));
        let copies = self.targets.iter().fold(0, |all: u64, target| match target {
            ChosenTarget::Card(_, copy) => all << 8 | u64::from(copy),
            _ => all << 8,
        });
        words.add(targets, copies << 8 | self.targets.len() as u64);
    }
}

impl ChosenTarget {
    pub(super) fn code(self) -> u16 {
        let (kind, value) = match self {
            Self::Illegal => (0, 0),
            Self::Left(seat) => (1, seat.number()),
            Self::Slot(slot) => (2, slot.number()),
            Self::Seat(seat) => (3, seat.number()),
            Self::Item(id) => (4, id),
            Self::Card(card, _) => (5, card.number()),
        };
        kind << 8 | u16::from(value)
    }
}

impl PendingTrigger {
    pub(super) fn add_to(&self, words: &mut Words) {
        let one = [
            self.card.number(),
            self.program,
            Slot::byte(self.source),
            self.you.number(),
            self.event.byte(),
            self.event_card.number(),
            Seat::byte(self.event_player),
            self.amount,
        ];
        let copies = u64::from(self.event_copy) << 24 | u64::from(self.source_copy) << 32;
        let more = u64::from(self.departed_id) << 16 | copies;
        words.add(u64::from_le_bytes(one), u64::from(self.times) | 9 << 8 | more);
    }
}

impl ContinuousEffect {
    pub(super) fn add_to(&self, words: &mut Words) {
        words.add_set(self.on);
        let kind = match self.kind {
            EffectKind::Gets { power, toughness, keywords } => {
                [0, power as u8, toughness as u8, 0].map(u64::from).iter().fold(0, byte)
                    | u64::from(keywords) << 32
            }
            EffectKind::Loses { keywords } => 1 << 24 | u64::from(keywords) << 32,
            EffectKind::Becomes { at, land_type } => {
                [2, at.card.number(), at.program, at.step, land_type]
                    .map(u64::from)
                    .iter()
                    .fold(0, byte)
            }
            EffectKind::Binds { at } => {
                [3, at.card.number(), at.program, at.step].map(u64::from).iter().fold(0, byte)
            }
            EffectKind::Controls { seat } => 4 << 24 | u64::from(seat.number()),
            EffectKind::Regenerates { times } => 5 << 24 | u64::from(times),
            EffectKind::Prevents { amount, seat } => {
                [6, 0, amount, Seat::byte(seat)].map(u64::from).iter().fold(0, byte)
            }
            EffectKind::Shields { source, item, seat, instead, you } => {
                let (source, seat) = (Slot::byte(source), Seat::byte(seat));
                let bytes = [7, source, item, seat, instead, you.number()];
                bytes.map(u64::from).iter().fold(0, byte)
            }
        };
        let until = match self.until {
            Duration::EndOfTurn => 0,
            Duration::Forever => 1,
            Duration::Untap(seat) => 2 | u64::from(seat.number()) << 8,
            Duration::Untapped(slot) => 3 | u64::from(slot.number()) << 8,
        };
        words.add(kind, until | u64::from(self.older_statics) << 16 | u64::from(self.times) << 24);
    }
}

fn byte(all: u64, next: &u64) -> u64 {
    all << 8 | next
}
