//! Permanents entering, changing and leaving the battlefield.

use crate::magic::language::{Place, Replacement, Rule, Static, Type};
use crate::magic::machine::{Machine, Watch};
use crate::magic::state::bounds::Bound;
use crate::magic::state::groups::Named;
use crate::magic::state::order::{Known, Order};
use crate::magic::state::seat::{Seat, SeatSet};
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{ChosenTarget, ContinuousEffect, Duration, EffectKind, Magic, Task};
use crate::magic::table::card::{CardId, DeckCard};
use crate::magic::table::listen;
use crate::magic::zones::graveyard::NO_COPY;

impl<W: Watch> Machine<'_, W> {
    /// Puts a card or token onto the battlefield. If there is no room, the game
    /// ends with a fault.
    pub(in crate::magic) fn enter(
        &mut self,
        card: CardId,
        seat: Seat,
        tapped: bool,
    ) -> Option<Slot> {
        let Some(slot) = (!self.board.used).first() else {
            self.exceed(Bound::Permanents);
            return None;
        };
        let def = self.def(card);
        let board = &mut self.board;
        board.used |= slot.bit();
        board.card[slot] = card;
        board.link[slot] = None;
        board.base_controller.put(slot, seat == Seat::Second);
        board.controller.put(slot, seat == Seat::Second);
        board.tapped.put(slot, tapped);
        board.summoning_sick |= slot.bit();
        board.listening |= def.listens;
        if !def.statics.is_empty() || def.counted_body.is_some() {
            board.statics |= slot.bit();
            board.static_order.push(slot);
        }
        self.print(slot);
        self.board.dirty = true;
        if !self.board.statics.is_empty() {
            // 614.12: what it will be there decides how it enters.
            self.derive();
            if self.rules_on(slot).any(|(rule, _)| *rule == Rule::EntersTapped) {
                self.board.tapped |= slot.bit();
            }
        }
        let printed = !self.board.retyped.has(slot);
        if def.enters_tapped && printed {
            self.board.tapped |= slot.bit();
        }
        if def.as_enters.is_some() && printed {
            self.tasks.push(Task::AsEnters { seat, slot, step: 0 });
        }
        Some(slot)
    }

    /// [`enter`](Self::enter), and tells those who wait for it.
    pub(in crate::magic) fn enter_and_emit(
        &mut self,
        card: CardId,
        seat: Seat,
        tapped: bool,
    ) -> Option<Slot> {
        let slot = self.enter(card, seat, tapped)?;
        self.derive();
        self.emit_for(listen::ENTERS, slot);
        Some(slot)
    }

    /// Takes a permanent off the battlefield and out of everybody's mind, on its
    /// way to `to`.
    fn remove_permanent(&mut self, slot: Slot, to: Place) {
        let card = self.board.card[slot];
        let buried = to == Place::Graveyard && !card.is_token();
        let copy = if buried { self.copies_in_graveyard(card) } else { NO_COPY };
        let power = self.board.power[slot];
        let seat = self.controller(slot);
        let gone = !slot.bit();
        let def = self.def_at(slot);
        let board = &mut self.board;
        for set in [
            &mut board.used,
            &mut board.controller,
            &mut board.base_controller,
            &mut board.basics,
            &mut board.tapped,
            &mut board.summoning_sick,
            &mut board.attacking,
            &mut board.blocking,
            &mut board.blocked,
            &mut board.attacked,
            &mut board.damaged,
            &mut board.deathtouched,
            &mut board.first_struck,
            &mut board.usable,
            &mut board.mana,
            &mut board.retyped,
        ] {
            *set &= gone;
        }
        if board.changed {
            let derived = board.types.iter_mut().chain(&mut board.colours);
            let derived = derived.chain(&mut board.land_types);
            for set in derived.chain(&mut board.keywords).chain(&mut board.rules) {
                *set &= gone;
            }
        } else {
            // It is in the sets that its card says, and in no others.
            board.for_printed(def, |set| *set &= gone);
        }
        if board.statics.has(slot) {
            board.statics &= gone;
            if let Some(place) = board.static_order.iter().position(|&other| other == slot) {
                board.static_order.remove(place);
                let younger =
                    |effect: &&mut ContinuousEffect| effect.older_statics as usize > place;
                self.effects
                    .iter_mut()
                    .filter(younger)
                    .for_each(|effect| effect.older_statics -= 1);
            }
        }
        let board = &mut self.board;
        board.card[slot] = CardId::default();
        board.damage[slot] = 0;
        board.counters[slot] = 0;
        board.power[slot] = 0;
        board.toughness[slot] = 0;
        board.link[slot] = None;
        board.memo[slot] = 0;
        board.dirty = true;
        // Auras and blockers alone are linked to another permanent.
        let linked = self.board.blocking | self.board.types[Type::Enchantment as usize];
        for other in linked.iter() {
            if self.board.link[other] == Some(slot) {
                self.board.link[other] = None;
            }
        }
        if def.listens != 0 {
            let all = self.board.used.iter().fold(0, |all, slot| all | self.def_at(slot).listens);
            self.board.listening = all;
        }
        self.remove_references(slot, copy, power, seat);
    }

    /// 400.7: nothing that spoke of it finds it again, but as this copy in the
    /// graveyard.
    fn remove_references(&mut self, slot: Slot, copy: u8, power: i8, seat: Seat) {
        let gone = !slot.bit();
        let departed_id = self.number_departed_source(slot);
        let mut index = 0;
        while index < self.effects.len() {
            let effect = &mut self.effects[index];
            let bound = !effect.on.is_empty();
            effect.on = gone & effect.on;
            let over = bound && effect.on.is_empty() || effect.until == Duration::Untapped(slot);
            let mut pointless = false;
            if let EffectKind::Shields { source, item, .. } = &mut effect.kind
                && *source == Some(slot)
            {
                (*source, *item) = (None, departed_id);
                pointless = departed_id == 0;
            }
            if over || pointless {
                self.effects.remove(index);
            } else {
                index += 1;
            }
        }
        let state: &mut Magic = self;
        let items = state.stack.iter_mut();
        for item in items.chain([&mut state.resolution.item, &mut state.announcement.item]) {
            if item.source == Some(slot) {
                item.source = None;
                item.source_copy = copy;
                item.power = power;
            }
            if item.event == slot.into() {
                item.event = Named::NOTHING;
                item.event_copy = copy;
            }
            item.targets.replace(ChosenTarget::Slot(slot), ChosenTarget::Left(seat));
        }
        let later = state.delayed.iter_mut().map(|later| &mut later.what);
        for pending in state.pending.iter_mut().chain(later) {
            if pending.source == Some(slot) {
                pending.source = None;
                pending.source_copy = copy;
            }
            if pending.event == slot.into() {
                pending.event = Named::NOTHING;
                pending.event_copy = copy;
            }
        }
        state.leave_groups(slot);
        state.dying.slots &= gone;
        for chosen in state.resolution.chosen.iter_mut().chain(state.clock.guard.iter_mut()) {
            if *chosen == Some(slot) {
                *chosen = None;
            }
        }
    }

    /// 609.7a: gives the source that leaves a number, if abilities of it remain
    /// for which it is the source of damage; 0 if not.
    fn number_departed_source(&mut self, slot: Slot) -> u8 {
        let state: &mut Magic = self;
        let later = state.delayed.iter().map(|later| &later.what);
        let waits = state.pending.iter().chain(later).any(|pending| pending.source == Some(slot));
        let run = state.resolution.active.then_some(&state.resolution.item);
        let cast = state.announcement.active.then_some(&state.announcement.item);
        let mut items = state.stack.iter().chain(run).chain(cast);
        if !waits && !items.any(|item| item.source == Some(slot)) {
            return 0;
        }
        let departed_id = state.next_id();
        for item in
            state.stack.iter_mut().chain([&mut state.resolution.item, &mut state.announcement.item])
        {
            if item.source == Some(slot) {
                item.departed_id = departed_id;
            }
        }
        let later = state.delayed.iter_mut().map(|later| &mut later.what);
        for pending in state.pending.iter_mut().chain(later) {
            if pending.source == Some(slot) {
                pending.departed_id = departed_id;
            }
        }
        departed_id
    }

    /// Moves permanents to one place at the same time.
    pub(in crate::magic) fn move_all(&mut self, slots: Slots, to: Place) {
        let slots = slots & self.board.used;
        if to == Place::Graveyard {
            self.put_into_graveyards(slots, Slots::EMPTY);
        } else if to != Place::Battlefield {
            self.leave(slots, to);
        }
    }

    /// Has permanents leave for one place at the same time. 614.6: what goes
    /// elsewhere instead has not died.
    pub(in crate::magic) fn leave(&mut self, slots: Slots, to: Place) {
        let (mut to_top, mut exiled) = (Slots::EMPTY, Slots::EMPTY);
        for slot in slots.iter() {
            let place = self.place_for(slot, to);
            match place {
                Place::Graveyard => self.emit_for(listen::DIES, slot),
                Place::Top => to_top |= slot.bit(),
                Place::Exile => exiled |= slot.bit(),
                _ => {}
            }
            self.emit_for(listen::LEAVES, slot);
        }
        for slot in slots.iter() {
            let to = match to {
                _ if to_top.has(slot) => Place::Top,
                _ if exiled.has(slot) => Place::Exile,
                other => other,
            };
            let card = self.board.card[slot];
            self.remove_permanent(slot, to);
            if !card.is_token() {
                self.put_card(card, to, SeatSet::BOTH);
            }
        }
    }

    /// Puts a card into a zone of its owner; `seen` tells who sees it go.
    pub(in crate::magic) fn put_card(&mut self, card: CardId, to: Place, seen: SeatSet) {
        let owner = card.owner();
        let place = card.in_deck();
        let exiles = to == Place::Graveyard && self.replaces(owner, Replacement::GraveyardToExile);
        let seat = &mut self.seats[owner];
        match to {
            Place::Graveyard if !exiles => seat.graveyard.add(place),
            Place::Hand => {
                seat.hand.add(place);
                if seen.has(owner.other()) {
                    seat.shown[place] += 1;
                }
            }
            Place::Top => {
                seat.order.push_top(Known::new(place, seen));
            }
            Place::Bottom => {
                seat.order.push_bottom(Known::new(place, seen));
            }
            Place::Shuffled => {
                seat.library.add(place);
                self.shuffle(owner);
            }
            Place::Aside => {
                self.aside.add(place);
                self.aside_owner = owner;
            }
            Place::Graveyard | Place::Exile | Place::ExileToPlay | Place::Battlefield => {
                seat.exiled += 1
            }
        }
        // The size of a hand can be a creature's power.
        self.board.dirty = true;
    }

    /// Nobody knows the order of this library any more.
    pub(in crate::magic) fn shuffle(&mut self, seat: Seat) {
        let seat = &mut self.seats[seat];
        seat.order.iter().for_each(|known| seat.library.add(known.card()));
        seat.order = Order::EMPTY;
    }

    /// Takes a card out of a hand. The opponent remembers those they have seen.
    pub(in crate::magic) fn take_from_hand(&mut self, seat: Seat, card: DeckCard) {
        let seat = &mut self.seats[seat];
        seat.hand.take(card);
        let shown = &mut seat.shown[card];
        *shown = shown.saturating_sub(1).min(seat.hand.count(card));
        self.board.dirty = true;
    }

    /// Taps a permanent that is untapped.
    pub(in crate::magic) fn tap(&mut self, slot: Slot) {
        if !self.board.tapped.has(slot) {
            self.board.tapped |= slot.bit();
            self.board.dirty = true;
            self.emit_for(listen::TAPPED, slot);
        }
    }

    pub(in crate::magic) fn untap(&mut self, slots: Slots) {
        let slots = slots & self.board.tapped;
        if slots.is_empty() {
            return;
        }
        self.board.tapped &= !slots;
        self.board.dirty = true;
        let mut index = 0;
        while index < self.effects.len() {
            match self.effects[index].until {
                Duration::Untapped(slot) if slots.has(slot) => drop(self.effects.remove(index)),
                _ => index += 1,
            }
        }
    }

    /// 701.8: destroys permanents at the same time.
    pub(in crate::magic) fn destroy(&mut self, slots: Slots, can_regenerate: bool) {
        let indestructible =
            self.board.keywords[crate::magic::language::Keyword::Indestructible as usize];
        let dying = slots & self.board.used & !indestructible;
        self.put_into_graveyards(dying, if can_regenerate { dying } else { Slots::EMPTY });
    }

    /// 701.19b: uses up a regeneration shield, if there is one.
    pub(in crate::magic) fn regenerate(&mut self, slot: Slot) -> bool {
        let Some(index) = self.regeneration_of(slot) else { return false };
        let EffectKind::Regenerates { times } = &mut self.effects[index].kind else { return false };
        *times -= 1;
        if *times == 0 {
            self.effects.remove(index);
        }
        self.board.damage[slot] = 0;
        self.board.deathtouched.put(slot, false);
        self.tap(slot);
        self.leave_combat(slot);
        true
    }
}

impl Magic {
    /// Whether a replacement of `seat` is in force.
    pub(in crate::magic) fn replaces(&self, seat: Seat, what: Replacement) -> bool {
        let sources = self.board.statics & self.controlled(seat);
        self.table.0.replaces
            && sources.iter().any(|slot| self.statics_at(slot).contains(&Static::Instead(what)))
    }

    /// Takes a creature out of combat.
    pub(in crate::magic) fn leave_combat(&mut self, slot: Slot) {
        let gone = !slot.bit();
        if self.board.attacking.has(slot) {
            for blocker in self.board.blocking.iter() {
                if self.board.link[blocker] == Some(slot) {
                    self.board.link[blocker] = None;
                }
            }
        }
        if self.board.blocking.has(slot) {
            self.board.link[slot] = None;
            // Its place in the order of damage is no longer.
            self.board.memo[slot] &= 0x80;
        }
        self.board.attacking &= gone;
        self.board.blocking &= gone;
        self.board.blocked &= gone;
    }

    /// Whether the card of a permanent is a creature now.
    #[inline]
    pub(in crate::magic) fn is_creature(&self, slot: Slot) -> bool {
        self.board.types[Type::Creature as usize].has(slot)
    }
}
