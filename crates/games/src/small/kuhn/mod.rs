//! Kuhn poker (Kuhn 1950): three cards and one bet, the smallest poker game with bluffing.
#![doc = include_str!("README.md")]

use std::fmt;
use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Field, Game, GameInfo, ObservationSpec, Outcome, OutcomeList, Payoffs,
    Player, Rng, Stakes, Turn, mix,
};

use super::{NoOptions, zero_sum};

const PASS: Action = Action(0);
const BET: Action = Action(1);
const CARDS: [char; 3] = ['J', 'Q', 'K'];
/// The length of the longest betting sequence: pass, bet, then pass or bet.
const STEPS: usize = 3;
/// The most chips a player can lose: the ante and one bet.
const STAKE: f32 = 2.0;

static OBSERVATION: ObservationSpec = ObservationSpec::new(
    1,
    &[
        Field::category("card", 4),
        Field::category("betting", 3).times(STEPS),
        Field::flag("is_first"),
    ],
);

/// A state of Kuhn poker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kuhn {
    /// The card of each seat, once dealt.
    cards: [Option<u8>; 2],
    /// The betting sequence so far.
    bets: [Option<Action>; STEPS],
}

impl Kuhn {
    /// The chips that each seat has won; 0 before the end.
    #[must_use]
    pub fn chips_won(&self) -> [i32; 2] {
        let won = self.first_wins().unwrap_or(0.0) as i32;
        [won, -won]
    }

    #[inline]
    fn steps(self) -> usize {
        self.bets.iter().flatten().count()
    }

    /// Draws one of the cards other than `known` uniformly.
    #[inline]
    fn draw(known: Option<u8>, rng: &mut Rng) -> u8 {
        match known {
            // Adding one or two, modulo three, reaches the other two cards.
            Some(known) => (known + 1 + rng.below(2) as u8) % 3,
            None => rng.below(3) as u8,
        }
    }

    /// The chips the first seat has won, once the betting is over.
    #[inline]
    fn first_wins(self) -> Option<f32> {
        let showdown = if self.cards[0] > self.cards[1] { 1.0 } else { -1.0 };
        match self.bets {
            [Some(PASS), Some(PASS), None] => Some(showdown),
            [Some(BET), Some(PASS), None] => Some(1.0),
            [Some(PASS), Some(BET), Some(PASS)] => Some(-1.0),
            [Some(BET), Some(BET), None] | [Some(PASS), Some(BET), Some(BET)] => {
                Some(2.0 * showdown)
            }
            _ => None,
        }
    }

    /// Whether `player` has seen the card of `seat`: their own, or at a showdown.
    fn knows(self, player: Player, seat: usize) -> bool {
        let folded = matches!(self.bets, [Some(BET), Some(PASS), _] | [.., Some(PASS)]);
        player.index() == seat || (self.first_wins().is_some() && !folded)
    }

    /// The state packed into one word; cards for which `show` is false are masked.
    fn packed(self, show: [bool; 2]) -> u64 {
        let mut word = 1;
        for (card, show) in self.cards.into_iter().zip(show) {
            word = word << 3 | card.map_or(0, |card| if show { 1 + u64::from(card) } else { 7 });
        }
        self.bets
            .iter()
            .fold(word, |word, bet| word << 2 | bet.map_or(0, |bet| 1 + u64::from(bet.0)))
    }
}

impl Game for Kuhn {
    type Config = NoOptions;

    const NAME: &'static str = "kuhn";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = 2;
    const CHANCE: bool = true;
    const IMPERFECT_INFORMATION: bool = true;

    fn new(_: &NoOptions) -> Self {
        Self { cards: [None; 2], bets: [None; STEPS] }
    }

    fn info(&self) -> GameInfo {
        // The ranks of the cards.
        GameInfo {
            max_chance_outcomes: 3,
            perfect_recall: true,
            max_decisions: Some(3),
            ..GameInfo::of(self)
        }
    }

    #[inline]
    fn players(&self) -> usize {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        if self.cards[1].is_none() {
            Turn::Chance
        } else if self.first_wins().is_some() {
            Turn::Over
        } else {
            Turn::Player(Player((self.steps() % 2) as u8))
        }
    }

    #[inline]
    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        if let Turn::Player(_) = self.turn() {
            out.extend([PASS, BET]);
        }
    }

    fn chance_outcomes(&self, out: &mut OutcomeList) {
        out.clear();
        if self.turn() != Turn::Chance {
            return;
        }
        let probability = if self.cards[0].is_none() { 1.0 / 3.0 } else { 1.0 / 2.0 };
        let left = (0..3).filter(|&card| Some(card) != self.cards[0]);
        out.extend(left.map(|card| Outcome { action: Action(card.into()), probability }));
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        if self.turn() == Turn::Chance {
            let seat = usize::from(self.cards[0].is_some());
            self.cards[seat] = Some(action.0 as u8);
        } else {
            self.bets[self.steps()] = Some(action);
        }
    }

    #[inline]
    fn payoffs(&self) -> Payoffs {
        zero_sum(self.first_wins().unwrap_or(0.0) / STAKE)
    }

    fn stakes(&self) -> Option<Stakes> {
        Some(Stakes { chips: STAKE.into(), big_blind: None })
    }

    fn observation(&self) -> &'static ObservationSpec {
        &OBSERVATION
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        out[0] = self.cards[player.index()].map_or(0, |card| 1 + i32::from(card));
        for (cell, bet) in out[1..=STEPS].iter_mut().zip(self.bets) {
            *cell = bet.map_or(0, |bet| 1 + i32::from(bet.0));
        }
        out[1 + STEPS] = i32::from(player == Player(0));
    }

    fn key(&self) -> u64 {
        mix(self.packed([true, true]))
    }

    fn info_key(&self, player: Player) -> u64 {
        mix(self.packed([self.knows(player, 0), self.knows(player, 1)]))
    }

    fn determinize(&self, player: Player, rng: &mut Rng) -> Self {
        let mut other = *self;
        let theirs = 1 - player.index();
        if self.knows(player, theirs) {
            return other;
        }
        if let Some(card) = &mut other.cards[theirs] {
            *card = Self::draw(self.cards[player.index()], rng);
        }
        other
    }

    fn is_seen(&self, _: Action, player: Player) -> bool {
        self.roller().is_none_or(|receiver| receiver == player)
    }

    fn roller(&self) -> Option<Player> {
        (self.turn() == Turn::Chance).then(|| Player(u8::from(self.cards[0].is_some())))
    }

    #[inline]
    fn sample_chance(&self, rng: &mut Rng) -> Action {
        Action(Self::draw(self.cards[0], rng).into())
    }

    fn text(&self, player: Player) -> String {
        let mut seen = *self;
        let theirs = 1 - player.index();
        if !self.knows(player, theirs) {
            seen.cards[theirs] = None;
        }
        seen.to_string()
    }

    fn action_name(&self, action: Action) -> String {
        match (self.turn(), action) {
            (Turn::Chance, Action(card)) => format!("deal {}", CARDS[usize::from(card)]),
            (_, PASS) => "pass".into(),
            _ => "bet".into(),
        }
    }

    fn is_consistent(&self) -> bool {
        self.cards[0] != self.cards[1] || self.cards[0].is_none()
    }
}

impl fmt::Display for Kuhn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (seat, card) in self.cards.into_iter().enumerate() {
            let card = card.map_or('?', |card| CARDS[usize::from(card)]);
            write!(f, "{}seat {seat}: {card}", if seat == 0 { "" } else { ", " })?;
        }
        write!(f, "; betting:")?;
        for bet in self.bets.iter().flatten() {
            write!(f, " {}", if *bet == PASS { "pass" } else { "bet" })?;
        }
        Ok(())
    }
}
