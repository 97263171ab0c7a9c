//! Instructions that are followed at once, without a question.

use super::damage::{Dealer, Victim};
use super::language::{Amount, Effect, Lasts, Place, Ref, Zone};
use super::layers::small;
use super::machine::{Machine, Watch};
use super::pile::{Pile, bits};
use super::row::Row;
use super::select::Ctx;
use super::slots::{NONE, Slots, bit, each};
use super::state::{AIMS, Aim, At, Kind, Lasting, Until};
use super::table::{DECK, TOKENS};

impl<W: Watch> Machine<'_, W> {
    /// Follows an instruction that leaves no changed rule behind.
    pub(super) fn perform(&mut self, effect: &Effect, ctx: &Ctx) {
        self.perform_at(effect, ctx, At { card: ctx.this_card, program: 0, step: 0 });
    }

    /// Follows an instruction, which is this step of a program.
    pub(super) fn perform_at(&mut self, effect: &Effect, ctx: &Ctx, at: At) {
        match effect {
            Effect::Damage { amount, to } => self.damage(amount, to, ctx),
            Effect::Destroy { what, regenerate } => {
                let slots = self.refer(what, ctx).slots;
                self.destroy(slots, *regenerate);
            }
            Effect::Put { what, to, under, tapped } => {
                let under = under.map(|side| self.side(side, ctx));
                self.put(what, *to, under, *tapped, ctx);
            }
            Effect::SacrificeIt { what } => {
                let slots = self.refer(what, ctx).slots;
                self.sacrifice(slots);
            }
            Effect::Tap { what } => {
                for slot in each(self.refer(what, ctx).slots) {
                    self.tap(slot);
                }
            }
            Effect::Untap { what } => {
                let slots = self.refer(what, ctx).slots;
                self.untap(slots);
            }
            Effect::Gets { what, power, toughness, keywords, loses, lasts } => {
                let on = self.refer(what, ctx).slots;
                let (power, toughness) =
                    (small(self.amount(power, ctx)), small(self.amount(toughness, ctx)));
                let until = until(*lasts, ctx);
                if power != 0 || toughness != 0 || !keywords.is_empty() {
                    self.add_lasting(
                        on,
                        Kind::Gets { power, toughness, keywords: keywords.0 },
                        until,
                    );
                }
                if !loses.is_empty() {
                    self.add_lasting(on, Kind::Loses { keywords: loses.0 }, until);
                }
            }
            Effect::Becomes { what, lasts, .. } => {
                let on = self.refer(what, ctx).slots;
                self.add_lasting(on, Kind::Becomes { at, land_type: ctx.kept }, until(*lasts, ctx));
            }
            Effect::Bind { what, lasts, .. } => {
                let on = self.refer(what, ctx).slots;
                let until = match lasts {
                    Lasts::NextUntap if on != 0 => {
                        Until::Untap(self.controller(on.trailing_zeros() as u8))
                    }
                    other => until(*other, ctx),
                };
                self.add_lasting(on, Kind::Binds { at }, until);
            }
            Effect::Control { what, lasts } => {
                let on = self.refer(what, ctx).slots;
                self.add_lasting(on, Kind::Controls { seat: ctx.you }, until(*lasts, ctx));
            }
            Effect::ExchangeChosen => self.exchange(ctx),
            Effect::Counter { what, to } => self.counter(what, *to, ctx),
            Effect::ShowHand { whose } => {
                let seats = self.seats(whose, ctx);
                for seat in each(Slots::from(seats)) {
                    self.show_hand(seat);
                }
            }
            Effect::Shuffle { whose } => {
                let seats = self.seats(whose, ctx);
                for seat in each(Slots::from(seats)) {
                    self.shuffle(seat);
                }
            }
            Effect::ShuffleIn { whose, from } => self.clear_zones(whose, from, true, ctx),
            Effect::ExileAll { whose, from } => self.clear_zones(whose, from, false, ctx),
            Effect::GainLife { who, amount } => self.change_life(who, amount, 1, ctx),
            Effect::LoseLife { who, amount } => self.change_life(who, amount, -1, ctx),
            Effect::ExchangeLife { with } => {
                let other = self.seat(with, ctx);
                if other != ctx.you {
                    let [first, second] = &mut self.seats;
                    std::mem::swap(&mut first.life, &mut second.life);
                }
            }
            Effect::Token { token, who, amount } => self.make_tokens(token, who, amount, ctx),
            Effect::AddMana { who, mana } => {
                let seat = self.seat(who, ctx) as usize;
                for kind in mana {
                    self.seats[seat].pool[*kind as usize] += 1;
                }
            }
            Effect::LoseMana { who } => {
                let seats = self.seats(who, ctx);
                for seat in each(Slots::from(seats)) {
                    self.seats[seat as usize].pool = [0; 6];
                }
            }
            Effect::Prevent { amount, to } => self.prevent(amount, to, ctx),
            Effect::Fog => self.clock.fog = true,
            Effect::Guard => self.clock.guard[ctx.you as usize] = ctx.this,
            Effect::Regenerate { what } => {
                let on = self.refer(what, ctx).slots;
                self.add_lasting(on, Kind::Regenerates { times: 1 }, Until::EndOfTurn);
            }
            Effect::ExtraTurn => self.seats[ctx.you as usize].extra_turns += 1,
            Effect::ExtraCombat => self.clock.extra_combats += 1,
            Effect::ExtraLands(count) => self.seats[ctx.you as usize].extra_lands += count,
            Effect::LoseGame { who } => {
                let seats = self.seats(who, ctx);
                for seat in each(Slots::from(seats)) {
                    self.seats[seat as usize].lost = true;
                }
            }
            // The rest are questions or several steps; `execute` has them.
            _ => {}
        }
    }

    fn damage(&mut self, amount: &Amount, to: &Ref, ctx: &Ctx) {
        let from = Dealer::of(ctx, self.run.item.id);
        let mut total = 0_u8;
        if *amount == Amount::Share {
            for (aim, share) in shares(&ctx.aims) {
                let victim = match aim {
                    Aim::Slot(slot) => Victim::Slot(slot),
                    Aim::Seat(seat) => Victim::Seat(seat),
                    _ => continue,
                };
                total = total.saturating_add(self.deal(from, victim, share, false));
            }
        } else {
            let amount = self.amount(amount, ctx);
            let found = self.refer(to, ctx);
            for slot in each(found.slots) {
                total = total.saturating_add(self.deal(from, Victim::Slot(slot), amount, false));
            }
            for seat in each(Slots::from(found.seats)) {
                total = total.saturating_add(self.deal(from, Victim::Seat(seat), amount, false));
            }
        }
        self.run.kept = total;
    }

    fn put(&mut self, what: &Ref, to: Place, under: Option<u8>, tapped: bool, ctx: &Ctx) {
        if *what == Ref::Aside {
            return self.put_aside(to, under, tapped);
        }
        let itself = self.run.active && self.run.item.spell && *what == Ref::This;
        if itself {
            self.run.moved = true;
            return self.put_card(self.run.item.card, to, 3);
        }
        let card = ctx.event_card;
        let named = *what == Ref::Event && ctx.event == NONE && (card as usize) < TOKENS;
        if named && self.aside.has(card % DECK as u8) && self.aside_owner == card / DECK as u8 {
            self.aside.take(card % DECK as u8);
            return self.put_or_enter(card, to, under, tapped);
        }
        if named && let Some(place) = self.playable.iter().position(|&(one, _)| one == card) {
            self.playable.remove(place);
            self.seats[card as usize / DECK].exiled -= 1;
            return self.put_or_enter(card, to, under, tapped);
        }
        let found = self.refer(what, ctx);
        self.move_all(found.slots, to);
        for owner in 0..2 {
            for place in bits(found.cards[owner]) {
                self.seats[owner].graveyard.take(place);
                self.put_or_enter(place + (owner * DECK) as u8, to, under, tapped);
            }
        }
    }

    fn put_aside(&mut self, to: Place, under: Option<u8>, tapped: bool) {
        let owner = self.aside_owner;
        let seen = self.aside_seen;
        for card in self.aside.iter() {
            while self.aside.has(card) {
                self.aside.take(card);
                let number = card + owner * DECK as u8;
                if to == Place::Battlefield {
                    self.put_or_enter(number, to, under, tapped);
                } else {
                    self.put_card(number, to, seen);
                }
            }
        }
    }

    fn put_or_enter(&mut self, card: u8, to: Place, under: Option<u8>, tapped: bool) {
        if to == Place::Battlefield {
            let seat = under.unwrap_or(card / DECK as u8);
            if let Some(slot) = self.enter_and_tell(card, seat, tapped) {
                self.run.item.event = slot;
            }
        } else {
            self.put_card(card, to, 3);
        }
    }

    fn exchange(&mut self, ctx: &Ctx) {
        let [first, second] = ctx.chosen;
        if first == NONE || second == NONE {
            return;
        }
        let (one, other) = (self.controller(first), self.controller(second));
        if one != other {
            self.add_lasting(bit(first), Kind::Controls { seat: other }, Until::Forever);
            self.add_lasting(bit(second), Kind::Controls { seat: one }, Until::Forever);
        }
        self.run.chosen = [NONE; 2];
        self.run.chosen_count = 0;
    }

    fn counter(&mut self, what: &Ref, to: Place, ctx: &Ctx) {
        let items = self.refer(what, ctx).items;
        if items == 0 {
            return;
        }
        let item = self.stack.remove(items.trailing_zeros() as usize);
        // What follows may still speak of its controller.
        for aim in self.run.item.aims.iter_mut().filter(|aim| **aim == Aim::Item(item.id)) {
            *aim = Aim::Left(item.you);
        }
        if item.spell {
            self.put_or_enter(item.card, to, Some(ctx.you), false);
        }
    }

    /// The opponent learns what a hand holds.
    pub(super) fn show_hand(&mut self, seat: u8) {
        let seat = &mut self.seats[seat as usize];
        for card in seat.hand.iter() {
            seat.shown[card as usize] = seat.hand.count(card);
        }
    }

    fn clear_zones(&mut self, whose: &Ref, from: &[Zone], shuffle: bool, ctx: &Ctx) {
        let seats = self.seats(whose, ctx);
        for owner in each(Slots::from(seats)) {
            for zone in from {
                let mut pile = self.empty_zone(*zone, owner);
                let seat = &mut self.seats[owner as usize];
                if shuffle {
                    pile.pour(&mut seat.library);
                } else {
                    seat.exiled += pile.total();
                }
            }
            if shuffle {
                self.shuffle(owner);
            }
        }
        self.board.dirty = true;
    }

    fn empty_zone(&mut self, zone: Zone, owner: u8) -> Pile {
        if zone == Zone::Library {
            self.shuffle(owner);
        }
        let state = &mut **self;
        let seat = &mut state.seats[owner as usize];
        let pile = match zone {
            Zone::Hand => {
                seat.shown = [0; DECK];
                &mut seat.hand
            }
            Zone::Graveyard => &mut seat.graveyard,
            Zone::Library => &mut seat.library,
            Zone::Aside if state.aside_owner == owner => &mut state.aside,
            Zone::Aside | Zone::Drawn | Zone::Battlefield => return Pile::EMPTY,
        };
        std::mem::replace(pile, Pile::EMPTY)
    }

    fn change_life(&mut self, who: &Ref, amount: &Amount, sign: i16, ctx: &Ctx) {
        let seats = self.seats(who, ctx);
        for seat in each(Slots::from(seats)) {
            let amount = self.amount(amount, &Ctx { them: seat, ..*ctx });
            self.seats[seat as usize].life += sign * amount.max(0);
        }
    }

    fn make_tokens(&mut self, name: &str, who: &Ref, amount: &Amount, ctx: &Ctx) {
        let tokens = &self.table.0.cards[TOKENS..];
        let Some(index) = tokens.iter().position(|token| token.name == name) else { return };
        let seats = self.seats(who, ctx);
        for seat in [self.clock.active, 1 - self.clock.active] {
            if seats >> seat & 1 == 1 {
                let card = (TOKENS + index) as u8 + seat * DECK as u8;
                let amount = self.amount(amount, &Ctx { them: seat, ..*ctx });
                for _ in 0..amount {
                    if self.enter_and_tell(card, seat, false).is_none() {
                        break;
                    }
                }
            }
        }
    }

    fn prevent(&mut self, amount: &Amount, to: &Ref, ctx: &Ctx) {
        if *amount == Amount::Share {
            for (aim, share) in shares(&ctx.aims) {
                self.prevent_for(aim, share as u8);
            }
            return;
        }
        let found = self.refer(to, ctx);
        let amount = self.amount(amount, ctx).clamp(0, 250) as u8;
        let seats = each(Slots::from(found.seats)).map(Aim::Seat);
        for aim in each(found.slots).map(Aim::Slot).chain(seats) {
            self.prevent_for(aim, amount);
        }
    }

    fn prevent_for(&mut self, aim: Aim, amount: u8) {
        match aim {
            Aim::Slot(slot) => {
                self.add_lasting(
                    bit(slot),
                    Kind::Prevents { amount, seat: NONE },
                    Until::EndOfTurn,
                );
            }
            Aim::Seat(seat) => self.add_seat_effect(Kind::Prevents { amount, seat }),
            Aim::Gone | Aim::Left(_) | Aim::Item(_) | Aim::Card(_) => {}
        }
    }

    /// Begins an effect on permanents; nothing if there are none.
    pub(super) fn add_lasting(&mut self, on: Slots, kind: Kind, until: Until) {
        if on == 0 {
            return;
        }
        self.board.dirty = true;
        for effect in
            self.effects.iter_mut().filter(|effect| effect.on == on && effect.until == until)
        {
            match (&mut effect.kind, kind) {
                (
                    Kind::Gets { power, toughness, keywords },
                    Kind::Gets { power: more_power, toughness: more_toughness, keywords: more },
                ) if *keywords | more == 0 => {
                    *power = power.saturating_add(more_power);
                    *toughness = toughness.saturating_add(more_toughness);
                    return;
                }
                (Kind::Regenerates { times }, Kind::Regenerates { .. }) => {
                    *times = times.saturating_add(1);
                    return;
                }
                (Kind::Prevents { amount, .. }, Kind::Prevents { amount: more, .. }) => {
                    *amount = amount.saturating_add(more);
                    return;
                }
                _ => {}
            }
        }
        self.push_lasting(on, kind, until);
    }

    /// Begins an effect on a player.
    pub(super) fn add_seat_effect(&mut self, kind: Kind) {
        self.push_lasting(0, kind, Until::EndOfTurn);
    }

    fn push_lasting(&mut self, on: Slots, kind: Kind, until: Until) {
        if self.effects.is_full() {
            // Room is short: the oldest effect that ends with the turn goes.
            let oldest =
                self.effects.iter().position(|old| old.until == Until::EndOfTurn).unwrap_or(0);
            self.effects.remove(oldest);
        }
        let elders = self.board.elders.len() as u8;
        self.effects.push(Lasting { on, kind, until, elders });
    }

    /// Ends what lasts until now.
    pub(super) fn expire(&mut self, over: impl Fn(Until) -> bool) {
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

fn until(lasts: Lasts, ctx: &Ctx) -> Until {
    match lasts {
        Lasts::Turn => Until::EndOfTurn,
        Lasts::Forever => Until::Forever,
        Lasts::NextUntap => Until::Untap(ctx.you),
        Lasts::WhileTapped => Until::Untapped(ctx.this),
    }
}

/// Each different aim, and how often it was chosen.
fn shares(aims: &Row<Aim, AIMS>) -> impl Iterator<Item = (Aim, i16)> {
    aims.iter()
        .enumerate()
        .filter(|&(index, aim)| !aims[..index].contains(aim))
        .map(|(_, &aim)| (aim, aims.iter().filter(|&&other| other == aim).count() as i16))
}

#[cfg(test)]
#[test]
fn an_aim_chosen_twice_has_two_shares() {
    let mut aims = Row::<Aim, AIMS>::new();
    for aim in [Aim::Seat(1), Aim::Slot(4), Aim::Seat(1)] {
        aims.push(aim);
    }
    assert!(shares(&aims).eq([(Aim::Seat(1), 2), (Aim::Slot(4), 1)]));
}
