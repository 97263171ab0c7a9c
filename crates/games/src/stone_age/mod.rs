//! Stone Age, a worker placement game for two to four players.
//!
//! The `README.md` beside this file describes the rules, the action ids and the
//! observation.

mod actions;
mod bits;
mod cards;
mod chance;
mod config;
mod data;
mod evaluate;
mod feeding;
mod key;
mod layout;
mod legal;
mod notation;
mod observe;
mod payments;
mod placement;
mod scoring;
mod sets;
mod state;
mod text;

#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Companions, Forced, Game, GameInfo, ObservationSpec, Outcome, OutcomeList,
    Payoffs, Player, Rng, Turn, choices,
};

use config::Switches;
pub use config::{Config, Rules};
pub use notation::{building_in_words, card_in_words};
use sets::{CardSet, TileSet};

/// The maximum number of players.
const SEATS: usize = 4;
/// The last possible round, so that every game ends.
const LAST_ROUND: u8 = 249;
/// The maximum number of figures, and the maximum agriculture level.
const MAX_LEVEL: u8 = 10;
/// The maximum value of a tool.
const MAX_TOOL: u8 = 4;

/// Rows of [`StoneAge::places`]; the first four are the resources in order.
const HUNT: usize = 4;
const TOOL_MAKER: usize = 5;
const HUT: usize = 6;
const FIELD: usize = 7;

/// A state of Stone Age.
///
/// Deck and stacks are unordered sets of unseen cards and tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoneAge {
    tribes: [Tribe; SEATS],
    /// The face-down cards.
    deck: CardSet,
    /// The unseen tiles: those in the stacks and those left in the box.
    tiles: TileSet,
    /// The number of decisions made so far.
    moves: u32,
    switches: Switches,
    /// The vacant village places, cards and buildings, one bit each; a derived field.
    vacant: u16,
    /// The number of figures on each place, by seat.
    places: [[u8; SEATS]; 8],
    /// The number of figures that a player not yet there may place on each resource place; a
    /// derived field.
    room: [u8; 4],
    supply: [u8; 4],
    /// The displayed cards, the most expensive first; -1 for none.
    cards: [i8; 4],
    /// The seat that occupies each card; -1 for nobody.
    card_figures: [i8; 4],
    /// The building on each stack; -1 for none.
    buildings: [i8; 4],
    /// The seat that occupies each building; -1 for nobody.
    building_figures: [i8; 4],
    /// The number of face-down tiles in each stack.
    stacks: [u8; 4],
    /// The last gift dice: faces from 0, -1 once taken.
    gifts: [i8; 4],
    players: u8,
    round: u8,
    first: u8,
    /// The player who decides or rolls.
    active: u8,
    /// The player whose placements are being resolved.
    resolver: u8,
    phase: Phase,
    step: Step,
    /// The kind of the last decision, as numbered in the observation.
    asked: u8,
    /// The place being resolved.
    place: u8,
    /// Seats that have resolved their placements, one bit each.
    done: u8,
    /// Seats that have been fed, one bit each.
    fed: u8,
    /// Seats that place no more figures this round, one bit each.
    passed: u8,
    /// The village place that stays empty: 0 none, 1 tool maker, 2 hut, 3 field.
    blocked: u8,
    /// The last roll, including added tools.
    dice: u8,
    /// The purpose of the last roll: a resource, or -1 for food.
    pending: i8,
    /// The card space or stack of the last payment decision.
    slot: u8,
    /// The number of resources still to be chosen.
    picks: u8,
    /// The number of gift dice rolled, then of those taken.
    gift: u8,
    /// The number of dice to roll.
    rolling: u8,
    /// The purpose of the roll: a resource, or -1 for food.
    rolling_for: i8,
    /// The food that the active player still lacks.
    needed: u8,
    /// Whether the active player has started to pay for it.
    paying: bool,
    /// The card drawn face down; -1 for none.
    hidden_card: i8,
    /// The seat that drew it; -1 for none.
    hidden_holder: i8,
    /// The seat that may still take the two resources of card 0; -1 for none.
    two_holder: i8,
    forced: Forced,
}

/// The holdings of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tribe {
    cards: CardSet,
    buildings: TileSet,
    food: u16,
    score: i16,
    resources: [u16; 4],
    /// One-use tools sorted by value, four bits each. The order depends only on observed
    /// values, so that an action means the same in equal information sets.
    one_use: u16,
    /// The unresolved places of this player, one bit each in the fixed order of [`actions`].
    todo: u16,
    figures: u8,
    /// The number of figures not placed yet.
    available: u8,
    agriculture: u8,
    tools: [u8; 3],
    /// The tools used this round, one bit each.
    used: u8,
}

/// The phase of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Phase {
    Place,
    Actions,
    Feed,
    Over,
}

/// The next decision or chance event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Step {
    /// A player places figures.
    Place,
    /// A player chooses the place to resolve next.
    Choose,
    /// A player adds tools to a roll.
    Tools,
    /// A player pays for a building.
    PayBuilding,
    /// A player pays for a card.
    PayCard,
    /// A player takes resources of any kind.
    TakeAny,
    /// A player takes a gift die.
    TakeGift,
    /// A player takes a displayed card for free.
    TakeCard,
    /// A player pays for missing food.
    Feed,
    /// Dice are rolled for food or a resource.
    Roll,
    /// One gift die.
    RollGift,
    /// All gift dice.
    RollGifts,
    /// The next card of the display.
    RevealCard,
    /// The next tile of a stack.
    RevealTile,
    /// A card drawn face down.
    DrawCard,
    /// The game is over.
    Over,
}

impl Game for StoneAge {
    type Config = Config;

    const NAME: &'static str = "stone-age";
    const SEATS: RangeInclusive<usize> = 2..=SEATS;
    const ACTIONS: usize = legal::ACTIONS;
    const CHANCE: bool = true;
    const IMPERFECT_INFORMATION: bool = true;
    const COMPANIONS: Companions<Self> =
        Companions { evaluation: Some(Self::heuristic_payoffs), ..Companions::NONE };

    fn new(config: &Config) -> Self {
        Self::start(config)
    }

    #[inline]
    fn info(&self) -> GameInfo {
        // The sums of ten dice, or the dice of all players as a multiset.
        let max_chance_outcomes = match self.players() {
            2 => 51,
            3 => 56,
            _ => 126,
        };
        GameInfo { max_chance_outcomes, ..GameInfo::of(self) }
    }

    fn players(&self) -> usize {
        self.players as usize
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.step as u8 <= Step::Feed as u8 {
            Turn::Player(Player(self.active))
        } else if self.step == Step::Over {
            Turn::Over
        } else {
            Turn::Chance
        }
    }

    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        self.for_each_legal(|id| out.push(Action(id)));
    }

    fn apply(&mut self, action: Action) {
        self.moves += u32::from(self.step as u8 <= Step::Feed as u8);
        self.apply_step(action.0);
        if self.forced == Forced::Skip && !self.has_obvious_choice() {
            self.skip_forced();
        }
    }

    fn payoffs(&self) -> Payoffs {
        self.final_payoffs()
    }

    fn observation(&self) -> &'static ObservationSpec {
        &layout::SPEC
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        self.write_observation(player.0, out);
    }

    fn key(&self) -> u64 {
        self.full_key()
    }

    fn info_key(&self, player: Player) -> u64 {
        self.key_for(player.0)
    }

    fn determinize(&self, player: Player, rng: &mut Rng) -> Self {
        self.redeal_hidden(player.0, rng)
    }

    /// Everything is public except the card drawn face down.
    fn is_seen(&self, _: Action, player: Player) -> bool {
        self.step != Step::DrawCard || player.0 == self.active
    }

    fn roller(&self) -> Option<Player> {
        let rolls = [Step::Roll, Step::RollGift, Step::RollGifts, Step::DrawCard];
        rolls.contains(&self.step).then_some(Player(self.active))
    }

    fn action_name(&self, action: Action) -> String {
        self.name_of(action.0)
    }

    fn parse_action(&self, text: &str) -> Option<Action> {
        // There are many payments: parse them instead of comparing all names.
        if let Some(id) = self.payment_named(text) {
            return Some(Action(id));
        }
        let named = |&choice: &Action| self.name_of(choice.0).eq_ignore_ascii_case(text.trim());
        choices(self).into_iter().find(named)
    }

    fn text(&self, player: Player) -> String {
        self.render(Some(player.0))
    }

    fn is_consistent(&self) -> bool {
        self.invariants_hold()
    }

    fn chance_outcomes(&self, out: &mut OutcomeList) {
        out.clear();
        self.outcomes(|action, probability| {
            out.push(Outcome { action: Action(action), probability });
        });
    }

    fn sample_chance(&self, rng: &mut Rng) -> Action {
        Action(self.draw(rng))
    }

    fn sample_action(&self, rng: &mut Rng, _scratch: &mut ActionList) -> Action {
        Action(self.random_legal(rng))
    }

    fn forced(&self) -> Forced {
        self.forced
    }
}
