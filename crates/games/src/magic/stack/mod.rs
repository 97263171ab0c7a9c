//! 405, 601 to 616: spells and abilities from announcement to resolution.

pub(super) mod announce;
mod choices;
mod durations;
mod legality;
pub(super) mod perform;
pub(super) mod replacement;
pub(super) mod resolve;
pub(super) mod tasks;
pub(super) mod triggers;
