//! What a card can do besides being cast: abilities, their costs, targets,
//! triggers and standing rules.

use serde::{Deserialize, Serialize};

use super::{
    Amount, Colours, Condition, Effect, Filter, Keywords, LandType, Mana, ManaCost, Moment, Ref,
    Side, Types, Zone,
};

/// One ability of a card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Ability {
    /// 602: "cost: effect", used when its controller has priority.
    Activated {
        /// What is paid.
        cost: Vec<Cost>,
        /// What is chosen when it is used.
        #[serde(default)]
        targets: Vec<Target>,
        /// What happens.
        effects: Vec<Effect>,
        /// Where the card must be.
        #[serde(default)]
        from: Zone,
        /// When it may be used; always if empty.
        #[serde(default)]
        only: Vec<Timing>,
    },
    /// 605: adds mana at once, without the stack.
    Mana {
        /// What is paid.
        cost: Vec<Cost>,
        /// The mana.
        add: Produce,
        /// What else happens at once.
        #[serde(default)]
        effects: Vec<Effect>,
    },
    /// 603: "when, whenever, at": goes on the stack by itself.
    Triggered {
        /// When.
        on: Event,
        /// 603.4: must be true when it triggers and when it resolves.
        #[serde(default)]
        condition: Option<Condition>,
        /// What is chosen when it goes on the stack.
        #[serde(default)]
        targets: Vec<Target>,
        /// What happens.
        effects: Vec<Effect>,
    },
    /// 604: true while the card is on the battlefield.
    Static(Static),
    /// 614.12: choices made and changes worked as it enters.
    AsEnters(Vec<Effect>),
}

/// The mana of a mana ability.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Produce {
    /// All of it.
    All(Vec<Mana>),
    /// One of these, at the player's choice.
    OneOf(Vec<Mana>),
}

/// One part of a cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cost {
    /// Mana.
    Mana(ManaCost),
    /// Mana, with `X` paid in this mana only.
    ManaWithX(ManaCost, Mana),
    /// The mana cost of something, less some generic mana.
    ManaCostOf(Ref, u8),
    /// `X` mana, where `X` was chosen for the spell.
    X,
    /// {T}: tap the source.
    Tap,
    /// Life.
    Life(u8),
    /// Sacrifice the source.
    SacrificeThis,
    /// Sacrifice so many permanents.
    Sacrifice(u8, Filter),
    /// Tap so many untapped permanents you control.
    TapOther(u8, Filter),
    /// Discard so many cards.
    Discard(u8, Filter),
    /// Discard so many cards at random.
    DiscardAtRandom(u8),
}

/// When an ability may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Timing {
    /// During your turn.
    YourTurn,
    /// During your upkeep.
    YourUpkeep,
    /// When you could cast a sorcery.
    Sorcery,
    /// Once each turn.
    OncePerTurn,
}

/// 115: what a spell or ability is aimed at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Target {
    /// Any target: a creature or a player.
    Any,
    /// A player.
    Player,
    /// An opponent.
    Opponent,
    /// A permanent.
    Permanent(Filter),
    /// A spell on the stack.
    Spell(Filter),
    /// A spell on the stack that has a single target.
    SpellWithOneTarget,
    /// A card in a graveyard.
    Card {
        /// In whose graveyard; in any if left out.
        #[serde(default)]
        whose: Option<Side>,
        /// Which.
        #[serde(default)]
        card: Filter,
    },
    /// Up to so many of these.
    UpTo(u8, Box<Self>),
    /// Any number of these, among which an amount is divided, at least one
    /// each.
    Divided(u8, Box<Self>),
}

/// 603.2: what sets off an ability.
///
/// Where a [`Ref`] is asked for: `This`, `Enchanted` or `All(filter)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Event {
    /// It enters the battlefield.
    Enters(Ref),
    /// It is put into a graveyard from the battlefield.
    Dies(Ref),
    /// It leaves the battlefield.
    Leaves(Ref),
    /// It becomes tapped.
    BecomesTapped(Ref),
    /// It is tapped for mana.
    TappedForMana(Ref),
    /// It attacks.
    Attacks(Ref),
    /// It blocks, or becomes blocked; once each combat.
    BlocksOrBlocked(Ref),
    /// It attacks or blocks.
    AttacksOrBlocks(Ref),
    /// It blocks, or becomes blocked by, one of these: once for each, which is
    /// then `Event`.
    BlocksOrBlockedBy(Ref, Filter),
    /// It deals damage; the amount is then `Amount::Event`.
    DealsDamage(Ref),
    /// It deals damage to a player, who is then `EventPlayer`.
    DealsDamageToPlayer(Ref),
    /// A player casts such a spell.
    Casts {
        /// Who; anybody if left out.
        #[serde(default)]
        who: Option<Side>,
        /// Which.
        #[serde(default)]
        spell: Filter,
    },
    /// A step begins.
    Begins {
        /// Which.
        step: Moment,
        /// In whose turn; in every one if left out.
        #[serde(default)]
        whose: Option<Side>,
    },
    /// You draw your first card of a turn, reveal it, and it is one of these.
    FirstDraw(Filter),
}

/// 604: what is true while a permanent is on the battlefield.
///
/// Where a [`Ref`] is asked for: `This`, `Enchanted` or `All(filter)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Static {
    /// 613.4c, 613.1f: gets power and toughness, keywords and abilities.
    Gets {
        /// Who gets it.
        what: Ref,
        /// Added to power.
        #[serde(default)]
        power: Amount,
        /// Added to toughness.
        #[serde(default)]
        toughness: Amount,
        /// Keywords.
        #[serde(default)]
        keywords: Keywords,
        /// Activated abilities.
        #[serde(default)]
        abilities: Vec<Ability>,
    },
    /// 613.1d, e, 613.4b: is something else.
    Becomes {
        /// Who changes.
        what: Ref,
        /// How.
        into: Change,
        /// Whether spells you control and cards you own outside the
        /// battlefield change too.
        #[serde(default)]
        everywhere: bool,
    },
    /// 613.1b: you control it.
    Control(Ref),
    /// A rule about permanents.
    Rule {
        /// Who it binds.
        what: Ref,
        /// The rule.
        rule: Rule,
    },
    /// Spells cost more.
    CostsMore {
        /// Whose; everybody's if left out.
        #[serde(default)]
        who: Option<Side>,
        /// Which.
        spell: Filter,
        /// How much.
        by: ManaCost,
    },
    /// Each player may play so many more lands in each of their turns.
    ExtraLands(u8),
    /// Players play with their hands revealed.
    HandsRevealed,
    /// You may spend mana of this colour as though it were of any colour, and
    /// other mana only as though it were colourless.
    SpendAsAny(Mana),
    /// 614: something else happens instead.
    Instead(Replacement),
}

/// What becomes of a permanent's characteristics. What is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Change {
    /// Types added.
    pub types: Types,
    /// Subtypes added.
    pub subtypes: Vec<super::Subtype>,
    /// Its only basic land type, and with it its only mana ability.
    pub land_type: Option<LandType>,
    /// The basic land type chosen for the source.
    pub chosen_land_type: bool,
    /// Its only colours.
    pub colours: Option<Colours>,
    /// Its base power and toughness.
    pub body: Option<(i8, i8)>,
    /// Keywords added.
    pub keywords: Keywords,
}

/// A rule that binds a permanent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rule {
    /// It cannot attack.
    CantAttack,
    /// It cannot attack unless this holds.
    CantAttackUnless(Condition),
    /// It attacks each combat if able.
    MustAttack,
    /// It attacks as though it had no defender.
    IgnoresDefender,
    /// It cannot block.
    CantBlock,
    /// It cannot block these.
    CantBlockThese(Filter),
    /// It cannot be blocked by these.
    CantBeBlockedBy(Filter),
    /// It cannot be blocked except by these.
    CantBeBlockedExceptBy(Filter),
    /// It cannot be blocked by more than one creature.
    OneBlocker,
    /// All creatures able to block it do so.
    AllMustBlock,
    /// It cannot be the target of spells.
    CantBeTargetOfSpells,
    /// Its activated abilities cannot be used.
    CantUseAbilities,
    /// It does not untap in its controller's untap step.
    DoesntUntap,
    /// Its controller may choose not to untap it.
    MayStayTapped,
    /// It enters tapped.
    EntersTapped,
    /// Combat damage that it would deal is prevented.
    DealsNoCombatDamage,
    /// Combat damage that it would be dealt is prevented.
    TakesNoCombatDamage,
}

/// 614.1: what happens instead of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Replacement {
    /// When this would die, it goes on top of its owner's library.
    DiesToTop,
    /// When you would draw a card, return a card from your graveyard to your
    /// hand; if you cannot, you lose.
    DrawFromGraveyard,
    /// A card that would go to your graveyard is exiled.
    GraveyardToExile,
    /// When a player would draw a card, they reveal it; any other player may
    /// pay so much life to put it into the graveyard.
    DrawsCanBeBought(u8),
}
