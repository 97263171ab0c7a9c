//! Checkpoints of networks and trainers as safetensors files.
//!
//! Weights are tensors named by their layer, `block0.first.weights`; Adam's
//! first and second moments have the same names with the prefixes `mean.` and
//! `square.`. One metadata entry, `meeple`, describes the file in JSON.

use std::path::Path;

use meeple_game::GameInfo;
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView, serialize};
use serde::{Deserialize, Serialize};

use super::{read, write};
use crate::NetError;
use crate::network::{Dense, Network};
use crate::shape::{Shape, Signature};
use crate::train::{Moments, TrainOptions, Trainer};

/// The name of the file format.
const FORMAT: &str = "meeple-network";
/// The version of the file format.
const VERSION: u32 = 1;
/// The only metadata entry: the order of several entries would differ from file
/// to file, and files would not be reproducible.
const ENTRY: &str = "meeple";

/// Format and version, which are checked before the rest is parsed.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

/// The metadata of a checkpoint.
#[derive(Serialize, Deserialize)]
struct About {
    format: String,
    version: u32,
    #[serde(rename = "purpose")]
    signature: Signature,
    shape: Shape,
    training: Option<Training>,
}

/// The state of a trainer besides its tensors.
#[derive(Serialize, Deserialize)]
struct Training {
    steps: u64,
    options: TrainOptions,
    note: String,
}

impl Network {
    /// Writes the weights to a file, atomically.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), NetError> {
        store(path, self, None, &[("", self.layers())])
    }

    /// Returns the bytes that [`save`](Self::save) writes.
    ///
    /// # Errors
    ///
    /// When serialization fails.
    pub fn to_bytes(&self) -> Result<Vec<u8>, NetError> {
        let failed = |reason: String| NetError::Write { path: "memory".into(), reason };
        encode(self, None, &[("", self.layers())]).map_err(failed)
    }

    /// Reads a network for the game that `info` describes from a file written by
    /// [`Network::save`] or [`Trainer::save`].
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is damaged, has a newer version, or holds a
    /// network for another game or observation layout.
    pub fn load(info: &GameInfo, path: &Path) -> Result<Self, NetError> {
        Self::from_bytes(info, path, &read(path)?)
    }

    /// Reads a network for the game that `info` describes from the bytes of a
    /// file; `path` is used in error messages.
    ///
    /// # Errors
    ///
    /// As [`load`](Self::load).
    pub fn from_bytes(info: &GameInfo, path: &Path, bytes: &[u8]) -> Result<Self, NetError> {
        Ok(Contents::open(info, path, bytes)?.network)
    }
}

impl Trainer {
    /// Writes a checkpoint to resume training from: the network, the optimizer
    /// state and the options. The file is written atomically.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), NetError> {
        let moments = self.moments();
        let training =
            Training { steps: moments.steps, options: self.options, note: self.note.clone() };
        let groups = [
            ("", self.network().layers()),
            ("mean.", &moments.first[..]),
            ("square.", &moments.second[..]),
        ];
        store(path, self.network(), Some(training), &groups)
    }

    /// Reads a checkpoint written by [`Trainer::save`].
    ///
    /// # Errors
    ///
    /// As [`Network::load`], and when the file has no optimizer state.
    pub fn load(info: &GameInfo, path: &Path) -> Result<Self, NetError> {
        Self::from_bytes(info, path, &read(path)?)
    }

    /// Reads a checkpoint from the bytes of a file; `path` is used in error
    /// messages.
    ///
    /// # Errors
    ///
    /// As [`load`](Self::load).
    pub fn from_bytes(info: &GameInfo, path: &Path, bytes: &[u8]) -> Result<Self, NetError> {
        let contents = Contents::open(info, path, bytes)?;
        let missing = || NetError::NoTraining { path: path.to_owned() };
        let training = contents.training.ok_or_else(missing)?;
        let mut moments = Moments::new(contents.network.layers());
        moments.steps = training.steps;
        let names = contents.network.layer_names();
        fill(path, &contents.tensors, "mean.", &names, &mut moments.first)?;
        fill(path, &contents.tensors, "square.", &names, &mut moments.second)?;
        Ok(Self::resume(contents.network, training.options, moments, training.note))
    }
}

fn store(
    path: &Path,
    network: &Network,
    training: Option<Training>,
    groups: &[(&str, &[Dense])],
) -> Result<(), NetError> {
    let failed = |reason: String| NetError::Write { path: path.to_owned(), reason };
    write(path, &encode(network, training, groups).map_err(failed)?)
}

/// Returns the bytes of a checkpoint.
fn encode(
    network: &Network,
    training: Option<Training>,
    groups: &[(&str, &[Dense])],
) -> Result<Vec<u8>, String> {
    let about = About {
        format: FORMAT.to_owned(),
        version: VERSION,
        signature: network.signature().clone(),
        shape: network.shape(),
        training,
    };
    let mut tensors = Vec::new();
    for (prefix, layers) in groups {
        for (name, layer) in network.layer_names().iter().zip(*layers) {
            let weights = vec![layer.inputs, layer.outputs];
            tensors.push((format!("{prefix}{name}.weights"), weights, to_bytes(&layer.weights)));
            tensors.push((
                format!("{prefix}{name}.bias"),
                vec![layer.outputs],
                to_bytes(&layer.bias),
            ));
        }
    }
    let views = tensors
        .iter()
        .map(|(name, shape, data)| {
            TensorView::new(Dtype::F32, shape.clone(), data).map(|view| (name, view))
        })
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| error.to_string())?;
    let about = serde_json::to_string(&about).map_err(|error| error.to_string())?;
    let metadata = [(ENTRY.to_owned(), about)].into_iter().collect();
    serialize(views, Some(metadata)).map_err(|error| error.to_string())
}

/// A parsed checkpoint.
struct Contents<'a> {
    tensors: SafeTensors<'a>,
    network: Network,
    training: Option<Training>,
}

impl<'a> Contents<'a> {
    fn open(info: &GameInfo, path: &Path, bytes: &'a [u8]) -> Result<Self, NetError> {
        let damaged = |reason: String| NetError::Damaged { path: path.to_owned(), reason };
        let (_, metadata) =
            SafeTensors::read_metadata(bytes).map_err(|error| damaged(error.to_string()))?;
        let entry = metadata.metadata().as_ref().and_then(|entries| entries.get(ENTRY));
        let about = entry.ok_or_else(|| damaged(format!("its metadata has no entry {ENTRY:?}")))?;
        let head: Head = serde_json::from_str(about).map_err(|error| damaged(error.to_string()))?;
        if head.format != FORMAT {
            return Err(damaged(format!("its format is {:?}, expected {FORMAT:?}", head.format)));
        }
        if head.version > VERSION {
            let (version, expected) = (head.version, VERSION);
            return Err(NetError::Newer { path: path.to_owned(), version, expected });
        }
        let about: About =
            serde_json::from_str(about).map_err(|error| damaged(error.to_string()))?;
        let foreign = |(what, expected, got)| NetError::Foreign {
            path: path.to_owned(),
            what,
            expected,
            got,
        };
        let seats = about.signature.seats.clamp(info.min_players, info.max_players);
        let wanted = Signature::of(info, seats)?;
        if let Some(difference) = wanted.difference(&about.signature) {
            return Err(foreign(difference));
        }
        let tensors =
            SafeTensors::deserialize(bytes).map_err(|error| damaged(error.to_string()))?;
        about.shape.check().map_err(|error| damaged(error.to_string()))?;
        check_size(&about, bytes.len()).map_err(damaged)?;
        let mut network =
            Network::with_signature(about.signature, info.observation, about.shape, 0)?;
        let names = network.layer_names();
        fill(path, &tensors, "", &names, network.layers_mut())?;
        Ok(Self { tensors, network, training: about.training })
    }
}

/// Rejects shapes with more weights than the file can hold, before any memory is
/// allocated for them.
fn check_size(about: &About, bytes: usize) -> Result<(), String> {
    let Shape { width, blocks, bottleneck, value_hidden } = about.shape;
    let trunk = about.signature.features * width + 2 * blocks * width * width + width * bottleneck;
    let policy_head = bottleneck * about.signature.actions;
    let value_head = bottleneck * value_hidden + value_hidden * about.signature.seats;
    let weights = trunk + policy_head + value_head;
    if weights.saturating_mul(4) > bytes {
        return Err(format!("{:?} needs {weights} weights, more than the file holds", about.shape));
    }
    Ok(())
}

/// Fills layers from the tensors with their names.
fn fill(
    path: &Path,
    tensors: &SafeTensors<'_>,
    prefix: &str,
    names: &[String],
    layers: &mut [Dense],
) -> Result<(), NetError> {
    for (name, layer) in names.iter().zip(layers) {
        let shape = [layer.inputs, layer.outputs];
        let weights = format!("{prefix}{name}.weights");
        let bias = format!("{prefix}{name}.bias");
        let filled = fill_one(tensors, &weights, &shape, &mut layer.weights)
            .and_then(|()| fill_one(tensors, &bias, &shape[1..], &mut layer.bias));
        filled.map_err(|reason| NetError::Damaged { path: path.to_owned(), reason })?;
    }
    Ok(())
}

fn fill_one(
    tensors: &SafeTensors<'_>,
    name: &str,
    shape: &[usize],
    numbers: &mut [f32],
) -> Result<(), String> {
    let tensor = tensors.tensor(name).map_err(|error| error.to_string())?;
    if tensor.dtype() != Dtype::F32 || tensor.shape() != shape {
        return Err(format!(
            "{name} is {:?} {:?}, expected F32 {shape:?}",
            tensor.dtype(),
            tensor.shape()
        ));
    }
    for (number, bytes) in numbers.iter_mut().zip(tensor.data().as_chunks::<4>().0) {
        *number = f32::from_le_bytes(*bytes);
    }
    match numbers.iter().find(|number| !number.is_finite()) {
        Some(number) => Err(format!("{name} holds {number}, expected finite numbers")),
        None => Ok(()),
    }
}

fn to_bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
