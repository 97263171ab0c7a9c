//! Layer sizes of a network, and its signature: game, inputs and outputs.

use meeple_game::{GameInfo, Kind, MAX_PLAYERS, ObservationSpec, mix};
use serde::{Deserialize, Serialize};

use crate::NetError;

/// The maximum width of a layer.
const MAX_WIDTH: usize = 1 << 16;
/// The maximum number of residual blocks.
const MAX_BLOCKS: usize = 1 << 10;

/// The layer sizes of a network.
///
/// The input layer maps features to a trunk of `width` units, which passes
/// through residual `blocks` of two layers each (He, Zhang, Ren, Sun 2016) to a
/// `bottleneck` that both heads read: the policy head gives one logit per
/// action, the value head one value per seat through `value_hidden` units.
///
/// Files and configurations call the last two fields `neck` and `value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Shape {
    /// Units of the trunk.
    pub width: usize,
    /// Residual blocks of the trunk.
    pub blocks: usize,
    /// Units of the bottleneck, the input of both heads.
    #[serde(rename = "neck")]
    pub bottleneck: usize,
    /// Hidden units of the value head.
    #[serde(rename = "value")]
    pub value_hidden: usize,
}

impl Default for Shape {
    fn default() -> Self {
        Self { width: 512, blocks: 3, bottleneck: 256, value_hidden: 128 }
    }
}

impl Shape {
    /// Checks that every size is in range.
    ///
    /// # Errors
    ///
    /// When a width is 0 or above 65,536, or there are more than 1,024 blocks.
    pub fn check(&self) -> Result<(), NetError> {
        let sizes =
            [("width", self.width), ("neck", self.bottleneck), ("value", self.value_hidden)];
        for (name, size) in sizes {
            let is_good = (1..=MAX_WIDTH).contains(&size);
            NetError::expect(is_good, name, size as f64, "from 1 to 65,536")?;
        }
        let is_good = self.blocks <= MAX_BLOCKS;
        NetError::expect(is_good, "blocks", self.blocks as f64, "at most 1,024")
    }
}

/// The signature of a network: its game, input layout and output sizes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// The game's name.
    pub game: String,
    /// The version of the game's observation.
    pub observation_version: u32,
    /// Cells of an observation.
    pub cells: usize,
    /// Features that the cells are encoded as.
    pub features: usize,
    /// A hash of the observation layout, in hexadecimal digits.
    pub layout: String,
    /// Logits of the policy head.
    pub actions: usize,
    /// Outputs of the value head, one per seat; games with fewer players leave
    /// the last ones unused.
    pub seats: usize,
}

impl Signature {
    /// Returns the signature of a network for up to `seats` players of the game that `info`
    /// describes.
    ///
    /// # Errors
    ///
    /// When the game does not allow `seats` players.
    pub fn of(info: &GameInfo, seats: usize) -> Result<Self, NetError> {
        let is_good = (info.min_players..=info.max_players).contains(&seats);
        NetError::expect(is_good, "seats", seats as f64, "as many as the game has")?;
        Ok(Self::new(info.name, info.observation, info.actions, seats))
    }

    pub(crate) fn new(game: &str, spec: &ObservationSpec, actions: usize, seats: usize) -> Self {
        assert!((1..=MAX_PLAYERS).contains(&seats), "{seats} seats, expected 1 to {MAX_PLAYERS}");
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

    /// Returns the first difference: its name, and the values of `self` and `other`.
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

/// Returns a hash of the fields: their names, kinds, bounds and numbers of cells.
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
    fn different_layouts_have_different_hashes() {
        let (first, second) = (Signature::new("x", &SPEC, 2, 2), Signature::new("x", &OTHER, 2, 2));
        let (what, _, _) = first.difference(&second).unwrap();
        assert_eq!(what, "observation layout");
        assert_eq!(first.difference(&first.clone()), None);
    }

    /// Files and configurations of earlier releases use these names.
    #[test]
    fn shapes_keep_their_serialized_names() {
        let text = serde_json::to_string(&Shape::default()).unwrap();
        assert_eq!(text, r#"{"width":512,"blocks":3,"neck":256,"value":128}"#);
    }

    #[test]
    fn sizes_out_of_range_are_rejected() {
        let error = Shape { width: 0, ..Shape::default() }.check().unwrap_err();
        assert_eq!(error.to_string(), "width is 0, expected from 1 to 65,536");
        assert!(Shape { blocks: 5000, ..Shape::default() }.check().is_err());
        assert!(Shape::default().check().is_ok());
    }
}
