//! Texas hold'em for two to six players, limit or no-limit.
#![doc = include_str!("README.md")]

mod betting;
mod config;
mod deal;
mod evaluate;
mod key;
mod observe;
mod phh;
mod showdown;
#[cfg(test)]
mod tests;
mod text;

use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Companions, Forced, Game, GameInfo, MAX_PLAYERS, ObservationSpec, Outcome,
    OutcomeList, Payoffs, Player, Rng, Stakes, Turn,
};
use meeple_poker::{Card, CardSet};

pub use config::{Betting, Config, Options, Stacks, WrongTable};
use config::{MAX_SIZES, SEATS};
pub use phh::{Hand, PhhError, parse_phh, phh, read_phh};

/// Folds.
pub const FOLD: Action = Action(0);
/// Checks or calls.
pub const CALL: Action = Action(1);
/// Bets or raises all-in; no-limit only.
pub const ALL_IN: Action = Action(2);
/// The action id of the first bet size; in limit games, of the only one.
pub const FIRST_BET: u16 = 3;

/// The phase of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Hole cards are dealt, two to each seat in turn.
    Hole,
    /// Board cards are dealt.
    Board,
    Bet,
    Over,
}

/// The last action of a seat on a street.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    Fold = 1,
    Check = 2,
    Call = 3,
    Raise = 4,
}

/// A state of hold'em: one hand, from the deal to the showdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holdem {
    hands: [CardSet; SEATS],
    /// Undealt cards, as a set.
    deck: CardSet,
    /// A hash of the sequence of player actions.
    history: u64,
    /// The starting stack of each seat.
    start: [u32; SEATS],
    /// The stack of each seat, without the chips bet.
    stacks: [u32; SEATS],
    /// The bet of each seat on this street.
    bets: [u32; SEATS],
    /// Bet sizes: percentages of the pot first, then amounts in chips.
    sizes: [u32; MAX_SIZES],
    /// The last action of each seat on each street, four bits a seat.
    acts: [u32; 4],
    /// The pot including the bets of this street; 0 once it is awarded.
    pot: u32,
    /// The highest bet of this street.
    current_bet: u32,
    /// The min-raise: the least increment of a raise.
    min_raise: u32,
    big_blind: u32,
    /// The most chips that one seat can win, the unit of payoffs.
    max_win: u32,
    /// The indices of the board cards; the flop is sorted, since its cards come at once.
    board: [u8; 5],
    /// The number of bets and raises on each street.
    raises: [u8; 4],
    players: u8,
    /// The number of hole cards dealt.
    dealt: u8,
    /// The number of board cards dealt.
    board_len: u8,
    street: u8,
    mover: u8,
    /// Live seats, which have not folded, one bit each.
    live: u8,
    /// Live seats with chips left, which are not all-in.
    can_act: u8,
    /// Seats that still have to act on this street.
    to_act: u8,
    /// Seats that have acted since the last full bet or raise.
    acted: u8,
    pot_sizes: u8,
    amounts: u8,
    betting: Betting,
    phase: Phase,
}

impl Holdem {
    /// The starting stack of each seat.
    #[must_use]
    pub fn start_chips(&self) -> &[u32] {
        &self.start[..self.players()]
    }

    /// The current stack of each seat, without the chips bet.
    #[must_use]
    pub fn chips(&self) -> &[u32] {
        &self.stacks[..self.players()]
    }

    /// The hole cards of a seat.
    #[must_use]
    pub fn hand(&self, seat: Player) -> CardSet {
        self.hands[seat.index()]
    }

    /// The board cards.
    #[must_use]
    pub fn board(&self) -> CardSet {
        self.board_cards().map(Card::from_index).collect()
    }

    /// The indices of the board cards, in order.
    fn board_cards(&self) -> impl Iterator<Item = usize> {
        self.board[..usize::from(self.board_len)].iter().map(|&card| usize::from(card))
    }

    /// Whether `player` knows the hole cards of `seat`: their own, or shown at a showdown.
    fn knows(&self, player: Player, seat: usize) -> bool {
        let shown = self.phase == Phase::Over && !self.live.is_power_of_two();
        player.index() == seat || shown && self.live >> seat & 1 == 1
    }
}

impl Game for Holdem {
    type Config = Config;

    const NAME: &'static str = "holdem";
    const SEATS: RangeInclusive<usize> = 2..=SEATS;
    const ACTIONS: usize = FIRST_BET as usize + MAX_SIZES;
    const CHANCE: bool = true;
    const IMPERFECT_INFORMATION: bool = true;
    const COMPANIONS: Companions<Self> = Companions {
        evaluation: Some(Self::check_down_payoffs),
        priorities: Some(Self::action_weights),
        ..Companions::NONE
    };

    fn new(config: &Config) -> Self {
        let options = config.options();
        let players = options.players.get();
        let (percents, amounts) = config.sizes();
        let mut sizes = [0; MAX_SIZES];
        let all = percents.iter().map(|&percent| u32::from(percent)).chain(amounts.iter().copied());
        sizes.iter_mut().zip(all).for_each(|(size, named)| *size = named);
        let stacks = config.stacks();
        let all_seats = (1u8 << players) - 1;
        let mut game = Self {
            hands: [CardSet::EMPTY; SEATS],
            deck: CardSet::DECK,
            history: 0,
            start: stacks,
            stacks,
            bets: [0; SEATS],
            sizes,
            acts: [0; 4],
            pot: 0,
            current_bet: 0,
            min_raise: options.big_blind,
            big_blind: options.big_blind,
            max_win: max_win(&stacks[..players]),
            board: [0; 5],
            raises: [0; 4],
            players: players as u8,
            dealt: 0,
            board_len: 0,
            street: 0,
            mover: 0,
            live: all_seats,
            can_act: all_seats,
            to_act: 0,
            acted: 0,
            pot_sizes: percents.len() as u8,
            amounts: amounts.len() as u8,
            betting: options.betting,
            phase: Phase::Hole,
        };
        game.post(options.ante, options.small_blind);
        game
    }

    #[inline]
    fn info(&self) -> GameInfo {
        GameInfo { max_chance_outcomes: 52, ..GameInfo::of(self) }
    }

    fn players(&self) -> usize {
        usize::from(self.players)
    }

    #[inline(always)]
    fn turn(&self) -> Turn {
        match self.phase {
            Phase::Bet => Turn::Player(Player(self.mover)),
            Phase::Hole | Phase::Board => Turn::Chance,
            Phase::Over => Turn::Over,
        }
    }

    #[inline]
    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        if self.phase != Phase::Bet {
            return;
        }
        if self.amount_to_call() > 0 {
            out.push(FOLD);
        }
        out.push(CALL);
        if self.may_raise() {
            self.visit_bets(|action, _| out.push(action));
        }
    }

    fn chance_outcomes(&self, out: &mut OutcomeList) {
        out.clear();
        if self.turn() != Turn::Chance {
            return;
        }
        let probability = 1.0 / self.deck.len() as f64;
        let unseen = Card::all().filter(|&card| self.deck.contains(card));
        out.extend(unseen.map(|card| Outcome { action: Action(card.index() as u16), probability }));
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        match self.phase {
            Phase::Bet => self.play(action),
            _ => self.deal(Card::from_index(action.index())),
        }
    }

    fn payoffs(&self) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        if self.phase == Phase::Over {
            for (seat, payoff) in payoffs[..self.players()].iter_mut().enumerate() {
                let won = i64::from(self.stacks[seat]) - i64::from(self.start[seat]);
                *payoff = won as f32 / self.max_win as f32;
            }
        }
        payoffs
    }

    fn stakes(&self) -> Option<Stakes> {
        Some(Stakes { chips: self.max_win.into(), big_blind: Some(self.big_blind.into()) })
    }

    fn observation(&self) -> &'static ObservationSpec {
        &observe::LAYOUT
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        self.write_observation(player, out);
    }

    fn key(&self) -> u64 {
        self.state_key()
    }

    fn info_key(&self, player: Player) -> u64 {
        self.info_state_key(player)
    }

    fn determinize(&self, player: Player, rng: &mut Rng) -> Self {
        self.redeal_hidden(player, rng)
    }

    fn is_seen(&self, _: Action, player: Player) -> bool {
        self.roller().is_none_or(|receiver| receiver == player)
    }

    fn roller(&self) -> Option<Player> {
        (self.phase == Phase::Hole).then_some(Player(self.dealt / 2))
    }

    fn text(&self, player: Player) -> String {
        self.table(Some(player))
    }

    fn action_name(&self, action: Action) -> String {
        self.name_of(action)
    }

    fn parse_action(&self, text: &str) -> Option<Action> {
        self.read_action(text)
    }

    fn forced(&self) -> Forced {
        // Every decision has two actions at least (fold or call, check or bet): a player
        // with nothing to call does not act once all others are all-in.
        Forced::Skip
    }

    #[inline(always)]
    fn sample_chance(&self, rng: &mut Rng) -> Action {
        Action(deal::draw(self.deck, rng).index() as u16)
    }

    fn is_consistent(&self) -> bool {
        let hands = &self.hands[..self.players()];
        let mut all = self.deck | self.board();
        let mut count = self.deck.len() + usize::from(self.board_len);
        for &hand in hands {
            all |= hand;
            count += hand.len();
        }
        let dealt: usize = hands.iter().map(|hand| hand.len()).sum();
        let chips =
            |stacks: &[u32; SEATS]| stacks.iter().map(|&chips| u64::from(chips)).sum::<u64>();
        let chips_left =
            (0..self.players()).all(|seat| self.can_act >> seat & 1 == 0 || self.stacks[seat] > 0);
        all == CardSet::DECK
            && count == 52
            && dealt == usize::from(self.dealt)
            && chips(&self.start) == chips(&self.stacks) + u64::from(self.pot)
            && self.live != 0
            && (self.can_act | self.to_act) & !self.live == 0
            && (chips_left || self.phase == Phase::Over)
            && self.bets.iter().all(|&bet| bet <= self.current_bet)
    }
}

/// The most chips that one seat can win: from each opponent, the smaller of both stacks.
fn max_win(stacks: &[u32]) -> u32 {
    let win = |(seat, &own): (usize, &u32)| {
        let others = stacks.iter().enumerate().filter(|&(other, _)| other != seat);
        others.map(|(_, &chips)| chips.min(own)).sum::<u32>()
    };
    stacks.iter().enumerate().map(win).max().unwrap_or(1)
}
