//! 106, 601.2g: what mana a player can make, and paying with it.

pub(super) mod available;
pub(super) mod costly;

use crate::magic::language::{Effect, Event, Keyword, Mana, Produce, Static, Type};
use crate::magic::machine::{Machine, Note, Watch};
use crate::magic::mana::available::AvailableMana;
use crate::magic::state::bounds::Bound;
use crate::magic::state::slots::{Slots, each, has};
use crate::magic::state::{Magic, Owed, rule};
use crate::magic::table::listen;
use crate::magic::table::program::Step;
use crate::magic::zones::select::Ctx;

const COLOURLESS: u8 = 1 << Mana::C as u8;
const EVERY: u8 = 0b11_1111;

impl Magic {
    /// The kinds of mana that tapping a permanent gives, one bit each.
    #[inline]
    pub(super) fn mana_of(&self, slot: u8) -> u8 {
        if self.board.retyped != 0 && has(self.board.retyped, slot) {
            return (0..5)
                .filter(|&kind| has(self.board.land_types[kind], slot))
                .fold(0, |all, kind| all | 1 << kind);
        }
        self.def_at(slot).taps_for
    }

    /// What a seat can tap for mana now.
    #[inline]
    pub(super) fn mana_sources(&self, seat: u8) -> Slots {
        let board = &self.board;
        let pending = board.summoning_sick
            & board.types[Type::Creature as usize]
            & !board.keywords[Keyword::Haste as usize];
        board.mana
            & self.controlled(seat)
            & !board.tapped
            & !pending
            & !board.rules[rule::NO_ABILITIES]
    }

    /// All mana that a seat could spend now without other costs.
    // Inlined so that it is filled where it stays: to copy what was just written
    // byte by byte takes longer than to fill it.
    #[inline(always)]
    pub(super) fn available_mana(&self, seat: u8) -> AvailableMana {
        let mut available = AvailableMana::new();
        self.fill_available(seat, &mut available);
        available
    }

    fn fill_available(&self, seat: u8, available: &mut AvailableMana) {
        let wild = self.spends_as_any(seat);
        let pool = &self.seats[seat as usize].pool;
        if *pool != [0; 6] {
            for (kind, &amount) in pool.iter().enumerate() {
                available.add(spendable(1 << kind, wild), amount);
            }
        }
        let sources = self.mana_sources(seat);
        let basics = sources & self.board.basics;
        for (kind, lands) in self.board.land_types.iter().enumerate() {
            let lands = basics & lands;
            if lands != 0 {
                available.add(spendable(1 << kind, wild), lands.count_ones() as u8);
            }
        }
        for slot in each(sources & !basics) {
            available.add(spendable(self.mana_of(slot), wild), self.mana_amount(slot));
        }
        if self.board.listening & listen::MANA != 0 {
            self.add_bonus_mana(sources, wild, available);
        }
    }

    /// Adds mana that a seat could come to have.
    pub(super) fn add_to_available(
        &self,
        seat: u8,
        available: &mut AvailableMana,
        kinds: u8,
        amount: u8,
    ) {
        available.add(spendable(kinds, self.spends_as_any(seat)), amount);
    }

    /// Of `sources` that are alike for payments, basic lands of one type, the
    /// first; and all others.
    fn unlike(&self, sources: Slots) -> Slots {
        let alike = sources & self.board.basics & !self.creatures();
        let first = |lands: &Slots| {
            let lands = alike & lands;
            lands & lands.wrapping_neg()
        };
        self.board.land_types.iter().map(first).fold(sources & !alike, |all, one| all | one)
    }

    pub(super) fn mana_amount(&self, slot: u8) -> u8 {
        if self.board.retyped != 0 && has(self.board.retyped, slot) {
            1
        } else {
            self.def_at(slot).taps_amount
        }
    }

    /// Mana of triggered mana abilities that tapping would set off.
    fn add_bonus_mana(&self, sources: Slots, wild: Option<Mana>, available: &mut AvailableMana) {
        for slot in each(sources) {
            self.bonus_mana(slot, |mana| available.add(spendable(1 << mana as u8, wild), 1));
        }
    }

    /// 605.1b: the mana that tapping `slot` for mana adds besides its own.
    fn bonus_mana(&self, slot: u8, mut found: impl FnMut(Mana)) {
        for watcher in each(self.board.used) {
            let def = self.def_at(watcher);
            if def.listens & listen::MANA == 0 || has(self.board.retyped, watcher) {
                continue;
            }
            for trigger in &def.triggers {
                let steps = &def.programs[trigger.program as usize].steps;
                if let Event::TappedForMana(who) = &trigger.on
                    && let [Step::Do(Effect::AddMana { mana, .. })] = steps.as_slice()
                    && self.concerns(who, watcher, slot)
                {
                    mana.iter().for_each(|&mana| found(mana));
                }
            }
        }
    }

    /// The mana that a seat may spend as any colour, if others are colourless
    /// for it.
    fn spends_as_any(&self, seat: u8) -> Option<Mana> {
        let sources = self.board.statics & self.controlled(seat);
        if sources == 0 {
            return None;
        }
        each(sources).find_map(|slot| {
            self.statics_at(slot).iter().find_map(|ability| match ability {
                Static::SpendAsAny(mana) => Some(*mana),
                _ => None,
            })
        })
    }

    /// What a spell of a seat costs besides its mana cost.
    pub(super) fn surcharge(&self, seat: u8, card: u8) -> Owed {
        let mut owed = Owed::default();
        for slot in each(self.board.statics) {
            for ability in self.statics_at(slot) {
                let Static::CostsMore { who, spell, by } = ability else { continue };
                let ctx = Ctx::of(self, slot);
                let item = crate::magic::state::Item {
                    card,
                    you: seat,
                    spell: true,
                    ..Default::default()
                };
                if who.is_none_or(|side| self.side(side, &ctx) == seat)
                    && self.spell_fits(spell, &item, &ctx)
                {
                    owed = owed.and(&Owed::new(by, 0, None));
                }
            }
        }
        owed
    }

    /// What a spell costs in all.
    pub(super) fn spell_cost(&self, seat: u8, card: u8, x: u8) -> Owed {
        let owed = Owed::new(&self.def(card).cost, x, None);
        if self.board.statics == 0 { owed } else { owed.and(&self.surcharge(seat, card)) }
    }

    /// Another spell in hand that could still be paid for after this cost; the
    /// dearest one.
    fn reserve(&self, seat: u8, available: &AvailableMana, owed: &Owed) -> Owed {
        let mut best = Owed::default();
        let mut value = 0;
        for card in self.seats[seat as usize].hand.iter() {
            let card = card + seat * crate::magic::table::DECK as u8;
            let def = self.def(card);
            if !def.is(Type::Land) && def.cost.value() > value {
                let cost = self.spell_cost(seat, card, 0);
                if available.pays(&owed.and(&cost)) {
                    (best, value) = (cost, def.cost.value());
                }
            }
        }
        best
    }
}

/// What mana of these kinds can be spent as.
fn spendable(kinds: u8, wild: Option<Mana>) -> u8 {
    match wild {
        None => kinds,
        Some(mana) if kinds >> mana as u8 & 1 == 1 => EVERY,
        Some(_) => COLOURLESS,
    }
}

impl<W: Watch> Machine<'_, W> {
    /// Pays mana, tapping what keeps most choices.
    pub(super) fn pay(&mut self, seat: u8, mut owed: Owed) {
        let total = owed.coloured.iter().fold(owed.generic, |all, &mana| all.saturating_add(mana));
        self.watch.note(Note::Spent(seat, total));
        let wild = self.spends_as_any(seat);
        self.spend_pool(seat, &mut owed, wild);
        if owed.is_paid() {
            return;
        }
        let mut available = self.available_mana(seat);
        if available.is_uniform() {
            return self.pay_alike(seat, owed, wild);
        }
        let reserve = self.reserve(seat, &available, &owed);
        loop {
            let next = self.next_source(seat, &available, &owed, &reserve, wild);
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
            if more || self.seats[seat as usize].pool != [0; 6] {
                available = self.available_mana(seat);
            } else {
                available.remove(spendable(kinds, wild), amount);
            }
        }
    }

    /// Pays when all mana is of one kind: with lands first, so that creatures
    /// can still fight.
    fn pay_alike(&mut self, seat: u8, mut owed: Owed, wild: Option<Mana>) {
        let sources = self.mana_sources(seat);
        let creatures = sources & self.creatures();
        for slot in each(sources & !creatures).chain(each(creatures)) {
            if owed.is_paid() {
                return;
            }
            let wanted = (0..6).find(|&kind| owed.coloured[kind] > 0);
            self.tap_for_mana(slot, self.kind_for(slot, wanted, wild));
            self.spend_pool(seat, &mut owed, wild);
        }
    }

    /// Uses unspent mana for what is owed.
    fn spend_pool(&mut self, seat: u8, owed: &mut Owed, wild: Option<Mana>) {
        let pool = &mut self.seats[seat as usize].pool;
        if *pool == [0; 6] {
            return;
        }
        for (kind, (held, wanted)) in pool.iter_mut().zip(&mut owed.coloured).enumerate() {
            if wild.is_none_or(|mana| mana as usize == kind) || kind == Mana::C as usize {
                let used = (*held).min(*wanted);
                *held -= used;
                *wanted -= used;
            }
        }
        if let Some(mana) = wild {
            for wanted in &mut owed.coloured {
                let used = pool[mana as usize].min(*wanted);
                pool[mana as usize] -= used;
                *wanted -= used;
            }
        }
        // What is still owed in colours is kept in the pool for no other use.
        for kind in [5, 0, 1, 2, 3, 4] {
            let used = pool[kind].min(owed.generic);
            pool[kind] -= used;
            owed.generic -= used;
        }
    }

    /// Uses unspent mana for what is owed.
    pub(super) fn spend_pool_for(&mut self, seat: u8, owed: &mut Owed) {
        let wild = self.spends_as_any(seat);
        self.spend_pool(seat, owed, wild);
    }

    /// What to tap next, and for which mana.
    fn next_source(
        &self,
        seat: u8,
        available: &AvailableMana,
        owed: &Owed,
        reserve: &Owed,
        wild: Option<Mana>,
    ) -> Option<(u8, u8)> {
        let sources = self.mana_sources(seat);
        let wanted = (0..6).find(|&kind| owed.coloured[kind] > 0);
        let mut best = None;
        let mut best_score = u32::MAX;
        // Kinds of which one mana must not be spent: what makes the same fails
        // for the same reason.
        let mut refused = 0_u64;
        for slot in each(self.unlike(sources)) {
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
            let mut left = *owed;
            let mut made = amount;
            if let Some(kind) = wanted {
                let used = made.min(left.coloured[kind]);
                left.coloured[kind] -= used;
                made -= used;
            }
            left.generic = left.generic.saturating_sub(made);
            if !rest.pays(&left) {
                refused |= u64::from(amount == 1) << as_kinds;
                continue;
            }
            // Keep another spell possible, unless nothing does.
            if !reserve.is_paid() && !rest.pays(&left.and(reserve)) {
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
    fn bonus_source(&self, sources: Slots, wanted: usize, wild: Option<Mana>) -> Option<(u8, u8)> {
        let gives = |&slot: &u8| {
            let mut kinds = 0;
            self.bonus_mana(slot, |mana| kinds |= spendable(1 << mana as u8, wild));
            kinds >> wanted & 1 == 1
        };
        each(sources).find(gives).map(|slot| (slot, self.kind_for(slot, None, wild)))
    }

    /// Lower is tapped first: few kinds before many, lands before creatures,
    /// nothing that hurts before what does.
    fn source_score(&self, slot: u8, kinds: u8) -> u32 {
        let creature = u32::from(self.is_creature(slot));
        let def = self.def_at(slot);
        u32::from(def.taps_with_more) * 100
            + creature * 50
            + kinds.count_ones() * 8
            + u32::from(def.taps_amount)
    }

    /// The mana to make for what is wanted.
    fn kind_for(&self, slot: u8, wanted: Option<usize>, wild: Option<Mana>) -> u8 {
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
    pub(super) fn add_mana(&mut self, seat: u8, kind: u8, amount: u8) {
        let held = &mut self.seats[seat as usize].pool[kind as usize];
        match held.checked_add(amount) {
            Some(all) => *held = all,
            None => self.exceed(Bound::Mana),
        }
    }

    /// 605.3: taps a permanent for mana.
    pub(super) fn tap_for_mana(&mut self, slot: u8, kind: u8) {
        let seat = self.controller(slot);
        let mut amount = 1;
        let def = self.def_at(slot);
        let mut also = None;
        if !has(self.board.retyped, slot) && def.land_types >> kind & 1 == 0 {
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
        let card = self.board.card[slot as usize];
        self.tap(slot);
        if let Some(program) = also {
            self.perform_all(card, program, &Ctx::new(seat, slot, card));
        }
        self.emit_for(listen::MANA, slot);
    }

    /// Follows the instructions of a program that asks nothing.
    pub(super) fn perform_all(&mut self, card: u8, program: u8, ctx: &Ctx) {
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
    pub(super) fn empty_pools(&mut self) {
        for seat in 0..2 {
            let pool = &mut self.seats[seat as usize].pool;
            if *pool != [0; 6] {
                let wasted = pool.iter().fold(0, |all: u8, &mana| all.saturating_add(mana));
                *pool = [0; 6];
                self.watch.note(Note::Wasted(seat, wasted));
            }
        }
    }
}
