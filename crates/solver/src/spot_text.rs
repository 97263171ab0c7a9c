//! Spots in words: what files and command lines say, before it is read.

use std::path::Path;

use meeple_poker::{CardSet, Combo, Range};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::size::parse_sizes;
use crate::solver::Solver;
use crate::spot::Spot;
use crate::tree::Seat;
use crate::tree_options::{StreetSizes, TreeOptions};

/// A spot as TOML or JSON. Sizes for all streets stand at the top, those of one street or
/// of one player there replace them.
///
/// ```
/// use meeple_solver::SpotText;
///
/// let text = SpotText::from_toml(
///     r#"
///     board = "Td9d6h"
///     oop = "66+, A8s+"
///     ip = "QQ-22, AQs-A2s"
///     pot = 180
///     stack = 910
///     bets = "50%"
///     raises = "60%"
///     [river]
///     bets = "33%, 75%, a"
///     oop.donks = "20%"
///     "#,
/// )?;
/// assert_eq!(text.spot()?.tree.sizes[0][2].bets.len(), 3);
/// # Ok::<_, meeple_solver::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpotText {
    /// Three to five cards.
    pub board: Option<String>,
    /// The range of the player out of position.
    pub oop: Option<String>,
    /// The range of the player in position.
    pub ip: Option<String>,
    /// Chips in the pot.
    pub pot: Option<u32>,
    /// Chips that each player has left.
    pub stack: Option<u32>,
    /// Sizes of both players on all streets.
    #[serde(flatten)]
    pub sizes: SizesText,
    /// The share of the pot that the house takes.
    pub rake: Option<f64>,
    /// The most chips that it takes.
    pub rake_cap: Option<f64>,
    /// See [`TreeOptions::add_all_in`].
    pub add_all_in: Option<f64>,
    /// See [`TreeOptions::force_all_in`].
    pub force_all_in: Option<f64>,
    /// See [`TreeOptions::merge`].
    pub merge: Option<f64>,
    /// See [`Spot::isomorphism`].
    pub isomorphism: Option<bool>,
    /// Sizes on the flop.
    pub flop: Option<StreetText>,
    /// Sizes on the turn.
    pub turn: Option<StreetText>,
    /// Sizes on the river.
    pub river: Option<StreetText>,
    /// Strategies that are fixed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locks: Vec<LockText>,
}

/// Lists of sizes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SizesText {
    /// Of bets.
    pub bets: Option<String>,
    /// Of raises.
    pub raises: Option<String>,
    /// Of bets into the aggressor of the street before.
    pub donks: Option<String>,
}

/// Sizes on one street.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StreetText {
    /// Of both players.
    #[serde(flatten)]
    pub sizes: SizesText,
    /// Of the player out of position.
    pub oop: Option<SizesText>,
    /// Of the player in position.
    pub ip: Option<SizesText>,
}

/// A strategy that is fixed for some hands; where locks of one line overlap, the later
/// wins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockText {
    /// The line to the decision.
    pub line: String,
    /// The hands; all if it is left out.
    #[serde(default)]
    pub hands: Option<String>,
    /// How often each action is chosen.
    pub frequencies: Vec<f64>,
}

impl SpotText {
    /// Reads TOML.
    ///
    /// # Errors
    ///
    /// When the text is not TOML of this form.
    pub fn from_toml(text: &str) -> Result<Self, Error> {
        toml::from_str(text).map_err(|error| Error::Text { reason: error.to_string() })
    }

    /// Reads JSON.
    ///
    /// # Errors
    ///
    /// When the text is not JSON of this form.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        serde_json::from_str(text).map_err(|error| Error::Text { reason: error.to_string() })
    }

    /// Reads a file: JSON if its name ends in `.json`, else TOML.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is not of this form.
    pub fn from_file(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Error::File { path: path.to_owned(), error })?;
        let is_json = path.extension().is_some_and(|name| name.eq_ignore_ascii_case("json"));
        let read = if is_json { Self::from_json(&text) } else { Self::from_toml(&text) };
        read.map_err(|error| Error::Format { path: path.to_owned(), reason: error.to_string() })
    }

    /// The spot.
    ///
    /// # Errors
    ///
    /// When something is missing or cannot be read.
    pub fn spot(&self) -> Result<Spot, Error> {
        let range = |field: &'static str, text: &Option<String>| -> Result<Range, Error> {
            let text = needed(field, text)?;
            text.parse().map_err(|error| Error::Field { field, reason: format!("{error}") })
        };
        let board: CardSet = needed("board", &self.board)?
            .parse()
            .map_err(|error| Error::Field { field: "board", reason: format!("{error}") })?;
        let streets = [&self.flop, &self.turn, &self.river];
        let mut sizes: [[StreetSizes; 3]; 2] = Default::default();
        for seat in Seat::ALL {
            for (street, text) in streets.iter().enumerate() {
                let text = text.as_ref();
                let own = text.and_then(|text| match seat {
                    Seat::Oop => text.oop.as_ref(),
                    Seat::Ip => text.ip.as_ref(),
                });
                let layers = [own, text.map(|text| &text.sizes), Some(&self.sizes)];
                sizes[seat as usize][street] = street_sizes(&layers)?;
            }
        }
        let default =
            TreeOptions::new(needed("pot", &self.pot)?, needed("stack", &self.stack)?, &[], &[]);
        let rake = self.rake.unwrap_or(0.0);
        Ok(Spot {
            ranges: [range("oop", &self.oop)?, range("ip", &self.ip)?],
            board,
            tree: TreeOptions {
                sizes,
                rake,
                rake_cap: self.rake_cap.unwrap_or(1e9),
                add_all_in: self.add_all_in.unwrap_or(default.add_all_in),
                force_all_in: self.force_all_in.unwrap_or(default.force_all_in),
                merge: self.merge.unwrap_or(default.merge),
                ..default
            },
            isomorphism: self.isomorphism.unwrap_or(true),
        })
    }

    /// Fixes the strategies of `locks`.
    ///
    /// # Errors
    ///
    /// As [`Solver::lock`], or when hands cannot be read.
    pub fn lock(&self, solver: &mut Solver) -> Result<(), Error> {
        for lock in &self.locks {
            let hands: Range =
                lock.hands.as_deref().unwrap_or("random").parse().map_err(|error| {
                    Error::Field { field: "locks.hands", reason: format!("{error}") }
                })?;
            let shares =
                |combo: Combo| (hands.weight(combo) > 0.0).then(|| lock.frequencies.clone());
            solver.lock(&lock.line, shares)?;
        }
        Ok(())
    }
}

fn needed<T: Clone>(field: &'static str, value: &Option<T>) -> Result<T, Error> {
    value.clone().ok_or(Error::Missing { field })
}

/// The sizes of a street: each kind from the first layer that has it.
fn street_sizes(layers: &[Option<&SizesText>]) -> Result<StreetSizes, Error> {
    let first = |field: &'static str, kind: &dyn Fn(&SizesText) -> Option<&String>| {
        let text = layers.iter().flatten().find_map(|layer| kind(layer));
        let sizes = text.map(|text| parse_sizes(text)).transpose();
        sizes.map_err(|error| Error::Field { field, reason: error.to_string() })
    };
    Ok(StreetSizes {
        bets: first("bets", &|sizes| sizes.bets.as_ref())?.unwrap_or_default(),
        raises: first("raises", &|sizes| sizes.raises.as_ref())?.unwrap_or_default(),
        donks: first("donks", &|sizes| sizes.donks.as_ref())?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPOT: &str = "board='Td9d6h'\noop='AA'\nip='KK'\npot=10\nstack=100\nbets='50%'\n";

    #[test]
    fn sizes_of_a_player_on_a_street_come_first() {
        let text = format!("{SPOT}[turn]\nbets='75%'\n[turn.ip]\nbets='a'\n");
        let spot = SpotText::from_toml(&text).unwrap().spot().unwrap();
        let bets = |seat: usize, street: usize| spot.tree.sizes[seat][street].bets[0].to_string();
        assert_eq!([bets(0, 0), bets(0, 1), bets(1, 1), bets(1, 2)], ["50%", "75%", "a", "50%"]);
    }

    #[test]
    fn mistakes_name_the_field() {
        let message = |text: &str| {
            SpotText::from_toml(text).and_then(|text| text.spot()).unwrap_err().to_string()
        };
        assert_eq!(message("board='Td9d6h'\npot=1"), "stack is missing");
        let sized = message(&SPOT.replace("50%", "50q"));
        assert!(sized.starts_with("bets: unknown size '50q'"), "{sized}");
        let ranged = message(&SPOT.replace("'AA'", "'AB'"));
        assert!(ranged.starts_with("oop: unknown item 'AB'"), "{ranged}");
        assert!(message(&format!("{SPOT}bet='1'")).contains("unknown field `bet`"));
    }
}
