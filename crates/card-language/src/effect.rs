//! What happens when a spell or ability resolves.

use serde::{Deserialize, Serialize};

use super::{
    Amount, Change, Condition, Cost, Filter, Instead, Keywords, Lasts, Mana, Place, Ref, Rule,
    Side, When, Zone,
};

/// One instruction. Instructions are followed in the order written.
#[allow(clippy::large_enum_variant, reason = "cards are read once, not carried about")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Effect {
    /// The source deals damage. How much was dealt is then `Amount::Kept`.
    Damage {
        /// How much.
        amount: Amount,
        /// To whom.
        to: Ref,
        /// How much it deals to others at the same time.
        #[serde(default)]
        and: Vec<(Amount, Ref)>,
    },
    /// 701.8: destroy.
    Destroy {
        /// What.
        what: Ref,
        /// Whether regeneration helps.
        #[serde(default = "yes")]
        regenerate: bool,
    },
    /// Put something somewhere: exile, bounce, reanimate.
    Put {
        /// What.
        what: Ref,
        /// Where.
        to: Place,
        /// Under whose control it enters; its owner's if left out.
        #[serde(default)]
        under: Option<Side>,
        /// Whether it enters tapped.
        #[serde(default)]
        tapped: bool,
    },
    /// 701.21: players sacrifice permanents of their choice.
    Sacrifice {
        /// Who.
        who: Ref,
        /// Which.
        what: Filter,
        /// How many.
        amount: Amount,
    },
    /// This very thing is sacrificed.
    SacrificeIt {
        /// What.
        what: Ref,
    },
    /// 701.26: tap.
    Tap {
        /// What.
        what: Ref,
    },
    /// 701.26: untap.
    Untap {
        /// What.
        what: Ref,
    },
    /// Gets power, toughness and keywords for a while.
    Gets {
        /// Who.
        what: Ref,
        /// Added to power.
        #[serde(default)]
        power: Amount,
        /// Added to toughness.
        #[serde(default)]
        toughness: Amount,
        /// Keywords gained.
        #[serde(default)]
        keywords: Keywords,
        /// Keywords lost.
        #[serde(default)]
        loses: Keywords,
        /// How long.
        #[serde(default)]
        lasts: Lasts,
    },
    /// Becomes something else for a while.
    Becomes {
        /// Who.
        what: Ref,
        /// What.
        into: Change,
        /// How long.
        #[serde(default)]
        lasts: Lasts,
    },
    /// A rule binds something for a while.
    Bind {
        /// Who.
        what: Ref,
        /// The rule.
        rule: Rule,
        /// How long.
        #[serde(default)]
        lasts: Lasts,
    },
    /// You gain control.
    Control {
        /// Of what.
        what: Ref,
        /// How long.
        #[serde(default)]
        lasts: Lasts,
    },
    /// Two players exchange control of the two things chosen last
    /// (`ChooseGreatest`); nothing happens if either had nothing to choose.
    ExchangeChosen,
    /// A player chooses among their permanents with the greatest mana value;
    /// the first is then `Chosen(0)`, the next `Chosen(1)`.
    ChooseGreatest {
        /// Who.
        who: Ref,
        /// Among which.
        what: Filter,
    },
    /// 701.6: counter a spell.
    Counter {
        /// Which.
        what: Ref,
        /// Where its card goes; to the battlefield it comes under your control.
        #[serde(default)]
        to: Place,
    },
    /// Change the target of a spell that has one.
    Retarget {
        /// Which spell.
        what: Ref,
    },
    /// Draw cards. How many is then `Amount::Kept`.
    Draw {
        /// Who.
        who: Ref,
        /// How many.
        amount: Amount,
    },
    /// Draw as many cards as the player likes, up to so many.
    DrawUpTo {
        /// Who.
        who: Ref,
        /// How many at most.
        amount: Amount,
    },
    /// 701.9: discard. How many is then `Amount::Kept`.
    Discard {
        /// Who.
        who: Ref,
        /// How many.
        amount: Amount,
        /// Whether luck chooses; the player does otherwise.
        #[serde(default)]
        random: bool,
        /// Which cards may be discarded.
        #[serde(default)]
        card: Filter,
    },
    /// Show a hand to you, or to everybody.
    ShowHand {
        /// Whose.
        whose: Ref,
    },
    /// Somebody chooses cards in zones and they go somewhere. How many is then
    /// `Amount::Kept`, and the last of them `Event`. From a hand to its
    /// graveyard they are discarded.
    Take {
        /// Where to choose: anywhere in these zones.
        from: Vec<Zone>,
        /// Whose zones.
        #[serde(default = "you")]
        whose: Ref,
        /// Who chooses.
        #[serde(default = "you")]
        chooser: Ref,
        /// Which cards.
        #[serde(default)]
        card: Filter,
        /// The fewest; if there are fewer, all. 701.23b: whoever searches a
        /// library for certain cards need not find them.
        least: Amount,
        /// The most.
        most: Amount,
        /// Where they go.
        to: Place,
        /// Whether the others see them.
        #[serde(default)]
        revealed: bool,
        /// Whether they enter tapped.
        #[serde(default)]
        tapped: bool,
    },
    /// The top cards of a library are set aside for you to see.
    Look {
        /// Whose library.
        whose: Ref,
        /// How many cards.
        amount: Amount,
        /// Whether all see them.
        #[serde(default)]
        revealed: bool,
    },
    /// Cards are revealed from the top of a library and set aside until one of
    /// these comes, which is then `Event`.
    RevealUntil {
        /// Whose library.
        whose: Ref,
        /// Which card ends it.
        card: Filter,
    },
    /// Shuffle a library.
    Shuffle {
        /// Whose.
        whose: Ref,
    },
    /// Hands, graveyards or what is set aside are shuffled into libraries.
    ShuffleIn {
        /// Whose.
        whose: Ref,
        /// From where.
        from: Vec<Zone>,
    },
    /// Everything in these zones of a player is exiled.
    ExileAll {
        /// Whose.
        whose: Ref,
        /// From where.
        from: Vec<Zone>,
    },
    /// 701.17: cards go from the top of a library to the graveyard, or exile.
    Mill {
        /// Whose.
        who: Ref,
        /// How many.
        amount: Amount,
        /// Where to.
        #[serde(default)]
        to: Place,
    },
    /// Gain life.
    GainLife {
        /// Who.
        who: Ref,
        /// How much.
        amount: Amount,
    },
    /// Lose life.
    LoseLife {
        /// Who.
        who: Ref,
        /// How much.
        amount: Amount,
    },
    /// You exchange life totals with a player.
    ExchangeLife {
        /// With whom.
        with: Ref,
    },
    /// 111: tokens enter.
    Token {
        /// The name of the token's card.
        token: String,
        /// Who gets them.
        #[serde(default = "you")]
        who: Ref,
        /// How many.
        amount: Amount,
    },
    /// Add mana.
    AddMana {
        /// To whom.
        who: Ref,
        /// What.
        mana: Vec<Mana>,
    },
    /// A player loses all unspent mana.
    LoseMana {
        /// Who.
        who: Ref,
    },
    /// 615.7: prevent the next damage this turn.
    Prevent {
        /// How much.
        amount: Amount,
        /// To whom.
        to: Ref,
    },
    /// 615.8: you choose a source; the next time it would deal damage to
    /// somebody this turn, something else happens.
    Shield {
        /// To whom.
        to: Ref,
        /// What sources may be chosen.
        #[serde(default)]
        from: Filter,
        /// What happens instead.
        #[serde(default)]
        instead: Instead,
    },
    /// All combat damage is prevented this turn.
    Fog,
    /// Combat damage that unblocked creatures would deal to you this turn is
    /// dealt to the source instead.
    Guard,
    /// 701.19: the next time it would be destroyed this turn, it is not.
    Regenerate {
        /// What.
        what: Ref,
    },
    /// You take another turn after this one.
    ExtraTurn,
    /// After this main phase there is another combat and main phase.
    ExtraCombat,
    /// You may play so many more lands this turn.
    ExtraLands(u8),
    /// A player loses the game.
    LoseGame {
        /// Who.
        who: Ref,
    },
    /// 603.7: something happens later, once.
    Later {
        /// When.
        when: When,
        /// What.
        effects: Vec<Self>,
    },
    /// Does one or the other.
    If {
        /// The question.
        condition: Condition,
        /// When it holds.
        then: Vec<Self>,
        /// When it does not.
        #[serde(default)]
        otherwise: Vec<Self>,
    },
    /// A player may pay and something happens; if they do not or cannot,
    /// something else. Without costs it is just a choice.
    May {
        /// Who.
        #[serde(default = "you")]
        who: Ref,
        /// What it costs.
        #[serde(default)]
        cost: Vec<Cost>,
        /// What happens if they do.
        #[serde(default)]
        then: Vec<Self>,
        /// What happens if they do not.
        #[serde(default)]
        otherwise: Vec<Self>,
    },
    /// A player chooses one of these.
    Choose {
        /// Who.
        #[serde(default = "you")]
        who: Ref,
        /// Between what.
        options: Vec<Vec<Self>>,
    },
    /// A basic land type is chosen for the source.
    ChooseLandType,
    /// 705: a coin is flipped.
    Flip {
        /// If you win.
        win: Vec<Self>,
        /// If you lose.
        lose: Vec<Self>,
    },
    /// Each player in turn order is `Them` once; what was chosen is forgotten
    /// in between.
    ForEachPlayer(Vec<Self>),
    /// Players bid life in turn, you from 0; the highest bidder pays and gains
    /// control.
    Auction {
        /// Of what.
        what: Ref,
    },
}

fn yes() -> bool {
    true
}

fn you() -> Ref {
    Ref::You
}
