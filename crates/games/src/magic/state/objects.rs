//! Spells, abilities and effects of a state.

use crate::magic::state::ChosenTargets;
use crate::magic::state::groups::Named;
use crate::magic::state::seat::Seat;
use crate::magic::state::slots::{Slot, Slots};
use crate::magic::table::card::CardId;
use crate::magic::zones::graveyard::NO_COPY;

/// A spell or ability on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::magic) struct Item {
    /// The card whose program it is.
    pub(in crate::magic) card: CardId,
    pub(in crate::magic) program: u8,
    /// The permanent it comes from, if that is still there.
    pub(in crate::magic) source: Option<Slot>,
    /// The card of the source: differs from `card` for granted abilities.
    pub(in crate::magic) source_card: CardId,
    /// Which copy in the graveyard the source is, if it is there.
    pub(in crate::magic) source_copy: u8,
    /// Tells the source apart from others once it has left.
    pub(in crate::magic) departed_id: u8,
    /// The power of the source when it was last there.
    pub(in crate::magic) power: i8,
    pub(in crate::magic) you: Seat,
    pub(in crate::magic) spell: bool,
    /// Tells items apart while they are on the stack.
    pub(in crate::magic) id: u8,
    pub(in crate::magic) x: u8,
    /// What set it off: a permanent or a group, its card, a player, an amount.
    pub(in crate::magic) event: Named,
    pub(in crate::magic) event_card: CardId,
    /// Which copy in the graveyard that is, if it is there.
    pub(in crate::magic) event_copy: u8,
    pub(in crate::magic) event_player: Option<Seat>,
    pub(in crate::magic) amount: u8,
    /// How many times it is there.
    pub(in crate::magic) times: u8,
    pub(in crate::magic) targets: ChosenTargets,
}

/// An effect with a duration.
// Packed, for there are many: aligned as a set wants it, each would take 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(Rust, packed(4))]
pub(in crate::magic) struct ContinuousEffect {
    /// The permanents it acts on.
    pub(in crate::magic) on: Slots,
    pub(in crate::magic) kind: EffectKind,
    pub(in crate::magic) until: Duration,
    /// 613.7: how many of the permanents with static abilities are older.
    pub(in crate::magic) older_statics: u8,
    /// How many there are of it.
    pub(in crate::magic) times: u8,
}

/// What a lasting effect does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::magic) enum EffectKind {
    /// Adds to power and toughness, and keywords.
    Gets { power: i8, toughness: i8, keywords: u32 },
    /// Takes keywords away.
    Loses { keywords: u32 },
    /// Changes what something is, as this step of a program says.
    Becomes { at: At, land_type: u8 },
    /// Binds by a rule, as this step of a program says.
    Binds { at: At },
    /// This seat controls it.
    Controls { seat: Seat },
    /// The next time it would be destroyed, it is not.
    Regenerates { times: u8 },
    /// The next so much damage to it, or to a seat, is prevented.
    Prevents { amount: u8, seat: Option<Seat> },
    /// 609.7: the next damage of this source to it, or to a seat, is changed.
    /// The source is a permanent, or else the spell with an id or what left as
    /// the source with this number (`Item::departed_id`).
    Shields { source: Option<Slot>, item: u8, seat: Option<Seat>, instead: u8, you: Seat },
}

/// A step of a program of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::magic) struct At {
    pub(in crate::magic) card: CardId,
    pub(in crate::magic) program: u8,
    pub(in crate::magic) step: u8,
}

/// How long a lasting effect lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::magic) enum Duration {
    EndOfTurn,
    Forever,
    /// The end of this seat's next untap step.
    Untap(Seat),
    /// The permanent in this slot untaps or leaves.
    Untapped(Slot),
}

/// An ability that waits to be put on the stack, or a delayed one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::magic) struct PendingTrigger {
    pub(in crate::magic) card: CardId,
    pub(in crate::magic) program: u8,
    pub(in crate::magic) source: Option<Slot>,
    /// Tells the source apart from others once it has left.
    pub(in crate::magic) departed_id: u8,
    pub(in crate::magic) you: Seat,
    pub(in crate::magic) event: Named,
    pub(in crate::magic) event_card: CardId,
    /// Which copies in graveyards these and the source are, if they are there.
    pub(in crate::magic) event_copy: u8,
    pub(in crate::magic) source_copy: u8,
    pub(in crate::magic) event_player: Option<Seat>,
    pub(in crate::magic) amount: u8,
    /// How many times it triggered alike.
    pub(in crate::magic) times: u8,
}

/// A delayed trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::magic) struct DelayedTrigger {
    pub(in crate::magic) what: PendingTrigger,
    pub(in crate::magic) when: crate::magic::language::Moment,
    /// In whose turn, if not in any.
    pub(in crate::magic) whose: Option<Seat>,
    /// Not before this turn.
    pub(in crate::magic) from_turn: u16,
}

impl Default for ContinuousEffect {
    fn default() -> Self {
        Self {
            on: Slots::EMPTY,
            kind: EffectKind::Controls { seat: Seat::First },
            until: Duration::Forever,
            older_statics: 0,
            times: 1,
        }
    }
}

impl Default for DelayedTrigger {
    fn default() -> Self {
        let when = crate::magic::language::Moment::End;
        Self { what: PendingTrigger::default(), when, whose: None, from_turn: 0 }
    }
}

impl Default for Item {
    fn default() -> Self {
        Self {
            card: CardId::default(),
            program: 0,
            source: None,
            source_card: CardId::default(),
            source_copy: NO_COPY,
            departed_id: 0,
            power: 0,
            you: Seat::First,
            spell: false,
            id: 0,
            x: 0,
            event: Named::NOTHING,
            event_card: CardId::BLANK,
            event_copy: NO_COPY,
            event_player: None,
            amount: 0,
            times: 1,
            targets: ChosenTargets::new(),
        }
    }
}
