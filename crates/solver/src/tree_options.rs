//! Pot, stacks and sizes: what a betting tree is made from.

use serde::{Deserialize, Serialize};

use crate::{Error, Size};

/// The sizes that one player uses on one street.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StreetSizes {
    /// Of bets.
    pub bets: Vec<Size>,
    /// Of raises.
    pub raises: Vec<Size>,
    /// Of bets of the player out of position into the aggressor of the street before;
    /// `None` takes `bets`.
    pub donks: Option<Vec<Size>>,
}

/// The rules and sizes of a betting tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeOptions {
    /// Chips in the pot at the start.
    pub pot: u32,
    /// Chips that each player has left (the smaller stack).
    pub stack: u32,
    /// The sizes by player, then by street from the flop.
    pub sizes: [[StreetSizes; 3]; 2],
    /// The share of the pot that the house takes when a showdown or a call was seen.
    pub rake: f64,
    /// The most chips that the house takes.
    pub rake_cap: f64,
    /// All-in is added where it is at most this many pots; 0 adds none.
    pub add_all_in: f64,
    /// A bet becomes all-in where the stacks would be at most this many pots after a call.
    pub force_all_in: f64,
    /// Of two sizes whose pots after a bet differ by less than this share, the smaller
    /// goes; 0 keeps all.
    pub merge: f64,
}

impl TreeOptions {
    /// A tree with the same sizes for both players on all streets, without rake.
    #[must_use]
    pub fn new(pot: u32, stack: u32, bets: &[Size], raises: &[Size]) -> Self {
        let street = StreetSizes { bets: bets.to_vec(), raises: raises.to_vec(), donks: None };
        let player = [street.clone(), street.clone(), street];
        Self {
            pot,
            stack,
            sizes: [player.clone(), player],
            rake: 0.0,
            rake_cap: 0.0,
            add_all_in: 1.5,
            force_all_in: 0.15,
            merge: 0.1,
        }
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        let number = |name: &'static str, found: f64, most: f64| {
            if (0.0..=most).contains(&found) {
                Ok(())
            } else {
                Err(Error::Number { name, found, most })
            }
        };
        number("rake", self.rake, 1.0)?;
        number("rake_cap", self.rake_cap, 1e9)?;
        number("add_all_in", self.add_all_in, 1e6)?;
        number("force_all_in", self.force_all_in, 1e6)?;
        number("merge", self.merge, 1e6)?;
        for (name, chips) in [("pot", self.pot), ("stack", self.stack)] {
            if chips == 0 || chips > MOST_CHIPS {
                return Err(Error::Chips { name, found: chips });
            }
        }
        Ok(())
    }
}

/// Pots above this would not add up in 32-bit floats.
const MOST_CHIPS: u32 = 1 << 22;
