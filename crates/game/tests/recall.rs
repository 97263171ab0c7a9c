//! Perfect recall is checked where a game claims it.

use std::fmt;
use std::ops::RangeInclusive;

use meeple_game::conform::{self, Rule};
use meeple_game::{
    Action, ActionList, Field, Game, GameInfo, MAX_PLAYERS, ObservationSpec, Payoffs, Player, Turn,
    mix,
};

/// Two players in turn add 0 or 1; the state is the sum, so the order of their actions is
/// forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sum<const RECALLS: bool> {
    added: u8,
    sum: u8,
}

static SUM: ObservationSpec =
    ObservationSpec::new(1, &[Field::count("added", 4), Field::count("sum", 4)]);

impl<const RECALLS: bool> Game for Sum<RECALLS> {
    type Config = ();
    const NAME: &'static str = "sum";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = 2;
    const CHANCE: bool = false;
    const IMPERFECT_INFORMATION: bool = false;

    fn new((): &()) -> Self {
        Self { added: 0, sum: 0 }
    }

    fn info(&self) -> GameInfo {
        GameInfo { perfect_recall: RECALLS, ..GameInfo::of(self) }
    }

    fn players(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        if self.added == 4 { Turn::Over } else { Turn::Player(Player(self.added % 2)) }
    }

    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        if self.added < 4 {
            out.extend([Action(0), Action(1)]);
        }
    }

    fn apply(&mut self, action: Action) {
        self.added += 1;
        self.sum += action.0 as u8;
    }

    fn payoffs(&self) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        if self.added == 4 {
            let winner = usize::from(self.sum % 2);
            (payoffs[winner], payoffs[1 - winner]) = (1.0, -1.0);
        }
        payoffs
    }

    fn observation(&self) -> &'static ObservationSpec {
        &SUM
    }

    fn observe(&self, _player: Player, out: &mut [i32]) {
        out.copy_from_slice(&[self.added.into(), self.sum.into()]);
    }

    fn key(&self) -> u64 {
        mix(u64::from(self.added) << 8 | u64::from(self.sum))
    }

    fn action_name(&self, action: Action) -> String {
        format!("add {}", action.0)
    }

    fn is_consistent(&self) -> bool {
        self.sum <= self.added
    }
}

impl<const RECALLS: bool> fmt::Display for Sum<RECALLS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} after {}", self.sum, self.added)
    }
}

#[test]
fn a_key_that_forgets_has_no_perfect_recall() {
    conform::check::<Sum<false>>(&(), 100, 1);
    let fault = conform::try_check::<Sum<true>>(&(), 100, 1).expect_err("it forgets the order");
    assert_eq!(fault.rule, Rule::PerfectRecall);
}
