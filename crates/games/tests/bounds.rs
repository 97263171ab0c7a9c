//! Tests of `bounds` against random games.

use meeple_game::{ActionList, Game, OutcomeList, Rng, Turn};
use meeple_games::bounds;
use meeple_games::registry::{NAMES, Visit, with_game};

struct Play {
    players: Option<usize>,
    games: u64,
}

impl Visit for Play {
    type Out = ();

    fn visit<G: Game>(self) {
        let table =
            self.players.map_or("{}".into(), |players| format!(r#"{{"players": {players}}}"#));
        let Ok(config) = serde_json::from_str::<G::Config>(&table) else { return };
        let (mut actions, mut outcomes) = (ActionList::new(), OutcomeList::new());
        let mut largest = 0;
        for seed in 0..self.games {
            let (mut game, mut rng, mut decisions) = (G::new(&config), Rng::new(seed), 0);
            loop {
                match game.turn() {
                    Turn::Over => break,
                    Turn::Chance => {
                        game.chance_outcomes(&mut outcomes);
                        let ids = outcomes.iter().map(|outcome| outcome.action.index() + 1);
                        largest = largest.max(ids.max().unwrap_or(0));
                        game.apply(game.sample_chance(&mut rng));
                    }
                    Turn::Player(_) => {
                        decisions += 1;
                        game.apply_sampled(&mut rng, &mut actions);
                    }
                }
            }
            assert!(decisions <= bounds::max_decisions(G::NAME), "{}: {decisions}", G::NAME);
            let sum: f32 = game.payoffs()[..game.players()].iter().sum();
            let expected = bounds::utility_sum(G::NAME).expect("every game has a constant sum");
            assert!((f64::from(sum) - expected).abs() < 1e-6, "{}: {sum}", G::NAME);
        }
        let bound = bounds::chance_ids(G::NAME, G::new(&config).players());
        assert!(largest <= bound, "{} has the id {largest}, expected below {bound}", G::NAME);
        assert_eq!(bound > 0, G::LUCK, "{}", G::NAME);
    }
}

#[test]
fn bounds_hold_in_random_games() {
    for &name in NAMES {
        for players in [None, Some(3), Some(4)] {
            let games = if name == "magic" { 3 } else { 20 };
            with_game(name, Play { players, games }).expect("a listed game");
        }
    }
}

#[test]
fn other_names_have_no_bounds() {
    assert_eq!((bounds::chance_ids("go", 2), bounds::utility_sum("go")), (0, None));
}
