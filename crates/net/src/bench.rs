//! Work to be timed: what `meeple bench net` measures.

use meeple_game::{Action, Field, ObservationSpec};
use meeple_rng::Rng;

use crate::batch::{Batch, Example};
use crate::compiled::{Precision, Predictor};
use crate::network::Network;
use crate::shape::{Purpose, Shape};
use crate::train::{TrainOptions, Trainer};

/// Cells of the network that is measured.
const CELLS: usize = 424;
/// Its actions.
const ACTIONS: usize = 512;
/// Its seats.
const SEATS: usize = 4;
/// Legal actions of each example.
const LEGAL: usize = 12;

static SPEC: ObservationSpec = ObservationSpec::new(1, &[Field::count("amount", 9).times(CELLS)]);

/// A network of the default shape over 424 amounts, none of which is 0, and
/// something to ask it: the hardest case of its size.
#[derive(Debug)]
pub struct Workload {
    network: Network,
    observations: Vec<i32>,
    values: Vec<f32>,
    logits: Vec<f32>,
    /// Where the next question starts.
    next: usize,
}

impl Workload {
    /// Something to ask in batches of up to `most` rows.
    #[must_use]
    pub fn new(most: usize) -> Self {
        let purpose = Purpose::new("bench", &SPEC, ACTIONS, SEATS);
        let network = Network::for_purpose(purpose, &SPEC, Shape::default(), 1)
            .expect("the default shape is one");
        let mut rng = Rng::new(2);
        Self {
            network,
            observations: (0..most * CELLS).map(|_| 1 + rng.below(9) as i32).collect(),
            values: vec![0.0; most * SEATS],
            logits: vec![0.0; most * ACTIONS],
            next: 0,
        }
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The network, compiled.
    #[must_use]
    pub fn predictor(&self, precision: Precision) -> Predictor {
        self.network.compile(precision)
    }

    /// Asks about the next `rows`, never the same twice in a row; answers with something that depends on all
    /// that was said.
    ///
    /// # Panics
    ///
    /// Panics when there are not as many.
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

    /// The network in training, and a batch of all rows to train it on.
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
