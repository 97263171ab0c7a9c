//! Decisions kept for learning, and the files they are written to.

use std::path::Path;

use meeple_game::{ActionList, Game, Kind, Player};
use meeple_search::SearchReport;
use safetensors::tensor::{Dtype, TensorView, serialize};
use serde_json::json;

use super::error::RunError;

/// The version of the files.
const VERSION: &str = "1";

/// Decisions, one after the other, in flat lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Samples {
    observations: Vec<i32>,
    /// Where the legal actions of each decision end.
    ends: Vec<u32>,
    legal: Vec<u16>,
    policy: Vec<f32>,
    actions: Vec<u16>,
    seats: Vec<u8>,
    games: Vec<u64>,
    configs: Vec<u16>,
    /// What each seat got, the one that decided first.
    outcomes: Vec<f32>,
}

impl Samples {
    /// Keeps a decision: what was seen, what could be done, what should be.
    pub(crate) fn add<G: Game>(
        &mut self,
        game: &G,
        seat: Player,
        chosen: u16,
        thoughts: Option<&SearchReport>,
    ) {
        let start = self.observations.len();
        self.observations.resize(start + G::observation().len(), 0);
        game.observe(seat, &mut self.observations[start..]);
        let mut legal = ActionList::new();
        game.legal_actions(&mut legal);
        for &action in legal.iter() {
            let known = thoughts
                .and_then(|report| report.actions.iter().find(|entry| entry.action == action));
            let policy =
                known.map_or(f32::from(u8::from(action.0 == chosen)), |entry| entry.policy);
            self.legal.push(action.0);
            self.policy.push(policy);
        }
        self.ends.push(self.legal.len() as u32);
        self.actions.push(chosen);
        self.seats.push(seat.0);
    }

    /// Says how the game went whose decisions were kept last.
    pub(crate) fn finish(&mut self, game: u64, config: usize, payoffs: &[f32]) {
        for &seat in &self.seats[self.games.len()..] {
            let seats = payoffs.len();
            let rotated = (0..seats).map(|at| payoffs[(usize::from(seat) + at) % seats]);
            self.outcomes.extend(rotated);
            self.configs.push(config as u16);
        }
        self.games.resize(self.seats.len(), game);
    }

    /// Adds later samples.
    pub(crate) fn append(&mut self, other: Self) {
        let before = self.legal.len() as u32;
        self.ends.extend(other.ends.iter().map(|end| end + before));
        self.observations.extend(other.observations);
        self.legal.extend(other.legal);
        self.policy.extend(other.policy);
        self.actions.extend(other.actions);
        self.seats.extend(other.seats);
        self.games.extend(other.games);
        self.configs.extend(other.configs);
        self.outcomes.extend(other.outcomes);
    }

    pub(crate) fn len(&self) -> usize {
        self.seats.len()
    }

    /// The bytes of a file in the safetensors format.
    pub(crate) fn to_bytes<G: Game>(
        &self,
        path: &Path,
        configs: &[serde_json::Value],
    ) -> Result<Vec<u8>, RunError> {
        let count = self.len();
        let players = self.outcomes.len().checked_div(count).unwrap_or(0);
        let mut starts = vec![0u32];
        starts.extend(&self.ends);
        let tensors: [(&str, Dtype, Vec<usize>, Vec<u8>); 9] = [
            (
                "observations",
                Dtype::I32,
                vec![count, G::observation().len()],
                bytes(&self.observations, |x| x.to_le_bytes()),
            ),
            ("legal_starts", Dtype::U32, vec![count + 1], bytes(&starts, |x| x.to_le_bytes())),
            (
                "legal_actions",
                Dtype::U16,
                vec![self.legal.len()],
                bytes(&self.legal, |x| x.to_le_bytes()),
            ),
            (
                "legal_policy",
                Dtype::F32,
                vec![self.policy.len()],
                bytes(&self.policy, |x| x.to_le_bytes()),
            ),
            ("actions", Dtype::U16, vec![count], bytes(&self.actions, |x| x.to_le_bytes())),
            ("seats", Dtype::U8, vec![count], self.seats.clone()),
            ("games", Dtype::U64, vec![count], bytes(&self.games, |x| x.to_le_bytes())),
            ("configs", Dtype::U16, vec![count], bytes(&self.configs, |x| x.to_le_bytes())),
            (
                "outcomes",
                Dtype::F32,
                vec![count, players],
                bytes(&self.outcomes, |x| x.to_le_bytes()),
            ),
        ];
        let failed = |reason: String| RunError::Write { path: path.to_owned(), reason };
        let views = tensors
            .iter()
            .map(|(name, dtype, shape, data)| {
                TensorView::new(*dtype, shape.clone(), data).map(|view| (*name, view))
            })
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| failed(error.to_string()))?;
        // One entry alone: the order of several would differ from run to run.
        let about = json!({
            "format": "meeple-samples",
            "version": VERSION,
            "game": G::NAME,
            "configs": configs,
            "actions": G::ACTIONS,
            "observation_version": G::observation().version(),
            "observation": G::observation().fields().iter().map(field).collect::<Vec<_>>(),
        });
        let metadata = [("meeple".to_owned(), about.to_string())].into_iter().collect();
        serialize(views, Some(metadata)).map_err(|error| failed(error.to_string()))
    }
}

fn field(field: &meeple_game::Field) -> serde_json::Value {
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
