//! Knockout Whist: a trick-taking game where a player without a trick is knocked out.
#![doc = include_str!("README.md")]

mod deal;
mod playout;
#[cfg(test)]
mod tests;
mod text;

use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Companions, Field, Game, GameInfo, MAX_PLAYERS, ObservationSpec, Outcome,
    OutcomeList, Payoffs, Player, Rng, Seats, Turn,
};
use serde::{Deserialize, Serialize};

use deal::{determinized, draw};
use playout::draw_playable;

/// The maximum number of players.
const SEATS: usize = 4;
/// Cards of each suit; a card is numbered `13 * suit + rank`.
const RANKS: u8 = 13;
/// Cards in each hand of the first deal.
const FIRST_DEAL: u8 = 7;
/// All the cards.
const DECK: u64 = (1 << 52) - 1;
/// In place of a suit: no card is led, or trumps are not drawn yet.
const NONE: u8 = 4;
/// The cards of each suit; empty for [`NONE`].
const SUITS: [u64; 5] = {
    let spades = (1 << RANKS) - 1;
    [spades, spades << RANKS, spades << (2 * RANKS), spades << (3 * RANKS), 0]
};
/// The next active seat, indexed by the set of active seats and the current seat.
const NEXT: [[u8; SEATS]; 1 << SEATS] = {
    let mut table = [[0; SEATS]; 1 << SEATS];
    let mut case = SEATS;
    while case < SEATS << SEATS {
        let (active, seat) = (case / SEATS, case % SEATS);
        let mut next = (seat + 1) % SEATS;
        while active >> next & 1 == 0 {
            next = (next + 1) % SEATS;
        }
        table[active][seat] = next as u8;
        case += 1;
    }
    table
};

static OBSERVATION: ObservationSpec = ObservationSpec::new(
    1,
    &[
        Field::flag("hand").times(52),
        Field::flag("seen").times(52),
        Field::category("trick", 53).times(SEATS),
        Field::category("trumps", 5),
        Field::count("tricks", FIRST_DEAL as i32).times(SEATS),
        Field::count("cards", FIRST_DEAL as i32).times(SEATS),
        Field::flag("in").times(SEATS),
        Field::flag("lacks").times(4 * SEATS),
        Field::count("deal", FIRST_DEAL as i32),
        Field::category("mover", SEATS as i32),
        Field::count("players", SEATS as i32),
    ],
);

/// The number of players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Two to four.
    pub players: Seats<2, 4>,
}

/// The phase of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Deal,
    Trumps,
    Play,
    Over,
}

/// A state of Knockout Whist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnockoutWhist {
    hands: [u64; SEATS],
    /// Undealt cards.
    deck: u64,
    /// Cards played in this deal, including the current trick.
    seen: u64,
    /// The card each seat has played to this trick, plus one; 0 for none.
    trick: [u8; SEATS],
    /// Tricks each seat has taken in this deal.
    tricks: [u8; SEATS],
    /// Known voids: the suits each seat has failed to follow in this deal, one bit each.
    voids: [u8; SEATS],
    /// The seats that are not knocked out, one bit each.
    active: u8,
    players: u8,
    /// The hand size of this deal.
    cards: u8,
    /// Cards still to be dealt to the current receiver.
    left: u8,
    /// The seat that plays next.
    mover: u8,
    /// The seat that is dealt the next card.
    receiver: u8,
    /// The suit led to this trick.
    led: u8,
    trumps: u8,
    /// The seat that currently wins the trick.
    best: u8,
    phase: Phase,
}

impl KnockoutWhist {
    fn is_active(&self, seat: usize) -> bool {
        self.active >> seat & 1 == 1
    }

    /// The legal cards of the player to move: the suit led if they can follow, else any.
    #[inline(always)]
    fn playable(&self) -> u64 {
        let hand = self.hands[usize::from(self.mover)];
        let follows = hand & SUITS[usize::from(self.led)];
        if follows == 0 { hand } else { follows }
    }

    fn start_deal(&mut self) {
        self.hands = [0; SEATS];
        self.deck = DECK;
        self.seen = 0;
        self.tricks = [0; SEATS];
        self.voids = [0; SEATS];
        self.trumps = NONE;
        self.receiver = self.active.trailing_zeros() as u8;
        self.left = self.cards;
        self.phase = Phase::Deal;
    }

    #[inline(always)]
    fn deal(&mut self, card: u8) {
        let bit = 1 << card;
        self.deck ^= bit;
        self.hands[usize::from(self.receiver)] |= bit;
        self.left -= 1;
        if self.left == 0 {
            self.deal_to_next();
        }
    }

    #[inline(always)]
    fn deal_to_next(&mut self) {
        self.left = self.cards;
        let next = NEXT[usize::from(self.active)][usize::from(self.receiver)];
        if next <= self.receiver {
            self.phase = Phase::Trumps;
        }
        self.receiver = next;
    }

    #[inline(always)]
    fn play(&mut self, card: u8) {
        let seat = usize::from(self.mover);
        let bit = 1 << card;
        let suit = suit_of(card);
        self.hands[seat] ^= bit;
        self.seen |= bit;
        self.trick[seat] = card + 1;
        if self.led == NONE {
            self.led = suit;
            self.best = self.mover;
        } else {
            self.voids[seat] |= u8::from(suit != self.led) << self.led;
            let best = self.trick[usize::from(self.best)] - 1;
            let wins = if suit_of(best) == suit { card > best } else { suit == self.trumps };
            self.best = if wins { self.mover } else { self.best };
        }
        self.mover = NEXT[usize::from(self.active)][seat];
        if self.trick[usize::from(self.mover)] != 0 {
            self.end_trick();
        }
    }

    #[inline(always)]
    fn end_trick(&mut self) {
        self.tricks[usize::from(self.best)] += 1;
        self.mover = self.best;
        self.trick = [0; SEATS];
        self.led = NONE;
        if self.hands[usize::from(self.best)] == 0 {
            self.end_deal();
        }
    }

    #[inline(never)]
    fn end_deal(&mut self) {
        for (seat, &tricks) in self.tricks.iter().enumerate() {
            self.active &= !(u8::from(tricks == 0) << seat);
        }
        if self.active.is_power_of_two() {
            self.phase = Phase::Over;
        } else {
            self.cards -= 1;
            self.start_deal();
        }
    }

    /// The public information except the cards seen, packed into two words.
    #[inline(always)]
    fn public(&self) -> [u64; 2] {
        let bytes = |bytes: [u8; SEATS]| u64::from(u32::from_le_bytes(bytes));
        let nibbles = |low: u8, high: u8| u64::from(low | high << 4);
        [
            bytes(self.trick) | bytes(self.voids) << 32,
            bytes(self.tricks)
                | nibbles(self.active, self.cards) << 32
                | nibbles(self.mover, self.receiver) << 40
                | nibbles(self.trumps, self.phase as u8) << 48
                | nibbles(self.left, self.players) << 56,
        ]
    }
}

#[inline(always)]
fn suit_of(card: u8) -> u8 {
    card / RANKS
}

/// Hashes two words into one by a folded multiplication, cheaper than mixing each.
#[inline(always)]
fn folded_multiply(one: u64, other: u64) -> u64 {
    let product =
        u128::from(one ^ 0x9e37_79b9_7f4a_7c15) * u128::from(other ^ 0xd1b5_4a32_d192_ed03);
    (product >> 64) as u64 ^ product as u64
}

impl Game for KnockoutWhist {
    type Config = Options;

    const NAME: &'static str = "knockout-whist";
    const SEATS: RangeInclusive<usize> = 2..=SEATS;
    const ACTIONS: usize = 52;
    const CHANCE: bool = true;
    const IMPERFECT_INFORMATION: bool = true;
    const COMPANIONS: Companions<Self> =
        Companions { playout: Some(|game, rng, _| game.finish(rng)), ..Companions::NONE };

    fn new(options: &Options) -> Self {
        let players = options.players.get() as u8;
        let mut game = Self {
            hands: [0; SEATS],
            deck: DECK,
            seen: 0,
            trick: [0; SEATS],
            tricks: [0; SEATS],
            voids: [0; SEATS],
            active: (1 << players) - 1,
            players,
            cards: FIRST_DEAL,
            left: 0,
            mover: 0,
            receiver: 0,
            led: NONE,
            trumps: NONE,
            best: 0,
            phase: Phase::Deal,
        };
        game.start_deal();
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
            Phase::Deal | Phase::Trumps => Turn::Chance,
            Phase::Play => Turn::Player(Player(self.mover)),
            Phase::Over => Turn::Over,
        }
    }

    #[inline]
    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        if self.phase != Phase::Play {
            return;
        }
        let mut cards = self.playable();
        out.extend(std::iter::from_fn(|| {
            let card = (cards != 0).then(|| Action(cards.trailing_zeros() as u16));
            cards &= cards.wrapping_sub(1);
            card
        }));
    }

    fn chance_outcomes(&self, out: &mut OutcomeList) {
        out.clear();
        let (outcomes, count) = match self.phase {
            Phase::Deal => (self.deck, self.deck.count_ones()),
            Phase::Trumps => (0b1111, 4),
            Phase::Play | Phase::Over => return,
        };
        let probability = 1.0 / f64::from(count);
        let possible = |&number: &u16| outcomes >> number & 1 == 1;
        let outcome = |number| Outcome { action: Action(number), probability };
        out.extend((0..52).filter(possible).map(outcome));
    }

    #[inline(always)]
    fn apply(&mut self, action: Action) {
        match self.phase {
            Phase::Play => self.play(action.0 as u8),
            Phase::Deal => self.deal(action.0 as u8),
            Phase::Trumps | Phase::Over => {
                self.trumps = action.0 as u8;
                self.phase = Phase::Play;
            }
        }
    }

    #[inline]
    fn payoffs(&self) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        if self.phase == Phase::Over {
            payoffs[..self.players()].fill(-1.0 / (self.players() as f32 - 1.0));
            payoffs[self.active.trailing_zeros() as usize] = 1.0;
        }
        payoffs
    }

    fn observation(&self) -> &'static ObservationSpec {
        &OBSERVATION
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        let players = self.players();
        let mut cells = out.iter_mut();
        let mut put = |value: u8| *cells.next().expect("the layout has a cell") = i32::from(value);
        for cards in [self.hands[player.index()], self.seen] {
            (0..52).for_each(|card| put((cards >> card & 1) as u8));
        }
        // Seats rotate so that the observer comes first; unused seats come last and are 0.
        let seats: [Option<usize>; SEATS] = std::array::from_fn(|step| {
            (step < players).then(|| player.after(step, players).index())
        });
        let value = |seat: Option<usize>, values: &[u8]| seat.map_or(0, |seat| values[seat]);
        seats.iter().for_each(|&seat| put(value(seat, &self.trick)));
        put(self.trumps);
        seats.iter().for_each(|&seat| put(value(seat, &self.tricks)));
        let held = self.hands.map(|hand| hand.count_ones() as u8);
        seats.iter().for_each(|&seat| put(value(seat, &held)));
        let active: [u8; SEATS] = std::array::from_fn(|seat| self.active >> seat & 1);
        seats.iter().for_each(|&seat| put(value(seat, &active)));
        for seat in seats {
            let voids = value(seat, &self.voids);
            (0..4).for_each(|suit| put(voids >> suit & 1));
        }
        put(self.cards);
        put(Player(self.mover).after(players - player.index(), players).0);
        put(self.players);
    }

    fn key(&self) -> u64 {
        let [first, second] = self.public();
        let hands = folded_multiply(
            folded_multiply(self.hands[0], self.hands[1]),
            folded_multiply(self.hands[2], self.hands[3]),
        );
        folded_multiply(folded_multiply(hands, self.deck), folded_multiply(first, second))
    }

    #[inline(always)]
    fn info_key(&self, player: Player) -> u64 {
        let [first, second] = self.public();
        folded_multiply(
            folded_multiply(self.hands[player.index()], self.seen),
            folded_multiply(first, second),
        )
    }

    #[inline]
    fn determinize(&self, player: Player, rng: &mut Rng) -> Self {
        determinized(self, player.index(), rng)
    }

    #[inline(always)]
    fn sample_action(&self, rng: &mut Rng, _scratch: &mut ActionList) -> Action {
        Action(draw_playable(self.playable(), rng).trailing_zeros() as u16)
    }

    #[inline(always)]
    fn sample_chance(&self, rng: &mut Rng) -> Action {
        match self.phase {
            Phase::Deal => Action(u16::from(draw(self.deck, rng))),
            _ => Action(rng.below(4) as u16),
        }
    }

    fn is_seen(&self, _: Action, player: Player) -> bool {
        self.roller().is_none_or(|receiver| receiver == player)
    }

    fn roller(&self) -> Option<Player> {
        (self.phase == Phase::Deal).then_some(Player(self.receiver))
    }

    fn text(&self, player: Player) -> String {
        text::table(self, Some(player.index()))
    }

    fn action_name(&self, action: Action) -> String {
        match self.phase {
            Phase::Trumps => format!("{} are trumps", text::SUIT_NAMES[action.index()]),
            _ => text::card_name(action.0 as u8),
        }
    }

    fn is_consistent(&self) -> bool {
        let piles =
            [self.hands[0], self.hands[1], self.hands[2], self.hands[3], self.deck, self.seen];
        let union = piles.iter().fold(0, |all, pile| all | pile);
        let count: u32 = piles.iter().map(|pile| pile.count_ones()).sum();
        let voids_hold = |seat: usize| {
            (0..4).all(|suit| {
                self.voids[seat] >> suit & 1 == 0 || self.hands[seat] & SUITS[suit] == 0
            })
        };
        let sizes_match = (0..SEATS).all(|seat| {
            let held = self.hands[seat].count_ones() as u8;
            let taken: u8 = self.tricks.iter().sum();
            let due = self.cards.saturating_sub(taken + u8::from(self.trick[seat] != 0));
            match self.phase {
                Phase::Play => held == if self.is_active(seat) { due } else { 0 },
                Phase::Deal | Phase::Trumps => held <= self.cards,
                Phase::Over => held == 0,
            }
        });
        union == DECK && count == 52 && sizes_match && (0..SEATS).all(voids_hold)
    }
}
