//! Search options with their defaults and valid ranges.

use serde::{Deserialize, Serialize};

use crate::SearchError;

/// The in-tree selection rule.
///
/// `Q` is the mean value of an action, from -1 to 1, and `n` its visit count. `N` is the
/// visit count of the node: the visits of all actions, plus 1 for the evaluation of the
/// node itself, plus 1 for the simulation in progress, so `N` is the sum of all `n` plus 2.
/// It is the sum plus 1 at a root that was not evaluated itself (any root without a
/// policy), in [`GraphMcts`](crate::GraphMcts), which does not count the simulation in
/// progress, and in [`SharedTree`](crate::SharedTree), which does not count the evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Selection {
    /// UCT (Kocsis and Szepesvári, 2006): `Q + exploration * sqrt(ln N / n)`. Suits
    /// rollouts.
    ///
    /// The exploration constant must match the spread of the values. Random rollouts differ
    /// by about 1 and suit the default, 1. A static evaluation that changes by 0.05 from
    /// action to action needs about 0.1; otherwise exploration drowns the values.
    Uct {
        /// The exploration constant; 1 by default.
        exploration: f32,
        /// The weight of the progressive bias `bias * prior / (n + 1)` (Chaslot and others,
        /// 2008); 0 by default.
        bias: f32,
    },
    /// PUCT (Rosin, 2011) as in AlphaZero (Silver and others, 2018): `Q + c * prior *
    /// sqrt(N) / (1 + n)` with `c = exploration + ln((N + base + 1) / base)`. Needs
    /// informative priors.
    Puct {
        /// The exploration constant (`c_puct`); 1.25 by default.
        exploration: f32,
        /// The visit count at which exploration starts to grow; 19,652 by default.
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

/// The value of an action without visits: first-play urgency (FPU; Gelly and Wang, 2006).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FirstPlay {
    /// Above every value: each action is visited once before any is visited twice.
    Infinite,
    /// A fixed value.
    Value(f32),
    /// The mean value of the parent minus this reduction.
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

/// Progressive widening (Coulom, 2007): only the `factor * N ^ exponent` actions with the
/// highest priors are candidates, at least two.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProgressiveWidening {
    /// 2 by default.
    pub factor: f32,
    /// 0.4 by default.
    pub exponent: f32,
}

impl Default for ProgressiveWidening {
    fn default() -> Self {
        Self { factor: 2.0, exponent: 0.4 }
    }
}

/// Dirichlet noise on the root priors, for exploration in self-play (Silver and others,
/// 2017).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RootNoise {
    /// The concentration; 0.3 by default, usually about 10 / number of legal actions.
    pub alpha: f32,
    /// The weight of the noise in the mixed prior; 0.25 by default.
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

/// Gumbel root search: sequential halving, optionally with Gumbel noise (Danihelka and
/// others, 2022). It beats PUCT with few simulations and accurate values; values of single
/// rollouts are too noisy for it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GumbelOptions {
    /// The number of actions in the first round; 16 by default. With good priors, half of
    /// the legal actions works better than all of them.
    pub considered: usize,
    /// The visit offset of the value scale (`maxvisit_init` in mctx); 50 by default.
    pub visit_offset: f32,
    /// The weight of values against prior logits (`value_scale` in mctx); 1 by default.
    pub value_scale: f32,
    /// The scale of the Gumbel noise; 0 by default. Use 1 in self-play, so that the played
    /// actions are samples of the improved policy.
    pub noise: f32,
    /// Whether interior nodes also follow the improved policy (the action with the largest
    /// deficit of visits) instead of the selection rule; off by default. It suits few
    /// simulations and accurate values. With rollouts it trusts the first values it sees
    /// and does not recover.
    pub below: bool,
}

impl Default for GumbelOptions {
    fn default() -> Self {
        Self { considered: 16, visit_offset: 50.0, value_scale: 1.0, noise: 0.0, below: false }
    }
}

/// How simulations are allocated at the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RootPolicy {
    /// By the in-tree selection rule; the most visited action is the answer.
    #[default]
    Same,
    /// By sequential halving; the survivor is the answer. Needs a budget in simulations.
    Gumbel(GumbelOptions),
}

impl RootPolicy {
    /// The options of the improved policy for interior nodes, if it is enabled there.
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

/// Options of [`Mcts`](crate::Mcts).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MctsOptions {
    /// The selection rule; UCT by default.
    pub selection: Selection,
    /// First-play urgency; infinite by default.
    pub first_play: FirstPlay,
    /// Progressive widening; off by default.
    pub widening: Option<ProgressiveWidening>,
    /// How simulations are allocated at the root.
    pub root: RootPolicy,
    /// Dirichlet noise on the root priors; none by default.
    pub noise: Option<RootNoise>,
    /// Whether proven values are propagated and not searched again (MCTS-Solver, two
    /// players only); on by default.
    pub solve: bool,
    /// Leaves per call of the evaluator; 1 by default.
    pub batch: usize,
    /// Virtual loss per in-flight visit, so that the leaves of a batch differ; 1 by
    /// default.
    pub virtual_loss: f32,
    /// The memory limit in bytes for the tree and its table of exploration weights; 1 GiB
    /// by default. A full tree is still searched, but not expanded.
    pub memory: usize,
}

impl Default for MctsOptions {
    fn default() -> Self {
        Self {
            selection: Selection::UCT,
            first_play: FirstPlay::Infinite,
            widening: None,
            root: RootPolicy::Same,
            noise: None,
            solve: true,
            batch: 1,
            virtual_loss: 1.0,
            memory: 1 << 30,
        }
    }
}

impl MctsOptions {
    /// Options for evaluators and orderings with priors: PUCT, and a first-play urgency of
    /// the parent's value minus 0.2.
    #[must_use]
    pub fn puct() -> Self {
        Self {
            selection: Selection::PUCT,
            first_play: FirstPlay::ParentMinus(0.2),
            ..Self::default()
        }
    }

    /// Checks every option.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::BadOption`] for the first option that is out of range.
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
