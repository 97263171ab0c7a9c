//! Statistics of random play by the document rules, compared with the C engine.

use meeple_game::{ActionList, Game, Player, Rng, Turn};

use super::config;
use crate::stone_age::{Step, StoneAge};

/// The number of games for each number of players.
const GAMES: u64 = 6000;

/// Means over many random games.
#[derive(Debug, Default)]
struct Means {
    decisions: f64,
    /// Rolls only: reveals are chance events here, but not in the C engine.
    rolls: f64,
    rounds: f64,
    /// Forced decisions, in percent.
    forced: f64,
    /// Legal actions per decision.
    legal: f64,
    score: f64,
}

fn measure(players: usize) -> Means {
    let json = format!(r#"{{"players": {players}, "rules": "document", "forced": "ask"}}"#);
    let start = StoneAge::new(&config(&json));
    let mut scratch = ActionList::new();
    let mut sums = Means::default();
    for seed in 0..GAMES {
        let (mut game, mut rng) = (start, Rng::new(seed));
        while game.turn() != Turn::Over {
            let action = if game.turn() == Turn::Chance {
                let roll = matches!(game.step, Step::Roll | Step::RollGift);
                sums.rolls += f64::from(u8::from(roll));
                game.sample_chance(&mut rng)
            } else {
                game.legal_actions(&mut scratch);
                sums.decisions += 1.0;
                sums.legal += scratch.len() as f64;
                sums.forced += f64::from(u8::from(scratch.len() == 1));
                scratch[rng.below(scratch.len())]
            };
            game.apply(action);
        }
        sums.rounds += f64::from(game.round());
        let scores = Player::all(players).map(|player| f64::from(game.score(player)));
        sums.score += scores.sum::<f64>() / players as f64;
    }
    let games = GAMES as f64;
    Means {
        decisions: sums.decisions / games,
        rolls: sums.rolls / games,
        rounds: sums.rounds / games,
        forced: 100.0 * sums.forced / sums.decisions,
        legal: sums.legal / sums.decisions,
        score: sums.score / games,
    }
}

/// The C engine: decisions, rolls, rounds, forced, legal actions, score.
const ENGINE: [(usize, [f64; 6]); 3] = [
    (2, [491.0, 124.8, 31.2, 14.6, 11.5, 128.0]),
    (3, [588.0, 157.0, 24.8, 15.7, 11.6, 57.0]),
    (4, [651.0, 178.4, 20.4, 16.2, 11.6, 32.0]),
];

#[test]
fn random_play_matches_the_engine() {
    for (players, expected) in ENGINE {
        let means = measure(players);
        let Means { decisions, rolls, rounds, forced, legal, score } = means;
        let ours = [decisions, rolls, rounds, forced, legal, score];
        // Tolerances: one percent, and 1.5 points for the score, which varies most.
        let allowed = [0.01, 0.01, 0.01, 0.012, 0.01, 1.5 / expected[5]];
        for at in 0..6 {
            let off = (ours[at] / expected[at] - 1.0).abs();
            assert!(off < allowed[at], "{players} players: {means:?}, expected {expected:?}");
        }
    }
}

#[test]
fn the_readme_has_these_numbers() {
    let readme = include_str!("../README.md");
    for (players, [decisions, rolls, rounds, forced, legal, score]) in ENGINE {
        let line = format!(
            "| {players} | {decisions} | {rolls} | {rounds} | {forced} % | {legal} | {score} |"
        );
        assert!(readme.contains(&line), "the README lacks {line}");
    }
}
