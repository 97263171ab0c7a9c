//! 107.3, 608.2: the numbers and conditions of a card text.

use crate::magic::language::{Amount, Condition, Filter, Ref, Side, Zone};
use crate::magic::state::Magic;
use crate::magic::state::pile::bits;
use crate::magic::state::slots::has;
use crate::magic::table::DECK;
use crate::magic::zones::select::Ctx;

impl Magic {
    /// A number.
    pub(in crate::magic) fn amount(&self, amount: &Amount, ctx: &Ctx) -> i16 {
        let of = |what: &Ref, values: &[i8], gone: i8| {
            let slots = self.refer(what, ctx).slots;
            i16::from(if slots == 0 { gone } else { values[slots.trailing_zeros() as usize] })
        };
        match amount {
            Amount::N(n) => i16::from(*n),
            Amount::X => i16::from(ctx.x),
            Amount::MinusX => -i16::from(ctx.x),
            Amount::Count(filter) => self.matching(filter, ctx).count_ones() as i16,
            Amount::CardsIn(zone, side, filter) => self.cards_in(*zone, *side, filter, ctx),
            Amount::PowerOf(what) => of(what, &self.board.power, ctx.power),
            Amount::ToughnessOf(what) => of(what, &self.board.toughness, 0),
            Amount::LifeOf(who) => self.seats[self.seat(who, ctx) as usize].life,
            Amount::HalfLifeOf(who) => (self.seats[self.seat(who, ctx) as usize].life + 1) / 2,
            Amount::Difference(a, b) => (self.amount(a, ctx) - self.amount(b, ctx)).abs(),
            Amount::Event => i16::from(ctx.amount),
            Amount::Kept => i16::from(ctx.kept),
            Amount::Share => 1,
            Amount::Everything => i16::from(u8::MAX),
        }
    }

    fn cards_in(&self, zone: Zone, side: Side, filter: &Filter, ctx: &Ctx) -> i16 {
        let owner = self.side(side, ctx);
        let seat = &self.seats[owner as usize];
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
            .filter(|&card| self.card_fits(filter, card + owner * DECK as u8, ctx))
            .map(|card| i16::from(pile.count(card)))
            .sum()
    }

    /// How many cards a library holds.
    pub(in crate::magic) fn library_size(&self, seat: u8) -> u8 {
        let seat = &self.seats[seat as usize];
        seat.library.total() + seat.order.len() as u8
    }

    /// Whether a condition holds.
    pub(in crate::magic) fn holds(&self, condition: &Condition, ctx: &Ctx) -> bool {
        match condition {
            Condition::Exists(filter) => self.matching(filter, ctx) != 0,
            Condition::AtLeast(a, b) => self.amount(a, ctx) >= self.amount(b, ctx),
            Condition::AtMost(a, b) => self.amount(a, ctx) <= self.amount(b, ctx),
            Condition::Is(what, filter) => self.is(what, filter, ctx),
            Condition::Not(inner) => !self.holds(inner, ctx),
        }
    }

    fn is(&self, what: &Ref, filter: &Filter, ctx: &Ctx) -> bool {
        if *what == Ref::Aside {
            let owner = self.aside_owner * DECK as u8;
            return self.aside.iter().any(|card| self.card_fits(filter, card + owner, ctx));
        }
        let found = self.refer(what, ctx);
        if found.items != 0 {
            return self.spell_fits(
                filter,
                &self.stack[found.items.trailing_zeros() as usize],
                ctx,
            );
        }
        for owner in 0..2 {
            if let Some(card) = bits(found.cards[owner]).next() {
                return self.card_fits(filter, card + (owner * DECK) as u8, ctx);
            }
        }
        found.slots & self.matching(filter, ctx) != 0
    }

    /// Whether an ability of `watcher` that speaks of `pattern` is about
    /// `subject`.
    pub(in crate::magic) fn concerns(&self, pattern: &Ref, watcher: u8, subject: u8) -> bool {
        match pattern {
            Ref::This => watcher == subject,
            Ref::Enchanted => self.board.link[watcher as usize] == subject,
            Ref::All(filter) => has(self.matching(filter, &Ctx::of(self, watcher)), subject),
            _ => false,
        }
    }
}
