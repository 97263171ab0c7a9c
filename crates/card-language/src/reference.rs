//! What effects refer to: objects, amounts, conditions and durations.

use serde::{Deserialize, Serialize};

use super::{Filter, Moment, Side, Zone};

/// Whom or what an effect means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ref {
    /// The source of the ability.
    This,
    /// The target with this number, from 0.
    Target(u8),
    /// All targets.
    Targets,
    /// What the source is attached to.
    Enchanted,
    /// What set the ability off, or what was found.
    Event,
    /// The thing chosen with this number, from 0.
    Chosen(u8),
    /// Everything like this on the battlefield.
    All(Filter),
    /// The cards this effect has set aside.
    Aside,
    /// You, the controller.
    You,
    /// Your opponent.
    Opponent,
    /// Every player in turn order; each is `Them` in turn.
    EachPlayer,
    /// The player that `EachPlayer` or `ForEachPlayer` has come to.
    Them,
    /// The player whose turn it is.
    Active,
    /// The defending player.
    Defender,
    /// The player whom the triggering event is about: who was damaged, whose
    /// spell, whose permanent.
    EventPlayer,
    /// The controller of something.
    ControllerOf(Box<Self>),
    /// The owner of something.
    OwnerOf(Box<Self>),
}

/// A number, known when it is needed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Amount {
    /// This number.
    N(i8),
    /// The chosen `X`.
    X,
    /// Minus the chosen `X`.
    MinusX,
    /// How many such permanents there are.
    Count(Filter),
    /// How many such cards are in a player's hand, library or graveyard.
    CardsIn(Zone, Side, Filter),
    /// The power of something.
    PowerOf(Ref),
    /// The toughness of something.
    ToughnessOf(Ref),
    /// A player's life.
    LifeOf(Ref),
    /// Half a player's life, rounded up.
    HalfLifeOf(Ref),
    /// How far two amounts are apart, never negative.
    Difference(Box<Self>, Box<Self>),
    /// How much the triggering event was about.
    Event,
    /// How many the last instruction moved, drew or dealt.
    Kept,
    /// This target's part of what was divided.
    Share,
    /// As many as there are.
    Everything,
}

impl Default for Amount {
    fn default() -> Self {
        Self::N(0)
    }
}

/// A question about the state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Condition {
    /// There is such a permanent.
    Exists(Filter),
    /// The first is at least the second.
    AtLeast(Amount, Amount),
    /// The first is at most the second.
    AtMost(Amount, Amount),
    /// It is one of these.
    Is(Ref, Filter),
    /// The other way round.
    Not(Box<Self>),
}

/// How long an effect lasts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lasts {
    /// Until the end of the turn.
    #[default]
    Turn,
    /// As long as the thing is there.
    Forever,
    /// Until its controller's next untap step is over.
    NextUntap,
    /// While the source stays tapped.
    WhileTapped,
}

/// When a delayed ability triggers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum When {
    /// The next time this moment of a turn comes, whoever's it is.
    Next(Moment),
    /// The next time it comes in your turn.
    YourNext(Moment),
    /// When it comes in the extra turn just gained.
    ThatTurns(Moment),
}

/// What a shield makes of damage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Instead {
    /// It is prevented.
    #[default]
    Nothing,
    /// It is prevented and you gain as much life.
    GainLife,
    /// It is dealt to you.
    DamageYou,
}
