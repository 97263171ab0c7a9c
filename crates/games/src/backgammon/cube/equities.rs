//! Match equities: the probability of winning a match, computed from a model of single games.
//!
//! A game is even, a quarter of all wins are gammons, and the winning probability moves
//! continuously, as in Keeler and Spencer (1975) and Zadeh (On doubling in tournament backgammon,
//! 1977); the cube is as efficient as in money play.

use std::sync::OnceLock;

use super::{CubeOwner, EFFICIENCY};
use crate::backgammon::value::Chances;

/// The length of the longest match.
pub const LONGEST_MATCH: u32 = 25;
const SIZE: usize = LONGEST_MATCH as usize + 1;
/// The share of gammons among wins.
const GAMMONS: f32 = 0.26;

/// The score of a match: the points that each side still needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchScore {
    own: u32,
    other: u32,
    /// Whether this is the Crawford game, without the cube.
    is_crawford: bool,
    /// Whether the Crawford game is over.
    is_after: bool,
}

/// An invalid score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongScore {
    /// A side needs no point, or too many.
    #[error("a side needs {0} points, expected 1 to {LONGEST_MATCH}")]
    Away(u32),
    /// No side, or both, need a single point in the Crawford game.
    #[error("in the Crawford game exactly one side needs a single point")]
    Crawford,
}

impl MatchScore {
    /// A score at which the side on roll needs `own` points and the other side `other`. If one of
    /// them needs a single point, the Crawford game is either this one or over.
    ///
    /// # Errors
    ///
    /// When there is no such score.
    pub fn new(own: u32, other: u32, is_crawford: bool) -> Result<Self, WrongScore> {
        for away in [own, other] {
            if !(1..=LONGEST_MATCH).contains(&away) {
                return Err(WrongScore::Away(away));
            }
        }
        let has_leader = (own == 1) != (other == 1);
        if is_crawford && !has_leader {
            return Err(WrongScore::Crawford);
        }
        Ok(Self { own, other, is_crawford, is_after: has_leader && !is_crawford })
    }

    /// The probability of winning the match before a game at this score.
    fn equity(self) -> f32 {
        let table = table();
        if self.is_after {
            return after_crawford_equity(table, self.own, self.other);
        }
        table.before[self.own as usize][self.other as usize]
    }
}

/// The probability that the side that needs `own` points wins a match against one that needs
/// `other`, before a game; at 1 point the next one is the Crawford game.
///
/// # Errors
///
/// When there is no such score.
pub fn match_equity(own: u32, other: u32) -> Result<f32, WrongScore> {
    let has_leader = (own == 1) != (other == 1);
    MatchScore::new(own, other, has_leader).map(MatchScore::equity)
}

/// The equities of all scores.
struct Table {
    /// Before each game, by the points that both sides need; the Crawford game at 1.
    before: [[f32; SIZE]; SIZE],
    /// After the Crawford game, for a side that needs so many points against one that needs 1.
    after: [f32; SIZE],
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(Table::compute)
}

fn after_crawford_equity(table: &Table, own: u32, other: u32) -> f32 {
    match (own, other) {
        (1, 1) => 0.5,
        (1, other) => 1.0 - table.after[other as usize],
        (own, _) => table.after[own as usize],
    }
}

impl Table {
    fn compute() -> Self {
        let mut table = Self { before: [[0.0; SIZE]; SIZE], after: [0.0; SIZE] };
        // Entry 0 of `after` is a won match.
        (table.after[0], table.after[1]) = (1.0, 0.5);
        for away in 2..SIZE {
            // The side that is behind doubles at once, and the leader may drop.
            let won = |points: usize| table.after[away.saturating_sub(points)];
            let played = 0.5 * ((1.0 - GAMMONS) * won(2) + GAMMONS * won(4));
            table.after[away] = played.min(won(1));
        }
        for sum in 2..2 * SIZE - 1 {
            for own in 1..sum.min(SIZE) {
                let other = sum - own;
                if other >= SIZE {
                    continue;
                }
                table.before[own][other] = match (own, other) {
                    (1, 1) => 0.5,
                    (1, _) => 1.0 - table.before_crawford(other),
                    (_, 1) => table.before_crawford(own),
                    _ => {
                        let score = MatchScore {
                            own: own as u32,
                            other: other as u32,
                            is_crawford: false,
                            is_after: false,
                        };
                        let sizes = [1.0 - GAMMONS, GAMMONS, 0.0];
                        let model = Model::new(&table, score, sizes, sizes);
                        model.equity(0.5, 1, CubeOwner::Centred)
                    }
                };
            }
        }
        table
    }

    /// The equity of the side that is behind, before the Crawford game.
    fn before_crawford(&self, away: usize) -> f32 {
        let won = |points: usize| self.after[away.saturating_sub(points)];
        0.5 * ((1.0 - GAMMONS) * won(1) + GAMMONS * won(2))
    }
}

/// The values of the cube: 1, 2, 4, up to one that ends every match.
const CUBES: usize = 6;

/// A game at a score, with the shares of plain wins, gammons and backgammons.
pub(super) struct Model<'a> {
    table: &'a Table,
    score: MatchScore,
    won: [f32; 3],
    lost: [f32; 3],
    /// For each value of the cube, the winning probabilities at which the opponent and the side
    /// itself had better drop a double; `None` where nobody doubles.
    drops: [[Option<f32>; 2]; CUBES],
}

impl Model<'static> {
    pub(super) fn of(chances: &Chances, score: MatchScore) -> Self {
        let shares = |all: f32, gammons: f32, backgammons: f32| {
            if all <= 1e-6 {
                return [1.0, 0.0, 0.0];
            }
            let (gammons, backgammons) = ((gammons / all).min(1.0), (backgammons / all).min(1.0));
            [1.0 - gammons, (gammons - backgammons).max(0.0), backgammons]
        };
        let won = shares(chances.win(), chances.win_gammon(), chances.win_backgammon());
        let lost = shares(1.0 - chances.win(), chances.lose_gammon(), chances.lose_backgammon());
        Self::new(table(), score, won, lost)
    }
}

impl<'a> Model<'a> {
    fn new(table: &'a Table, score: MatchScore, won: [f32; 3], lost: [f32; 3]) -> Self {
        let mut model = Self { table, score, won, lost, drops: [[None; 2]; CUBES] };
        for level in (0..CUBES).rev() {
            let cube = 1 << level;
            let is_alive = |away: u32| away > cube && !score.is_crawford;
            let drops = [
                is_alive(score.own).then(|| {
                    let taken = |win: f32| model.equity(win, 2 * cube, CubeOwner::Opponent);
                    first_above(model.after(cube, 0), taken)
                }),
                is_alive(score.other).then(|| {
                    let taken = |win: f32| model.equity(win, 2 * cube, CubeOwner::Roller);
                    first_above(model.after(0, cube), taken)
                }),
            ];
            model.drops[level] = drops;
        }
        model
    }

    /// The probability of winning the match after winning so many points.
    pub(super) fn after_win(&self, points: u32) -> f32 {
        self.after(points, 0)
    }

    fn after(&self, won: u32, lost: u32) -> f32 {
        let own = self.score.own.saturating_sub(won);
        let other = self.score.other.saturating_sub(lost);
        match (own, other) {
            (0, _) => 1.0,
            (_, 0) => 0.0,
            _ if self.score.is_crawford || self.score.is_after => {
                after_crawford_equity(self.table, own, other)
            }
            (own, other) => self.table.before[own as usize][other as usize],
        }
    }

    /// The equity after winning and after losing the game with this cube.
    fn ends(&self, cube: u32) -> [f32; 2] {
        let mean = |shares: &[f32; 3], after: &dyn Fn(u32) -> f32| -> f32 {
            (1..).zip(shares).map(|(size, share)| share * after(size * cube)).sum()
        };
        [
            mean(&self.won, &|points| self.after(points, 0)),
            mean(&self.lost, &|points| self.after(0, points)),
        ]
    }

    /// The probability of winning the match with this probability of winning the game.
    pub(super) fn equity(&self, win: f32, cube: u32, owner: CubeOwner) -> f32 {
        let [won, lost] = self.ends(cube);
        let dead = lost + win * (won - lost);
        let level = cube.ilog2() as usize;
        let [own, other] = self.drops.get(level).copied().unwrap_or_default();
        let [own, other] = match owner {
            CubeOwner::Centred => [own, other],
            CubeOwner::Roller => [own, None],
            CubeOwner::Opponent => [None, other],
            CubeOwner::Nobody => [None, None],
        };
        // The winning probability moves between the points at which a side doubles the other out,
        // or the end of the game.
        let (high, at_high) = own.map_or((1.0, won), |win| (win, self.after(cube, 0)));
        let (low, at_low) = other.map_or((0.0, lost), |win| (win, self.after(0, cube)));
        let live = if win >= high {
            // Beyond, the side plays on for a gammon, or doubles.
            at_high.max(dead)
        } else if win <= low {
            at_low.min(dead)
        } else {
            at_low + (win - low) / (high - low).max(1e-6) * (at_high - at_low)
        };
        EFFICIENCY * live + (1.0 - EFFICIENCY) * dead
    }
}

/// The least probability at which a rising function reaches `level`; 1 if it never does.
fn first_above(level: f32, function: impl Fn(f32) -> f32) -> f32 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..16 {
        let middle = (low + high) / 2.0;
        if function(middle) < level {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::super::{CubeAction, CubeAdvice};
    use super::*;

    /// Values that published tables agree on within a percent: Woolsey, Rockwell-Kazaross and
    /// others.
    #[test]
    fn equities_are_near_published_ones() {
        for (own, other, expected) in [
            (1, 1, 0.5),
            (1, 2, 0.69),
            (1, 3, 0.75),
            (1, 4, 0.82),
            (1, 5, 0.84),
            (2, 3, 0.60),
            (2, 4, 0.67),
            (2, 5, 0.75),
            (3, 4, 0.57),
            (3, 5, 0.65),
            (5, 7, 0.63),
            (7, 7, 0.5),
        ] {
            let found = match_equity(own, other).unwrap();
            assert!((found - expected).abs() < 0.025, "{own}-away, {other}-away: {found}");
        }
    }

    #[test]
    fn equities_of_both_sides_make_one() {
        for own in 1..=LONGEST_MATCH {
            for other in 1..=LONGEST_MATCH {
                let both = match_equity(own, other).unwrap() + match_equity(other, own).unwrap();
                assert!((both - 1.0).abs() < 1e-3, "{own}, {other}: {both}");
                if own > 1 {
                    let less = match_equity(own, other).unwrap();
                    assert!(match_equity(own - 1, other).unwrap() > less, "{own}, {other}");
                }
            }
        }
    }

    #[test]
    fn a_single_point_needs_no_cube() {
        let even = Chances([0.6, 0.1, 0.0, 0.1, 0.0]);
        let score = MatchScore::new(1, 1, false).unwrap();
        let advice = CubeAdvice::for_match(&even, &score, 1, CubeOwner::Centred);
        assert!((advice.no_double - 0.6).abs() < 1e-6, "{advice:?}");
        // Behind after the Crawford game, everybody doubles at once.
        let behind = MatchScore::new(3, 1, false).unwrap();
        let advice = CubeAdvice::for_match(&even, &behind, 1, CubeOwner::Centred);
        assert_ne!(advice.action(), CubeAction::NoDouble, "{advice:?}");
        assert_eq!(MatchScore::new(2, 2, true), Err(WrongScore::Crawford));
        assert_eq!(MatchScore::new(0, 2, false), Err(WrongScore::Away(0)));
    }
}
