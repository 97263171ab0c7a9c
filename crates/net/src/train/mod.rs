//! Training: one batch, one step down the loss.

mod adam;
#[cfg(test)]
mod check;
mod loss;
mod pass;

use serde::{Deserialize, Serialize};

pub(crate) use adam::Moments;

use crate::NetError;
use crate::batch::Batch;
use crate::kernel::Kind;
use crate::network::{Dense, Network};
use pass::{Pass, Room};

/// How a network is trained.
///
/// The optimizer is Adam with decoupled weight decay: each step moves every
/// weight by `learning_rate` times its own normalized gradient, and shrinks
/// it by `learning_rate * decay`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrainOptions {
    /// How far a step goes.
    pub learning_rate: f32,
    /// How strongly weights are pulled towards 0; biases are not.
    pub decay: f32,
    /// How much the error of the values counts beside the policy's.
    pub value_share: f32,
    /// The longest gradient that is followed in full; longer ones are cut to it.
    pub clip: f32,
    /// How much of the mean gradient is kept at each step.
    pub momentum: f32,
    /// How much of the mean squared gradient is kept at each step.
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
    /// Checks that every option makes sense.
    ///
    /// # Errors
    ///
    /// When one does not.
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
            NetError::expect(is_good, name, f64::from(value), "from 0 up to but without 1")?;
        }
        Ok(())
    }
}

/// How wrong a network was on a batch, before it learned from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// Cross-entropy of the policies, over legal actions alone, in nats.
    pub policy: f32,
    /// Squared error of the values, mean over seats.
    pub value: f32,
    /// What weight decay minimizes: half the squares of all weights, times
    /// [`TrainOptions::decay`].
    pub decay: f32,
    /// The length of the gradient before it was cut.
    pub gradient: f32,
}

/// A network in training.
///
/// [Saved](Trainer::save) and loaded, it goes on as if nothing had happened, to
/// the last bit.
#[derive(Clone, Debug)]
pub struct Trainer {
    /// How it is trained; may change from batch to batch.
    pub options: TrainOptions,
    /// Text that is saved along, for whoever drives the training.
    pub note: String,
    network: Network,
    moments: Moments,
    gradient: Vec<Dense>,
    room: Room,
    kind: Kind,
}

impl Trainer {
    /// Starts to train `network`.
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
        let kind = Kind::detect();
        Self { options, note, network, moments, gradient, room: Room::default(), kind }
    }

    /// The network as it is now.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    pub(crate) fn moments(&self) -> &Moments {
        &self.moments
    }

    /// Batches learned from so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.moments.steps
    }

    /// Learns from a batch.
    ///
    /// # Errors
    ///
    /// When the batch is empty or not for this network, an option makes no
    /// sense, or a loss is no number any more; the weights are then as before.
    pub fn train_batch(&mut self, batch: &Batch) -> Result<Losses, NetError> {
        self.options.check()?;
        let mut losses = self.pass(batch, true)?;
        losses.gradient = self.moments.length(self.kind, &self.gradient)?;
        let layers = self.network.layers_mut();
        losses.decay = adam::decay_loss(layers, self.options.decay);
        finite("the weight decay", losses.decay)?;
        self.moments.step(self.kind, &self.options, losses.gradient, &self.gradient, layers);
        Ok(losses)
    }

    /// How wrong the network is on a batch, without learning from it.
    ///
    /// # Errors
    ///
    /// When the batch is empty or not for this network, or a loss is no number.
    pub fn test_batch(&mut self, batch: &Batch) -> Result<Losses, NetError> {
        let mut losses = self.pass(batch, false)?;
        losses.decay = adam::decay_loss(self.network.layers(), self.options.decay);
        Ok(losses)
    }

    /// The losses of a batch and, if it `learns`, their gradient.
    fn pass(&mut self, batch: &Batch, learns: bool) -> Result<Losses, NetError> {
        batch.check(self.network.purpose(), self.network.encoder())?;
        self.room.encode(&self.network, batch)?;
        let pass = Pass {
            network: &self.network,
            batch,
            value_share: self.options.value_share,
            room: &mut self.room,
            gradient: learns.then_some(&mut self.gradient),
            kind: self.kind,
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
