//! Alpha-beta finds the values of plain negamax on small games, with every technique and without
//! any of them.

use meeple_game::{ActionList, Game, Player, Rng, Turn, View};
use meeple_games::chess::{Chess, Options as ChessOptions};
use meeple_games::files::FileGame;
use meeple_games::small::{Pig, TicTacToe, pig};
use meeple_search::solve::Negamax;
use meeple_search::{
    AlphaBeta, AlphaBetaOptions, Budget, Control, Limits, Score, Search, SearchError, StopFlag,
    StopReason,
};

/// A game that comes as a file, with options.
fn file(name: &str, options: &[(&str, i64)]) -> FileGame {
    let text = meeple_rules::builtin(name).expect("a game that comes with the crate");
    let options = options.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    FileGame::new(&meeple_rules::Config::new(name, text, options).expect("a valid file"))
}

/// Plays `plies` random actions, and fewer if the game ends.
fn after<G: Game>(start: &G, plies: usize, rng: &mut Rng) -> G {
    let (mut game, mut scratch) = (*start, ActionList::new());
    for _ in 0..plies {
        let mut next = game;
        next.apply(game.sample_action(rng, &mut scratch));
        if next.turn() == Turn::Over {
            break;
        }
        game = next;
    }
    game
}

/// The sign of the score of `game` after a search to the end.
fn solved<G: Game>(game: &G, options: &AlphaBetaOptions) -> f32 {
    let mut search = AlphaBeta::new(options).expect("it runs");
    let progress = &mut |_: &meeple_search::Iteration<'_>| {};
    search.run(game, &Limits::default(), &StopFlag::default(), progress).expect("it runs");
    match search.lines(1).next().expect("a line").score {
        Score::Win(_) => 1.0,
        Score::Loss(_) => -1.0,
        Score::Units(units) => {
            assert_eq!(units, 0, "a solved game is won, drawn or lost: {game}");
            0.0
        }
    }
}

/// Every technique alone, every technique but one, none and all.
fn variants() -> Vec<(String, AlphaBetaOptions)> {
    let small = AlphaBetaOptions { hash: 1 << 20, ..AlphaBetaOptions::default() };
    let plain = AlphaBetaOptions { hash: 1 << 20, ..AlphaBetaOptions::plain() };
    let mut variants = vec![("all".to_owned(), small), ("none".to_owned(), plain)];
    for at in 0..small.clone().switches().len() {
        let (mut without, mut only) = (small, plain);
        let (name, switch) = &mut without.switches()[at];
        **switch = false;
        variants.push((format!("without {name}"), without));
        *only.switches()[at].1 = true;
        let name = only.switches()[at].0;
        variants.push((format!("only {name}"), only));
    }
    variants
}

#[track_caller]
fn agrees_with_negamax<G: Game>(start: &G, plies: usize, positions: u64) {
    let mut negamax = Negamax::new(5_000_000);
    for seed in 0..positions {
        let game = after(start, plies, &mut Rng::new(seed));
        let expected = negamax.value(&game).expect("a small game");
        for (name, options) in variants() {
            assert_eq!(solved(&game, &options), expected, "{name}, seed {seed}: {game}");
        }
    }
}

#[test]
fn every_technique_keeps_the_values_of_tic_tac_toe() {
    let start = TicTacToe::new(&Default::default());
    agrees_with_negamax(&start, 2, 12);
}

#[test]
fn every_technique_keeps_the_values_of_connect_four() {
    let start = file("connect-four", &[("width", 5), ("height", 4)]);
    agrees_with_negamax(&start, 9, 12);
}

#[test]
fn every_technique_keeps_the_values_of_breakthrough() {
    agrees_with_negamax(&file("breakthrough", &[("size", 4)]), 5, 8);
}

/// A player who completes a box moves again.
#[test]
fn every_technique_keeps_the_values_where_a_player_moves_twice() {
    agrees_with_negamax(&file("dots-and-boxes", &[("width", 2), ("height", 2)]), 4, 6);
    agrees_with_negamax(&file("clobber", &[("width", 4), ("height", 3)]), 2, 6);
}

/// From the start: known values of solved games.
#[test]
fn small_games_are_solved_from_the_start() {
    let options = AlphaBetaOptions::default();
    for (game, expected) in [
        (file("connect-four", &[("width", 5), ("height", 4)]), 0.0),
        (file("connect-four", &[("width", 4), ("height", 4)]), 0.0),
        (
            file("breakthrough", &[("size", 4)]),
            Negamax::new(5_000_000).value(&file("breakthrough", &[("size", 4)])).unwrap(),
        ),
        (file("hex", &[("size", 3)]), 1.0),
    ] {
        assert_eq!(solved(&game, &options), expected, "{game}");
    }
}

fn position(fen: &str) -> Chess {
    Chess::new(&ChessOptions { fen: fen.parse().expect("a legal position") })
}

fn nodes(nodes: u64) -> Budget {
    Budget { nodes: Some(nodes), ..Budget::default() }
}

#[test]
fn the_same_budget_gives_the_same_report() {
    let game = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let view = View::new(&game, Player(0));
    let run = || {
        let mut search = AlphaBeta::new(&AlphaBetaOptions::default()).unwrap();
        search.search(&view, &nodes(30_000), 1).unwrap()
    };
    let (one, other) = (run(), run());
    assert_eq!(one.without_clock(), other.without_clock());
    assert_eq!((one.nodes, one.stop_reason), (30_000, StopReason::Nodes));
    // A search that is reset is a new one.
    let mut search = AlphaBeta::new(&AlphaBetaOptions::default()).unwrap();
    search.search(&view, &nodes(10_000), 1).unwrap();
    search.reset();
    assert_eq!(
        search.search(&view, &nodes(30_000), 1).unwrap().without_clock(),
        one.without_clock()
    );
}

#[test]
fn threads_find_the_same_win() {
    // A mate in three: 1.Qxh7+ would be another motif; the score counts plies.
    let game = position("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    for threads in [1, 3] {
        let options = AlphaBetaOptions { threads, hash: 4 << 20, ..AlphaBetaOptions::default() };
        let mut search = AlphaBeta::new(&options).unwrap();
        let progress = &mut |_: &meeple_search::Iteration<'_>| {};
        search.run(&game, &Limits::default(), &StopFlag::default(), progress).unwrap();
        assert_eq!(search.lines(1).next().unwrap().score, Score::Win(5), "{threads} threads");
    }
}

#[test]
fn several_lines_are_ordered_and_different() {
    let game = position("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1");
    let mut search = AlphaBeta::new(&AlphaBetaOptions::default()).unwrap();
    let limits = Limits { depth: Some(5), lines: 3, ..Limits::default() };
    let mut reports = 0;
    let progress = &mut |iteration: &meeple_search::Iteration<'_>| {
        reports += 1;
        assert!(iteration.number < 3 && !iteration.line.actions.is_empty());
    };
    search.run(&game, &limits, &StopFlag::default(), progress).unwrap();
    assert_eq!(reports, 15);
    let lines: Vec<_> = search.lines(3).collect();
    assert_eq!(lines[0].score, Score::Win(1));
    assert_eq!(game.action_name(lines[0].actions[0]), "f3f7");
    let firsts: Vec<_> = lines.iter().map(|line| line.actions[0]).collect();
    assert!(firsts[0] != firsts[1] && firsts[1] != firsts[2] && firsts[0] != firsts[2]);
    assert!(
        matches!((lines[1].score, lines[2].score), (Score::Units(a), Score::Units(b)) if a >= b)
    );
}

/// Plays moves in coordinate notation.
fn played(mut game: Chess, moves: &[&str]) -> Chess {
    for text in moves {
        game.apply(game.parse_action(text).expect("a legal move"));
    }
    game
}

/// The lost side can repeat a position for the third time. The table must neither carry that draw
/// to the same position without its history, nor the loss to the one with it; and the winning
/// side must not allow it.
#[test]
fn repetitions_do_not_poison_the_table() {
    let start = position("6k1/2q2ppp/8/8/8/8/8/5K2 w - - 0 1");
    let moves = ["f1g1", "c7c8", "g1h1", "c8c7", "h1g1", "c7c8", "g1h1", "c8c7"];
    let forget = |game: &Chess| position(&game.state().fen().to_string());
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let score_of = |search: &mut AlphaBeta<Chess>, game: &Chess| {
        let progress = &mut |_: &meeple_search::Iteration<'_>| {};
        let best = search.run(game, &limits, &StopFlag::default(), progress).unwrap();
        (search.lines(1).next().unwrap().score, game.action_name(best))
    };
    let white = played(start, &moves);
    let black = played(start, &moves[..7]);
    for order in [[true, false], [false, true]] {
        let mut search = AlphaBeta::new(&AlphaBetaOptions::default()).unwrap();
        for has_history in order {
            // White to move: h1g1 repeats for the third time.
            let game = if has_history { white } else { forget(&white) };
            let (score, best) = score_of(&mut search, &game);
            if has_history {
                assert_eq!((score, best.as_str()), (Score::Units(0), "h1g1"));
            } else {
                let is_lost = matches!(score, Score::Loss(_))
                    || matches!(score, Score::Units(units) if units < -500);
                assert!(is_lost, "{score:?} {best}");
            }
            // Black to move: c8c7 would allow it.
            let game = if has_history { black } else { forget(&black) };
            let (score, best) = score_of(&mut search, &game);
            let is_won = matches!(score, Score::Win(_))
                || matches!(score, Score::Units(units) if units > 500);
            assert!(is_won && (!has_history || best != "c8c7"), "{score:?} {best}");
        }
    }
}

#[test]
fn limits_restrict_and_stop_a_search() {
    let game = Chess::new(&ChessOptions::default());
    let action = game.parse_action("a2a3").unwrap();
    let mut search = AlphaBeta::new(&AlphaBetaOptions::default()).unwrap();
    let progress = &mut |_: &meeple_search::Iteration<'_>| {};
    let limits = Limits { depth: Some(4), actions: &[action], ..Limits::default() };
    assert_eq!(search.run(&game, &limits, &StopFlag::default(), progress), Ok(action));
    // A flag that is set before the search leaves some legal action.
    let stop = StopFlag::default();
    stop.stop();
    let best = search.run(&game, &Limits::default(), &stop, progress).unwrap();
    assert!(game.clone().try_apply(best).is_ok());
    assert!(search.nodes() <= 1000, "{}", search.nodes());
    let mut control = Control { stop, progress: None };
    let report =
        search.search_with(&View::new(&game, Player(0)), &nodes(1_000_000), 0, &mut control);
    assert_eq!(report.unwrap().stop_reason, StopReason::Stopped);
}

#[test]
fn unsupported_games_and_options_are_refused() {
    let pig = Pig::new(&pig::Options { players: 3.try_into().unwrap(), ..Default::default() });
    let refused = AlphaBeta::<Pig>::check(&pig).unwrap_err();
    assert_eq!(refused, SearchError::NotTwoPlayers { game: "pig" });
    let options = AlphaBetaOptions { threads: 0, ..AlphaBetaOptions::default() };
    let refused = AlphaBeta::<TicTacToe>::new(&options).unwrap_err().to_string();
    assert_eq!(refused, "threads is 0, expected 1 to 256");
    let game = TicTacToe::new(&Default::default());
    let mut search = AlphaBeta::new(&AlphaBetaOptions::default()).unwrap();
    let refused = search.search(&View::new(&game, Player(0)), &Budget::default(), 0).unwrap_err();
    assert!(refused.to_string().contains("no limit"), "{refused}");
}
