//! The exact solver beside plain minimax, other solvers and published values.

use meeple_game::{Action, ActionList, Game, Rng, Score, Turn};
use meeple_games::files::{FileGame, file_table};
use meeple_games::small::{ConnectFour, Kuhn, TicTacToe};
use meeple_search::solve::{ExactControl, ExactOptions, ExactSolver, Negamax, SolveError};
use serde_json::json;

fn solver(threads: usize) -> ExactSolver {
    ExactSolver::new(&ExactOptions { memory: 1 << 22, threads }, ExactControl::default())
}

/// The score by plain minimax over outcome and distance.
fn minimax<G: Game>(state: &G) -> Score {
    let Turn::Player(mover) = state.turn() else { panic!("a player decides") };
    let mut legal = ActionList::new();
    state.legal_actions(&mut legal);
    let score_of = |&action: &Action| {
        let mut next = *state;
        next.apply(action);
        match next.turn() {
            Turn::Player(player) if player == mover => minimax(&next).one_ply_earlier(),
            Turn::Player(_) => minimax(&next).for_opponent().one_ply_earlier(),
            _ if next.payoffs()[mover.index()] > 0.0 => Score::win_in(1),
            _ if next.payoffs()[mover.index()] < 0.0 => Score::loss_in(1),
            _ => Score::DRAW,
        }
    };
    legal.iter().map(score_of).max().expect("a legal action")
}

/// Random positions after `plies` plies where a player decides.
fn positions<G: Game>(config: &G::Config, plies: usize, seed: u64) -> impl Iterator<Item = G> {
    let (start, mut rng, mut scratch) = (G::new(config), Rng::new(seed), ActionList::new());
    std::iter::repeat_with(move || {
        let mut game = start;
        for _ in 0..plies {
            if game.turn() != Turn::Over {
                game.apply(game.sample_action(&mut rng, &mut scratch));
            }
        }
        game
    })
    .filter(|game| game.turn() != Turn::Over)
}

#[test]
fn scores_equal_plain_minimax() {
    let mut small = solver(1);
    for state in positions::<TicTacToe>(&Default::default(), 1, 1).take(3) {
        assert_eq!(small.score(&state), Ok(minimax(&state)), "{state}");
    }
    let mut columns = solver(1);
    let (mut wins, mut losses) = (0, 0);
    for state in positions::<ConnectFour>(&Default::default(), 30, 2).take(300) {
        let expected = minimax(&state);
        assert_eq!(columns.score(&state), Ok(expected), "{state}");
        wins += u32::from(expected > Score::DRAW && expected < Score::win_in(1));
        losses += u32::from(expected < Score::DRAW);
    }
    assert!(wins > 5 && losses > 20, "{wins} slow wins, {losses} losses");
}

#[test]
fn every_action_is_scored() {
    let mut columns = solver(1);
    for state in positions::<ConnectFour>(&Default::default(), 31, 3).take(100) {
        let Turn::Player(mover) = state.turn() else { unreachable!() };
        let scored = columns.actions(&state).unwrap();
        let best = scored.iter().map(|&(_, score)| score).max();
        assert_eq!(best, columns.score(&state).ok());
        for (action, score) in scored {
            let mut next = state;
            next.apply(action);
            let expected = match next.turn() {
                Turn::Player(_) => minimax(&next).for_opponent().one_ply_earlier(),
                _ if next.payoffs()[mover.index()] > 0.0 => Score::win_in(1),
                _ => Score::DRAW,
            };
            assert_eq!(score, expected, "{state}\n{action:?}");
        }
    }
}

#[test]
fn lines_end_when_the_score_says() {
    let mut columns = solver(1);
    for state in positions::<ConnectFour>(&Default::default(), 26, 4).take(30) {
        let score = columns.score(&state).unwrap();
        let line = columns.line(&state, score).unwrap();
        let mut end = state;
        line.iter().for_each(|&action| end.apply(action));
        assert_eq!(end.turn(), Turn::Over);
        if let Some(plies) = score.plies() {
            assert_eq!(line.len(), usize::from(plies), "{state}");
        }
    }
}

#[test]
fn threads_and_table_sizes_change_no_score() {
    for state in positions::<ConnectFour>(&Default::default(), 16, 5).take(8) {
        let score = solver(1).score(&state).unwrap();
        assert_eq!(solver(3).score(&state), Ok(score), "{state}");
        let tiny = ExactOptions { memory: 1 << 16, threads: 2 };
        let mut tiny = ExactSolver::new(&tiny, ExactControl::default());
        assert_eq!(tiny.score(&state), Ok(score), "{state}");
    }
}

/// Files have no hints, a player may move twice in a row, and symmetric positions have
/// different keys.
#[test]
fn games_in_files_are_solved() {
    let tables = [
        ("hex", json!({"size": 3})),
        ("clobber", json!({"width": 4, "height": 3})),
        ("dots-and-boxes", json!({"width": 2, "height": 1})),
    ];
    for (name, options) in tables {
        let table = file_table(name, Some(&options)).expect("a file of that name").into_owned();
        let start = FileGame::new(&serde_json::from_value(table).unwrap());
        let value = Negamax::new(10_000_000).value(&start).unwrap();
        let score = solver(2).score(&start).unwrap();
        assert_eq!(f32::from(score.outcome()), value, "{name}: {score}");
    }
}

/// Three in the bottom row with both ends open cannot be stopped.
#[test]
fn an_open_three_wins() {
    let mut state = ConnectFour::new(&Default::default());
    let mut play = |column: &str| state.apply(state.parse_action(column).expect("a column"));
    ["d", "a", "e", "a"].into_iter().for_each(&mut play);
    assert_eq!(solver(1).score(&state), Ok(Score::win_in(3)), "{state}");
    state.apply(state.parse_action("c").expect("a column"));
    assert_eq!(solver(1).score(&state), Ok(Score::loss_in(2)), "{state}");
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let kuhn = Kuhn::new(&Default::default());
    assert_eq!(solver(1).score(&kuhn), Err(SolveError::NotPerfect { game: "kuhn" }));
    let control = ExactControl::default();
    control.stop.stop();
    let mut stopped = ExactSolver::new(&ExactOptions { memory: 1 << 22, threads: 2 }, control);
    let start = ConnectFour::new(&Default::default());
    assert_eq!(stopped.score(&start), Err(SolveError::Stopped));
    let mut over = TicTacToe::new(&Default::default());
    while over.turn() != Turn::Over {
        let mut legal = ActionList::new();
        over.legal_actions(&mut legal);
        over.apply(legal[0]);
    }
    assert_eq!(solver(1).score(&over), Err(SolveError::Over));
}
