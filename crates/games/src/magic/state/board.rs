//! The battlefield of a state: sets and rows over the slots of permanents.

use crate::magic::state::MAX_STATICS;
use crate::magic::state::row::Row;
use crate::magic::state::slots::{BySlot, Slot, Slots};
use crate::magic::table::card::CardId;

/// The battlefield: what is true of each permanent, as sets and rows over its
/// slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::magic) struct Board {
    pub(in crate::magic) used: Slots,
    /// Controlled by the second seat.
    pub(in crate::magic) controller: Slots,
    /// Controlled by the second seat when no effect says otherwise.
    pub(in crate::magic) base_controller: Slots,
    /// Lands that tap for the one mana of their one land type.
    pub(in crate::magic) basics: Slots,
    pub(in crate::magic) tapped: Slots,
    /// Not under its controller's control since the turn began.
    pub(in crate::magic) summoning_sick: Slots,
    pub(in crate::magic) attacking: Slots,
    pub(in crate::magic) blocking: Slots,
    /// Attackers that were blocked.
    pub(in crate::magic) blocked: Slots,
    pub(in crate::magic) attacked: Slots,
    /// Dealt damage this turn.
    pub(in crate::magic) damaged: Slots,
    /// Dealt damage by deathtouch since that was last looked at.
    pub(in crate::magic) deathtouched: Slots,
    /// Dealt damage in the first of two damage steps.
    pub(in crate::magic) first_struck: Slots,
    /// Has static abilities, or power that is counted.
    pub(in crate::magic) statics: Slots,
    /// Has activated abilities, its own or granted.
    pub(in crate::magic) usable: Slots,
    /// Has a mana ability that only taps it.
    pub(in crate::magic) mana: Slots,
    /// By type, in the order of [`Type`](crate::magic::language::Type): creature,
    /// land, artifact, enchantment.
    pub(in crate::magic) types: [Slots; 4],
    pub(in crate::magic) colours: [Slots; 5],
    pub(in crate::magic) land_types: [Slots; 5],
    /// Lands that lost their printed abilities for a land type.
    pub(in crate::magic) retyped: Slots,
    pub(in crate::magic) keywords: [Slots; 28],
    pub(in crate::magic) rules: [Slots; RULES],
    pub(in crate::magic) card: BySlot<CardId>,
    pub(in crate::magic) damage: BySlot<u8>,
    /// +1/+1 counters less -1/-1 counters.
    pub(in crate::magic) counters: BySlot<i8>,
    pub(in crate::magic) power: BySlot<i8>,
    pub(in crate::magic) toughness: BySlot<i8>,
    /// What an Aura is attached to, or what a blocker blocks.
    pub(in crate::magic) link: BySlot<Option<Slot>>,
    /// What was chosen for it, and abilities used this turn.
    pub(in crate::magic) memo: BySlot<u8>,
    /// What has static abilities, in the order it entered.
    pub(in crate::magic) static_order: Row<Slot, MAX_STATICS>,
    /// Kinds of events somebody waits for.
    pub(in crate::magic) listening: u32,
    /// Whether a counter was ever put on anything.
    pub(in crate::magic) counted: bool,
    /// Whether characteristics must be worked out again.
    pub(in crate::magic) dirty: bool,
    /// Whether they differ from what is printed anywhere.
    pub(in crate::magic) changed: bool,
    /// Whether only power and toughness do.
    pub(in crate::magic) only_bodies: bool,
    /// Whether types, colours or land types do.
    pub(in crate::magic) recast: bool,
}

/// Rules that bind a permanent and need nothing else to be known, as rows of
/// [`Board::rules`].
pub(in crate::magic) mod rule {
    pub(in crate::magic) const CANT_ATTACK: usize = 0;
    pub(in crate::magic) const MUST_ATTACK: usize = 1;
    pub(in crate::magic) const IGNORES_DEFENDER: usize = 2;
    pub(in crate::magic) const CANT_BLOCK: usize = 3;
    pub(in crate::magic) const ONE_BLOCKER: usize = 4;
    pub(in crate::magic) const ALL_MUST_BLOCK: usize = 5;
    pub(in crate::magic) const NO_SPELLS: usize = 6;
    pub(in crate::magic) const NO_ABILITIES: usize = 7;
    pub(in crate::magic) const STAYS_TAPPED: usize = 8;
    pub(in crate::magic) const MAY_STAY_TAPPED: usize = 9;
    pub(in crate::magic) const DEALS_NONE: usize = 10;
    pub(in crate::magic) const TAKES_NONE: usize = 11;
}
/// How many such rules there are.
pub(in crate::magic) const RULES: usize = 12;

/// 616.1: permanents that are about to be put into graveyards at the same time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::magic) struct Dying {
    pub(in crate::magic) slots: Slots,
    /// Those that are destroyed, and so can regenerate.
    pub(in crate::magic) destroyed: Slots,
    /// Those for which it was chosen what happens.
    pub(in crate::magic) decided: Slots,
    /// Those that are to be exiled.
    pub(in crate::magic) to_exile: Slots,
}
