//! Cube decisions from cubeless probabilities: Janowski's formulas for money (Take-points in money
//! games, 1993), and match equities.

mod equities;

use super::value::Chances;
pub use equities::{LONGEST_MATCH, MatchScore, WrongScore, match_equity};

/// The share of the value of a perfectly live cube that players realize; Janowski estimates two
/// thirds.
pub(super) const EFFICIENCY: f32 = 0.68;

/// Who may double.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CubeOwner {
    /// Both, before the first double.
    Centred,
    /// The side on roll.
    Roller,
    /// The other side.
    Opponent,
    /// Nobody: the cube is out of play.
    Nobody,
}

/// The mean points won in games that are won and lost in games that are lost.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    won: f32,
    lost: f32,
}

impl Sizes {
    fn of(chances: &Chances) -> Self {
        let mean = |all: f32, gammons: f32, backgammons: f32| {
            if all > 1e-6 { 1.0 + ((gammons + backgammons) / all).min(2.0) } else { 1.0 }
        };
        Self {
            won: mean(chances.win(), chances.win_gammon(), chances.win_backgammon()),
            lost: mean(1.0 - chances.win(), chances.lose_gammon(), chances.lose_backgammon()),
        }
    }
}

/// The expected points of the side on roll with a cube of value 1 and unlimited doubles, when it
/// does not double now.
pub(super) fn money_equity(chances: &Chances, owner: CubeOwner) -> f32 {
    let Sizes { won, lost } = Sizes::of(chances);
    let half = 0.5 * EFFICIENCY;
    let live = chances.win() * (won + lost + half) - lost;
    match owner {
        CubeOwner::Nobody => chances.equity(),
        CubeOwner::Roller => live,
        CubeOwner::Opponent => live - half,
        CubeOwner::Centred => 4.0 / (4.0 - EFFICIENCY) * (live - 0.5 * half),
    }
}

/// The right cube action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CubeAction {
    /// Roll; the opponent would take a double.
    NoDouble,
    /// Double, and the opponent takes.
    DoubleTake,
    /// Double, and the opponent drops.
    DoubleDrop,
    /// Roll to win more than a double would; the opponent would drop one.
    TooGood,
}

impl CubeAction {
    /// The usual name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoDouble => "no double, take",
            Self::DoubleTake => "double, take",
            Self::DoubleDrop => "double, drop",
            Self::TooGood => "too good to double, drop",
        }
    }
}

/// The values of the side on roll that a cube decision compares: points in money play, the
/// probability of winning the match in matches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubeAdvice {
    /// After rolling without a double.
    pub no_double: f32,
    /// After a double that is taken.
    pub double_take: f32,
    /// After a double that is dropped.
    pub double_drop: f32,
}

impl CubeAdvice {
    /// The right action.
    #[must_use]
    pub fn action(&self) -> CubeAction {
        let is_take = self.double_take < self.double_drop;
        let doubled = self.double_take.min(self.double_drop);
        match (doubled > self.no_double, is_take) {
            (false, true) => CubeAction::NoDouble,
            (true, true) => CubeAction::DoubleTake,
            (true, false) => CubeAction::DoubleDrop,
            (false, false) => CubeAction::TooGood,
        }
    }

    /// The advice for money, without the Jacoby rule and beavers, when the side on roll may double.
    ///
    /// ```
    /// use meeple_game::Game;
    /// use meeple_games::backgammon::{Backgammon, CubeAction, CubeAdvice, CubeOwner, Options};
    ///
    /// // Two checkers on the ace point bear off with any roll.
    /// let position = Some("7w8AAAMAAAAAAA".parse()?);
    /// let game = Backgammon::new(&Options { position, ..Options::default() });
    /// let chances = game.chances().expect("the game is not over");
    /// let advice = CubeAdvice::for_money(&chances, CubeOwner::Centred);
    /// assert_eq!((advice.no_double, advice.action()), (1.0, CubeAction::TooGood));
    /// # Ok::<_, meeple_games::backgammon::PositionIdError>(())
    /// ```
    #[must_use]
    pub fn for_money(chances: &Chances, owner: CubeOwner) -> Self {
        Self {
            no_double: money_equity(chances, owner),
            double_take: 2.0 * money_equity(chances, CubeOwner::Opponent),
            double_drop: 1.0,
        }
    }

    /// The advice at a score of a match, with a cube of this value.
    #[must_use]
    pub fn for_match(chances: &Chances, score: &MatchScore, cube: u32, owner: CubeOwner) -> Self {
        let model = equities::Model::of(chances, *score);
        let win = chances.win();
        Self {
            no_double: model.equity(win, cube, owner),
            double_take: model.equity(win, 2 * cube, CubeOwner::Opponent),
            double_drop: model.after_win(cube),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chances(win: f32, gammon: f32, lost_gammon: f32) -> Chances {
        Chances([win, gammon, 0.0, lost_gammon, 0.0])
    }

    /// The least winning probability with which `is_true`.
    fn threshold(is_true: impl Fn(f32) -> bool) -> f32 {
        (0..=10_000).map(|step| step as f32 / 1e4).find(|&win| is_true(win)).unwrap_or(1.0)
    }

    /// Janowski's points for positions without gammons: TP = (L - 1/2) / S,
    /// RD = (L + x) / S, ID = (L + x (3 - x) / (4 - 2 x)) / S, CP = (L + 1/2 + x/2) / S with
    /// S = W + L + x/2.
    #[test]
    fn thresholds_are_janowskis() {
        let x = EFFICIENCY;
        let sum = 2.0 + x / 2.0;
        let action =
            |owner| move |win: f32| CubeAdvice::for_money(&chances(win, 0.0, 0.0), owner).action();
        let doubles = |action: CubeAction| action != CubeAction::NoDouble;
        for (found, expected) in [
            (threshold(|win| doubles(action(CubeOwner::Roller)(win))), (1.0 + x) / sum),
            (
                threshold(|win| doubles(action(CubeOwner::Centred)(win))),
                (1.0 + x * (3.0 - x) / (4.0 - 2.0 * x)) / sum,
            ),
            (
                threshold(|win| action(CubeOwner::Centred)(win) == CubeAction::DoubleDrop),
                (1.5 + x / 2.0) / sum,
            ),
        ] {
            assert!((found - expected).abs() < 2e-4, "{found}, {expected}");
        }
        // With a dead cube the take point of the last roll is 25 %.
        assert!((0.5 / sum - 0.2137).abs() < 1e-3);
    }

    #[test]
    fn gammons_make_positions_too_good() {
        let advice = CubeAdvice::for_money(&chances(0.9, 0.75, 0.0), CubeOwner::Roller);
        assert_eq!(advice.action(), CubeAction::TooGood, "{advice:?}");
    }
}
