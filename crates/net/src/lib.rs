//! Networks that judge games: what each seat may expect, and which actions are
//! good.
//!
//! A [`Network`] is made from a game's observation layout: amounts are scaled,
//! each thing of a category has weights of its own, flags are as they are. A
//! trunk of residual blocks ([`Shape`]) ends in two heads: one logit an action
//! and one value a seat, the observer's first. A [`Trainer`] teaches it from
//! [`Batch`]es; a [`Predictor`], [compiled](Network::compile) from it, answers
//! fast, in floats or in bytes; a [`NetEvaluator`] lets a search ask.
//!
//! ```
//! use meeple_game::{Action, Game, Player};
//! use meeple_games::small::ConnectFour;
//! use meeple_net::{
//!     Batch, Example, Network, Precision, Shape, TrainOptions, Trainer,
//! };
//!
//! // A small network for connect four.
//! let shape = Shape { width: 64, blocks: 1, neck: 32, value: 32 };
//! let network = Network::new::<ConnectFour>(shape, 2, 1)?;
//! let mut trainer = Trainer::new(network, TrainOptions::default());
//!
//! // One position: the first, where the middle column is best.
//! let game = ConnectFour::new(&Default::default());
//! let mut observation = vec![0; ConnectFour::observation().len()];
//! game.observe(Player(0), &mut observation);
//! let legal: Vec<Action> = (0..7).map(Action).collect();
//! let example = Example {
//!     observation: &observation,
//!     legal: &legal,
//!     policy: &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
//!     values: &[1.0, -1.0],
//!     policy_weight: 1.0,
//!     value_weight: 1.0,
//! };
//! let mut batch = Batch::default();
//! batch.push(&example, 2);
//! let first = trainer.train_batch(&batch)?;
//! for _ in 0..50 {
//!     trainer.train_batch(&batch)?;
//! }
//! assert!(trainer.test_batch(&batch)?.policy < first.policy);
//!
//! // Saved, loaded, compiled and asked.
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("four.safetensors");
//! trainer.network().save(&path)?;
//! let mut predictor = Network::load::<ConnectFour>(&path)?.compile(Precision::Float);
//! let (mut values, mut logits) = ([0.0; 2], [0.0; 7]);
//! predictor.predict(&observation, &mut values, &mut logits);
//! assert!(values[0] > 0.5 && values[1] < -0.5);
//! assert!((0..7).all(|column| logits[column] <= logits[3]));
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! # No normalization
//!
//! There is no batch normalization, and so nothing to fold away before
//! predicting. It would make what a network says in training depend on the rest
//! of the batch, and add running means that are one more thing to save. A few
//! residual blocks do not need it: the last layer of each block starts at 0, so
//! a new network is a shallow one whose depth comes in as it learns, and long
//! gradients are cut.
//!
//! # The same everywhere
//!
//! Sums of floats run over their inputs in order, with one rounding a step, on
//! every kind of machine and in batches of any size; bytes are summed exactly.
//! So what is predicted for an observation does not depend on what else is in
//! the batch, and training with the same batches gives the same weights. On
//! machines without fused multiplication that is slow.

mod batch;
mod bench;
mod compiled;
mod encode;
mod error;
mod evaluator;
mod file;
mod kernel;
mod network;
mod shape;
mod train;

pub use batch::{Batch, Example};
pub use bench::Workload;
pub use compiled::{Precision, Predictor};
pub use error::NetError;
pub use evaluator::NetEvaluator;
pub use network::Network;
pub use shape::{Purpose, Shape};
pub use train::{Losses, TrainOptions, Trainer};
