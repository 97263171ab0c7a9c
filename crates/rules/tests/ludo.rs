//! Ludo in lock step with a plain simulation of its rules.

use meeple_game::{Game, Rng, Turn, choices};
use meeple_rules::{Config, FileGame, builtin};

type Table = FileGame<15>;

/// The ring of 52 sites, clockwise, from the one before the gate of red.
const RING: &str = "a9 b9 c9 d9 e9 f9 g10 g11 g12 g13 g14 g15 h15 i15 i14 i13 i12 i11 i10 j9 k9 l9 m9 n9 \
    o9 o8 o7 n7 m7 l7 k7 j7 i6 i5 i4 i3 i2 i1 h1 g1 g2 g3 g4 g5 g6 f7 e7 d7 c7 b7 a7 a8";
/// The place of each player's gate on the ring, and the home column.
const PLAYERS: [(usize, &str); 4] = [
    (1, "b8 c8 d8 e8 f8"),
    (27, "n8 m8 l8 k8 j8"),
    (14, "h14 h13 h12 h11 h10"),
    (40, "h2 h3 h4 h5 h6"),
];
/// The sites of a player on the way: 51 of the ring and 5 of the home column.
const WAY: usize = 56;

/// Tokens as steps on the way; those that wait or are home are no steps.
struct Simulation {
    tokens: Vec<Vec<usize>>,
    home: Vec<usize>,
    mover: usize,
    rolled: usize,
    sixes: usize,
}

impl Simulation {
    fn site(seat: usize, step: usize) -> String {
        let ring: Vec<&str> = RING.split_whitespace().collect();
        let (gate, column) = PLAYERS[seat];
        if step < 51 {
            return ring[(gate + step) % 52].to_owned();
        }
        column.split_whitespace().nth(step - 51).expect("a site of the home column").to_owned()
    }

    /// Returns the choices: a name, the token that moves if it is on the way, and its next step.
    fn choices(&self) -> Vec<(String, Option<usize>, usize)> {
        let (own, mut all) = (&self.tokens[self.mover], Vec::new());
        if self.rolled == 6 && own.len() + self.home[self.mover] < 4 && !own.contains(&0) {
            all.push((Self::site(self.mover, 0), None, 0));
        }
        for &step in own {
            let to = step + self.rolled;
            if to == WAY {
                all.push((format!("off {}", Self::site(self.mover, step)), Some(step), to));
            } else if to < WAY && !own.contains(&to) {
                let (from, site) = (Self::site(self.mover, step), Self::site(self.mover, to));
                let sign = if self.is_taken(&site) { 'x' } else { '-' };
                all.push((format!("{from}{sign}{site}"), Some(step), to));
            }
        }
        if all.is_empty() {
            all.push(("pass".into(), None, usize::MAX));
        }
        all
    }

    fn is_taken(&self, site: &str) -> bool {
        let others = self.tokens.iter().enumerate();
        others
            .into_iter()
            .any(|(seat, tokens)| tokens.iter().any(|&step| Self::site(seat, step) == site))
    }

    fn roll(&mut self, die: usize) -> bool {
        self.rolled = die;
        self.sixes = if die == 6 { self.sixes + 1 } else { 0 };
        if self.sixes == 3 {
            self.sixes = 0;
            self.mover = (self.mover + 1) % self.tokens.len();
            return false;
        }
        true
    }

    fn play(&mut self, from: Option<usize>, to: usize) {
        let mover = self.mover;
        if let Some(step) = from {
            self.tokens[mover].retain(|&other| other != step);
        }
        if to == WAY {
            self.home[mover] += 1;
        } else if to < WAY {
            let site = Self::site(mover, to);
            for (seat, tokens) in self.tokens.iter_mut().enumerate() {
                tokens.retain(|&step| Self::site(seat, step) != site);
            }
            self.tokens[mover].push(to);
        }
        if self.home[mover] < 4 && self.rolled < 6 {
            self.mover = (mover + 1) % self.tokens.len();
        }
    }
}

#[test]
fn games_are_those_of_the_simulation() {
    let text = builtin("ludo").expect("a built-in file");
    for number in 0..200 {
        let players = 2 + number % 3;
        let options = [("players".to_owned(), players as i64)].into();
        let mut game = Table::new(&Config::new("ludo", text, options).expect("a valid file"));
        let mut twin = Simulation {
            tokens: vec![Vec::new(); players],
            home: vec![0; players],
            mover: 0,
            rolled: 0,
            sixes: 0,
        };
        let mut rng = Rng::new(number as u64);
        loop {
            // Chance, until the file lets a player choose.
            assert_eq!(game.turn(), Turn::Chance, "{game}");
            let die = rng.below(6) + 1;
            game.apply(game.parse_action(&die.to_string()).expect("a face"));
            if !twin.roll(die) {
                continue;
            }
            let Turn::Player(mover) = game.turn() else { panic!("{game}") };
            assert_eq!(mover.index(), twin.mover, "{game}");
            let expected = twin.choices();
            let mut names: Vec<String> =
                choices(&game).iter().map(|&action| game.action_name(action)).collect();
            let mut wanted: Vec<String> = expected.iter().map(|choice| choice.0.clone()).collect();
            names.sort();
            wanted.sort();
            assert_eq!(names, wanted, "{game}");
            let (name, from, to) = rng.pick(&expected).clone();
            game.apply(game.parse_action(&name).expect("a choice"));
            twin.play(from, to);
            if game.turn() == Turn::Over {
                break;
            }
        }
        assert_eq!(twin.home[twin.mover], 4, "{game}");
        assert_eq!(game.payoffs()[twin.mover], 1.0, "{game}");
    }
}
