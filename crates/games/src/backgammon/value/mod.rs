//! The value of positions before a roll: the probability of each outcome, by the bear-off
//! databases where they know it, otherwise by a network that learned from self-play with temporal
//! differences (Tesauro 1995).

mod expert;
mod file;
mod inputs;
mod network;
mod self_play;

use std::sync::OnceLock;

use meeple_game::Rng;

use super::bearoff::{self, Home};
use super::board::{BAR, Board, HOME, POINTS};
use super::plays::Turn;
use super::two_sided;
pub use file::ValueFileError;
use inputs::Inputs;
use network::Layers;
pub use self_play::Lesson;

/// The number of outcomes.
const OUTCOMES: usize = 5;
/// The hidden units for positions with contact, and for races.
const CONTACT_UNITS: usize = 160;
const RACE_UNITS: usize = 64;

/// The probability of each outcome for the side that rolls next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances(pub(super) [f32; OUTCOMES]);

impl Chances {
    /// The probability of winning.
    #[must_use]
    pub fn win(&self) -> f32 {
        self.0[0]
    }

    /// The probability of winning a gammon or a backgammon.
    #[must_use]
    pub fn win_gammon(&self) -> f32 {
        self.0[1]
    }

    /// The probability of winning a backgammon.
    #[must_use]
    pub fn win_backgammon(&self) -> f32 {
        self.0[2]
    }

    /// The probability of losing a gammon or a backgammon.
    #[must_use]
    pub fn lose_gammon(&self) -> f32 {
        self.0[3]
    }

    /// The probability of losing a backgammon.
    #[must_use]
    pub fn lose_backgammon(&self) -> f32 {
        self.0[4]
    }

    /// The expected points without the cube.
    #[must_use]
    pub fn equity(&self) -> f32 {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = self.0;
        2.0 * win - 1.0 + gammon + backgammon - lost_gammon - lost_backgammon
    }

    /// The same for the other side.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = self.0;
        Self([1.0 - win, lost_gammon, lost_backgammon, gammon, backgammon])
    }

    /// The outcome of a finished game that the side won or lost by `size` points.
    fn certain(has_won: bool, size: u8) -> Self {
        let [gammon, backgammon] = [2, 3].map(|least| f32::from(u8::from(size >= least)));
        if has_won {
            Self([1.0, gammon, backgammon, 0.0, 0.0])
        } else {
            Self([0.0, 0.0, 0.0, gammon, backgammon])
        }
    }

    /// Makes the probabilities consistent: outcomes that are not possible have none, and a greater
    /// win is no more likely than a smaller one.
    fn limited(self, possible: &[bool; OUTCOMES]) -> Self {
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] =
            std::array::from_fn(|at| if possible[at] { self.0[at] } else { 0.0 });
        let gammon = gammon.min(win);
        let lost_gammon = lost_gammon.min(1.0 - win);
        Self([win, gammon, backgammon.min(gammon), lost_gammon, lost_backgammon.min(lost_gammon)])
    }
}

/// A network that evaluates positions of backgammon.
///
/// ```
/// use meeple_games::backgammon::ValueNetwork;
///
/// let network = ValueNetwork::random(1);
/// let mut copy = ValueNetwork::from_bytes(&network.to_bytes())?;
/// assert_eq!(copy, network);
/// for lesson in network.play_game(7) {
///     copy.learn(&lesson, 0.01);
/// }
/// assert_ne!(copy, network);
/// # Ok::<_, meeple_games::backgammon::ValueFileError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ValueNetwork {
    contact: Layers<CONTACT_UNITS>,
    race: Layers<RACE_UNITS>,
}

/// The value of a position, and whether nothing is left to learn about it.
struct Judged {
    chances: Chances,
    is_exact: bool,
}

impl ValueNetwork {
    /// Creates a network with random weights.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        let rng = Rng::new(seed);
        Self {
            contact: Layers::random(inputs::CONTACT, &mut rng.split(0)),
            race: Layers::random(inputs::RACE, &mut rng.split(1)),
        }
    }

    /// Returns the network that is built in.
    ///
    /// # Panics
    ///
    /// Never: a test reads it.
    #[must_use]
    pub fn built_in() -> &'static Self {
        static NETWORK: OnceLock<ValueNetwork> = OnceLock::new();
        NETWORK.get_or_init(|| {
            let bytes = include_bytes!("../../../data/backgammon.network");
            Self::from_bytes(bytes).expect("the built-in network can be read")
        })
    }

    /// The value of a position in which side `first` rolls next.
    pub(super) fn evaluate(&self, board: &Board, first: usize) -> Chances {
        let mut chances = self.judge(board, first).chances;
        // Bearing off with the next roll wins a gammon if the opponent still has all checkers.
        if let ([_, true, ..], Some(home), true) =
            (possible_outcomes(board, first), home_of(board, first), board.is_race())
        {
            chances.0[1] = chances.0[1].max(bearoff::database().rolls(&home)[1]);
        }
        chances
    }

    /// The value of a position in which `side` has to play its turn, for that side.
    pub(super) fn evaluate_turn(&self, board: &Board, side: usize, turn: Turn) -> Chances {
        let (end, _) = self.best_end(board, side, turn);
        self.evaluate(&end, 1 - side).reversed()
    }

    /// The board that is best for `side` at the end of its turn, and its value for the opponent.
    fn best_end(&self, board: &Board, side: usize, turn: Turn) -> (Board, Judged) {
        let mut best: Option<(f32, Board, Judged)> = None;
        turn.visit_ends(board, side, &mut |end| {
            let judged = self.judge(end, 1 - side);
            let equity = judged.chances.equity();
            if best.as_ref().is_none_or(|(least, ..)| equity < *least) {
                best = Some((equity, *end, judged));
            }
        });
        let (_, end, judged) = best.expect("every turn has an end");
        (end, judged)
    }

    fn judge(&self, board: &Board, first: usize) -> Judged {
        let exact = |chances| Judged { chances, is_exact: true };
        if board.is_clear(1 - first) {
            return exact(Chances::certain(false, board.win_size(1 - first)));
        }
        let possible = possible_outcomes(board, first);
        if !board.is_race() {
            let chances = self.contact.evaluate(&Inputs::of_contact(board, first));
            return Judged { chances: chances.limited(&possible), is_exact: false };
        }
        let win = win_of_bear_off(board, first);
        if let (Some(win), [_, false, _, false, _]) = (win, possible) {
            return exact(Chances([win, 0.0, 0.0, 0.0, 0.0]));
        }
        let mut chances = self.race.evaluate(&Inputs::of_race(board, first));
        chances.0[0] = win.unwrap_or(chances.0[0]);
        Judged { chances: chances.limited(&possible), is_exact: false }
    }

    /// Takes one step of learning.
    pub fn learn(&mut self, lesson: &Lesson, rate: f32) {
        let Lesson { board, first, target } = lesson;
        let possible = possible_outcomes(board, *first);
        if board.is_race() {
            self.race.learn(&Inputs::of_race(board, *first), target, &possible, rate);
        } else {
            self.contact.learn(&Inputs::of_contact(board, *first), target, &possible, rate);
        }
    }

    /// Moves the weights by `share` of the way towards those of `other`.
    pub fn approach(&mut self, other: &Self, share: f32) {
        self.contact.approach(&other.contact, share);
        self.race.approach(&other.race, share);
    }
}

/// The outcomes that can still occur.
fn possible_outcomes(board: &Board, first: usize) -> [bool; OUTCOMES] {
    let other = 1 - first;
    let is_race = board.is_race();
    // A side that has borne off a checker loses no gammon; one that has passed the opponent's home
    // board loses no backgammon.
    let gammon = |loser: usize| board.off(loser) == 0;
    let backgammon =
        |loser: usize| gammon(loser) && (!is_race || board.highest(loser) >= POINTS - 6);
    [true, gammon(other), backgammon(other), gammon(first), backgammon(first)]
}

/// The home board of a side whose checkers are all there.
fn home_of(board: &Board, side: usize) -> Option<Home> {
    let is_home = board.occupied(side) & !HOME == 0 && board.checkers(side, BAR) == 0;
    is_home.then(|| std::array::from_fn(|point| board.checkers(side, point)))
}

/// The probability that side `first` wins a race in which all checkers are home.
fn win_of_bear_off(board: &Board, first: usize) -> Option<f32> {
    let (mine, theirs) = (home_of(board, first)?, home_of(board, 1 - first)?);
    let win = two_sided::win(&mine, &theirs);
    Some(win.unwrap_or_else(|| bearoff::database().beats(&mine, &theirs)))
}
