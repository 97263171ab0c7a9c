//! The suite catches actions whose meaning the observation does not show: a toy
//! with coins that are numbered by value, and broken by when they came.

use std::fmt;
use std::ops::RangeInclusive;

use meeple_game::conform::{self, Rule};
use meeple_game::{
    Action, ActionList, Field, Game, MAX_PLAYERS, ObservationSpec, Outcome, OutcomeList, Payoffs,
    Player, Turn, mix,
};

const COINS: usize = 4;

/// One seat draws two coins of four, sees which they are and spends one of them:
/// the first or the second, by value or, if `BY_ARRIVAL`, by when it was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Purse<const BY_ARRIVAL: bool> {
    coins: [u8; 2],
    drawn: u8,
    spent: Option<u8>,
}

static SPEC: ObservationSpec = ObservationSpec::new(1, &[Field::flag("coins").times(COINS)]);

impl<const BY_ARRIVAL: bool> Game for Purse<BY_ARRIVAL> {
    type Config = ();

    const NAME: &'static str = "purse";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = 2;
    const CHANCE: bool = true;
    const IMPERFECT_INFORMATION: bool = false;

    fn new((): &()) -> Self {
        Self { coins: [0; 2], drawn: 0, spent: None }
    }

    fn players(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        match (self.drawn, self.spent) {
            (0 | 1, _) => Turn::Chance,
            (_, None) => Turn::Player(Player(0)),
            _ => Turn::Over,
        }
    }

    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        if self.turn() == Turn::Player(Player(0)) {
            out.extend([Action(0), Action(1)]);
        }
    }

    fn chance_outcomes(&self, out: &mut OutcomeList) {
        out.clear();
        if self.turn() == Turn::Chance {
            let left = (0..COINS as u8).filter(|coin| !self.held().contains(coin));
            let probability = 1.0 / (COINS - self.held().len()) as f64;
            out.extend(left.map(|coin| Outcome { action: Action(coin.into()), probability }));
        }
    }

    fn apply(&mut self, action: Action) {
        if self.turn() == Turn::Chance {
            self.coins[usize::from(self.drawn)] = action.0 as u8;
            self.drawn += 1;
            if !BY_ARRIVAL && self.drawn == 2 {
                self.coins.sort_unstable();
            }
        } else {
            self.spent = Some(self.coins[action.index()]);
        }
    }

    fn payoffs(&self) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        if let Some(coin) = self.spent {
            payoffs[0] = f32::from(coin) / COINS as f32;
            payoffs[1] = 0.0 - payoffs[0]; // a zero without a sign
        }
        payoffs
    }

    fn observation(&self) -> &'static ObservationSpec {
        &SPEC
    }

    fn observe(&self, _: Player, out: &mut [i32]) {
        for (coin, cell) in (0..).zip(out) {
            *cell = self.held().contains(&coin).into();
        }
    }

    fn key(&self) -> u64 {
        let [one, other] = self.coins;
        let spent = self.spent.map_or(u8::MAX, |coin| coin);
        mix(u64::from_le_bytes([one, other, self.drawn, spent, 0, 0, 0, 0]))
    }

    fn action_name(&self, action: Action) -> String {
        match self.turn() {
            Turn::Chance => format!("draw {}", action.0),
            _ => format!("spend {}", self.coins[action.index()]),
        }
    }

    fn is_consistent(&self) -> bool {
        self.drawn < 2 || self.coins[0] != self.coins[1]
    }
}

impl<const BY_ARRIVAL: bool> Purse<BY_ARRIVAL> {
    fn held(&self) -> &[u8] {
        &self.coins[..usize::from(self.drawn)]
    }
}

impl<const BY_ARRIVAL: bool> fmt::Display for Purse<BY_ARRIVAL> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "coins {:?}", self.held())
    }
}

#[test]
fn actions_numbered_by_what_no_cell_shows_are_caught() {
    let fault =
        conform::try_check_action_names::<Purse<true>>(&(), 5, 1).expect_err("a broken rule");
    assert_eq!(fault.rule, Rule::LegalActionsObserved, "{fault}");
}

#[test]
fn actions_numbered_by_what_is_seen_pass() {
    assert_eq!(conform::check::<Purse<false>>(&(), 50, 1).games, 50);
    conform::check_action_names::<Purse<false>>(&(), 50, 1);
}
