//! Whom the words of a card mean: filters, references, amounts and conditions
//! read against a state.

use crate::magic::language::{Filter, LandType, Ref, Side, Subtype, Type};
use crate::magic::state::slots::{NONE, Slots, bit, each, has};
use crate::magic::state::{ChosenTarget, ChosenTargets, Item, Magic};
use crate::magic::table::{DECK, Def, TOKENS};
use crate::magic::zones::graveyard::Copied;

/// What "you", "this", "X" and so on mean for one ability.
#[derive(Clone, Copy, Debug)]
pub(in crate::magic) struct Ctx {
    pub(in crate::magic) you: u8,
    /// The source, if it is on the battlefield.
    pub(in crate::magic) this: u8,
    pub(in crate::magic) this_card: u8,
    /// Which copy in the graveyard the source is, if it is there.
    pub(in crate::magic) this_copy: u8,
    /// The source's power when it was last seen.
    pub(in crate::magic) power: i8,
    pub(in crate::magic) x: u8,
    pub(in crate::magic) them: u8,
    pub(in crate::magic) event: u8,
    pub(in crate::magic) event_card: u8,
    pub(in crate::magic) event_copy: u8,
    pub(in crate::magic) event_player: u8,
    pub(in crate::magic) amount: u8,
    pub(in crate::magic) kept: u8,
    pub(in crate::magic) chosen: [u8; 2],
    pub(in crate::magic) targets: ChosenTargets,
}

/// Things of all kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::magic) struct Found {
    pub(in crate::magic) slots: Slots,
    /// Seats, one bit each.
    pub(in crate::magic) seats: u8,
    /// Places on the stack, one bit each.
    pub(in crate::magic) items: u32,
    /// Cards in each seat's graveyard.
    pub(in crate::magic) cards: [u64; 2],
}

impl Found {
    pub(in crate::magic) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Ctx {
    /// For a static ability, or any question of a permanent about itself.
    pub(in crate::magic) fn of(state: &Magic, slot: u8) -> Self {
        Self::new(state.controller(slot), slot, state.board.card[slot as usize])
    }

    pub(in crate::magic) fn new(you: u8, this: u8, this_card: u8) -> Self {
        Self {
            you,
            this,
            this_card,
            this_copy: NONE,
            power: 0,
            x: 0,
            them: NONE,
            event: NONE,
            event_card: NONE,
            event_copy: NONE,
            event_player: NONE,
            amount: 0,
            kept: 0,
            chosen: [NONE; 2],
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
    pub(in crate::magic) fn side(&self, side: Side, ctx: &Ctx) -> u8 {
        let first = ctx.targets.first().unwrap_or_default();
        match side {
            Side::You => ctx.you,
            Side::Opponent => 1 - ctx.you,
            Side::Active => self.clock.active,
            Side::Them if ctx.them != NONE => ctx.them,
            Side::Them => ctx.you,
            Side::Target | Side::TargetController => match first {
                ChosenTarget::Seat(seat) => seat,
                ChosenTarget::Slot(slot) => self.controller(slot),
                ChosenTarget::Item(id) => self.item(id).map_or(ctx.you, |item| item.you),
                ChosenTarget::Card(card, _) => card / DECK as u8,
                ChosenTarget::Left(seat) => seat,
                ChosenTarget::Illegal => 1 - ctx.you,
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
            chosen.fold(0, |all, (_, set)| all | set)
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
            found &= filter.combat.iter().fold(0, |all, &kind| all | role(kind));
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
        if filter.other && ctx.this != NONE {
            found &= !bit(ctx.this);
        }
        if !looks_closer(filter) {
            return found;
        }
        each(found)
            .filter(|&slot| self.fits_closely(filter, slot, ctx))
            .fold(0, |all, s| all | bit(s))
    }

    /// The parts of a filter that are read one permanent at a time.
    fn fits_closely(&self, filter: &Filter, slot: u8, ctx: &Ctx) -> bool {
        let def = self.def_at(slot);
        let power = self.board.power[slot as usize];
        (filter.subtypes.is_empty() || filter.subtypes.iter().any(|&s| self.has_subtype(slot, s)))
            && !filter.not_subtypes.iter().any(|&s| self.has_subtype(slot, s))
            && (!filter.basic || def.basic)
            && filter.least_power.is_none_or(|least| power >= least)
            && filter.most_power.is_none_or(|most| power <= most)
            && (!filter.mana_value_x || def.cost.value() == ctx.x)
            && filter
                .token
                .is_none_or(|token| (self.board.card[slot as usize] as usize >= TOKENS) == token)
            && (!filter.mana_ability || self.has_mana_ability(slot))
            && (filter.one_of.is_empty()
                || filter.one_of.iter().any(|one| has(self.matching(one, ctx), slot)))
    }

    fn has_mana_ability(&self, slot: u8) -> bool {
        self.mana_of(slot) != 0
            || (!has(self.board.retyped, slot) && !self.def_at(slot).mana.is_empty())
    }

    /// Whether a permanent has a subtype now.
    fn has_subtype(&self, slot: u8, subtype: Subtype) -> bool {
        if let Some(land) = land_type(subtype) {
            return has(self.board.land_types[land], slot);
        }
        self.def_at(slot).subtypes.contains(&subtype) || self.gained_subtype(slot, subtype)
    }

    /// Whether a card outside the battlefield fits. The colours of cards can
    /// change there too.
    pub(in crate::magic) fn card_fits(&self, filter: &Filter, card: u8, ctx: &Ctx) -> bool {
        let owner = card / DECK as u8;
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

    fn def_fits(&self, filter: &Filter, card: u8, whose: u8, x: u8, ctx: &Ctx) -> bool {
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
    pub(in crate::magic) fn colours_of(&self, card: u8, whose: u8) -> u8 {
        self.colours_elsewhere(card, whose).unwrap_or(self.def(card).colours.0)
    }

    /// Everything that a reference means.
    pub(in crate::magic) fn refer(&self, what: &Ref, ctx: &Ctx) -> Found {
        let mut found = Found::default();
        match what {
            Ref::This if ctx.this != NONE => found.slots = bit(ctx.this),
            Ref::This => self.add_card((ctx.this_card, ctx.this_copy), &mut found),
            Ref::Target(index) => {
                if let Some(target) = ctx.targets.get(*index as usize) {
                    self.add_target(target, &mut found);
                }
            }
            Ref::Targets => {
                ctx.targets.iter().for_each(|target| self.add_target(target, &mut found))
            }
            Ref::Enchanted if ctx.this != NONE => {
                let host = self.board.link[ctx.this as usize];
                if host != NONE {
                    found.slots = bit(host);
                }
            }
            Ref::Event if ctx.event != NONE => found.slots = self.named(ctx.event),
            Ref::Event => self.add_card((ctx.event_card, ctx.event_copy), &mut found),
            Ref::Chosen(index) => {
                let slot = ctx.chosen[*index as usize & 1];
                if slot != NONE {
                    found.slots = bit(slot);
                }
            }
            Ref::All(filter) => found.slots = self.matching(filter, ctx),
            Ref::Enchanted | Ref::Aside => {}
            players => found.seats = self.seats(players, ctx),
        }
        found
    }

    fn add_target(&self, target: ChosenTarget, found: &mut Found) {
        match target {
            ChosenTarget::Illegal | ChosenTarget::Left(_) => {}
            ChosenTarget::Slot(slot) => found.slots |= bit(slot),
            ChosenTarget::Seat(seat) => found.seats |= 1 << seat,
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
            found.cards[copied.0 as usize / DECK] |= 1 << (copied.0 % DECK as u8);
        }
    }

    /// The players that a reference means, one bit each.
    pub(in crate::magic) fn seats(&self, who: &Ref, ctx: &Ctx) -> u8 {
        match who {
            Ref::You => 1 << ctx.you,
            Ref::Opponent => 2 >> ctx.you,
            Ref::EachPlayer => 3,
            Ref::Them => 1 << self.side(Side::Them, ctx),
            Ref::Active => 1 << self.clock.active,
            Ref::Defender => 2 >> self.clock.active,
            Ref::EventPlayer if ctx.event_player != NONE => 1 << ctx.event_player,
            Ref::EventPlayer => 0,
            Ref::ControllerOf(what) => self.seat_of(what, ctx, false),
            Ref::OwnerOf(what) => self.seat_of(what, ctx, true),
            other => self.refer(other, ctx).seats,
        }
    }

    fn seat_of(&self, what: &Ref, ctx: &Ctx, owner: bool) -> u8 {
        let found = self.refer(what, ctx);
        if found.slots != 0 {
            let slot = found.slots.trailing_zeros() as u8;
            return 1 << if owner { self.owner(slot) } else { self.controller(slot) };
        }
        if found.items != 0 {
            return 1 << self.stack[found.items.trailing_zeros() as usize].you;
        }
        match what {
            _ if found.cards[0] != 0 => 1,
            _ if found.cards[1] != 0 => 2,
            Ref::Event if ctx.event_player != NONE => 1 << ctx.event_player,
            Ref::This => 1 << ctx.you,
            Ref::Target(index) => match ctx.targets.get(*index as usize) {
                // What was aimed at has left; its controller is remembered.
                Some(ChosenTarget::Left(seat)) => 1 << seat,
                _ => found.seats,
            },
            _ => found.seats,
        }
    }

    /// The one seat that a reference means; you if it means none.
    pub(in crate::magic) fn seat(&self, who: &Ref, ctx: &Ctx) -> u8 {
        match self.seats(who, ctx) {
            0 => ctx.you,
            seats => seats.trailing_zeros() as u8,
        }
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
