//! 106, 601.2g: what mana a player can make, and paying with it.

pub(super) mod available;
pub(super) mod costly;
mod pay;

use crate::magic::language::{Effect, Event, Keyword, Mana, Static, Type};
use crate::magic::mana::available::AvailableMana;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{Magic, Owed, rule};
use crate::magic::table::card::CardId;
use crate::magic::table::listen;
use crate::magic::table::program::Step;
use crate::magic::zones::select::Ctx;

const COLOURLESS: u8 = 1 << Mana::C as u8;
const EVERY: u8 = 0b11_1111;

impl Magic {
    /// The kinds of mana that tapping a permanent gives, one bit each.
    #[inline]
    pub(super) fn mana_of(&self, slot: Slot) -> u8 {
        if self.board.retyped.has(slot) {
            return (0..5)
                .filter(|&kind| self.board.land_types[kind].has(slot))
                .fold(0, |all, kind| all | 1 << kind);
        }
        self.def_at(slot).taps_for
    }

    /// What a seat can tap for mana now.
    #[inline]
    pub(super) fn mana_sources(&self, seat: Seat) -> Slots {
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
    // Inlined so that it is filled where it stays.
    #[inline(always)]
    pub(super) fn available_mana(&self, seat: Seat) -> AvailableMana {
        let mut available = AvailableMana::new();
        self.fill_available(seat, &mut available);
        available
    }

    /// Adds all mana that a seat could spend now without other costs, to nothing.
    pub(super) fn fill_available(&self, seat: Seat, available: &mut AvailableMana) {
        let sources = self.mana_sources(seat);
        if self.table.0.spends_as_any || self.board.listening & listen::MANA != 0 {
            return self.add_wild_mana(seat, sources, available);
        }
        let basics = sources & self.board.basics;
        available.add_basics(self.board.land_types.map(|lands| (basics & lands).len() as u8));
        if self.seats[seat].pool != [0; 6] {
            self.add_pool(seat, None, available);
        }
        if basics != sources {
            self.add_sources(sources & !basics, None, available);
        }
    }

    /// Adds all mana where it can be spent as other kinds, or where tapping gives more than
    /// its own.
    #[inline(never)]
    fn add_wild_mana(&self, seat: Seat, sources: Slots, available: &mut AvailableMana) {
        let wild = self.spends_as_any(seat);
        self.add_pool(seat, wild, available);
        self.add_sources(sources, wild, available);
        if self.board.listening & listen::MANA != 0 {
            self.add_bonus_mana(sources, wild, available);
        }
    }

    #[inline(never)]
    fn add_sources(&self, sources: Slots, wild: Option<Mana>, available: &mut AvailableMana) {
        for slot in sources.iter() {
            available.add(spendable(self.mana_of(slot), wild), self.mana_amount(slot));
        }
    }

    #[inline(never)]
    fn add_pool(&self, seat: Seat, wild: Option<Mana>, available: &mut AvailableMana) {
        for (kind, &amount) in self.seats[seat].pool.iter().enumerate() {
            available.add(spendable(1 << kind, wild), amount);
        }
    }

    /// Adds mana that a seat could have.
    pub(super) fn add_to_available(
        &self,
        seat: Seat,
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
        let first = |lands: &Slots| (alike & *lands).only_first();
        self.board.land_types.iter().map(first).fold(sources & !alike, |all, one| all | one)
    }

    pub(super) fn mana_amount(&self, slot: Slot) -> u8 {
        if self.board.retyped.has(slot) { 1 } else { self.def_at(slot).taps_amount }
    }

    /// Mana of triggered mana abilities that tapping would set off.
    fn add_bonus_mana(&self, sources: Slots, wild: Option<Mana>, available: &mut AvailableMana) {
        for slot in sources.iter() {
            self.bonus_mana(slot, |mana| available.add(spendable(1 << mana as u8, wild), 1));
        }
    }

    /// 605.1b: the mana that tapping `slot` for mana adds besides its own.
    fn bonus_mana(&self, slot: Slot, mut found: impl FnMut(Mana)) {
        for watcher in self.board.used.iter() {
            let def = self.def_at(watcher);
            if def.listens & listen::MANA == 0 || self.board.retyped.has(watcher) {
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
    fn spends_as_any(&self, seat: Seat) -> Option<Mana> {
        if !self.table.0.spends_as_any {
            return None;
        }
        let sources = self.board.statics & self.controlled(seat);
        sources.iter().find_map(|slot| {
            self.statics_at(slot).iter().find_map(|ability| match ability {
                Static::SpendAsAny(mana) => Some(*mana),
                _ => None,
            })
        })
    }

    /// What a spell of a seat costs besides its mana cost.
    pub(super) fn surcharge(&self, seat: Seat, card: CardId) -> Owed {
        let mut owed = Owed::default();
        for slot in self.board.statics.iter() {
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
                    owed = owed.and(Owed::new(by, 0, None));
                }
            }
        }
        owed
    }

    /// What a spell costs in all.
    #[inline(always)]
    pub(super) fn spell_cost(&self, seat: Seat, card: CardId, x: u8) -> Owed {
        let def = self.def(card);
        let owed = if x == 0 { def.owed } else { Owed::new(&def.cost, x, None) };
        if self.table.0.surcharges { owed.and(self.surcharge(seat, card)) } else { owed }
    }

    /// Another spell in hand that could still be paid for after this cost; the
    /// dearest one.
    fn reserve(&self, seat: Seat, available: &AvailableMana, owed: Owed) -> Owed {
        let mut best = Owed::default();
        let mut value = 0;
        for card in self.seats[seat].hand.iter() {
            let card = card.of(seat);
            let def = self.def(card);
            if !def.is(Type::Land) && def.mana_value > value {
                let cost = self.spell_cost(seat, card, 0);
                if available.pays(owed.and(cost)) {
                    (best, value) = (cost, def.mana_value);
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
