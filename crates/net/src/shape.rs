//! The sizes of a network, and what it is for.

use meeple_game::{Game, Kind, MAX_PLAYERS, ObservationSpec, mix};
use serde::{Deserialize, Serialize};

use crate::NetError;

/// The widest layer there may be.
const WIDEST: usize = 1 << 16;
/// The most blocks there may be.
const MOST_BLOCKS: usize = 1 << 10;

/// How wide and how deep a network is.
///
/// Features go to a trunk of `width`, through residual `blocks` of two layers
/// each, to a `neck` from which both heads start: one logit an action, and
/// through `value` hidden units one value a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Shape {
    /// Units of the trunk.
    pub width: usize,
    /// Residual blocks of the trunk.
    pub blocks: usize,
    /// Units from which both heads start.
    pub neck: usize,
    /// Hidden units of the value head.
    pub value: usize,
}

impl Default for Shape {
    fn default() -> Self {
        Self { width: 512, blocks: 3, neck: 256, value: 128 }
    }
}

impl Shape {
    /// Checks that there is such a network.
    ///
    /// # Errors
    ///
    /// When a size is 0 or beyond all memory.
    pub fn check(&self) -> Result<(), NetError> {
        let sizes = [("width", self.width), ("neck", self.neck), ("value", self.value)];
        for (name, size) in sizes {
            let is_good = (1..=WIDEST).contains(&size);
            NetError::expect(is_good, name, size as f64, "from 1 to 65,536")?;
        }
        let is_good = self.blocks <= MOST_BLOCKS;
        NetError::expect(is_good, "blocks", self.blocks as f64, "at most 1,024")
    }
}

/// What a network is for: a game, what it sees of it and what it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Purpose {
    /// The game's name.
    pub game: String,
    /// The version of the game's observation.
    pub observation_version: u32,
    /// Cells of an observation.
    pub cells: usize,
    /// Numbers that the cells become.
    pub features: usize,
    /// A hash of what every cell means, in hexadecimal digits.
    pub layout: String,
    /// Logits of the policy.
    pub actions: usize,
    /// Values, one a seat; tables with fewer seats leave the last unused.
    pub seats: usize,
}

impl Purpose {
    /// What a network for tables of up to `seats` players of a game is for.
    ///
    /// # Errors
    ///
    /// When the game has no such table.
    pub fn of<G: Game>(seats: usize) -> Result<Self, NetError> {
        let expected = "as many as the game has";
        NetError::expect(G::SEATS.contains(&seats), "seats", seats as f64, expected)?;
        Ok(Self::new(G::NAME, G::observation(), G::ACTIONS, seats))
    }

    pub(crate) fn new(game: &str, spec: &ObservationSpec, actions: usize, seats: usize) -> Self {
        assert!((1..=MAX_PLAYERS).contains(&seats), "a table has 1 to {MAX_PLAYERS} seats");
        Self {
            game: game.to_owned(),
            observation_version: spec.version(),
            cells: spec.len(),
            features: spec.features(),
            layout: format!("{:016x}", layout_hash(spec)),
            actions,
            seats,
        }
    }

    /// The first way in which `self` is not `other`: what, and both.
    pub(crate) fn difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let pairs = [
            ("game", self.game.clone(), other.game.clone()),
            (
                "observation version",
                self.observation_version.to_string(),
                other.observation_version.to_string(),
            ),
            ("observation length", self.cells.to_string(), other.cells.to_string()),
            ("number of features", self.features.to_string(), other.features.to_string()),
            ("observation layout", self.layout.clone(), other.layout.clone()),
            ("number of actions", self.actions.to_string(), other.actions.to_string()),
            ("number of seats", self.seats.to_string(), other.seats.to_string()),
        ];
        pairs.into_iter().find(|(_, this, that)| this != that)
    }
}

/// A hash of the fields: their names, kinds, bounds and numbers of cells.
fn layout_hash(spec: &ObservationSpec) -> u64 {
    let mut hash = mix(u64::from(spec.version()));
    let mut add = |word: u64| hash = mix(hash.rotate_left(5) ^ word);
    for field in spec.fields() {
        field.name().bytes().for_each(|byte| add(u64::from(byte)));
        let words = match field.kind() {
            Kind::Count { min, max, scale } => [1, min, max, scale],
            Kind::Category { size } => [2, size, 0, 0],
            Kind::Flag => [3, 0, 0, 0],
        };
        words.into_iter().for_each(|word| add(u64::from(word as u32)));
        add(field.cells() as u64);
    }
    hash
}

#[cfg(test)]
mod tests {
    use meeple_game::Field;

    use super::*;

    static SPEC: ObservationSpec =
        ObservationSpec::new(1, &[Field::category("card", 3), Field::flag("raised")]);
    static OTHER: ObservationSpec =
        ObservationSpec::new(1, &[Field::category("card", 3), Field::flag("called")]);

    #[test]
    fn layouts_are_told_apart() {
        let (first, second) = (Purpose::new("x", &SPEC, 2, 2), Purpose::new("x", &OTHER, 2, 2));
        let (what, _, _) = first.difference(&second).unwrap();
        assert_eq!(what, "observation layout");
        assert_eq!(first.difference(&first.clone()), None);
    }

    #[test]
    fn impossible_sizes_are_refused() {
        let refused = Shape { width: 0, ..Shape::default() }.check().unwrap_err();
        assert_eq!(refused.to_string(), "width is 0, expected from 1 to 65,536");
        assert!(Shape { blocks: 5000, ..Shape::default() }.check().is_err());
        assert!(Shape::default().check().is_ok());
    }
}
