//! The settings of a search, each with a default and the values it may take.

use serde::{Deserialize, Serialize};

use crate::SearchError;

/// How an action is chosen inside the tree. `Q` is what the action has been worth,
/// from -1 to 1, and `n` counts its visits. `N` counts the visits of the state: those
/// of all its actions, one for the evaluation of the state itself, and the one on its
/// way, so `N` is the sum of all `n` plus 2. It is the sum plus 1 at a root that is not
/// evaluated itself, as without a policy, and in [`GraphMcts`](crate::GraphMcts), which
/// does not count the visit on its way, and [`SharedTree`](crate::SharedTree), which does
/// not count the evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Selection {
    /// `Q + exploration * sqrt(ln N / n)`: for rollouts.
    ///
    /// The constant must fit the spread of the values. Random rollouts differ
    /// by about 1 and take the default, 1; a static evaluation that moves by
    /// 0.05 from action to action takes about 0.1, or the search is blind.
    Uct {
        /// 1 unless given.
        exploration: f32,
        /// Adds `bias * prior / (n + 1)`, 0 unless given: an ordering of the
        /// actions counts while there is little else to go by.
        bias: f32,
    },
    /// `Q + c * prior * sqrt(N) / (1 + n)` where
    /// `c = exploration + ln((N + base + 1) / base)`: for priors that mean
    /// something.
    Puct {
        /// 1.25 unless given.
        exploration: f32,
        /// 19,652 unless given: where exploration starts to grow.
        base: f32,
    },
}

impl Selection {
    /// UCT with its default constants.
    pub const UCT: Self = Self::Uct { exploration: 1.0, bias: 0.0 };
    /// PUCT with its default constants.
    pub const PUCT: Self = Self::Puct { exploration: 1.25, base: 19_652.0 };

    pub(crate) fn check(self) -> Result<(), SearchError> {
        match self {
            Self::Uct { exploration, bias } => {
                at_least_0("exploration", exploration)?;
                at_least_0("bias", bias)
            }
            Self::Puct { exploration, base } => {
                at_least_0("exploration", exploration)?;
                above_0("base", base)
            }
        }
    }
}

/// What an action counts for before it is tried: first-play urgency.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FirstPlay {
    /// More than anything: every action is tried once before any is twice.
    Infinite,
    /// A fixed value.
    Value(f32),
    /// What the state has been worth so far, less this much.
    ParentMinus(f32),
}

impl FirstPlay {
    pub(crate) fn check(self) -> Result<(), SearchError> {
        match self {
            Self::Infinite => Ok(()),
            Self::Value(value) | Self::ParentMinus(value) => {
                expect(value.is_finite(), "first_play", value, "a finite number")
            }
        }
    }
}

/// Looks at few actions first, the likeliest, and at more with more visits:
/// `factor * N ^ exponent`, and never fewer than two.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Widening {
    /// 2 unless given.
    pub factor: f32,
    /// 0.4 unless given.
    pub exponent: f32,
}

impl Default for Widening {
    fn default() -> Self {
        Self { factor: 2.0, exponent: 0.4 }
    }
}

/// Dirichlet noise on the priors of the root, for self-play that explores.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RootNoise {
    /// How even the noise is, 0.3 unless given; about 10 / actions.
    pub alpha: f32,
    /// The share of the noise in the prior, 0.25 unless given.
    pub share: f32,
}

impl Default for RootNoise {
    fn default() -> Self {
        Self { alpha: 0.3, share: 0.25 }
    }
}

impl RootNoise {
    pub(crate) fn check(self) -> Result<(), SearchError> {
        above_0("noise.alpha", self.alpha)?;
        expect((0.0..=1.0).contains(&self.share), "noise.share", self.share, "0 to 1")
    }
}

/// Sequential halving at the root, with Gumbel noise if wanted: the better
/// policy when simulations are few and values are not noisy themselves, as those
/// of single rollouts are (Danihelka and others, 2022).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GumbelOptions {
    /// How many actions enter the first round, 16 unless given. With good
    /// priors about half of the actions is better than all of them.
    pub considered: usize,
    /// Visits at which a value counts as much as a prior, 50 unless given.
    pub visit_offset: f32,
    /// How much values count beside priors, 1 unless given.
    pub value_scale: f32,
    /// The strength of the noise, 0 unless given; 1 in self-play, where the
    /// actions played should be drawn from the improved policy.
    pub noise: f32,
    /// Whether states below the root follow the improved policy too: the action
    /// furthest behind its share of the visits. Off unless turned on, so that
    /// the selection rule chooses there: it suits few simulations and values
    /// that do not scatter, but trusts the first values it gets and never looks
    /// back, which random rollouts do not deserve.
    pub below: bool,
}

impl Default for GumbelOptions {
    fn default() -> Self {
        Self { considered: 16, visit_offset: 50.0, value_scale: 1.0, noise: 0.0, below: false }
    }
}

/// How visits are given out at the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RootRule {
    /// As everywhere else; the most visited action is the answer.
    #[default]
    Same,
    /// By sequential halving; its survivor is the answer. Needs a budget in
    /// iterations.
    Gumbel(GumbelOptions),
}

impl RootRule {
    /// The settings by which states below the root are searched, if they are
    /// by the improved policy.
    pub(crate) fn below(self) -> Option<GumbelOptions> {
        match self {
            Self::Gumbel(gumbel) if gumbel.below => Some(gumbel),
            _ => None,
        }
    }

    pub(crate) fn check(self) -> Result<(), SearchError> {
        let Self::Gumbel(gumbel) = self else { return Ok(()) };
        let considered = gumbel.considered as f32;
        expect(considered >= 1.0, "gumbel.considered", considered, "at least 1")?;
        at_least_0("gumbel.visit_offset", gumbel.visit_offset)?;
        at_least_0("gumbel.value_scale", gumbel.value_scale)?;
        at_least_0("gumbel.noise", gumbel.noise)
    }
}

/// The settings of [`Mcts`](crate::Mcts).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MctsOptions {
    /// How actions are chosen: UCT unless given.
    pub selection: Selection,
    /// What untried actions count for: more than anything unless given.
    pub first_play: FirstPlay,
    /// Looks at few actions first; off unless given.
    pub widening: Option<Widening>,
    /// How visits are given out at the root.
    pub root: RootRule,
    /// Noise at the root; none unless given.
    pub noise: Option<RootNoise>,
    /// Whether proven wins and losses are kept and searched no more (tables of
    /// two); on unless turned off.
    pub solve: bool,
    /// Leaves gathered for one call of the evaluator, 1 unless given.
    pub batch: usize,
    /// What a visit on its way counts as lost, 1 unless given, so that the
    /// leaves of a batch differ.
    pub virtual_loss: f32,
    /// Bytes the tree may take, with the weights of exploration that are kept
    /// beside it; beyond, it is searched but grows no more. One gigabyte unless
    /// given.
    pub memory: usize,
}

impl Default for MctsOptions {
    fn default() -> Self {
        Self {
            selection: Selection::UCT,
            first_play: FirstPlay::Infinite,
            widening: None,
            root: RootRule::Same,
            noise: None,
            solve: true,
            batch: 1,
            virtual_loss: 1.0,
            memory: 1 << 30,
        }
    }
}

impl MctsOptions {
    /// The settings for evaluators and orderings with priors: PUCT, and untried
    /// actions count as much as the state, less 0.2.
    #[must_use]
    pub fn puct() -> Self {
        Self {
            selection: Selection::PUCT,
            first_play: FirstPlay::ParentMinus(0.2),
            ..Self::default()
        }
    }

    /// Checks that every setting makes sense.
    ///
    /// # Errors
    ///
    /// Names the first that does not.
    pub fn check(&self) -> Result<(), SearchError> {
        self.selection.check()?;
        self.first_play.check()?;
        if let Some(widening) = self.widening {
            above_0("widening.factor", widening.factor)?;
            let exponent = widening.exponent;
            expect((0.0..=1.0).contains(&exponent), "widening.exponent", exponent, "0 to 1")?;
        }
        if let Some(noise) = self.noise {
            noise.check()?;
        }
        self.root.check()?;
        at_least_0("virtual_loss", self.virtual_loss)?;
        expect(self.batch > 0, "batch", 0.0, "at least 1")?;
        expect(self.memory >= 1 << 16, "memory", self.memory as f32, "at least 65536 bytes")
    }
}

pub(crate) fn at_least_0(option: &'static str, value: f32) -> Result<(), SearchError> {
    expect(value.is_finite() && value >= 0.0, option, value, "a finite number, 0 or more")
}

pub(crate) fn above_0(option: &'static str, value: f32) -> Result<(), SearchError> {
    expect(value.is_finite() && value > 0.0, option, value, "a finite number above 0")
}

pub(crate) fn expect(
    holds: bool,
    option: &'static str,
    value: f32,
    expected: &'static str,
) -> Result<(), SearchError> {
    if holds {
        Ok(())
    } else {
        Err(SearchError::BadOption { option, value: f64::from(value), expected })
    }
}
