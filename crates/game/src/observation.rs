//! The layout of observations, and their encoding for networks.

/// The layout of a game's observation: named fields, one after the other.
///
/// ```
/// use meeple_game::{Field, ObservationSpec};
///
/// static SPEC: ObservationSpec = ObservationSpec::new(
///     1,
///     &[
///         Field::category("board", 3).times(9),
///         Field::count("score", 200).scale(100),
///         Field::flag("to_move"),
///     ],
/// );
/// assert_eq!(SPEC.len(), 11);
/// assert_eq!(SPEC.features(), 9 * 3 + 1 + 1);
///
/// let mut features = vec![0.0; SPEC.features()];
/// SPEC.normalize(&[0, 0, 1, 0, 0, 0, 0, 0, 2, 50, 1], &mut features);
/// assert_eq!(features[..6], [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
/// assert_eq!(features[27..], [0.5, 1.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObservationSpec {
    version: u32,
    fields: &'static [Field],
    len: usize,
    features: usize,
}

/// Consecutive cells with the same meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    name: &'static str,
    kind: Kind,
    cells: usize,
}

/// The kind of value in one cell of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An amount from `min` to `max`; `scale` is a typical large value.
    Count {
        /// The smallest value.
        min: i32,
        /// The largest value.
        max: i32,
        /// The divisor in the network encoding.
        scale: i32,
    },
    /// One of `size` unordered categories, numbered from 0.
    Category {
        /// The number of categories.
        size: i32,
    },
    /// No (0) or yes (1).
    Flag,
}

impl Field {
    /// Creates a count from 0 to `max`.
    #[must_use]
    pub const fn count(name: &'static str, max: i32) -> Self {
        assert!(max > 0, "a count that is always 0 says nothing");
        Self { name, kind: Kind::Count { min: 0, max, scale: max }, cells: 1 }
    }

    /// Creates a category of `size` values, numbered from 0.
    #[must_use]
    pub const fn category(name: &'static str, size: i32) -> Self {
        assert!(size > 1, "a category of one thing says nothing");
        Self { name, kind: Kind::Category { size }, cells: 1 }
    }

    /// Creates a flag.
    #[must_use]
    pub const fn flag(name: &'static str) -> Self {
        Self { name, kind: Kind::Flag, cells: 1 }
    }

    /// Returns the same count with the lower bound `min`.
    #[must_use]
    pub const fn min(self, min: i32) -> Self {
        let Kind::Count { max, scale, .. } = self.kind else {
            panic!("only a count has a smallest value")
        };
        Self { kind: Kind::Count { min, max, scale }, ..self }
    }

    /// Returns the same count, divided by `scale` for networks; the default is its maximum.
    #[must_use]
    pub const fn scale(self, scale: i32) -> Self {
        let Kind::Count { min, max, .. } = self.kind else { panic!("only a count has a scale") };
        assert!(scale > 0, "a scale is positive");
        Self { kind: Kind::Count { min, max, scale }, ..self }
    }

    /// Returns the same field, repeated for `cells` cells.
    #[must_use]
    pub const fn times(self, cells: usize) -> Self {
        Self { cells, ..self }
    }

    /// Returns the field's name in snake case.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the kind of value in each cell.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the number of cells.
    #[must_use]
    pub const fn cells(&self) -> usize {
        self.cells
    }
}

impl Kind {
    /// Returns the smallest and the largest value of a cell.
    #[must_use]
    pub const fn bounds(self) -> (i32, i32) {
        match self {
            Self::Count { min, max, .. } => (min, max),
            Self::Category { size } => (0, size - 1),
            Self::Flag => (0, 1),
        }
    }

    /// Returns the number of network inputs for one cell.
    #[must_use]
    pub const fn features(self) -> usize {
        match self {
            Self::Count { .. } | Self::Flag => 1,
            Self::Category { size } => size as usize,
        }
    }
}

impl ObservationSpec {
    /// Creates a layout; `version` is incremented whenever the meaning of a cell changes.
    #[must_use]
    pub const fn new(version: u32, fields: &'static [Field]) -> Self {
        let (mut len, mut features, mut at) = (0, 0, 0);
        while at < fields.len() {
            len += fields[at].cells;
            features += fields[at].cells * fields[at].kind.features();
            at += 1;
        }
        Self { version, fields, len, features }
    }

    /// Returns the version of the layout.
    #[must_use]
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// Returns the fields in order.
    #[must_use]
    pub const fn fields(&self) -> &'static [Field] {
        self.fields
    }

    /// Returns the number of cells, which is the length of an observation.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a layout without cells is of no use")]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns the number of features that [`normalize`](Self::normalize) writes.
    #[must_use]
    pub const fn features(&self) -> usize {
        self.features
    }

    /// Returns the field of a cell and the index of the cell within it.
    #[must_use]
    pub fn field_of(&self, cell: usize) -> Option<(&'static Field, usize)> {
        let mut first = 0;
        for field in self.fields {
            if cell < first + field.cells {
                return Some((field, cell - first));
            }
            first += field.cells;
        }
        None
    }

    /// Writes the network inputs: counts divided by their scale, flags as 0 or 1, categories
    /// one-hot.
    ///
    /// # Panics
    ///
    /// Panics when `cells` is not [`len`](Self::len) long, `features` is not
    /// [`features`](Self::features) long, or a category is out of its range.
    pub fn normalize(&self, cells: &[i32], features: &mut [f32]) {
        assert_eq!(cells.len(), self.len, "an observation has {} cells", self.len);
        assert_eq!(features.len(), self.features, "there are {} features", self.features);
        let (mut cell, mut feature) = (0, 0);
        for field in self.fields {
            let inputs = &cells[cell..cell + field.cells];
            let width = field.kind.features();
            let outputs = &mut features[feature..feature + field.cells * width];
            match field.kind {
                Kind::Count { scale, .. } => {
                    let factor = 1.0 / scale as f32;
                    for (output, &input) in outputs.iter_mut().zip(inputs) {
                        *output = input as f32 * factor;
                    }
                }
                Kind::Flag => {
                    for (output, &input) in outputs.iter_mut().zip(inputs) {
                        *output = input as f32;
                    }
                }
                Kind::Category { .. } => {
                    outputs.fill(0.0);
                    for (block, &input) in outputs.chunks_exact_mut(width).zip(inputs) {
                        block[input as usize] = 1.0;
                    }
                }
            }
            cell += field.cells;
            feature += field.cells * width;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static SPEC: ObservationSpec = ObservationSpec::new(
        3,
        &[
            Field::count("chips", 40).min(-10).scale(20),
            Field::category("card", 4).times(2),
            Field::flag("raised"),
        ],
    );

    #[test]
    fn lengths_are_summed() {
        assert_eq!((SPEC.version(), SPEC.len(), SPEC.features()), (3, 4, 10));
        let names: Vec<_> = SPEC.fields().iter().map(Field::name).collect();
        assert_eq!(names, ["chips", "card", "raised"]);
        assert_eq!(SPEC.fields()[0].kind().bounds(), (-10, 40));
        assert_eq!(SPEC.fields()[1].kind().bounds(), (0, 3));
    }

    #[test]
    fn cells_know_their_field() {
        let (field, at) = SPEC.field_of(2).unwrap();
        assert_eq!((field.name(), at), ("card", 1));
        assert_eq!(SPEC.field_of(4), None);
    }

    #[test]
    fn every_kind_is_normalized() {
        let mut features = [9.0; 10];
        SPEC.normalize(&[-10, 3, 0, 1], &mut features);
        assert_eq!(features, [-0.5, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    #[should_panic(expected = "an observation has 4 cells")]
    fn a_short_observation_is_refused() {
        SPEC.normalize(&[0; 3], &mut [0.0; 10]);
    }
}
