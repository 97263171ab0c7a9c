//! Mana costs, written as on cards: `2UU`, `XR`, `0`.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserializer};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use super::{Colours, Mana};

/// What is paid in mana.
///
/// ```
/// use meeple_card_language::ManaCost;
///
/// let cost: ManaCost = "X2UU".parse()?;
/// assert_eq!((cost.variable, cost.generic, cost.coloured), (1, 2, [0, 2, 0, 0, 0, 0]));
/// assert_eq!(cost.value(), 4);
/// assert_eq!(cost.to_string(), "{X}{2}{U}{U}");
/// assert!("2Q".parse::<ManaCost>().is_err());
/// # Ok::<_, meeple_card_language::BadCost>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ManaCost {
    /// How many `X` it has.
    pub variable: u8,
    /// Mana of any kind.
    pub generic: u8,
    /// Mana of each kind in the order of [`Mana`], colourless last.
    pub coloured: [u8; 6],
}

impl ManaCost {
    /// The mana value, with `X` as 0.
    #[must_use]
    pub fn value(&self) -> u8 {
        self.generic + self.coloured.iter().sum::<u8>()
    }

    /// The colours of the mana.
    #[must_use]
    pub fn colours(&self) -> Colours {
        Mana::ALL
            .iter()
            .filter(|&&mana| self.coloured[mana as usize] > 0)
            .fold(Colours::default(), |all, &mana| Colours(all.0 | Colours::of_mana(mana).0))
    }

    /// Whether nothing is to pay.
    #[must_use]
    pub fn is_free(&self) -> bool {
        *self == Self::default()
    }
}

/// A text that is no mana cost.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is no mana cost, expected X's, a number and letters of WUBRGC, such as \"2UU\" or \"XR\""
)]
pub struct BadCost {
    /// What was written.
    pub text: String,
}

impl FromStr for ManaCost {
    type Err = BadCost;

    fn from_str(text: &str) -> Result<Self, BadCost> {
        let bad = || BadCost { text: text.into() };
        if text.is_empty() || text.len() > 20 {
            return Err(bad());
        }
        let mut cost = Self::default();
        let rest = text.trim_start_matches('X');
        cost.variable = u8::try_from(text.len() - rest.len()).map_err(|_| bad())?;
        let letters = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = &rest[..rest.len() - letters.len()];
        if !digits.is_empty() {
            cost.generic = digits.parse().ok().filter(|&n| n <= 40).ok_or_else(bad)?;
        }
        for letter in letters.chars() {
            let mana = "WUBRGC".find(letter).ok_or_else(bad)?;
            cost.coloured[mana] += 1;
        }
        Ok(cost)
    }
}

impl fmt::Display for ManaCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for _ in 0..self.variable {
            f.write_str("{X}")?;
        }
        let coloured = self.coloured.iter().any(|&n| n > 0);
        if self.generic > 0 || (self.variable == 0 && !coloured) {
            write!(f, "{{{}}}", self.generic)?;
        }
        for &mana in Mana::ALL {
            for _ in 0..self.coloured[mana as usize] {
                f.write_str(mana.text())?;
            }
        }
        Ok(())
    }
}

impl Serialize for ManaCost {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.to_string().replace(['{', '}'], ""))
    }
}

impl<'de> Deserialize<'de> for ManaCost {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}
