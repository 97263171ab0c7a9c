//! Whom the words of a card mean: filters, references, amounts and conditions
//! read against a state.

use crate::magic::language::{Filter, LandType, Ref, Side, Subtype, Type};
use crate::magic::state::groups::Named;
use crate::magic::state::seat::{BySeat, Seat, SeatSet};
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::state::{ChosenTarget, ChosenTargets, Item, Magic};
use crate::magic::table::Def;
use crate::magic::table::card::{CardId, DeckCards};
use crate::magic::zones::graveyard::{Copied, NO_COPY};

/// What "you", "this", "X" and so on mean for one ability.
#[derive(Clone, Copy, Debug)]
pub(in crate::magic) struct Ctx {
    pub(in crate::magic) you: Seat,
    /// The source, if it is on the battlefield.
    pub(in crate::magic) this: Option<Slot>,
    pub(in crate::magic) this_card: CardId,
    /// Which copy in the graveyard the source is, if it is there.
    pub(in crate::magic) this_copy: u8,
    /// The source's power when it was last seen.
    pub(in crate::magic) power: i8,
    pub(in crate::magic) x: u8,
    pub(in crate::magic) them: Option<Seat>,
    pub(in crate::magic) event: Named,
    pub(in crate::magic) event_card: CardId,
    pub(in crate::magic) event_copy: u8,
    pub(in crate::magic) event_player: Option<Seat>,
    pub(in crate::magic) amount: u8,
    pub(in crate::magic) kept: u8,
    pub(in crate::magic) chosen: [Option<Slot>; 2],
    pub(in crate::magic) targets: ChosenTargets,
}

/// Things of all kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::magic) struct Found {
    pub(in crate::magic) slots: Slots,
    pub(in crate::magic) seats: SeatSet,
    /// Places on the stack, one bit each.
    pub(in crate::magic) items: u32,
    /// Cards in each seat's graveyard.
    pub(in crate::magic) cards: BySeat<DeckCards>,
}

impl Found {
    pub(in crate::magic) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Ctx {
    /// For a static ability, or any question of a permanent about itself.
    pub(in crate::magic) fn of(state: &Magic, slot: Slot) -> Self {
        Self::new(state.controller(slot), Some(slot), state.board.card[slot])
    }

    pub(in crate::magic) fn new(you: Seat, this: Option<Slot>, this_card: CardId) -> Self {
        Self {
            you,
            this,
            this_card,
            this_copy: NO_COPY,
            power: 0,
            x: 0,
            them: None,
            event: Named::NOTHING,
            event_card: CardId::BLANK,
            event_copy: NO_COPY,
            event_player: None,
            amount: 0,
            kept: 0,
            chosen: [None; 2],
            targets: ChosenTargets::new(),
        }
    }

    /// For a spell or ability on the stack.
    pub(in crate::magic) fn of_item(item: &Item) -> Self {
        Self {
            power: item.power,
            x: item.x,
            event: item.event,
            event_card: item.event_card,
            event_copy: item.event_copy,
            this_copy: item.source_copy,
            event_player: item.event_player,
            amount: item.amount,
            targets: item.targets,
            ..Self::new(item.you, item.source, item.source_card)
        }
    }
}

impl Magic {
    /// For the resolution in progress.
    pub(in crate::magic) fn run_ctx(&self) -> Ctx {
        Ctx {
            them: self.resolution.them,
            kept: self.resolution.kept,
            chosen: self.resolution.chosen,
            ..Ctx::of_item(&self.resolution.item)
        }
    }

    /// The seat that a side means.
    pub(in crate::magic) fn side(&self, side: Side, ctx: &Ctx) -> Seat {
        let first = ctx.targets.first().unwrap_or_default();
        match side {
            Side::You => ctx.you,
            Side::Opponent => ctx.you.other(),
            Side::Active => self.clock.active,
            Side::Them => ctx.them.unwrap_or(ctx.you),
            Side::Target | Side::TargetController => match first {
                ChosenTarget::Seat(seat) => seat,
                ChosenTarget::Slot(slot) => self.controller(slot),
                ChosenTarget::Item(id) => self.item(id).map_or(ctx.you, |item| item.you),
                ChosenTarget::Card(card, _) => card.owner(),
                ChosenTarget::Left(seat) => seat,
                ChosenTarget::Illegal => ctx.you.other(),
            },
        }
    }

    /// The item on the stack with this id.
    pub(in crate::magic) fn item(&self, id: u8) -> Option<&Item> {
        self.stack.iter().find(|item| item.id == id)
    }

    /// The permanents that fit.
    pub(in crate::magic) fn matching(&self, filter: &Filter, ctx: &Ctx) -> Slots {
        let board = &self.board;
        let any = |sets: &[Slots], wanted: u8| {
            let chosen = sets.iter().enumerate().filter(|&(index, _)| wanted >> index & 1 == 1);
            chosen.fold(Slots::EMPTY, |all, (_, &set)| all | set)
        };
        let mut found = board.used;
        if !filter.types.is_empty() {
            found &= any(&board.types, filter.types.0);
        }
        found &= !any(&board.types, filter.not_types.0);
        if !filter.colours.is_empty() {
            found &= any(&board.colours, filter.colours.0);
        }
        found &= !any(&board.colours, filter.not_colours.0);
        if let Some(side) = filter.controller {
            found &= self.controlled(self.side(side, ctx));
        }
        if let Some(tapped) = filter.tapped {
            found &= if tapped { board.tapped } else { !board.tapped };
        }
        if !filter.combat.is_empty() {
            use crate::magic::language::CombatRole::{Attacking, Blocking};
            let role = |role| match role {
                Attacking => board.attacking,
                Blocking => board.blocking,
            };
            found &= filter.combat.iter().fold(Slots::EMPTY, |all, &kind| all | role(kind));
        }
        if let Some(keyword) = filter.with {
            found &= board.keywords[keyword as usize];
        }
        if let Some(keyword) = filter.without {
            found &= !board.keywords[keyword as usize];
        }
        if filter.damaged {
            found &= board.damaged;
        }
        if filter.attacked {
            found &= board.attacked;
        }
        if filter.other
            && let Some(this) = ctx.this
        {
            found &= !this.bit();
        }
        if !looks_closer(filter) {
            return found;
        }
        found.iter().filter(|&slot| self.fits_closely(filter, slot, ctx)).collect()
    }

    /// The parts of a filter that are read one permanent at a time.
    fn fits_closely(&self, filter: &Filter, slot: Slot, ctx: &Ctx) -> bool {
        let def = self.def_at(slot);
        let power = self.board.power[slot];
        (filter.subtypes.is_empty() || filter.subtypes.iter().any(|&s| self.has_subtype(slot, s)))
            && !filter.not_subtypes.iter().any(|&s| self.has_subtype(slot, s))
            && (!filter.basic || def.basic)
            && filter.least_power.is_none_or(|least| power >= least)
            && filter.most_power.is_none_or(|most| power <= most)
            && (!filter.mana_value_x || def.cost.value() == ctx.x)
            && filter.token.is_none_or(|token| self.board.card[slot].is_token() == token)
            && (!filter.mana_ability || self.has_mana_ability(slot))
            && (filter.one_of.is_empty()
                || filter.one_of.iter().any(|one| self.matching(one, ctx).has(slot)))
    }

    fn has_mana_ability(&self, slot: Slot) -> bool {
        self.mana_of(slot) != 0
            || (!self.board.retyped.has(slot) && !self.def_at(slot).mana.is_empty())
    }

    /// Whether a permanent has a subtype now.
    fn has_subtype(&self, slot: Slot, subtype: Subtype) -> bool {
        if let Some(land) = land_type(subtype) {
            return self.board.land_types[land].has(slot);
        }
        self.def_at(slot).subtypes.contains(&subtype) || self.gained_subtype(slot, subtype)
    }

    /// Whether a card outside the battlefield fits. The colours of cards can
    /// change there too.
    pub(in crate::magic) fn card_fits(&self, filter: &Filter, card: CardId, ctx: &Ctx) -> bool {
        let owner = card.owner();
        filter.controller.is_none_or(|side| self.side(side, ctx) == owner)
            && self.def_fits(filter, card, owner, 0, ctx)
    }

    /// Whether a spell fits.
    pub(in crate::magic) fn spell_fits(&self, filter: &Filter, item: &Item, ctx: &Ctx) -> bool {
        item.spell
            && filter.controller.is_none_or(|side| self.side(side, ctx) == item.you)
            && self.def_fits(filter, item.card, item.you, item.x, ctx)
    }

    /// Whether the source of an ability fits that has left the battlefield.
    pub(in crate::magic) fn source_fits(&self, filter: &Filter, item: &Item, ctx: &Ctx) -> bool {
        filter.controller.is_none_or(|side| self.side(side, ctx) == item.you)
            && self.def_fits(filter, item.source_card, item.you, 0, ctx)
    }

    fn def_fits(&self, filter: &Filter, card: CardId, whose: Seat, x: u8, ctx: &Ctx) -> bool {
        let def = self.def(card);
        let colours = self.colours_of(card, whose);
        let power = self.printed_power(def);
        (filter.types.is_empty() || filter.types.meets(def.types))
            && !filter.not_types.meets(def.types)
            && (filter.subtypes.is_empty()
                || filter.subtypes.iter().any(|s| def.subtypes.contains(s)))
            && !filter.not_subtypes.iter().any(|s| def.subtypes.contains(s))
            && (filter.colours.is_empty() || filter.colours.0 & colours != 0)
            && filter.not_colours.0 & colours == 0
            && (!filter.basic || def.basic)
            && filter.with.is_none_or(|keyword| def.keywords.has(keyword))
            && filter.without.is_none_or(|keyword| !def.keywords.has(keyword))
            && filter.least_power.is_none_or(|least| power >= least)
            && filter.most_power.is_none_or(|most| power <= most)
            && (!filter.mana_value_x || def.cost.value() + def.cost.variable * x == ctx.x)
            && (filter.one_of.is_empty()
                || filter.one_of.iter().any(|one| self.def_fits(one, card, whose, x, ctx)))
    }

    fn printed_power(&self, def: &Def) -> i8 {
        def.body.0
    }

    /// The colours of a spell or of a card outside the battlefield.
    pub(in crate::magic) fn colours_of(&self, card: CardId, whose: Seat) -> u8 {
        self.colours_elsewhere(card, whose).unwrap_or(self.def(card).colours.0)
    }

    /// Everything that a reference means.
    pub(in crate::magic) fn refer(&self, what: &Ref, ctx: &Ctx) -> Found {
        let mut found = Found::default();
        match what {
            Ref::This => match ctx.this {
                Some(this) => found.slots = this.bit(),
                None => self.add_card((ctx.this_card, ctx.this_copy), &mut found),
            },
            Ref::Target(index) => {
                if let Some(target) = ctx.targets.get(*index as usize) {
                    self.add_target(target, &mut found);
                }
            }
            Ref::Targets => {
                ctx.targets.iter().for_each(|target| self.add_target(target, &mut found))
            }
            Ref::Enchanted => {
                if let Some(host) = ctx.this.and_then(|this| self.board.link[this]) {
                    found.slots = host.bit();
                }
            }
            Ref::Event if ctx.event.is_nothing() => {
                self.add_card((ctx.event_card, ctx.event_copy), &mut found);
            }
            Ref::Event => found.slots = self.named(ctx.event),
            Ref::Chosen(index) => {
                if let Some(slot) = ctx.chosen[*index as usize & 1] {
                    found.slots = slot.bit();
                }
            }
            Ref::All(filter) => found.slots = self.matching(filter, ctx),
            Ref::Aside => {}
            players => found.seats = self.seats(players, ctx),
        }
        found
    }

    fn add_target(&self, target: ChosenTarget, found: &mut Found) {
        match target {
            ChosenTarget::Illegal | ChosenTarget::Left(_) => {}
            ChosenTarget::Slot(slot) => found.slots |= slot.bit(),
            ChosenTarget::Seat(seat) => found.seats |= seat.bit(),
            ChosenTarget::Item(id) => {
                if let Some(place) = self.stack.iter().position(|item| item.id == id) {
                    found.items |= 1 << place;
                }
            }
            ChosenTarget::Card(card, copy) => self.add_card((card, copy), found),
        }
    }

    fn add_card(&self, copied: Copied, found: &mut Found) {
        if self.is_in_graveyard(copied) {
            let (card, _) = copied;
            found.cards[card.owner()] |= card.in_deck().bit();
        }
    }

    /// The players that a reference means.
    pub(in crate::magic) fn seats(&self, who: &Ref, ctx: &Ctx) -> SeatSet {
        match who {
            Ref::You => ctx.you.bit(),
            Ref::Opponent => ctx.you.other().bit(),
            Ref::EachPlayer => SeatSet::BOTH,
            Ref::Them => self.side(Side::Them, ctx).bit(),
            Ref::Active => self.clock.active.bit(),
            Ref::Defender => self.clock.active.other().bit(),
            Ref::EventPlayer => ctx.event_player.map_or(SeatSet::NONE, Seat::bit),
            Ref::ControllerOf(what) => self.seat_of(what, ctx, false),
            Ref::OwnerOf(what) => self.seat_of(what, ctx, true),
            other => self.refer(other, ctx).seats,
        }
    }

    fn seat_of(&self, what: &Ref, ctx: &Ctx, owner: bool) -> SeatSet {
        let found = self.refer(what, ctx);
        if let Some(slot) = found.slots.first() {
            return if owner { self.owner(slot) } else { self.controller(slot) }.bit();
        }
        if found.items != 0 {
            return self.stack[found.items.trailing_zeros() as usize].you.bit();
        }
        if let Some(owner) = Seat::BOTH.into_iter().find(|&owner| !found.cards[owner].is_empty()) {
            return owner.bit();
        }
        match what {
            Ref::Event => ctx.event_player.map_or(found.seats, Seat::bit),
            Ref::This => ctx.you.bit(),
            Ref::Target(index) => match ctx.targets.get(*index as usize) {
                // What was aimed at has left; its controller is remembered.
                Some(ChosenTarget::Left(seat)) => seat.bit(),
                _ => found.seats,
            },
            _ => found.seats,
        }
    }

    /// The one seat that a reference means; you if it means none.
    pub(in crate::magic) fn seat(&self, who: &Ref, ctx: &Ctx) -> Seat {
        self.seats(who, ctx).iter().next().unwrap_or(ctx.you)
    }
}

fn looks_closer(filter: &Filter) -> bool {
    !filter.subtypes.is_empty()
        || !filter.not_subtypes.is_empty()
        || filter.basic
        || filter.least_power.is_some()
        || filter.most_power.is_some()
        || filter.mana_value_x
        || filter.token.is_some()
        || filter.mana_ability
        || !filter.one_of.is_empty()
}

/// The basic land type that a subtype names.
pub(in crate::magic) fn land_type(subtype: Subtype) -> Option<usize> {
    use std::sync::LazyLock;
    static NAMES: LazyLock<[Subtype; 5]> = LazyLock::new(|| {
        std::array::from_fn(|index| {
            Subtype::named(LandType::ALL[index].text()).expect("five names fit")
        })
    });
    NAMES.iter().position(|&known| known == subtype)
}

/// Types as [`Board::types`](crate::magic::state::Board) numbers them.
pub(in crate::magic) const PERMANENT_TYPES: [Type; 4] =
    [Type::Creature, Type::Land, Type::Artifact, Type::Enchantment];
