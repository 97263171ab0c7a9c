//! Backgammon's heuristic evaluation plays bear-offs well.

use meeple_game::{Action, ActionList, Game, Player, Rng, Turn, View, choices};
use meeple_games::backgammon::Backgammon;
use meeple_search::{Budget, Heuristic, Mcts, MctsOptions, Search};
use rustc_hash::FxHashMap;

/// The checkers of each side that are not borne off.
fn checkers_left(game: &Backgammon) -> [i32; 2] {
    let mut cells = vec![0; game.observation().len()];
    game.observe(Player(0), &mut cells);
    // After the 24 points and the bar of each side.
    [15 - cells[25], 15 - cells[51]]
}

/// A decision in a bear-off with at most three checkers per side, reached by random play.
fn ending(rng: &mut Rng) -> Backgammon {
    let mut list = ActionList::new();
    'game: loop {
        let mut game = Backgammon::new(&Default::default());
        loop {
            match game.turn() {
                Turn::Over => continue 'game,
                Turn::Chance => game.apply(game.sample_chance(rng)),
                Turn::Player(_) => {
                    let is_late = checkers_left(&game).iter().all(|&checkers| checkers <= 3);
                    if is_late && choices(&game).len() > 1 {
                        return game;
                    }
                    game.apply(game.sample_action(rng, &mut list));
                }
            }
        }
    }
}

/// The exact value of a state for seat 0, by expectiminimax.
fn exact(game: &Backgammon, known: &mut FxHashMap<u64, f64>) -> f64 {
    if game.turn() == Turn::Over {
        return f64::from(game.payoffs()[0]);
    }
    if let Some(&value) = known.get(&game.key()) {
        return value;
    }
    let mut after = |action: Action| {
        let mut next = *game;
        next.apply(action);
        exact(&next, known)
    };
    let value = match game.turn() {
        Turn::Player(Player(0)) => {
            choices(game).into_iter().map(after).fold(f64::NEG_INFINITY, f64::max)
        }
        Turn::Player(_) => choices(game).into_iter().map(after).fold(f64::INFINITY, f64::min),
        _ => {
            let mut outcomes = meeple_game::OutcomeList::new();
            game.chance_outcomes(&mut outcomes);
            outcomes.iter().map(|outcome| outcome.probability * after(outcome.action)).sum()
        }
    };
    known.insert(game.key(), value);
    value
}

#[test]
fn bear_offs_are_played_well() {
    let mut rng = Rng::new(3);
    let mut known = FxHashMap::default();
    let mut wrong = 0;
    for number in 0..60 {
        let game = ending(&mut rng);
        let Turn::Player(seat) = game.turn() else { panic!("no player is to move in {game}") };
        let mut search = Mcts::new(&MctsOptions::puct(), Heuristic).expect("good options");
        let budget = Budget::simulations(2000);
        let report = search.search(&View::new(&game, seat), &budget, number).expect("it runs");
        let mut next = game;
        next.apply(report.best);
        // A single game is worth one third.
        let lost = 3.0 * (exact(&game, &mut known) - exact(&next, &mut known)).abs();
        wrong += u32::from(lost > 0.005);
    }
    assert!(wrong <= 3, "{wrong} of 60 plays are wrong");
}
