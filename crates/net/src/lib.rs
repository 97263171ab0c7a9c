//! Policy-value networks for games: training, checkpoints and compiled inference.
//!
//! A [`Network`] is built from a game's observation layout: counts are scaled,
//! categories are one-hot encoded, flags are 0 or 1. A fully connected trunk of
//! residual blocks ([`Shape`]) feeds two heads: the policy head has one logit
//! per action, the value head one value per seat, the observer's first. A
//! [`Trainer`] fits the weights to [`Batch`]es; a [`Predictor`],
//! [compiled](Network::compile) from the network, runs fast inference in `f32`
//! or `int8`; a [`NetEvaluator`] evaluates the leaves of a search.
//!
//! ```
//! use meeple_game::{Action, Game, Player};
//! use meeple_games::small::ConnectFour;
//! use meeple_net::{
//!     Batch, Example, Network, Precision, Shape, TrainOptions, Trainer,
//! };
//!
//! // A small network for connect four.
//! let shape = Shape { width: 64, blocks: 1, bottleneck: 32, value_hidden: 32 };
//! let game = ConnectFour::new(&Default::default());
//! let network = Network::new(&game.info(), shape, 2, 1)?;
//! let mut trainer = Trainer::new(network, TrainOptions::default());
//!
//! // One example: the empty board, where the middle column is best.
//! let mut observation = vec![0; game.observation().len()];
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
//! // Save, load, compile, predict.
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("four.safetensors");
//! trainer.network().save(&path)?;
//! let mut predictor = Network::load(&game.info(), &path)?.compile(Precision::Float);
//! let (mut values, mut logits) = ([0.0; 2], [0.0; 7]);
//! predictor.predict(&observation, &mut values, &mut logits);
//! assert!(values[0] > 0.5 && values[1] < -0.5);
//! assert!((0..7).all(|column| logits[column] <= logits[3]));
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! # No normalization
//!
//! The network has no batch normalization, so there is nothing to fold into the
//! weights before inference. Batch normalization would make training outputs
//! depend on the rest of the batch and add running statistics to every
//! checkpoint. A few residual blocks train without it: the second layer of each
//! block is initialized to 0, so a block starts as the identity (compare Fixup:
//! Zhang, Dauphin, Ma 2019), and gradients are clipped by their norm.
//!
//! # Bitwise reproducibility
//!
//! Float sums run over their inputs in order, with one fused multiply-add and
//! one rounding a step, on every instruction set and for every batch size;
//! `int8` products are summed exactly. So the prediction for an observation does
//! not depend on the rest of the batch, and training on the same batches gives
//! the same weights. On processors without FMA this is slow, because the fused
//! multiply-add is emulated.

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
pub use shape::{Shape, Signature};
pub use train::{Losses, TrainOptions, Trainer};
