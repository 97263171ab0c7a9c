//! The state of a duel: one plain value.

mod board;
pub(super) mod bounds;
pub(super) mod groups;
pub(super) mod invariants;
mod objects;
pub(super) mod order;
mod owed;
pub(super) mod pile;
mod progress;
pub(super) mod row;
pub(super) mod seat;
pub(super) mod slots;
mod targets;
mod task;

use std::fmt;

use meeple_game::Forced;

use crate::magic::state::bounds::Bound;
use crate::magic::state::groups::GROUPS;
use crate::magic::state::order::Order;
use crate::magic::state::pile::Pile;
use crate::magic::state::row::Row;
use crate::magic::state::seat::{BySeat, Seat, SeatSet};
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::table::card::{ByDeckCard, CardId};
use crate::magic::table::{Def, Table};

pub(super) use board::{Board, Dying, RULES, rule};
pub(super) use objects::{
    At, ContinuousEffect, DelayedTrigger, Duration, EffectKind, Item, PendingTrigger,
};
pub(super) use owed::Owed;
pub(super) use progress::{Announcement, Clock, Phase, Question, Resolution, Stage};
pub(super) use targets::{ChosenTarget, ChosenTargets, MAX_TARGETS};
pub(super) use task::{DrawChoice, Task, TaskFilter};

/// The most spells and abilities on the stack; several of one ability with the
/// same targets that follow each other count as one.
pub(super) const MAX_STACK: usize = 32;
/// The most effects with a duration at once.
pub(super) const MAX_EFFECTS: usize = 20;
/// The most abilities that wait for the stack, alike ones counted as one.
pub(super) const MAX_PENDING: usize = 12;
/// The most abilities that wait for a moment, alike ones counted as one.
pub(super) const MAX_DELAYED: usize = 10;
/// The most permanents with static abilities.
pub(super) const MAX_STATICS: usize = 32;
/// The most unfinished instructions, one inside the other.
pub(super) const MAX_TASKS: usize = 10;
/// The most exiled cards that somebody may play.
pub(super) const MAX_PLAYABLE: usize = 8;
/// The most cards drawn by an effect that then chooses among them.
pub(super) const MAX_DRAWN: usize = 8;
/// The most choices among replacements of damage dealt at one time.
pub(super) const MAX_DAMAGE_ANSWERS: usize = 16;
/// The most blockers whose combat damage is chosen in one damage step: the most permanents of
/// both players in a million games were 94.
pub(super) const MAX_ASSIGNED: usize = 64;
/// The most extra turns to come.
pub(super) const EXTRA_TURNS: u8 = u32::BITS as u8;
/// The turn after which a game is a draw, so that every game ends.
pub(super) const LAST_TURN: u16 = 400;

/// A state of Magic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Magic {
    pub(super) table: TableRef,
    pub(super) seats: BySeat<PlayerState>,
    pub(super) board: Board,
    pub(super) stack: Row<Item, MAX_STACK>,
    /// Effects with a duration, oldest first.
    pub(super) effects: Row<ContinuousEffect, MAX_EFFECTS>,
    /// Abilities that have triggered and are not on the stack yet.
    pub(super) pending: Row<PendingTrigger, MAX_PENDING>,
    /// Abilities that will trigger at a moment to come.
    pub(super) delayed: Row<DelayedTrigger, MAX_DELAYED>,
    /// Permanents that triggers name together; see [`groups`](crate::magic::state::groups).
    pub(super) groups: [Slots; GROUPS],
    /// What is being done, the innermost last.
    pub(super) tasks: Row<Task, MAX_TASKS>,
    /// The resolution in progress.
    pub(super) resolution: Resolution,
    /// The spell or ability being announced.
    pub(super) announcement: Announcement,
    /// Cards that the running effect has set aside, of one deck.
    pub(super) aside: Pile,
    pub(super) aside_owner: Seat,
    /// Who sees them.
    pub(super) aside_seen: SeatSet,
    /// Exiled cards that somebody may play: the card and who.
    pub(super) playable: Row<(CardId, Seat), MAX_PLAYABLE>,
    /// Permanents about to die, while somebody chooses what happens instead.
    pub(super) dying: Dying,
    /// What was chosen so far for the damage that is being dealt.
    pub(super) damage_answers: Row<u8, MAX_DAMAGE_ANSWERS>,
    /// 510.1c: blockers and the combat damage that was chosen for them in this step.
    pub(super) assigned: Row<(Slot, u8), MAX_ASSIGNED>,
    pub(super) question: Question,
    /// Who answers the question.
    pub(super) asked: Seat,
    pub(super) clock: Clock,
    pub(super) rules: Rules,
    /// What the game had too many of, if that ended it.
    pub(super) fault: Option<Bound>,
}

/// The cards of the table; the same table is the same place in memory.
#[derive(Clone, Copy)]
pub(super) struct TableRef(pub(super) &'static Table);

impl PartialEq for TableRef {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for TableRef {}

impl fmt::Debug for TableRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The switches of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    pub(super) forced: Forced,
    /// Whether players choose what to pay with.
    pub(super) manual_payment: bool,
    pub(super) mulligans: bool,
    /// Whether players are asked only where people would stop to think.
    pub(super) stops: bool,
    /// The most cards in hand at the end of a turn.
    pub(super) hand_limit: u8,
}

/// What belongs to one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlayerState {
    /// The part of the library whose order nobody knows.
    pub(super) library: Pile,
    pub(super) hand: Pile,
    pub(super) graveyard: Pile,
    /// How many of each card in hand the opponent has seen.
    pub(super) shown: ByDeckCard<u8>,
    /// The part of the library whose order somebody knows.
    pub(super) order: Order,
    pub(super) life: i16,
    /// Unspent mana by kind.
    pub(super) pool: [u8; 6],
    pub(super) exiled: u8,
    pub(super) lands_played: u8,
    /// Lands that may be played this turn besides the first.
    pub(super) extra_lands: u8,
    /// Cards drawn this turn.
    pub(super) drawn: u8,
    pub(super) mulligans: u8,
    /// Turns to take after this one.
    pub(super) extra_turns: u8,
    /// Whether the player has lost, or must when that is next looked at.
    pub(super) lost: bool,
}

/// Cards that are dealt at first; each mulligan costs one of them.
pub(super) const FIRST_HAND: u8 = 7;

impl Magic {
    /// The card with this number.
    #[inline]
    pub(super) fn def(&self, card: CardId) -> &'static Def {
        &self.table.0.cards[card]
    }

    /// The card of a permanent.
    #[inline]
    pub(super) fn def_at(&self, slot: Slot) -> &'static Def {
        self.def(self.board.card[slot])
    }

    /// The permanents that a seat controls.
    #[inline]
    pub(super) fn controlled(&self, seat: Seat) -> Slots {
        // No free slot has a controller.
        let second = self.board.controller;
        match seat {
            Seat::First => self.board.used ^ second,
            Seat::Second => second,
        }
    }

    /// Who controls a permanent.
    #[inline]
    pub(super) fn controller(&self, slot: Slot) -> Seat {
        Seat::second_if(self.board.controller.has(slot))
    }

    /// Who owns a permanent.
    #[inline]
    pub(super) fn owner(&self, slot: Slot) -> Seat {
        self.board.card[slot].owner()
    }
}
