//! Positions that repeat earlier ones, compared with a naive game of go; games that do not end.

use std::collections::{BTreeMap, BTreeSet};

use meeple_game::{ActionList, Game, Rng, Turn, choices, play_out};
use meeple_rules::{Config, Program, builtin};

type FileGame = meeple_rules::FileGame<511>;

fn start(text: &str, options: &[(&str, i64)]) -> FileGame {
    let options = options.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
    let config: Config<511> = Config::new("test.game", text, options).expect("a valid file");
    FileGame::new(&config)
}

/// Go by the book: every group and every former position is looked up.
struct Naive {
    size: usize,
    /// 0 for an empty point, else a colour.
    points: Vec<u8>,
    former: BTreeSet<Vec<u8>>,
}

impl Naive {
    fn new(size: usize) -> Self {
        let points = vec![0; size * size];
        Self { size, former: [points.clone()].into(), points }
    }

    fn neighbours(&self, point: usize) -> impl Iterator<Item = usize> {
        let (size, x, y) = (self.size, point % self.size, point / self.size);
        let left = (x > 0).then(|| point - 1);
        let right = (x + 1 < size).then(|| point + 1);
        let down = (y > 0).then(|| point - size);
        let up = (y + 1 < size).then(|| point + size);
        [left, right, down, up].into_iter().flatten()
    }

    /// Returns a group, if it has no liberty.
    fn dead(&self, points: &[u8], point: usize) -> Option<Vec<usize>> {
        let mut group = vec![point];
        let mut at = 0;
        while at < group.len() {
            for next in self.neighbours(group[at]) {
                if points[next] == 0 {
                    return None;
                }
                if points[next] == points[point] && !group.contains(&next) {
                    group.push(next);
                }
            }
            at += 1;
        }
        Some(group)
    }

    /// Returns the position after a stone is placed, if that is legal.
    fn placed(&self, point: usize, colour: u8) -> Option<Vec<u8>> {
        let mut points = self.points.clone();
        if std::mem::replace(&mut points[point], colour) != 0 {
            return None;
        }
        for next in self.neighbours(point) {
            if points[next] == 3 - colour
                && let Some(dead) = self.dead(&points, next)
            {
                dead.into_iter().for_each(|dead| points[dead] = 0);
            }
        }
        let is_alive = self.dead(&points, point).is_none();
        (is_alive && !self.former.contains(&points)).then_some(points)
    }
}

#[test]
fn legal_moves_are_those_of_a_naive_game_of_go() {
    let text = builtin("go").expect("a built-in file");
    let mut refused = 0;
    for (size, games) in [(3, 40), (4, 40), (5, 20), (9, 6)] {
        let limit = 300;
        let first = start(text, &[("size", size as i64), ("limit", limit)]);
        for seed in 0..games {
            let (mut state, mut rng) = (first, Rng::new(seed));
            let mut naive = Naive::new(size);
            let mut colour = 1;
            while state.turn() != Turn::Over {
                let legal: BTreeSet<String> =
                    choices(&state).iter().map(|&action| state.action_name(action)).collect();
                let name = |point: usize| {
                    format!("{}{}", (b'a' + (point % size) as u8) as char, point / size + 1)
                };
                let points = 0..size * size;
                let placed: Vec<_> = points
                    .filter_map(|point| Some((name(point), naive.placed(point, colour)?)))
                    .collect();
                let expected: BTreeSet<String> =
                    placed.iter().map(|(name, _)| name.clone()).chain(["pass".into()]).collect();
                assert_eq!(legal, expected, "{state}");
                let free = naive.points.iter().filter(|&&point| point == 0).count();
                refused += free - placed.len();
                // Two passes would end the game.
                if placed.is_empty() {
                    state.apply(state.parse_action("pass").expect("a pass is legal"));
                } else {
                    let (name, points) = &placed[rng.below(placed.len())];
                    state.apply(state.parse_action(name).expect("it is legal"));
                    naive.points.clone_from(points);
                    naive.former.insert(points.clone());
                }
                colour = 3 - colour;
            }
            assert_eq!(state.fault(), None, "{state}");
        }
    }
    assert!(refused > 10_000, "{refused} points were refused");
}

const FEW_CHANGES: &str = "\
game Few changes
players 2
board square 3
piece stone
history 4
turn
  place stone on empty
end
  position repeated: draw
  board full: draw
";

#[test]
fn a_history_that_is_full_is_a_fault() {
    let mut game = start(FEW_CHANGES, &[]);
    for name in ["a1", "a2", "a3", "b1"] {
        game.apply(game.parse_action(name).expect("it is legal"));
        assert_eq!((game.fault(), game.turn() == Turn::Over), (None, false), "{game}");
    }
    game.apply(game.parse_action("b2").expect("it is legal"));
    let fault = game.fault().expect("a fifth change is one too many");
    assert!(fault.contains("history"), "{fault}");
    assert_eq!(game.turn(), Turn::Over);
    let mut played = start(FEW_CHANGES, &[]);
    play_out(&mut played, &mut Rng::new(1), &mut ActionList::new());
    assert_eq!(played.fault(), Some(fault));
}

#[test]
fn a_position_is_repeated_when_all_pieces_stand_as_before() {
    let text = "\
game To and fro
players 2
board square 3
piece rook, knight
history 40
start
  red: put rook on a1
  red: put knight on b1
  blue: put rook on c3
turn
  move mine step any to empty
end
  position repeated: draw
";
    let text = text.replace("players 2", "players 2 named red, blue");
    let mut game = start(&text, &[]);
    // The knight and the rook have changed places: that is another position.
    for name in ["a1-a2", "c3-c2", "b1-a1", "c2-c3", "a2-b1", "c3-b3"] {
        let action = game.parse_action(name).unwrap_or_else(|| panic!("{name} is legal: {game}"));
        game.apply(action);
        assert_ne!(game.turn(), Turn::Over, "{name}: {game}");
    }
    for name in ["b1-b2", "b3-c3"] {
        game.apply(game.parse_action(name).expect("it is legal"));
        assert_ne!(game.turn(), Turn::Over, "{game}");
    }
    game.apply(game.parse_action("b2-b1").expect("it is legal"));
    assert_eq!((game.turn(), game.payoffs()[0]), (Turn::Over, 0.0), "{game}");
}

/// Chance may act for ever where no player does.
#[test]
fn a_game_in_which_only_chance_acts_ends_as_a_fault() {
    let text = "\
game Dice alone
players 2
number score 0..60 capped
phase rolling
  roll die 1..6: set score to die
end
  score = 60: draw
";
    let mut game = start(text, &[]);
    let steps = play_out(&mut game, &mut Rng::new(1), &mut ActionList::new());
    assert!(game.fault().is_some_and(|fault| fault.contains("end")), "{game}");
    let (mut stepped, mut rng, mut events) = (start(text, &[]), Rng::new(1), 0);
    while stepped.turn() == Turn::Chance {
        stepped.apply(stepped.sample_chance(&mut rng));
        events += 1;
    }
    assert_eq!((stepped.fault(), events), (game.fault(), steps.chances));
}

#[test]
fn playouts_of_a_game_without_an_end_are_bounded() {
    let text = "\
game No end
players 2
number waits 0..1
turn
  say wait: set waits to 0
end
  waits = 1: draw
";
    let mut game = start(text, &[]);
    let steps = play_out(&mut game, &mut Rng::new(1), &mut ActionList::new());
    assert!(game.fault().is_some_and(|fault| fault.contains("end")), "{game}");
    assert!(steps.decisions > 100_000, "{steps:?}");
}

#[test]
fn tables_with_the_same_options_share_a_program() {
    let text = builtin("hex").expect("a built-in file");
    let load = |options: &[(&str, i64)]| {
        let options: BTreeMap<String, i64> =
            options.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
        Program::load("hex.game", text, &options).expect("a valid file")
    };
    let default = load(&[]);
    assert!(std::ptr::eq(default, load(&[("size", 11)])));
    assert!(std::ptr::eq(default, load(&[])));
    assert!(!std::ptr::eq(default, load(&[("size", 5)])));
}

/// A piece can go on leaping for ever: chains are looked ahead so far and no farther.
#[test]
fn longest_chains_without_an_end_are_bounded() {
    let text = "\
game Leaping
players 2
board square 19
piece man
number moves 0..20
start
  each player: put man on rows 1..2
turn
  longest chain
    move man leap 1,2 to empty
  after board: add 1 to moves
end
  moves = 20: draw
";
    let text = text.replace("players 2", "players 2 facing");
    let mut game = start(&text, &[]);
    let _ = play_out(&mut game, &mut Rng::new(1), &mut ActionList::new());
    assert_eq!((game.turn(), game.fault()), (Turn::Over, None));
}
