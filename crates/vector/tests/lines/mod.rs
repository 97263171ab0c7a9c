//! A line game whose board size and secret are configuration: one type, six games.

use std::fmt;
use std::ops::RangeInclusive;

use meeple_game::{
    Action, ActionList, Field, Game, MAX_PLAYERS, ObservationSpec, Outcome, OutcomeList, Payoffs,
    Player, Rng, Turn, mix,
};
use serde::{Deserialize, Serialize};

/// Three in a row on a square board. At sealed tables, a secret draw that only the first player
/// sees decides who wins a full board without a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lines {
    /// The squares of each player, as bits.
    marks: [u32; 2],
    size: u8,
    is_sealed: bool,
    /// The player who wins a full board, once drawn.
    favoured: Option<Player>,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Config {
    pub(crate) size: Size,
    pub(crate) sealed: bool,
}

/// The side of the board: 3, 4 or 5.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8")]
pub(crate) struct Size(pub(crate) u8);

impl Default for Size {
    fn default() -> Self {
        Self(3)
    }
}

impl TryFrom<u8> for Size {
    type Error = String;

    fn try_from(size: u8) -> Result<Self, String> {
        if (3..=5).contains(&size) { Ok(Self(size)) } else { Err(format!("{size} squares")) }
    }
}

macro_rules! layouts {
    ($($squares:literal)*) => {
        [$([
            ObservationSpec::new(1, &[Field::category("square", 3).times($squares)]),
            ObservationSpec::new(
                1,
                &[Field::category("square", 3).times($squares), Field::category("favoured", 3)],
            ),
        ]),*]
    };
}

/// By size, then open and sealed.
static LAYOUTS: [[ObservationSpec; 2]; 3] = layouts!(9 16 25);

impl Lines {
    fn squares(self) -> u16 {
        u16::from(self.size) * u16::from(self.size)
    }

    fn has_row(self, player: usize) -> bool {
        let side = i32::from(self.size);
        let has = |row: i32, column: i32| {
            let is_on_board = (0..side).contains(&row) && (0..side).contains(&column);
            is_on_board && self.marks[player] >> (row * side + column) & 1 == 1
        };
        let directions = [(0, 1), (1, 0), (1, 1), (1, -1)];
        (0..side * side).any(|at| {
            let (row, column) = (at / side, at % side);
            let runs = |&(down, right): &(i32, i32)| {
                (0..3).all(|step| has(row + step * down, column + step * right))
            };
            directions.iter().any(runs)
        })
    }

    fn winner(self) -> Option<Player> {
        let by_row = (0..2).find(|&player| self.has_row(player)).map(|seat| Player(seat as u8));
        by_row.or(if self.is_full() { self.favoured } else { None })
    }

    fn is_full(self) -> bool {
        (self.marks[0] | self.marks[1]).count_ones() == u32::from(self.squares())
    }

    /// The favoured player as `player` knows it, by the distance from them.
    fn known_favour(self, player: Player) -> i32 {
        match self.favoured {
            Some(favoured) if player == Player(0) => 1 + i32::from(favoured.0),
            _ => 0,
        }
    }

    fn hash(self, favour: i32) -> u64 {
        let board = u64::from(self.marks[0]) | u64::from(self.marks[1]) << 25;
        let table = u64::from(self.size) << 50 | u64::from(self.is_sealed) << 53;
        let is_dealt = u64::from(self.favoured.is_some()) << 54;
        mix(board | table | is_dealt | (favour as u64) << 55)
    }
}

impl Game for Lines {
    type Config = Config;

    const NAME: &'static str = "lines";
    const SEATS: RangeInclusive<usize> = 2..=2;
    const ACTIONS: usize = 25;
    const CHANCE: bool = true;
    const IMPERFECT_INFORMATION: bool = true;

    fn new(config: &Config) -> Self {
        Self { marks: [0; 2], size: config.size.0, is_sealed: config.sealed, favoured: None }
    }

    fn players(&self) -> usize {
        2
    }

    fn name(&self) -> &'static str {
        match (self.size, self.is_sealed) {
            (3, false) => "lines-3",
            (4, false) => "lines-4",
            (_, false) => "lines-5",
            (3, true) => "sealed-lines-3",
            (4, true) => "sealed-lines-4",
            (_, true) => "sealed-lines-5",
        }
    }

    fn actions(&self) -> usize {
        usize::from(self.squares())
    }

    fn has_chance(&self) -> bool {
        self.is_sealed
    }

    fn has_imperfect_information(&self) -> bool {
        self.is_sealed
    }

    fn observation(&self) -> &'static ObservationSpec {
        &LAYOUTS[usize::from(self.size) - 3][usize::from(self.is_sealed)]
    }

    fn turn(&self) -> Turn {
        if self.is_sealed && self.favoured.is_none() {
            Turn::Chance
        } else if self.is_full() || self.winner().is_some() {
            Turn::Over
        } else {
            let marks = self.marks[0].count_ones() + self.marks[1].count_ones();
            Turn::Player(Player((marks % 2) as u8))
        }
    }

    fn legal_actions(&self, out: &mut ActionList) {
        out.clear();
        if let Turn::Player(_) = self.turn() {
            let taken = self.marks[0] | self.marks[1];
            out.extend((0..self.squares()).filter(|at| taken >> at & 1 == 0).map(Action));
        }
    }

    fn chance_outcomes(&self, out: &mut OutcomeList) {
        out.clear();
        if self.turn() == Turn::Chance {
            out.extend([0, 1].map(|seat| Outcome { action: Action(seat), probability: 0.5 }));
        }
    }

    fn apply(&mut self, action: Action) {
        match self.turn() {
            Turn::Player(player) => self.marks[player.index()] |= 1 << action.0,
            _ => self.favoured = Some(Player(action.0 as u8)),
        }
    }

    fn payoffs(&self) -> Payoffs {
        let mut payoffs = [0.0; MAX_PLAYERS];
        if let (Turn::Over, Some(winner)) = (self.turn(), self.winner()) {
            payoffs[winner.index()] = 1.0;
            payoffs[1 - winner.index()] = -1.0;
        }
        payoffs
    }

    fn observe(&self, player: Player, out: &mut [i32]) {
        let [mine, theirs] = [player.index(), 1 - player.index()].map(|seat| self.marks[seat]);
        for (square, cell) in out[..self.actions()].iter_mut().enumerate() {
            *cell = (mine >> square & 1 | (theirs >> square & 1) << 1) as i32;
        }
        if self.is_sealed {
            out[self.actions()] = self.known_favour(player);
        }
    }

    fn key(&self) -> u64 {
        self.hash(self.known_favour(Player(0)))
    }

    fn info_key(&self, player: Player) -> u64 {
        self.hash(self.known_favour(player))
    }

    fn determinize(&self, player: Player, rng: &mut Rng) -> Self {
        match self.favoured {
            Some(_) if player == Player(1) => {
                Self { favoured: Some(Player(rng.below(2) as u8)), ..*self }
            }
            _ => *self,
        }
    }

    fn is_seen(&self, _: Action, player: Player) -> bool {
        self.turn() != Turn::Chance || player == Player(0)
    }

    fn text(&self, player: Player) -> String {
        format!("{:?}, favour {}", self.marks, self.known_favour(player))
    }

    fn action_name(&self, action: Action) -> String {
        match self.turn() {
            Turn::Chance => format!("favour {}", Player(action.0 as u8)),
            _ => format!("{}", action.0),
        }
    }

    fn is_consistent(&self) -> bool {
        self.marks[0] & self.marks[1] == 0 && (self.marks[0] | self.marks[1]) >> self.squares() == 0
    }
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} on {} by {}, favour {:?}", self.marks, self.size, self.size, self.favoured)
    }
}
