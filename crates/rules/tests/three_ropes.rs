//! Three ropes in lock step with a plain simulation, and the odds of a fall.

use std::collections::{BTreeMap, BTreeSet};

use meeple_game::{Game, OutcomeList, Rng, Turn, choices};
use meeple_rules::{Config, FileGame, builtin};

type Table = FileGame<15>;

/// The height of each column, from that of the sum 2.
const HEIGHTS: [usize; 11] = [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3];

fn file() -> &'static str {
    builtin("three-ropes").expect("a built-in file")
}

/// Heights by the sum of a column; 0 is below the first site.
type Column = [usize; 13];

struct Simulation {
    camps: Vec<Column>,
    climbers: BTreeMap<usize, usize>,
    mover: usize,
    dice: [usize; 4],
}

impl Simulation {
    fn is_closed(&self, sum: usize) -> bool {
        self.camps.iter().any(|camps| camps[sum] == HEIGHTS[sum - 2])
    }

    /// Returns where a climber would come to in a column.
    fn next(&self, sum: usize) -> Option<usize> {
        if self.is_closed(sum) {
            return None;
        }
        let height = match self.climbers.get(&sum) {
            Some(&height) => height + 1,
            None if self.climbers.len() < 3 => self.camps[self.mover][sum] + 1,
            None => return None,
        };
        (height <= HEIGHTS[sum - 2]).then_some(height)
    }

    /// Returns the sums of two of the dice.
    fn sums(&self) -> BTreeSet<usize> {
        let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        pairs.iter().map(|&(one, other)| self.dice[one] + self.dice[other]).collect()
    }

    fn names(&self) -> Vec<(String, usize)> {
        let found = self.sums().into_iter().filter_map(|sum| Some((sum, self.next(sum)?)));
        let name = |(sum, height)| (format!("{}{height}", char::from(b'a' + sum as u8 - 1)), sum);
        found.map(name).collect()
    }

    fn climb(&mut self, sum: usize) {
        let rest = self.dice.iter().sum::<usize>() - sum;
        for sum in [sum, rest] {
            if let Some(height) = self.next(sum) {
                self.climbers.insert(sum, height);
            }
        }
    }

    fn camp(&mut self) {
        for (sum, height) in std::mem::take(&mut self.climbers) {
            self.camps[self.mover][sum] = height;
        }
        self.pass();
    }

    fn pass(&mut self) {
        self.climbers.clear();
        self.mover = (self.mover + 1) % self.camps.len();
    }
}

#[test]
fn games_are_those_of_the_simulation() {
    for number in 0..150 {
        let players = 2 + number % 3;
        let options = [("players".to_owned(), players as i64)].into();
        let mut game =
            Table::new(&Config::new("three-ropes", file(), options).expect("a valid file"));
        let mut twin = Simulation {
            camps: vec![[0; 13]; players],
            climbers: BTreeMap::new(),
            mover: 0,
            dice: [0; 4],
        };
        let mut rng = Rng::new(number as u64);
        while game.turn() != Turn::Over {
            twin.dice = std::array::from_fn(|_| rng.below(6) + 1);
            let mut thrown = twin.dice;
            thrown.sort_unstable_by(|a, b| b.cmp(a));
            let thrown: Vec<String> = thrown.iter().map(usize::to_string).collect();
            game.apply(game.parse_action(&thrown.join("-")).expect("a throw"));
            let Turn::Player(mover) = game.turn() else { panic!("{game}") };
            assert_eq!(mover.index(), twin.mover, "{game}");
            let expected = twin.names();
            let mut names: Vec<String> =
                choices(&game).iter().map(|&action| game.action_name(action)).collect();
            names.sort();
            if expected.is_empty() {
                assert_eq!(names, ["fall"], "{game}");
                game.apply(game.parse_action("fall").expect("a fall"));
                twin.pass();
                continue;
            }
            let mut wanted: Vec<String> = expected.iter().map(|choice| choice.0.clone()).collect();
            wanted.sort();
            assert_eq!(names, wanted, "{game}");
            let (name, sum) = rng.pick(&expected).clone();
            game.apply(game.parse_action(&name).expect("a choice"));
            twin.climb(sum);
            if rng.below(3) == 0 {
                game.apply(game.parse_action("camp").expect("a choice"));
                twin.camp();
            } else {
                game.apply(game.parse_action("roll").expect("a choice"));
            }
        }
        let tops = |camps: &Column| (2..=12).filter(|&sum| camps[sum] == HEIGHTS[sum - 2]).count();
        let winner = twin.camps.iter().position(|camps| tops(camps) >= 3).expect("a winner");
        assert_eq!(game.payoffs()[winner], 1.0, "{game}");
    }
}

/// The probabilities are exact: those of all orders of four dice.
#[test]
fn climbers_fall_with_the_known_odds() {
    for (sites, columns, percent) in
        [("f1 or g1 or h1", [6, 7, 8], 8), ("b1 or c1 or l1", [2, 3, 12], 56)]
    {
        let start = format!("start\n  set climbers to {sites}\nphase rolling\n");
        let text = file().replacen("phase rolling\n", &start, 1);
        let config = Config::new("three-ropes", &text, BTreeMap::new()).expect("a valid file");
        let game = Table::new(&config);
        let mut outcomes = OutcomeList::new();
        game.chance_outcomes(&mut outcomes);
        assert_eq!(outcomes.len(), 126);
        let falls = |action| {
            let mut next = game;
            next.apply(action);
            choices(&next).iter().any(|&action| next.action_name(action) == "fall")
        };
        let odds: f64 = outcomes.iter().filter(|o| falls(o.action)).map(|o| o.probability).sum();
        let orders = (0..1296).filter(|&order: &usize| {
            let dice = [order / 216, order / 36 % 6, order / 6 % 6, order % 6].map(|die| die + 1);
            let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
            !pairs.iter().any(|&(one, other)| columns.contains(&(dice[one] + dice[other])))
        });
        assert!((odds - orders.count() as f64 / 1296.0).abs() < 1e-12, "{odds}");
        assert_eq!((odds * 100.0).round() as i32, percent);
    }
}
