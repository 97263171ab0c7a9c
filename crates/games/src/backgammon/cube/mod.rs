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
///
/// With a perfectly live cube the value is linear between the points at which a double is dropped,
/// and from there to the end of the game.
pub(super) fn money_equity(chances: &Chances, owner: CubeOwner) -> f32 {
    let Sizes { won, lost } = Sizes::of(chances);
    let win = chances.win();
    let dead = win * (won + lost) - lost;
    let sum = won + lost + 0.5;
    let (drops, dropped) = ((lost - 0.5) / sum, (lost + 1.0) / sum);
    let line = |from: (f32, f32), to: (f32, f32)| {
        from.1 + (win - from.0) / (to.0 - from.0) * (to.1 - from.1)
    };
    let (low, high) = match owner {
        CubeOwner::Nobody => return dead,
        CubeOwner::Roller => ((0.0, -lost), (dropped, 1.0)),
        CubeOwner::Opponent => ((drops, -1.0), (1.0, won)),
        CubeOwner::Centred => ((drops, -1.0), (dropped, 1.0)),
    };
    let live = match win {
        _ if win < low.0 => line((0.0, -lost), low),
        _ if win > high.0 => line(high, (1.0, won)),
        _ => line(low, high),
    };
    EFFICIENCY * live + (1.0 - EFFICIENCY) * dead
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
        match is_take {
            true if doubled > self.no_double => CubeAction::DoubleTake,
            true => CubeAction::NoDouble,
            false if doubled >= self.no_double => CubeAction::DoubleDrop,
            false => CubeAction::TooGood,
        }
    }

    /// The advice for money, without the Jacoby rule and beavers, when the side on roll may double.
    ///
    /// ```
    /// use meeple_game::Game;
    /// use meeple_games::backgammon::{Backgammon, CubeAction, CubeAdvice, CubeOwner, Options};
    ///
    /// // Two checkers on the ace point bear off with any roll.
    /// let position = Some("HwAAwAAAAAAAAA".parse()?);
    /// let game = Backgammon::new(&Options { position, ..Options::default() });
    /// let chances = game.chances().expect("the game is not over");
    /// let advice = CubeAdvice::for_money(&chances, CubeOwner::Centred);
    /// assert_eq!((advice.no_double, advice.action()), (1.0, CubeAction::DoubleDrop));
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

    /// Janowski's points for positions without gammons: redouble at (L + x) / S, drop at
    /// (L + 1/2 + x/2) / S, with S = W + L + x/2.
    #[test]
    fn thresholds_are_janowskis() {
        let x = EFFICIENCY;
        let sum = 2.0 + x / 2.0;
        let action =
            |owner, win: f32| CubeAdvice::for_money(&chances(win, 0.0, 0.0), owner).action();
        let redoubles = threshold(|win| action(CubeOwner::Roller, win) != CubeAction::NoDouble);
        let doubles = threshold(|win| action(CubeOwner::Centred, win) != CubeAction::NoDouble);
        let drops = threshold(|win| action(CubeOwner::Centred, win) == CubeAction::DoubleDrop);
        assert!((redoubles - (1.0 + x) / sum).abs() < 2e-4, "{redoubles}");
        assert!((drops - (1.5 + x / 2.0) / sum).abs() < 2e-4, "{drops}");
        assert!(doubles < redoubles && redoubles < drops, "{doubles}");
        assert_eq!(money_equity(&chances(1.0, 0.0, 0.0), CubeOwner::Centred), 1.0);
    }

    #[test]
    fn gammons_make_positions_too_good() {
        let advice = CubeAdvice::for_money(&chances(0.9, 0.75, 0.0), CubeOwner::Roller);
        assert_eq!(advice.action(), CubeAction::TooGood, "{advice:?}");
    }
}
