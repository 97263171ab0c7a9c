//! The configuration: the doubling cube and the starting position.

use serde::{Deserialize, Serialize};

use super::PositionId;

/// The configuration of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The maximum value of the doubling cube; 1 means no cube.
    pub cube: Cube,
    /// A starting position with seat 0 to roll, instead of the opening roll.
    pub position: Option<PositionId>,
}

/// The maximum value of the doubling cube: a power of two up to 64; 1 means no cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Cube(pub(super) u8);

impl Default for Cube {
    fn default() -> Self {
        Self(1)
    }
}

impl TryFrom<i64> for Cube {
    type Error = WrongCube;

    fn try_from(highest: i64) -> Result<Self, WrongCube> {
        match highest {
            1 | 2 | 4 | 8 | 16 | 32 | 64 => Ok(Self(highest as u8)),
            _ => Err(WrongCube(highest)),
        }
    }
}

impl From<Cube> for i64 {
    fn from(cube: Cube) -> Self {
        Self::from(cube.0)
    }
}

/// An invalid cube value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a cube of 1 (none), 2, 4, 8, 16, 32 or 64, got {0}")]
pub struct WrongCube(i64);
