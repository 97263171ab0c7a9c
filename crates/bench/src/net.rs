//! The suite `net`: inference and training of a network of the default shape.

use std::hint::black_box;

use meeple_net::{Precision, Workload};

use crate::{Bench, Unit};

/// Batch sizes of inference.
const BATCHES: [usize; 4] = [1, 16, 64, 256];
/// Batch size of a training step.
const EXAMPLES: usize = 256;

pub(crate) fn measure(bench: &mut Bench<'_>) {
    let mut add = |name: String, unit: Unit, count: usize, work: &mut dyn FnMut()| {
        bench.add(name, unit, &mut |bench| {
            let ns = bench.ns_per_op(&mut |repetitions| (0..repetitions).for_each(|_| work()));
            count as f64 * 1e9 / ns
        });
    };
    let mut workload = Workload::new(EXAMPLES);
    for (form, precision) in [("float", Precision::Float), ("byte", Precision::Int8)] {
        let mut predictor = workload.predictor(precision);
        for batch in BATCHES {
            let name = format!("net/{form}/batch_{batch}");
            add(name, Unit::EvaluationsPerSecond, batch, &mut || {
                black_box(workload.predict(&mut predictor, batch));
            });
        }
    }
    let (mut trainer, batch) = workload.training();
    let name = format!("net/training/batch_{EXAMPLES}");
    add(name, Unit::ExamplesPerSecond, EXAMPLES, &mut || {
        black_box(trainer.train_batch(&batch).expect("a valid training batch"));
    });
}
