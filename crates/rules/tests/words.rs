//! What single words mean, in small games made for them.

use std::collections::BTreeMap;

use meeple_game::{Game, Player, Turn, choices};
use meeple_rules::{Config, FileGame, builtin};

type Table = FileGame<511>;

fn table(text: &str) -> Table {
    let config: Config<511> =
        Config::new("word.game", text, BTreeMap::new()).unwrap_or_else(|error| panic!("{error}"));
    Table::new(&config)
}

fn shipped(name: &str, options: &[(&str, i64)]) -> Table {
    let options = options.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    let config = Config::new(name, builtin(name).expect("a built-in file"), options);
    Table::new(&config.unwrap_or_else(|error| panic!("{error}")))
}

/// Returns the names of the choices, sorted.
fn names(game: &Table) -> Vec<String> {
    let mut names: Vec<String> =
        choices(game).into_iter().map(|action| game.action_name(action)).collect();
    names.sort();
    names
}

#[track_caller]
fn play(game: &mut Table, moves: &str) {
    for name in moves.split_whitespace() {
        let action = game.parse_action(name);
        game.apply(action.unwrap_or_else(|| panic!("{name} of {:?}\n{game}", names(game))));
    }
}

/// Draughts with the pieces of `start`; the second seat sees the board turned.
fn draughts(start: &str) -> Table {
    let text = builtin("international-draughts").expect("a built-in file");
    let (before, after) =
        text.split_once("  each player: put man on rows 1..4\n").expect("a start");
    table(
        &format!("{before}{start}{after}")
            .replace("players 2 facing", "players 2 facing named me, you"),
    )
}

#[test]
fn the_longest_chain_is_compulsory() {
    // One man could capture one piece, the other two.
    let mut game = draughts("  me: put man on a1 or g1\n  you: put man on b2 or h2 or h4\n");
    assert_eq!(names(&game), ["g1xi3"]);
    play(&mut game, "g1xi3");
    assert_eq!(game.turn(), Turn::Player(Player(0)));
    assert_eq!(names(&game), ["i3xg5"]);
    play(&mut game, "i3xg5");
    assert_eq!(game.to_string().matches(" m ").count(), 1, "{game}");
}

#[test]
fn captured_pieces_stay_until_the_chain_is_over_and_are_jumped_once() {
    // Back over the captured pieces the chain would never end.
    let mut game = draughts("  me: put king on a1\n  you: put man on c3 or g7\n");
    let mut captured = 0;
    while game.turn() == Turn::Player(Player(0)) {
        let action = choices(&game)[0];
        game.apply(action);
        captured += 1;
    }
    assert_eq!(captured, 2, "{game}");
    assert_eq!(game.turn(), Turn::Over, "{game}");
}

#[test]
fn a_man_that_passes_the_last_row_stays_a_man() {
    let mut game = draughts("  me: put man on f8\n  you: put man on g9 or i9 or b2\n");
    play(&mut game, "f8xh10");
    play(&mut game, "h10xj8");
    assert!(game.to_string().contains('M') && !game.to_string().contains('K'), "{game}");
}

#[test]
fn a_quarter_of_the_board_is_rotated() {
    let mut game = shipped("pentago", &[]);
    play(&mut game, "a1 sw_left");
    assert!(!names(&game).contains(&"c1".to_owned()), "{game}");
    play(&mut game, "a1 sw_right");
    assert!(!names(&game).contains(&"a3".to_owned()), "{game}");
    assert!(!names(&game).contains(&"a1".to_owned()), "{game}");
}

#[test]
fn suicide_and_repetition_are_refused() {
    let mut game = shipped("go", &[("size", 4)]);
    // Black surrounds b2 but for c2, white surrounds c2 but for b2.
    play(&mut game, "a2 d2 b1 c1 b3 c3 d4 b2");
    // Black takes b2 by c2: the ko.
    play(&mut game, "c2");
    assert!(!names(&game).contains(&"b2".to_owned()), "white takes back at once: {game}");
    play(&mut game, "a4 b4");
    assert!(names(&game).contains(&"b2".to_owned()), "white may take after another move: {game}");
    // A point with no liberty of its own is refused to the other colour.
    let mut corner = shipped("go", &[("size", 4)]);
    play(&mut corner, "a2 d4 b1");
    assert!(!names(&corner).contains(&"a1".to_owned()), "{corner}");
}

#[test]
fn a_drawn_repetition_is_an_option() {
    let mut game = shipped("go", &[("size", 4), ("superko", 1)]);
    play(&mut game, "a2 d2 b1 c1 b3 c3 d4 b2 c2 b2");
    assert_eq!((game.turn(), game.payoffs()[0]), (Turn::Over, 0.0), "{game}");
}

#[test]
fn area_counts_stones_and_what_they_surround() {
    for (komi, black) in [(0, 0.0), (1, -1.0)] {
        let mut game = shipped("go", &[("size", 4), ("komi", komi)]);
        play(&mut game, "b1 c1 b2 c2 b3 c3 b4 c4");
        play(&mut game, "pass pass");
        // Both have eight points.
        assert_eq!(game.payoffs()[0], black, "{game}");
    }
}

#[test]
fn a_closed_box_moves_again() {
    let mut game = shipped("dots-and-boxes", &[("width", 1), ("height", 1)]);
    play(&mut game, "b1 a2 b3");
    assert_eq!(game.turn(), Turn::Player(Player(1)));
    play(&mut game, "c2");
    assert_eq!(game.payoffs()[..2], [-1.0, 1.0]);
}

#[test]
fn a_king_may_not_stay_attacked() {
    let text = "\
game Attack
players 2 facing named white, black
board square 4
piece king, rook
start
  white: put king on a1
  black: put rook on b4
  black: put king on d4
turn
  move king step any to empty or theirs
  move rook slide orthogonal to empty or theirs
  such that no (king on attacked by theirs)
end
  next player stuck and their king on attacked by mine: mover wins
  next player stuck: draw
";
    assert_eq!(names(&table(text)), ["a1-a2"]);
    let mate = text
        .replace("put king on d4", "put king on a3")
        .replace("black: put rook on b4", "black: put rook on d2");
    let mut game = table(&mate);
    play(&mut game, "a1-b1");
    play(&mut game, "d2-d1");
    assert_eq!(game.turn(), Turn::Player(Player(0)), "{game}");
}

#[test]
fn called_is_part_of_the_name() {
    let text = "\
game Called
players 2
board square 2
piece man, king
turn
  place man on empty called low
  place man on empty called high: promote it to king
end
  board full: most king wins
";
    assert!(names(&table(text)).contains(&"man a1=high".to_owned()));
}

const RACE: &str = "\
game Race
players 2 named red, blue
board square 8 by 2
path lane of red
  a1..h1
path lane of blue
  a2..h2
piece runner
dice 2 of 1..3 doubles twice
start
  red: put runner on a1
  blue: put runner on a2
phase rolling
  roll dice: go to moving
phase moving
  use most dice
    move runner along lane by a die to empty
      if dice left = 0: go to rolling, next player
      otherwise: same player
  otherwise pass: go to rolling, next player
end
  mine on column 8: mover wins
";

#[test]
fn dice_are_used_one_by_one() {
    let mut game = table(RACE);
    assert_eq!(names(&game), ["1-1", "2-1", "2-2", "3-1", "3-2", "3-3"]);
    play(&mut game, "3-1");
    assert_eq!(names(&game), ["a1-b1", "a1-d1"]);
    play(&mut game, "a1-b1");
    assert_eq!(names(&game), ["b1-e1"]);
    play(&mut game, "b1-e1");
    assert_eq!(game.turn(), Turn::Chance);
    // Doubles count twice.
    play(&mut game, "1-1 a2-b2 b2-c2 c2-d2 d2-e2");
    assert_eq!(game.turn(), Turn::Chance);
    // Either die can be used, but not both: it is the greater one.
    play(&mut game, "3-1");
    assert_eq!(names(&game), ["e1-h1"]);
}

#[test]
fn both_dice_are_used_if_that_is_possible() {
    let text = RACE
        .replace("red: put runner on a1", "red: put runner on a1 or c1")
        .replace("blue: put runner on a2", "blue: put runner on b1 or e1 or f1");
    let mut game = table(&text);
    play(&mut game, "3-1");
    // After a1-d1 by 3, neither piece can go 1; after c1-d1 by 1, the same piece can go 3.
    assert_eq!(names(&game), ["c1-d1"]);
    play(&mut game, "c1-d1");
    assert_eq!(names(&game), ["d1-g1"]);
}

#[test]
fn pieces_leave_the_end_of_a_path() {
    let effects =
        "      if dice left = 0: go to rolling, next player\n      otherwise: same player\n";
    let group = "  use most dice\n    move runner along lane by a die to empty\n";
    let text = RACE
        .replace(effects, "")
        .replace(group, "  move runner along lane by a die off or beyond\n");
    // The hindmost piece alone leaves by more than it needs.
    for (start, expected) in [
        ("g1", &["off by 2 g1", "off by 3 g1"][..]),
        ("f1 or g1", &["off by 2 g1", "off by 3 f1"]),
        ("a1 or g1", &["off by 2 g1"]),
    ] {
        let start = format!("red: put runner on {start}");
        let mut game = table(&text.replace("red: put runner on a1", &start));
        play(&mut game, "3-2");
        assert_eq!(names(&game), expected, "{game}");
    }
}

#[test]
fn every_player_has_things_on_sites() {
    let text = "\
game Beans
players 2
board square 3
heap beans of each player
turn
  aim at board minus (board with 1..9 beans)
    put 2 beans on it
    put 1 their beans on column (column number of it) minus it
    if row number of it = 3: move their beans on columns of it to a1
end
  no (board minus (board with 1..9 their beans)): mover wins
";
    let mut game = table(text);
    play(&mut game, "a2");
    assert_eq!(names(&game), ["a2", "b1", "b2", "b3", "c1", "c2", "c3"]);
    // The second player puts two beans on b3, and the first one's on its column go to a1.
    play(&mut game, "b3");
    assert!(!names(&game).contains(&"a1".to_owned()), "{game}");
    assert!(names(&game).contains(&"b1".to_owned()), "{game}");
    assert!(game.to_string().contains("2X"), "{game}");
}

#[test]
fn points_of_a_star_are_opposite() {
    let text = "\
game Points
players 2
board star 2
piece marble
turn
  place marble on (opposite point and empty) or (northeast point and empty)
end
  no (empty on (opposite point)): mover wins
";
    // The first player begins in the north, so that the south is across.
    let game = table(text);
    assert_eq!(names(&game).len(), 6);
}
