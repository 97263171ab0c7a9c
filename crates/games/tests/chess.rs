//! Chess against published perft counts and against the library cozy-chess.

use cozy_chess::Board;
use meeple_game::{Game, Rng, Turn, choices};
use meeple_games::chess::{
    Chess, ChessRules, Fen, Options, Pgn, Score, parse_move, perft, plan, san,
};
use meeple_games::described::Described;
use meeple_plan::{Handled, Parity, Stages};
use rustc_hash::{FxHashMap, FxHashSet};

/// The node limit per position; `meeple perft` counts deeper.
const MAX_NODES: u64 = 3_000_000;

fn at(fen: &str) -> Chess {
    Chess::new(&Options { fen: fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}")) })
}

/// The positions of the data file: name, FEN, nodes by depth.
fn positions() -> Vec<(String, String, Vec<u64>)> {
    let text = include_str!("../../../tests/data/chess/positions.perft");
    let mut positions = Vec::new();
    let (mut name, mut fen) = (String::new(), String::new());
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (word, rest) = line.split_once(' ').expect("a word and a value");
        match word {
            "name" => name = rest.into(),
            "fen" => fen = rest.into(),
            "nodes" => {
                let nodes = rest.split(' ').map(|nodes| nodes.parse().expect("a number"));
                positions.push((name.clone(), fen.clone(), nodes.collect()));
            }
            _ => panic!("unknown word {word}"),
        }
    }
    positions
}

#[test]
fn perft_matches_published_counts() {
    let positions = positions();
    assert!(positions.len() >= 20);
    for (name, fen, counts) in positions {
        let game = at(&fen);
        for (depth, expected) in (1..).zip(counts).filter(|&(_, count)| count < MAX_NODES) {
            assert_eq!(perft(game.state(), depth), expected, "{name} at depth {depth}");
        }
    }
}

/// The legal moves of cozy-chess by name, with castling as a two-square king move.
fn cozy_moves(board: &Board) -> FxHashMap<String, cozy_chess::Move> {
    let mut moves = FxHashMap::default();
    board.generate_moves(|batch| {
        for event in batch {
            let castles = board.color_on(event.from) == board.color_on(event.to);
            let mut text = event.to_string();
            if castles {
                let file = if event.to > event.from { "g" } else { "c" };
                text.replace_range(2..3, file);
            }
            moves.insert(text, event);
        }
        false
    });
    moves
}

#[test]
fn random_games_in_lockstep_with_cozy_chess() {
    let root = Rng::new(3);
    for index in 0..150 {
        let mut rng = root.split(index);
        let mut game = Chess::new(&Options::default());
        let mut board = Board::default();
        loop {
            let theirs = cozy_moves(&board);
            if game.turn() == Turn::Over {
                check_ending(&game, &board, theirs.is_empty());
                break;
            }
            let ours = choices(&game);
            let names: FxHashSet<String> = ours.iter().map(|&id| game.action_name(id)).collect();
            assert_eq!(names, theirs.keys().cloned().collect(), "{game}");
            let action = *rng.pick(&ours);
            board.play(theirs[&game.action_name(action)]);
            game.apply(action);
        }
    }
}

/// Checks that cozy-chess agrees on checkmate and stalemate; it knows no other draws.
fn check_ending(game: &Chess, board: &Board, no_moves: bool) {
    let in_check = !board.checkers().is_empty();
    match game.ending().expect("the game is over") {
        "checkmate" => assert!(no_moves && in_check),
        "stalemate" => assert!(no_moves && !in_check),
        "fifty moves" => assert_eq!(board.halfmove_clock(), 100),
        "insufficient material" => {
            let heavy =
                [cozy_chess::Piece::Pawn, cozy_chess::Piece::Rook, cozy_chess::Piece::Queen];
            assert!(heavy.iter().all(|&piece| board.pieces(piece).is_empty()));
        }
        "threefold repetition" => {}
        other => panic!("an unknown end: {other}"),
    }
}

/// The game finds repetitions by undoing moves; here all positions are kept and compared.
/// With few pieces in little space, repetitions are frequent, also with pieces swapped.
#[test]
fn repetitions_match_a_full_history() {
    let mut rng = Rng::new(7);
    let mut repeated = [0; 3];
    for fen in [
        "7k/5K2/8/6p1/6P1/8/8/8 w - - 0 1",
        "7k/5K2/8/6p1/6P1/8/8/8 b - - 30 60",
        "k7/p7/P7/8/8/7p/7P/K7 w - - 0 1",
        "nn5k/6pp/8/8/8/8/PP6/K5NN w - - 3 9",
        "4k2r/5ppp/8/8/8/8/PPP5/R3K3 w Qk - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        for _ in 0..100 {
            let mut game = at(fen);
            let mut before = Vec::new();
            let mut cells = [0; 72];
            loop {
                let fen = game.state().fen().to_string();
                let position: Vec<String> = fen.split(' ').take(4).map(str::to_owned).collect();
                let count = before.iter().filter(|&other| *other == position).count();
                game.observe(meeple_game::Player(0), &mut cells);
                assert_eq!(cells[71], count as i32, "{fen}");
                repeated[count] += 1;
                before.push(position);
                if game.turn() == Turn::Over {
                    break;
                }
                game.apply(*rng.pick(&choices(&game)));
            }
        }
    }
    assert!(repeated.iter().all(|&times| times > 50), "{repeated:?}");
}

/// Sends random events through plan and tree, at every combination of stages.
#[test]
fn plan_and_tree_agree() {
    let parities: Vec<Parity<ChessRules>> =
        Stages::combinations().map(|stages| Parity::new(&plan().with_stages(stages))).into();
    let mut rng = Rng::new(5);
    for (name, fen, _) in positions() {
        let mut game = at(&fen);
        for _ in 0..6 {
            if game.turn() == Turn::Over {
                break;
            }
            let state = game.state();
            parities[7].generated(state).unwrap_or_else(|mismatch| panic!("{name}: {mismatch}"));
            for _ in 0..200 {
                let event =
                    ChessRules::event_of(state, meeple_game::Action(rng.below(4168) as u16));
                for parity in &parities {
                    parity
                        .handle(state, &event)
                        .unwrap_or_else(|mismatch| panic!("{name}: {mismatch}"));
                }
            }
            game.apply(*rng.pick(&choices(&game)));
        }
    }
}

#[test]
fn a_faulty_plan_is_detected() {
    let state = *Chess::new(&Options::default()).state();
    let event = parse_move(&state, "e2e4").expect("it is legal");
    let faulty = Parity::new(plan()).with_fault(|state| {
        let event = parse_move(state, "e7e5").expect("black may answer");
        if let Handled::Applied(next) = plan().handle(state, &event) {
            *state = next;
        }
    });
    let mismatch = faulty.handle(&state, &event).expect_err("the plan is faulty");
    assert_eq!(mismatch.entry, Some("pawn double step"));
    assert!(mismatch.artifacts.contains(&"board[36]: 7 != 0".to_owned()), "{mismatch}");
}

/// A changed signature means changed rules or names.
#[test]
fn the_plan_signature_is_unchanged() {
    assert_eq!(plan().warnings(), []);
    assert_eq!(plan().entry_names().len(), 7);
    assert_eq!(plan().signature(), 3_989_328_396_629_118_363, "{}", plan().explain());
}

#[test]
fn illegal_moves_have_reasons() {
    for (fen, text, expected) in [
        ("4k3/8/8/8/8/4r3/4R3/4K3 w - - 0 1", "e2d2", "it would leave the king in check"),
        (
            "4k3/8/8/8/8/5r2/8/4K2R w K - 0 1",
            "e1g1",
            "the king may not castle out of, through or into check",
        ),
        (
            "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1",
            "e7e8",
            "a pawn must promote on the last rank, and only there",
        ),
    ] {
        let from_to = |at: usize| {
            let bytes = text.as_bytes();
            u16::from((bytes[at + 1] - b'1') * 8 + bytes[at] - b'a')
        };
        let game = at(fen);
        let mut event =
            ChessRules::event_of(game.state(), meeple_game::Action(from_to(0) * 64 + from_to(2)));
        if text == "e7e8" {
            event = <ChessRules as meeple_plan::RuleSet>::event(
                meeple_plan::EventKind::Move,
                52,
                60,
                0,
            );
        }
        let Handled::Invalid { reason, .. } = plan().handle(game.state(), &event) else {
            panic!("{fen}: {text} is not refused");
        };
        assert_eq!(reason, expected);
    }
}

#[test]
fn endings_are_recognized() {
    for (fen, moves, ending, payoff) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "f3 e5 g4 Qh4#",
            "checkmate",
            -1.0,
        ),
        ("7k/8/6Q1/8/8/8/8/K7 w - - 0 1", "Qf7", "stalemate", 0.0),
        ("4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "Kxe2", "insufficient material", 0.0),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "Ra2", "fifty moves", 0.0),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80", "Ra8#", "checkmate", 1.0),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8",
            "threefold repetition",
            0.0,
        ),
    ] {
        let mut game = at(fen);
        for text in moves.split(' ') {
            assert_eq!(game.ending(), None, "{fen}: before {text}");
            game.apply(game.parse_action(text).unwrap_or_else(|| panic!("{fen}: {text}")));
        }
        assert_eq!((game.ending(), game.payoffs()[0]), (Some(ending), payoff), "{fen}");
    }
}

#[test]
fn san_is_written_and_read() {
    for (fen, coordinates, expected) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"),
        ("8/8/8/3k4/8/8/8/K2N3N w - - 0 1", "h1f2", "Nhf2"),
        ("8/8/8/3k4/7N/8/8/K6N w - - 0 1", "h1g3", "Ng3"),
        ("8/8/8/3k3N/8/8/8/K6N w - - 0 1", "h1g3", "N1g3"),
        ("8/2k5/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
        ("3k4/6P1/8/8/8/8/8/K7 w - - 0 1", "g7g8n", "g8=N"),
        ("3k3r/6P1/8/8/8/8/8/K7 w - - 0 1", "g7h8q", "gxh8=Q+"),
        ("8/8/8/1Pp5/8/8/8/K1k5 w - c6 0 2", "b5c6", "bxc6"),
    ] {
        let game = at(fen);
        let event =
            parse_move(game.state(), coordinates).unwrap_or_else(|| panic!("{coordinates}"));
        assert_eq!(san(game.state(), &event), expected, "{fen}");
        assert_eq!(parse_move(game.state(), expected), Some(event), "{fen}: {expected}");
        assert_eq!(parse_move(game.state(), &format!("{expected}!?")), Some(event));
    }
    let game = at("8/8/8/3k3N/8/8/8/K6N w - - 0 1");
    for unclear in ["Ng3", "Nh9", "", "N", "xx", "é", "e1e2", "Kxa2", "N5g3x", "=Q"] {
        assert_eq!(parse_move(game.state(), unclear), None, "{unclear}");
    }
}

/// Every legal move of random games survives a round trip through SAN.
#[test]
fn san_is_unique_and_round_trips() {
    let mut rng = Rng::new(9);
    for _ in 0..12 {
        let mut game = Chess::new(&Options::default());
        while game.turn() != Turn::Over {
            let state = *game.state();
            let mut names = FxHashSet::default();
            for action in choices(&game) {
                let event = ChessRules::event_of(&state, action);
                let name = san(&state, &event);
                assert_eq!(parse_move(&state, &name), Some(event), "{name} in {game}");
                assert!(names.insert(name));
            }
            game.apply(*rng.pick(&choices(&game)));
        }
    }
}

#[test]
fn fens_round_trip() {
    for (_, fen, _) in positions() {
        let written = fen.parse::<Fen>().expect("a position").to_string();
        // An en passant square without a legal capture is dropped.
        let expected: Vec<&str> = fen.split(' ').collect();
        let found: Vec<&str> = written.split(' ').collect();
        assert_eq!(found[..3], expected[..3]);
        assert_eq!(found[4..], expected[4..]);
        assert!(found[3] == expected[3] || found[3] == "-");
    }
}

#[test]
fn invalid_fens_are_rejected_with_the_field() {
    for (fen, expected) in [
        ("", "expected 4 to 6 fields"),
        ("8/8/8/8/8/8/8 w - - 0 1", "expected 8 ranks separated by '/', found 7"),
        ("8/8/8/8/8/8/8/K6kk w - - 0 1", "rank 1: expected 8 squares, found 9"),
        ("8/8/8/8/8/8/8/K6 w - - 0 1", "rank 1: expected 8 squares, found 7"),
        (
            "8/8/8/8/8/8/8/K5xk w - - 0 1",
            "rank 1: expected one of PNBRQKpnbrqk or a digit, found 'x'",
        ),
        ("8/8/8/8/8/8/8/K5kk w - - 0 1", "expected one black king, found 2"),
        ("8/8/8/8/8/8/8/K5Pk w - - 0 1", "a pawn stands on the first or last rank"),
        ("8/8/8/8/8/8/8/K6k x - - 0 1", "side to move: expected w or b, found \"x\""),
        ("8/8/8/8/8/8/8/K6k w KX - 0 1", "castling right K needs its king and rook"),
        ("8/8/8/8/8/8/8/K6k w X - 0 1", "castling: expected - or some of KQkq, found \"X\""),
        ("8/8/8/8/8/8/8/K6k w - e9 0 1", "en passant: expected - or the empty square"),
        ("8/8/8/8/8/8/8/K6k w - e6 0 1", "en passant: expected - or the empty square"),
        ("8/8/8/8/8/8/8/K6k w - - 101 1", "half-move clock: expected a number from 0 to 100"),
        ("8/8/8/8/8/8/8/K6k w - - 0 x", "move number: expected a number from 1 to 65535"),
        ("8/8/8/8/8/8/8/K5Rk w - - 0 1", "the side that is not to move is in check"),
    ] {
        let error = fen.parse::<Fen>().expect_err(fen).to_string();
        assert!(error.contains(expected), "{fen}: {error}");
    }
}

#[test]
fn pgn_round_trips() {
    let mut rng = Rng::new(31);
    for fen in [Fen::default(), "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 7".parse().expect("a position")]
    {
        let mut game = Chess::new(&Options { fen });
        let mut moves = Vec::new();
        while game.turn() != Turn::Over {
            let action = *rng.pick(&choices(&game));
            moves.push(ChessRules::event_of(game.state(), action));
            game.apply(action);
        }
        let tags = vec![("White".to_owned(), "A \"quoted\" \\ name".to_owned())];
        let result = Score::of_payoff(game.payoffs()[0]);
        let written = Pgn { tags, start: fen, moves, result }.to_string();
        assert!(written.lines().all(|line| line.len() < 80), "{written}");
        let read: Pgn = written.parse().unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert_eq!(read.to_string(), written);
        assert_eq!(read.tag("White"), Some("A \"quoted\" \\ name"));
    }
}

#[test]
fn pgn_of_other_programs_is_read() {
    let text = "%escaped\n[Event \"x\"]\n\n1.e4 e5 2. Nf3! $1 (2. f4 (2. d4 {a (b}) exf4) 2... Nc6 ; rest\n\
                3.Bb5 a6?! {comment} 1/2-1/2\n\n[Event \"y\"]\n1. d4 d5 *\n";
    let games = Pgn::parse_all(text).expect("two games");
    let lengths: Vec<usize> = games.iter().map(|game| game.moves.len()).collect();
    assert_eq!(lengths, [6, 2]);
    assert_eq!((games[0].result, games[1].result), (Score::Draw, Score::Open));
    for (text, expected) in [
        (
            "1. e4 e6 2. Ke3 *",
            "line 1: expected a legal move in position rnbqkbnr/pppp1ppp/4p3/8/4P3",
        ),
        ("\n\n1. e4 {no end", "line 3: unclosed comment"),
        ("1. e4 (1. d4 *", "line 1: unclosed variation"),
        ("[White Anna]\n*", "line 1: expected [Name \"value\"], found \"[White Anna]\""),
        ("[FEN \"8/8 w\"]\n*", "line 1: FEN: expected 4 to 6 fields"),
        ("", "expected one game, found 0"),
    ] {
        let error = text.parse::<Pgn>().expect_err(text).to_string();
        assert!(error.contains(expected), "{error}");
    }
}
