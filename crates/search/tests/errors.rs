//! Invalid budgets, options, values and buffers are rejected with an error that names them.

use meeple_game::{Action, Game, Payoffs, Player, Rng, View, heuristic};
use meeple_games::small::{ConnectFour, TicTacToe};
use meeple_search::{
    BatchedMcts, Budget, Cached, Ensemble, EnsembleOptions, Evaluator, FirstPlay, GraphMcts,
    GraphOptions, GumbelOptions, Heuristic, IsMcts, IsMctsOptions, Mcts, MctsOptions,
    ProgressiveWidening, Rollout, RootNoise, RootParallel, RootPolicy, Search, SearchError,
    Selection,
};
use std::time::Duration;

fn game() -> ConnectFour {
    ConnectFour::new(&Default::default())
}

#[test]
fn empty_budgets_are_rejected() {
    let game = game();
    let view = View::new(&game, Player(0));
    for (budget, named) in [
        (Budget::simulations(0), "0 simulations"),
        (Budget { nodes: Some(0), ..Budget::default() }, "0 nodes"),
        (Budget::time(Duration::ZERO), "no time"),
        (Budget::default(), "no limit"),
    ] {
        let expected = Err(SearchError::EmptyBudget(named));
        let mut mcts = Mcts::new(&MctsOptions::default(), Rollout::default()).unwrap();
        assert_eq!(mcts.search(&view, &budget, 1), expected);
        let mut ismcts = IsMcts::new(&IsMctsOptions::default(), Rollout::default()).unwrap();
        assert_eq!(ismcts.search(&view, &budget, 1), expected);
        let mut graph = GraphMcts::new(&GraphOptions::default(), Rollout::default(), None).unwrap();
        assert_eq!(graph.search(&view, &budget, 1), expected);
        let mut parallel = RootParallel::new(vec![mcts], 1).unwrap();
        assert_eq!(parallel.search(&view, &budget, 1), expected);
    }
}

#[test]
fn invalid_options_are_named() {
    let plain = MctsOptions::default();
    let uct = |exploration, bias| MctsOptions {
        selection: Selection::Uct { exploration, bias },
        ..plain
    };
    let puct = |exploration, base| MctsOptions {
        selection: Selection::Puct { exploration, base },
        ..plain
    };
    let noise = |alpha, share| MctsOptions { noise: Some(RootNoise { alpha, share }), ..plain };
    let widening = |factor, exponent| MctsOptions {
        widening: Some(ProgressiveWidening { factor, exponent }),
        ..plain
    };
    let considered = GumbelOptions { considered: 0, ..GumbelOptions::default() };
    for (options, named) in [
        (uct(-1.0, 0.0), "exploration"),
        (uct(f32::NAN, 0.0), "exploration"),
        (uct(1.0, -0.5), "bias"),
        (puct(f32::INFINITY, 100.0), "exploration"),
        (puct(1.0, 0.0), "base"),
        (noise(0.0, 0.25), "noise.alpha"),
        (noise(0.3, 1.5), "noise.share"),
        (widening(0.0, 0.5), "widening.factor"),
        (widening(1.0, 2.0), "widening.exponent"),
        (MctsOptions { root: RootPolicy::Gumbel(considered), ..plain }, "gumbel.considered"),
        (MctsOptions { virtual_loss: -1.0, ..plain }, "virtual_loss"),
        (MctsOptions { batch: 0, ..plain }, "batch"),
        (MctsOptions { memory: 10, ..plain }, "memory"),
        (MctsOptions { first_play: FirstPlay::Value(f32::NAN), ..plain }, "first_play"),
    ] {
        let refused = Mcts::<ConnectFour, _>::new(&options, Rollout::default()).unwrap_err();
        assert!(refused.to_string().starts_with(&format!("{named} is ")), "{refused}");
    }
    let selection = Selection::Uct { exploration: -0.1, bias: 0.0 };
    let negative = IsMctsOptions { selection, ..Default::default() };
    let refused = IsMcts::<ConnectFour, _>::new(&negative, Rollout::default()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "exploration is -0.10000000149011612, expected a finite number, 0 or more"
    );
    let never = IsMctsOptions { simulations_per_determinization: 0, ..Default::default() };
    let refused = IsMcts::<ConnectFour, _>::new(&never, Rollout::default()).unwrap_err();
    assert_eq!(refused.to_string(), "simulations_per_determinization is 0, expected at least 1");
    let none = EnsembleOptions { determinizations: 0, ..Default::default() };
    assert!(Ensemble::<ConnectFour, _>::new(&none, Rollout::default()).is_err());
    assert!(RootParallel::<()>::new(vec![], 1).is_err());
    assert!(RootParallel::new(vec![()], 0).is_err());
    assert!(Cached::new(Heuristic, 0).is_err());
}

/// Evaluates every state to the same value.
#[derive(Clone, Copy)]
struct Always(f32);

impl Evaluator<ConnectFour> for Always {
    fn evaluate(&mut self, _: &[ConnectFour], _: &mut Rng, values: &mut [Payoffs], _: &mut [f32]) {
        values.iter_mut().for_each(|value| value[1] = self.0);
    }
}

#[test]
fn invalid_values_are_rejected() {
    let game = game();
    let view = View::new(&game, Player(0));
    let budget = Budget::simulations(10);
    for bad in [f32::NAN, f32::INFINITY, 1.5, -2.0] {
        let is_refused = |found: Result<_, SearchError>| match found {
            Err(SearchError::BadValue { seat: 1, value }) => {
                assert_eq!(value.to_bits(), bad.to_bits());
            }
            other => panic!("{other:?}"),
        };
        let mut mcts = Mcts::new(&MctsOptions::default(), Always(bad)).unwrap();
        is_refused(mcts.search(&view, &budget, 1));
        let options = MctsOptions { batch: 4, ..MctsOptions::default() };
        is_refused(Mcts::new(&options, Always(bad)).unwrap().search(&view, &budget, 1));
        let mut ismcts = IsMcts::new(&IsMctsOptions::default(), Always(bad)).unwrap();
        is_refused(ismcts.search(&view, &budget, 1));
        let mut graph = GraphMcts::new(&GraphOptions::default(), Always(bad), None).unwrap();
        is_refused(graph.search(&view, &budget, 1));
    }
}

#[test]
fn buffers_of_wrong_length_are_rejected() {
    let game = game();
    let view = View::new(&game, Player(0));
    let mut search = BatchedMcts::new(&MctsOptions::puct(), true, None).unwrap();
    assert_eq!(search.gather(4), Err(SearchError::NotBegun));
    search.begin(&view, &Budget::simulations(10), 1).unwrap();
    search.gather(4).unwrap();
    assert_eq!(search.leaves().len(), 1, "the root comes first");
    let value = [Payoffs::default()];
    let wrong = |what, expected, got| Err(SearchError::WrongLength { what, expected, got });
    assert_eq!(search.apply(&[], &[0.0; 7]), wrong("values", 1, 0));
    assert_eq!(search.apply(&value, &[0.0; 6]), wrong("logits", 7, 6));
    let refused = search.apply(&value, &[f32::NAN; 7]).unwrap_err();
    assert!(matches!(refused, SearchError::BadLogit { action: 0, .. }), "{refused}");
    assert_eq!(search.apply(&value, &[0.0; 7]), Ok(()));
}

#[test]
fn a_seat_that_is_not_to_move_is_rejected() {
    let game = game();
    let view = View::new(&game, Player(1));
    let mut search = Mcts::new(&MctsOptions::default(), Rollout::default()).unwrap();
    let refused = search.search(&view, &Budget::simulations(10), 1).unwrap_err();
    assert_eq!(refused.to_string(), "seat 1 is not to move");
    let mut over = game;
    [0, 1, 0, 1, 0, 1, 0].into_iter().for_each(|column| over.apply(Action(column)));
    let refused = search.search(&View::new(&over, Player(0)), &Budget::simulations(10), 1);
    assert_eq!(refused, Err(SearchError::NotToDecide(Player(0))));
}

#[test]
fn games_without_a_heuristic_are_rejected() {
    let game = TicTacToe::new(&Default::default());
    assert_eq!(heuristic(&game), None);
    let view = View::new(&game, Player(0));
    let expected = Err(SearchError::NoHeuristic { game: "tic-tac-toe" });
    let mut search = Mcts::new(&MctsOptions::default(), Heuristic).unwrap();
    assert_eq!(search.search(&view, &Budget::simulations(10), 1), expected);
    let mut search = Mcts::new(&MctsOptions::default(), Rollout::new(Some(2))).unwrap();
    assert_eq!(search.search(&view, &Budget::simulations(10), 1), expected);
}

#[test]
fn a_gumbel_root_needs_simulations() {
    let game = game();
    let options =
        MctsOptions { root: RootPolicy::Gumbel(GumbelOptions::default()), ..MctsOptions::puct() };
    let mut search = Mcts::new(&options, Rollout::default()).unwrap();
    let budget = Budget::time(Duration::from_millis(1));
    let refused = search.search(&View::new(&game, Player(0)), &budget, 1);
    assert_eq!(refused, Err(SearchError::GumbelNeedsSimulations));
}
