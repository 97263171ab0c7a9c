//! Games of self-play: the same whatever the threads, and labelled honestly.

use std::sync::atomic::Ordering;

use meeple_bots::open;
use meeple_game::{ActionList, Game, Payoffs, Player, Rng, Turn};
use meeple_games::small::{ConnectFour, Kuhn, Leduc, Pig, TicTacToe};
use meeple_games::stone_age::StoneAge;
use meeple_search::Evaluator;
use meeple_train::{
    Counters, Dirichlet, Gumbel, PlayedGame, Root, SelfPlay, SelfPlayConfig, SelfPlayOpponent,
    Temperature,
};

/// Evaluates by a hash of what the one who decides sees, so that an evaluation
/// tells whether it saw more.
#[derive(Clone)]
struct Scattered;

impl<G: Game> Evaluator<G> for Scattered {
    fn has_policy(&self) -> bool {
        true
    }

    fn evaluate(&mut self, states: &[G], _: &mut Rng, values: &mut [Payoffs], logits: &mut [f32]) {
        let mut legal = ActionList::new();
        for (at, state) in states.iter().enumerate() {
            let Turn::Player(seat) = state.turn() else { panic!("asked where nobody decides") };
            state.legal_actions(&mut legal);
            assert!(legal.len() > 1, "asked about a forced move");
            let mut cells = vec![0; state.observation().len()];
            state.observe(seat, &mut cells);
            let seed = cells
                .iter()
                .fold(7u64, |sum, &cell| sum.wrapping_mul(31).wrapping_add(cell as u64));
            let mut rng = Rng::new(seed);
            values[at].iter_mut().for_each(|value| *value = rng.unit() as f32 - 0.5);
            let row = &mut logits[at * state.actions()..(at + 1) * state.actions()];
            row.iter_mut().for_each(|logit| *logit = 2.0 * rng.unit() as f32);
        }
    }
}

fn config() -> SelfPlayConfig {
    SelfPlayConfig {
        at_once: 7,
        simulations: 16,
        fast_simulations: 4,
        full_share: 0.5,
        ..SelfPlayConfig::default()
    }
}

fn play<G: Game>(config: &SelfPlayConfig, games: u64, threads: usize) -> Vec<PlayedGame> {
    let counters = Counters::default();
    let is_stopped = || false;
    let start = open(G::NAME, None).expect("a game of the registry");
    let play = SelfPlay {
        start: &*start,
        config,
        seed: Rng::new(5),
        threads,
        is_stopped: &is_stopped,
        counters: &counters,
    };
    let numbers: Vec<u64> = (0..games).collect();
    let mut played = Vec::new();
    let mut take = |game| {
        played.push(game);
        Ok(())
    };
    let is_whole = play.play::<G, _>(&numbers, || Scattered, &mut take);
    assert!(is_whole.expect("nothing is wrong"));
    assert_eq!(counters.games.load(Ordering::Relaxed), games);
    played.sort_by_key(|game| game.game);
    played
}

/// Replays what was played and checks that it was legal and is labelled so.
fn check<G: Game>(config: &SelfPlayConfig, played: &[PlayedGame]) -> usize {
    let mut kept = 0;
    for game in played {
        let mut state = G::new(&G::Config::default());
        for &action in &game.actions {
            state.try_apply(action).expect("what was played is legal");
        }
        assert_eq!(game.is_cut, state.turn() != Turn::Over);
        if !game.is_cut {
            assert_eq!(game.payoffs, state.payoffs()[..state.players()]);
        }
        for at in 0..game.samples.len() {
            let sample = game.samples.get(at);
            let Player(seat) = sample.seat;
            assert_eq!(sample.outcomes[0], game.payoffs[usize::from(seat)]);
            assert!(sample.legal.len() > 1, "forced moves are nothing to learn from");
            assert!((sample.policy.iter().sum::<f32>() - 1.0).abs() < 1e-3);
            assert!(sample.values.iter().all(|value| value.abs() <= 1.0));
            assert_eq!(sample.is_cut, game.is_cut);
        }
        kept += game.samples.len();
        assert!(game.actions.len() as u32 <= 3 * config.longest);
    }
    kept
}

fn threads_change_nothing<G: Game>(config: &SelfPlayConfig, games: u64) {
    let one = play::<G>(config, games, 1);
    let alone = SelfPlayConfig { at_once: 1, ..config.clone() };
    assert_eq!(one, play::<G>(config, games, 3), "threads");
    assert_eq!(one, play::<G>(&alone, games, 2), "batches");
    assert!(check::<G>(config, &one) > 0);
}

#[test]
fn games_do_not_depend_on_threads_or_batches() {
    let gumbel = config();
    let puct = SelfPlayConfig { root: Root::Puct(Dirichlet::default()), ..config() };
    for config in [gumbel, puct] {
        threads_change_nothing::<ConnectFour>(&config, 12);
        threads_change_nothing::<Pig>(&config, 4);
        threads_change_nothing::<Kuhn>(&config, 20);
        threads_change_nothing::<Leduc>(&config, 12);
    }
    let below = Root::Gumbel(Gumbel { below: true, ..Gumbel::default() });
    threads_change_nothing::<TicTacToe>(&SelfPlayConfig { root: below, ..config() }, 12);
}

#[test]
fn large_hidden_games_are_played() {
    let config = SelfPlayConfig { full_share: 0.2, simulations: 8, ..config() };
    threads_change_nothing::<StoneAge>(&config, 2);
}

#[test]
fn games_that_are_cut_off_say_so() {
    let config = SelfPlayConfig { longest: 6, full_share: 1.0, ..config() };
    let played = play::<ConnectFour>(&config, 10, 2);
    check::<ConnectFour>(&config, &played);
    let cut: Vec<&PlayedGame> = played.iter().filter(|game| game.is_cut).collect();
    assert!(!cut.is_empty(), "nobody connects four in six moves very often");
    for game in cut {
        let last = game.samples.get(game.samples.len() - 1);
        assert_eq!(last.outcomes, last.values, "what was expected stands for what is not known");
        assert_ne!(last.outcomes, [0.0, 0.0]);
    }
}

#[test]
fn cold_games_are_all_alike_and_warm_ones_differ() {
    let cold = Temperature { from: 0, temperature: 0.0 };
    let cold = SelfPlayConfig { temperatures: vec![cold], full_share: 1.0, ..config() };
    let actions = |config: &SelfPlayConfig| -> Vec<Vec<u16>> {
        let played = play::<ConnectFour>(config, 6, 1);
        played.iter().map(|game| game.actions.iter().map(|action| action.0).collect()).collect()
    };
    let games = actions(&cold);
    assert!(games.iter().all(|game| *game == games[0]), "nothing draws at temperature 0");
    let games = actions(&config());
    assert!(games.iter().any(|game| *game != games[0]));
}

#[test]
fn random_openings_are_not_learned_from() {
    let config = SelfPlayConfig { openings: 4, full_share: 1.0, ..config() };
    threads_change_nothing::<ConnectFour>(&config, 10);
    let played = play::<ConnectFour>(&config, 40, 1);
    // In connect four somebody has a choice for long enough that every decision
    // beyond the opening is kept, and no game ends in so few.
    let openings: Vec<usize> =
        played.iter().map(|game| game.actions.len() - game.samples.len()).collect();
    assert!((0..=4).all(|count| openings.iter().any(|&drawn| drawn >= count)), "{openings:?}");
    let first =
        |game: &PlayedGame| game.samples.get(0).observation.iter().filter(|&&x| x > 0).count();
    assert!(played.iter().any(|game| first(game) >= 4), "positions after four random decisions");
}

#[test]
fn stopped_self_play_hands_over_the_finished_games() {
    let counters = Counters::default();
    let is_stopped = || counters.games.load(Ordering::Relaxed) >= 5;
    let start = open("tic-tac-toe", None).unwrap();
    let play = SelfPlay {
        start: &*start,
        config: &config(),
        seed: Rng::new(5),
        threads: 2,
        is_stopped: &is_stopped,
        counters: &counters,
    };
    let mut played = 0;
    let numbers: Vec<u64> = (0..1000).collect();
    let mut take = |_| {
        played += 1;
        Ok(())
    };
    let is_whole = play.play::<TicTacToe, _>(&numbers, || Scattered, &mut take);
    assert!(!is_whole.unwrap());
    assert_eq!(played, counters.games.load(Ordering::Relaxed));
    assert!((5..100).contains(&played), "{played}");
}

#[test]
fn an_opponent_plays_but_is_not_learned_from() {
    let opponent = SelfPlayOpponent { bot: "greedy".parse().unwrap(), share: 0.5 };
    let config = SelfPlayConfig { opponent: Some(opponent), full_share: 1.0, ..config() };
    threads_change_nothing::<ConnectFour>(&config, 10);
    let played = play::<ConnectFour>(&config, 40, 1);
    let seats = |game: &PlayedGame| {
        let mut seats: Vec<u8> =
            (0..game.samples.len()).map(|at| game.samples.get(at).seat.0).collect();
        seats.sort_unstable();
        seats.dedup();
        seats
    };
    let seats: Vec<Vec<u8>> = played.iter().map(seats).collect();
    for expected in [&[0][..], &[1], &[0, 1]] {
        assert!(seats.iter().any(|seats| seats == expected), "{expected:?} of {seats:?}");
    }
}
