//! Which permanents, spells or cards something is about.

use serde::{Deserialize, Serialize};

use super::{Colours, Keyword, Subtype, Types};

/// Properties that must all hold; the empty filter takes everything.
///
/// Lists mean "one of these".
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    /// Has one of these types.
    pub types: Types,
    /// Has none of these types.
    pub not_types: Types,
    /// Has one of these subtypes.
    pub subtypes: Vec<Subtype>,
    /// Has none of these subtypes.
    pub not_subtypes: Vec<Subtype>,
    /// Has one of these colours.
    pub colours: Colours,
    /// Has none of these colours.
    pub not_colours: Colours,
    /// Is a basic land.
    pub basic: bool,
    /// Who controls it (on the battlefield and the stack) or owns it.
    pub controller: Option<Side>,
    /// Is tapped, or is not.
    pub tapped: Option<bool>,
    /// Is in one of these positions of combat.
    pub combat: Vec<CombatRole>,
    /// Has this keyword.
    pub with: Option<Keyword>,
    /// Lacks this keyword.
    pub without: Option<Keyword>,
    /// Has at least this power.
    pub least_power: Option<i8>,
    /// Has at most this power.
    pub most_power: Option<i8>,
    /// Has the mana value X.
    pub mana_value_x: bool,
    /// Was dealt damage this turn.
    pub damaged: bool,
    /// Attacked this turn.
    pub attacked: bool,
    /// Is not the source of this ability itself.
    pub other: bool,
    /// Is a token, or is not.
    pub token: Option<bool>,
    /// Has a mana ability.
    pub mana_ability: bool,
    /// Fits one of these besides.
    pub one_of: Vec<Self>,
}

/// A player, seen from the controller of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Side {
    /// You.
    You,
    /// Your opponent.
    Opponent,
    /// The first target, a player.
    Target,
    /// The controller of the first target, a permanent or a spell.
    TargetController,
    /// The player whose turn it is.
    Active,
    /// The player that `EachPlayer` or `ForEachPlayer` has come to.
    Them,
}

/// What a creature does in combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CombatRole {
    /// It attacks.
    Attacking,
    /// It blocks.
    Blocking,
}
