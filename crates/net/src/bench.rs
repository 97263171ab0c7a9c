//! The workload that `meeple bench net` times.

use meeple_game::{Action, Field, ObservationSpec};
use meeple_rng::Rng;

use crate::batch::{Batch, Example};
use crate::compiled::{Precision, Predictor};
use crate::network::Network;
use crate::shape::{Shape, Signature};
use crate::train::{TrainOptions, Trainer};

/// Observation cells of the benchmark network.
const CELLS: usize = 424;
/// Its actions.
const ACTIONS: usize = 512;
/// Its seats.
const SEATS: usize = 4;
/// Legal actions of each example.
const LEGAL: usize = 12;

static SPEC: ObservationSpec = ObservationSpec::new(1, &[Field::count("amount", 9).times(CELLS)]);

/// A network of the default shape over 424 counts, none of which is 0, and
/// observations to evaluate: the worst case for sparse features.
#[derive(Debug)]
pub struct Workload {
    network: Network,
    observations: Vec<i32>,
    values: Vec<f32>,
    logits: Vec<f32>,
    /// The row at which the next prediction starts.
    next: usize,
}

impl Workload {
    /// Creates a workload for batches of up to `max_rows` rows.
    #[must_use]
    pub fn new(max_rows: usize) -> Self {
        Self::with_shape(max_rows, Shape::default())
    }

    /// The same with a network of another shape.
    ///
    /// # Panics
    ///
    /// Panics when the shape is not valid.
    #[must_use]
    pub fn with_shape(max_rows: usize, shape: Shape) -> Self {
        let signature = Signature::new("bench", &SPEC, ACTIONS, SEATS);
        let network =
            Network::with_signature(signature, &SPEC, shape, 1).expect("the shape is valid");
        let mut rng = Rng::new(2);
        Self {
            network,
            observations: (0..max_rows * CELLS).map(|_| 1 + rng.below(9) as i32).collect(),
            values: vec![0.0; max_rows * SEATS],
            logits: vec![0.0; max_rows * ACTIONS],
            next: 0,
        }
    }

    /// Returns the network.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Returns the network, compiled.
    #[must_use]
    pub fn predictor(&self, precision: Precision) -> Predictor {
        self.network.compile(precision)
    }

    /// Predicts the next `rows`, never the same twice in succession; returns a
    /// number that depends on the outputs, so that no work is optimized away.
    ///
    /// # Panics
    ///
    /// Panics when `rows` exceeds the number of rows of the workload.
    pub fn predict(&mut self, predictor: &mut Predictor, rows: usize) -> f32 {
        let values = &mut self.values[..rows * SEATS];
        let logits = &mut self.logits[..rows * ACTIONS];
        if (self.next + rows) * CELLS > self.observations.len() {
            self.next = 0;
        }
        let observations = &self.observations[self.next * CELLS..][..rows * CELLS];
        self.next += rows;
        predictor.predict_batch(observations, values, logits);
        values[0] + logits[0]
    }

    /// Returns a trainer of the network, and a batch of all rows to train on.
    #[must_use]
    pub fn training(&self) -> (Trainer, Batch) {
        let mut rng = Rng::new(3);
        let mut batch = Batch::default();
        for observation in self.observations.chunks_exact(CELLS) {
            let first = rng.below(ACTIONS - LEGAL) as u16;
            let legal: Vec<Action> = (first..first + LEGAL as u16).map(Action).collect();
            let mut policy = [0.0; LEGAL];
            policy[rng.below(LEGAL)] = 1.0;
            let value = rng.unit() as f32;
            let example = Example {
                observation,
                legal: &legal,
                policy: &policy,
                values: &[value, -value],
                policy_weight: 1.0,
                value_weight: 1.0,
            };
            batch.push(&example, SEATS);
        }
        (Trainer::new(self.network.clone(), TrainOptions::default()), batch)
    }
}
