//! Unfinished instructions: whatever takes several steps or questions.

use crate::magic::state::seat::{Seat, SeatSet};
use crate::magic::state::slots::Slot;
use crate::magic::table::card::{CardId, DeckCard};

/// Something that takes several steps or questions. Tasks nest: the innermost is worked
/// on first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::magic) enum Task {
    /// 121: a player draws cards.
    Draw {
        seat: Seat,
        left: u8,
        /// Whether the instruction being followed counts the cards drawn.
        counted: bool,
        /// 616.1: what was chosen for the next draw, if a choice was needed.
        choice: Option<DrawChoice>,
    },
    /// A player draws as many cards as they like, up to `most`.
    DrawUpTo { seat: Seat, most: u8 },
    /// The opponent may pay life to put the revealed `card` that `seat` draws into the
    /// graveyard.
    BuyDraw { seat: Seat, card: DeckCard, counted: bool },
    /// A player returns a card from the graveyard to the hand instead of drawing.
    ReturnCard { seat: Seat },
    /// 701.9: a player discards cards of their choice.
    Discard { seat: Seat, left: u8, filter: TaskFilter },
    /// 701.9b: a player discards cards at random.
    DiscardAtRandom { seat: Seat, left: u8, filter: TaskFilter },
    /// 701.21: a player sacrifices permanents.
    Sacrifice { seat: Seat, left: u8, filter: TaskFilter },
    /// A player taps untapped permanents for a cost.
    TapOther { seat: Seat, left: u8, filter: TaskFilter },
    /// A player takes up to `left` and at least `least` cards of the zones of `owner` that
    /// the running instruction names.
    Take { seat: Seat, owner: Seat, left: u8, least: u8 },
    /// A player puts the cards set aside on top or on the bottom of their owner's library.
    Arrange { seat: Seat, bottom: bool },
    /// 701.17: cards of a library go where the running instruction says.
    Mill { seat: Seat, left: u8 },
    /// Cards of a library are set aside and seen by the players in `seen`.
    Look { seat: Seat, left: u8, seen: SeatSet },
    /// 701.20: cards of a library are revealed until one fits the running instruction.
    RevealUntil { seat: Seat },
    /// 103.5: a player keeps the hand or takes a mulligan.
    Mulligan { seat: Seat },
    /// 103.5: a player puts cards of the hand on the bottom after mulligans.
    PutOnBottom { seat: Seat, left: u8 },
    /// 502.3: a player decides which permanents stay tapped; those above `after` are
    /// still to come.
    Untap { seat: Seat, after: Option<Slot> },
    /// 704.5j: a player chooses which legendary permanent named like `card` to keep.
    KeepLegend { seat: Seat, card: CardId },
    /// 508.1: a player declares attackers; those above `after` are still to come.
    DeclareAttackers { seat: Seat, after: Option<Slot> },
    /// 509.1: a player declares blockers; those above `after` are still to come.
    DeclareBlockers { seat: Seat, after: Option<Slot> },
    /// 509.2: a player orders the blockers of attackers; `placed` have their place.
    OrderBlockers { seat: Seat, placed: u8 },
    /// 614.12: a player makes the choices of a permanent that enters, from `step` of its
    /// program on.
    AsEnters { seat: Seat, slot: Slot, step: u8 },
    /// 616.1: the permanents of [`Dying`](super::Dying) are put into graveyards when all
    /// choices are made.
    #[default]
    Die,
    /// 510.1: a player assigns the combat damage of attackers.
    AssignDamage { seat: Seat, first_strike: bool },
    /// 510.2: combat damage is dealt when all choices are made.
    CombatDamage { first_strike: bool },
    /// The damage of the running instruction is dealt when all choices are made.
    InstructionDamage,
    /// The damage of a mana ability is dealt when all choices are made: `program` of
    /// `card`, which is or was the permanent in `slot`.
    ManaDamage { seat: Seat, slot: Option<Slot>, card: CardId, program: u8 },
}

/// What replaces a draw when two effects could.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::magic) enum DrawChoice {
    ReturnCard,
    Reveal,
}

/// Where the filter is that cards or permanents chosen for a task must fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::magic) enum TaskFilter {
    /// There is none.
    #[default]
    Any,
    /// In the running instruction.
    Instruction,
    /// In this part of a cost that the running instruction asks for.
    ResolutionCost(u8),
    /// In this part of the cost of the announced ability.
    AnnouncedCost(u8),
    /// In a part of the cost of a mana ability of a card.
    ManaAbilityCost { card: CardId, ability: u8, part: u8 },
}

impl Task {
    /// A player draws cards that no instruction counts.
    pub(in crate::magic) fn draw(seat: Seat, left: u8) -> Self {
        Self::Draw { seat, left, counted: false, choice: None }
    }

    /// Whether damage is dealt when all choices are made.
    pub(in crate::magic) fn deals_damage(self) -> bool {
        matches!(
            self,
            Self::CombatDamage { .. } | Self::InstructionDamage | Self::ManaDamage { .. }
        )
    }

    /// The player whose task it is.
    pub(in crate::magic) fn seat(self) -> Seat {
        match self {
            Self::Draw { seat, .. }
            | Self::DrawUpTo { seat, .. }
            | Self::BuyDraw { seat, .. }
            | Self::ReturnCard { seat }
            | Self::Discard { seat, .. }
            | Self::DiscardAtRandom { seat, .. }
            | Self::Sacrifice { seat, .. }
            | Self::TapOther { seat, .. }
            | Self::Take { seat, .. }
            | Self::Arrange { seat, .. }
            | Self::Mill { seat, .. }
            | Self::Look { seat, .. }
            | Self::RevealUntil { seat }
            | Self::Mulligan { seat }
            | Self::PutOnBottom { seat, .. }
            | Self::Untap { seat, .. }
            | Self::KeepLegend { seat, .. }
            | Self::DeclareAttackers { seat, .. }
            | Self::DeclareBlockers { seat, .. }
            | Self::OrderBlockers { seat, .. }
            | Self::AsEnters { seat, .. }
            | Self::AssignDamage { seat, .. }
            | Self::ManaDamage { seat, .. } => seat,
            Self::Die | Self::CombatDamage { .. } | Self::InstructionDamage => Seat::First,
        }
    }

    /// Where the filter of what is chosen is.
    pub(in crate::magic) fn filter(self) -> TaskFilter {
        match self {
            Self::Discard { filter, .. }
            | Self::DiscardAtRandom { filter, .. }
            | Self::Sacrifice { filter, .. }
            | Self::TapOther { filter, .. } => filter,
            _ => TaskFilter::Any,
        }
    }

    /// Counts one card or permanent as done.
    pub(in crate::magic) fn count_one(&mut self) {
        match self {
            Self::Draw { left, choice, .. } => {
                *left = left.saturating_sub(1);
                // The next draw needs a choice of its own.
                *choice = None;
            }
            Self::Take { left, least, .. } => {
                *left = left.saturating_sub(1);
                *least = least.saturating_sub(1);
            }
            Self::Discard { left, .. }
            | Self::DiscardAtRandom { left, .. }
            | Self::Sacrifice { left, .. }
            | Self::TapOther { left, .. }
            | Self::Mill { left, .. }
            | Self::Look { left, .. }
            | Self::PutOnBottom { left, .. } => *left = left.saturating_sub(1),
            _ => {}
        }
    }

    /// The task as bytes, for hashes: its kind, its seat and what else tells it from others.
    // Recorded playthroughs pin the hashes, so the numbers stay as they are.
    pub(in crate::magic) fn bytes(self) -> [u8; 5] {
        let flag = u8::from;
        let next = |after: Option<Slot>| after.map_or(0, |slot| slot.number() + 1);
        let of = |kind, left, first, second| [kind, self.seat().number(), left, first, second];
        let chosen = |kind, left, filter: TaskFilter| {
            let [code, card] = filter.bytes();
            of(kind, left, code, card)
        };
        match self {
            Self::Draw { left, counted, choice, .. } => {
                let choice = match choice {
                    None => 0,
                    Some(DrawChoice::ReturnCard) => 9,
                    Some(DrawChoice::Reveal) => 10,
                };
                of(0, left, flag(counted), choice)
            }
            Self::BuyDraw { card, counted, .. } => of(1, 0, card.number(), flag(counted)),
            Self::ReturnCard { .. } => of(2, 0, 0, 0),
            Self::Discard { left, filter, .. } => chosen(3, left, filter),
            Self::DiscardAtRandom { left, filter, .. } => chosen(4, left, filter),
            Self::Sacrifice { left, filter, .. } => chosen(5, left, filter),
            Self::TapOther { left, filter, .. } => chosen(6, left, filter),
            Self::Take { owner, left, least, .. } => of(7, left, owner.number(), least),
            Self::Arrange { bottom, .. } => of(8, 0, flag(bottom), 0),
            Self::Mill { left, .. } => of(9, left, 1, 0),
            Self::Look { left, seen, .. } => of(10, left, seen.bits(), 0),
            Self::RevealUntil { .. } => of(11, 1, 0, 0),
            Self::Mulligan { .. } => of(12, 0, 0, 0),
            Self::PutOnBottom { left, .. } => of(13, left, 0, 0),
            Self::Untap { after, .. } => of(14, next(after), 0, 0),
            Self::KeepLegend { card, .. } => of(15, 0, card.number(), 0),
            Self::DrawUpTo { most, .. } => of(16, most, 1, 0),
            Self::DeclareAttackers { after, .. } => of(17, next(after), 0, 0),
            Self::DeclareBlockers { after, .. } => of(18, next(after), 0, 0),
            Self::OrderBlockers { placed, .. } => of(19, 0, placed, 0),
            Self::AsEnters { slot, step, .. } => of(20, step, slot.number(), 0),
            Self::Die => of(21, 0, 0, 0),
            Self::CombatDamage { first_strike } => of(22, 0, flag(first_strike), 0),
            Self::InstructionDamage => of(23, 0, 0, 0),
            Self::ManaDamage { slot, card, program, .. } => {
                of(24, card.number(), Slot::byte(slot), program)
            }
            Self::AssignDamage { first_strike, .. } => of(25, 0, flag(first_strike), 0),
        }
    }
}

impl TaskFilter {
    /// The place of the filter as a number, and the card it is on if it needs one.
    fn bytes(self) -> [u8; 2] {
        match self {
            Self::Any => [0, 0],
            Self::Instruction => [1, 0],
            Self::ResolutionCost(part) => [16 + part, 0],
            Self::AnnouncedCost(part) => [64 + part, 0],
            Self::ManaAbilityCost { card, ability, part } => {
                [128 + 8 * ability + part, card.number()]
            }
        }
    }

    /// Whether it belongs to the spell or ability being announced, not to the one that
    /// resolves.
    pub(in crate::magic) fn is_announced(self) -> bool {
        matches!(self, Self::AnnouncedCost(_) | Self::ManaAbilityCost { .. })
    }
}
