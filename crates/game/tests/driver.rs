//! The driver plays as its streams, limits and forfeits say.

use std::fmt;
use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, ChanceStream, Driver, End, Event, Field, Game, MAX_PLAYERS,
    ObservationSpec, Outcome, OutcomeList, Payoffs, Player, Rng, Steps, Turn, playout,
};

/// Two players in turn keep or double the die that is rolled before each of `TURNS` decisions;
/// the higher sum wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Dice {
    turn: u8,
    die: Option<u16>,
    sums: [u16; 2],
}

const TURNS: u8 = 6;
static OBSERVATION: ObservationSpec =
    ObservationSpec::new(1, &[Field::count("turn", TURNS as i32)]);

impl Game for Dice {
    type Config = ();
    const NAME: &'static str = "dice";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = 2;
    const CHANCE: bool = true;
    const IMPERFECT_INFORMATION: bool = false;

    fn new((): &()) -> Self {
        Self { turn: 0, die: None, sums: [0; 2] }
    }

    fn players(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        match self.die {
            _ if self.turn == TURNS => Turn::Over,
            None => Turn::Chance,
            Some(_) => Turn::Player(Player(self.turn % 2)),
        }
    }

    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        if let Turn::Player(_) = self.turn() {
            out.extend([Action(0), Action(1)]);
        }
    }

    fn apply(&mut self, action: Action) {
        match self.die.take() {
            None => self.die = Some(action.0),
            Some(die) => {
                self.sums[usize::from(self.turn % 2)] += die * (1 + action.0);
                self.turn += 1;
            }
        }
    }

    fn payoffs(&self) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        if self.turn == TURNS && self.sums[0] != self.sums[1] {
            let winner = usize::from(self.sums[1] > self.sums[0]);
            (payoffs[winner], payoffs[1 - winner]) = (1.0, -1.0);
        }
        payoffs
    }

    fn observation(&self) -> &'static ObservationSpec {
        &OBSERVATION
    }

    fn observe(&self, _player: Player, out: &mut [i32]) {
        out[0] = self.turn.into();
    }

    fn key(&self) -> u64 {
        self.turn.into()
    }

    fn action_name(&self, action: Action) -> String {
        action.0.to_string()
    }

    fn is_consistent(&self) -> bool {
        true
    }

    fn chance_outcomes(&self, out: &mut OutcomeList) {
        out.clear();
        if self.turn() == Turn::Chance {
            out.extend(
                (1..=6).map(|face| Outcome { action: Action(face), probability: 1.0 / 6.0 }),
            );
        }
    }
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.sums)
    }
}

/// Plays to the end; the action of each decision is `choose(number)`. Returns the driver and
/// the dice.
fn play<'a>(
    mut stream: impl FnMut() -> ChanceStream<'a>,
    choose: impl Fn(u64) -> u16,
) -> (Driver<Dice>, Vec<Action>) {
    let (mut driver, mut dice) = (Driver::new(Dice::new(&())), Vec::new());
    loop {
        match driver.next(stream()) {
            Event::Chance(die) => dice.push(die),
            Event::Decision(_) => driver.play(Action(choose(driver.steps().decisions))),
            Event::Over => return (driver, dice),
        }
    }
}

#[test]
fn a_sequential_stream_plays_as_a_playout_does() {
    for seed in 0..20 {
        let (mut game, mut rng, mut scratch) = (Dice::new(&()), Rng::new(seed), ActionList::new());
        let steps = playout(&mut game, &mut rng, &mut scratch);
        let (mut driver, mut rng) = (Driver::new(Dice::new(&())), Rng::new(seed));
        loop {
            match driver.next(ChanceStream::Sequential(&mut rng)) {
                Event::Chance(_) => {}
                Event::Decision(_) => _ = driver.play_sampled(&mut rng, &mut scratch),
                Event::Over => break,
            }
        }
        assert_eq!((driver.state(), driver.steps()), (&game, steps));
        assert_eq!(driver.payoffs(), game.payoffs());
        assert_eq!(driver.end(), Some(End::Finished));
    }
}

/// Each stream has the documented numbers, so a recorded seed keeps its meaning.
#[test]
fn numbered_streams_are_split_by_chance_events_or_by_all_events() {
    let base = Rng::new(3);
    let start = Dice::new(&());
    let (_, dice) = play(|| ChanceStream::PerChanceEvent(&base), |_| 0);
    let expected: Vec<Action> =
        (0..6).map(|number| start.sample_chance(&mut base.split(number))).collect();
    assert_eq!(dice, expected);
    let (_, dice) = play(|| ChanceStream::PerEvent(&base), |_| 0);
    let expected: Vec<Action> =
        (0..6).map(|number| start.sample_chance(&mut base.split(2 * number))).collect();
    assert_eq!(dice, expected);
}

#[test]
fn a_game_ends_at_its_limit_as_a_draw() {
    let mut driver = Driver::new(Dice::new(&())).with_limit(Some(1));
    let base = Rng::new(1);
    let next = |driver: &mut Driver<Dice>| driver.next(ChanceStream::PerChanceEvent(&base));
    assert!(matches!(next(&mut driver), Event::Chance(_)));
    assert_eq!(next(&mut driver), Event::Decision(Player(0)));
    driver.play(Action(1));
    assert!(matches!(next(&mut driver), Event::Chance(_)), "the limit counts decisions");
    assert_eq!(driver.end(), None);
    assert_eq!(next(&mut driver), Event::Over);
    assert_eq!(next(&mut driver), Event::Over);
    assert_eq!((driver.end(), driver.payoffs()), (Some(End::Limit), Payoffs::default()));
    assert_eq!(driver.steps(), Steps { decisions: 1, chances: 2 });
}

#[test]
fn a_forfeit_costs_1_that_the_others_share() {
    let mut driver = Driver::new(Dice::new(&()));
    driver.forfeit(Player(1));
    assert_eq!(driver.next(ChanceStream::PerEvent(&Rng::new(1))), Event::Over);
    assert_eq!(driver.end(), Some(End::Forfeit(Player(1))));
    assert_eq!(driver.payoffs()[..2], [1.0, -1.0]);
}

#[test]
fn what_is_not_legal_is_refused_and_counts_nothing() {
    let mut driver = Driver::new(Dice::new(&()));
    assert!(driver.try_play(Action(7)).is_err(), "a die has no 7");
    assert_eq!(driver.steps().total(), 0);
    driver.try_play(Action(5)).expect("a die has a 5");
    driver.try_play(Action(1)).expect("a decision");
    assert_eq!(driver.steps(), Steps { decisions: 1, chances: 1 });
    assert_eq!(driver.state().sums, [10, 0]);
}
