//! Games of a network against itself, and what it learns from them.

use meeple_game::Rng;

use super::super::board::{Board, Dice};
use super::super::plays::Turn;
use super::{Chances, ValueNetwork};

/// A position, and the value that the network should give it.
#[derive(Clone, Debug)]
pub struct Lesson {
    pub(super) board: Board,
    /// The side that rolls next.
    pub(super) first: usize,
    pub(super) target: Chances,
}

impl Lesson {
    /// The squared difference between the target and the value that the network gave.
    #[must_use]
    pub fn squared_error(&self, network: &ValueNetwork) -> f32 {
        (self.target.equity() - network.evaluate(&self.board, self.first).equity()).powi(2)
    }
}

/// A roll of two dice, the higher one first.
fn roll(rng: &mut Rng) -> Dice {
    let [one, other] = [0; 2].map(|_| 1 + rng.below(6) as u8);
    Dice::new(one.max(other), one.min(other))
}

/// The roll that begins a game.
fn opening_roll(rng: &mut Rng) -> Dice {
    loop {
        let dice = roll(rng);
        if !dice.is_double() {
            return dice;
        }
    }
}

impl ValueNetwork {
    /// Plays game `seed` against itself up to a position whose value is known, and returns the
    /// positions after each turn, the last one first. The target of each is the value of the next
    /// one: TD(0) of Sutton (1988).
    #[must_use]
    pub fn play_game(&self, seed: u64) -> Vec<Lesson> {
        let mut rng = Rng::new(seed);
        let (mut board, mut side) = (Board::start(), 0);
        let mut dice = opening_roll(&mut rng);
        let mut visited: Vec<(Board, usize, Chances)> = Vec::new();
        let last = loop {
            let (end, judged) = self.best_end(&board, side, Turn::of(&board, side, dice));
            (board, side) = (end, 1 - side);
            if judged.is_exact {
                break judged.chances;
            }
            visited.push((board, side, judged.chances));
            dice = roll(&mut rng);
        };
        let mut next = last;
        let lessons = visited.into_iter().rev().map(|(board, first, value)| {
            let target = next.reversed();
            next = value;
            Lesson { board, first, target }
        });
        lessons.collect()
    }

    /// Plays a game twice with the same rolls, once from each side, against `other`, and returns
    /// the mean points won.
    #[must_use]
    pub fn play_pair(&self, other: &Self, seed: u64) -> f64 {
        let game = |own: usize| -> f64 {
            let mut rng = Rng::new(seed);
            let (mut board, mut side) = (Board::start(), 0);
            let mut dice = opening_roll(&mut rng);
            loop {
                let network = if side == own { self } else { other };
                board = network.best_end(&board, side, Turn::of(&board, side, dice)).0;
                if board.is_clear(side) {
                    let points = f64::from(board.win_size(side));
                    return if side == own { points } else { -points };
                }
                side = 1 - side;
                dice = roll(&mut rng);
            }
        };
        (game(0) + game(1)) / 2.0
    }
}
