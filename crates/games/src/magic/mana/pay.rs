//! 601.2h: paying mana, and which sources pay first.

use crate::magic::language::{Effect, Mana, Produce};
use crate::magic::machine::{Machine, Note, Watch};
use crate::magic::mana::available::{AvailableMana, SingleMana};
use crate::magic::mana::{COLOURLESS, spendable};
use crate::magic::state::Owed;
use crate::magic::state::bounds::Bound;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::table::card::{CardId, bits};
use crate::magic::table::listen;
use crate::magic::table::program::Step;
use crate::magic::zones::select::Ctx;

impl<W: Watch> Machine<'_, W> {
    /// Pays mana, tapping what keeps most choices.
    pub(in crate::magic) fn pay(&mut self, seat: Seat, mut owed: Owed) {
        self.watch.note(Note::Spent(seat.into(), owed.total()));
        let wild = self.spends_as_any(seat);
        self.spend_pool(seat, &mut owed, wild);
        if owed.is_paid() {
            return;
        }
        let mut available = self.available_mana(seat);
        if available.is_uniform() {
            return self.pay_alike(seat, owed, wild);
        }
        let reserve = self.reserve(seat, &available, owed);
        if wild.is_none()
            && let (Some(single), Some(sources)) =
                (available.as_single(), self.simple_sources(seat))
        {
            let tapped = self.simple_payment(sources, single, owed, reserve);
            self.board.tapped |= tapped;
            self.board.dirty = true;
            return;
        }
        loop {
            let next = self.next_source(seat, &available, owed, reserve, wild);
            let Some((slot, mana)) = next else {
                debug_assert!(false, "what was payable could not be paid");
                return;
            };
            let (kinds, amount) = (self.mana_of(slot), self.mana_amount(slot));
            self.tap_for_mana(slot, mana);
            self.spend_pool(seat, &mut owed, wild);
            if owed.is_paid() {
                return;
            }
            // Where tapping does more than to give mana that is spent at once,
            // what is left must be looked at again.
            let more = self.def_at(slot).taps_with_more || self.board.listening & listen::MANA != 0;
            if more || self.seats[seat].pool != [0; 6] {
                available = self.available_mana(seat);
            } else {
                available.remove(spendable(kinds, wild), amount);
            }
        }
    }

    /// Pays when all mana is of one kind: with lands first, so that creatures
    /// can still fight.
    fn pay_alike(&mut self, seat: Seat, mut owed: Owed, wild: Option<Mana>) {
        let sources = self.mana_sources(seat);
        let creatures = sources & self.creatures();
        let ordered = (sources & !creatures).iter().chain(creatures.iter());
        let is_plain = (sources & !self.board.basics).is_empty()
            && self.board.listening & (listen::TAPPED | listen::MANA) == 0
            && wild.is_none();
        if is_plain {
            // Each gives one mana, which is spent at once, and nothing else happens.
            let count = usize::from(owed.total());
            debug_assert!(count <= sources.len(), "what was payable could not be paid");
            self.board.tapped |= ordered.take(count).collect();
            self.board.dirty = true;
            return;
        }
        for slot in ordered {
            if owed.is_paid() {
                return;
            }
            let wanted = owed.wanted();
            self.tap_for_mana(slot, self.kind_for(slot, wanted, wild));
            self.spend_pool(seat, &mut owed, wild);
        }
    }

    /// Uses unspent mana for what is owed.
    fn spend_pool(&mut self, seat: Seat, owed: &mut Owed, wild: Option<Mana>) {
        let pool = &mut self.seats[seat].pool;
        let held = kinds_in(pool);
        for kind in bits(held) {
            let kind = kind as usize;
            if wild.is_none_or(|mana| mana as usize == kind) || kind == Mana::C as usize {
                pool[kind] -= owed.pay_kind(kind, pool[kind]);
            }
        }
        if let Some(mana) = wild {
            for kind in 0..6 {
                pool[mana as usize] -= owed.pay_kind(kind, pool[mana as usize]);
            }
        }
        // What is still owed in colours is kept in the pool for no other use. Colourless mana
        // is spent first.
        for kind in bits(held & u64::from(COLOURLESS)).chain(bits(held & !u64::from(COLOURLESS))) {
            pool[kind as usize] -= owed.pay_generic(pool[kind as usize]);
        }
    }

    /// Uses unspent mana for what is owed.
    pub(in crate::magic) fn spend_pool_for(&mut self, seat: Seat, owed: &mut Owed) {
        let wild = self.spends_as_any(seat);
        self.spend_pool(seat, owed, wild);
    }

    /// What a seat can tap for mana by its kind, if each gives one mana of one kind and does
    /// nothing else, and nobody waits for it. Nothing otherwise, or if there is mana in the pool.
    fn simple_sources(&self, seat: Seat) -> Option<[Slots; 6]> {
        let board = &self.board;
        if self.seats[seat].pool != [0; 6]
            || board.listening & (listen::TAPPED | listen::MANA) != 0
            || !board.retyped.is_empty()
        {
            return None;
        }
        let sources = self.mana_sources(seat);
        let basics = sources & board.basics;
        let [w, u, b, r, g] = board.land_types.map(|lands| basics & lands);
        let mut by_kind = [w, u, b, r, g, Slots::EMPTY];
        for slot in (sources & !basics).iter() {
            let def = self.def_at(slot);
            if !def.taps_for.is_power_of_two() || def.taps_amount != 1 || def.taps_with_more {
                return None;
            }
            by_kind[def.taps_for.trailing_zeros() as usize] |= slot.bit();
        }
        Some(by_kind)
    }

    /// What to tap of [simple sources](Self::simple_sources): what
    /// [`next_source`](Self::next_source) would choose one after the other.
    fn simple_payment(
        &self,
        mut sources: [Slots; 6],
        mut available: SingleMana,
        mut owed: Owed,
        reserve: Owed,
    ) -> Slots {
        let creatures = self.creatures();
        let mut tapped = Slots::EMPTY;
        while !owed.is_paid() {
            let wanted = owed.wanted();
            let kinds = wanted.map_or(0..6, |kind| kind..kind + 1);
            if owed.pay_kind(kinds.start, 1) == 0 {
                owed.pay_generic(1);
            }
            let (mut all, mut kept) = (Slots::EMPTY, Slots::EMPTY);
            for kind in kinds.filter(|&kind| !sources[kind].is_empty()) {
                all |= sources[kind];
                // Keep another spell possible, unless nothing does.
                if reserve.is_paid() || available.without_one(kind).pays(owed.and(reserve)) {
                    kept |= sources[kind];
                }
            }
            let lands = kept & !creatures;
            let from = [lands, kept, all].into_iter().find(|slots| !slots.is_empty());
            let Some(slot) = from.and_then(Slots::first) else {
                debug_assert!(false, "what was payable could not be paid");
                break;
            };
            let kind = (0..6).position(|kind| sources[kind].has(slot)).unwrap_or(0);
            available = available.without_one(kind);
            sources[kind] &= !slot.bit();
            tapped |= slot.bit();
        }
        tapped
    }

    /// What to tap next, and for which mana.
    fn next_source(
        &self,
        seat: Seat,
        available: &AvailableMana,
        owed: Owed,
        reserve: Owed,
        wild: Option<Mana>,
    ) -> Option<(Slot, u8)> {
        let sources = self.mana_sources(seat);
        let wanted = owed.wanted();
        let mut best = None;
        let mut best_score = u32::MAX;
        // Kinds of which one mana must not be spent: what makes the same fails
        // for the same reason.
        let mut refused = 0_u64;
        for slot in self.unlike(sources).iter() {
            let kinds = self.mana_of(slot);
            let as_kinds = spendable(kinds, wild);
            if wanted.is_some_and(|kind| as_kinds >> kind & 1 == 0) {
                continue;
            }
            let amount = self.mana_amount(slot);
            if amount == 1 && refused >> as_kinds & 1 == 1 {
                continue;
            }
            let score = self.source_score(slot, kinds);
            if score >= best_score {
                continue;
            }
            let mut rest = *available;
            rest.remove(as_kinds, amount);
            let mut left = owed;
            let used = wanted.map_or(0, |kind| left.pay_kind(kind, amount));
            left.pay_generic(amount - used);
            if !rest.pays(left) {
                refused |= u64::from(amount == 1) << as_kinds;
                continue;
            }
            // Keep another spell possible, unless nothing does.
            if !reserve.is_paid() && !rest.pays(left.and(reserve)) {
                refused |= u64::from(amount == 1) << as_kinds;
                if best.is_none() {
                    best = Some((slot, self.kind_for(slot, wanted, wild)));
                }
                continue;
            }
            best_score = score;
            best = Some((slot, self.kind_for(slot, wanted, wild)));
        }
        best.or_else(|| self.bonus_source(sources, wanted?, wild))
    }

    /// What to tap for the sake of the mana that comes with it.
    fn bonus_source(
        &self,
        sources: Slots,
        wanted: usize,
        wild: Option<Mana>,
    ) -> Option<(Slot, u8)> {
        let gives = |&slot: &Slot| {
            let mut kinds = 0;
            self.bonus_mana(slot, |mana| kinds |= spendable(1 << mana as u8, wild));
            kinds >> wanted & 1 == 1
        };
        sources.iter().find(gives).map(|slot| (slot, self.kind_for(slot, None, wild)))
    }

    /// Lower is tapped first: few kinds before many, lands before creatures,
    /// nothing that hurts before what does.
    fn source_score(&self, slot: Slot, kinds: u8) -> u32 {
        let creature = u32::from(self.is_creature(slot));
        let def = self.def_at(slot);
        u32::from(def.taps_with_more) * 100
            + creature * 50
            + kinds.count_ones() * 8
            + u32::from(def.taps_amount)
    }

    /// The mana to make for what is wanted.
    fn kind_for(&self, slot: Slot, wanted: Option<usize>, wild: Option<Mana>) -> u8 {
        let kinds = self.mana_of(slot);
        match (wanted, wild) {
            (Some(kind), None) => kind as u8,
            (_, Some(mana)) if kinds >> mana as u8 & 1 == 1 => mana as u8,
            // Colourless hurts least, where there is a choice.
            _ if kinds & COLOURLESS != 0 => Mana::C as u8,
            _ => kinds.trailing_zeros() as u8,
        }
    }

    /// Adds mana to a pool.
    pub(in crate::magic) fn add_mana(&mut self, seat: Seat, kind: u8, amount: u8) {
        let held = &mut self.seats[seat].pool[kind as usize];
        match held.checked_add(amount) {
            Some(all) => *held = all,
            None => self.exceed(Bound::Mana),
        }
    }

    /// 605.3: taps a permanent for mana.
    pub(in crate::magic) fn tap_for_mana(&mut self, slot: Slot, kind: u8) {
        let seat = self.controller(slot);
        let mut amount = 1;
        let def = self.def_at(slot);
        let mut also = None;
        if !self.board.retyped.has(slot) && def.land_types >> kind & 1 == 0 {
            let makes = |add: &Produce| match add {
                Produce::All(mana) | Produce::OneOf(mana) => mana.iter().any(|&m| m as u8 == kind),
            };
            let free = def.mana.iter().filter(|ability| ability.free && makes(&ability.add));
            if let Some(ability) = free.min_by_key(|ability| ability.program.is_some()) {
                also = ability.program;
                if let Produce::All(mana) = &ability.add {
                    amount = mana.len() as u8;
                }
            }
        }
        self.add_mana(seat, kind, amount);
        let card = self.board.card[slot];
        self.tap(slot);
        if let Some(program) = also {
            self.perform_all(card, program, &Ctx::new(seat, Some(slot), card));
        }
        self.emit_for(listen::MANA, slot);
    }

    /// Follows the instructions of a program that asks nothing.
    pub(in crate::magic) fn perform_all(&mut self, card: CardId, program: u8, ctx: &Ctx) {
        for step in &self.def(card).programs[program as usize].steps {
            match step {
                Step::Do(effect @ Effect::Damage { .. }) => {
                    self.damage_by_mana(effect, program, ctx);
                }
                Step::Do(effect) => self.perform(effect, ctx),
                _ => {}
            }
        }
    }

    /// 106.4: unspent mana is lost when a step ends.
    pub(in crate::magic) fn empty_pools(&mut self) {
        for seat in Seat::BOTH {
            let pool = &mut self.seats[seat].pool;
            if *pool != [0; 6] {
                let wasted = pool.iter().fold(0, |all: u8, &mana| all.saturating_add(mana));
                *pool = [0; 6];
                self.watch.note(Note::Wasted(seat.into(), wasted));
            }
        }
    }
}

/// The kinds of mana of which a pool has some, one bit each.
#[inline]
fn kinds_in(pool: &[u8; 6]) -> u64 {
    pool.iter().rev().fold(0, |all, &amount| all << 1 | u64::from(amount > 0))
}
