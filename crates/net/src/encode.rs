//! Encoding of observations as sparse features.

use std::ops::Range;

use meeple_game::{Kind, ObservationSpec};

/// A nonzero entry of a sparse vector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Nonzero {
    pub(crate) index: u32,
    pub(crate) value: f32,
}

/// A categorical cell whose value is outside its category.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BadCell {
    pub(crate) cell: usize,
    pub(crate) value: i32,
    pub(crate) size: i32,
}

/// The encoding of observation cells as features: categories one-hot, counts scaled.
#[derive(Clone, Debug)]
pub(crate) struct Encoder {
    cells: Vec<Cell>,
    /// The number of features.
    features: usize,
    /// The cells by runs of one kind.
    runs: Vec<Run>,
    /// The scale of each cell, as in `cells`.
    factors: Vec<f32>,
}

/// Successive cells that are all categorical or all not.
#[derive(Clone, Debug)]
struct Run {
    cells: Range<usize>,
    is_category: bool,
}

/// The encoding of one cell.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// Index of its first feature.
    first: u32,
    /// The number of values of a category; 0 for a count or a flag.
    size: i32,
    /// The scale of a count.
    factor: f32,
}

impl Encoder {
    pub(crate) fn new(spec: &ObservationSpec) -> Self {
        let mut cells = Vec::with_capacity(spec.len());
        let mut first = 0;
        for field in spec.fields() {
            for _ in 0..field.cells() {
                let (size, factor) = match field.kind() {
                    Kind::Count { scale, .. } => (0, 1.0 / scale as f32),
                    Kind::Flag => (0, 1.0),
                    Kind::Category { size } => (size, 1.0),
                };
                cells.push(Cell { first, size, factor });
                first += field.kind().features() as u32;
            }
        }
        let mut runs: Vec<Run> = Vec::new();
        for (at, cell) in cells.iter().enumerate() {
            let is_category = cell.size > 0;
            match runs.last_mut() {
                Some(run) if run.is_category == is_category => run.cells.end = at + 1,
                _ => runs.push(Run { cells: at..at + 1, is_category }),
            }
        }
        let factors = cells.iter().map(|cell| cell.factor).collect();
        Self { cells, features: first as usize, runs, factors }
    }

    /// Returns the number of cells of an observation.
    pub(crate) fn cells(&self) -> usize {
        self.cells.len()
    }

    /// Appends the nonzero features of `observation` in order: the sparse form
    /// of what [`ObservationSpec::normalize`] writes.
    pub(crate) fn encode(
        &self,
        observation: &[i32],
        out: &mut Vec<Nonzero>,
    ) -> Result<(), BadCell> {
        for (at, (cell, &value)) in self.cells.iter().zip(observation).enumerate() {
            if cell.size > 0 {
                if value < 0 || value >= cell.size {
                    return Err(BadCell { cell: at, value, size: cell.size });
                }
                out.push(Nonzero { index: cell.first + value as u32, value: 1.0 });
            } else if value != 0 {
                out.push(Nonzero { index: cell.first, value: value as f32 * cell.factor });
            }
        }
        Ok(())
    }

    /// Returns whether more than half of the features of these observations are
    /// not 0; where cells are categorical, the answer may be a wrong no.
    pub(crate) fn is_dense(&self, observations: &[i32]) -> bool {
        let rows = observations.len() / self.cells().max(1);
        let nonzero: usize = observations.iter().map(|&value| usize::from(value != 0)).sum();
        2 * nonzero > rows * self.features
    }

    /// Appends all features of `observation`, what [`ObservationSpec::normalize`]
    /// writes.
    pub(crate) fn encode_dense(
        &self,
        observation: &[i32],
        out: &mut Vec<f32>,
    ) -> Result<(), BadCell> {
        let start = out.len();
        for run in &self.runs {
            let values = &observation[run.cells.clone()];
            if !run.is_category {
                let factors = &self.factors[run.cells.clone()];
                out.extend(
                    values.iter().zip(factors).map(|(&value, factor)| value as f32 * factor),
                );
                continue;
            }
            for (at, &value) in run.cells.clone().zip(values) {
                let Cell { first, size, .. } = self.cells[at];
                if value < 0 || value >= size {
                    return Err(BadCell { cell: at, value, size });
                }
                let first = start + first as usize;
                out.resize(first + size as usize, 0.0);
                out[first + value as usize] = 1.0;
            }
        }
        Ok(())
    }

    /// Returns for each feature its cell, its value of the category if the cell
    /// is categorical, and its scale.
    pub(crate) fn features(&self) -> impl Iterator<Item = (usize, Option<i32>, f32)> {
        self.cells.iter().enumerate().flat_map(|(at, cell)| {
            let categories = (0..cell.size).map(Some);
            let count = (cell.size == 0).then_some(None);
            categories.chain(count).map(move |category| (at, category, cell.factor))
        })
    }
}

#[cfg(test)]
mod tests {
    use meeple_game::Field;

    use super::*;

    static SPEC: ObservationSpec = ObservationSpec::new(
        1,
        &[
            Field::count("chips", 40).min(-10).scale(30),
            Field::category("card", 4).times(2),
            Field::flag("raised"),
            Field::count("pot", 7).times(2),
        ],
    );

    #[test]
    fn sparse_features_equal_the_normalized_observation() {
        let encoder = Encoder::new(&SPEC);
        for observation in [[-10, 3, 0, 1, 0, 7], [0, 0, 1, 0, 0, 0], [40, 2, 2, 1, 5, 3]] {
            let mut dense = vec![0.0; SPEC.features()];
            SPEC.normalize(&observation, &mut dense);
            let mut sparse = Vec::new();
            encoder.encode(&observation, &mut sparse).unwrap();
            let mut all = vec![5.0];
            encoder.encode_dense(&observation, &mut all).unwrap();
            assert_eq!(all[1..], dense);
            let expected: Vec<Nonzero> = (0u32..)
                .zip(dense)
                .filter(|&(_, value)| value != 0.0)
                .map(|(index, value)| Nonzero { index, value })
                .collect();
            assert_eq!(sparse, expected);
        }
    }

    #[test]
    fn a_value_outside_its_category_is_rejected() {
        let encoder = Encoder::new(&SPEC);
        for (value, bad) in [4, -1].map(|value| (value, BadCell { cell: 1, value, size: 4 })) {
            let cells = [0, value, 0, 0, 0, 0];
            assert_eq!(encoder.encode(&cells, &mut Vec::new()), Err(bad));
            assert_eq!(encoder.encode_dense(&cells, &mut Vec::new()), Err(bad));
        }
    }

    #[test]
    fn observations_with_many_nonzero_features_are_dense() {
        let encoder = Encoder::new(&SPEC);
        assert!(!encoder.is_dense(&[1, 3, 0, 0, 0, 0]));
        static COUNTS: ObservationSpec =
            ObservationSpec::new(1, &[Field::count("pot", 7).times(4)]);
        let encoder = Encoder::new(&COUNTS);
        assert!(encoder.is_dense(&[1, 0, 7, 2, 0, 2, 3, 0]));
        assert!(!encoder.is_dense(&[1, 0, 0, 2, 0, 2, 3, 0]));
    }

    #[test]
    fn every_feature_is_mapped_to_its_cell() {
        let features: Vec<_> = Encoder::new(&SPEC).features().collect();
        assert_eq!(features.len(), SPEC.features());
        assert_eq!(features[0], (0, None, 1.0 / 30.0));
        assert_eq!(features[4], (1, Some(3), 1.0));
        assert_eq!(features[9], (3, None, 1.0));
    }
}
