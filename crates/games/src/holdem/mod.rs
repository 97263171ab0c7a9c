//! Texas hold'em for two to six, with a limit or without.
#![doc = include_str!("README.md")]

mod betting;
mod config;
mod deal;
mod estimate;
mod key;
mod observe;
mod phh;
mod showdown;
#[cfg(test)]
mod tests;
mod text;

use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Forced, Game, GameInfo, MAX_PLAYERS, ObservationSpec, Outcome, OutcomeList,
    Payoffs, Player, Rng, Stakes, Turn,
};
use meeple_poker::{Card, CardSet};

pub use config::{Betting, Config, Options, Stacks, WrongTable};
use config::{SEATS, SIZES};
pub use phh::{Hand, PhhError, parse_phh, phh};

/// Gives the hand up.
pub const FOLD: Action = Action(0);
/// Checks, or pays what the highest bet asks for.
pub const CALL: Action = Action(1);
/// Bets or raises with all there is, where there is no limit.
pub const ALL_IN: Action = Action(2);
/// The id of the first size of bets; with a limit, of the only one.
pub const FIRST_BET: u16 = 3;

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Each seat in turn gets two cards.
    Hole,
    /// Cards are laid on the table.
    Board,
    Bet,
    Over,
}

/// What a seat did last in a street.
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
    /// Cards that nobody has, in no order.
    deck: CardSet,
    /// A hash of all that players did so far.
    history: u64,
    /// Chips of each seat at the start, and now, without those that are bet.
    start: [u32; SEATS],
    stacks: [u32; SEATS],
    /// Chips in front of each seat in this street.
    bets: [u32; SEATS],
    /// Percentages of the pot first, then chips.
    sizes: [u32; SIZES],
    /// What each seat did last in each street, four bits a seat.
    acts: [u32; 4],
    /// All chips that are not in stacks; none once they are won.
    pot: u32,
    /// The highest bet of this street.
    high: u32,
    /// What a raise adds at least.
    step: u32,
    big_blind: u32,
    /// The most that one seat could win.
    most: u32,
    /// The numbers of the cards on the table; those of the flop rise, for they
    /// come at once.
    board: [u8; 5],
    /// Bets and raises in each street.
    raises: [u8; 4],
    players: u8,
    /// Hole cards dealt.
    dealt: u8,
    /// Cards on the table.
    laid: u8,
    street: u8,
    mover: u8,
    /// Seats that have not folded, one bit each.
    live: u8,
    /// Those of them that have chips left.
    able: u8,
    /// Those of them that are still to act in this street.
    pending: u8,
    /// Seats that have acted since the last full bet or raise.
    acted: u8,
    percents: u8,
    amounts: u8,
    betting: Betting,
    phase: Phase,
}

impl Holdem {
    /// The chips of each seat at the start.
    #[must_use]
    pub fn start_chips(&self) -> &[u32] {
        &self.start[..self.players()]
    }

    /// The chips of each seat now, without those that are bet.
    #[must_use]
    pub fn chips(&self) -> &[u32] {
        &self.stacks[..self.players()]
    }

    /// The cards of a seat.
    #[must_use]
    pub fn hand(&self, seat: Player) -> CardSet {
        self.hands[seat.index()]
    }

    /// The cards on the table.
    #[must_use]
    pub fn board(&self) -> CardSet {
        self.laid().map(Card::from_index).collect()
    }

    /// The cards on the table one by one.
    fn laid(&self) -> impl Iterator<Item = usize> {
        self.board[..usize::from(self.laid)].iter().map(|&card| usize::from(card))
    }

    /// Whether `player` has seen the cards of `seat`: their own, or at a
    /// showdown.
    fn knows(&self, player: Player, seat: usize) -> bool {
        let shown = self.phase == Phase::Over && !self.live.is_power_of_two();
        player.index() == seat || shown && self.live >> seat & 1 == 1
    }
}

impl Game for Holdem {
    type Config = Config;

    const NAME: &'static str = "holdem";
    const SEATS: RangeInclusive<usize> = 2..=SEATS;
    const ACTIONS: usize = FIRST_BET as usize + SIZES;
    const LUCK: bool = true;
    const HIDDEN: bool = true;

    fn new(config: &Config) -> Self {
        let options = config.options();
        let players = options.players.get();
        let (percents, amounts) = config.sizes();
        let mut sizes = [0; SIZES];
        let all = percents.iter().map(|&percent| u32::from(percent)).chain(amounts.iter().copied());
        sizes.iter_mut().zip(all).for_each(|(size, named)| *size = named);
        let stacks = config.stacks();
        let everybody = (1u8 << players) - 1;
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
            high: 0,
            step: options.big_blind,
            big_blind: options.big_blind,
            most: most_won(&stacks[..players]),
            board: [0; 5],
            raises: [0; 4],
            players: players as u8,
            dealt: 0,
            laid: 0,
            street: 0,
            mover: 0,
            live: everybody,
            able: everybody,
            pending: 0,
            acted: 0,
            percents: percents.len() as u8,
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
        if self.owed() > 0 {
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
                *payoff = won as f32 / self.most as f32;
            }
        }
        payoffs
    }

    fn stakes(&self) -> Option<Stakes> {
        Some(Stakes { chips: self.most.into(), big_blind: Some(self.big_blind.into()) })
    }

    fn observation() -> &'static ObservationSpec {
        &observe::LAYOUT
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        self.write_observation(player, out);
    }

    fn key(&self) -> u64 {
        self.whole_key()
    }

    fn info_key(&self, player: Player) -> u64 {
        self.known_key(player)
    }

    fn determinize(&self, player: Player, rng: &mut Rng) -> Self {
        self.dealt_anew(player, rng)
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

    fn estimate(&self) -> Option<Payoffs> {
        Some(self.guess())
    }

    fn priorities(&self, actions: &[Action], weights: &mut [f32]) {
        self.weigh(actions, weights);
    }

    fn forced(&self) -> Forced {
        // Who is asked may fold or call, or check or bet: nobody is asked once
        // all others are all-in and nothing is owed.
        Forced::Skip
    }

    #[inline(always)]
    fn sample_chance(&self, rng: &mut Rng) -> Action {
        Action(deal::draw(self.deck, rng).index() as u16)
    }

    fn is_consistent(&self) -> bool {
        let hands = &self.hands[..self.players()];
        let mut all = self.deck | self.board();
        let mut count = self.deck.len() + usize::from(self.laid);
        for &hand in hands {
            all |= hand;
            count += hand.len();
        }
        let dealt: usize = hands.iter().map(|hand| hand.len()).sum();
        let chips =
            |stacks: &[u32; SEATS]| stacks.iter().map(|&chips| u64::from(chips)).sum::<u64>();
        let chips_left =
            (0..self.players()).all(|seat| self.able >> seat & 1 == 0 || self.stacks[seat] > 0);
        all == CardSet::DECK
            && count == 52
            && dealt == usize::from(self.dealt)
            && chips(&self.start) == chips(&self.stacks) + u64::from(self.pot)
            && self.live != 0
            && (self.able | self.pending) & !self.live == 0
            && (chips_left || self.phase == Phase::Over)
            && self.bets.iter().all(|&bet| bet <= self.high)
    }
}

/// The most that one seat could win: from each of the others as much as both
/// have.
fn most_won(stacks: &[u32]) -> u32 {
    let win = |(seat, &own): (usize, &u32)| {
        let others = stacks.iter().enumerate().filter(|&(other, _)| other != seat);
        others.map(|(_, &chips)| chips.min(own)).sum::<u32>()
    };
    stacks.iter().enumerate().map(win).max().unwrap_or(1)
}
