//! Alpha-beta finds the values of plain expectiminimax in games with chance, with every technique
//! and without any of them.

use meeple_game::{
    Action, ActionList, Game, OutcomeList, Player, Rng, Turn, View, choices, heuristic,
};
use meeple_games::backgammon::Backgammon;
use meeple_games::files::FileGame;
use meeple_games::small::{Pig, pig};
use meeple_search::{
    AlphaBeta, AlphaBetaOptions, Budget, Iteration, Limits, Score, Search, StopFlag, StopReason,
};

/// A game that always ends: who dares may gain more, or nothing.
const DARE: &str = "\
game Dare
players 2
number score of each player 0..40
number turns 0..4
phase deciding
  say safe: add 2 to my score, add 1 to turns, next player
  say dare: go to rolling
  say double: go to doubling
phase rolling
  roll die 1..6
    if die = 1: add 1 to turns, next player, go to deciding
    otherwise: add die to my score, add 1 to turns, next player, go to deciding
phase doubling
  roll die 1..4
    if die = 4: add my score to my score, add 1 to turns, next player, go to deciding
    otherwise: add 1 to turns, next player, go to deciding
end
  turns = 4: most score wins
";

fn dare() -> FileGame {
    FileGame::new(
        &meeple_rules::Config::new("dare", DARE, Default::default()).expect("a valid file"),
    )
}

fn pig(goal: i64) -> Pig {
    let goal = pig::Goal::try_from(goal).expect("a goal in range");
    Pig::new(&pig::Options { goal, ..Default::default() })
}

/// Plays at random up to a decision that `is_wanted` wants.
fn decision<G: Game>(start: &G, rng: &mut Rng, is_wanted: impl Fn(&G) -> bool) -> G {
    let mut list = ActionList::new();
    loop {
        let mut game = *start;
        loop {
            match game.turn() {
                Turn::Over => break,
                Turn::Chance => game.apply(game.sample_chance(rng)),
                Turn::Player(_) if choices(&game).len() > 1 && is_wanted(&game) => return game,
                Turn::Player(_) => _ = game.apply_sampled(rng, &mut list),
            }
        }
    }
}

/// A decision in a bear-off with at most `most` checkers per side.
fn bear_off(most: i32, seed: u64) -> Backgammon {
    let start = Backgammon::new(&Default::default());
    decision(&start, &mut Rng::new(seed), |game| {
        let mut cells = vec![0; game.observation().len()];
        game.observe(Player(0), &mut cells);
        15 - cells[25] <= most && 15 - cells[51] <= most
    })
}

fn after<G: Game>(game: &G, action: Action) -> G {
    let mut next = *game;
    next.apply(action);
    next
}

/// Plain expectiminimax for seat 0 with turns as plies, written apart from the search. `actions` is
/// the number of actions of the turn in progress.
fn expectiminimax<G: Game>(game: &G, depth: i32, actions: i32) -> f64 {
    match game.turn() {
        Turn::Over => game.payoffs()[0].into(),
        _ if depth <= 0 => heuristic(game).map_or(0.0, |payoffs| payoffs[0].into()),
        Turn::Chance => {
            let mut outcomes = OutcomeList::new();
            game.chance_outcomes(&mut outcomes);
            let value = |outcome: &meeple_game::Outcome| {
                let next = after(game, outcome.action);
                let depth = depth - i32::from(next.turn() == Turn::Chance);
                outcome.probability * expectiminimax(&next, depth, 0)
            };
            outcomes.iter().map(value).sum()
        }
        turn @ Turn::Player(player) => {
            let value = |action: Action| {
                let next = after(game, action);
                match next.turn() == turn && actions < 3 {
                    true => expectiminimax(&next, depth, actions + 1),
                    false => expectiminimax(&next, depth - 1, 0),
                }
            };
            let values = choices(game).into_iter().map(value);
            match player.index() {
                0 => values.fold(f64::NEG_INFINITY, f64::max),
                _ => values.fold(f64::INFINITY, f64::min),
            }
        }
    }
}

/// The score for seat 0, in millionths, and the nodes of a search to `depth`.
fn searched<G: Game>(game: &G, options: &AlphaBetaOptions, depth: u32) -> (i32, u64) {
    let mut search = AlphaBeta::new(options).expect("valid options");
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    search.run(game, &limits, &StopFlag::default(), &mut |_: &Iteration<'_>| {}).expect("it runs");
    let Score::Units(units) = search.lines(1).next().expect("a line").score else {
        panic!("a game with chance has no distances: {game}");
    };
    (if game.turn() == Turn::Player(Player(0)) { units } else { -units }, search.nodes())
}

/// Every technique alone and every technique but one; without the table if deeper entries may
/// replace shallow values.
fn variants(has_table: bool) -> Vec<(String, AlphaBetaOptions)> {
    let all = AlphaBetaOptions { hash: 1 << 20, table: has_table, ..AlphaBetaOptions::default() };
    let plain = AlphaBetaOptions { hash: 1 << 20, ..AlphaBetaOptions::plain() };
    let mut variants = vec![("all".to_owned(), all), ("none".to_owned(), plain)];
    for at in 0..all.clone().switches().len() {
        let (mut without, mut only) = (all, plain);
        let (name, switch) = &mut without.switches()[at];
        if *name == "table" && !has_table {
            continue;
        }
        let name = *name;
        **switch = false;
        variants.push((format!("without {name}"), without));
        *only.switches()[at].1 = true;
        variants.push((format!("only {name}"), only));
    }
    variants
}

#[track_caller]
fn agrees<G: Game>(game: &G, depth: u32, has_table: bool) {
    let expected = expectiminimax(game, depth as i32, 0) * 1e6;
    let (plain, _) = searched(game, &AlphaBetaOptions::plain(), depth);
    assert!((f64::from(plain) - expected).abs() < 3.0, "{plain}, expected {expected}: {game}");
    for (name, options) in variants(has_table) {
        // Cutoffs change nothing, not even by rounding.
        assert_eq!(searched(game, &options, depth).0, plain, "{name}: {game}");
    }
}

#[test]
fn every_technique_keeps_the_values_of_pig() {
    for (seed, goal) in [(1, 10), (2, 14), (3, 20), (4, 30)] {
        agrees(&decision(&pig(goal), &mut Rng::new(seed), |game| game.key() % 4 == 0), 4, false);
    }
}

#[test]
fn every_technique_keeps_the_values_of_a_file_with_dice() {
    agrees(&dare(), 4, true);
    agrees(&dare(), 2, true);
    for seed in 0..6 {
        agrees(&decision(&dare(), &mut Rng::new(seed), |game| game.key() % 3 > 0), 4, true);
    }
}

#[test]
fn every_technique_keeps_the_values_of_bear_offs() {
    for seed in 0..5 {
        agrees(&bear_off(3, seed), 3, true);
    }
    for seed in 5..8 {
        agrees(&bear_off(5, seed), 2, true);
    }
}

/// In contact positions, with the bar and dances.
#[test]
fn every_technique_keeps_the_values_of_backgammon() {
    let start = Backgammon::new(&Default::default());
    for seed in 0..3 {
        let game = decision(&start, &mut Rng::new(seed), |game| game.key() % 16 == seed);
        agrees(&game, 1, true);
    }
}

/// A search to the end of the game stops, and its value is the exact one.
#[test]
fn bear_offs_are_solved() {
    for seed in 0..6 {
        let game = bear_off(2, seed);
        let mut search = AlphaBeta::new(&AlphaBetaOptions::default()).unwrap();
        let Turn::Player(seat) = game.turn() else { panic!("a decision") };
        let budget = Budget { nodes: Some(3_000_000), ..Budget::default() };
        let report = search.search(&View::new(&game, seat), &budget, 0).unwrap();
        assert_eq!(report.stop_reason, StopReason::Solved, "{game}");
        let exact = expectiminimax(&game, i32::MAX - 1, 0) as f32;
        assert!((report.values[0] - exact).abs() < 5e-6, "{} {exact}", report.values[0]);
    }
}

/// What the cutoffs are for: with them fewer nodes reach the same depth.
#[test]
fn star1_and_star2_save_nodes() {
    let plain = AlphaBetaOptions { star1: false, star2: false, ..AlphaBetaOptions::default() };
    let star1 = AlphaBetaOptions { star2: false, ..AlphaBetaOptions::default() };
    let mut totals = [0; 3];
    let start = Backgammon::new(&Default::default());
    for seed in 5..9 {
        let game = decision(&start, &mut Rng::new(seed), |game| game.key() % 16 == seed);
        for (total, options) in totals.iter_mut().zip([plain, star1, AlphaBetaOptions::default()]) {
            *total += searched(&game, &options, 2).1;
        }
    }
    assert!(totals[2] < totals[1] && totals[1] < totals[0], "{totals:?}");
}

#[test]
fn the_same_budget_gives_the_same_report() {
    let game = bear_off(15, 3);
    let Turn::Player(seat) = game.turn() else { panic!("a decision") };
    let budget = Budget { nodes: Some(20_000), ..Budget::default() };
    let run = || {
        let mut search = AlphaBeta::new(&AlphaBetaOptions::default()).unwrap();
        search.search(&View::new(&game, seat), &budget, 0).unwrap()
    };
    let report = run();
    assert_eq!(report.without_clock(), run().without_clock());
    assert!(report.nodes >= 20_000 && report.nodes < 20_500, "{}", report.nodes);
}
