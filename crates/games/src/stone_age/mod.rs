//! Stone Age for two to four players: place figures, roll, build, feed.
//!
//! The rules, the numbers of actions and the observation are described in the
//! `README.md` beside this file.

mod actions;
mod bits;
mod cards;
mod chance;
mod config;
mod data;
mod estimate;
mod feeding;
mod key;
mod layout;
mod menu;
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
    Action, ActionList, Forced, Game, GameInfo, ObservationSpec, Outcome, OutcomeList, Payoffs,
    Player, Rng, Turn, choices,
};

use config::Switches;
pub use config::{Config, Rules};
pub use notation::{building_in_words, card_in_words};
use sets::{CardSet, TileSet};

/// The most players.
const SEATS: usize = 4;
/// The round after which the game ends in any case, so that every game does.
const LAST_ROUND: u8 = 249;
/// The most figures of a player, and the most steps of agriculture.
const MOST: u8 = 10;
/// The highest value of a tool.
const BEST_TOOL: u8 = 4;

/// Rows of [`StoneAge::places`]; the first four are the resources in order.
const HUNT: usize = 4;
const TOOL_MAKER: usize = 5;
const HUT: usize = 6;
const FIELD: usize = 7;

/// A state of Stone Age.
///
/// Deck and stacks are what has not been seen yet, in no order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoneAge {
    tribes: [Tribe; SEATS],
    /// The face-down cards.
    deck: CardSet,
    /// The tiles nobody has seen: those in the stacks and those in the box.
    tiles: TileSet,
    /// Decisions made so far.
    moves: u32,
    switches: Switches,
    /// The village places, cards and buildings that can still be occupied, one
    /// bit each; follows from the rest.
    vacant: u16,
    /// Figures on each place, by seat.
    places: [[u8; SEATS]; 8],
    /// Figures that a newcomer may put on each resource place; follows from
    /// the rest.
    room: [u8; 4],
    supply: [u8; 4],
    /// The displayed cards, dearest first; -1 where there is none.
    cards: [i8; 4],
    /// Who stands on each card; -1 for nobody.
    card_figures: [i8; 4],
    /// The building on each stack; -1 where there is none.
    buildings: [i8; 4],
    /// Who stands on each building; -1 for nobody.
    building_figures: [i8; 4],
    /// Face-down tiles in each stack.
    stacks: [u8; 4],
    /// The gift dice of the last potpourri: faces from 0, -1 once taken.
    gifts: [i8; 4],
    players: u8,
    round: u8,
    first: u8,
    /// Who decides, or for whom luck does.
    active: u8,
    /// Whose places are being resolved.
    resolver: u8,
    phase: Phase,
    step: Step,
    /// The kind of the last question, as the observation numbers it.
    asked: u8,
    /// The place being resolved.
    place: u8,
    /// Seats that have resolved their places.
    done: u8,
    /// Seats that have been fed.
    fed: u8,
    /// Seats that place no more figures.
    passed: u8,
    /// The last village place to stay empty: 0 none, else 1 tool maker, 2 hut,
    /// 3 field.
    blocked: u8,
    /// The last roll with the tools added to it.
    dice: u8,
    /// What the last roll was for: a resource, or -1 for food.
    pending: i8,
    /// The space or stack that was last asked about.
    slot: u8,
    /// Resources still to be chosen.
    picks: u8,
    /// Gift dice rolled, then gift dice taken.
    gift: u8,
    /// Dice to roll.
    rolling: u8,
    /// What they are rolled for: a resource, or -1 for food.
    rolling_for: i8,
    /// Food the active player still has to make up for.
    needed: u8,
    /// Whether the active player has begun to pay for it.
    paying: bool,
    /// The card drawn face down; -1 before that.
    hidden_card: i8,
    /// Who drew it.
    hidden_holder: i8,
    /// Who may still take the two resources of card 0.
    two_holder: i8,
    forced: Forced,
}

/// What one player owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tribe {
    cards: CardSet,
    buildings: TileSet,
    food: u16,
    score: i16,
    resources: [u16; 4],
    /// One-use tools by value, the lowest first, four bits each from the lowest:
    /// by what players see, so that an action means the same to whoever sees the
    /// same.
    one_use: u16,
    /// The places with figures of this player that are still to be resolved,
    /// one bit each in the fixed order of [`actions`].
    todo: u16,
    figures: u8,
    /// Figures not placed yet.
    available: u8,
    agriculture: u8,
    tools: [u8; 3],
    /// The tools used this round, one bit each.
    used: u8,
}

/// The part of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Phase {
    Place,
    Actions,
    Feed,
    Over,
}

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Step {
    /// A player places figures.
    Place,
    /// A player picks the place to resolve next.
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
    /// A player takes a displayed card for nothing.
    TakeCard,
    /// A player makes up for missing food.
    Feed,
    /// Dice for food or a resource.
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
    /// Nothing: the game has ended.
    Over,
}

impl Game for StoneAge {
    type Config = Config;

    const NAME: &'static str = "stone-age";
    const SEATS: RangeInclusive<usize> = 2..=SEATS;
    const ACTIONS: usize = menu::ACTIONS;
    const LUCK: bool = true;
    const HIDDEN: bool = true;

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
        self.for_each_answer(|id| out.push(Action(id)));
    }

    fn apply(&mut self, action: Action) {
        self.moves += u32::from(self.step as u8 <= Step::Feed as u8);
        self.answer(action.0);
        if self.forced == Forced::Skip && !self.is_open() {
            self.skip_forced();
        }
    }

    fn payoffs(&self) -> Payoffs {
        self.rewards()
    }

    fn observation() -> &'static ObservationSpec {
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
        self.dealt_anew(player.0, rng)
    }

    /// Everything is open but the card that is drawn face down.
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
        // Payments are many: they are read, not searched for.
        if let Some(id) = self.payment_named(text) {
            return Some(Action(id));
        }
        let named = |&choice: &Action| self.name_of(choice.0).eq_ignore_ascii_case(text.trim());
        choices(self).into_iter().find(named)
    }

    fn text(&self, player: Player) -> String {
        self.drawn(Some(player.0))
    }

    fn is_consistent(&self) -> bool {
        self.adds_up()
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
        Action(self.random_answer(rng))
    }

    fn estimate(&self) -> Option<Payoffs> {
        Some(self.guess())
    }

    fn forced(&self) -> Forced {
        self.forced
    }
}
