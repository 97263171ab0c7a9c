//! 601.2c, 602.5, 118.3: which spells can be cast, which abilities activated, and their legal targets.

use crate::magic::language::{Cost, Filter, Keyword, Target, Timing, Type, Zone};
use crate::magic::mana::available::AvailableMana;
use crate::magic::mana::costly::TotalCost;
use crate::magic::state::seat::{Seat, SeatSet};
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{ChosenTarget, Item, Magic, Owed, Phase, rule};
use crate::magic::table::Activated;
use crate::magic::table::card::{CardId, DeckCard};
use crate::magic::zones::select::{Ctx, Found};

impl Magic {
    /// What an item may be aimed at by this kind of target.
    pub(in crate::magic) fn legal_targets(&self, target: &Target, item: &Item) -> Found {
        let ctx = Ctx::of_item(item);
        let mut found = Found::default();
        match target {
            Target::Any => {
                found.slots = self.board.types[Type::Creature as usize] & self.targetable(item);
                found.seats = SeatSet::BOTH;
            }
            Target::Player => found.seats = SeatSet::BOTH,
            Target::Opponent => found.seats = item.you.other().bit(),
            Target::Permanent(filter) => {
                found.slots = self.matching(filter, &ctx) & self.targetable(item);
            }
            Target::Spell(filter) => {
                for (place, other) in self.stack.iter().enumerate() {
                    if self.spell_fits(filter, other, &ctx) {
                        found.items |= 1 << place;
                    }
                }
            }
            Target::SpellWithOneTarget => {
                for (place, other) in self.stack.iter().enumerate() {
                    if other.spell && other.targets.len() == 1 && other.id != item.id {
                        found.items |= 1 << place;
                    }
                }
            }
            Target::Card { whose, card } => {
                for owner in Seat::BOTH {
                    if whose.is_none_or(|side| self.side(side, &ctx) == owner) {
                        let graveyard = &self.seats[owner].graveyard;
                        found.cards[owner] = graveyard
                            .iter()
                            .filter(|&one| self.card_fits(card, one.of(owner), &ctx))
                            .collect();
                    }
                }
            }
            Target::UpTo(_, inner) | Target::Divided(_, inner) => {
                return self.legal_targets(inner, item);
            }
        }
        found
    }

    /// 702.11, 702.16, 702.18: the permanents that this may target.
    fn targetable(&self, item: &Item) -> Slots {
        let board = &self.board;
        let mut barred = board.keywords[Keyword::Shroud as usize]
            | board.keywords[Keyword::Hexproof as usize] & !self.controlled(item.you);
        if item.spell {
            barred |= board.rules[rule::NO_SPELLS];
        }
        let colours = self.colours_of_item(item);
        for colour in 0..5 {
            if colours >> colour & 1 == 1 {
                barred |= board.keywords[Keyword::ProtectionFromWhite as usize + colour];
            }
        }
        board.used & !barred
    }

    /// The colours of the source of an item.
    fn colours_of_item(&self, item: &Item) -> u8 {
        match item.source {
            Some(source) => self.colours_at(source),
            None => self.colours_of(item.source_card, item.you),
        }
    }

    /// The colours of a permanent.
    pub(in crate::magic) fn colours_at(&self, slot: Slot) -> u8 {
        (0..5)
            .filter(|&colour| self.board.colours[colour].has(slot))
            .fold(0, |all, colour| all | 1 << colour)
    }

    /// Whether every target that must be chosen can be.
    pub(in crate::magic) fn has_legal_targets(&self, item: &Item) -> bool {
        let targets = &self.def(item.card).programs[item.program as usize].targets;
        targets.iter().all(|target| {
            matches!(target, Target::UpTo(..)) || !self.legal_targets(target, item).is_empty()
        })
    }

    /// Whether a seat may cast what only fits an empty stack in its main phase.
    #[inline]
    pub(in crate::magic) fn is_sorcery_time(&self, seat: Seat) -> bool {
        self.clock.active == seat
            && matches!(self.clock.phase, Phase::Main | Phase::SecondMain)
            && self.stack.is_empty()
    }

    /// Whether a seat can cast this card, wherever it is, timing aside.
    #[inline]
    pub(in crate::magic) fn can_cast(
        &self,
        seat: Seat,
        card: CardId,
        available: &AvailableMana,
    ) -> bool {
        let mana = self.spell_cost(seat, card, 0);
        let affords = available.pays(mana) || {
            let total_cost = TotalCost { seat, mana, cost: &[], source: None, card };
            self.affords(&total_cost, available)
        };
        affords && (self.def(card).needs_no_target || self.has_targets(seat, card, available))
    }

    /// Whether targets can be chosen for some mode of a spell.
    #[inline(never)]
    fn has_targets(&self, seat: Seat, card: CardId, available: &AvailableMana) -> bool {
        self.def(card).modes.iter().any(|&program| {
            let item = Item { program, ..self.spell_item(seat, card) };
            self.has_targets_for_some_x(&item, available)
        })
    }

    /// Whether targets can be chosen with some `X` that can be paid.
    fn has_targets_for_some_x(&self, item: &Item, available: &AvailableMana) -> bool {
        if self.def(item.card).cost.variable == 0 {
            return self.has_legal_targets(item);
        }
        let most = self.most_x(item, available);
        (0..=most).any(|x| self.has_legal_targets(&Item { x, ..*item }))
    }

    /// The greatest `X` that can be paid for.
    pub(super) fn most_x(&self, item: &Item, available: &AvailableMana) -> u8 {
        let mut x = 0;
        let pays = |x: u8| {
            let total_cost = TotalCost::of(self, item, self.owed_for(item, x));
            self.affords(&total_cost, available)
                && self.pays_beside(item.you, item.source, total_cost.cost, total_cost.mana)
        };
        while x < u8::MAX && pays(x + 1) {
            x += 1;
        }
        x
    }

    pub(in crate::magic) fn owed_for(&self, item: &Item, x: u8) -> Owed {
        if item.spell {
            return self.spell_cost(item.you, item.card, x);
        }
        match self.activated(item) {
            Some(ability) => Owed::new(&ability.mana, x, ability.x_only),
            None => Owed::default(),
        }
    }

    /// The activated ability that an item is.
    pub(in crate::magic) fn activated(&self, item: &Item) -> Option<&'static Activated> {
        self.def(item.card).activated.iter().find(|ability| ability.program == item.program)
    }

    /// A spell before anything is chosen.
    pub(super) fn spell_item(&self, seat: Seat, card: CardId) -> Item {
        let program = self.def(card).modes[0];
        Item { card, program, source_card: card, you: seat, spell: true, ..Item::default() }
    }

    /// An ability of a permanent before anything is chosen.
    pub(in crate::magic) fn ability_item(
        &self,
        seat: Seat,
        slot: Option<Slot>,
        card: CardId,
        ability: &Activated,
    ) -> Item {
        let source_card = slot.map_or(card, |slot| self.board.card[slot]);
        let power = slot.map_or(0, |slot| self.board.power[slot]);
        Item {
            card,
            program: ability.program,
            source: slot,
            source_card,
            power,
            you: seat,
            ..Item::default()
        }
    }

    /// Whether a seat can use an ability of a permanent, or of a card in its
    /// graveyard if `slot` is none.
    pub(in crate::magic) fn can_use(
        &self,
        seat: Seat,
        slot: Option<Slot>,
        card: CardId,
        ability: &'static Activated,
        available: &AvailableMana,
    ) -> bool {
        let in_time = ability.only.iter().all(|timing| match timing {
            Timing::YourTurn => self.clock.active == seat,
            Timing::YourUpkeep => self.clock.active == seat && self.clock.phase == Phase::Upkeep,
            Timing::Sorcery => self.is_sorcery_time(seat),
            Timing::OncePerTurn => slot.is_none_or(|slot| self.board.memo[slot] & 0x80 == 0),
        });
        let total_cost = TotalCost {
            seat,
            mana: Owed::new(&ability.mana, 0, None),
            cost: &ability.cost,
            source: slot,
            card,
        };
        if !in_time || !self.affords(&total_cost, available) {
            return false;
        }
        if slot.is_some_and(|slot| self.board.rules[rule::NO_ABILITIES].has(slot)) {
            return false;
        }
        let item = self.ability_item(seat, slot, card, ability);
        let ctx = Ctx::of_item(&item);
        self.pays_beside(seat, slot, &ability.cost, total_cost.mana)
            && ability.cost.iter().all(|cost| self.can_pay_part(cost, &ctx))
            && {
                let targets = &self.def(card).programs[ability.program as usize].targets;
                targets.is_empty() || self.has_legal_targets(&item)
            }
    }

    /// Whether mana can be paid without a permanent that the same cost taps.
    pub(in crate::magic) fn pays_beside(
        &self,
        seat: Seat,
        slot: Option<Slot>,
        cost: &[Cost],
        mana: Owed,
    ) -> bool {
        let Some(slot) = slot else { return true };
        if mana.is_paid() || !self.mana_sources(seat).has(slot) || !cost.contains(&Cost::Tap) {
            return true;
        }
        let mut tapped = *self;
        tapped.board.tapped |= slot.bit();
        tapped.available_mana(seat).pays(mana)
    }

    /// Whether a part of a cost other than mana can be paid.
    pub(in crate::magic) fn can_pay_part(&self, cost: &Cost, ctx: &Ctx) -> bool {
        let seat = &self.seats[ctx.you];
        let many = |filter: &Filter, slots: Slots| (self.matching(filter, ctx) & slots).len();
        match cost {
            Cost::Mana(_) | Cost::ManaWithX(..) | Cost::X => true,
            Cost::ManaCostOf(what, _) => self.mana_cost_of(what, ctx).is_some(),
            Cost::Tap => ctx.this.is_some_and(|this| self.can_tap(this)),
            Cost::SacrificeThis => ctx.this.is_some(),
            Cost::Life(life) => seat.life >= i16::from(*life),
            Cost::Sacrifice(count, filter) => {
                many(filter, self.controlled(ctx.you)) >= usize::from(*count)
            }
            Cost::TapOther(count, filter) => {
                many(filter, self.controlled(ctx.you) & !self.board.tapped) >= usize::from(*count)
            }
            Cost::Discard(count, filter) => {
                let fits = |&card: &DeckCard| self.card_fits(filter, card.of(ctx.you), ctx);
                seat.hand.iter().filter(fits).map(|card| seat.hand.count(card)).sum::<u8>()
                    >= *count
            }
            Cost::DiscardAtRandom(count) => seat.hand.total() >= *count,
        }
    }

    /// Whether a permanent can be tapped for a cost.
    fn can_tap(&self, slot: Slot) -> bool {
        let waits = self.board.summoning_sick.has(slot)
            && self.is_creature(slot)
            && !self.board.keywords[Keyword::Haste as usize].has(slot);
        !self.board.tapped.has(slot) && !waits
    }
}

impl Magic {
    /// What the announcement may still be aimed at: no target twice, but for
    /// what is divided.
    pub(in crate::magic) fn targets_left(&self, target: &Target) -> Found {
        let item = &self.announcement.item;
        let mut found = self.legal_targets(target, item);
        if matches!(target, Target::UpTo(..)) {
            for target in item.targets.iter() {
                match target {
                    ChosenTarget::Slot(slot) => found.slots &= !slot.bit(),
                    ChosenTarget::Seat(seat) => found.seats.remove(seat),
                    ChosenTarget::Card(card, _) => {
                        let alike = |other: &ChosenTarget| matches!(other, ChosenTarget::Card(it, _) if *it == card);
                        let chosen = item.targets.iter().filter(alike).count();
                        if chosen >= self.copies_in_graveyard(card) as usize {
                            found.cards[card.owner()].remove(card.in_deck());
                        }
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// The target being chosen.
    pub(in crate::magic) fn target_now(&self) -> Option<&'static Target> {
        let item = &self.announcement.item;
        self.def(item.card).programs[item.program as usize]
            .targets
            .get(self.announcement.target as usize)
    }

    /// Abilities of a permanent that its controller could use: the card that
    /// has the ability, and the ability.
    pub(in crate::magic) fn abilities_of(
        &self,
        slot: Slot,
    ) -> impl Iterator<Item = (CardId, &'static Activated)> {
        let card = self.board.card[slot];
        let printed = !self.board.retyped.has(slot);
        let own = self
            .def(card)
            .activated
            .iter()
            .filter(move |ability| printed && ability.own && ability.from == Zone::Battlefield);
        own.map(move |ability| (card, ability)).chain(self.granted_abilities(slot))
    }

    fn granted_abilities(&self, slot: Slot) -> impl Iterator<Item = (CardId, &'static Activated)> {
        use crate::magic::language::Static;
        let givers = if self.table.0.grants_abilities { self.board.statics } else { Slots::EMPTY };
        givers.iter().flat_map(move |giver| {
            let card = self.board.card[giver];
            let def = self.def(card);
            let grants = move |giver: Slot| {
                self.statics_at(giver).iter().any(|ability| {
                    matches!(ability, Static::Gets { what, abilities, .. }
                        if !abilities.is_empty() && self.refer(what, &Ctx::of(self, giver)).slots.has(slot))
                })
            };
            // What a second copy of a card gives is the same ability.
            let copies = (self.board.statics & giver.below()).iter()
                .filter(|&other| std::ptr::eq(self.def_at(other), def));
            let gives = grants(giver) && !copies.into_iter().any(grants);
            def.activated.iter().filter(move |ability| gives && !ability.own).map(move |ability| (card, ability))
        })
    }
}
