//! What a state is in the middle of: a resolution, an announcement, a question, a turn.

use crate::magic::state::row::Row;
use crate::magic::state::seat::{BySeat, Seat};
use crate::magic::state::slots::Slot;
use crate::magic::state::{Item, MAX_DRAWN, Owed};
use crate::magic::table::card::{CardId, DeckCard};

/// The resolution in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::magic) struct Resolution {
    pub(in crate::magic) active: bool,
    pub(in crate::magic) item: Item,
    pub(in crate::magic) step: u8,
    /// The player to whom an "each player" instruction applies now.
    pub(in crate::magic) them: Option<Seat>,
    /// For how many players "each player" was followed.
    pub(in crate::magic) players_done: u8,
    /// What the last instruction moved, drew or dealt.
    pub(in crate::magic) kept: u8,
    pub(in crate::magic) chosen: [Option<Slot>; 2],
    pub(in crate::magic) chosen_count: u8,
    /// Cards this effect drew.
    pub(in crate::magic) drawn: Row<DeckCard, MAX_DRAWN>,
    /// Whether the spell's card has already gone somewhere.
    pub(in crate::magic) moved: bool,
    /// The high bid and its bidder.
    pub(in crate::magic) bid: (u8, Option<Seat>),
}

/// The spell or ability being announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::magic) struct Announcement {
    pub(in crate::magic) active: bool,
    pub(in crate::magic) item: Item,
    pub(in crate::magic) stage: Stage,
    /// Which activated ability of the card; none for a triggered one.
    pub(in crate::magic) ability: Option<u8>,
    /// The kind of target being chosen, and how many of that kind there are.
    pub(in crate::magic) target: u8,
    pub(in crate::magic) chosen: u8,
    /// The part of the cost being paid.
    pub(in crate::magic) cost: u8,
    /// Mana still to pay.
    pub(in crate::magic) owed: Owed,
}

/// How far an announcement has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::magic) enum Stage {
    Mode,
    X,
    Targets,
    Mana,
    Costs,
}

/// What the machine waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::magic) enum Question {
    /// Nothing: it can go on.
    Nothing,
    /// The game is over.
    Over,
    /// Chance: the top card of this seat's library.
    TopCard(Seat),
    /// Chance: a card of this seat's hand, for the task on top.
    RandomCard(Seat),
    /// Chance: a coin.
    Coin,
    /// What to do with priority.
    Priority,
    /// Whether to take a new hand.
    Mulligan,
    /// Whether this creature attacks.
    Attack(Slot),
    /// What this creature blocks.
    Block(Slot),
    /// Which blocker of this attacker comes next for damage.
    Order(Slot),
    /// Which mode the spell has.
    Mode,
    /// How much `X` is, up to so much.
    X(u8),
    /// The next target.
    Target,
    /// What to tap for mana.
    Pay,
    /// The mana to make with this permanent.
    Colour(Slot),
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
    StayTapped(Slot),
    /// One of these permanents with the greatest mana value.
    Greatest,
    /// Whether to buy off a draw.
    Buy,
    /// A bid above the last.
    Bid,
    /// Which legend to keep.
    Legend,
    /// 616.1: what happens instead of an event; the permanent it is about, if it is about one.
    Instead(Option<Slot>),
    /// 510.1c: how much damage this blocker is assigned.
    Assign(Slot),
    /// Which mana ability to use for the announced cost.
    Mana,
    /// The mana of a mana ability: the card, and which of its abilities.
    Produce(CardId, u8),
}

/// The parts of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(in crate::magic) enum Phase {
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
pub(in crate::magic) struct Clock {
    /// Turns begun, from 1.
    pub(in crate::magic) turn: u16,
    /// The last id given to an item on the stack.
    pub(in crate::magic) item: u8,
    pub(in crate::magic) active: Seat,
    pub(in crate::magic) phase: Phase,
    /// Whether the actions of the step itself are done.
    pub(in crate::magic) begun: bool,
    /// Who has priority.
    pub(in crate::magic) priority: Seat,
    /// Players who have passed in a row.
    pub(in crate::magic) passes: u8,
    /// The main phase after the next combat.
    pub(in crate::magic) after_combat: Phase,
    /// 500.7: whose the extra turns to come are, one bit each, the next one
    /// lowest. How many there are is [`PlayerState::extra_turns`](super::PlayerState) of both.
    pub(in crate::magic) extra_turns: u32,
    /// Whose the last turn was that was no extra one.
    pub(in crate::magic) regular: Seat,
    /// Combats to come in this turn.
    pub(in crate::magic) extra_combats: u8,
    /// Combat damage is prevented this turn.
    pub(in crate::magic) combat_damage_prevented: bool,
    /// The creature that takes the damage of unblocked ones, for each seat.
    pub(in crate::magic) guard: BySeat<Option<Slot>>,
    /// Whether nothing has happened since state-based actions were looked at.
    pub(in crate::magic) settled: bool,
    /// Whether the end of the turn has come for effects.
    pub(in crate::magic) expired: bool,
    /// 514.3a: players have had priority in this cleanup step.
    pub(in crate::magic) lingers: bool,
}
