//! The state of a duel: one plain value.

pub(super) mod bounds;
pub(super) mod groups;
pub(super) mod invariants;
pub(super) mod order;
pub(super) mod pile;
pub(super) mod row;
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
use crate::magic::state::slots::{NONE, SLOTS, Slots};
use crate::magic::table::{Def, KINDS, Table};

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
/// The most blockers whose combat damage is chosen in one damage step.
pub(super) const MAX_ASSIGNED: usize = 24;
/// The most extra turns to come.
pub(super) const EXTRA_TURNS: u8 = u32::BITS as u8;
/// The turn after which a game is a draw, so that every game ends.
pub(super) const LAST_TURN: u16 = 400;

/// A state of Magic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Magic {
    pub(super) table: TableRef,
    pub(super) seats: [Seat; 2],
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
    pub(super) aside_owner: u8,
    /// Who sees them, one bit a seat.
    pub(super) aside_seen: u8,
    /// Exiled cards that somebody may play: the card and who.
    pub(super) playable: Row<(u8, u8), MAX_PLAYABLE>,
    /// Permanents about to die, while somebody chooses what happens instead.
    pub(super) dying: Dying,
    /// What was chosen so far for the damage that is being dealt.
    pub(super) damage_answers: Row<u8, MAX_DAMAGE_ANSWERS>,
    /// 510.1c: blockers and the combat damage that was chosen for them in this step.
    pub(super) assigned: Row<(u8, u8), MAX_ASSIGNED>,
    pub(super) question: Question,
    /// Who answers the question.
    pub(super) asked: u8,
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
pub(super) struct Seat {
    /// The part of the library whose order nobody knows.
    pub(super) library: Pile,
    pub(super) hand: Pile,
    pub(super) graveyard: Pile,
    /// How many of each card in hand the opponent has seen.
    pub(super) shown: [u8; KINDS],
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

/// The battlefield: what is true of each permanent, as sets and rows over its
/// slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) used: Slots,
    /// Controlled by the second seat.
    pub(super) controller: Slots,
    /// Controlled by the second seat when no effect says otherwise.
    pub(super) base_controller: Slots,
    /// Lands that tap for the one mana of their one land type.
    pub(super) basics: Slots,
    pub(super) tapped: Slots,
    /// Not under its controller's control since the turn began.
    pub(super) summoning_sick: Slots,
    pub(super) attacking: Slots,
    pub(super) blocking: Slots,
    /// Attackers that were blocked.
    pub(super) blocked: Slots,
    pub(super) attacked: Slots,
    /// Dealt damage this turn.
    pub(super) damaged: Slots,
    /// Dealt damage by deathtouch since that was last looked at.
    pub(super) deathtouched: Slots,
    /// Dealt damage in the first of two damage steps.
    pub(super) first_struck: Slots,
    /// Has static abilities, or power that is counted.
    pub(super) statics: Slots,
    /// Has activated abilities, its own or granted.
    pub(super) usable: Slots,
    /// Has a mana ability that only taps it.
    pub(super) mana: Slots,
    /// By type, in the order of [`Type`](crate::magic::language::Type): creature,
    /// land, artifact, enchantment.
    pub(super) types: [Slots; 4],
    pub(super) colours: [Slots; 5],
    pub(super) land_types: [Slots; 5],
    /// Lands that lost their printed abilities for a land type.
    pub(super) retyped: Slots,
    pub(super) keywords: [Slots; 28],
    pub(super) rules: [Slots; RULES],
    pub(super) card: [u8; SLOTS],
    pub(super) damage: [u8; SLOTS],
    /// +1/+1 counters less -1/-1 counters.
    pub(super) counters: [i8; SLOTS],
    pub(super) power: [i8; SLOTS],
    pub(super) toughness: [i8; SLOTS],
    /// What an Aura is attached to, or what a blocker blocks.
    pub(super) link: [u8; SLOTS],
    /// What was chosen for it, and abilities used this turn.
    pub(super) memo: [u8; SLOTS],
    /// What has static abilities, in the order it entered.
    pub(super) static_order: Row<u8, MAX_STATICS>,
    /// Kinds of events somebody waits for.
    pub(super) listening: u32,
    /// Whether a counter was ever put on anything.
    pub(super) counted: bool,
    /// Whether characteristics must be worked out again.
    pub(super) dirty: bool,
    /// Whether they differ from what is printed anywhere.
    pub(super) changed: bool,
    /// Whether types, colours or land types do.
    pub(super) recast: bool,
}

/// Rules that bind a permanent and need nothing else to be known, as rows of
/// [`Board::rules`].
pub(super) mod rule {
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
pub(super) const RULES: usize = 12;

/// 616.1: permanents that are about to be put into graveyards at the same time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Dying {
    pub(super) slots: Slots,
    /// Those that are destroyed, and so can regenerate.
    pub(super) destroyed: Slots,
    /// Those for which it was chosen what happens.
    pub(super) decided: Slots,
    /// Those that are to be exiled.
    pub(super) to_exile: Slots,
}

/// A spell or ability on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// The card whose program it is.
    pub(super) card: u8,
    pub(super) program: u8,
    /// The permanent it comes from, if that is still there.
    pub(super) source: u8,
    /// The card of the source: differs from `card` for granted abilities.
    pub(super) source_card: u8,
    /// Which copy in the graveyard the source is, if it is there.
    pub(super) source_copy: u8,
    /// Tells the source apart from others once it has left.
    pub(super) departed_id: u8,
    /// The power of the source when it was last there.
    pub(super) power: i8,
    pub(super) you: u8,
    pub(super) spell: bool,
    /// Tells items apart while they are on the stack.
    pub(super) id: u8,
    pub(super) x: u8,
    /// What set it off: a permanent or a group, its card, a player, an amount.
    pub(super) event: u8,
    pub(super) event_card: u8,
    /// Which copy in the graveyard that is, if it is there.
    pub(super) event_copy: u8,
    pub(super) event_player: u8,
    pub(super) amount: u8,
    /// How many times it is there.
    pub(super) times: u8,
    pub(super) targets: ChosenTargets,
}

/// An effect with a duration.
// Packed, for there are many: aligned as a set wants it, each would take 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(Rust, packed(4))]
pub(super) struct ContinuousEffect {
    /// The permanents it acts on.
    pub(super) on: Slots,
    pub(super) kind: EffectKind,
    pub(super) until: Duration,
    /// 613.7: how many of the permanents with static abilities are older.
    pub(super) older_statics: u8,
    /// How many there are of it.
    pub(super) times: u8,
}

/// What a lasting effect does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EffectKind {
    /// Adds to power and toughness, and keywords.
    Gets { power: i8, toughness: i8, keywords: u32 },
    /// Takes keywords away.
    Loses { keywords: u32 },
    /// Changes what something is, as this step of a program says.
    Becomes { at: At, land_type: u8 },
    /// Binds by a rule, as this step of a program says.
    Binds { at: At },
    /// This seat controls it.
    Controls { seat: u8 },
    /// The next time it would be destroyed, it is not.
    Regenerates { times: u8 },
    /// The next so much damage to it, or to a seat, is prevented.
    Prevents { amount: u8, seat: u8 },
    /// 609.7: the next damage of this source to it, or to a seat, is changed.
    /// The source is a permanent, or else the spell with an id or what left as
    /// the departed_id with this number.
    Shields { source: u8, item: u8, seat: u8, instead: u8, you: u8 },
}

/// A step of a program of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At {
    pub(super) card: u8,
    pub(super) program: u8,
    pub(super) step: u8,
}

/// How long a lasting effect lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Duration {
    EndOfTurn,
    Forever,
    /// The end of this seat's next untap step.
    Untap(u8),
    /// The permanent in this slot untaps or leaves.
    Untapped(u8),
}

/// An ability that waits to be put on the stack, or a delayed one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PendingTrigger {
    pub(super) card: u8,
    pub(super) program: u8,
    pub(super) source: u8,
    /// Tells the source apart from others once it has left.
    pub(super) departed_id: u8,
    pub(super) you: u8,
    pub(super) event: u8,
    pub(super) event_card: u8,
    /// Which copies in graveyards these and the source are, if they are there.
    pub(super) event_copy: u8,
    pub(super) source_copy: u8,
    pub(super) event_player: u8,
    pub(super) amount: u8,
    /// How many times it triggered alike.
    pub(super) times: u8,
}

/// A delayed trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DelayedTrigger {
    pub(super) what: PendingTrigger,
    pub(super) when: crate::magic::language::Moment,
    /// In whose turn; [`NONE`] for any.
    pub(super) whose: u8,
    /// Not before this turn.
    pub(super) from_turn: u16,
}

/// The resolution in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Resolution {
    pub(super) active: bool,
    pub(super) item: Item,
    pub(super) step: u8,
    /// The player that "each player" has come to.
    pub(super) them: u8,
    /// How many players "each player" has come to.
    pub(super) players_done: u8,
    /// What the last instruction moved, drew or dealt.
    pub(super) kept: u8,
    pub(super) chosen: [u8; 2],
    pub(super) chosen_count: u8,
    /// Cards this effect drew.
    pub(super) drawn: Row<u8, MAX_DRAWN>,
    /// Whether the spell's card has already gone somewhere.
    pub(super) moved: bool,
    /// The high bid and its bidder.
    pub(super) bid: (u8, u8),
}

/// The spell or ability being announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Announcement {
    pub(super) active: bool,
    pub(super) item: Item,
    pub(super) stage: Stage,
    /// Which activated ability of the card, for abilities.
    pub(super) ability: u8,
    /// The kind of target being chosen, and how many of that kind there are.
    pub(super) target: u8,
    pub(super) chosen: u8,
    /// The part of the cost being paid.
    pub(super) cost: u8,
    /// Mana still to pay, by kind and generic.
    pub(super) owed: Owed,
}

/// Mana still to be paid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Owed {
    pub(super) coloured: [u8; 6],
    pub(super) generic: u8,
}

/// How far an announcement has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Mode,
    X,
    Targets,
    Mana,
    Costs,
}

/// What the machine waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Nothing: it can go on.
    Nothing,
    /// The game is over.
    Over,
    /// Luck: the top card of this seat's library.
    TopCard(u8),
    /// Luck: a card of this seat's hand, for the task on top.
    RandomCard(u8),
    /// Luck: a coin.
    Coin,
    /// What to do with priority.
    Priority,
    /// Whether to take a new hand.
    Mulligan,
    /// Whether this creature attacks.
    Attack(u8),
    /// What this creature blocks.
    Block(u8),
    /// Which blocker of this attacker comes next for damage.
    Order(u8),
    /// Which mode the spell has.
    Mode,
    /// How much `X` is, up to so much.
    X(u8),
    /// The next target.
    Target,
    /// What to tap for mana.
    Pay,
    /// The mana to make with this permanent.
    Colour(u8),
    /// A card for the task on top.
    Card,
    /// A permanent for the task on top.
    Permanent,
    /// Yes or no, for the running step.
    May,
    /// One of so many ways, for the running step.
    Way(u8),
    /// A number up to so much, for the task on top or the running step.
    Number(u8),
    /// A basic land type, for the running step.
    LandType,
    /// Which pending ability goes on the stack next.
    Trigger,
    /// A source of damage, for the running step.
    Source,
    /// A new target for the spell with this id.
    Retarget(u8),
    /// Whether this permanent stays tapped.
    StayTapped(u8),
    /// One of these permanents with the greatest mana value.
    Greatest,
    /// Whether to buy off a draw.
    Buy,
    /// A bid above the last.
    Bid,
    /// Which legend to keep.
    Legend,
    /// 616.1: what happens instead of an event; the permanent it is about.
    Instead(u8),
    /// 510.1c: how much damage this blocker is assigned.
    Assign(u8),
    /// Which mana ability to use for the announced cost.
    Mana,
    /// The mana of a mana ability: the card, and which of its abilities.
    Produce(u8, u8),
}

/// Cards that are dealt at first; each mulligan costs one of them.
pub(super) const FIRST_HAND: u8 = 7;

/// The parts of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Phase {
    Untap,
    Upkeep,
    Draw,
    Main,
    BeginCombat,
    Attackers,
    Blockers,
    FirstDamage,
    Damage,
    EndCombat,
    SecondMain,
    End,
    Cleanup,
}

/// Whose turn it is, and how far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    /// Turns begun, from 1.
    pub(super) turn: u16,
    /// The last id given to an item on the stack.
    pub(super) item: u8,
    pub(super) active: u8,
    pub(super) phase: Phase,
    /// Whether the actions of the step itself are done.
    pub(super) begun: bool,
    /// Who has priority.
    pub(super) priority: u8,
    /// Players who have passed in a row.
    pub(super) passes: u8,
    /// The main phase after the next combat.
    pub(super) after_combat: Phase,
    /// 500.7: whose the extra turns to come are, one bit each, the next one
    /// lowest. How many there are is [`Seat::extra_turns`] of both.
    pub(super) extra_turns: u32,
    /// Whose the last turn was that was no extra one.
    pub(super) regular: u8,
    /// Combats to come in this turn.
    pub(super) extra_combats: u8,
    /// Combat damage is prevented this turn.
    pub(super) combat_damage_prevented: bool,
    /// The creature that takes the damage of unblocked ones, for each seat.
    pub(super) guard: [u8; 2],
    /// Whether nothing has happened since state-based actions were looked at.
    pub(super) settled: bool,
    /// Whether the end of the turn has come for effects.
    pub(super) expired: bool,
    /// 514.3a: players have had priority in this cleanup step.
    pub(super) lingers: bool,
}

impl Magic {
    /// The card with this number.
    #[inline]
    pub(super) fn def(&self, card: u8) -> &'static Def {
        &self.table.0.cards[card as usize]
    }

    /// The card of a permanent.
    #[inline]
    pub(super) fn def_at(&self, slot: u8) -> &'static Def {
        self.def(self.board.card[slot as usize])
    }

    /// The permanents that a seat controls.
    #[inline]
    pub(super) fn controlled(&self, seat: u8) -> Slots {
        let second = self.board.controller & self.board.used;
        if seat == 1 { second } else { self.board.used & !second }
    }

    /// Who controls a permanent.
    #[inline]
    pub(super) fn controller(&self, slot: u8) -> u8 {
        (self.board.controller >> slot & 1) as u8
    }

    /// Who owns a permanent.
    #[inline]
    pub(super) fn owner(&self, slot: u8) -> u8 {
        crate::magic::table::owner(self.board.card[slot as usize])
    }
}

impl Default for ContinuousEffect {
    fn default() -> Self {
        Self {
            on: 0,
            kind: EffectKind::Controls { seat: 0 },
            until: Duration::Forever,
            older_statics: 0,
            times: 1,
        }
    }
}

impl Default for DelayedTrigger {
    fn default() -> Self {
        let when = crate::magic::language::Moment::End;
        Self { what: PendingTrigger::default(), when, whose: NONE, from_turn: 0 }
    }
}

impl Default for Item {
    fn default() -> Self {
        Self {
            card: 0,
            program: 0,
            source: NONE,
            source_card: 0,
            source_copy: NONE,
            departed_id: 0,
            power: 0,
            you: 0,
            spell: false,
            id: 0,
            x: 0,
            event: NONE,
            event_card: NONE,
            event_copy: NONE,
            event_player: NONE,
            amount: 0,
            times: 1,
            targets: ChosenTargets::new(),
        }
    }
}
