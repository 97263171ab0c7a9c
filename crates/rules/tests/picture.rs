//! Pictures of the games that come as files.

use std::collections::{BTreeMap, BTreeSet};

use meeple_game::{Action, CellShape, Game, Picture, Player, Rng, Turn, choices};
use meeple_rules::{BUILTIN, Config, builtin};

type FileGame = meeple_rules::FileGame<511>;

fn start(text: &str) -> FileGame {
    let config: Config<511> =
        Config::new("test.game", text, BTreeMap::new()).expect("a valid file");
    FileGame::new(&config)
}

fn named(name: &str) -> FileGame {
    start(builtin(name).expect("it comes with the crate"))
}

fn pictured(state: &FileGame, player: Option<Player>) -> Option<Picture> {
    FileGame::COMPANIONS.picture.expect("files have pictures")(state, player)
}

fn picture(state: &FileGame, player: Option<Player>) -> Picture {
    pictured(state, player).expect("the table has a picture")
}

fn play(state: &mut FileGame, name: &str) {
    state.apply(state.parse_action(name).unwrap_or_else(|| panic!("{name} is legal")));
}

/// Cells have places of their own, pieces are those of the text, and the names of actions lead to
/// cells.
#[test]
fn every_file_has_a_picture_of_its_board() {
    for (name, text) in BUILTIN {
        let (mut state, mut rng) = (start(text), Rng::new(1));
        for _ in 0..30 {
            let all = picture(&state, None);
            let places: BTreeSet<(i32, i32)> = (all.cells.iter())
                .map(|cell| ((cell.x * 100.0) as i32, (cell.y * 100.0) as i32))
                .collect();
            assert_eq!(places.len(), all.cells.len(), "{name}");
            let cells: BTreeSet<&str> = all.cells.iter().map(|cell| cell.name.as_str()).collect();
            let event = match state.turn() {
                Turn::Over => break,
                Turn::Chance => state.sample_chance(&mut rng),
                Turn::Player(_) => {
                    let actions: Vec<Action> = choices(&state);
                    let action = actions[rng.below(actions.len())];
                    let words = state.action_name(action);
                    if !cells.is_empty() && words.ends_with(|last: char| last.is_ascii_digit()) {
                        let sites = words.rsplit(' ').next().unwrap_or_default();
                        let to = sites.rsplit(['-', 'x']).next().unwrap_or_default();
                        assert!(cells.contains(to), "{name}: {words}");
                    }
                    action
                }
            };
            let lines = all.lines.iter().flatten();
            assert!(lines.copied().all(|cell| cell < all.cells.len()), "{name}");
            assert!(state.to_string().ends_with(&all.caption), "{name}");
            state.apply(event);
        }
    }
}

#[test]
fn boards_have_their_shapes() {
    let cells = |name: &str| picture(&named(name), None).cells;
    let hex = cells("hex");
    assert!(hex.iter().all(|cell| cell.shape == CellShape::Hexagon) && hex.len() == 121);
    // a1, b1 and a2 touch each other.
    let apart =
        |one: usize, other: usize| (hex[one].x - hex[other].x).hypot(hex[one].y - hex[other].y);
    for (one, other) in [(0, 1), (0, 11), (1, 11)] {
        assert!((apart(one, other) - 1.0).abs() < 1e-5);
    }
    let draughts = cells("english-draughts");
    assert_eq!(draughts.len(), 64);
    assert_eq!(draughts.iter().filter(|cell| !cell.name.is_empty()).count(), 32);
    assert!(draughts.iter().all(|cell| cell.is_dark != cell.name.is_empty()));
    let kalah = cells("kalah");
    let count =
        |name: &str| kalah.iter().find(|cell| cell.name == name).and_then(|cell| cell.count);
    assert_eq!((count("a1"), count("store1"), kalah.len()), (Some(4), Some(0), 14));
    let morris = picture(&named("nine-mens-morris"), None);
    assert_eq!((morris.cells.len(), morris.lines.len()), (24, 32));
    assert_eq!(picture(&named("pig"), None).cells, []);
}

/// The second player of a game that faces players sees the board from the other side.
#[test]
fn players_that_face_each_other_see_their_own_side_below() {
    let mut state = named("breakthrough");
    play(&mut state, "a2-a3");
    for (player, sign) in [(None, -1.0), (Some(Player(0)), -1.0), (Some(Player(1)), 1.0)] {
        let seen = picture(&state, player);
        let y = |name: &str| seen.cells.iter().find(|cell| cell.name == name).expect("a cell").y;
        assert_eq!((y("a3") - y("a1")).signum(), sign, "{player:?}");
    }
    let seen = picture(&state, Some(Player(1)));
    let cell = seen.cells.iter().find(|cell| cell.name == "a3").expect("a cell");
    let piece = cell.piece.as_ref().expect("the pawn that moved");
    assert_eq!((piece.seat, piece.kind.as_str(), piece.letter.as_str()), (Some(0), "pawn", ""));
}

#[test]
fn cards_are_face_down_for_others() {
    let mut state = named("kuhn-poker");
    play(&mut state, "K");
    play(&mut state, "Q");
    let hands = |player: Option<Player>| -> Vec<(Vec<String>, usize)> {
        let seen = picture(&state, player);
        let hands = seen.piles.into_iter().filter(|pile| pile.seat.is_some());
        hands.map(|pile| (pile.cards, pile.face_down)).collect()
    };
    let (king, queen) = ((vec!["K".to_owned()], 0), (vec!["Q".to_owned()], 0));
    let down = (Vec::new(), 1);
    assert_eq!(hands(None), [king.clone(), queen.clone()]);
    assert_eq!(hands(Some(Player(0))), [king, down.clone()]);
    assert_eq!(hands(Some(Player(1))), [down, queen]);
}

/// A player cannot tell a state from its determinizations by the picture either.
#[test]
fn pictures_show_nothing_hidden() {
    let mut changed = 0;
    for (name, text) in BUILTIN {
        for seed in 0..10 {
            let (mut state, mut rng) = (start(text), Rng::new(seed));
            for _ in 0..40 {
                for player in Player::all(state.players()) {
                    let other = state.determinize(player, &mut rng);
                    assert_eq!(
                        pictured(&state, Some(player)),
                        pictured(&other, Some(player)),
                        "{name}, seed {seed}: {player} sees\n{state}\nand\n{other}"
                    );
                    changed += usize::from(pictured(&state, None) != pictured(&other, None));
                }
                let event = match state.turn() {
                    Turn::Over => break,
                    Turn::Chance => state.sample_chance(&mut rng),
                    Turn::Player(_) => {
                        let actions: Vec<Action> = choices(&state);
                        actions[rng.below(actions.len())]
                    }
                };
                state.apply(event);
            }
        }
    }
    assert!(changed > 1000, "{changed} determinizations differ");
}

/// Edges are lines between squares, and the points where they meet have no name.
#[test]
fn edges_are_drawn_as_lines() {
    let mut state = named("dots-and-boxes");
    play(&mut state, "b1");
    play(&mut state, "a2");
    let cells = picture(&state, None).cells;
    let cell = |name: &str| cells.iter().find(|cell| cell.name == name).expect("a cell");
    for (name, shape, is_taken) in [
        ("b1", CellShape::HorizontalEdge, true),
        ("a2", CellShape::VerticalEdge, true),
        ("d1", CellShape::HorizontalEdge, false),
        ("b2", CellShape::Square, false),
    ] {
        let cell = cell(name);
        assert_eq!((cell.shape, cell.piece.is_some()), (shape, is_taken), "{name}");
    }
    // Three by three boxes, four by four points.
    let count = |shape: CellShape| cells.iter().filter(|cell| cell.shape == shape).count();
    assert_eq!((count(CellShape::Square), count(CellShape::Point)), (9, 16));
    assert_eq!((count(CellShape::HorizontalEdge), count(CellShape::VerticalEdge)), (12, 12));
    assert!((cell("b2").x - cell("b1").x).abs() < 1e-6 && cell("b1").y - cell("b2").y == 0.5);
}

/// Every player has a board; others see of it what they have looked at.
#[test]
fn boards_of_players_stand_side_by_side() {
    let mut state = named("battleships");
    for name in ["carrier a1-e1", "carrier a8-e8"] {
        play(&mut state, name);
    }
    let ships = |player: Option<Player>| -> Vec<(Option<u8>, String)> {
        let pieces = picture(&state, player).cells.into_iter().filter_map(|cell| cell.piece);
        pieces.map(|piece| (piece.seat, piece.letter)).collect()
    };
    assert_eq!(ships(None).len(), 10);
    let own = vec![(Some(1), "C".to_owned()); 5];
    assert_eq!(ships(Some(Player(1))), own);
    // Ships are placed on the player's own board: its cells have names, in front for the viewer.
    let all = picture(&state, Some(Player(0)));
    assert_eq!((all.cells.len(), all.labels.len()), (128, 2));
    assert!(all.cells[..64].iter().all(|cell| !cell.name.is_empty()));
    assert!(all.cells[64..].iter().all(|cell| cell.name.is_empty() && cell.x > 8.0));
    let mut rng = Rng::new(1);
    while picture(&state, None).caption.ends_with("placing") {
        let actions = choices(&state);
        state.apply(actions[rng.below(actions.len())]);
    }
    // A hit and a miss on the other board, whose cells have the names now.
    play(&mut state, "a8");
    let seen = picture(&state, Some(Player(0)));
    assert!(
        seen.cells[..64].iter().all(|cell| !cell.name.is_empty()),
        "the second player aims here"
    );
    let hit: Vec<_> = seen.cells[64..].iter().filter_map(|cell| cell.piece.as_ref()).collect();
    assert_eq!(hit.len(), 1);
    assert_eq!((hit[0].seat, hit[0].letter.as_str()), (Some(1), "×"));
}

#[test]
fn sites_of_variables_are_drawn_where_there_are_no_pieces() {
    let mut state = named("three-ropes");
    let mut rng = Rng::new(2);
    let pieces = |state: &FileGame| {
        let cells = picture(state, None).cells;
        cells.into_iter().filter_map(|cell| cell.piece).collect::<Vec<_>>()
    };
    while !state.parse_action("camp").is_some_and(|_| state.turn() == Turn::Player(Player(0))) {
        let event = match state.turn() {
            Turn::Chance => state.sample_chance(&mut rng),
            _ => choices(&state)[0],
        };
        state.apply(event);
    }
    assert!(pieces(&state).iter().any(|piece| piece.kind.contains("climbers")), "{state}");
    play(&mut state, "camp");
    let camps: Vec<_> = pieces(&state).into_iter().filter(|piece| piece.kind == "camps").collect();
    assert!(!camps.is_empty(), "{state}");
    assert!(camps.iter().all(|piece| piece.seat == Some(0) && piece.letter == "1"), "{camps:?}");
}
