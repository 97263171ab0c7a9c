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
mod menu;
mod notation;
mod observe;
mod placement;
mod scoring;
mod text;

#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Forced, Game, ObservationSpec, OutcomeList, Payoffs, Player, Rng, Turn,
};

use config::Switches;
pub use config::{Config, Rules};
use data::{CardSet, STACK, SUPPLY, TileSet};

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
    /// One-use tools in the order they came, four bits each, lowest first.
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

impl Tribe {
    const START: Self = Self {
        cards: CardSet(0),
        buildings: TileSet(0),
        food: 12,
        score: 0,
        resources: [0; 4],
        one_use: 0,
        todo: 0,
        figures: 5,
        available: 5,
        agriculture: 0,
        tools: [0; 3],
        used: 0,
    };

    /// All resources.
    #[inline]
    fn wealth(&self) -> u16 {
        self.resources.iter().sum()
    }

    /// The value of all tools.
    #[inline]
    fn tool_value(&self) -> u8 {
        self.tools.iter().sum()
    }

    /// Resources as one byte each, no more than any payment asks for.
    #[inline]
    fn purse(&self) -> u32 {
        u32::from_le_bytes(self.resources.map(|pieces| pieces.min(7) as u8))
    }

    /// Raises the lowest tool by one step, if one can be raised.
    #[inline]
    fn raise_tool(&mut self) {
        let [one, two, three] = self.tools;
        let lowest = if two < one {
            if three < two { 2 } else { 1 }
        } else if three < one {
            2
        } else {
            0
        };
        if self.tools[lowest] < BEST_TOOL {
            self.tools[lowest] += 1;
        }
    }

    /// Adds one step of agriculture, if there is room.
    #[inline]
    fn raise_agriculture(&mut self) {
        self.agriculture = (self.agriculture + 1).min(MOST);
    }

    /// The number of one-use tools.
    #[inline]
    const fn one_use_count(&self) -> u8 {
        ((16 - self.one_use.leading_zeros()).div_ceil(4)) as u8
    }

    /// The value of one-use tool number `at`.
    #[inline]
    const fn one_use(&self, at: u16) -> u8 {
        ((self.one_use >> (4 * at)) & 15) as u8
    }
}

impl StoneAge {
    /// The number of decisions that players have made.
    #[must_use]
    pub const fn move_number(&self) -> u32 {
        self.moves
    }

    /// The number of full rounds played.
    #[must_use]
    pub const fn round(&self) -> u32 {
        self.round as u32
    }

    /// The points of `player`: those on the track, and once the game is over
    /// also those of the final scoring.
    ///
    /// # Panics
    ///
    /// Panics when nobody sits there.
    #[must_use]
    pub fn score(&self, player: Player) -> i32 {
        i32::from(self.seated()[player.index()].score)
    }

    #[inline]
    fn seated(&self) -> &[Tribe] {
        &self.tribes[..self.players as usize]
    }

    #[inline]
    fn me(&self) -> &Tribe {
        &self.tribes[(self.active & 3) as usize]
    }

    #[inline]
    fn me_mut(&mut self) -> &mut Tribe {
        &mut self.tribes[(self.active & 3) as usize]
    }

    /// The seat `steps` after `seat`.
    #[inline]
    const fn after(&self, seat: u8, steps: u8) -> u8 {
        let next = seat + steps;
        if next >= self.players { next - self.players } else { next }
    }

    /// Puts a question to the active player.
    #[inline]
    fn ask(&mut self, step: Step) {
        self.step = step;
        self.asked = match step {
            Step::Place | Step::Choose => 0,
            other => other as u8 - 1,
        };
    }

    /// Gives a player up to `amount` of a resource, as the supply allows.
    #[inline]
    fn gain(&mut self, seat: u8, kind: usize, amount: u16) {
        let mut got = amount;
        if self.limited_supply() {
            got = got.min(u16::from(self.supply[kind]));
            self.supply[kind] -= got as u8;
        }
        self.tribes[seat as usize].resources[kind] += got;
    }

    /// Takes a resource from the active player, back to the supply.
    #[inline]
    fn give_back(&mut self, kind: usize, amount: u8) {
        self.me_mut().resources[kind] -= u16::from(amount);
        if self.limited_supply() {
            self.supply[kind] += amount;
        }
    }

    /// Plays one answer, without skipping what follows from it.
    #[inline]
    fn answer(&mut self, id: u16) {
        match self.step {
            Step::Place => self.place_figures(id),
            Step::Choose => self.choose(id),
            Step::Tools => self.use_tool(id),
            Step::PayBuilding => self.pay_building(id),
            Step::PayCard => self.pay_card(id),
            Step::TakeAny => self.take_any(id),
            Step::TakeGift => self.take_gift(id),
            Step::TakeCard => self.take_card(id),
            Step::Feed => self.feed(id),
            _ => self.happen(id),
        }
    }
}

impl Game for StoneAge {
    type Config = Config;

    const NAME: &'static str = "stone-age";
    const SEATS: RangeInclusive<usize> = 2..=SEATS;
    const ACTIONS: usize = menu::ACTIONS;
    const LUCK: bool = true;
    const HIDDEN: bool = true;

    fn new(config: &Config) -> Self {
        let players = config.players.get();
        let mut stacks = [0; 4];
        stacks[..players].fill(STACK);
        Self {
            tribes: [Tribe::START; SEATS],
            deck: CardSet::ALL,
            tiles: TileSet::ALL,
            moves: 0,
            switches: config.switches(),
            vacant: 0,
            places: [[0; SEATS]; 8],
            room: [0; 4],
            supply: SUPPLY,
            cards: [-1; 4],
            card_figures: [-1; 4],
            buildings: [-1; 4],
            building_figures: [-1; 4],
            stacks,
            gifts: [0; 4],
            players: players as u8,
            round: 0,
            first: 0,
            active: 0,
            resolver: 0,
            phase: Phase::Place,
            step: Step::RevealCard,
            asked: 0,
            place: 0,
            done: 0,
            fed: 0,
            passed: 0,
            blocked: 0,
            dice: 0,
            pending: 0,
            slot: 0,
            picks: 0,
            gift: 0,
            rolling: 0,
            rolling_for: 0,
            needed: 0,
            paying: false,
            hidden_card: -1,
            hidden_holder: -1,
            two_holder: -1,
            forced: config.forced,
        }
    }

    #[inline]
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
        if self.forced == Forced::Skip {
            while let Some(only) = self.only_answer() {
                self.answer(only);
            }
        }
    }

    fn payoffs(&self) -> Payoffs {
        self.rewards()
    }

    fn observation() -> &'static ObservationSpec {
        &observe::SPEC
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

    fn action_name(&self, action: Action) -> String {
        self.name_of(action.0)
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
            out.push(meeple_game::Outcome { action: Action(action), probability });
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
