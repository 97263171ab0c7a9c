//! Backgammon against published counts, GNU Backgammon and a naive move generator.

use std::collections::BTreeSet;

use meeple_game::{Action, Game, Player, Rng, Turn, choices};
use meeple_games::backgammon::{Backgammon, Options, PositionId, mat, parse_mat};

/// A board as plain counts: mine and theirs, each from their own side, the bar last;
/// checkers borne off are left out.
type Checkers = [[u8; 25]; 2];

/// The chance outcome of a roll.
fn roll(one: u8, other: u8) -> Action {
    let (high, low) = (u16::from(one.max(other)), u16::from(one.min(other)));
    Action(high * (high - 1) / 2 + low - 1)
}

/// The board of a state from the side of `player`.
fn checkers(game: &Backgammon, player: Player) -> Checkers {
    let mut cells = vec![0; game.observation().len()];
    game.observe(player, &mut cells);
    let side = |first: usize| std::array::from_fn(|point| cells[first + point] as u8);
    [side(0), side(26)]
}

fn after(game: &Backgammon, action: Action) -> Backgammon {
    let mut next = *game;
    next.apply(action);
    next
}

/// Collects the boards that `player` can reach in this turn.
fn reached(game: &Backgammon, player: Player, boards: &mut BTreeSet<Checkers>) {
    if game.turn() == Turn::Player(player) {
        for action in choices(game) {
            reached(&after(game, action), player, boards);
        }
    } else {
        boards.insert(checkers(game, player));
    }
}

fn boards_after(game: &Backgammon, player: Player, one: u8, other: u8) -> BTreeSet<Checkers> {
    let mut boards = BTreeSet::new();
    reached(&after(game, roll(one, other)), player, &mut boards);
    boards
}

/// A naive move generator on plain counts.
mod naive {
    use super::Checkers;
    use std::collections::BTreeSet;

    fn moved(checkers: &Checkers, from: usize, die: usize) -> Option<Checkers> {
        let [mine, theirs] = checkers;
        if mine[from] == 0 || (from != 24 && mine[24] > 0) {
            return None;
        }
        let mut next = *checkers;
        next[0][from] -= 1;
        if from >= die {
            let to = from - die;
            match theirs[23 - to] {
                0 => {}
                1 => {
                    next[1][23 - to] = 0;
                    next[1][24] += 1;
                }
                _ => return None,
            }
            next[0][to] += 1;
            return Some(next);
        }
        let all_home = mine[6..].iter().all(|&checkers| checkers == 0);
        let highest = mine[from + 1..6].iter().all(|&checkers| checkers == 0);
        (all_home && (from + 1 == die || highest)).then_some(next)
    }

    /// Plays dice in order as far as possible: dice used, first die, board.
    fn play(
        checkers: &Checkers,
        dice: &[usize],
        used: usize,
        first: usize,
        ends: &mut Vec<(usize, usize, Checkers)>,
    ) {
        let mut stuck = true;
        if let [die, rest @ ..] = dice {
            for from in 0..25 {
                if let Some(next) = moved(checkers, from, *die) {
                    stuck = false;
                    play(&next, rest, used + 1, if used == 0 { *die } else { first }, ends);
                }
            }
        }
        if stuck {
            ends.push((used, first, *checkers));
        }
    }

    pub(super) fn boards(checkers: &Checkers, one: usize, other: usize) -> BTreeSet<Checkers> {
        let mut ends = Vec::new();
        if one == other {
            play(checkers, &[one; 4], 0, 0, &mut ends);
        } else {
            play(checkers, &[one, other], 0, 0, &mut ends);
            play(checkers, &[other, one], 0, 0, &mut ends);
        }
        let most = ends.iter().map(|end| end.0).max().unwrap_or(0);
        ends.retain(|end| end.0 == most);
        let high = one.max(other);
        if most == 1 && ends.iter().any(|end| end.1 == high) {
            ends.retain(|end| end.1 == high);
        }
        ends.into_iter().map(|end| end.2).collect()
    }
}

fn at(id: &str) -> Backgammon {
    let position: PositionId = id.parse().unwrap_or_else(|error| panic!("{id}: {error}"));
    Backgammon::new(&Options { position: Some(position), ..Options::default() })
}

const START: &str = "4HPwATDgc/ABMA";

/// Published counts, which GNU Backgammon and two other programs confirm.
const FIRST_COUNTS: [((u8, u8), usize); 21] = [
    ((1, 1), 42),
    ((2, 1), 15),
    ((3, 1), 16),
    ((4, 1), 14),
    ((5, 1), 8),
    ((6, 1), 10),
    ((2, 2), 75),
    ((3, 2), 17),
    ((4, 2), 18),
    ((5, 2), 8),
    ((6, 2), 14),
    ((3, 3), 73),
    ((4, 3), 17),
    ((5, 3), 9),
    ((6, 3), 14),
    ((4, 4), 52),
    ((5, 4), 9),
    ((6, 4), 14),
    ((5, 5), 4),
    ((6, 5), 7),
    ((6, 6), 11),
];

#[test]
fn published_counts_of_the_first_rolls() {
    for ((one, other), expected) in FIRST_COUNTS {
        let boards = boards_after(&at(START), Player(0), one, other);
        assert_eq!(boards.len(), expected, "{one}-{other}");
    }
}

/// Positions over all unweighted rolls, two turns deep.
#[test]
fn published_counts_two_turns_deep() {
    let mut first = 0;
    let mut second = 0;
    for ((one, other), _) in FIRST_COUNTS {
        for [mine, theirs] in boards_after(&at(START), Player(0), one, other) {
            first += 1;
            // The opponent is next: swaps the sides.
            let next = at(&encode_checkers(&[theirs, mine]));
            for ((one, other), _) in FIRST_COUNTS {
                second += boards_after(&next, Player(0), one, other).len();
            }
        }
    }
    assert_eq!((first, second), (447, 202_782));
}

/// The position id of a board, the player on roll first.
fn encode_checkers([mine, theirs]: &Checkers) -> String {
    let mut bits = Vec::new();
    for checkers in theirs.iter().chain(mine) {
        bits.extend(std::iter::repeat_n(true, usize::from(*checkers)));
        bits.push(false);
    }
    encode(&bits)
}

/// Compares the boards after every roll of random games with the naive generator.
#[test]
fn random_games_in_lockstep_with_the_naive_generator() {
    let mut rng = Rng::new(11);
    let mut turns = 0;
    for _ in 0..60 {
        let mut game = Backgammon::new(&Options::default());
        while game.turn() != Turn::Over {
            if game.turn() == Turn::Chance {
                let action = game.sample_chance(&mut rng);
                let name = game.action_name(action);
                if let Some((one, other)) = name.split_once('-').filter(|_| name.len() == 3) {
                    let next = after(&game, action);
                    let mover = mover_of(&game);
                    let mut boards = BTreeSet::new();
                    reached(&next, mover, &mut boards);
                    let (one, other) = (one.parse().expect("a die"), other.parse().expect("a die"));
                    assert_eq!(
                        boards,
                        naive::boards(&checkers(&game, mover), one, other),
                        "{game}"
                    );
                    turns += 1;
                }
                game.apply(action);
            } else {
                game.apply(*rng.pick(&choices(&game)));
            }
        }
    }
    assert!(turns > 3000, "{turns}");
}

/// The player on roll.
fn mover_of(game: &Backgammon) -> Player {
    let id = game.position_id().to_string();
    let seen = at(&id);
    let is_seat_0 = checkers(&seen, Player(0)) == checkers(game, Player(0));
    let text = game.to_string();
    let mover = if text.contains("seat 0 to roll") { Player(0) } else { Player(1) };
    assert!(mover == Player(1) || is_seat_0);
    mover
}

/// Positions of random games with the number of plays that GNU Backgammon lists.
#[test]
fn counts_of_gnu_backgammon() {
    let text = include_str!("../../../tests/data/backgammon/gnubg.txt");
    let mut checked = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        let [id, one, other, count] = fields[..] else { panic!("four fields in {line:?}") };
        let (one, other) = (one.parse().expect("a die"), other.parse().expect("a die"));
        let boards = boards_after(&at(id), Player(0), one, other);
        assert_eq!(boards.len(), count.parse::<usize>().expect("a count"), "{line}");
        checked += 1;
    }
    assert_eq!(checked, 1000);
}

#[test]
fn gammons_and_backgammons_count_more() {
    // Seat 0 has one checker left, on its ace point.
    for (theirs, expected) in [
        ([(0, 14)], 1.0 / 3.0),
        ([(0, 15)], 2.0 / 3.0),
        ([(18, 15)], 1.0),
        ([(24, 15)], 1.0),
        ([(17, 15)], 2.0 / 3.0),
    ] {
        let mut bits = Vec::new();
        for side in [&theirs[..], &[(0, 1)]] {
            for point in 0..25 {
                let checkers =
                    side.iter().find(|(at, _)| *at == point).map_or(0, |(_, checkers)| *checkers);
                bits.extend(std::iter::repeat_n(true, checkers));
                bits.push(false);
            }
        }
        let game = at(&encode(&bits));
        let next = after(&game, roll(2, 1));
        let last = after(&next, choices(&next)[0]);
        assert_eq!(last.turn(), Turn::Over);
        assert!((last.payoffs()[0] - expected).abs() < 1e-6, "{theirs:?}: {:?}", last.payoffs());
    }
}

/// Encodes a position id by its documentation, independently of the game.
fn encode(bits: &[bool]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = [0u8; 10];
    for (at, _) in bits.iter().enumerate().filter(|(_, bit)| **bit) {
        bytes[at / 8] |= 1 << (at % 8);
    }
    let bit = |at: usize| at < 80 && bytes[at / 8] >> (7 - at % 8) & 1 == 1;
    let letter = |letter: usize| {
        let index = (0..6).fold(0, |index, at| index << 1 | usize::from(bit(6 * letter + at)));
        char::from(LETTERS[index])
    };
    (0..14).map(letter).collect()
}

#[test]
fn the_cube_doubles_the_stakes() {
    let options = Options { cube: 4.try_into().expect("a cube"), ..Options::default() };
    let mut game = Backgammon::new(&options);
    let mut rng = Rng::new(1);
    while !choices(&game).contains(&Action(151)) {
        let action = match game.turn() {
            Turn::Chance => game.sample_chance(&mut rng),
            _ => choices(&game)[0],
        };
        game.apply(action);
    }
    let Turn::Player(doubler) = game.turn() else { panic!("a player doubles") };
    let answering = after(&game, Action(151));
    assert_eq!(answering.turn(), Turn::Player(doubler.after(1, 2)));
    let dropped = after(&answering, Action(153));
    assert_eq!(dropped.payoffs()[doubler.index()], 1.0 / 12.0);
    let taken = after(&answering, Action(152));
    assert_eq!(taken.turn(), Turn::Chance);
    assert!(
        taken.to_string().contains(&format!("cube at 2, {}'s", doubler.after(1, 2))),
        "{taken}"
    );
}

#[test]
fn moves_have_standard_names() {
    let next = after(&at(START), roll(3, 1));
    let names: Vec<String> = choices(&next).into_iter().map(|id| next.action_name(id)).collect();
    assert!(names.contains(&"8/5".into()) && names.contains(&"6/5".into()), "{names:?}");
    let half = after(&next, next.parse_action("8/5").expect("it is legal"));
    let done = after(&half, half.parse_action("6/5").expect("it is legal"));
    assert_eq!(done.turn(), Turn::Chance);
    assert!(done.to_string().contains("seat 1 to roll"), "{done}");
}

#[test]
fn invalid_ids_and_cubes_are_rejected() {
    for (id, expected) in [
        ("4HPwATDgc/ABM", "expected 14 letters, found 13"),
        ("4HPwATDgc/AB!A", "letter 13: expected one of A-Z, a-z, 0-9, + or /, found '!'"),
        ("//////////////", "expected a legal position of an unfinished game"),
        ("AAAAAAAAAAAAAA", "expected a legal position of an unfinished game"),
    ] {
        let error = id.parse::<PositionId>().expect_err(id).to_string();
        assert!(error.contains(expected), "{error}");
    }
    for cube in [0, 3, 128, -1] {
        let config = format!("{{\"cube\": {cube}}}");
        let error = serde_json::from_str::<Options>(&config).expect_err(&config).to_string();
        assert!(error.contains("expected a cube of 1 (none), 2, 4"), "{error}");
    }
}

#[test]
fn games_are_written_as_mat() {
    let play = |names: &[&str], options: &Options| {
        let mut game = Backgammon::new(options);
        let mut actions = Vec::new();
        for name in names {
            let action = game.parse_action(name).unwrap_or_else(|| panic!("{name} in {game}"));
            actions.push(action);
            game.apply(action);
        }
        mat(options, &actions, ["Anna", "Ben"]).expect("legal actions")
    };
    let names = ["seat 1 begins with 3-1", "8/5", "6/5", "6-6", "24/18", "24/18", "13/7", "13/7"];
    let expected = " 1 point match\n\n Game 1\n Anna : 0                         Ben : 0\n  \
                    1)                              31: 8/5 6/5\n  \
                    2) 66: 24/18(2) 13/7(2)\n";
    assert_eq!(play(&names, &Options::default()), expected);

    let cube = Options { cube: 8.try_into().expect("a cube"), ..Options::default() };
    let names = ["seat 0 begins with 3-1", "8/5", "6/5", "double", "drop"];
    let text = play(&names, &cube);
    assert!(
        text.contains("  1) 31: 8/5 6/5                  Doubles => 2\n  2) Drops\n"),
        "{text}"
    );
    assert!(text.ends_with("Wins 1 point\n"), "{text}");

    let refused = mat(&Options::default(), &[Action(9999)], ["a", "b"]);
    assert!(refused.is_err());
}

/// Reading a written game restores it, except for the order of the moves of doubles.
#[test]
fn games_are_read_from_mat() {
    let mut rng = Rng::new(6);
    for cube in [1, 64] {
        let options = Options { cube: cube.try_into().expect("a cube"), ..Options::default() };
        for _ in 0..40 {
            let (mut game, mut actions) = (Backgammon::new(&options), Vec::new());
            while game.turn() != Turn::Over {
                let action = match game.turn() {
                    Turn::Chance => game.sample_chance(&mut rng),
                    _ => *rng.pick(&choices(&game)),
                };
                actions.push(action);
                game.apply(action);
            }
            let text = mat(&options, &actions, ["Anna B.", "Ben"]).expect("legal actions");
            let read = parse_mat(&text).unwrap_or_else(|error| panic!("{error}\n{text}")).remove(0);
            assert_eq!(read.names, ["Anna B.", "Ben"]);
            let written = mat(&read.options, &read.actions, ["Anna B.", "Ben"]).expect("legal");
            assert_eq!(written, text);
            let mut again = Backgammon::new(&read.options);
            read.actions.iter().for_each(|&action| again.apply(action));
            assert_eq!(again.turn(), Turn::Over);
            assert_eq!(again.position_id(), game.position_id(), "{text}");
            let (winner, _) = read.result.expect("somebody wins");
            assert!(game.payoffs()[winner.index()] > 0.0);
        }
    }
}

/// Files of other programs: combined moves, named points and several games.
#[test]
fn mat_of_other_programs_is_read() {
    let text = " 7 point match\n\n Game 1\n Anna : 0              Ben : 0\n\
        \x20 1) 62: 24/18 13/11             61: bar/24 13/7*\n\
        \x20 2) 11: Cannot Move\n\
        \x20     Wins 1 point\n\n\
        \x20Game 2\n Anna : 1              Ben : 0\n\
        \x20 1)                             65: 24/13\n\
        \x20 2)                             Wins 2 points\n";
    let error = parse_mat(text).expect_err("nobody was hit");
    assert!(error.to_string().starts_with("line 5: bar/24 13/7* is not legal here"), "{error}");
    let text =
        text.replace("bar/24 13/7*", "13/7* 8/7").replace("11: Cannot Move", "66: cannot move");
    let games = parse_mat(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(games.len(), 2);
    assert_eq!(games[1].actions.len(), 3);
    assert_eq!(games[1].result, Some((Player(1), 2)));
    for (from, to, expected) in [
        (" Game 1", " Games", "line 9: seat 1 cannot do this now"),
        ("Anna : 0", "Anna", "line 4: expected both players and their scores"),
        ("62: 24/18", "22: 24/22", "line 5: the opening roll cannot be a double"),
        ("62: 24/18 13/11", "62: 24/17", "line 5: 24/17 is not legal here"),
        ("62: 24/18 13/11", "62: 24/18", "line 5: more dice must be played here"),
        ("62: 24/18 13/11", "62: 24-18", "line 5: expected a move such as 8/5, got \"24-18\""),
        ("62: 24/18 13/11", "82: 24/18", "line 5: expected turns such as"),
        ("66: cannot move", "Takes", "line 6: seat 0 cannot do this now"),
    ] {
        let broken = text.replacen(from, to, 1);
        match parse_mat(&broken) {
            Err(error) => assert!(error.to_string().starts_with(expected), "{error}"),
            Ok(games) => assert_eq!((from, games.len()), (" Game 1", 1)),
        }
    }
    assert!(parse_mat("").expect_err("nothing").to_string().contains("expected a line \"Game 1\""));
}
