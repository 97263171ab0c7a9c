//! Tests of the heuristic evaluation by one-ply greedy play.

use meeple_game::{Action, ActionList, Game, OutcomeList, Player, Rng, Turn, View};

use super::config;
use crate::stone_age::StoneAge;

/// The evaluation for `seat`, averaged over the outcomes of a chance node.
fn expected(game: &StoneAge, seat: Player) -> f64 {
    let mut outcomes = OutcomeList::new();
    game.chance_outcomes(&mut outcomes);
    if outcomes.is_empty() {
        return game.heuristic_payoffs()[seat.index()].into();
    }
    let worth = |outcome: &meeple_game::Outcome| {
        let mut next = *game;
        next.apply(outcome.action);
        outcome.probability * f64::from(next.heuristic_payoffs()[seat.index()])
    };
    outcomes.iter().map(worth).sum()
}

/// Plays greedily with one-ply lookahead.
fn greedy(view: &View<'_, StoneAge>, rng: &mut Rng, actions: &mut ActionList) -> Action {
    view.legal_actions(actions);
    let state = view.sample(rng);
    let worth = |action: Action| {
        let mut next = state;
        next.apply(action);
        expected(&next, view.seat())
    };
    let worths: Vec<f64> = actions.iter().map(|&action| worth(action)).collect();
    let best = (0..worths.len()).max_by(|&one, &other| worths[one].total_cmp(&worths[other]));
    actions[best.unwrap()]
}

/// The number of games that the greedy player wins, with alternating seats.
fn wins(json: &str, games: u64) -> u64 {
    let mut actions = ActionList::new();
    let mut won = 0;
    for seed in 0..games {
        let mut game = StoneAge::new(&config(json));
        let mut rng = Rng::new(seed);
        let seat = Player((seed % 2) as u8);
        while game.turn() != Turn::Over {
            let action = match game.turn() {
                Turn::Player(player) if player == seat => {
                    greedy(&View::new(&game, player), &mut rng, &mut actions)
                }
                Turn::Player(_) => game.sample_action(&mut rng, &mut actions),
                _ => game.sample_chance(&mut rng),
            };
            game.apply(action);
        }
        won += u64::from(game.payoffs()[seat.index()] == 1.0);
    }
    won
}

#[test]
fn greedy_beats_random_in_more_than_99_of_100_games() {
    assert!(wins("{}", 200) > 198);
}

#[test]
fn greedy_beats_random_in_the_document_rules_too() {
    assert!(wins(r#"{"rules": "document"}"#, 200) > 198);
}

#[test]
fn the_evaluation_at_the_end_is_the_payoff() {
    let mut game = StoneAge::new(&config(r#"{"players": 3}"#));
    meeple_game::playout(&mut game, &mut Rng::new(1), &mut ActionList::new());
    assert_eq!(game.heuristic_payoffs(), game.payoffs());
}
