//! Max^n, paranoid and best-reply search find the values of plain searches on small games.

use meeple_game::{
    Action, ActionList, Game, MAX_PLAYERS, OutcomeList, Payoffs, Player, Rng, Turn, View, choices,
    heuristic,
};
use meeple_games::files::FileGame;
use meeple_games::small::{Pig, TicTacToe, pig};
use meeple_search::solve::Negamax;
use meeple_search::{Budget, MaxN, MaxNOptions, Opponents, Search, SearchReport, StopReason};

/// Three players take one to three stones; the last one wins.
const STONES: &str = "\
game Stones
players 3
number stones 0..11 capped
number threes 0..3
phase taking
  say one: add 1 to stones, next player
  say two: add 2 to stones, next player
  say three if threes < 3: add 3 to stones, add 1 to threes, next player
end
  stones = 11: mover wins
";

fn stones() -> FileGame {
    let config = meeple_rules::Config::new("stones", STONES, Default::default());
    FileGame::new(&config.expect("a valid file"))
}

/// Chinese checkers on a small star.
fn checkers() -> FileGame {
    let text = meeple_rules::builtin("chinese-checkers").expect("a game that comes with the crate");
    let options = [("side".to_owned(), 2), ("players".to_owned(), 3)].into();
    let config = meeple_rules::Config::new("chinese-checkers", text, options);
    FileGame::new(&config.expect("a valid file"))
}

fn pig(players: i64, goal: i64) -> Pig {
    let players = players.try_into().expect("a number of seats");
    Pig::new(&pig::Options { players, goal: goal.try_into().expect("a goal in range") })
}

fn search<G: Game>(game: &G, options: &MaxNOptions) -> SearchReport {
    let Turn::Player(seat) = game.turn() else { panic!("a decision") };
    let mut search = MaxN::new(options).expect("valid options");
    let budget = Budget { nodes: Some(u64::MAX), ..Budget::default() };
    search.search(&View::new(game, seat), &budget, 0).expect("it runs")
}

fn after<G: Game>(game: &G, action: Action) -> G {
    let mut next = *game;
    next.apply(action);
    next
}

/// Plays `plies` random choices, fewer if the game ends, and then up to a decision.
fn reached<G: Game>(start: &G, plies: usize, seed: u64) -> G {
    let (mut game, mut list, mut rng) = (*start, ActionList::new(), Rng::new(seed));
    let mut played = 0;
    loop {
        let mut next = game;
        match game.turn() {
            Turn::Chance => next.apply(game.sample_chance(&mut rng)),
            Turn::Player(_) if played >= plies => return game,
            Turn::Player(_) => _ = next.apply_sampled(&mut rng, &mut list),
            Turn::Over => panic!("a decision"),
        }
        played += 1;
        if next.turn() == Turn::Over {
            return reached(start, plies / 2, seed + 1);
        }
        game = next;
    }
}

/// The mean over outcomes.
fn mean<G: Game>(game: &G, value: impl Fn(&G) -> Payoffs) -> Payoffs {
    let mut outcomes = OutcomeList::new();
    game.chance_outcomes(&mut outcomes);
    let mut mean = [0.0_f64; MAX_PLAYERS];
    for outcome in outcomes.iter() {
        let values = value(&after(game, outcome.action));
        for (mean, value) in mean.iter_mut().zip(values) {
            *mean += outcome.probability * f64::from(value);
        }
    }
    mean.map(|value| value as f32)
}

/// The payoff that `player` can have at a decision of their own if all maximize their own payoff
/// and ties are broken by the first action.
fn plain_max_n<G: Game>(game: &G, depth: u32) -> Payoffs {
    match game.turn() {
        Turn::Over => game.payoffs(),
        _ if depth == 0 => heuristic(game).unwrap_or_default(),
        Turn::Chance => mean(game, |next| plain_max_n(next, depth - 1)),
        Turn::Player(player) => {
            let values = choices(game)
                .into_iter()
                .map(|action| plain_max_n(&after(game, action), depth - 1));
            let better = |best: Payoffs, next: Payoffs| {
                if next[player.index()] > best[player.index()] { next } else { best }
            };
            values.reduce(better).expect("a decision has actions")
        }
    }
}

/// The payoff of `seat` if all others minimize it.
fn plain_paranoid<G: Game>(game: &G, seat: Player, depth: u32) -> f32 {
    match game.turn() {
        Turn::Over => game.payoffs()[seat.index()],
        _ if depth == 0 => heuristic(game).unwrap_or_default()[seat.index()],
        Turn::Chance => mean(game, |next| {
            let mut values = Payoffs::default();
            values[0] = plain_paranoid(next, seat, depth - 1);
            values
        })[0],
        Turn::Player(player) => {
            let values = choices(game)
                .into_iter()
                .map(|action| plain_paranoid(&after(game, action), seat, depth - 1));
            match player == seat {
                true => values.fold(f32::NEG_INFINITY, f32::max),
                false => values.fold(f32::INFINITY, f32::min),
            }
        }
    }
}

#[track_caller]
fn agrees<G: Game>(game: &G, depth: u32) {
    let Turn::Player(seat) = game.turn() else { panic!("a decision") };
    let usual = MaxNOptions { depth, hash: 1 << 20, ..MaxNOptions::default() };
    let plain = MaxNOptions { pruning: false, one_step: false, table: false, ..usual };
    let expected = plain_max_n(game, depth);
    let report = search(game, &plain);
    assert_eq!(report.values, expected, "{game}");
    // Ties may be broken in another order: the payoff of the player to move is then another one
    // in some trees, unless no two actions are equal. Pruning alone keeps the order.
    let report = search(game, &MaxNOptions { one_step: false, ..usual });
    assert_eq!(report.values[seat.index()], expected[seat.index()], "{game}");
    let expected = plain_paranoid(game, seat, depth);
    let opponents = Opponents::Paranoid;
    for (pruning, one_step, exact) in
        [(true, true, false), (true, false, true), (false, true, false), (true, false, false)]
    {
        // Deeper entries would replace shallow values.
        let options = MaxNOptions { opponents, pruning, one_step, exact, table: false, ..usual };
        let value = search(game, &options).values[seat.index()];
        assert!(
            (value - expected).abs() < 1e-5,
            "{options:?}: {value}, expected {expected}: {game}"
        );
    }
}

#[test]
fn three_players_agree_with_plain_searches() {
    for plies in 0..5 {
        agrees(&reached(&stones(), plies, plies as u64), 12);
        agrees(&reached(&stones(), plies, plies as u64), 3);
    }
    for seed in 0..3 {
        agrees(&reached(&pig(3, 12), 4, seed), 5);
    }
    for seed in 0..2 {
        agrees(&reached(&checkers(), 20, seed), 2);
    }
}

/// With its table, a search to the end finds the same.
#[test]
fn the_table_keeps_the_values() {
    let game = stones();
    for opponents in [Opponents::Paranoid, Opponents::BestReply] {
        let value = |table: bool| {
            let report = search(&game, &MaxNOptions { opponents, table, ..Default::default() });
            assert_eq!(report.stop_reason, StopReason::Solved);
            (report.values, report.nodes)
        };
        let ((with, fewer), (without, more)) = (value(true), value(false));
        assert_eq!(with, without);
        assert!(fewer < more, "{fewer} {more}");
    }
}

/// Against one opponent all three are minimax.
#[test]
fn all_are_minimax_with_two_players() {
    let start = TicTacToe::new(&Default::default());
    let mut negamax = Negamax::new(1_000_000);
    for seed in 0..12 {
        let game = reached(&start, 2 + seed as usize % 3, seed);
        let Turn::Player(seat) = game.turn() else { panic!("a decision") };
        let expected = negamax.value(&game).expect("a small game");
        for opponents in [Opponents::Selfish, Opponents::Paranoid, Opponents::BestReply] {
            let report = search(&game, &MaxNOptions { opponents, ..Default::default() });
            assert_eq!(report.values[seat.index()], expected, "{opponents:?}: {game}");
        }
    }
}

/// One opponent who replies is less than all of them: the value is between those of opponents who
/// never and always do harm.
#[test]
fn one_reply_harms_less_than_all() {
    for plies in 0..6 {
        let game = reached(&stones(), plies, plies as u64);
        let Turn::Player(seat) = game.turn() else { panic!("a decision") };
        let value = |opponents| {
            search(&game, &MaxNOptions { opponents, ..Default::default() }).values[seat.index()]
        };
        assert!(value(Opponents::BestReply) >= value(Opponents::Paranoid), "{game}");
    }
}

#[test]
fn the_same_budget_gives_the_same_report() {
    let game = reached(&checkers(), 30, 1);
    let Turn::Player(seat) = game.turn() else { panic!("a decision") };
    for opponents in [Opponents::Selfish, Opponents::Paranoid, Opponents::BestReply] {
        let budget = Budget { nodes: Some(5000), ..Budget::default() };
        let run = || {
            let options = MaxNOptions { opponents, ..MaxNOptions::default() };
            let mut search = MaxN::new(&options).expect("valid options");
            search.search(&View::new(&game, seat), &budget, 0).expect("it runs").without_clock()
        };
        let report = run();
        assert_eq!(report, run());
        assert_eq!(report.stop_reason, StopReason::Nodes);
    }
}
