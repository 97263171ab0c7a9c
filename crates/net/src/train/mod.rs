//! Training: one optimizer step (AdamW) per batch.

mod adam;
mod loss;
mod pass;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub(crate) use adam::Moments;

use crate::NetError;
use crate::batch::Batch;
use crate::kernel::Isa;
use crate::network::{Dense, Network};
use pass::{Pass, Scratch};

/// The hyperparameters of training.
///
/// The optimizer is AdamW (Loshchilov, Hutter 2019): each step moves every
/// weight by `learning_rate` times Adam's normalized gradient, and shrinks it by
/// `learning_rate * decay`. The learning rate is constant here; a schedule
/// changes [`Trainer::options`] between batches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrainOptions {
    /// The learning rate.
    pub learning_rate: f32,
    /// The weight decay; biases do not decay.
    pub decay: f32,
    /// The weight of the value loss, where the policy loss has weight 1.
    pub value_share: f32,
    /// The maximum gradient norm; longer gradients are clipped to it (Pascanu,
    /// Mikolov, Bengio 2013).
    pub clip: f32,
    /// Adam's β₁, the decay rate of the first moment.
    pub momentum: f32,
    /// Adam's β₂, the decay rate of the second moment.
    pub smoothing: f32,
}

impl Default for TrainOptions {
    fn default() -> Self {
        Self {
            learning_rate: 1e-3,
            decay: 1e-2,
            value_share: 1.0,
            clip: 1.0,
            momentum: 0.9,
            smoothing: 0.999,
        }
    }
}

impl TrainOptions {
    /// Checks that every option is in range.
    ///
    /// # Errors
    ///
    /// When an option is out of range.
    pub fn check(&self) -> Result<(), NetError> {
        let not_negative = [
            ("learning_rate", self.learning_rate),
            ("decay", self.decay),
            ("value_share", self.value_share),
        ];
        for (name, value) in not_negative {
            let is_good = value >= 0.0 && value.is_finite();
            NetError::expect(is_good, name, f64::from(value), "0 or more")?;
        }
        let is_good = self.clip > 0.0 && self.clip.is_finite();
        NetError::expect(is_good, "clip", f64::from(self.clip), "more than 0")?;
        for (name, value) in [("momentum", self.momentum), ("smoothing", self.smoothing)] {
            let is_good = (0.0..1.0).contains(&value);
            NetError::expect(is_good, name, f64::from(value), "at least 0 and below 1")?;
        }
        Ok(())
    }
}

/// The losses of a network on a batch, before the optimizer step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// Cross-entropy of the policies over the legal actions, in nats.
    pub policy: f32,
    /// Mean squared error of the values, over seats.
    pub value: f32,
    /// The L2 penalty that weight decay corresponds to: half the sum of squared
    /// weights, times [`TrainOptions::decay`].
    pub decay: f32,
    /// The gradient norm before clipping.
    pub gradient: f32,
}

/// A network with the state of its optimizer.
///
/// Training resumed from a [saved](Trainer::save) checkpoint gives bit-identical
/// weights.
#[derive(Clone, Debug)]
pub struct Trainer {
    /// The hyperparameters; may change from batch to batch.
    pub options: TrainOptions,
    /// Text of the caller that is stored in the checkpoint.
    pub note: String,
    network: Network,
    moments: Moments,
    gradient: Vec<Dense>,
    scratch: Scratch,
    isa: Isa,
}

impl Trainer {
    /// Creates a trainer of `network`, with a new optimizer state.
    #[must_use]
    pub fn new(network: Network, options: TrainOptions) -> Self {
        let moments = Moments::new(network.layers());
        Self::resume(network, options, moments, String::new())
    }

    pub(crate) fn resume(
        network: Network,
        options: TrainOptions,
        moments: Moments,
        note: String,
    ) -> Self {
        let gradient = network.layers().iter().map(Dense::zeroed).collect();
        let isa = Isa::detect();
        let scratch = Scratch::default();
        Self { options, note, network, moments, gradient, scratch, isa }
    }

    /// Returns the network with its current weights.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    pub(crate) fn moments(&self) -> &Moments {
        &self.moments
    }

    /// Returns the number of optimizer steps so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.moments.steps
    }

    /// Makes one optimizer step on a batch.
    ///
    /// # Errors
    ///
    /// When the batch is empty or does not fit this network, an option is out of
    /// range, or a loss is NaN or infinite; the weights then stay unchanged.
    pub fn train_batch(&mut self, batch: &Batch) -> Result<Losses, NetError> {
        self.options.check()?;
        let mut losses = self.pass(batch, true)?;
        losses.gradient = self.moments.norm(self.isa, &self.gradient)?;
        let layers = self.network.layers_mut();
        losses.decay = adam::decay_loss(layers, self.options.decay);
        finite("the weight decay", losses.decay)?;
        self.moments.step(self.isa, &self.options, losses.gradient, &self.gradient, layers);
        Ok(losses)
    }

    /// Returns the losses on a batch, without an optimizer step.
    ///
    /// # Errors
    ///
    /// When the batch is empty or does not fit this network, or a loss is NaN or
    /// infinite.
    pub fn test_batch(&mut self, batch: &Batch) -> Result<Losses, NetError> {
        let mut losses = self.pass(batch, false)?;
        losses.decay = adam::decay_loss(self.network.layers(), self.options.decay);
        Ok(losses)
    }

    /// Computes the losses of a batch and, if `backward`, their gradient.
    fn pass(&mut self, batch: &Batch, backward: bool) -> Result<Losses, NetError> {
        batch.check(self.network.signature(), self.network.encoder())?;
        let is_dense = self.network.encoder().is_dense(&batch.observations);
        self.pass_encoded(batch, is_dense, backward)
    }

    /// Computes the losses of a valid batch, from dense or from sparse features.
    fn pass_encoded(
        &mut self,
        batch: &Batch,
        is_dense: bool,
        backward: bool,
    ) -> Result<Losses, NetError> {
        self.scratch.encode(&self.network, batch, is_dense)?;
        let pass = Pass {
            network: &self.network,
            batch,
            value_share: self.options.value_share,
            scratch: &mut self.scratch,
            gradient: backward.then_some(&mut self.gradient),
            isa: self.isa,
        };
        let losses = pass.run();
        finite("the policy loss", losses.policy)?;
        finite("the value loss", losses.value)?;
        Ok(losses)
    }
}

fn finite(what: &'static str, value: f32) -> Result<(), NetError> {
    if value.is_finite() { Ok(()) } else { Err(NetError::NotFinite { what, value }) }
}
