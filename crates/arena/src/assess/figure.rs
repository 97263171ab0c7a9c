//! Figures of an assessment: each has an interval, or says why it has none.

use meeple_stats::{Estimate, Interval};
use serde::Serialize;

/// A measured value. In JSON, `value` with `ci_low` and `ci_high`, the 95 % confidence interval,
/// or with `reason`, which says why the value is exact or missing.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Figure {
    /// An estimate.
    Estimate(Estimate),
    /// A value without an interval.
    Exact {
        /// The value.
        value: f64,
        /// Why there is no interval.
        reason: &'static str,
    },
    /// No value.
    Missing {
        /// Always `None`.
        value: Option<f64>,
        /// Why there is no value.
        reason: &'static str,
    },
}

/// The reason of figures without games.
pub(crate) const TOO_FEW: &str = "too few games were played";

impl Figure {
    /// Returns a figure without a value.
    pub(crate) const fn missing(reason: &'static str) -> Self {
        Self::Missing { value: None, reason }
    }

    /// Returns an estimate, or says that there were too few games for one.
    pub(crate) fn of(estimate: Option<Estimate>) -> Self {
        estimate.map_or(Self::missing(TOO_FEW), Self::Estimate)
    }

    /// Returns the value.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        match self {
            Self::Estimate(estimate) => Some(estimate.value),
            Self::Exact { value, .. } => Some(*value),
            Self::Missing { .. } => None,
        }
    }

    /// Returns the value with its interval.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        match self {
            Self::Estimate(estimate) => Some(*estimate),
            Self::Exact { .. } | Self::Missing { .. } => None,
        }
    }

    /// Returns the interval.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        self.estimate().map(|estimate| estimate.interval)
    }

    /// Returns why there is no interval.
    #[must_use]
    pub fn reason(&self) -> Option<&'static str> {
        match self {
            Self::Estimate(_) => None,
            Self::Exact { reason, .. } | Self::Missing { reason, .. } => Some(reason),
        }
    }
}
