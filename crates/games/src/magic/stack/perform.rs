//! Instructions that are followed at once, without a question.

use crate::magic::language::{Amount, Effect, Place, Ref, Zone};
use crate::magic::layers::small;
use crate::magic::machine::{Machine, Watch};
use crate::magic::state::bounds::Bound;
use crate::magic::state::pile::Pile;
use crate::magic::state::seat::{Seat, SeatSet};
use crate::magic::state::{
    At, ChosenTarget, ChosenTargets, DelayedTrigger, Duration, EXTRA_TURNS, EffectKind,
};
use crate::magic::table::card::{ByDeckCard, CardId};
use crate::magic::zones::select::Ctx;

impl<W: Watch> Machine<'_, W> {
    /// Follows an instruction that leaves no changed rule behind.
    pub(in crate::magic) fn perform(&mut self, effect: &Effect, ctx: &Ctx) {
        self.perform_at(effect, ctx, At { card: ctx.this_card, program: 0, step: 0 });
    }

    /// Follows an instruction, which is this step of a program.
    pub(super) fn perform_at(&mut self, effect: &Effect, ctx: &Ctx, at: At) {
        match effect {
            Effect::Damage { .. } => self.damage(effect, ctx),
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
                for slot in self.refer(what, ctx).slots.iter() {
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
                if power != 0 || toughness != 0 || !keywords.is_empty() {
                    let kind = EffectKind::Gets { power, toughness, keywords: keywords.0 };
                    self.add_for(on, kind, *lasts, ctx);
                }
                if !loses.is_empty() {
                    self.add_for(on, EffectKind::Loses { keywords: loses.0 }, *lasts, ctx);
                }
            }
            Effect::Becomes { what, lasts, .. } => {
                let on = self.refer(what, ctx).slots;
                self.add_for(on, EffectKind::Becomes { at, land_type: ctx.kept }, *lasts, ctx);
            }
            Effect::Bind { what, lasts, .. } => {
                let on = self.refer(what, ctx).slots;
                self.add_for(on, EffectKind::Binds { at }, *lasts, ctx);
            }
            Effect::Control { what, lasts } => {
                let on = self.refer(what, ctx).slots;
                self.add_for(on, EffectKind::Controls { seat: ctx.you }, *lasts, ctx);
            }
            Effect::ExchangeChosen => self.exchange(ctx),
            Effect::Counter { what, to } => self.counter(what, *to, ctx),
            Effect::ShowHand { whose } => {
                let seats = self.seats(whose, ctx);
                for seat in seats.iter() {
                    self.show_hand(seat);
                }
            }
            Effect::Shuffle { whose } => {
                let seats = self.seats(whose, ctx);
                for seat in seats.iter() {
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
                    let [first, second] = &mut self.seats.0;
                    std::mem::swap(&mut first.life, &mut second.life);
                }
            }
            Effect::Token { token, who, amount } => self.make_tokens(token, who, amount, ctx),
            Effect::AddMana { who, mana } => {
                let seat = self.seat(who, ctx);
                for kind in mana {
                    self.add_mana(seat, *kind as u8, 1);
                }
            }
            Effect::LoseMana { who } => {
                let seats = self.seats(who, ctx);
                for seat in seats.iter() {
                    self.seats[seat].pool = [0; 6];
                }
            }
            Effect::Prevent { amount, to } => self.prevent(amount, to, ctx),
            Effect::Fog => self.clock.combat_damage_prevented = true,
            Effect::Guard => self.clock.guard[ctx.you] = ctx.this,
            Effect::Regenerate { what } => {
                let on = self.refer(what, ctx).slots;
                self.add_continuous_effect(
                    on,
                    EffectKind::Regenerates { times: 1 },
                    Duration::EndOfTurn,
                );
            }
            Effect::ExtraTurn => self.add_extra_turn(ctx.you),
            Effect::ExtraCombat => self.clock.extra_combats += 1,
            Effect::ExtraLands(count) => self.seats[ctx.you].extra_lands += count,
            Effect::LoseGame { who } => {
                let seats = self.seats(who, ctx);
                for seat in seats.iter() {
                    self.seats[seat].lost = true;
                }
            }
            // The rest are questions or several steps; `execute` has them.
            _ => {}
        }
    }

    fn put(&mut self, what: &Ref, to: Place, under: Option<Seat>, tapped: bool, ctx: &Ctx) {
        if *what == Ref::Aside {
            return self.put_aside(to, under, tapped);
        }
        let itself = self.resolution.active && self.resolution.item.spell && *what == Ref::This;
        if itself {
            self.resolution.moved = true;
            return self.put_card(self.resolution.item.card, to, SeatSet::BOTH);
        }
        let card = ctx.event_card;
        let named = *what == Ref::Event && ctx.event.is_nothing() && !card.is_token();
        if named && self.aside.has(card.in_deck()) && self.aside_owner == card.owner() {
            self.aside.take(card.in_deck());
            return self.put_or_enter(card, to, under, tapped);
        }
        if named && let Some(place) = self.playable.iter().position(|&(one, _)| one == card) {
            self.playable.remove(place);
            self.seats[card.owner()].exiled -= 1;
            return self.put_or_enter(card, to, under, tapped);
        }
        let slots = self.refer(what, ctx).slots;
        let buried = self.cards_in_graveyards(what, ctx);
        self.move_all(slots, to);
        for &copied in buried.iter() {
            self.take_from_graveyard(copied);
            self.put_or_enter(copied.0, to, under, tapped);
        }
    }

    fn put_aside(&mut self, to: Place, under: Option<Seat>, tapped: bool) {
        let owner = self.aside_owner;
        let seen = self.aside_seen;
        for card in self.aside.iter() {
            while self.aside.has(card) {
                self.aside.take(card);
                let number = card.of(owner);
                if to == Place::Battlefield {
                    self.put_or_enter(number, to, under, tapped);
                } else {
                    self.put_card(number, to, seen);
                }
            }
        }
    }

    fn put_or_enter(&mut self, card: CardId, to: Place, under: Option<Seat>, tapped: bool) {
        if to == Place::Battlefield {
            let seat = under.unwrap_or(card.owner());
            if let Some(slot) = self.enter_and_emit(card, seat, tapped) {
                self.resolution.item.event = slot.into();
            }
        } else {
            self.put_card(card, to, SeatSet::BOTH);
        }
    }

    /// 500.7: a turn after this one, before those created earlier. What is to
    /// happen in one of the player's extra turns moves on with it.
    pub(in crate::magic) fn add_extra_turn(&mut self, seat: Seat) {
        if self.seats.iter().map(|seat| seat.extra_turns).sum::<u8>() == EXTRA_TURNS {
            return self.exceed(Bound::Turns);
        }
        self.seats[seat].extra_turns += 1;
        self.clock.extra_turns = self.clock.extra_turns << 1 | u32::from(seat.number());
        let turn = self.clock.turn;
        let pending =
            |later: &&mut DelayedTrigger| later.whose == Some(seat) && later.from_turn > turn;
        self.delayed.iter_mut().filter(pending).for_each(|later| later.from_turn += 1);
    }

    fn exchange(&mut self, ctx: &Ctx) {
        let [Some(first), Some(second)] = ctx.chosen else { return };
        let (one, other) = (self.controller(first), self.controller(second));
        if one != other {
            self.add_continuous_effect(
                first.bit(),
                EffectKind::Controls { seat: other },
                Duration::Forever,
            );
            self.add_continuous_effect(
                second.bit(),
                EffectKind::Controls { seat: one },
                Duration::Forever,
            );
        }
        self.resolution.chosen = [None; 2];
        self.resolution.chosen_count = 0;
    }

    fn counter(&mut self, what: &Ref, to: Place, ctx: &Ctx) {
        let items = self.refer(what, ctx).items;
        if items == 0 {
            return;
        }
        let item = self.stack.remove(items.trailing_zeros() as usize);
        // What follows may still speak of its controller.
        let left = ChosenTarget::Left(item.you);
        self.resolution.item.targets.replace(ChosenTarget::Item(item.id), left);
        if item.spell {
            self.put_or_enter(item.card, to, Some(ctx.you), false);
        }
    }

    /// The opponent learns what a hand holds.
    pub(super) fn show_hand(&mut self, seat: Seat) {
        let seat = &mut self.seats[seat];
        for card in seat.hand.iter() {
            seat.shown[card] = seat.hand.count(card);
        }
    }

    fn clear_zones(&mut self, whose: &Ref, from: &[Zone], shuffle: bool, ctx: &Ctx) {
        let seats = self.seats(whose, ctx);
        for owner in seats.iter() {
            for zone in from {
                let mut pile = self.empty_zone(*zone, owner);
                let seat = &mut self.seats[owner];
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

    fn empty_zone(&mut self, zone: Zone, owner: Seat) -> Pile {
        match zone {
            Zone::Library => self.shuffle(owner),
            Zone::Graveyard => self.forget_graveyard(owner),
            _ => {}
        }
        let state = &mut **self;
        let seat = &mut state.seats[owner];
        let pile = match zone {
            Zone::Hand => {
                seat.shown = ByDeckCard([0; _]);
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
        for seat in seats.iter() {
            let amount = self.amount(amount, &Ctx { them: Some(seat), ..*ctx });
            self.seats[seat].life += sign * amount.max(0);
        }
    }

    fn make_tokens(&mut self, name: &str, who: &Ref, amount: &Amount, ctx: &Ctx) {
        let Some(number) = self.table.0.cards.token(|token| token.name == name) else { return };
        let seats = self.seats(who, ctx);
        for seat in [self.clock.active, self.clock.active.other()] {
            if seats.has(seat) {
                let card = CardId::token(number, seat);
                let amount = self.amount(amount, &Ctx { them: Some(seat), ..*ctx });
                for _ in 0..amount {
                    if self.enter_and_emit(card, seat, false).is_none() {
                        break;
                    }
                }
            }
        }
    }
}

/// Each different aim, and how often it was chosen.
pub(in crate::magic) fn shares(
    targets: &ChosenTargets,
) -> impl Iterator<Item = (ChosenTarget, i16)> {
    targets
        .iter()
        .enumerate()
        .filter(|&(index, target)| !targets.iter().take(index).any(|other| other == target))
        .map(|(_, target)| (target, targets.count(target) as i16))
}

#[cfg(test)]
#[test]
fn a_target_chosen_twice_has_two_shares() {
    use crate::magic::state::slots::Slot;

    let (seat, slot) = (ChosenTarget::Seat(Seat::Second), ChosenTarget::Slot(Slot::new(4)));
    let mut targets = ChosenTargets::new();
    [seat, slot, seat].into_iter().for_each(|target| targets.push(target));
    assert!(shares(&targets).eq([(seat, 2), (slot, 1)]));
}
