//! Samples as safetensors files.

use meeple_game::{Action, Field, GameInfo, Kind, MAX_PLAYERS, ObservationSpec};
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView, serialize};
use serde_json::{Value, json};

use super::Samples;

/// The version of the file format.
pub const SAMPLES_VERSION: &str = "2";

/// An error of reading or writing samples.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SampleError {
    /// The samples cannot be written.
    #[error("cannot be written: {reason}")]
    Unwritable {
        /// The reason.
        reason: String,
    },
    /// The data is not a file of samples, or damaged.
    #[error("not a file of samples, or damaged: {reason}")]
    Damaged {
        /// What is wrong.
        reason: String,
    },
    /// The samples have another version.
    #[error("a file of samples of version {version}, expected version {SAMPLES_VERSION}")]
    Newer {
        /// The version.
        version: String,
    },
    /// The samples belong to something else, such as another game.
    #[error("its {what} is {got}, expected {expected}")]
    Foreign {
        /// What differs.
        what: &'static str,
        /// The expected value.
        expected: String,
        /// The actual value.
        got: String,
    },
}

/// The layout of the samples of a game.
#[derive(Clone, Copy, Debug)]
pub struct SampleLayout {
    game: &'static str,
    actions: usize,
    observation: &'static ObservationSpec,
}

impl SampleLayout {
    /// Returns the layout of the game that `info` describes.
    #[must_use]
    pub fn of(info: &GameInfo) -> Self {
        Self { game: info.name, actions: info.actions, observation: info.observation }
    }
}

fn damaged(reason: impl Into<String>) -> SampleError {
    SampleError::Damaged { reason: reason.into() }
}

/// Returns the narrowest type that holds every cell of an observation.
fn cell_type(spec: &ObservationSpec) -> Dtype {
    let bounds = spec.fields().iter().map(|field| field.kind().bounds());
    let (low, high) = bounds.fold((0, 0), |(low, high), (min, max)| (low.min(min), high.max(max)));
    if low >= 0 && high <= i32::from(u8::MAX) {
        Dtype::U8
    } else if low >= i32::from(i16::MIN) && high <= i32::from(i16::MAX) {
        Dtype::I16
    } else {
        Dtype::I32
    }
}

impl Samples {
    /// Serializes the samples in the safetensors format, described in
    /// `docs/src/reference/training.md`. `configs` are the configurations of the tables.
    ///
    /// # Errors
    ///
    /// When the samples are too large for the format.
    pub fn to_bytes(
        &self,
        layout: &SampleLayout,
        configs: &[Value],
    ) -> Result<Vec<u8>, SampleError> {
        let count = self.len();
        let players = self.seats_at_table;
        let mut starts = vec![0u32];
        starts.extend(&self.ends);
        let cells = cell_type(layout.observation);
        let observations = match cells {
            Dtype::U8 => self.observations.iter().map(|&cell| cell as u8).collect(),
            Dtype::I16 => bytes(&self.observations, |cell| (cell as i16).to_le_bytes()),
            _ => bytes(&self.observations, i32::to_le_bytes),
        };
        let rows = vec![count, players];
        let tensors: [(&str, Dtype, Vec<usize>, Vec<u8>); 11] = [
            ("observations", cells, vec![count, layout.observation.len()], observations),
            ("legal_starts", Dtype::U32, vec![count + 1], bytes(&starts, u32::to_le_bytes)),
            (
                "legal_actions",
                Dtype::U16,
                vec![self.legal.len()],
                bytes(&self.legal, |action| action.0.to_le_bytes()),
            ),
            (
                "legal_policy",
                Dtype::F32,
                vec![self.policy.len()],
                bytes(&self.policy, f32::to_le_bytes),
            ),
            ("actions", Dtype::U16, vec![count], bytes(&self.actions, u16::to_le_bytes)),
            ("seats", Dtype::U8, vec![count], self.seats.clone()),
            ("games", Dtype::U64, vec![count], bytes(&self.games, u64::to_le_bytes)),
            ("configs", Dtype::U16, vec![count], bytes(&self.configs, u16::to_le_bytes)),
            ("outcomes", Dtype::F32, rows.clone(), bytes(&self.outcomes, f32::to_le_bytes)),
            ("values", Dtype::F32, rows, bytes(&self.values, f32::to_le_bytes)),
            ("cut", Dtype::U8, vec![count], self.cut.clone()),
        ];
        let failed = |error: safetensors::SafeTensorError| SampleError::Unwritable {
            reason: error.to_string(),
        };
        let views = tensors
            .iter()
            .map(|(name, dtype, shape, data)| {
                TensorView::new(*dtype, shape.clone(), data).map(|view| (*name, view))
            })
            .collect::<Result<Vec<_>, _>>()
            .map_err(failed)?;
        // A single metadata entry: safetensors writes several in random order, which would change
        // the bytes from run to run.
        let about = json!({
            "format": "meeple-samples",
            "version": SAMPLES_VERSION,
            "game": layout.game,
            "configs": configs,
            "actions": layout.actions,
            "observation_version": layout.observation.version(),
            "observation": layout.observation.fields().iter().map(field).collect::<Vec<_>>(),
        });
        let metadata = [("meeple".to_owned(), about.to_string())].into_iter().collect();
        serialize(views, Some(metadata)).map_err(failed)
    }

    /// Reads samples of the game with this layout.
    ///
    /// # Errors
    ///
    /// When the data is not a file of samples, damaged, or of another game.
    pub fn from_bytes(layout: &SampleLayout, bytes: &[u8]) -> Result<Self, SampleError> {
        let (_, header) =
            SafeTensors::read_metadata(bytes).map_err(|error| damaged(error.to_string()))?;
        let about = header.metadata().as_ref().and_then(|metadata| metadata.get("meeple"));
        let about = about.ok_or_else(|| damaged("it does not say what it holds"))?;
        let about: Value =
            serde_json::from_str(about).map_err(|error| damaged(error.to_string()))?;
        check_about(layout, &about)?;
        let tensors =
            SafeTensors::deserialize(bytes).map_err(|error| damaged(error.to_string()))?;
        let read = Reader { tensors };
        let (shape, _) = read.tensor("outcomes", Dtype::F32)?;
        let [count, players] = shape[..] else { return Err(damaged("outcomes is no table")) };
        if !(2..=MAX_PLAYERS).contains(&players) {
            return Err(damaged(format!("outcomes of {players} seats")));
        }
        let starts = read.list("legal_starts", Dtype::U32, count + 1, u32::from_le_bytes)?;
        let entries = starts.last().copied().unwrap_or(0) as usize;
        if starts[0] != 0 || starts.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(damaged("legal_starts does not rise from 0"));
        }
        let spec = layout.observation;
        let samples = Self {
            cells: spec.len(),
            seats_at_table: players,
            observations: read.cells(spec, count)?,
            ends: starts[1..].to_vec(),
            legal: read
                .list("legal_actions", Dtype::U16, entries, |x| Action(u16::from_le_bytes(x)))?,
            policy: read.list("legal_policy", Dtype::F32, entries, f32::from_le_bytes)?,
            actions: read.list("actions", Dtype::U16, count, u16::from_le_bytes)?,
            seats: read.list("seats", Dtype::U8, count, u8::from_le_bytes)?,
            games: read.list("games", Dtype::U64, count, u64::from_le_bytes)?,
            configs: read.list("configs", Dtype::U16, count, u16::from_le_bytes)?,
            outcomes: read.list("outcomes", Dtype::F32, count * players, f32::from_le_bytes)?,
            values: read.list("values", Dtype::F32, count * players, f32::from_le_bytes)?,
            cut: read.list("cut", Dtype::U8, count, u8::from_le_bytes)?,
        };
        match samples.legal.iter().find(|action| action.index() >= layout.actions) {
            Some(action) => Err(damaged(format!("action {} of {}", action.0, layout.actions))),
            None => Ok(samples),
        }
    }
}

fn check_about(layout: &SampleLayout, about: &Value) -> Result<(), SampleError> {
    if about["format"] != "meeple-samples" {
        return Err(damaged("it holds something else"));
    }
    if about["version"] != SAMPLES_VERSION {
        let version = about["version"].as_str().unwrap_or("unknown").to_owned();
        return Err(SampleError::Newer { version });
    }
    let fields: Vec<Value> = layout.observation.fields().iter().map(field).collect();
    for (what, name, expected) in [
        ("game", "game", json!(layout.game)),
        ("number of actions", "actions", json!(layout.actions)),
        ("observation version", "observation_version", json!(layout.observation.version())),
        ("observation layout", "observation", json!(fields)),
    ] {
        if about[name] != expected {
            let text =
                |value: &Value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
            let (expected, got) = (text(&expected), text(&about[name]));
            return Err(SampleError::Foreign { what, expected, got });
        }
    }
    Ok(())
}

struct Reader<'a> {
    tensors: SafeTensors<'a>,
}

impl Reader<'_> {
    fn tensor(&self, name: &str, dtype: Dtype) -> Result<(Vec<usize>, &[u8]), SampleError> {
        let tensor = self.tensors.tensor(name).map_err(|error| damaged(error.to_string()))?;
        if tensor.dtype() != dtype {
            return Err(damaged(format!("{name} is {:?}, expected {dtype:?}", tensor.dtype())));
        }
        Ok((tensor.shape().to_vec(), tensor.data()))
    }

    fn list<T, const N: usize>(
        &self,
        name: &str,
        dtype: Dtype,
        length: usize,
        read: impl Fn([u8; N]) -> T,
    ) -> Result<Vec<T>, SampleError> {
        let (_, data) = self.tensor(name, dtype)?;
        let (chunks, _) = data.as_chunks::<N>();
        if chunks.len() != length {
            let got = chunks.len();
            return Err(damaged(format!("{name} has {got} entries, expected {length}")));
        }
        Ok(chunks.iter().map(|&chunk| read(chunk)).collect())
    }

    fn cells(&self, spec: &ObservationSpec, count: usize) -> Result<Vec<i32>, SampleError> {
        let length = count * spec.len();
        let dtype = cell_type(spec);
        match dtype {
            Dtype::U8 => self.list("observations", dtype, length, |[cell]: [u8; 1]| cell.into()),
            Dtype::I16 => {
                self.list("observations", dtype, length, |cell| i16::from_le_bytes(cell).into())
            }
            _ => self.list("observations", dtype, length, i32::from_le_bytes),
        }
    }
}

fn field(field: &Field) -> Value {
    let kind = match field.kind() {
        Kind::Count { min, max, scale } => {
            json!({"count": {"min": min, "max": max, "scale": scale}})
        }
        Kind::Category { size } => json!({"category": {"size": size}}),
        Kind::Flag => json!("flag"),
    };
    json!({"name": field.name(), "cells": field.cells(), "kind": kind})
}

fn bytes<T: Copy, const N: usize>(values: &[T], write: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|&value| write(value)).collect()
}
