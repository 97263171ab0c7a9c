//! Pictures of the games that come as files.

use std::collections::{BTreeMap, BTreeSet};

use meeple_game::{Action, CellShape, Game, Picture, Player, Rng, Turn, choices};
use meeple_rules::{BUILTIN, Config, builtin};

type FileGame = meeple_rules::FileGame<15>;

fn start(text: &str) -> FileGame {
    let config: Config<15> = Config::new("test.game", text, BTreeMap::new()).expect("a valid file");
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
            let Some(all) = pictured(&state, None) else { break };
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
