//! 107.3, 608.2: the numbers and conditions of a card text.

use crate::magic::language::{Amount, Condition, Filter, Ref, Side, Zone};
use crate::magic::state::Magic;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::{BySlot, Slot};
use crate::magic::zones::select::Ctx;

impl Magic {
    /// A number.
    pub(in crate::magic) fn amount(&self, amount: &Amount, ctx: &Ctx) -> i16 {
        let of = |what: &Ref, values: &BySlot<i8>, gone: i8| {
            let slot = self.refer(what, ctx).slots.first();
            i16::from(slot.map_or(gone, |slot| values[slot]))
        };
        match amount {
            Amount::N(n) => i16::from(*n),
            Amount::X => i16::from(ctx.x),
            Amount::MinusX => -i16::from(ctx.x),
            Amount::Count(filter) => self.matching(filter, ctx).len() as i16,
            Amount::CardsIn(zone, side, filter) => self.cards_in(*zone, *side, filter, ctx),
            Amount::PowerOf(what) => of(what, &self.board.power, ctx.power),
            Amount::ToughnessOf(what) => of(what, &self.board.toughness, 0),
            Amount::LifeOf(who) => self.seats[self.seat(who, ctx)].life,
            Amount::HalfLifeOf(who) => (self.seats[self.seat(who, ctx)].life + 1) / 2,
            Amount::Difference(a, b) => (self.amount(a, ctx) - self.amount(b, ctx)).abs(),
            Amount::Event => i16::from(ctx.amount),
            Amount::Kept => i16::from(ctx.kept),
            Amount::Share => 1,
            Amount::Everything => i16::from(u8::MAX),
        }
    }

    fn cards_in(&self, zone: Zone, side: Side, filter: &Filter, ctx: &Ctx) -> i16 {
        let owner = self.side(side, ctx);
        let seat = &self.seats[owner];
        let pile = match zone {
            Zone::Hand => &seat.hand,
            Zone::Graveyard => &seat.graveyard,
            Zone::Library => return i16::from(self.library_size(owner)),
            Zone::Aside | Zone::Drawn | Zone::Battlefield => &self.aside,
        };
        if *filter == Filter::default() {
            return i16::from(pile.total());
        }
        pile.iter()
            .filter(|&card| self.card_fits(filter, card.of(owner), ctx))
            .map(|card| i16::from(pile.count(card)))
            .sum()
    }

    /// How many cards a library holds.
    pub(in crate::magic) fn library_size(&self, seat: Seat) -> u8 {
        let seat = &self.seats[seat];
        seat.library.total() + seat.order.len() as u8
    }

    /// Whether a condition holds.
    pub(in crate::magic) fn holds(&self, condition: &Condition, ctx: &Ctx) -> bool {
        match condition {
            Condition::Exists(filter) => !self.matching(filter, ctx).is_empty(),
            Condition::AtLeast(a, b) => self.amount(a, ctx) >= self.amount(b, ctx),
            Condition::AtMost(a, b) => self.amount(a, ctx) <= self.amount(b, ctx),
            Condition::Is(what, filter) => self.is(what, filter, ctx),
            Condition::Not(inner) => !self.holds(inner, ctx),
        }
    }

    fn is(&self, what: &Ref, filter: &Filter, ctx: &Ctx) -> bool {
        if *what == Ref::Aside {
            let owner = self.aside_owner;
            return self.aside.iter().any(|card| self.card_fits(filter, card.of(owner), ctx));
        }
        let found = self.refer(what, ctx);
        if found.items != 0 {
            return self.spell_fits(
                filter,
                &self.stack[found.items.trailing_zeros() as usize],
                ctx,
            );
        }
        for owner in Seat::BOTH {
            if let Some(card) = found.cards[owner].iter().next() {
                return self.card_fits(filter, card.of(owner), ctx);
            }
        }
        found.slots.meets(self.matching(filter, ctx))
    }

    /// Whether an ability of `watcher` that speaks of `pattern` is about
    /// `subject`.
    pub(in crate::magic) fn concerns(&self, pattern: &Ref, watcher: Slot, subject: Slot) -> bool {
        match pattern {
            Ref::This => watcher == subject,
            Ref::Enchanted => self.board.link[watcher] == Some(subject),
            Ref::All(filter) => self.matching(filter, &Ctx::of(self, watcher)).has(subject),
            _ => false,
        }
    }
}
