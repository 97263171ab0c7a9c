//! A spot: the question that is put to the solver.

use std::str::FromStr;

use meeple_poker::{CardSet, Range};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::plan::{Layout, MemoryPlan};
use crate::tree::{Seat, Street};
use crate::tree_options::TreeOptions;

/// Two ranges, a board, and the betting tree from there.
#[derive(Clone, Debug)]
pub struct Spot {
    /// The ranges, the player out of position first.
    pub ranges: [Range; 2],
    /// Three to five cards.
    pub board: CardSet,
    /// Pot, stacks and sizes.
    pub tree: TreeOptions,
    /// Whether boards that differ by suits only are solved once.
    pub isomorphism: bool,
}

impl Spot {
    /// The street that the board is on.
    ///
    /// # Errors
    ///
    /// When the board has fewer than three or more than five cards.
    pub fn street(&self) -> Result<Street, Error> {
        match self.board.len() {
            found @ 3..=5 => Ok(Street::ALL[found - 3]),
            found => Err(Error::Board { found }),
        }
    }

    /// The size of the game, before any of it is allocated.
    ///
    /// ```
    /// use meeple_solver::{Size, Spot, TreeOptions};
    ///
    /// let spot = Spot {
    ///     ranges: ["QQ+,AK".parse()?, "99+,AQs+".parse()?],
    ///     board: "Td9d6h".parse()?,
    ///     tree: TreeOptions::new(180, 910, &[Size::Pot(0.5)], &[Size::Pot(0.6)]),
    ///     isomorphism: true,
    /// };
    /// let plan = spot.plan(1)?;
    /// assert_eq!(plan.hands, [34, 38]);
    /// assert!(plan.compressed_bytes < plan.bytes);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the spot makes no game.
    pub fn plan(&self, threads: usize) -> Result<MemoryPlan, Error> {
        Ok(Layout::new(self)?.memory(threads))
    }
}

/// How past iterations count: discounted counterfactual regret minimization (Brown and
/// Sandholm 2019).
///
/// After iteration t, positive regrets are multiplied by t^alpha / (t^alpha + 1), negative
/// ones by t^beta / (t^beta + 1), and the average strategy by (t / (t + 1))^gamma.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// For positive regrets; infinity keeps them.
    pub alpha: f64,
    /// For negative regrets; minus infinity forgets them.
    pub beta: f64,
    /// For average strategies.
    pub gamma: f64,
}

impl Schedule {
    /// Discounted CFR with the parameters of the paper.
    pub const DCFR: Self = Self { alpha: 1.5, beta: 0.0, gamma: 2.0 };
    /// CFR+ (Tammelin 2014): no negative regrets, linear averaging.
    pub const CFR_PLUS: Self = Self { alpha: f64::INFINITY, beta: f64::NEG_INFINITY, gamma: 1.0 };
    /// Linear CFR: iteration t counts t times.
    pub const LINEAR: Self = Self { alpha: 1.0, beta: 1.0, gamma: 1.0 };

    /// What regrets and strategies are multiplied by after `done` iterations.
    pub(crate) fn discounts(&self, done: u32) -> ([f32; 2], f32) {
        let t = f64::from(done);
        let regret = |power: f64| {
            let grown = t.powf(power);
            if grown.is_infinite() { 1.0 } else { (grown / (grown + 1.0)) as f32 }
        };
        if done == 0 {
            return ([0.0; 2], 0.0);
        }
        ([regret(self.alpha), regret(self.beta)], (t / (t + 1.0)).powf(self.gamma) as f32)
    }
}

impl FromStr for Schedule {
    type Err = ParseScheduleError;

    /// Reads `dcfr`, `cfr+`, `linear`, or alpha, beta and gamma: `1.5,0,2`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || ParseScheduleError { found: text.to_owned() };
        match text {
            "default" => return Ok(Self::default()),
            "dcfr" => return Ok(Self::DCFR),
            "cfr+" => return Ok(Self::CFR_PLUS),
            "linear" => return Ok(Self::LINEAR),
            _ => {}
        }
        let numbers: Option<Vec<f64>> =
            text.split(',').map(|number| number.trim().parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[alpha, beta, gamma]) if !alpha.is_nan() && !beta.is_nan() && gamma >= 0.0 => {
                Ok(Self { alpha, beta, gamma })
            }
            _ => Err(wrong()),
        }
    }
}

/// An error in the notation of a schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown schedule '{found}': expected default, dcfr, cfr+, linear, or alpha, beta and gamma \
     such as 1.5,0,2"
)]
pub struct ParseScheduleError {
    /// The text found.
    pub found: String,
}

/// Measured to need the fewest iterations on the spots of the tests.
impl Default for Schedule {
    fn default() -> Self {
        Self { alpha: 1.5, beta: 0.25, gamma: 4.0 }
    }
}

/// How a spot is solved.
#[derive(Clone, Copy, Debug)]
pub struct SolverOptions {
    /// How past iterations count.
    pub schedule: Schedule,
    /// Store 16-bit numbers instead of 32-bit floats.
    pub compressed: bool,
    /// The number of threads; 0 takes all cores. Results do not depend on it.
    pub threads: usize,
    /// The most bytes to allocate.
    pub memory: u64,
}

impl Default for SolverOptions {
    fn default() -> Self {
        Self { schedule: Schedule::default(), compressed: false, threads: 0, memory: u64::MAX }
    }
}

/// Both players' weights on the first board as rows, and the sum of the products of all
/// hands that can be held together.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    pub(crate) rows: [Vec<f32>; 2],
    pub(crate) pairs: f64,
}

impl Weights {
    pub(crate) fn new(spot: &Spot, layout: &Layout) -> Self {
        let hands = &layout.boards.all[0].hands;
        let rows = Seat::ALL.map(|seat| {
            let hands = &hands[seat as usize];
            let weight = |&combo| spot.ranges[seat as usize].weight(combo) as f32;
            let mut row: Vec<f32> = hands.combos.iter().map(weight).collect();
            row.resize(hands.row, 0.0);
            row
        });
        let mut pairs = 0.0;
        for (one, weight) in hands[0].combos.iter().zip(&rows[0]) {
            for (other, against) in hands[1].combos.iter().zip(&rows[1]) {
                if !one.cards().intersects(other.cards()) {
                    pairs += f64::from(*weight) * f64::from(*against);
                }
            }
        }
        Self { rows, pairs }
    }
}
