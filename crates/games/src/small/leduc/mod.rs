//! Leduc hold'em (Southey et al. 2005): six cards, two betting rounds, one board card.
#![doc = include_str!("README.md")]

use std::fmt;
use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Field, Game, GameInfo, ObservationSpec, Outcome, OutcomeList, Payoffs,
    Player, Rng, Stakes, Turn, mix,
};

use super::{NoOptions, zero_sum};

const FOLD: Action = Action(0);
const CALL: Action = Action(1);
const RAISE: Action = Action(2);

const RANKS: [char; 3] = ['J', 'Q', 'K'];
/// Cards of each rank.
const SUITS: u8 = 2;
/// The fixed bet size of each round, in chips.
const BETS: [u8; 2] = [2, 4];
/// Raises allowed in a round.
const MAX_RAISES: u8 = 2;
/// The most chips a player can lose: the ante and two raises a round.
const STAKE: u8 = 1 + MAX_RAISES * (BETS[0] + BETS[1]);
/// The most actions in a round: check, bet, raise, call.
const STEPS: usize = 4;

static OBSERVATION: ObservationSpec = ObservationSpec::new(
    1,
    &[
        Field::category("card", 4),
        Field::category("table_card", 4),
        Field::count("my_chips", STAKE as i32),
        Field::count("their_chips", STAKE as i32),
        Field::category("betting", 4).times(2 * STEPS),
        Field::flag("is_first"),
        Field::flag("to_move"),
    ],
);

/// A state of Leduc poker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leduc {
    /// The rank of each private card, once dealt.
    hands: [Option<u8>; 2],
    /// The rank of the board card, once dealt.
    board: Option<u8>,
    /// The chips each player has put into the pot.
    chips: [u8; 2],
    /// The betting of each round so far.
    betting: [[Option<Action>; STEPS]; 2],
    turn: Turn,
}

impl Leduc {
    /// The chips that each seat has won; 0 before the end.
    #[must_use]
    pub fn chips_won(&self) -> [i32; 2] {
        let payoffs = self.payoffs();
        [0, 1].map(|seat: usize| (payoffs[seat] * f32::from(STAKE)).round() as i32)
    }

    fn round(self) -> usize {
        usize::from(self.board.is_some())
    }

    fn has_folded(self) -> bool {
        self.betting.iter().flatten().flatten().any(|&action| action == FOLD)
    }

    fn raises(self) -> u8 {
        let steps = self.betting[self.round()].iter().flatten();
        steps.filter(|&&action| action == RAISE).count() as u8
    }

    /// The number of cards of `rank` that are not dealt.
    fn left(self, rank: u8) -> u8 {
        let dealt = self.hands.iter().chain([&self.board]);
        SUITS - dealt.filter(|&&card| card == Some(rank)).count() as u8
    }

    /// Draws one of the undealt cards uniformly and returns its rank.
    fn draw(self, rng: &mut Rng) -> u8 {
        let [jacks, queens, kings] = [0, 1, 2].map(|rank| usize::from(self.left(rank)));
        match rng.below(jacks + queens + kings) {
            drawn if drawn < jacks => 0,
            drawn if drawn < jacks + queens => 1,
            _ => 2,
        }
    }

    fn deal(&mut self, rank: u8) {
        match self.hands {
            [None, _] => self.hands[0] = Some(rank),
            [_, None] => {
                self.hands[1] = Some(rank);
                self.turn = Turn::Player(Player(0));
            }
            _ => {
                self.board = Some(rank);
                self.turn = Turn::Player(Player(0));
            }
        }
    }

    fn bet(&mut self, player: Player, action: Action) {
        let round = self.round();
        let step = self.betting[round].iter().flatten().count();
        let (mine, theirs) = (player.index(), 1 - player.index());
        self.betting[round][step] = Some(action);
        self.turn = Turn::Player(Player(theirs as u8));
        match action {
            FOLD => self.turn = Turn::Over,
            CALL => {
                self.chips[mine] = self.chips[theirs];
                if step > 0 {
                    self.turn = if round == 0 { Turn::Chance } else { Turn::Over };
                }
            }
            _ => self.chips[mine] = self.chips[theirs] + BETS[round],
        }
    }

    /// The seat that wins a showdown; `None` for a split pot.
    fn best_hand(self) -> Option<usize> {
        // A pair with the board card beats every unpaired rank.
        let strength = self.hands.map(|hand| (hand == self.board, hand));
        match strength[0].cmp(&strength[1]) {
            std::cmp::Ordering::Greater => Some(0),
            std::cmp::Ordering::Less => Some(1),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// Whether `player` has seen the hand of `seat`: their own, or at a showdown.
    fn knows(self, player: Player, seat: usize) -> bool {
        player.index() == seat || (self.turn == Turn::Over && !self.has_folded())
    }

    /// The state packed into one word; hands for which `show` is false are masked.
    fn packed(self, show: [bool; 2]) -> u64 {
        let code = |card: Option<u8>| card.map_or(0, |rank| 1 + u64::from(rank));
        let mut word = 1 << 2 | code(self.board);
        for (hand, show) in self.hands.into_iter().zip(show) {
            word = word << 3 | if show || hand.is_none() { code(hand) } else { 7 };
        }
        let steps = self.betting.iter().flatten();
        steps.fold(word, |word, step| word << 2 | step.map_or(0, |step| 1 + u64::from(step.0)))
    }
}

impl Game for Leduc {
    type Config = NoOptions;

    const NAME: &'static str = "leduc";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = 3;
    const CHANCE: bool = true;
    const IMPERFECT_INFORMATION: bool = true;

    fn new(_: &NoOptions) -> Self {
        Self {
            hands: [None; 2],
            board: None,
            chips: [1; 2],
            betting: [[None; STEPS]; 2],
            turn: Turn::Chance,
        }
    }

    fn info(&self) -> GameInfo {
        // The ranks of the cards; in each of two rounds: check, bet, raise, call.
        GameInfo {
            max_chance_outcomes: 3,
            perfect_recall: true,
            max_decisions: Some(8),
            ..GameInfo::of(self)
        }
    }

    fn players(&self) -> usize {
        2
    }

    #[inline]
    fn turn(&self) -> Turn {
        self.turn
    }

    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        let Turn::Player(_) = self.turn else { return };
        if self.chips[0] != self.chips[1] {
            out.push(FOLD);
        }
        out.push(CALL);
        if self.raises() < MAX_RAISES {
            out.push(RAISE);
        }
    }

    fn chance_outcomes(&self, out: &mut OutcomeList) {
        out.clear();
        if self.turn != Turn::Chance {
            return;
        }
        let left = [0, 1, 2].map(|rank| self.left(rank));
        let all: u8 = left.iter().sum();
        for (rank, &count) in left.iter().enumerate().filter(|&(_, &count)| count > 0) {
            let probability = f64::from(count) / f64::from(all);
            out.push(Outcome { action: Action(rank as u16), probability });
        }
    }

    fn apply(&mut self, action: Action) {
        match self.turn {
            Turn::Player(player) => self.bet(player, action),
            _ => self.deal(action.0 as u8),
        }
    }

    fn payoffs(&self) -> Payoffs {
        if self.turn != Turn::Over {
            return zero_sum(0.0);
        }
        // A player who folds has put in fewer chips; at a showdown both have put in
        // the same number.
        let winner = match self.chips[0].cmp(&self.chips[1]) {
            std::cmp::Ordering::Greater => Some(0),
            std::cmp::Ordering::Less => Some(1),
            std::cmp::Ordering::Equal => self.best_hand(),
        };
        let lost = f32::from(self.chips[0].min(self.chips[1])) / f32::from(STAKE);
        match winner {
            Some(0) => zero_sum(lost),
            Some(_) => zero_sum(-lost),
            None => zero_sum(0.0),
        }
    }

    fn stakes(&self) -> Option<Stakes> {
        Some(Stakes { chips: STAKE.into(), big_blind: None })
    }

    fn observation(&self) -> &'static ObservationSpec {
        &OBSERVATION
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        let code = |card: Option<u8>| card.map_or(0, |rank| 1 + i32::from(rank));
        let (mine, theirs) = (player.index(), 1 - player.index());
        out[0] = code(self.hands[mine]);
        out[1] = code(self.board);
        out[2] = i32::from(self.chips[mine]);
        out[3] = i32::from(self.chips[theirs]);
        for (cell, step) in out[4..].iter_mut().zip(self.betting.iter().flatten()) {
            *cell = step.map_or(0, |step| 1 + i32::from(step.0));
        }
        out[4 + 2 * STEPS] = i32::from(player == Player(0));
        out[5 + 2 * STEPS] = i32::from(self.turn == Turn::Player(player));
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
        if other.hands[theirs].is_none() || self.knows(player, theirs) {
            return other;
        }
        other.hands[theirs] = None;
        other.hands[theirs] = Some(other.draw(rng));
        other
    }

    fn is_seen(&self, _: Action, player: Player) -> bool {
        self.roller().is_none_or(|receiver| receiver == player)
    }

    fn roller(&self) -> Option<Player> {
        match (self.turn, self.hands) {
            (Turn::Chance, [None, _]) => Some(Player(0)),
            (Turn::Chance, [_, None]) => Some(Player(1)),
            _ => None,
        }
    }

    fn sample_chance(&self, rng: &mut Rng) -> Action {
        Action(self.draw(rng).into())
    }

    fn text(&self, player: Player) -> String {
        let mut seen = *self;
        let theirs = 1 - player.index();
        if !self.knows(player, theirs) {
            seen.hands[theirs] = None;
        }
        seen.to_string()
    }

    fn action_name(&self, action: Action) -> String {
        let facing = self.chips[0] != self.chips[1];
        match (self.turn, action) {
            (Turn::Chance, Action(rank)) => format!("deal {}", RANKS[usize::from(rank)]),
            _ => betting_name(action, facing).into(),
        }
    }

    fn is_consistent(&self) -> bool {
        let count = |rank| {
            self.hands.iter().chain([&self.board]).filter(|&&card| card == Some(rank)).count()
        };
        (0..3).all(|rank| count(rank) <= usize::from(SUITS))
            && self.chips.iter().all(|chips| (1..=STAKE).contains(chips))
    }
}

/// The name of a betting action, which depends on whether the player faces a bet.
fn betting_name(action: Action, facing: bool) -> &'static str {
    match (action, facing) {
        (FOLD, _) => "fold",
        (CALL, true) => "call",
        (CALL, false) => "check",
        (_, true) => "raise",
        (_, false) => "bet",
    }
}

impl fmt::Display for Leduc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |card: Option<u8>| card.map_or('?', |rank| RANKS[usize::from(rank)]);
        for (seat, hand) in self.hands.into_iter().enumerate() {
            write!(f, "seat {seat}: {}, {} chips in; ", name(hand), self.chips[seat])?;
        }
        write!(f, "table: {}; betting:", name(self.board))?;
        for (round, steps) in self.betting.iter().enumerate() {
            write!(f, "{}", if round == 1 && self.board.is_some() { " /" } else { "" })?;
            let mut facing = false;
            for &step in steps.iter().flatten() {
                write!(f, " {}", betting_name(step, facing))?;
                facing |= step == RAISE;
            }
        }
        Ok(())
    }
}
