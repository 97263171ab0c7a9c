//! A search uses no hidden information: tested on a game in which cheating would win.

use std::fmt;
use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Field, Game, MAX_PLAYERS, ObservationSpec, Outcome, OutcomeList, Payoffs,
    Player, Rng, Turn, View, conform, mix,
};
use meeple_games::small::{KnockoutWhist, knockout_whist};
use meeple_search::{
    Budget, Combine, Ensemble, EnsembleOptions, IsMcts, IsMctsOptions, Mcts, MctsOptions, Observer,
    Rollout, Search, SearchError,
};

/// A coin lies under a cup. The first player may take a sure 0.2, or call the coin later: 1
/// if right, -1 if wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cup {
    coin: Option<bool>,
    calls: bool,
    call: Option<Action>,
}

const SURE: Action = Action(0);
const CALL: Action = Action(1);

static OBSERVATION: ObservationSpec =
    ObservationSpec::new(1, &[Field::flag("calls"), Field::category("call", 4)]);

impl Game for Cup {
    type Config = ();
    const NAME: &'static str = "cup";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = 4;
    const CHANCE: bool = true;
    const IMPERFECT_INFORMATION: bool = true;

    fn new((): &()) -> Self {
        Self { coin: None, calls: false, call: None }
    }

    fn players(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        match (self.coin, self.call) {
            (None, _) => Turn::Chance,
            (_, Some(_)) => Turn::Over,
            _ => Turn::Player(Player(0)),
        }
    }

    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        if self.turn() == Turn::Player(Player(0)) {
            out.extend(if self.calls { [Action(2), Action(3)] } else { [SURE, CALL] });
        }
    }

    fn chance_outcomes(&self, out: &mut OutcomeList) {
        out.clear();
        if self.coin.is_none() {
            let side = |side| Outcome { action: Action(side), probability: 0.5 };
            out.extend([side(0), side(1)]);
        }
    }

    fn apply(&mut self, action: Action) {
        if self.coin.is_none() {
            self.coin = Some(action.0 == 1);
        } else if action == CALL {
            self.calls = true;
        } else {
            self.call = Some(action);
        }
    }

    fn payoffs(&self) -> Payoffs {
        let first = match self.call {
            None => 0.0,
            Some(SURE) => 0.2,
            Some(call) if Some(call == Action(3)) == self.coin => 1.0,
            Some(_) => -1.0,
        };
        let mut payoffs = [0.0; MAX_PLAYERS];
        payoffs[..2].copy_from_slice(&[first, 0.0 - first]);
        payoffs
    }

    fn observation(&self) -> &'static ObservationSpec {
        &OBSERVATION
    }

    fn observe(&self, _: Player, out: &mut [i32]) {
        out[0] = i32::from(self.calls);
        out[1] = i32::from(self.call.map_or(0, |call| call.0));
    }

    fn key(&self) -> u64 {
        mix(self.info_key(Player(0)) ^ self.coin.map_or(0, |coin| 1 + u64::from(coin)))
    }

    fn info_key(&self, _: Player) -> u64 {
        let call = self.call.map_or(9, |call| u64::from(call.0));
        mix(call << 8 | u64::from(self.calls) << 4 | u64::from(self.coin.is_some()))
    }

    fn determinize(&self, _: Player, rng: &mut Rng) -> Self {
        Self { coin: self.coin.map(|_| rng.below(2) == 1), ..*self }
    }

    fn is_seen(&self, _: Action, _: Player) -> bool {
        self.coin.is_some()
    }

    fn text(&self, _: Player) -> String {
        String::new()
    }

    fn action_name(&self, action: Action) -> String {
        action.0.to_string()
    }

    fn is_consistent(&self) -> bool {
        true
    }
}

impl fmt::Display for Cup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

fn cup(coin: u16) -> Cup {
    let mut game = Cup::new(&());
    game.apply(Action(coin));
    game
}

#[test]
fn the_cup_game_conforms() {
    conform::check::<Cup>(&(), 200, 1);
}

#[test]
fn ismcts_takes_the_sure_payoff() {
    for observer in [Observer::Single, Observer::Multiple] {
        let options = IsMctsOptions { observer, ..Default::default() };
        let mut search = IsMcts::new(&options, Rollout::default()).unwrap();
        let mut reports = [0, 1].map(|coin| {
            let view_of = cup(coin);
            let view = View::new(&view_of, Player(0));
            let report = search.search(&view, &Budget::simulations(5000), 3).unwrap();
            report.without_clock()
        });
        assert_eq!(reports[0].best, SURE, "{reports:?}");
        assert!(reports[0].values[0] < 0.35, "{reports:?}");
        // The report is bit-identical whatever is under the cup.
        assert_eq!(reports[0], reports[1]);
        reports[0].best = CALL;
        assert_ne!(reports[0], reports[1]);
    }
}

/// A known limitation: several simulations per determinization cause strategy fusion. The
/// search starts to call by the current determinization. It still uses no hidden
/// information.
#[test]
fn reused_determinizations_cause_strategy_fusion() {
    for observer in [Observer::Single, Observer::Multiple] {
        let options =
            IsMctsOptions { observer, simulations_per_determinization: 16, ..Default::default() };
        let mut search = IsMcts::new(&options, Rollout::default()).unwrap();
        let reports = [0, 1].map(|coin| {
            let game = cup(coin);
            let view = View::new(&game, Player(0));
            search.search(&view, &Budget::simulations(5000), 3).unwrap().without_clock()
        });
        assert_eq!(reports[0].best, CALL, "{reports:?}");
        assert_eq!(reports[0], reports[1]);
    }
}

/// A known limitation of the baseline: in each determinization it would call correctly.
#[test]
fn ensembles_suffer_from_strategy_fusion() {
    for combine in [Combine::Sum, Combine::Average, Combine::Majority] {
        let options = EnsembleOptions { combine, ..Default::default() };
        let mut search = Ensemble::new(&options, Rollout::default()).unwrap();
        let game = cup(1);
        let view = View::new(&game, Player(0));
        let report = search.search(&view, &Budget::simulations(5000), 3).unwrap();
        assert_eq!(report.best, CALL, "{combine:?}");
        assert_eq!(report.simulations.min(5000), report.simulations);
    }
}

#[test]
fn mcts_rejects_hidden_information() {
    let mut search = Mcts::new(&MctsOptions::default(), Rollout::default()).unwrap();
    let game = cup(0);
    let refused = search.search(&View::new(&game, Player(0)), &Budget::simulations(10), 1);
    assert_eq!(refused, Err(SearchError::Hidden { game: "cup" }));
}

/// In Knockout Whist, hands that the searching player cannot see have no effect.
#[test]
fn hidden_hands_do_not_affect_the_report() {
    let options = knockout_whist::Options { players: 3.try_into().unwrap() };
    let mut game = KnockoutWhist::new(&options);
    let mut rng = Rng::new(4);
    while game.turn() == Turn::Chance {
        game.apply(game.sample_chance(&mut rng));
    }
    let Turn::Player(seat) = game.turn() else { panic!("no player is to move in {game}") };
    let mut search = IsMcts::new(&IsMctsOptions::default(), Rollout::default()).unwrap();
    let mut ensemble = Ensemble::new(&EnsembleOptions::default(), Rollout::default()).unwrap();
    let mut report = |game: &KnockoutWhist| {
        let view = View::new(game, seat);
        let one = search.search(&view, &Budget::simulations(2000), 9).unwrap();
        let other = ensemble.search(&view, &Budget::simulations(500), 9).unwrap();
        (one.without_clock(), other.without_clock())
    };
    let expected = report(&game);
    for _ in 0..3 {
        let other = game.determinize(seat, &mut rng);
        assert_ne!(other, game);
        assert_eq!(report(&other), expected);
    }
}
