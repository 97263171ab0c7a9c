//! How a state came about, so that it can be written down and made again.

use meeple_arena::{Position, open};
use meeple_game::{Action, Rng};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::convert::{seat, value_error};

/// The version of the text.
const VERSION: u32 = 1;

/// Something that happened to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Event {
    /// An action or a chance outcome.
    Action(u16),
    /// What a player cannot see was dealt anew.
    Resample {
        /// The player.
        resample: u8,
        /// Where the deal came from.
        seed: u64,
    },
}

/// A state as text.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    meeple_state: u32,
    game: String,
    config: Value,
    events: Vec<Event>,
}

/// Writes a state down.
pub(crate) fn write(position: &dyn Position, events: &[Event]) -> PyResult<String> {
    let written = Written {
        meeple_state: VERSION,
        game: position.facts().name.into(),
        config: position.config(),
        events: events.to_vec(),
    };
    serde_json::to_string(&written).map_err(value_error)
}

/// Makes a state again.
pub(crate) fn read(text: &str) -> PyResult<(Box<dyn Position>, Vec<Event>)> {
    let written: Written = serde_json::from_str(text)
        .map_err(|error| value_error(format!("this is no serialized state: {error}")))?;
    if written.meeple_state != VERSION {
        let found = written.meeple_state;
        let message = format!("the state is of version {found}, expected {VERSION}");
        return Err(value_error(message));
    }
    let mut position =
        open(&written.game, Some(&written.config.to_string())).map_err(value_error)?;
    for (number, event) in written.events.iter().enumerate() {
        match *event {
            Event::Action(action) => position
                .try_apply(Action(action))
                .map_err(|error| value_error(format!("event {number}: {error}")))?,
            Event::Resample { resample, seed: from } => {
                let player = seat(&*position, i64::from(resample))?;
                position = position.determinize(player, &mut Rng::new(from));
            }
        }
    }
    Ok((position, written.events))
}
